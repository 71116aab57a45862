"""Reductions: along the columns by vectors, or across neighbouring rows, whichever reads memory in
its order. The order of every sum is fixed by the problem's size alone.

On a GPU a workgroup takes a row, and combines what its invocations have; where rows are short, each
invocation takes one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod

from ...kernel.archetype import Reduction, Stage, axes, recomputed, with_kept
from ...kernel.element import Element, Load, Register, apply, held, load
from ...kernel.index import Bound, Index, Var, flat, of
from ...kernel.merge import flatten_axes, merge_axes
from ...kernel.target import Target
from ...scalar.expr import Expr, maximum
from ...scalar.table import cost
from ..loops import (
    GRID,
    LANES,
    SERIAL,
    UNROLL,
    Assign,
    Combine,
    Declare,
    Loop,
    Statement,
    Store,
    When,
)
from .cascade import Body, Everywhere, cascade
from .common import by_vectors, contiguous_loads, grid_of_rows, nested, rows_per_task

FIRST = {"sum": 0.0, "max": float("-inf")}
MERGE: dict[str, Callable[[Expr, Expr], Expr]] = {"sum": lambda a, b: a + b, "max": maximum}
TREE = 8
"""Vectors of a row that are summed as a tree before they meet the sum: that hides the latency of an
addition, and a term goes through fewer of them."""
ACROSS = 8
"""Vectors of neighbouring rows that are summed at once."""
Stages = dict[str, Stage]
"""Stages by the names of their registers, all with the same way to combine."""
LIGHT = 8
"""Operations to compute a term that hide it as well."""
FEW_COLUMNS, MANY_COLUMNS = 32, 1024
"""Columns up to which an invocation takes a whole row, and from which a workgroup is wide."""
WIDE = 256


def schedule_reduction(kernel: Reduction, target: Target, result: int) -> tuple[Loop, int]:
    """Loops that write the buffers from ``result`` on, whose elements lie in row-major order; their
    lanes."""
    rows, columns = axes(kernel.rows), axes(kernel.columns, "r")
    rows, elements = merge_axes(rows, kernel.elements(), "m")
    columns, elements = merge_axes(columns, elements, "n")
    if target.idle_lanes:
        row, elements = flatten_axes(rows or [Var("row", 1)], elements, "row")
        column, elements = flatten_axes(columns, elements, "column")
        rows, columns = [row], [column]
        lanes = WIDE if column.extent >= MANY_COLUMNS else target.lanes
        target = replace(target, lanes=lanes)
    kernel = kernel.with_elements(elements)
    if target.idle_lanes:
        # Lanes would have to wait for each other before they read what is kept.
        kernel = recomputed(kernel)
    plan = _Rows(rows, columns, kernel, target, result)
    return plan.across() if plan.is_across else plan.along(), plan.lanes


class _Rows:
    """One reduction to be scheduled, its axes merged."""

    def __init__(
        self,
        rows: list[Var],
        columns: list[Var],
        kernel: Reduction,
        target: Target,
        into: int,
    ) -> None:
        self.rows, self.columns = rows, columns
        self.stages, self.results = kernel.stages, list(enumerate(kernel.results, into))
        self.passes = _passes(kernel.stages)
        self.spread = any(result.spread for result in kernel.results)
        self.target, self.into = target, into
        self.size = prod(axis.extent for axis in columns)
        self.is_across = self._is_better_across()
        self.lanes = target.lanes_along((rows if self.is_across else columns)[-1].extent)

    def _is_better_across(self) -> bool:
        """Whether neighbouring rows, not neighbouring columns, lie next to each other. Invocations
        need not be neighbours in memory, but should all have work."""
        if not self.rows or (self.spread and not self.target.idle_lanes):
            return False
        elements = [stage.element for stage in self.stages]
        across = contiguous_loads(elements, self.rows[-1])
        is_contiguous = across > contiguous_loads(elements, self.columns[-1])
        if not self.target.idle_lanes:
            return is_contiguous
        return self.size <= FEW_COLUMNS or (is_contiguous and self.rows[-1].extent >= self.size)

    # Along the columns

    def along(self) -> Loop:
        """Each row by vectors along its last axis."""
        count = prod(axis.extent for axis in self.rows)
        per_task = rows_per_task(count, self.size, self.target)
        if not self.rows:
            return Loop(Var("task", 1), GRID, tuple(self._row({})))
        return grid_of_rows(self.rows, per_task, self._row)

    def _row(self, places: dict[Var, Index]) -> list[Statement]:
        statements: list[Statement] = []
        row = flat([places[a] for a in self.rows], [a.extent for a in self.rows])
        for together in self.passes:
            here = {
                name: replace(stage, element=stage.element.substitute(dict(places)))
                for name, stage in together.items()
            }
            statements += self._pass(here, row)
        statements += [
            Store(buffer, row, result.element.substitute(dict(places)))
            for buffer, result in self.results
            if not result.spread
        ]
        if not self.spread:
            return statements

        def store(at: dict[Var, Index], in_lanes: bool) -> list[Statement]:
            place, here = self._place(row, at), {**places, **at}
            kept = load(self.into, place)
            return [
                Store(buffer, place, with_kept(kept, result.element.substitute(here)))
                for buffer, result in self.results
                if result.spread
            ]

        return [*statements, *self._each_column("w", store)]

    def _place(self, row: Index, at: Mapping[Var, Index]) -> Index:
        """Where an element of a row lies in the result."""
        sizes = [axis.extent for axis in self.columns]
        return row * prod(sizes) + flat([at[axis] for axis in self.columns], sizes)

    def _pass(self, stages: Stages, row: Index) -> list[Statement]:
        """Sums of some stages along the row: of the odd elements, then by vectors, then over
        lanes."""
        *outer, inner = self.columns
        rest = 0 if self.target.idle_lanes else inner.extent % self.lanes
        blocks = -(-(inner.extent - rest) // self.lanes)
        statements: list[Statement] = [Declare(n, FIRST[s.combine]) for n, s in stages.items()]
        if rest:
            one = Var(f"{next(iter(stages))}t", rest)

            def tail(at: Mapping[Var, Index]) -> list[Statement]:
                column = at[one] + (inner.extent - rest)
                return self._add(stages, row, {**at, inner: column}, in_lanes=False)

            statements = self._sum(stages, False, [*outer, one], tail, lambda make: [make(())])
        if not blocks:
            return statements
        vectors = {f"{name}v": stage for name, stage in stages.items()}
        statements += self._vectors(vectors, row, blocks)
        for (name, stage), vector in zip(stages.items(), vectors, strict=True):
            part = f"{name}p"
            statements += [
                Declare(part, 0.0),
                Combine(part, stage.combine, Register(vector)),
                _merged(stage, name, part),
            ]
        return statements

    def _vectors(self, stages: Stages, row: Index, blocks: int) -> list[Statement]:
        """Vector registers with the sums of so many vectors along the last axis: `TREE` of them as
        a tree at a time, then those that are left."""
        *outer, inner = self.columns
        size = TREE if self._is_light(stages) and blocks >= TREE else 1
        turns, odd = divmod(blocks, size)
        name, is_whole = next(iter(stages)), inner.extent % self.lanes == 0
        block, other = Var(f"{name}b", turns), Var(f"{name}o", odd)
        lane = Var(f"{name}l", self.lanes)

        def some(stages: Stages, at: Mapping[Var, Index], start: Index, count: int) -> Statement:
            starts = [start + number * self.lanes for number in range(count)]
            places = [{**at, inner: one + of(lane)} for one in starts]
            stop = start * -1 + inner.extent if self.target.idle_lanes and not is_whole else None
            return Loop(lane, LANES, tuple(self._add(stages, row, *places, in_lanes=True)), stop)

        def trees(at: Mapping[Var, Index]) -> list[Statement]:
            return [some(stages, at, at[block] * (size * self.lanes), size)]

        def singles(at: Mapping[Var, Index]) -> list[Statement]:
            return [some(last, at, (at[other] + turns * size) * self.lanes, 1)]

        def everywhere(make: Callable[[tuple[Index, ...]], Statement]) -> list[Statement]:
            return [Loop(lane, LANES, (make(()),))]

        statements = self._sum(stages, True, [*outer, block], trees, everywhere)
        if odd:
            last = {f"{name}o": stage for name, stage in stages.items()}
            statements += self._sum(last, True, [*outer, other], singles, everywhere)
            for (register, stage), more in zip(stages.items(), last, strict=True):
                statements.append(Loop(lane, LANES, (_merged(stage, register, more),)))
        return statements

    def _is_light(self, stages: Stages) -> bool:
        """Whether to compute the terms of some stages takes less than to wait for an addition."""
        if self.target.idle_lanes or any(stage.kept for stage in stages.values()):
            return False
        reads = [read for stage in stages.values() for read in stage.element.reads]
        if any(isinstance(read, Load) and read.bounds for read in reads):
            return False  # at some of a tree's places, which are apart, bounds may never hold
        return sum(cost(stage.element.body) for stage in stages.values()) <= LIGHT

    def _add(
        self, stages: Stages, row: Index, *places: Mapping[Var, Index], in_lanes: bool
    ) -> list[Statement]:
        """The terms of some stages at some places of the row, as trees, to their registers. What is
        kept is of one place."""
        statements: list[Statement] = []
        for register, stage in stages.items():
            merge = MERGE[stage.combine]
            values = [stage.element.substitute(at) for at in places]
            if stage.kept:
                one = f"{register}k"
                statements += [Declare(one, 0.0, lanes=in_lanes), Assign(one, values[0])]
                statements.append(Store(self.into, self._place(row, places[0]), held(one)))
                values = [held(one)]
            while len(values) > 1:
                pairs = zip(values[::2], values[1::2], strict=True)
                values = [apply(merge, left, right) for left, right in pairs]
            statements.append(Assign(register, apply(merge, held(register), values[0])))
        return statements

    def _sum(
        self,
        stages: Stages,
        in_lanes: bool,
        axes: Sequence[Var],
        body: Body,
        everywhere: Everywhere,
        shape: tuple[int, ...] = (),
    ) -> list[Statement]:
        """Registers with what ``body`` adds to them at all places of some axes."""
        registers = [Declare(n, FIRST[s.combine], in_lanes, shape) for n, s in stages.items()]
        if next(iter(stages.values())).combine == "sum":
            return cascade(registers, axes, body, everywhere)
        return [*registers, *nested(axes, body({axis: of(axis) for axis in axes}))]

    def _each_column(
        self, name: str, body: Callable[[dict[Var, Index], bool], list[Statement]]
    ) -> list[Statement]:
        """``body`` at every column: serial outer axes, the last by vectors."""
        *outer, inner = self.columns

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            return body({**{a: of(a) for a in outer}, inner: position}, in_lanes)

        idle = self.target.idle_lanes
        statements = by_vectors(inner.extent, self.lanes, name, at, idle_lanes=idle)
        for axis in reversed(outer):
            statements = [Loop(axis, SERIAL, tuple(statements))] if statements else []
        return statements

    # Across the rows

    def across(self) -> Loop:
        """Neighbouring rows in the lanes of vectors; every column of them one after another. As
        many vectors as a cache line and more holds are under way at once."""
        if self.target.idle_lanes:
            return self._row_by_lane()
        *outer, last = self.rows
        vectors = next(n for n in (ACROSS, 4, 2, 1) if last.extent >= n * self.lanes or n == 1)
        width = vectors * self.lanes
        full, rest = divmod(last.extent, width)
        block = Var("block", full + (rest > 0))
        per_task = rows_per_task(
            prod(a.extent for a in outer) * block.extent, self.size * width, self.target
        )

        def rows(places: dict[Var, Index]) -> list[Statement]:
            before = {axis: places[axis] for axis in outer}
            start = flat([before[a] for a in outer], [a.extent for a in outer]) * last.extent
            first = places[block] * width

            def some(position: Index, vectors: int) -> list[Statement]:
                return self._column_sums(before, last, start, position, vectors)

            whole = some(first, vectors) if full else []
            odd: list[Statement] = []
            if rest // self.lanes:
                vector = Var("vector", rest // self.lanes)
                at = of(vector) * self.lanes + full * width
                odd += nested((vector,), some(at, 1))
            if rest % self.lanes:
                one = Var("one", rest % self.lanes)
                odd += nested((one,), some(of(one) + (last.extent - rest % self.lanes), 0))
            if not full or not rest:
                return whole or odd
            return [When(Bound(places[block], 0, full), tuple(whole), tuple(odd))]

        return grid_of_rows([*outer, block], per_task, rows)

    def _row_by_lane(self) -> Loop:
        """A row for each lane, the last ones idle."""
        (row,) = self.rows
        task = Var("task", -(-row.extent // self.lanes))
        first = of(task) * self.lanes
        stop = None if row.extent % self.lanes == 0 else first * -1 + row.extent
        return Loop(task, GRID, tuple(self._column_sums({}, row, Index(), first, 1, stop)))

    def _column_sums(
        self,
        before: dict[Var, Index],
        last: Var,
        start: Index,
        first: Index,
        vectors: int,
        stop: Index | None = None,
    ) -> list[Statement]:
        """All stages of some neighbouring rows: of vectors of them, or (with 0) of one row."""
        suffix = f"x{vectors}"
        rename = {f"s{i}": f"s{i}{suffix}" for i in range(len(self.stages))}
        v, lane = Var("v", vectors or 1), Var("lane", self.lanes if vectors else 1)
        position = first + of(v) * self.lanes + of(lane)
        at = {**before, last: position}
        shape, place = ((vectors,), (of(v),)) if vectors else ((), ())

        def each(statement: Statement) -> list[Statement]:
            lanes = Loop(lane, LANES, (statement,), stop)
            return [Loop(v, UNROLL, (lanes,))] if vectors else [statement]

        statements: list[Statement] = []
        for together in self.passes:
            stages = {rename[name]: stage for name, stage in together.items()}

            def add(columns: Mapping[Var, Index], stages: Stages = stages) -> list[Statement]:
                added: list[Statement] = []
                for name, stage in stages.items():
                    value = _renamed(stage.element.substitute({**at, **columns}), rename, place)
                    merged = apply(MERGE[stage.combine], held(name, place), value)
                    added += each(Assign(name, merged, place))
                return added

            statements += self._sum(
                stages,
                bool(vectors),
                self.columns,
                add,
                lambda make: each(make(place)),
                shape=shape,
            )
        columns = {axis: of(axis) for axis in self.columns}
        for buffer, result in self.results:
            value = _renamed(result.element.substitute(dict(at)), rename, place)
            if result.spread:
                store = Store(buffer, self._place(start + position, columns), value)
                statements += nested(self.columns, each(store))
            else:
                statements += each(Store(buffer, start + position, value))
        return statements


def _passes(stages: Sequence[Stage]) -> list[Stages]:
    """The stages by name, `s0`, `s1` and so on: in one pass over a row those that follow each other
    and do not read each other's numbers."""
    passes: list[Stages] = []
    for number, stage in enumerate(stages):
        last = passes[-1] if passes else {}
        reads = {read.name for read in stage.element.reads if isinstance(read, Register)}
        is_free = not reads & set(last) and not stage.kept
        alike = all(s.combine == stage.combine and not s.kept for s in last.values())
        if last and is_free and alike:
            last[f"s{number}"] = stage
        else:
            passes.append({f"s{number}": stage})
    return passes


def _merged(stage: Stage, register: str, other: str) -> Statement:
    """What another register has, added to a stage's."""
    return Assign(register, apply(MERGE[stage.combine], held(register), held(other)))


def _renamed(element: Element, names: dict[str, str], place: tuple[Index, ...]) -> Element:
    reads = tuple(
        Register(names[r.name], place) if isinstance(r, Register) else r for r in element.reads
    )
    return Element(element.body, reads)
