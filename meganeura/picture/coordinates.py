"""Where the items of layers stand from left to right.

In:  layers with their order.   Out: the middle of each item.

Each item is aligned with the median of its neighbours in the next layer, in four ways: looking up
or down, and giving way to the left or to the right. A block of aligned items is vertical, and
trunks come first, so that long edges are straight. The four are averaged (Brandes & Köpf 2001).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from .layers import Layers

Apart = Callable[[int, int], float]
"""How far apart the middles of two neighbours of a row must be."""


def across(layers: Layers, apart: Apart) -> list[float]:
    """The middle of each item, from left to right."""
    blocked = _blocked(layers)
    found = [
        _aligned(layers, apart, blocked, upwards, mirrored)
        for upwards in (False, True)
        for mirrored in (False, True)
    ]
    narrowest = min(found, key=lambda xs: max(xs) - min(xs))
    low, high = min(narrowest), max(narrowest)
    for i, xs in enumerate(found):
        shift = high - max(xs) if i % 2 else low - min(xs)
        found[i] = [x + shift for x in xs]
    return [sum(sorted(four)[1:3]) / 2 for four in zip(*found, strict=True)]


def _blocked(layers: Layers) -> set[tuple[int, int]]:
    """Edges, as the upper and the lower item, along which nothing is aligned: they cross a trunk or
    leave it."""
    at = layers.positions()
    blocked = set()
    for row in layers.rows[1:]:
        before, scanned = 0, 0
        for i, item in enumerate(row):
            inner = _trunk_above(layers, item)
            if inner is None and i + 1 < len(row):
                continue
            after = at[inner] if inner is not None else len(at)
            for other in row[scanned : i + 1]:
                for above in layers.up[other]:
                    crosses = not before <= at[above] <= after
                    if _leaves_trunk(layers, above, other) or (
                        crosses and _trunk_above(layers, other) is None
                    ):
                        blocked.add((above, other))
            before, scanned = after, i + 1
    return blocked


def _trunk_above(layers: Layers, item: int) -> int | None:
    """The bend above a bend."""
    if not layers.is_bend(item):
        return None
    (above,) = layers.up[item]
    return above if layers.is_bend(above) else None


def _leaves_trunk(layers: Layers, above: int, item: int) -> bool:
    """Whether an edge branches off while its trunk goes on."""
    goes_on = any(layers.is_bend(below) for below in layers.down[above])
    return layers.is_bend(above) and not layers.is_bend(item) and goes_on


@dataclass
class _View:
    """Layers as one of the four ways sees them: rows in the order in which they are met."""

    rows: list[list[int]]
    near: list[list[int]]
    at: list[int]


def _aligned(
    layers: Layers, apart: Apart, blocked: set[tuple[int, int]], upwards: bool, mirrored: bool
) -> list[float]:
    rows = layers.rows[::-1] if upwards else layers.rows
    rows = [row[::-1] for row in rows] if mirrored else rows
    at = [0] * len(layers.up)
    for row in rows:
        for i, item in enumerate(row):
            at[item] = i
    view = _View(rows, layers.down if upwards else layers.up, at)
    roots = _blocks(view, lambda a, b: ((a, b) if upwards else (b, a)) in blocked)
    places = _compacted(view, roots, apart)
    return [-places[root] if mirrored else places[root] for root in roots]


def _blocks(view: _View, is_blocked: Callable[[int, int], bool]) -> list[int]:
    """For each item, the first of the block it is aligned with."""
    roots = list(range(len(view.at)))
    taken: set[int] = set()
    for row in view.rows:
        reached = -1
        for item in row:
            near = sorted(view.near[item], key=view.at.__getitem__)
            for other in dict.fromkeys(near[(len(near) - 1) // 2 : len(near) // 2 + 1]):
                free = view.at[other] > reached and other not in taken
                if free and not is_blocked(item, other):
                    taken.add(other)
                    roots[item] = roots[other]
                    reached = view.at[other]
                    break
    return roots


def _compacted(view: _View, roots: list[int], apart: Apart) -> dict[int, float]:
    """A place for each block: as far to the left as its neighbours let it, then as far to the right
    as it can go without moving others."""
    after: dict[int, dict[int, float]] = {root: {} for root in roots}
    for row in view.rows:
        for a, b in pairwise(row):
            distances = after[roots[a]]
            distances[roots[b]] = max(distances.get(roots[b], 0.0), apart(a, b))
    order = _topological(after)
    places = dict.fromkeys(order, 0.0)
    for block in order:
        for other, distance in after[block].items():
            places[other] = max(places[other], places[block] + distance)
    for block in reversed(order):
        if after[block]:
            room = min(places[other] - distance for other, distance in after[block].items())
            places[block] = max(places[block], room)
    return places


def _topological(after: dict[int, dict[int, float]]) -> list[int]:
    waiting = dict.fromkeys(after, 0)
    for targets in after.values():
        for target in targets:
            waiting[target] += 1
    order = [block for block, count in waiting.items() if count == 0]
    for block in order:  # grows while it is walked
        for target in after[block]:
            waiting[target] -= 1
            if waiting[target] == 0:
                order.append(target)
    return order
