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
from ...kernel.element import Element, Register, apply, held, load
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
CHAINS = 4
"""Independent sums under way in one row, to hide the latency of an addition."""
ACROSS = 8
"""Vectors of neighbouring rows that are summed at once."""
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
        for i, stage in enumerate(self.stages):
            here = replace(stage, element=stage.element.substitute(dict(places)))
            statements += self._stage(f"s{i}", here, row)
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

    def _stage(self, name: str, stage: Stage, row: Index) -> list[Statement]:
        """Vector sums along the row in several chains, then over lanes, then the odd ones."""
        *outer, inner = self.columns
        rest = 0 if self.target.idle_lanes else inner.extent % self.lanes
        blocks = -(-(inner.extent - rest) // self.lanes)
        first, merge = FIRST[stage.combine], MERGE[stage.combine]
        statements: list[Statement] = []
        if rest:
            one = Var(f"{name}t", rest)

            def tail(at: Mapping[Var, Index]) -> list[Statement]:
                column = at[one] + (inner.extent - rest)
                return self._add(name, (), stage, row, {**at, inner: column}, in_lanes=False)

            register = Declare(name, first)
            statements += self._sum(stage, register, [*outer, one], tail, lambda make: [make(())])
        else:
            statements.append(Declare(name, first))
        if not blocks:
            return statements
        light = not self.target.idle_lanes and not stage.kept and cost(stage.element.body) <= LIGHT
        chains = CHAINS if light and blocks >= 2 * CHAINS and blocks % CHAINS == 0 else 1
        block, chain = Var(f"{name}b", blocks // chains), Var(f"{name}c", chains)
        lane, vector, part = Var(f"{name}l", self.lanes), f"{name}v", f"{name}p"
        is_whole = inner.extent % self.lanes == 0 or not self.target.idle_lanes

        def vectors(at: Mapping[Var, Index]) -> list[Statement]:
            start = (at[block] * chains + of(chain)) * self.lanes
            here = {**at, inner: start + of(lane)}
            body = self._add(vector, (of(chain),), stage, row, here, in_lanes=True)
            stop = None if is_whole else start * -1 + inner.extent
            return [Loop(chain, UNROLL, (Loop(lane, LANES, tuple(body), stop),))]

        def everywhere(make: Callable[[tuple[Index, ...]], Statement]) -> list[Statement]:
            return [Loop(chain, UNROLL, (Loop(lane, LANES, (make((of(chain),)),)),))]

        register = Declare(vector, first, lanes=True, shape=(chains,))
        statements += self._sum(stage, register, [*outer, block], vectors, everywhere)
        for place in range(1, chains):
            both = apply(merge, held(vector, (Index(),)), held(vector, (Index(place),)))
            statements.append(Loop(lane, LANES, (Assign(vector, both, (Index(),)),)))
        return [
            *statements,
            Declare(part, 0.0),
            Combine(part, stage.combine, Register(vector, (Index(),))),
            Assign(name, apply(merge, held(name), held(part))),
        ]

    def _add(
        self,
        register: str,
        place: tuple[Index, ...],
        stage: Stage,
        row: Index,
        at: Mapping[Var, Index],
        in_lanes: bool,
    ) -> list[Statement]:
        """A stage's term at a place of the row, to a register; and where it is kept."""
        value, keep = stage.element.substitute(at), list[Statement]()
        if stage.kept:
            one = f"{register}k"
            keep = [Declare(one, 0.0, lanes=in_lanes), Assign(one, value)]
            keep.append(Store(self.into, self._place(row, at), held(one)))
            value = held(one)
        both = apply(MERGE[stage.combine], held(register, place), value)
        return [*keep, Assign(register, both, place)]

    def _sum(
        self,
        stage: Stage,
        register: Declare,
        axes: Sequence[Var],
        body: Body,
        everywhere: Everywhere,
    ) -> list[Statement]:
        """A register with what ``body`` adds to it at all places of some axes."""
        if stage.combine == "sum":
            return cascade(register, axes, body, everywhere)
        return [register, *nested(axes, body({axis: of(axis) for axis in axes}))]

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
        for i, stage in enumerate(self.stages):
            name = f"s{i}{suffix}"

            def add(
                columns: Mapping[Var, Index], stage: Stage = stage, name: str = name
            ) -> list[Statement]:
                value = _renamed(stage.element.substitute({**at, **columns}), rename, place)
                merged = apply(MERGE[stage.combine], held(name, place), value)
                return each(Assign(name, merged, place))

            register = Declare(name, FIRST[stage.combine], bool(vectors), shape)
            statements += self._sum(
                stage, register, self.columns, add, lambda make: each(make(place))
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


def _renamed(element: Element, names: dict[str, str], place: tuple[Index, ...]) -> Element:
    reads = tuple(
        Register(names[r.name], place) if isinstance(r, Register) else r for r in element.reads
    )
    return Element(element.body, reads)
