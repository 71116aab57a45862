"""Items of layers, drawn together: each moves to where its edges are shortest.

In:  layers, and the middle of each item.   Out: middles with shorter edges.

What stands in one line along an edge moves as one, and so does a trunk; so straight edges stay
straight. A move never brings neighbours of a row closer than they may be.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf
from statistics import median

from .coordinates import Apart
from .layers import Layers

_SAME = 0.5
"""Places that are taken to be in one line."""
_ROUNDS = 40
_THIN = 14
"""As many edges as may be bent together, where what is below is shifted."""
_SECTION = 10
"""Rows that are shifted alike, at least."""
_DRIFT = 240.0
"""How far from the middle a section may be."""


def drawn_together(layers: Layers, middles: list[float], apart: Apart) -> list[float]:
    """Places from left to right with shorter edges, in the same order."""
    places = list(middles)
    bounds = _bounds(layers, apart)
    centre = median(places[: layers.boxes])
    for number in range(_ROUNDS):
        lines = _lines(layers, places, only_trunks=number % 3 == 2)
        moved = [_move(layers, places, bounds, line, centre) for line in _walked(lines, number)]
        if max(moved, default=0.0) < _SAME:
            break
    return places


Bounds = list[tuple[int, float, int, float]]
"""For each item its neighbours in the row, −1 if there is none, and how far they must be: left,
then right."""


def _bounds(layers: Layers, apart: Apart) -> Bounds:
    bounds: Bounds = [(-1, 0.0, -1, 0.0)] * len(layers.up)
    for row in layers.rows:
        gaps = [0.0, *(apart(a, b) for a, b in pairwise(row)), 0.0]
        padded = [-1, *row, -1]
        for i, item in enumerate(row):
            bounds[item] = (padded[i], gaps[i], padded[i + 2], gaps[i + 1])
    return bounds


def _lines(layers: Layers, places: list[float], only_trunks: bool) -> list[list[int]]:
    """Items that move as one."""
    root = list(range(len(places)))

    def find(item: int) -> int:
        while root[item] != item:
            root[item] = root[root[item]]
            item = root[item]
        return item

    for item, above in enumerate(layers.up):
        for other in above:
            inner = layers.is_bend(item) and layers.is_bend(other)
            if (inner or not only_trunks) and abs(places[item] - places[other]) < _SAME:
                root[find(item)] = find(other)
    lines: dict[int, list[int]] = {}
    for item in range(len(places)):
        lines.setdefault(find(item), []).append(item)
    return list(lines.values())


def _walked(lines: list[list[int]], number: int) -> list[list[int]]:
    """Downwards and upwards in turn, so that a pull reaches far in one round."""
    return lines[::-1] if number % 2 else lines


def _move(
    layers: Layers, places: list[float], bounds: Bounds, line: list[int], centre: float
) -> float:
    """Move a line as near to the middle of what it is joined to as its neighbours let it."""
    inside = set(line)
    pulls = sorted(
        places[other]
        for item in line
        for other in (*layers.up[item], *layers.down[item])
        if other not in inside
    )
    if not pulls:
        return 0.0
    here = places[line[0]]
    low, high = pulls[(len(pulls) - 1) // 2], pulls[len(pulls) // 2]
    wanted = min(max(centre, low), high)
    least, most = -inf, inf
    for item in line:
        left, left_gap, right, right_gap = bounds[item]
        if left >= 0:
            least = max(least, places[left] + left_gap - (places[item] - here))
        if right >= 0:
            most = min(most, places[right] - right_gap - (places[item] - here))
    by = min(max(wanted, least), most) - here
    for item in line:
        places[item] += by
    return abs(by)


def recentred(layers: Layers, middles: list[float]) -> list[float]:
    """A drawing that does not drift to a side: where few edges go down, what is below them is
    shifted back to under the beginning."""
    places = list(middles)
    cuts = _cuts(layers)
    target: float | None = None
    shift = 0.0
    for start, end in pairwise(cuts):
        items = [item for row in layers.rows[start:end] for item in row]
        ends = [places[item] for item in items]
        centre = (min(ends) + max(ends)) / 2
        target = centre if target is None else target
        if abs(centre + shift - target) > _DRIFT:
            shift = target - centre
        for item in items:
            places[item] += shift
    return places


def _cuts(layers: Layers) -> list[int]:
    """The first rows of sections."""
    cuts = [0]
    for number, row in enumerate(layers.rows):
        crossing = sum(len(layers.up[item]) for item in row)
        if crossing <= _THIN and number - cuts[-1] >= _SECTION:
            cuts.append(number)
    return [*cuts, len(layers.rows)]
