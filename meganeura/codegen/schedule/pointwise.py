"""Pointwise kernels: rows of vectors, as long as the reads allow."""

from __future__ import annotations

from math import prod

from ...kernel.archetype import ANY_LENGTH, Pointwise, Stream, axes
from ...kernel.element import Element
from ...kernel.index import Index, Var, fetch, flat, of
from ...kernel.merge import merge_axes
from ..loops import GRID, Loop, Statement, Store
from .common import TASK_ELEMENTS, by_vectors, grid_of_rows, rows_per_task


def schedule_pointwise(kernel: Pointwise, lanes: int, target: int) -> Loop:
    """Loops that write buffer ``target``, whose elements lie in row-major order."""
    variables, (element,) = merge_axes(axes(kernel.shape), [kernel.element], "m")
    if not variables:
        return Loop(Var("task", 1), GRID, (Store(target, Index(), element),))
    *outer, inner = variables
    if inner.extent > TASK_ELEMENTS:
        return _by_chunks(outer, inner, element, lanes, target)
    per_task = rows_per_task(prod(axis.extent for axis in outer), inner.extent)

    def row(places: dict[Var, Index]) -> list[Statement]:
        start = flat([places[a] for a in outer], [a.extent for a in outer]) * inner.extent
        here = element.substitute(dict(places))

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            return [Store(target, start + position, here.substitute({inner: position}))]

        return by_vectors(inner.extent, lanes, "c", at)

    return grid_of_rows(outer, per_task, row)


def schedule_stream(kernel: Stream, lanes: int, target: int, length: int) -> Loop:
    """Loops over a row whose length is the first number in buffer ``length``."""
    inner = Var("i0", ANY_LENGTH)
    task = Var("task", -(-ANY_LENGTH // TASK_ELEMENTS))
    first = of(task) * TASK_ELEMENTS
    stop = fetch(length, Index(), ANY_LENGTH) - first

    def at(position: Index, in_lanes: bool) -> list[Statement]:
        value = kernel.element.substitute({inner: first + position})
        return [Store(target, first + position, value)]

    return Loop(task, GRID, tuple(by_vectors(TASK_ELEMENTS, lanes, "c", at, stop)))


def _by_chunks(outer: list[Var], inner: Var, element: Element, lanes: int, target: int) -> Loop:
    """Rows too long for one task, cut into pieces."""
    chunk = Var("chunk", -(-inner.extent // TASK_ELEMENTS))

    def piece(places: dict[Var, Index]) -> list[Statement]:
        row = flat([places[a] for a in outer], [a.extent for a in outer])
        first = places[chunk] * TASK_ELEMENTS
        here = element.substitute({a: places[a] for a in outer})

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            column = first + position
            value = here.substitute({inner: column})
            return [Store(target, row * inner.extent + column, value)]

        whole = inner.extent % TASK_ELEMENTS == 0
        stop = None if whole else first * -1 + inner.extent
        return by_vectors(TASK_ELEMENTS, lanes, "c", at, stop)

    return grid_of_rows([*outer, chunk], 1, piece)
