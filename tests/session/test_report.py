"""What optimization may do, and what it says that it did."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import (
    Adam,
    Graph,
    OptimizeReport,
    SessionConfig,
    SessionError,
    build,
    build_session_with_report,
    compile_training_graph,
    interpret,
)
from meganeura.egraph.rules import GROUPS


def convolved() -> Graph:
    """A network in which every group of rules has something to do."""
    g = Graph()
    x = g.input("x", (2, 8, 16, 16))
    w, v = g.parameter("w", (8, 8, 3, 3)), g.parameter("v", (8, 8, 3, 3))
    both = g.conv2d(x, w, padding=1) + g.conv2d(x, v, padding=1)
    inner = g.reshape(g.reshape(g.neg(-both), (2, 2048)), (2, 8, 16, 16))
    g.set_outputs([g.mean_all(inner * g.sigmoid(inner))])
    return g


def losses(graph: Graph, **options) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    with build(graph, SessionConfig("cpu", **options)) as session:
        for node in graph.nodes():
            if node.op.name == "input":
                session.set_input(str(node.name), rng.normal(size=node.ty.shape))
        session.step()
        grads = [session.read_param_grad(name) for name in session.param_names()]
        return [*session.read_outputs(), *grads]


def test_a_report_says_what_was_done():
    session, report = build_session_with_report(convolved(), "cpu")
    session.close()
    assert isinstance(report, OptimizeReport)
    assert report.after.kernels < report.before.kernels
    assert report.after.moved_bytes < report.before.moved_bytes
    assert report.nodes_before > 0 and report.e_nodes >= report.classes > 0
    assert report.rules["algebra/double-negation"] >= 1
    assert set(report.times_ns) >= {"saturate", "candidates", "extract"}
    text = str(report)
    assert "kernels" in text and "double-negation" in text and "optimal" in text


def test_a_plan_is_made_without_a_device():
    plan, report = compile_training_graph(convolved())
    assert len(plan.dispatches) == report.after.kernels
    assert np.isclose(sum(d.cost_ns for d in plan.dispatches), report.cost_ns)


def test_a_report_with_an_update_is_of_what_runs():
    with build(convolved(), SessionConfig("cpu")) as session:
        without = session.report().after.kernels
        session.set_optimizer(Adam(1e-3))
        assert session.report().after.kernels > without


def test_what_does_not_optimize_has_nothing_to_report():
    for config in (SessionConfig("reference"), SessionConfig("cpu", optimize=False)):
        with (
            build(convolved(), config) as session,
            pytest.raises(SessionError, match="nothing to report"),
        ):
            session.report()


@pytest.mark.parametrize(
    "options",
    [
        {"optimize": False},
        {"optimize": ()},
        {"exact": True},
        *({"optimize": (group,)} for group in GROUPS),
    ],
    ids=str,
)
def test_any_choice_of_rules_gives_the_same(options):
    expected = losses(convolved())
    for ours, other in zip(losses(convolved(), **options), expected, strict=True):
        np.testing.assert_allclose(ours, other, rtol=0, atol=1e-5 * np.abs(other).max())


def test_a_group_that_is_not_there_is_named():
    with pytest.raises(SessionError, match=r"no group of rules 'algebar'.*algebra"):
        SessionConfig(optimize=("algebar",))


def test_exact_rules_leave_every_bit():
    """But where a product that was stored is now added to something at once: that is one rounding
    less."""
    g = Graph()
    x, y = g.input("x", (17, 33)), g.input("y", (33,))
    value = g.silu(g.neg(-(x + y)) * 1.0) / y
    g.set_outputs([value, g.transpose(g.transpose(g.tanh(value)) * 2.0)])
    plain = losses_forward(g, optimize=False)
    for ours, expected in zip(losses_forward(g, exact=True), plain, strict=True):
        np.testing.assert_array_equal(ours, expected)


def losses_forward(graph: Graph, **options) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    arrays = {
        str(n.name): rng.normal(size=n.ty.shape).astype(np.float32)
        for n in graph.nodes()
        if n.name is not None
    }
    with build(graph, SessionConfig("cpu", training=False, **options)) as session:
        for name, array in arrays.items():
            session.set_input(name, array)
        session.step()
        found = session.read_outputs()
    for ours, expected in zip(found, interpret(graph, arrays, np.float64), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-6)
    return found
