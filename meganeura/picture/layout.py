"""A drawing of boxes and edges from top to bottom: where boxes stand, and which way edges go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from .coordinates import across
from .layers import Edge, Layers, layered
from .relax import drawn_together, recentred

_BOX_GAP, _BEND_GAP, _TRUNK_GAP = 22.0, 14.0, 10.0
"""Room between two boxes, between a box and an edge, and between two edges."""
_LEAST_GAP, _MOST_GAP = 26.0, 96.0
"""Room between layers; more where edges go far to the side."""
_PORT_GAP = 12.0
_ARROW = 9.0
"""An edge ends straight, so that its arrow does."""

Size = tuple[float, float]
Station = tuple[float, float, float]
"""A vertical piece of an edge: x, and y from where to where."""


@dataclass(frozen=True)
class Wire:
    """Vertical pieces of an edge, from top to bottom; curves join them."""

    stations: tuple[Station, ...]
    is_long: bool
    """Whether it belongs to an edge over several layers."""
    source: int
    target: int | None
    """None if it is a trunk, which ends where the last edge leaves it."""


@dataclass(frozen=True)
class Layout:
    """Middles and tops of boxes, and wires between them."""

    boxes: list[tuple[float, float]]
    wires: list[Wire]
    width: float
    height: float


def arranged(sizes: Sequence[Size], levels: Sequence[int], edges: Sequence[Edge]) -> Layout:
    """A layout of boxes of these sizes, at these levels. Edges go down."""
    if not sizes:
        return Layout([], [], 0.0, 0.0)
    layers = layered(levels, edges)
    apart = partial(_apart, layers, sizes)
    middles = recentred(layers, drawn_together(layers, across(layers, apart), apart))
    left = min(middles[box] - width / 2 for box, (width, _) in enumerate(sizes))
    left = min([left, *(middles[bend] for bend in range(len(sizes), len(middles)))])
    middles = [x - left for x in middles]
    bands = _bands(layers, sizes, middles)
    boxes: list[tuple[float, float]] = [(0.0, 0.0)] * len(sizes)
    for row, (top, bottom) in zip(layers.rows, bands, strict=True):
        for item in row:
            if not layers.is_bend(item):
                boxes[item] = (middles[item], (top + bottom - sizes[item][1]) / 2)
    wires = _wires(layers, sizes, middles, boxes, bands)
    right = max(x + width / 2 for (x, _), (width, _) in zip(boxes, sizes, strict=True))
    right = max([right, *(x for wire in wires for x, _, _ in wire.stations)])
    return Layout(boxes, wires, right, bands[-1][1])


def _apart(layers: Layers, sizes: Sequence[Size], a: int, b: int) -> float:
    bends = layers.is_bend(a) + layers.is_bend(b)
    gap = (_BOX_GAP, _BEND_GAP, _TRUNK_GAP)[bends]
    return gap + sum(sizes[i][0] / 2 for i in (a, b) if not layers.is_bend(i))


def _bands(
    layers: Layers, sizes: Sequence[Size], middles: Sequence[float]
) -> list[tuple[float, float]]:
    """Top and bottom of each layer."""
    bands = []
    y = 0.0
    for number, row in enumerate(layers.rows):
        if number:
            sideways = max(
                (abs(middles[item] - middles[above]) for item in row for above in layers.up[item]),
                default=0.0,
            )
            y += min(_MOST_GAP, _LEAST_GAP + 0.08 * sideways)
        height = max((sizes[item][1] for item in row if not layers.is_bend(item)), default=0.0)
        bands.append((y, y + height))
        y += height
    return bands


def _wires(
    layers: Layers,
    sizes: Sequence[Size],
    middles: Sequence[float],
    boxes: Sequence[tuple[float, float]],
    bands: Sequence[tuple[float, float]],
) -> list[Wire]:
    band_of = {item: bands[n] for n, row in enumerate(layers.rows) for item in row}
    sources = _sources(layers)

    def leaving(item: int) -> Station:
        top, bottom = band_of[item]
        if not layers.is_bend(item):
            top = boxes[item][1] + sizes[item][1]
        return middles[item], top, bottom

    wires = []
    for box in range(layers.boxes):
        trunk = _trunk(layers, box)
        if len(trunk) > 1:
            stations = tuple(leaving(item) for item in trunk)
            wires.append(Wire(stations, True, box, None))
        for above, x in _ports(layers, sizes[box][0], middles, box):
            arrival = (x, band_of[box][0] - _ARROW, boxes[box][1])
            start = leaving(above)
            if layers.is_bend(above):  # the trunk is drawn already
                start = (start[0], start[2], start[2])
            wires.append(Wire((start, arrival), layers.is_bend(above), sources[above], box))
    return wires


def _sources(layers: Layers) -> list[int]:
    """For each item the box whose edge it is: itself, or where its trunk begins."""
    sources = list(range(len(layers.up)))
    for item in range(layers.boxes, len(sources)):  # a bend is numbered after the one above it
        sources[item] = sources[layers.up[item][0]]
    return sources


def _trunk(layers: Layers, box: int) -> list[int]:
    trunk = [box]
    while bends := [item for item in layers.down[trunk[-1]] if layers.is_bend(item)]:
        trunk.append(bends[0])
    return trunk


def _ports(
    layers: Layers, width: float, middles: Sequence[float], box: int
) -> list[tuple[int, float]]:
    """Where edges arrive at a box: straight below where they come from if that is above the box,
    and apart from each other."""
    order = sorted(layers.up[box], key=middles.__getitem__)
    gap = min(_PORT_GAP, width * 0.6 / max(1, len(order)))
    room = width * 0.3 - gap / 2 * (len(order) - 1)  # how far the first may be from its ideal
    ports: list[tuple[int, float]] = []
    for i, above in enumerate(order):
        ideal = middles[box] + gap * (i - (len(order) - 1) / 2)
        x = min(max(middles[above], ideal - room), ideal + room)
        ports.append((above, max(x, ports[-1][1] + gap) if ports else x))
    return ports
