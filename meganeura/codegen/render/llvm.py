"""LLVM IR: loop IR as text. Lanes are vectors; registers are stack slots that LLVM promotes.

A kernel is ``void name(ptr buffers, ptr scratch, i64 begin, i64 end)``: it runs the tasks from
``begin`` to ``end`` of its grid on the buffers whose addresses it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...errors import InternalError
from ...kernel.element import Register
from ...kernel.index import Index, Var
from ..loops import (
    LANES,
    UNROLL,
    Assign,
    Combine,
    Contract,
    Declare,
    Kernel,
    Loop,
    Place,
    Prefetch,
    Statement,
    Store,
    When,
)
from .llvm_contract import Routine, call, declare, render_routine
from .llvm_gather import rows_read
from .llvm_spelling import constant
from .llvm_values import Values

BATCH_LETTERS = 50_000
"""Text that is compiled at a time: a few dozen milliseconds of LLVM's time."""
FEW_ADDRESSES = 1 / 8
"""Of the lines of a kernel, those that compute addresses, up to which LLVM's strength reduction is
worth its time. Attention has one in twelve: reduction takes a tenth of its compilation and gains
5 %. Convolutions, which stage their operands, have one in five: there it took half of the
compilation, for steps that are no faster (the renderer hoists addresses)."""


class Module(NamedTuple):
    """What LLVM compiles at a time."""

    text: str
    reduces_strength: bool = True
    """Whether LLVM looks for cheaper address arithmetic in loops."""
    lasting: bool = False
    """Whether many builds have it."""


def render_kernels(kernels: Sequence[Kernel]) -> str:
    """All kernels as one text."""
    rendering = Rendering()
    modules = [module for kernel in kernels for module in rendering.add(kernel)]
    modules = sorted([*modules, *rendering.rest()], key=lambda module: module.lasting)
    return "\n\n".join(module.text.strip("\n") for module in modules) + "\n"


class Rendering:
    """Kernels as text, some in a module, and their routines, each in one."""

    def __init__(self) -> None:
        self._batches: dict[bool, list[_Function]] = {False: [], True: []}
        self._called: set[Routine] = set()

    def add(self, kernel: Kernel) -> list[Module]:
        """One more kernel; the modules that are whole now."""
        function = _Function(kernel)
        function.render()
        new = [r for r in function.routines if r not in self._called]
        self._called.update(new)
        modules = [Module(render_routine(routine), lasting=True) for routine in new]
        kind = function.has_few_addresses()
        self._batches[kind].append(function)
        if sum(len(f.rendered) for f in self._batches[kind]) > BATCH_LETTERS:
            modules.append(self._take(kind))
        return modules

    def rest(self) -> list[Module]:
        """Modules with the kernels that are left."""
        return [self._take(kind) for kind, batch in self._batches.items() if batch]

    def _take(self, kind: bool) -> Module:
        batch, self._batches[kind] = self._batches[kind], []
        declarations = {line for f in batch for line in f.declarations}
        declarations |= {declare(routine) for f in batch for routine in f.routines}
        texts = ["\n".join(sorted(declarations)), *(f.rendered for f in batch)]
        return Module("\n\n".join(texts) + "\n", kind)


