"""What schedules share: loops over a row by whole vectors and a rest, grids of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from ...kernel.element import Element, Load
from ...kernel.index import Bound, Index, Var, of
from ..loops import GRID, LANES, SERIAL, Loop, Statement, When

TASK_ELEMENTS = 8192
"""Elements of a task: enough that handing it out costs nothing, few enough to stay in L1."""


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


def nested(order: Sequence[Var], body: Sequence[Statement]) -> list[Statement]:
    """Serial loops around a body, the first variable outermost."""
    for var in reversed(order):
        body = [Loop(var, SERIAL, tuple(body))]
    return list(body)


def rows_per_task(rows: int, row_elements: int) -> int:
    """How many rows one task takes."""
    return max(1, min(rows, TASK_ELEMENTS // max(row_elements, 1)))


def grid_of_rows(
    axes: list[Var], per_task: int, body: Callable[[dict[Var, Index]], list[Statement]]
) -> Loop:
    """A grid over groups of rows; ``body`` gets the place of each row along its axes.

    The last axes, as many as fit a task, are loops of their own; only what is left is one number
    that must be taken apart again."""
    inner: list[Var] = []
    while axes and prod(a.extent for a in inner) * axes[-1].extent <= per_task:
        inner.insert(0, axes[-1])
        axes = axes[:-1]
    group = max(1, per_task // prod(a.extent for a in inner))
    rows = prod(axis.extent for axis in axes)
    group = min(group, rows)
    task, row = Var("task", -(-rows // group)), Var("row", group)
    places = dict(zip(inner, map(of, inner), strict=True))
    rest = of(task) * group + of(row)
    for axis in reversed(axes[1:]):
        places[axis] = rest % axis.extent
        rest = rest // axis.extent
    if axes:
        places[axes[0]] = rest
    statements = body(places)
    for axis in reversed(inner):
        statements = [Loop(axis, SERIAL, tuple(statements))]
    if group == 1:  # a variable with one value is in no index
        return Loop(task, GRID, tuple(statements))
    stop = None if rows % group == 0 else of(task) * -group + rows
    return Loop(task, GRID, (Loop(row, SERIAL, tuple(statements), stop),))
