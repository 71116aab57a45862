"""Random graphs on the devices: forward and gradients against the reference."""

from __future__ import annotations

import numpy as np
from hypothesis import given, note, settings

from meganeura import SessionConfig, build, interpret
from tests.helpers.devices import needs_gpu
from tests.helpers.graphs import Builder, random_graphs
from tests.helpers.sessions import feed
from tests.helpers.tolerance import EPSILON, growth, largest_met


@settings(max_examples=40)
@given(random_graphs())
def test_random_graphs_on_the_cpu_agree_with_the_reference(builder: Builder):
    check(builder, "cpu")


@needs_gpu
@settings(max_examples=25)
@given(random_graphs())
def test_random_graphs_on_a_gpu_agree_with_the_reference(builder: Builder):
    check(builder, "gpu")


def check(builder: Builder, device: str) -> None:
    """Forward and gradients of a graph."""
    g, result = builder.graph, builder.values[-1]
    g.set_outputs([g.mean_all(g.tanh(result)), result])
    note(g.text())
    feeds = {
        f"x{i}": a.astype(np.float32) if a.dtype.kind == "f" else a
        for i, a in enumerate(builder.arrays)
    }
    with build(g, SessionConfig(device)) as session:
        feed(session, g, feeds)
        session.step()
        found = [*session.read_outputs(), *map(session.read_param_grad, session.param_names())]
        ran = session.graph()
    expected = interpret(ran, feeds, np.float64)
    # Up to nine ops, each of which may enlarge the error of the one before: what float32 gives
    # through the reference, op by op, is the measure; a kernel may round in another order.
    single = interpret(ran, feeds, np.float32)
    for ours, double, rounded in zip(found, expected, single, strict=True):
        slack = 64 * EPSILON * growth(ran) * max(1.0, largest_met(ran, feeds))
        error = np.abs(rounded.astype(np.float64) - double).max()
        np.testing.assert_allclose(ours, double, rtol=0, atol=8 * error + slack)
