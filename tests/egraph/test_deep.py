"""Deep graphs: they compile in time that grows with their length, and compute what they should."""

from __future__ import annotations

import time

import numpy as np
import pytest

import meganeura as mg
from meganeura import Graph, SessionConfig, append_update, differentiate, interpret
from meganeura.compiler import compile_graph
from meganeura.kernel.element import apply, load
from meganeura.kernel.index import Index
from meganeura.kernel.target import GPU, Target
from meganeura.scalar.evaluate import evaluate
from meganeura.scalar.expr import Call, Const, Expr, Var, substitute
from tests.helpers.chains import CHAINS, chain, slices

CPU = Target("cpu", 8)
LONG = 700


def weights(graph: Graph) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {
        str(node.name): rng.normal(size=node.ty.shape).astype(np.float32) * 0.3
        for node in graph.nodes()
        if node.name is not None
    }


def result(graph: Graph, **options) -> np.ndarray:
    """What a session computes."""
    with mg.build(graph, SessionConfig("cpu", training=False, **options)) as session:
        for name, array in weights(graph).items():
            session.set_parameter(name, array)
        session.step()
        return session.read_outputs()[0]


@pytest.mark.parametrize("kind", CHAINS)
def test_a_long_chain_is_right(kind: str):
    graph = chain(kind, LONG if kind != "norms" else 200)
    (expected,) = interpret(graph, weights(graph), np.float64)
    scale = np.abs(expected).max() + 1e-30
    found = result(graph).reshape(expected.shape)
    if np.isfinite(expected.astype(np.float32)).all():
        np.testing.assert_allclose(found / scale, expected / scale, rtol=0, atol=2e-3)


@pytest.mark.parametrize("kind", ["unary", "diamonds", "moves", "shifts", "halves"])
@pytest.mark.parametrize("optimize", [False, ("algebra",)])
def test_a_long_chain_needs_no_rules(kind: str, optimize: bool | tuple[str, ...]):
    graph = chain(kind, 500)
    (expected,) = interpret(graph, weights(graph), np.float64)
    found = result(graph, optimize=optimize).reshape(expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)


def test_slices_of_slices_are_one():
    graph = slices(LONG)
    (expected,) = interpret(graph, weights(graph), np.float64)
    np.testing.assert_array_equal(result(graph), expected.astype(np.float32))


@pytest.mark.parametrize("kind", ["unary", "diamonds", "products"])
def test_a_long_chain_trains(kind: str):
    def built(optimize: bool) -> list[np.ndarray]:
        graph = chain(kind, 400)
        graph.set_outputs([graph.mean_all(graph.tanh(graph.outputs()[0]))])
        with mg.build(graph, SessionConfig("cpu", optimize=optimize)) as session:
            for name, array in weights(graph).items():
                session.set_parameter(name, array)
            session.set_optimizer(mg.Sgd(0.1))
            session.step()
            return [session.get_parameter(str(name)) for name in weights(graph)]

    for ours, plain in zip(built(True), built(False), strict=True):
        np.testing.assert_allclose(ours, plain, rtol=1e-4, atol=1e-6)


def test_time_grows_with_length():
    def seconds(length: int) -> float:
        graph = append_update(differentiate(scalar(length)), mg.Sgd(0.1))
        start = time.process_time()
        compile_graph(graph, CPU)
        return time.process_time() - start

    def scalar(length: int) -> Graph:
        graph = chain("unary", length // 2)
        graph.set_outputs([graph.mean_all(graph.outputs()[0])])
        return graph

    seconds(500)
    assert seconds(2000) < 10 * seconds(500)


def test_a_gpu_takes_long_chains_too():
    for kind in ("unary", "diamonds", "shifts"):
        assert compile_graph(chain(kind, 500), GPU).plan.dispatches


DEEP = 5000


def doubled(depth: int, leaf: Expr) -> Expr:
    """x + x, and that plus itself, and so on: a tree of 2ⁿ leaves, with n parts."""
    for _ in range(depth):
        leaf = leaf + leaf
    return leaf


def test_expressions_may_be_deep_and_share_their_parts():
    expr = doubled(100, Var(0))
    assert evaluate(expr, [np.array(1.0)]) == 2.0**100
    assert expr == doubled(100, Var(0)) != doubled(100, Var(1))
    assert evaluate(substitute(expr, [Const(3.0)]), [np.array(0.0)]) == 3 * 2.0**100
    assert len(str(expr)) < 20_000
    element = apply(lambda x: doubled(100, x), load(3, Index()))
    assert len(str(element)) < 20_000 and element.renumbered({3: 1}).sources() == [1]


def test_expressions_have_no_depth_at_which_they_end():
    def negated() -> Expr:
        expr: Expr = Var(0)
        for _ in range(DEEP):
            expr = Call("neg", (expr,))
        return expr

    assert negated() == negated()
    assert evaluate(negated(), [np.array(2.0)]) == 2.0
    assert str(negated()).endswith(")")


def test_numbers_are_equal_as_they_are_written():
    assert Const(0.0) != Const(-0.0)
    assert Const(float("nan")) == Const(float("nan"))
    x = apply(lambda a: a + 0.0, load(0, Index()))
    assert x != apply(lambda a: a + -0.0, load(0, Index()))
