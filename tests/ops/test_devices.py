"""The table on every device that computes: forward and gradient against the float64 reference."""

from __future__ import annotations

import zlib
from math import prod

import numpy as np
import pytest

from meganeura import Graph, SessionConfig, interpret
from meganeura.ir.op import REGISTRY
from tests.helpers.devices import on_all_devices
from tests.helpers.gradcheck import feeds_of, leaf
from tests.helpers.sessions import check_nothing_stale_is_read, results
from tests.helpers.tolerance import allowed, growth, largest_met
from tests.ops.cases import CASES
from tests.ops.table import Case


def training_graph(case: Case, arrays: list[np.ndarray]) -> Graph:
    """The op in the middle of a graph: its result weighted at random, then summed."""
    graph = Graph()
    leaves = [leaf(graph, i, a, trainable=True) for i, a in enumerate(arrays)]
    out = case.build(graph, *leaves)
    loss = graph.sum_all(out * graph.input("weights", out.shape))
    graph.set_outputs([out] if case.refuses_gradient else [loss, out])
    return graph


def longest_sum(arrays: list[np.ndarray]) -> int:
    """No sum in a case is longer than all its elements together."""
    return max(prod(a.shape) for a in arrays)


@on_all_devices
@pytest.mark.parametrize("case", CASES, ids=str)
def test_forward_and_gradient_match_the_reference(case: Case, device: str):
    check(case, device, optimize=True)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_not_optimized_matches_the_reference(case: Case):
    check(case, "cpu", optimize=False)


def check(case: Case, device: str, optimize: bool) -> None:
    """Forward and gradient of a case."""
    rng = np.random.default_rng(zlib.crc32(str(case).encode()))
    drawn = [tensor.draw(rng) for tensor in case.inputs]
    arrays = [a.astype(np.float32) if a.dtype.kind == "f" else a for a in drawn]
    graph = training_graph(case, arrays)
    out = graph.outputs()[-1]
    weights = rng.normal(size=out.shape).astype(np.float32)
    feeds = feeds_of(arrays, graph) | {"weights": weights}
    config = SessionConfig(device, training=not case.refuses_gradient, optimize=optimize)
    found, ran = results(graph, config, feeds)
    needed = {k: v for k, v in feeds.items() if ran.leaf(k) is not None}
    expected = interpret(ran, needed, np.float64)
    error = allowed(largest_met(ran, needed), longest_sum(arrays), growth(ran))
    assert len(found) == len(expected)
    for ours, reference in zip(found, expected, strict=True):
        assert ours.shape == reference.shape and ours.dtype == np.float32
        np.testing.assert_allclose(ours, reference, rtol=0, atol=error)
    check_nothing_stale_is_read(graph, config, feeds, found)


def test_every_op_runs_on_every_device():
    assert {case.op for case in CASES} == set(REGISTRY)
