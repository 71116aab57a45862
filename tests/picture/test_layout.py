"""Layouts of boxes and edges: nothing overlaps, and no edge runs through a box."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from meganeura.picture.layers import far_edges, layered, levels_of
from meganeura.picture.layout import Layout, arranged


def random_boxes(seed: int) -> tuple[list[tuple[float, float]], list[tuple[int, int]]]:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 40))
    sizes = [(float(w), float(h)) for w, h in rng.uniform((60, 20), (260, 90), (count, 2))]
    edges = []
    for target in range(1, count):
        reach = max(0, target - 4) if rng.random() < 0.7 else 0
        for _ in range(int(rng.integers(0, 4))):
            edges.append((int(rng.integers(reach, target)), target))
    return sizes, edges


def drawn(seed: int) -> tuple[list[tuple[float, float]], list[tuple[int, int]], Layout]:
    sizes, edges = random_boxes(seed)
    early = range(0, len(sizes), 2)
    return sizes, edges, arranged(sizes, levels_of(len(sizes), edges, early), edges)


@pytest.mark.parametrize("seed", range(60))
def test_boxes_do_not_overlap(seed):
    sizes, _, layout = drawn(seed)
    boxes = [
        (x - width / 2, y, x + width / 2, y + height)
        for (x, y), (width, height) in zip(layout.boxes, sizes, strict=True)
    ]
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    for left, top, right, bottom in boxes:
        assert left >= -1e-6 and top >= -1e-6
        assert right <= layout.width + 1e-6 and bottom <= layout.height + 1e-6


@pytest.mark.parametrize("seed", range(60))
def test_wires_join_what_edges_join_and_cross_no_box(seed):
    sizes, edges, layout = drawn(seed)
    arrivals = {(wire.source, wire.target) for wire in layout.wires if wire.target is not None}
    assert arrivals == set(edges)
    for wire in layout.wires:
        for x, top, bottom in wire.stations:
            assert top <= bottom + 1e-6
            for box, ((middle, y), (width, height)) in enumerate(
                zip(layout.boxes, sizes, strict=True)
            ):
                beside = abs(x - middle) > width / 2 + 1
                apart = bottom <= y + 1e-6 or top >= y + height - 1e-6
                assert beside or apart, (wire, box)
        for (_, _, end), (_, start, _) in zip(wire.stations, wire.stations[1:], strict=False):
            assert end < start, "curves run between layers"


@pytest.mark.parametrize("seed", range(20))
def test_edges_go_down(seed):
    sizes, edges = random_boxes(seed)
    levels = levels_of(len(sizes), edges, ())
    assert all(levels[a] < levels[b] for a, b in edges)
    assert min(levels) >= 0


def test_a_chain_is_straight_and_a_long_edge_runs_beside_it():
    edges = [(i, i + 1) for i in range(8)] + [(0, 8)]
    sizes = [(100.0, 30.0)] * 9
    layout = arranged(sizes, levels_of(9, edges, range(9)), edges)
    assert len({round(x, 6) for x, _ in layout.boxes[1:8]}) == 1
    (trunk,) = [wire for wire in layout.wires if wire.target is None]
    assert len({round(x, 6) for x, _, _ in trunk.stations[1:]}) == 1


def test_edges_of_one_source_share_a_trunk():
    edges = [(i, i + 1) for i in range(9)] + [(0, 5), (0, 9)]
    layers = layered(levels_of(10, edges, range(10)), edges)
    assert len(layers.up) - layers.boxes == 8, "as many bends as the longest edge has"


def test_few_crossings_are_found():
    """Two chains whose numbers alternate do not cross."""
    edges = [(i, i + 2) for i in range(20)]
    layers = layered(levels_of(22, edges, range(22)), edges)
    at = layers.positions()
    assert all(at[i] == at[i + 2] for i in range(20))


def test_far_edges_are_the_longest_and_only_as_many_as_must_be():
    edges = [(i, i + 1) for i in range(20)] + [(0, 10), (3, 18), (5, 8)]
    levels = levels_of(21, edges, range(21))
    assert far_edges(levels, edges, 1000) == set()
    assert far_edges(levels, edges, 9 + 2) == {(3, 18)}
    assert far_edges(levels, edges, 9 + 1) == {(3, 18), (0, 10)}
    assert far_edges(levels, [], 0) == set()


def test_nothing_and_one_box():
    assert arranged([], [], []).boxes == []
    layout = arranged([(50.0, 20.0)], [0], [])
    assert layout.boxes == [(25.0, 0.0)] and (layout.width, layout.height) == (50.0, 20.0)
