"""Rows added to the rows of a table that they name: in their order, by columns.

A task is some columns of the whole table, so that no two tasks write to one place, and the order of
every sum is that of the rows.
"""

from __future__ import annotations

from ...kernel.archetype import Scatter
from ...kernel.element import apply, as_index, load, number
from ...kernel.index import Index, Var, of
from ..loops import GRID, Loop, Statement, Store
from .common import by_vectors, nested

COLUMNS = 64
"""Columns of a task: whole cache lines."""


def schedule_scatter(kernel: Scatter, lanes: int, target: int) -> Loop:
    """Loops that write buffer ``target``: zeros, then the rows one after another."""
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
        return [Store(target, of(into) * kernel.columns + first + position, number(0.0))]

    def add(position: Index, in_lanes: bool) -> list[Statement]:
        named = as_index(kernel.target, kernel.targets)
        place = named * kernel.columns + first + position
        value = kernel.element.substitute({column: first + position})
        return [Store(target, place, apply(lambda a, b: a + b, load(target, place), value))]

    zeros = nested((into,), by_vectors(at_once, lanes, "z", zero, stop))
    return Loop(task, GRID, (*zeros, *nested((row,), by_vectors(at_once, lanes, "c", add, stop))))
