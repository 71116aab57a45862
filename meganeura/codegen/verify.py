"""The invariants of loop IR, checked statement by statement: what renderers rely on.

A kernel that passes has variables and registers where they are used, vectors where vectors are
meant, and places inside its buffers, as far as ranges can tell:

- A place must lie inside its buffer for all values of its variables, unless it is guarded: by
  bounds of its own, by the varying length of a walk, or by a `When` or a ``stop`` around it that
  shares a variable with it (one that shares none says nothing about the place). A guarded place
  must be able to lie inside, unless its guard never holds.
- There is no slack: schedules give scratch the room that vectors need, and lanes are a variable of
  the index like any other. (Renderers that load a vector from place 0 of a buffer where a bound
  does not hold must see to it that there is one.)
- The bounds of a load do not guard what its index fetches: that is loaded in any case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from ..errors import InternalError
from ..kernel.conv import WIDE_LANES
from ..kernel.element import Element, Load, Position, Read, Register, Test
from ..kernel.index import Atom, Bound, Fetch, Index, Var
from .loops import (
    GRID,
    LANES,
    MOST_WALKS,
    SERIAL,
    UNROLL,
    Assign,
    Buffer,
    Combine,
    Contract,
    Declare,
    Kernel,
    Loop,
    Place,
    Prefetch,
    Statement,
    Store,
    Walk,
    When,
    print_statements,
)

MOST_SUMS = 16
"""Vectors of sums a contraction may have: as many as there are registers. Of wide vectors there are
twice as many."""


def verify_kernel(kernel: Kernel, idle_lanes: bool = False) -> Kernel:
    """The kernel itself, after checking it for a target that has or has not ``idle_lanes``."""
    _Checker(kernel, idle_lanes).check()
    return kernel


class _Checker:
    """One kernel being checked: where we are, and what is known there."""

    def __init__(self, kernel: Kernel, idle_lanes: bool) -> None:
        self.kernel, self.lanes, self.idle_lanes = kernel, kernel.lanes, idle_lanes
        self.statement: Statement = kernel.grid
        self.kinds: dict[Atom, str] = {}
        """The variables bound here, and by what kind of loop."""
        self.names: set[str] = set()
        self.lane: Var | None = None
        self.guards: list[frozenset[Var]] = []
        """The variables of each condition around this place."""
        self.never = False
        """Whether one of the conditions never holds, so that this place is never reached."""
        self.declared: dict[str, Declare] = {}
        """The registers that can be used here."""
        self.forms: dict[str, tuple[bool, tuple[int, ...]]] = {}
        """The form of every register so far: a renderer makes it once."""
        self.written: set[int] = set()
        """The buffers that some statement before this one writes."""

    def fail(self, rule: str) -> NoReturn:
        """The kernel breaks a rule at the statement under way."""
        line = print_statements((self.statement,), 0)[0]
        what = f"kernel {self.kernel.name} is wrong: {rule}, in `{line}`"
        raise InternalError(what, text=str(self.kernel))

    # Statements

    def check(self) -> None:
        """The whole kernel."""
        grid = self.kernel.grid
        if grid.kind != GRID:
            self.fail("the outermost loop must be a grid")
        if grid.stop is not None:
            self.fail("only a serial loop can stop")
        self._loop_body(grid)

    def _run(self, body: tuple[Statement, ...]) -> None:
        """A block: registers declared in it end with it."""
        outside = dict(self.declared)
        for statement in body:
            self.statement = statement
            match statement:
                case Loop():
                    self._loop(statement)
                case When():
                    self._when(statement)
                case Declare():
                    self._declare(statement)
                case Assign():
                    self._assign(statement)
                case Combine():
                    self._combine(statement)
                case Store():
                    self._store(statement)
                case Contract():
                    self._contract(statement)
                case Prefetch(place):
                    self._prefetch(place)
        self.declared = outside

    def _loop(self, loop: Loop) -> None:
        if loop.kind not in (LANES, SERIAL, UNROLL):
            self.fail(f"a {loop.kind} loop inside the grid")
        if self.lane is not None:
            self.fail(f"there can be no loop in the lanes {self.lane}")
        if loop.stop is None:
            self._loop_body(loop)
            return
        if loop.kind != SERIAL and not (loop.kind == LANES and self.idle_lanes):
            self.fail("only a serial loop can stop")
        self._index(loop.stop)
        variables, never = loop.stop.variables() | {loop.var}, loop.stop.range()[1] <= 0
        with self._guarded(variables, never):
            self._loop_body(loop)

    def _loop_body(self, loop: Loop) -> None:
        var = loop.var
        if var.name in self.names:
            self.fail(f"{var} is bound twice at once")
        if var.extent < 1 and loop.stop is None:
            self.fail(f"{var} has no values")
        self.kinds[var] = loop.kind
        self.names.add(var.name)
        if loop.kind == LANES:
            if var.extent != self.lanes:
                self.fail(f"the kernel has {self.lanes} lanes")
            self.lane = var
        self._run(loop.body)
        self.lane = None
        self.names.remove(var.name)
        del self.kinds[var]

    def _when(self, when: When) -> None:
        self._index(when.bound.index)
        variables = when.bound.index.variables()
        if self.lane in variables:
            self.fail("lanes cannot go different ways")
        with self._guarded(variables, when.bound.never()):
            self._run(when.body)
        with self._guarded(variables, when.bound.always()):
            self._run(when.otherwise)

    @contextmanager
    def _guarded(self, variables: frozenset[Var], never: bool) -> Iterator[None]:
        """Statements under a condition, which may never hold: the rest of a row that is cut into
        whole vectors, say."""
        outside = self.never
        self.guards.append(variables)
        self.never = outside or never
        yield
        self.guards.pop()
        self.never = outside

    # Registers

    def _declare(self, statement: Declare) -> None:
        form = (statement.lanes, statement.shape)
        if self.forms.setdefault(statement.name, form) != form:
            self.fail(f"{statement.name} had another form before")
        if any(size < 1 for size in statement.shape):
            self.fail(f"{statement.name} has no places")
        self.declared[statement.name] = statement

    def _assign(self, statement: Assign) -> None:
        differs = self._value(statement.value)
        register = self._register(statement.name, statement.place)
        if differs and not register.lanes:
            self.fail(f"{statement.name} is one number, and its value differs by lane")

    def _combine(self, statement: Combine) -> None:
        if self.lane is not None:
            self.fail("lanes are combined outside of them")
        if statement.op not in ("sum", "max"):
            self.fail(f"lanes cannot be combined by {statement.op}")
        if not self._register(statement.source.name, statement.source.place).lanes:
            self.fail(f"{statement.source.name} has no lanes to combine")
        if self._register(statement.name, ()).lanes:
            self.fail(f"{statement.name} must be one number")

    def _register(self, name: str, place: tuple[Index, ...]) -> Declare:
        """A register that is used here."""
        register = self.declared.get(name)
        if register is None:
            self.fail(f"{name} is not declared here")
        if len(place) != len(register.shape):
            self.fail(f"{name} has {len(register.shape)} axes")
        for index, size in zip(place, register.shape, strict=True):
            if any(self.kinds.get(atom) != UNROLL for atom, _ in index.terms):
                self.fail(f"{name} is indexed by {index}, which is not unrolled")
            low, high = index.range()
            if low < 0 or high >= size:
                self.fail(f"{name} has no place {index}")
        return register

    # Values

    def _value(self, element: Element) -> bool:
        """Check all that is read; whether the value differs from lane to lane."""
        return any([self._read(read) for read in element.reads])

    def _read(self, read: Read) -> bool:
        match read:
            case Register(name, place):
                lanes = self._register(name, place).lanes
                if lanes and self.lane is None:
                    self.fail(f"the register {name} has lanes, and is read outside of them")
                return lanes
            case Load():
                return self._load(read)
            case Position(index):
                self._index(index)
                return self._differs(index)
            case Test(bound):
                self._index(bound.index)
                return self._differs(bound.index)

    def _differs(self, *indices: Index) -> bool:
        lane = self.lane
        return lane is not None and any(lane in index.variables() for index in indices)

    def _index(self, index: Index) -> None:
        """An index that is computed here: its variables are bound, and what it fetches exists."""
        for atom, _ in index.terms:
            if isinstance(atom, Var):
                if atom not in self.kinds:
                    self.fail(f"{atom} is not bound here")
                continue
            self._index(atom.index)
            if isinstance(atom, Fetch):
                if not self._buffer(atom.source).is_u32:
                    self.fail(f"b{atom.source} holds no whole numbers to fetch")
                self._inside(atom.source, atom.index)

    # Memory

    def _load(self, load: Load) -> bool:
        self._index(load.index)
        for bound in load.bounds:
            self._index(bound.index)
        self._readable(load.source)
        self._inside(load.source, load.index, bounds=load.bounds)
        return self._differs(load.index, *(bound.index for bound in load.bounds))

    def _store(self, store: Store) -> None:
        differs = self._value(store.value)
        self._index(store.index)
        for bound in store.bounds:
            self._index(bound.index)
        if differs and not self._differs(store.index):
            self.fail("every lane would write to one place")
        neighbours = self.lane is not None and store.index.coefficient(self.lane) == 1
        if store.bounds and not neighbours and not self.idle_lanes:
            self.fail("only neighbouring lanes are written under bounds")
        self._writable(store.target)
        self._check_task(store)
        self._inside(store.target, store.index, bounds=store.bounds)

    def _check_task(self, store: Store) -> None:
        """Tasks are independent: no two of them write one place of the result. A place that is the
        same for all may be written by the one for which a guard holds, such as the last."""
        task = self.kernel.grid.var
        if task.extent == 1 or self._buffer(store.target).kind != "result":
            return
        if not any(task in known for known in (store.index.variables(), *self.guards)):
            self.fail("every task would write to one place")

    def _buffer(self, number: int) -> Buffer:
        if not 0 <= number < len(self.kernel.buffers):
            self.fail(f"there is no b{number}")
        return self.kernel.buffers[number]

    def _readable(self, number: int) -> None:
        """Memory of the kernel's own holds nothing before it is written. Under a condition that
        changes from turn to turn of a loop, an earlier turn may have written it."""
        kind = self._buffer(number).kind
        later = any(self.kinds.get(var) == SERIAL for known in self.guards for var in known)
        if kind in ("result", "scratch") and number not in self.written and not later:
            self.fail(f"b{number} is read before it is written")

    def _writable(self, number: int) -> None:
        buffer = self._buffer(number)
        if buffer.kind not in ("result", "scratch"):
            self.fail(f"b{number} is {buffer.kind}, and never written")
        if buffer.is_u32:
            self.fail(f"b{number} holds whole numbers")
        self.written.add(number)

    def _inside(
        self,
        number: int,
        index: Index,
        first: int = 0,
        last: int = 0,
        bounds: Sequence[Bound] = (),
        guarded: bool = False,
    ) -> None:
        """All places from ``index + first`` to ``index + last`` are in the buffer."""
        low, high = index.range()
        size = self.kernel.buffers[number].elements
        if low + first >= 0 and high + last < size:
            return
        # In the rest of a row behind its whole vectors, a part of a concatenation is never read.
        if self.never or any(bound.never() for bound in bounds):
            return
        if high + last < 0 or low + first >= size:
            self.fail(f"b{number}[{index}] cannot lie inside the buffer")
        if not guarded and not self._is_guarded(index, bounds):
            self.fail(f"b{number}[{index}] may lie outside the buffer, and nothing guards it")

    def _is_guarded(self, index: Index, bounds: Sequence[Bound] = ()) -> bool:
        """Whether a condition has a say in the values an index takes here."""
        known = [*(_depends_on(bound.index) for bound in bounds), *self.guards]
        return not _depends_on(index).isdisjoint(frozenset().union(*known))

    def _prefetch(self, place: Place) -> None:
        if self._buffer(place.buffer).kind != "operand":
            self.fail(f"b{place.buffer} is near already")
        self._index(place.index)

    # Contractions

    def _contract(self, contract: Contract) -> None:
        if self.lane is not None:
            self.fail("a contraction makes vectors of its own")
        count = contract.numbers * contract.vectors
        if min(contract.numbers, contract.vectors, len(contract.taps)) < 1:
            self.fail("there is nothing to contract")
        if count > MOST_SUMS * (2 if self.lanes >= WIDE_LANES else 1):
            self.fail(f"{count} vectors of sums do not fit the registers")
        if len(contract.walks) > MOST_WALKS:
            self.fail(f"there are more than {MOST_WALKS} walks")
        self._factors(contract)
        self._sums(contract, count * self.lanes)

    def _factors(self, contract: Contract) -> None:
        """What is read on all walks."""
        walks, taps = contract.walks, contract.taps
        extents = [self._extent(walk) for walk in walks]
        most = [extent.range()[1] for extent in extents]
        a = [(n, walk.a_step) for n, walk in zip(most, walks, strict=True)]
        b = [(n, walk.b_step) for n, walk in zip(most, walks, strict=True)]
        a += [(contract.numbers, contract.number_step)]
        b += [(contract.vectors, contract.vector_step), (self.lanes, 1)]
        # A length that varies is a guard, as a loop's ``stop`` is.
        varies = any(extent.terms for extent in extents)
        self._factor(contract.a, a, [tap for tap, _ in taps], varies)
        self._factor(contract.b, b, [tap for _, tap in taps], varies)

    def _extent(self, walk: Walk) -> Index:
        """The length of a walk; renderers make the first step without asking."""
        extent = walk.extent if isinstance(walk.extent, Index) else Index(walk.extent)
        self._index(extent)
        low, high = extent.range()
        if high < 1 or (low < 1 and not self._is_guarded(extent)):
            self.fail(f"a walk of {extent} steps may have none")
        return extent

    def _factor(
        self, place: Place, moves: list[tuple[int, int]], taps: list[int], guarded: bool
    ) -> None:
        """Every place that moves and taps lead to."""
        self._index(place.index)
        self._readable(place.buffer)
        if self._buffer(place.buffer).is_u32:
            self.fail(f"b{place.buffer} holds whole numbers")
        ends = [(extent - 1) * step for extent, step in moves]
        first = min(taps) + sum(min(end, 0) for end in ends)
        last = max(taps) + sum(max(end, 0) for end in ends)
        self._inside(place.buffer, place.index, first, last, guarded=guarded)

    def _sums(self, contract: Contract, elements: int) -> None:
        place = contract.sums
        self._index(place.index)
        if self._buffer(place.buffer).kind != "scratch":
            self.fail(f"b{place.buffer} is not scratch, where sums are formed")
        if not contract.fresh:
            self._readable(place.buffer)
        self._writable(place.buffer)
        self._inside(place.buffer, place.index, last=elements - 1)


def _depends_on(index: Index) -> frozenset[Atom]:
    """The variables a position depends on, and the numbers it fetches: one that is fetched from a
    fixed place has no variable, but a value that bounds may speak of."""
    found: set[Atom] = set(index.variables())
    for atom, _ in index.terms:
        if isinstance(atom, Fetch):
            found.add(atom)
        elif not isinstance(atom, Var):
            found |= _depends_on(atom.index)
    return frozenset(found)
