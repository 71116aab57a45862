"""Pointwise kernels: rows of vectors, as long as the reads allow. Several results are written one
after another at each place."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ...kernel.archetype import ANY_LENGTH, Pointwise, Stream, axes
from ...kernel.element import Element, Load
from ...kernel.index import Index, Var, fetch, flat, of
from ...kernel.merge import flatten_axes, merge_axes
from ...kernel.target import Target
from ...scalar.table import cost
from ..loops import GRID, Loop, Statement, Store
from .common import by_vectors, contiguous_loads, grid_of_rows, rows_per_task

SHORTEST = 4
"""Elements of a row that is read as a group."""
TURNED_AT_ONCE = (16, 4)
"""Neighbours that are read together where they are written apart: a line, if there is little to
compute, since each has code of its own; or what is turned at once."""
LIGHT = 3
"""Operations of an element that are little."""
TURNED_ELEMENTS = 512
"""Elements of a vector loop that writes apart: their cache lines are written again by the next."""


def schedule_pointwise(kernel: Pointwise, target: Target, result: int) -> tuple[Loop, int]:
    """Loops that write the buffers from ``result`` on, whose elements lie in row-major order; their
    lanes."""
    variables, elements = merge_axes(axes(kernel.shape), kernel.elements(), "m")
    variables = [var for var in variables if var.extent > 1]
    if not variables:
        one = Loop(Var("task", 1), GRID, tuple(_stores(result, Index(), elements, {})))
        return one, target.lanes
    if target.idle_lanes:
        whole, elements = flatten_axes(variables, elements, "at")
        return _by_chunks([], whole, elements, target, result), target.lanes
    if _reads_short_rows(variables, elements, min(target.widths())):
        *outer, some, few = variables
        both, elements = flatten_axes([some, few], elements, "both")
        variables = [*outer, both]
    *_, last = variables
    lane_axis = _lane_axis(variables, elements, min(target.widths()))
    light = sum(cost(element.body) for element in elements) <= LIGHT
    steps = TURNED_AT_ONCE if light else TURNED_AT_ONCE[1:]
    step = next((n for n in steps if lane_axis.extent % n == 0), None)
    if lane_axis is not last and step is not None and last.extent >= min(target.widths()):
        target = replace(target, lanes=target.lanes_along(last.extent))
        return _turned_in_squares(
            variables, lane_axis, step, elements, target, result
        ), target.lanes
    target = replace(target, lanes=target.lanes_along(lane_axis.extent))
    if lane_axis is not last:
        return _turned(variables, lane_axis, elements, target, result), target.lanes
    return _along_rows(variables, elements, target, result), target.lanes


def _along_rows(variables: list[Var], elements: list[Element], target: Target, result: int) -> Loop:
    """Vectors along the last axis."""
    *outer, inner = variables
    if inner.extent > target.task_elements:
        return _by_chunks(outer, inner, elements, target, result)
    per_task = rows_per_task(prod(axis.extent for axis in outer), inner.extent, target)

    def row(places: dict[Var, Index]) -> list[Statement]:
        start = flat([places[a] for a in outer], [a.extent for a in outer]) * inner.extent

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            return _stores(result, start + position, elements, {**places, inner: position})

        return by_vectors(inner.extent, target.lanes, "c", at)

    return grid_of_rows(outer, per_task, row)


def _stores(
    result: int, index: Index, elements: list[Element], at: dict[Var, Index]
) -> list[Statement]:
    """Every result at one place."""
    return [Store(result + i, index, element.substitute(at)) for i, element in enumerate(elements)]


def _reads_short_rows(variables: list[Var], elements: list[Element], lanes: int) -> bool:
    """Whether rows are shorter than a vector, and are read in their order or backwards: vectors of
    several are then read in groups."""
    *others, last = variables
    loads = [read for element in elements for read in element.reads if isinstance(read, Load)]
    steps = {read.index.coefficient(last) for read in loads}
    return bool(others) and SHORTEST <= last.extent < lanes and steps in ({1}, {-1})


def _lane_axis(variables: list[Var], elements: list[Element], lanes: int) -> Var:
    """The axis along which most is read in its order: the last, unless another reads more so."""
    long = [var for var in variables if var.extent >= lanes]
    last = variables[-1]
    best = max(reversed(long), key=lambda var: contiguous_loads(elements, var), default=last)
    if contiguous_loads(elements, best) > contiguous_loads(elements, last):
        return best
    return last if last.extent >= lanes or not long else long[-1]


def _turned_in_squares(
    variables: list[Var],
    read_axis: Var,
    step: int,
    elements: list[Element],
    target: Target,
    result: int,
) -> Loop:
    """Vectors along the last axis, where another is read in its order: some of its places together,
    so that lanes load neighbours, which can be turned."""
    *outer, last = variables
    block = Var("square", read_axis.extent // step)
    order = [block if var is read_axis else var for var in outer]
    shape = [var.extent for var in variables]

    def row(places: dict[Var, Index]) -> list[Statement]:
        def at(position: Index, in_lanes: bool) -> list[Statement]:
            stores: list[Statement] = []
            for k in range(step):
                full = {var: places[var] for var in outer if var is not read_axis}
                full |= {read_axis: places[block] * step + k, last: position}
                index = flat([full[var] for var in variables], shape)
                stores += _stores(result, index, elements, full)
            return stores

        return by_vectors(last.extent, target.lanes, "c", at)

    size = last.extent * step
    return grid_of_rows(order, rows_per_task(prod(v.extent for v in order), size, target), row)


def _turned(
    variables: list[Var], lane_axis: Var, elements: list[Element], target: Target, result: int
) -> Loop:
    """Vectors along an axis that is not the last: read in order, and written apart."""
    others = [var for var in variables if var is not lane_axis]
    shape = [var.extent for var in variables]
    chunk = Var("chunk", -(-lane_axis.extent // TURNED_ELEMENTS))
    at_once = min(lane_axis.extent, TURNED_ELEMENTS)
    place = variables.index(lane_axis)
    order = [*others[:place], chunk, *others[place:]]

    def row(places: dict[Var, Index]) -> list[Statement]:
        first = places[chunk] * TURNED_ELEMENTS

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            full = {**{var: places[var] for var in others}, lane_axis: first + position}
            index = flat([full[var] for var in variables], shape)
            return _stores(result, index, elements, full)

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
        return _stores(result, first + position, kernel.elements(), {inner: first + position})

    chunk = by_vectors(target.task_elements, target.lanes, "c", at, stop, target.idle_lanes)
    return Loop(task, GRID, tuple(chunk))


def _by_chunks(
    outer: list[Var], inner: Var, elements: list[Element], target: Target, result: int
) -> Loop:
    """Rows too long for one task, cut into pieces."""
    at_once = min(inner.extent, target.task_elements)
    chunk = Var("chunk", -(-inner.extent // at_once))

    def piece(places: dict[Var, Index]) -> list[Statement]:
        row = flat([places[a] for a in outer], [a.extent for a in outer])
        first = places[chunk] * at_once

        def at(position: Index, in_lanes: bool) -> list[Statement]:
            column = first + position
            full = {**{a: places[a] for a in outer}, inner: column}
            return _stores(result, row * inner.extent + column, elements, full)

        whole = inner.extent % at_once == 0
        stop = None if whole else first * -1 + inner.extent
        return by_vectors(at_once, target.lanes, "c", at, stop, target.idle_lanes)

    return grid_of_rows([*outer, chunk], 1, piece)
