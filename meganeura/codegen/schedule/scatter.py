"""Rows added to the rows of a table that they name: in their order, by columns.

No two tasks write to one place, and the order of every sum is that of the rows, so results are
always the same, and no atomic is needed.
"""

from __future__ import annotations

from ...kernel.archetype import Scatter
from ...kernel.element import apply, as_index, held, load, number
from ...kernel.index import Bound, Index, Var, of
from ...kernel.target import Target
from ..loops import GRID, LANES, Assign, Declare, Loop, Statement, Store
from .common import by_vectors, nested

COLUMNS = 64
"""Columns of a task: whole cache lines."""


def schedule_scatter(kernel: Scatter, target: Target, result: int) -> Loop:
    """Loops that write buffer ``result``."""
    by = _by_target if target.idle_lanes else _by_row
    return by(kernel, target, result)


def _by_row(kernel: Scatter, target: Target, result: int) -> Loop:
    """A task is some columns of the whole table: zeros, then the rows one after another."""
    task = Var("task", -(-kernel.columns // COLUMNS))
    first = of(task) * COLUMNS
    at_once = min(COLUMNS, kernel.columns)
    stop = None if kernel.columns % at_once == 0 else first * -1 + kernel.columns
    into, row, column = (
        Var("into", kernel.targets),
        Var("r0", kernel.rows),
        Var("i0", kernel.columns),
    )

    def zero(position: Index, in_lanes: bool) -> list[Statement]:
        return [Store(result, of(into) * kernel.columns + first + position, number(0.0))]

    def add(position: Index, in_lanes: bool) -> list[Statement]:
        named = as_index(kernel.target, kernel.targets)
        place = named * kernel.columns + first + position
        value = kernel.element.substitute({column: first + position})
        return [Store(result, place, apply(lambda a, b: a + b, load(result, place), value))]

    zeros = nested((into,), by_vectors(at_once, target.lanes, "z", zero, stop))
    rows = nested((row,), by_vectors(at_once, target.lanes, "c", add, stop))
    return Loop(task, GRID, (*zeros, *rows))


def _by_target(kernel: Scatter, target: Target, result: int) -> Loop:
    """A lane is one place of the table, and looks for the rows that name it."""
    size = kernel.targets * kernel.columns
    task, lane = Var("task", -(-size // target.lanes)), Var("lane", target.lanes)
    row, column = Var("r0", kernel.rows), Var("i0", kernel.columns)
    place = of(task) * target.lanes + of(lane)
    stop = None if size % target.lanes == 0 else of(task) * -target.lanes + size
    named = as_index(kernel.target, kernel.targets) - place // kernel.columns
    value = kernel.element.substitute({column: place % kernel.columns}).within(Bound(named, 0, 1))
    total = apply(lambda a, b: a + b, held("sum"), value)
    return Loop(
        task,
        GRID,
        (
            Declare("sum", 0.0, lanes=True),
            *nested((row,), [Loop(lane, LANES, (Assign("sum", total),), stop)]),
            Loop(lane, LANES, (Store(result, place, held("sum")),), stop),
        ),
    )