class _Function(Values):
    """One kernel under way: its statements."""

    rendered: str = ""

    def has_few_addresses(self) -> bool:
        """Whether most of it is arithmetic."""
        lines, addresses = (self.rendered.count(word) for word in ("\n", "getelementptr"))
        return addresses <= FEW_ADDRESSES * lines

    def render(self) -> None:
        """Write the function's text."""
        pointers = []
        scratch = 0
        for i, buffer in enumerate(self.kernel.buffers):
            if buffer.kind == "scratch":
                pointers.append(f"  %buffer{i} = getelementptr float, ptr %scratch, i64 {scratch}")
                scratch += -(-buffer.elements // 16) * 16
            else:
                pointers.append(f"  %at{i} = getelementptr ptr, ptr %buffers, i64 {i}")
                pointers.append(f"  %buffer{i} = load ptr, ptr %at{i}")
        grid = self.kernel.grid
        self._loop(grid.var, grid.body, "%begin", "%end", always_runs=True)
        head = (
            f"define void @{self.kernel.name}(ptr %buffers, ptr %scratch, i64 %begin, i64 %end) {{"
        )
        lines = [head, "entry:", *pointers, *self.slots, *self.code.text(), "  ret void", "}"]
        self.rendered = "\n".join(lines)

    # Statements

    def _run(self, body: tuple[Statement, ...]) -> None:
        for statement in body:
            match statement:
                case Loop():
                    self._statement_loop(statement)
                case When():
                    self._when(statement)
                case Declare():
                    self._declare(statement)
                case Assign(name, value, place):
                    self._assign(name, place, self._value(value))
                case Combine(name, op, source):
                    self._combine(name, op, source)
                case Store():
                    self._store(statement)
                case Contract():
                    self._contract(statement)
                case Prefetch(place):
                    self._prefetch(place)

    def _assign(self, name: str, place: tuple[Index, ...], value: tuple[str, bool]) -> None:
        _, lanes, _ = self.registers[name]
        kind = self.vector if lanes else "float"
        text = self._as(value, lanes)
        self.code.add(f"  store {kind} {text}, ptr {self._slot(name, place)}")
        self.versions[name] += 1

    def _statement_loop(self, loop: Loop) -> None:
        if loop.kind == LANES:
            self.lane = loop.var
            values = (s.value for s in loop.body if isinstance(s, (Assign, Store)))
            self.rows = rows_read(values)
            self._run(loop.body)
            self.lane = None
        elif loop.kind == UNROLL or (loop.var.extent == 1 and loop.stop is None):
            for i in range(loop.var.extent):
                self.env[loop.var] = str(i)
                self._run(loop.body)
        else:
            limit = str(loop.var.extent)
            if loop.stop is not None:
                stop = self._index(loop.stop)
                self.declarations.add("declare i64 @llvm.smin.i64(i64, i64)")
                limit = self.code.let(f"call i64 @llvm.smin.i64(i64 {stop}, i64 {limit})")
            self._loop(loop.var, loop.body, "0", limit, always_runs=loop.stop is None)

    def _loop(
        self, var: Var, body: tuple[Statement, ...], first: str, limit: str, always_runs: bool
    ) -> None:
        """A loop that tests at its end; one that may not run at all tests before it, too."""
        self.code.enter(always_runs, _changed(body))
        name, following = self.code.fresh("i"), self.code.fresh("n")
        before, head, done = (f"{part}{name[2:]}" for part in ("before", "head", "end"))
        self.env[var] = name
        self._run(body)
        inner = self.code.leave()
        more = f"%more{name[2:]}"
        if always_runs:
            start = [f"  br label %{before}", f"{before}:", f"  br label %{head}"]
        else:
            start = [
                f"  {more}.some = icmp slt i64 {first}, {limit}",
                f"  br i1 {more}.some, label %{before}, label %{done}",
                f"{before}:",
                f"  br label %{head}",
            ]
        self.code.add(
            *start,
            f"{head}:",
            f"  {name} = phi i64 [ {first}, %{before} ], [ {following}, %{head}.latch ]",
            *inner,
            f"  br label %{head}.latch",
            f"{head}.latch:",
            f"  {following} = add nuw nsw i64 {name}, 1",
            f"  {more} = icmp slt i64 {following}, {limit}",
            f"  br i1 {more}, label %{head}, label %{done}",
            f"{done}:",
        )

    def _when(self, statement: When) -> None:
        test = self._bound(statement.bound)
        yes, no, done = (self.code.fresh(part)[1:] for part in ("yes", "no", "done"))
        bodies = []
        for body in (statement.body, statement.otherwise):
            self.code.enter(False, _changed(body))
            self._run(body)
            bodies.append(self.code.leave())
        self.code.add(f"  br i1 {test}, label %{yes}, label %{no}", f"{yes}:", *bodies[0])
        self.code.add(f"  br label %{done}", f"{no}:", *bodies[1])
        self.code.add(f"  br label %{done}", f"{done}:")

    def _declare(self, statement: Declare) -> None:
        kind = self.vector if statement.lanes else "float"
        count = 1
        for size in statement.shape:
            count *= size
        if statement.name not in self.registers:
            slot = self.code.fresh("r", outermost=True)
            self.slots.append(f"  {slot} = alloca [{count} x {kind}], align 64")
            self.registers[statement.name] = (slot, statement.lanes, statement.shape)
        self.versions[statement.name] += 1
        slot = self.registers[statement.name][0]
        first = self._as((constant(statement.first), False), statement.lanes)
        for i in range(count):
            at = self.code.let(f"getelementptr {kind}, ptr {slot}, i64 {i}", "s")
            self.code.add(f"  store {kind} {first}, ptr {at}")

    def _combine(self, name: str, op: str, source: Register) -> None:
        vector = self.code.let(f"load {self.vector}, ptr {self._slot(source.name, source.place)}")
        width = self.width
        if op == "sum":
            # By halves, always in the same order.
            while width > 1:
                width //= 2
                low, high = range(width), range(width, 2 * width)
                halves = [self._shuffle(vector, 2 * width, part) for part in (low, high)]
                vector = self.code.let(f"fadd <{width} x float> {halves[0]}, {halves[1]}")
            result = self.code.let(f"extractelement <1 x float> {vector}, i64 0")
        else:
            intrinsic = f"llvm.vector.reduce.fmaximum.v{width}f32"
            self.declarations.add(f"declare float @{intrinsic}({self.vector})")
            result = self.code.let(f"call float @{intrinsic}({self.vector} {vector})")
        self._assign(name, (), (result, False))

    def _contract(self, contract: Contract) -> None:
        self.routines.setdefault(Routine.of(contract, self.width))
        places = (contract.sums, contract.a, contract.b)
        extents = [
            str(walk.extent) if isinstance(walk.extent, int) else self._index(walk.extent)
            for walk in contract.walks
        ]
        pointers = [self._pointer(place.buffer, place.index) for place in places]
        self.code.add(call(contract, self.width, pointers, extents))
        self.code.stored()

    def _prefetch(self, place: Place) -> None:
        """To be read, and kept in all caches."""
        self.declarations.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        at = self._pointer(place.buffer, place.index)
        self.code.add(f"  call void @llvm.prefetch.p0(ptr {at}, i32 0, i32 3, i32 1)")

    def _store(self, statement: Store) -> None:
        self._store_value(statement)
        self.code.stored()

    def _store_value(self, statement: Store) -> None:
        target, index, value = statement.target, statement.index, statement.value
        if self.lane is None or self.lane not in index.variables():
            text = self._as(self._value(value), False)
            self.code.add(f"  store float {text}, ptr {self._pointer(target, index)}, align 4")
            return
        text = self._as(self._value(value), True)
        if statement.bounds:
            self._store_some(statement, text)
            return
        if index.coefficient(self.lane) == 1:
            at = self._pointer(target, index.substitute({self.lane: 0}))
            self.code.add(f"  store {self.vector} {text}, ptr {at}, align 4")
            return
        for i in range(self.width):
            one = self.code.let(f"extractelement {self.vector} {text}, i64 {i}")
            at = self._pointer(target, index.substitute({self.lane: i}))
            self.code.add(f"  store float {one}, ptr {at}, align 4")

    def _store_some(self, statement: Store, text: str) -> None:
        """A vector of which only the lanes within bounds are written."""
        if self.lane is None or statement.index.coefficient(self.lane) != 1:
            raise InternalError(f"{self.kernel.name}: bounds on a store that is not a vector")
        kind = f"<{self.width} x i1>"
        mask = "poison"
        for i in range(self.width):
            tests = [self._bound(b.substitute({self.lane: i})) for b in statement.bounds]
            both = tests[0]
            for test in tests[1:]:
                both = self.code.pure(f"and i1 {both}, {test}")
            mask = self.code.let(f"insertelement {kind} {mask}, i1 {both}, i64 {i}")
        at = self._pointer(statement.target, statement.index.substitute({self.lane: 0}))
        name = f"@llvm.masked.store.v{self.width}f32.p0"
        self.declarations.add(f"declare void {name}({self.vector}, ptr, i32, {kind})")
        self.code.add(f"  call void {name}({self.vector} {text}, ptr {at}, i32 4, {kind} {mask})")


def _changed(body: tuple[Statement, ...]) -> frozenset[str]:
    """The registers that get a new value in some statements."""
    names: set[str] = set()
    for statement in body:
        match statement:
            case Declare(name) | Assign(name) | Combine(name):
                names.add(name)
            case Loop(_, _, inner):
                names |= _changed(inner)
            case When(_, inner, otherwise):
                names |= _changed(inner) | _changed(otherwise)
    return frozenset(names)
