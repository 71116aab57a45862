"""Pointwise kernels: rows of vectors, as long as the reads allow."""

from __future__ import annotations

from math import prod

from ...kernel.archetype import ANY_LENGTH, Pointwise, Stream, axes
from ...kernel.element import Element
from ...kernel.index import Index, Var, fetch, flat, of
from ...kernel.merge import flatten_axes, merge_axes
from ...kernel.target import Target
from ..loops import GRID, Loop, Statement, Store
from .common import by_vectors, contiguous_loads, grid_of_rows, rows_per_task

TURNED_ELEMENTS = 512
"""Elements of a vector loop that writes apart: their cache lines are written again by the next."""


def schedule_pointwise(kernel: Pointwise, target: Target, result: int) -> Loop:
    """Loops that write buffer ``result``, whose elements lie in row-major order."""
    variables, (element,) = merge_axes(axes(kernel.shape), [kernel.element], "m")
    if not variables:
        return Loop(Var("task", 1), GRID, (Store(result, Index(), element),))
    if target.idle_lanes:
        whole, (element,) = flatten_axes(variables, [element], "at")
        return _by_chunks([], whole, element, target, result)
    lane_axis = _lane_axis(variables, element, target.lanes)
    if lane_axis is not variables[-1]:
        return _turned(variables, lane_axis, element, target, result)
    *outer, inner = variables
    if inner.extent > target.task_elements:
        return _by_chunks(outer, inner, element, target, result)
    per_task = rows_per_task(prod(axis.extent for axis in outer), inner.extent, target)

    def row(places: dict[Var, Index]) -> list[Statement]:
        start = flat([places[a] for a in outer], [a.extent for a in outer]) * inner.extent
        here = element.substitute(dict(places))

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            return [Store(result, start + position, here.substitute({inner: position}))]

        return by_vectors(inner.extent, target.lanes, "c", at)

    return grid_of_rows(outer, per_task, row)


def _lane_axis(variables: list[Var], element: Element, lanes: int) -> Var:
    """The axis along which most is read in its order: the last, unless another reads more so."""
    long = [var for var in variables if var.extent >= lanes]
    last = variables[-1]
    best = max(reversed(long), key=lambda var: contiguous_loads([element], var), default=last)
    if contiguous_loads([element], best) > contiguous_loads([element], last):
        return best
    return last if last.extent >= lanes or not long else long[-1]


def _turned(
    variables: list[Var], lane_axis: Var, element: Element, target: Target, result: int
) -> Loop:
    """Vectors along an axis that is not the last: read in order, and written apart."""
    others = [var for var in variables if var is not lane_axis]
    shape = [var.extent for var in variables]
    chunk = Var("chunk", -(-lane_axis.extent // TURNED_ELEMENTS))
    at_once = min(lane_axis.extent, TURNED_ELEMENTS)
    place = variables.index(lane_axis)
    order = [*others[:place], chunk, *others[place:]]

    def row(places: dict[Var, Index]) -> list[Statement]:
        here = element.substitute({var: places[var] for var in others})
        first = places[chunk] * TURNED_ELEMENTS

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            full = {**places, lane_axis: first + position}
            index = flat([full[var] for var in variables], shape)
            return [Store(result, index, here.substitute({lane_axis: first + position}))]

        whole = lane_axis.extent % at_once == 0
        stop = None if whole else first * -1 + lane_axis.extent
        return by_vectors(at_once, target.lanes, "c", at, stop)

    return grid_of_rows(order, rows_per_task(prod(v.extent for v in order), at_once, target), row)


def schedule_stream(kernel: Stream, target: Target, result: int, length: int) -> Loop:
    """Loops over a row whose length is the first number in buffer ``length``."""
    inner = Var("i0", ANY_LENGTH)
    task = Var("task", -(-ANY_LENGTH // target.task_elements))
    first = of(task) * target.task_elements
    stop = fetch(length, Index(), ANY_LENGTH) - first

    def at(position: Index, in_lanes: bool) -> list[Statement]:
        value = kernel.element.substitute({inner: first + position})
        return [Store(result, first + position, value)]

    chunk = by_vectors(target.task_elements, target.lanes, "c", at, stop, target.idle_lanes)
    return Loop(task, GRID, tuple(chunk))


def _by_chunks(outer: list[Var], inner: Var, element: Element, target: Target, result: int) -> Loop:
    """Rows too long for one task, cut into pieces."""
    at_once = min(inner.extent, target.task_elements)
    chunk = Var("chunk", -(-inner.extent // at_once))

    def piece(places: dict[Var, Index]) -> list[Statement]:
        row = flat([places[a] for a in outer], [a.extent for a in outer])
        first = places[chunk] * at_once
        here = element.substitute({a: places[a] for a in outer})

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            column = first + position
            value = here.substitute({inner: column})
            return [Store(result, row * inner.extent + column, value)]

        whole = inner.extent % at_once == 0
        stop = None if whole else first * -1 + inner.extent
        return by_vectors(at_once, target.lanes, "c", at, stop, target.idle_lanes)

    return grid_of_rows([*outer, chunk], 1, piece)
