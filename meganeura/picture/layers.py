"""Boxes in layers: which layer each is in, and in which order those of a layer stand.

In:  boxes by number, and edges from lower to higher numbers.   Out: `Layers`.

An edge over several layers runs through a *bend* in each layer between, so that it has a place of
its own there and crosses no box. Edges of one source share their bends: it is one trunk, from which
they branch off. Layers come from longest paths, their order from barycenters (Sugiyama, Tagawa &
Toda 1981).
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Collection, Sequence
from dataclasses import dataclass

Edge = tuple[int, int]

_SWEEPS = 24
_PATIENCE = 5
"""Sweeps without fewer crossings, after which the best order so far is taken."""


@dataclass(frozen=True)
class Layers:
    """Items in rows from top to bottom. Items below ``boxes`` are boxes, the others bends."""

    boxes: int
    rows: list[list[int]]
    up: list[list[int]]
    """For each item, those of the row above that lead to it."""
    down: list[list[int]]
    """For each item, those of the row below that it leads to."""

    def is_bend(self, item: int) -> bool:
        """Whether an item is a bend of an edge."""
        return item >= self.boxes

    def positions(self) -> list[int]:
        """Each item's place in its row."""
        at = [0] * len(self.up)
        for row in self.rows:
            for i, item in enumerate(row):
                at[item] = i
        return at


def layered(levels: Sequence[int], edges: Sequence[Edge]) -> Layers:
    """Boxes, and bends of the edges between them, in layers with few crossings."""
    layers = _with_bends(levels, sorted(set(edges)))
    _order(layers)
    return layers


def far_edges(levels: Sequence[int], edges: Sequence[Edge], most_bends: int) -> set[Edge]:
    """The longest edges, so many that the others need no more than ``most_bends`` bends."""
    lengths: dict[int, list[int]] = {}
    for source, target in edges:
        lengths.setdefault(source, []).append(levels[target] - levels[source])

    def bends(longest: int) -> int:
        kept = ([length for length in each if length <= longest] for each in lengths.values())
        return sum(max(each) - 1 for each in kept if each)

    candidates = sorted({length for each in lengths.values() for length in each})
    fitting = bisect_right(candidates, most_bends, key=bends)  # the more are kept, the more bends
    longest = candidates[max(0, fitting - 1)] if candidates else 0
    return {(a, b) for a, b in edges if levels[b] - levels[a] > longest}


def levels_of(boxes: int, edges: Sequence[Edge], early: Collection[int]) -> list[int]:
    """A layer for each box: below all that lead to it. A box then sinks to just above the first
    that it leads to, if it is not one of the ``early``, or if at most one box leads to it, so that
    no edge gets longer on the whole."""
    levels = [0] * boxes
    sources = [0] * boxes
    users: list[list[int]] = [[] for _ in range(boxes)]
    for source, target in sorted(set(edges), key=lambda edge: edge[1]):
        levels[target] = max(levels[target], levels[source] + 1)
        sources[target] += 1
        users[source].append(target)
    for box in reversed(range(boxes)):
        if users[box] and (sources[box] <= 1 or box not in early):
            levels[box] = min(levels[user] for user in users[box]) - 1
    return levels


def _with_bends(levels: Sequence[int], edges: Sequence[Edge]) -> Layers:
    boxes = len(levels)
    rows: list[list[int]] = [[] for _ in range(max(levels, default=-1) + 1)]
    for box, level in enumerate(levels):
        rows[level].append(box)
    up: list[list[int]] = [[] for _ in range(boxes)]
    down: list[list[int]] = [[] for _ in range(boxes)]
    trunks: dict[int, list[int]] = {}
    for source, target in edges:
        trunk = trunks.setdefault(source, [source])
        while levels[source] + len(trunk) < levels[target]:
            bend = len(up)
            rows[levels[source] + len(trunk)].append(bend)
            up.append([trunk[-1]])
            down.append([])
            down[trunk[-1]].append(bend)
            trunk.append(bend)
        last = trunk[levels[target] - levels[source] - 1]
        up[target].append(last)
        down[last].append(target)
    return Layers(boxes, rows, up, down)


def _order(layers: Layers) -> None:
    """Order each row: sweeps down and up put each item at the mean place of its neighbours."""
    _depth_first(layers)
    best, fewest = [list(row) for row in layers.rows], _crossings(layers)
    worse = 0
    for sweep in range(_SWEEPS):
        if fewest == 0 or worse == _PATIENCE:
            break
        _sweep(layers, downwards=sweep % 2 == 0)
        found = _crossings(layers)
        worse += 1
        if found < fewest:
            best, fewest, worse = [list(row) for row in layers.rows], found, 0
    layers.rows[:] = best


def _depth_first(layers: Layers) -> None:
    """Order rows as a walk along the edges meets their items, so that what belongs together
    begins together."""
    number: dict[int, int] = {}
    pending = [box for row in layers.rows for box in row if not layers.up[box]]
    pending.reverse()
    while pending:
        item = pending.pop()
        if item not in number:
            number[item] = len(number)
            pending.extend(reversed(layers.down[item]))
    for row in layers.rows:
        row.sort(key=number.__getitem__)


def _sweep(layers: Layers, downwards: bool) -> None:
    at = layers.positions()
    neighbours = layers.up if downwards else layers.down
    for row in layers.rows if downwards else reversed(layers.rows):
        wanted = {
            item: sum(at[n] for n in near) / len(near) if (near := neighbours[item]) else at[item]
            for item in row
        }
        row.sort(key=wanted.__getitem__)
        for i, item in enumerate(row):
            at[item] = i


def _crossings(layers: Layers) -> int:
    """How many pairs of edges cross."""
    at = layers.positions()
    count = 0
    for row in layers.rows:
        ends: list[int] = []
        for item in row:
            targets = sorted(at[target] for target in layers.down[item])
            count += sum(len(ends) - bisect_right(ends, target) for target in targets)
            for target in targets:
                insort(ends, target)
    return count
