"""Reductions: along the columns by vectors, or across neighbouring rows, whichever reads memory in
its order. The order of every sum is fixed by the problem's size alone."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ...kernel.archetype import Reduction, Stage, axes
from ...kernel.element import Element, Register, apply, held
from ...kernel.index import Index, Var, flat, of
from ...kernel.merge import merge_axes
from ...scalar.expr import Expr, maximum
from ..loops import GRID, LANES, SERIAL, UNROLL, Assign, Combine, Declare, Loop, Statement, Store
from .common import by_vectors, contiguous_loads, grid_of_rows, rows_per_task

FIRST = {"sum": 0.0, "max": float("-inf")}
MERGE: dict[str, Callable[[Expr, Expr], Expr]] = {"sum": lambda a, b: a + b, "max": maximum}
CHAINS = 4
"""Independent sums under way in one row, to hide the latency of an addition."""


def schedule_reduction(kernel: Reduction, lanes: int, target: int) -> Loop:
    """Loops that write buffer ``target``, whose elements lie in row-major order."""
    rows, columns = axes(kernel.rows), axes(kernel.columns, "r")
    rows, elements = merge_axes(rows, kernel.elements(), "m")
    columns, elements = merge_axes(columns, elements, "n")
    stages = [Stage(s.combine, e) for s, e in zip(kernel.stages, elements, strict=False)]
    plan = _Rows(rows, columns, stages, elements[-1], kernel.spread, lanes, target)
    return plan.across() if plan.is_better_across() else plan.along()


class _Rows:
    """One reduction to be scheduled, its axes merged."""

    def __init__(
        self,
        rows: list[Var],
        columns: list[Var],
        stages: list[Stage],
        result: Element,
        spread: bool,
        lanes: int,
        target: int,
    ) -> None:
        self.rows, self.columns = rows, columns
        self.stages, self.result, self.spread = stages, result, spread
        self.lanes, self.target = lanes, target

    def is_better_across(self) -> bool:
        """Whether neighbouring rows, not neighbouring columns, lie next to each other."""
        if not self.rows or self.spread:
            return False
        elements = [stage.element for stage in self.stages]
        across = contiguous_loads(elements, self.rows[-1])
        return across > contiguous_loads(elements, self.columns[-1])

    # Along the columns

    def along(self) -> Loop:
        """Each row by vectors along its last axis."""
        size = prod(axis.extent for axis in self.columns)
        per_task = rows_per_task(prod(axis.extent for axis in self.rows), size)
        if not self.rows:
            return Loop(Var("task", 1), GRID, tuple(self._row({})))
        return grid_of_rows(self.rows, per_task, self._row)

    def _row(self, places: dict[Var, Index]) -> list[Statement]:
        statements: list[Statement] = []
        for i, stage in enumerate(self.stages):
            element = stage.element.substitute(dict(places))
            statements += self._stage(f"s{i}", stage.combine, element)
        row = flat([places[a] for a in self.rows], [a.extent for a in self.rows])
        result = self.result.substitute(dict(places))
        if not self.spread:
            return [*statements, Store(self.target, row, result)]
        size = prod(axis.extent for axis in self.columns)

        def store(at: dict[Var, Index], in_lanes: bool) -> list[Statement]:
            column = flat([at[a] for a in self.columns], [a.extent for a in self.columns])
            return [Store(self.target, row * size + column, result.substitute(dict(at)))]

        return [*statements, *self._each_column("w", store)]

    def _stage(self, name: str, combine: str, element: Element) -> list[Statement]:
        """Vector sums along the row in several chains, then over lanes, then the odd ones."""
        inner = self.columns[-1].extent
        blocks = inner // self.lanes
        chains = CHAINS if blocks >= 2 * CHAINS and blocks % CHAINS == 0 else 1
        vector, total = f"{name}v", name
        merge = MERGE[combine]
        statements: list[Statement] = [Declare(total, FIRST[combine])]
        if blocks:
            statements.append(Declare(vector, FIRST[combine], lanes=True, shape=(chains,)))

        def add(at: dict[Var, Index], in_lanes: bool) -> list[Statement]:
            value = element.substitute(dict(at))
            if not in_lanes:
                return [Assign(total, apply(merge, held(total), value))]
            return [Assign(vector, apply(merge, held(vector, (Index(),)), value), (Index(),))]

        if chains == 1:
            statements += self._each_column(name, add)
            merged = [Index()] if blocks else []
        else:
            statements += self._in_chains(name, vector, chains, merge, element)
            statements += self._each_column(name, add, tail_only=True)
            merged = [Index(i) for i in range(chains)]
        for place in merged:
            part = f"{name}p"
            statements.append(Declare(part, 0.0))
            statements.append(Combine(part, combine, Register(vector, (place,))))
            statements.append(Assign(total, apply(merge, held(total), held(part))))
        return statements

    def _in_chains(
        self,
        name: str,
        vector: str,
        chains: int,
        merge: Callable[[Expr, Expr], Expr],
        element: Element,
    ) -> list[Statement]:
        *outer, inner = self.columns
        blocks = inner.extent // self.lanes // chains
        block, chain = Var(f"{name}b", blocks), Var(f"{name}c", chains)
        lane = Var(f"{name}l", self.lanes)
        column = (of(block) * chains + of(chain)) * self.lanes + of(lane)
        place = (of(chain),)
        value = element.substitute({inner: column})
        step = Assign(vector, apply(merge, held(vector, place), value), place)
        body: Statement = Loop(chain, UNROLL, (Loop(lane, LANES, (step,)),))
        body = Loop(block, SERIAL, (body,))
        for axis in reversed(outer):
            body = Loop(axis, SERIAL, (body,))
        return [body]

    def _each_column(
        self,
        name: str,
        body: Callable[[dict[Var, Index], bool], list[Statement]],
        tail_only: bool = False,
    ) -> list[Statement]:
        """``body`` at every column: serial outer axes, the last by vectors."""
        *outer, inner = self.columns

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            return body({**{a: of(a) for a in outer}, inner: position}, in_lanes)

        statements = by_vectors(inner.extent, self.lanes, name, at)
        if tail_only:
            statements = statements[1:] if inner.extent >= self.lanes else statements
        for axis in reversed(outer):
            statements = [Loop(axis, SERIAL, tuple(statements))] if statements else []
        return statements

    # Across the rows

    def across(self) -> Loop:
        """Neighbouring rows in the lanes of a vector; every column of them one after another."""
        *outer, last = self.rows
        size = prod(axis.extent for axis in self.columns)
        blocks = -(-last.extent // self.lanes)
        block = Var("block", blocks)
        per_task = rows_per_task(prod(a.extent for a in outer) * blocks, size * self.lanes)

        def rows(places: dict[Var, Index]) -> list[Statement]:
            before = {axis: places[axis] for axis in outer}
            first = places[block] * self.lanes
            stop = None if last.extent % self.lanes == 0 else first * -1 + last.extent
            start = flat([before[a] for a in outer], [a.extent for a in outer]) * last.extent

            def some(position: Index, in_lanes: bool) -> list[Statement]:
                at = {**before, last: first + position}
                return self._column_sums(at, start + first + position, in_lanes)

            return by_vectors(self.lanes, self.lanes, "x", some, stop)

        return grid_of_rows([*outer, block], per_task, rows)

    def _column_sums(self, at: dict[Var, Index], where: Index, in_lanes: bool) -> list[Statement]:
        statements: list[Statement] = []
        suffix = "x" if in_lanes else "y"
        rename = {f"s{i}": f"s{i}{suffix}" for i in range(len(self.stages))}
        for i, stage in enumerate(self.stages):
            name = f"s{i}{suffix}"
            value = _renamed(stage.element.substitute(dict(at)), rename)
            body: Statement = Assign(name, apply(MERGE[stage.combine], held(name), value))
            for axis in reversed(self.columns):
                body = Loop(axis, SERIAL, (body,))
            statements += [Declare(name, FIRST[stage.combine], lanes=in_lanes), body]
        result = _renamed(self.result.substitute(dict(at)), rename)
        return [*statements, Store(self.target, where, result)]


def _renamed(element: Element, names: dict[str, str]) -> Element:
    reads = tuple(
        Register(names.get(r.name, r.name), r.place) if isinstance(r, Register) else r
        for r in element.reads
    )
    return Element(element.body, reads)
