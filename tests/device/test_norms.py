"""Norms of numbers far from 0, as kernels of their own: the mean's rounding is taken off again."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import Graph, SessionConfig, interpret
from tests.helpers.devices import on_all_devices
from tests.helpers.sessions import results

FAR = 1e4
"""The mean, in deviations. Taken as it is rounded, it would cost results 3e-4."""


@on_all_devices
@pytest.mark.parametrize("name", ["layer_norm", "group_norm"])
def test_numbers_far_from_zero_keep_their_digits(name: str, device: str):
    rng = np.random.default_rng(0)
    shape, width = {"layer_norm": ((8, 1000), 1000), "group_norm": ((2, 8, 9, 9), 8)}[name]
    feeds = {"x": rng.normal(size=shape) + FAR, "w": np.ones(width), "b": np.zeros(width)}
    feeds = {leaf: array.astype(np.float32) for leaf, array in feeds.items()}
    graph = Graph()
    leaves = [graph.input(leaf, array.shape) for leaf, array in feeds.items()]
    options = {"num_groups": 4} if name == "group_norm" else {}
    graph.set_outputs([getattr(graph, name)(*leaves, **options)])
    (found,), _ = results(graph, SessionConfig(device, training=False), feeds)
    (expected,) = interpret(graph, feeds, np.float64)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.abs(expected).max())
