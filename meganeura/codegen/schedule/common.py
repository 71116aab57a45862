"""What schedules share: loops over a row by whole vectors and a rest, grids of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from ...kernel.conv import SUM, Blocks, Convolution
from ...kernel.element import Element, Load, Register, in_place_of, number
from ...kernel.index import Bound, Index, Var, of
from ...kernel.target import LINE_ELEMENTS, Target
from ..loops import GRID, LANES, SERIAL, Loop, Place, Prefetch, Statement, Store, When


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
    idle_lanes: bool = False,
) -> list[Statement]:
    """``body(position, in_lanes)`` for positions 0 … length−1: by whole vectors, then one by one,
    or with ``idle_lanes`` by one more vector.

    With ``stop`` (at least 0) only for positions below it; it must be a multiple of ``lanes``, or
    below ``length``."""
    if idle_lanes:
        return _with_idle_lanes(length, lanes, name, body, stop)
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


def _with_idle_lanes(
    length: int,
    lanes: int,
    name: str,
    body: Callable[[Index, bool], list[Statement]],
    stop: Index | None,
) -> list[Statement]:
    block, lane = Var(f"{name}v", -(-length // lanes)), Var(f"{name}l", lanes)
    first = of(block) * lanes
    whole = stop is None and length % lanes == 0
    limit = None if whole else (Index(length) if stop is None else stop) - first
    blocks = None if stop is None else (stop + (lanes - 1)) // lanes
    inner = Loop(lane, LANES, tuple(body(first + of(lane), True)), limit)
    return [inner] if block.extent == 1 else [Loop(block, SERIAL, (inner,), blocks)]


def nested(order: Sequence[Var], body: Sequence[Statement]) -> list[Statement]:
    """Serial loops around a body, the first variable outermost."""
    for var in reversed(order):
        body = [Loop(var, SERIAL, tuple(body))]
    return list(body)


def in_parts(
    total: int, size: int, name: str, body: Callable[[Index, int], list[Statement]]
) -> list[Statement]:
    """A body for each part of ``size`` things, and for what is left of ``total``: it gets the
    part's number, and how many there are in it."""
    count, rest = divmod(total, size)
    part = Var(name, count)
    whole = nested((part,), body(of(part), size)) if count else []
    return [*whole, *(body(Index(count), rest) if rest else [])]


def zeros(buffer: int, start: Index, count: int, lanes: int) -> list[Statement]:
    """Zeros in neighbouring places of a buffer."""
    if count <= 0:
        return []

    def zero(position: Index, in_lanes: bool) -> list[Statement]:
        return [Store(buffer, start + position, number(0.0))]

    return by_vectors(count, lanes, "z", zero)


def prefetch_row(element: Element, along: Var) -> list[Statement]:
    """A row of what an element reads brought near: of each load a place on every line."""
    loads = [read for read in element.reads if isinstance(read, Load)]
    rows = [read for read in loads if read.index.coefficient(along) == 1]
    places = [
        Place(read.source, read.index.substitute({along: k}))
        for read in rows
        for k in range(0, along.extent, LINE_ELEMENTS)
    ]
    return [Prefetch(place) for place in dict.fromkeys(places)]


def by_size(blocks: Blocks, block: Index, statement: Callable[[int], Statement]) -> list[Statement]:
    """A statement for a block of the size that it has."""
    full, size = statement(blocks.size), blocks.size_of(block)
    if size is None:
        return [full]
    is_full = Bound(size, blocks.size, blocks.size + 1)
    return [When(is_full, (full,), (statement(blocks.size - 1),))]


def when_all(
    bounds: list[Bound], yes: list[Statement], otherwise: list[Statement]
) -> list[Statement]:
    """One body where all bounds hold, another where not."""
    for bound in reversed(bounds):
        yes = [When(bound, tuple(yes), tuple(otherwise))]
    return yes


def result_stores(
    kernel: Convolution, first: int, at: Sequence[Index], value: Element, bounds: Sequence[Bound]
) -> list[Statement]:
    """All results of a convolution at a place, given the sum there: to the buffers from ``first``
    on, where all bounds hold."""
    here = dict(zip(kernel.result_axes(), at, strict=True))
    stores: list[Statement] = []
    for i, element in enumerate(kernel.results):
        result = element.substitute(here)
        for bound in bounds:
            result = result.guarded(bound)
        result = in_place_of(Register(SUM), value, result)
        stores.append(Store(first + i, kernel.position(*at), result, tuple(bounds)))
    return stores


def rows_per_task(rows: int, row_elements: int, target: Target) -> int:
    """How many rows one task takes."""
    return max(1, min(rows, target.task_elements // max(row_elements, 1)))


Body = Callable[[dict[Var, Index]], list[Statement]]


def grid_of_rows(axes: list[Var], per_task: int, body: Body) -> Loop:
    """A grid over groups of rows; ``body`` gets the place of each row along its axes."""
    task = Var("task", tasks_of_rows(axes, per_task))
    return Loop(task, GRID, tuple(rows_of_task(axes, per_task, of(task), body)))


def _inner_axes(axes: list[Var], per_task: int) -> int:
    """How many of the last axes fit a task together."""
    count = 0
    while count < len(axes) and prod(a.extent for a in axes[-count - 1 :]) <= per_task:
        count += 1
    return count


def tasks_of_rows(axes: list[Var], per_task: int) -> int:
    """How many tasks rows make."""
    outer, group = _groups(axes, per_task)
    return -(-prod(axis.extent for axis in outer) // group)


def _groups(axes: list[Var], per_task: int) -> tuple[list[Var], int]:
    """The axes that are shared out among tasks, and how many of their rows a task takes."""
    count = _inner_axes(axes, per_task)
    outer = axes[: len(axes) - count]
    inner = prod(axis.extent for axis in axes[len(axes) - count :])
    rows = prod(axis.extent for axis in outer)
    most = min(max(1, per_task // inner), rows)
    # Tasks that are all alike need not ask where the rows end.
    return outer, next((n for n in range(most, most // 2, -1) if rows % n == 0), most)


def rows_of_task(axes: list[Var], per_task: int, task: Index, body: Body) -> list[Statement]:
    """The rows of one task.

    The last axes, as many as fit a task, are loops of their own; only what is left is one number
    that must be taken apart again."""
    outer, group = _groups(axes, per_task)
    inner = axes[len(outer) :]
    rows = prod(axis.extent for axis in outer)
    row = Var("row", group)
    places = dict(zip(inner, map(of, inner), strict=True))
    rest = task * group + of(row)
    for axis in reversed(outer[1:]):
        places[axis] = rest % axis.extent
        rest = rest // axis.extent
    if outer:
        places[outer[0]] = rest
    statements = nested(inner, body(places))
    if group == 1:  # a variable with one value is in no index
        return statements
    stop = None if rows % group == 0 else task * -group + rows
    return [Loop(row, SERIAL, tuple(statements), stop)]
