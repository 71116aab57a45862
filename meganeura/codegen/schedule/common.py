"""What schedules share: merging axes, loops over a row by whole vectors and a rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod

from ...kernel.element import Element, Load, Position, Read, Test, indices
from ...kernel.index import Bound, Index, Var, of
from ..loops import GRID, LANES, SERIAL, Loop, Statement, When

TASK_ELEMENTS = 8192
"""Elements of a task: enough that handing it out costs nothing, few enough to stay in L1."""


def merge_axes(
    axes: list[Var], elements: list[Element], prefix: str
) -> tuple[list[Var], list[Element]]:
    """Neighbouring axes that every read walks evenly, run as one."""
    i = 0
    while i + 1 < len(axes):
        outer, inner = axes[i], axes[i + 1]
        both = Var(f"{prefix}{i}_{outer.name}{inner.name}", outer.extent * inner.extent)
        merged = [merge_element(element, outer, inner, both) for element in elements]
        if any(element is None for element in merged):
            i += 1
        else:
            axes = [*axes[:i], both, *axes[i + 2 :]]
            elements = [element for element in merged if element is not None]
            i = max(i - 1, 0)
    return axes, elements


def merge_element(element: Element, outer: Var, inner: Var, both: Var) -> Element | None:
    """An element with two variables run as one, if all its reads allow it."""
    reads: list[Read] = []
    for read in element.reads:
        merged = [index.merged(outer, inner, both) for index in indices(read)]
        if any(index is None for index in merged):
            return None
        kept = [index for index in merged if index is not None]
        match read:
            case Load(source, _, bounds):
                new = zip(bounds, kept[1:], strict=True)
                reads.append(Load(source, kept[0], tuple(replace(b, index=i) for b, i in new)))
            case Position():
                reads.append(Position(kept[0]))
            case Test(bound):
                reads.append(Test(replace(bound, index=kept[0])))
            case _:
                reads.append(read)
    return replace(element, reads=tuple(reads))


def contiguous_loads(elements: list[Element], var: Var) -> int:
    """How many loads take neighbours where ``var`` does, less those that take scattered ones."""
    score = 0
    for element in elements:
        for read in element.reads:
            if isinstance(read, Load):
                step = read.index.coefficient(var)
                score += {1: 1, 0: 0}.get(step if step is not None else 2, -1)
    return score


def by_vectors(
    length: int,
    lanes: int,
    name: str,
    body: Callable[[Index, bool], list[Statement]],
    stop: Index | None = None,
) -> list[Statement]:
    """``body(position, in_lanes)`` for positions 0 … length−1: by whole vectors, then one by one.

    With ``stop`` (at least 0) only for positions below it; it must be a multiple of ``lanes``, or
    below ``length``."""
    statements: list[Statement] = []
    blocks, rest = divmod(length, lanes)
    if blocks:
        block, lane = Var(f"{name}v", blocks), Var(f"{name}l", lanes)
        inner = Loop(lane, LANES, tuple(body(of(block) * lanes + of(lane), True)))
        limit = None if stop is None else stop // lanes
        statements.append(Loop(block, SERIAL, (inner,), limit))
    if stop is not None:
        one = Var(f"{name}t", lanes - 1)
        tail = body((stop // lanes) * lanes + of(one), False)
        rest_loop = Loop(one, SERIAL, tuple(tail), stop % lanes)
        statements.append(When(Bound(stop, 0, length), (rest_loop,)))
    elif rest:
        one = Var(f"{name}t", rest)
        statements.append(Loop(one, SERIAL, tuple(body(of(one) + blocks * lanes, False))))
    return statements


def rows_per_task(rows: int, row_elements: int) -> int:
    """How many rows one task takes."""
    return max(1, min(rows, TASK_ELEMENTS // max(row_elements, 1)))


def grid_of_rows(
    axes: list[Var], per_task: int, body: Callable[[dict[Var, Index]], list[Statement]]
) -> Loop:
    """A grid over groups of rows; ``body`` gets the place of each row along its axes."""
    rows = prod(axis.extent for axis in axes)
    tasks = -(-rows // per_task)
    task, row = Var("task", tasks), Var("row", per_task)
    number = of(task) * per_task + of(row)
    places: dict[Var, Index] = {}
    rest = number
    for axis in reversed(axes[1:]):
        places[axis] = rest % axis.extent
        rest = rest // axis.extent
    if axes:
        places[axes[0]] = rest
    inner = tuple(body(places))
    if per_task == 1:  # a variable with one value is in no index
        return Loop(task, GRID, inner)
    stop = None if rows % per_task == 0 else of(task) * -per_task + rows
    return Loop(task, GRID, (Loop(row, SERIAL, inner, stop),))
