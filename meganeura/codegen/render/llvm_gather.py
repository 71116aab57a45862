"""How the lanes of a vector read numbers that do not lie next to each other: in fewer loads than
there are lanes, if what they read lies in groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ...kernel.element import Element, Load
from ...kernel.index import Bound, Index, Var

APART = (2, 4)
"""Steps from lane to lane at which one wide load is better than a load for each lane."""
QUAD = 4
"""Neighbours that are loaded together for a lane, if the loop reads at least two of them."""

Row = tuple[int, Index, tuple[Bound, ...]]
"""Where numbers lie side by side: a buffer, a place but for a constant, and its bounds."""


def row_of(read: Load) -> Row:
    """The row that a load is of."""
    return read.source, read.index - read.index.constant, read.bounds


def rows_read(elements: Iterable[Element]) -> dict[Row, set[int]]:
    """What is read of each row."""
    rows: dict[Row, set[int]] = {}
    for element in elements:
        for read in element.reads:
            if isinstance(read, Load):
                rows.setdefault(row_of(read), set()).add(read.index.constant)
    return rows


def quad_of(read: Load, rows: dict[Row, set[int]]) -> int | None:
    """Where the four neighbours begin that this number is of, if others of them are read too."""
    constants, start = sorted(rows.get(row_of(read), ())), 0
    while start < len(constants):
        first = constants[start]
        inside = [c for c in constants if first <= c < first + QUAD]
        if read.index.constant in inside:
            return first if len(inside) >= 2 else None
        start += len(inside)
    return None


def groups_of(index: Index, lane: Var) -> tuple[list[range], int] | None:
    """Lanes in groups of which each reads numbers in even steps, if there are such: the largest,
    and the step. A group that reads backwards has its lanes in that order."""
    width = lane.extent
    places = [index.substitute({lane: i}) for i in range(width)]
    far = [place - places[0] for place in places]
    if any(distance.terms for distance in far):
        return None
    count = 2
    while count < width:
        size = width // count
        runs = [range(g * size, (g + 1) * size) for g in range(count)]
        turns = [range(g, width, count) for g in range(count)]
        for groups in (runs, turns):
            step = _even_step([distance.constant for distance in far], groups)
            if step == -1:
                return [lanes[::-1] for lanes in groups], 1
            if step is not None:
                return groups, step
        count *= 2
    return None


def _even_step(far: Sequence[int], groups: list[range]) -> int | None:
    steps = {far[b] - far[a] for lanes in groups for a, b in pairwise(lanes)}
    return steps.pop() if len(steps) == 1 and steps <= {1, -1, *APART} else None
