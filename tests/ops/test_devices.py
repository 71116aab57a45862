"""The table on every device that computes: forward and gradient against the float64 reference."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from meganeura import Graph, SessionConfig
from meganeura.ir.op import REGISTRY
from tests.helpers.devices import on_all_devices
from tests.helpers.gradcheck import feeds_of, leaf
from tests.helpers.together import Trial, check_together, longest
from tests.ops.cases import CASES
from tests.ops.table import Case

TOGETHER = 8
"""Cases that are compiled as one graph."""


def parts() -> list[list[Case]]:
    """All cases, some at a time; those without a gradient by themselves."""
    kinds = [[c for c in CASES if c.trains is trains] for trains in (True, False)]
    return [kind[i : i + TOGETHER] for kind in kinds for i in range(0, len(kind), TOGETHER)]


each_part = pytest.mark.parametrize("part", parts(), ids=lambda part: "+".join(map(str, part)))


@on_all_devices
@each_part
def test_forward_and_gradient_match_the_reference(part: list[Case], device: str):
    check(part, device, optimize=True)


@each_part
def test_what_is_not_optimized_matches_the_reference(part: list[Case]):
    check(part, "cpu", optimize=False)


def check(part: list[Case], device: str, optimize: bool) -> None:
    """Forward and gradient of some cases."""
    trials = {str(case): trial(case) for case in part}
    config = SessionConfig(device, training=part[0].trains, optimize=optimize)
    check_together(trials, config)


def trial(case: Case) -> Trial:
    """The op in the middle of a graph: its result weighted at random, then summed."""
    rng = np.random.default_rng(zlib.crc32(str(case).encode()))
    drawn = [tensor.draw(rng) for tensor in case.inputs]
    arrays = [a.astype(np.float32) if a.dtype.kind == "f" else a for a in drawn]
    graph = Graph()
    leaves = [leaf(graph, i, a, trainable=True) for i, a in enumerate(arrays)]
    out = case.build(graph, *leaves)
    feeds = feeds_of(arrays, graph)
    if not case.trains:
        graph.set_outputs([out])
    else:
        weights = rng.normal(size=out.shape).astype(np.float32)
        graph.set_outputs([graph.sum_all(out * graph.input("weights", out.shape)), out])
        feeds["weights"] = weights
    return Trial(graph, feeds, longest(arrays))


def test_every_op_runs_on_every_device():
    assert {case.op for part in parts() for case in part} == set(REGISTRY)
