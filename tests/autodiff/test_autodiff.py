"""What differentiation promises beyond the table: sharing, cuts, losses, second derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import Graph, GraphError, Value, autodiff, differentiate, interpret
from meganeura.ir.composite import CompositeOp
from meganeura.ir.op import REGISTRY
from tests.helpers.gradcheck import check_gradients
from tests.ops.cases import CASES

RNG = np.random.default_rng(7)


def gradients(g: Graph, loss: Value, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    g.set_outputs([loss])
    d = differentiate(g)
    values = interpret(d, feeds, np.float64)
    names = [d.node(p).name for p in d.gradients()]
    return dict(zip(names, values[1:], strict=True))


def test_several_uses_of_a_value_add_up():
    def build(g, x):
        y = g.tanh(x)
        return y * y + g.exp(y) - y / (g.sum_all(y * y) + 1.0)

    check_gradients(build, [RNG.normal(size=(3, 4))], RNG)


def test_unreached_parameters_have_zero_gradients():
    g = Graph()
    w, unused = g.parameter("w", [3]), g.parameter("unused", [2, 2])
    g.relu(unused)
    found = gradients(g, g.sum_all(w * w), {"w": [1.0, 2.0, 3.0], "unused": np.ones((2, 2))})
    np.testing.assert_array_equal(found["w"], [2, 4, 6])
    np.testing.assert_array_equal(found["unused"], np.zeros((2, 2)))


def test_stop_gradient_cuts_one_path_only():
    g = Graph()
    w = g.parameter("w", [1])
    found = gradients(g, w * g.stop_gradient(w) + w, {"w": [3.0]})
    np.testing.assert_array_equal(found["w"], [4.0])


def test_losses_compose_in_the_middle_of_expressions():
    labels, target = RNG.uniform(size=(4, 3)), RNG.normal(size=(4, 3))

    def build(g, w, coef):
        ce = g.cross_entropy_loss(g.tanh(w), g.constant(labels))
        mse = g.mse_loss(w, g.constant(target))
        weighted = g.add(ce, g.mul(coef, mse))
        return g.exp(weighted) / (g.l1_loss(w, g.constant(target)) + 1.0)

    check_gradients(build, [RNG.normal(size=(4, 3)), RNG.normal(size=1)], RNG)


def test_bce_outside_its_clamp_has_zero_gradient_and_no_nan():
    g = Graph()
    p = g.parameter("p", [6])
    loss = g.bce_loss(p, g.constant([0, 1, 0, 1, 1, 0.5]))
    values = np.array([0.0, 0.0, 1.0, 1.0, -5.0, 0.25])
    found = gradients(g, loss, {"p": values})["p"]
    np.testing.assert_array_equal(found[:5], np.zeros(5))
    assert np.isfinite(found).all() and found[5] != 0


@pytest.mark.parametrize(
    ("name", "x", "slope"), [("relu", 0.0, 0.0), ("abs", 0.0, 0.0), ("relu", -0.0, 0.0)]
)
def test_kinks(name, x, slope):
    g = Graph()
    w = g.parameter("w", [1])
    assert gradients(g, getattr(g, name)(w), {"w": [x]})["w"] == [slope]


def test_equal_arguments_of_maximum_share_the_gradient():
    g = Graph()
    a, b = g.parameter("a", [1]), g.parameter("b", [1])
    found = gradients(g, g.maximum(a, b), {"a": [2.0], "b": [2.0]})
    assert found == {"a": [0.5], "b": [0.5]}


def test_relu_keeps_nan():
    g = Graph()
    g.set_outputs([g.relu(g.input("x", [2]))])
    assert np.isnan(interpret(g, {"x": [np.nan, 1.0]})[0][0])


def test_gradient_of_attention_equals_that_of_its_definition():
    """The rule of its own and the definition agree, for every composite op that has both."""
    both = [
        case
        for case in CASES
        if not case.refuses_gradient
        and issubclass(REGISTRY[case.op], CompositeOp)
        and REGISTRY[case.op].vjp is not CompositeOp.vjp
    ]
    assert {case.op for case in both} >= {"softmax", "log_softmax", "attention"}
    for case in both:
        arrays = [t.draw(np.random.default_rng(3)) for t in case.inputs]
        results = []
        for own in (True, False):
            g = Graph()
            leaves = [g.parameter(f"x{i}", a.shape) for i, a in enumerate(arrays)]
            out = case.build(g, *leaves)
            node = next(n for n in g.nodes() if n.op.name == case.op)
            weights = np.random.default_rng(4).normal(size=node.ty.shape)
            seed = g.constant(weights)
            inputs = [g.value(i) for i in node.inputs]
            if own:
                parts = node.op.vjp(seed, g.value(node.id), *inputs)
            else:
                parts = autodiff._through_definition(node.op, inputs, seed)
            g.set_outputs([*parts])
            feeds = {f"x{i}": a for i, a in enumerate(arrays)}
            results.append(interpret(g, feeds, np.float64))
            assert out.graph is g
        for a, b in zip(*results, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


SECOND = [c for c in CASES if c.op in ("conv2d", "softmax", "group_norm", "matmul", "silu")]


@pytest.mark.parametrize("case", SECOND, ids=str)
def test_second_derivatives(case):
    """The gradient of a scalar made of gradients, against central differences of the gradient."""
    arrays = [t.draw(np.random.default_rng(5)) for t in case.inputs]

    def build(g, *xs):
        loss = g.sum_all(g.tanh(case.build(g, *xs)))
        return g.concatenate([g.reshape(d, [-1]) for d in autodiff.gradient(loss, xs)])

    check_gradients(build, arrays, RNG)


def test_second_derivative_of_attention():
    def build(g, q, k, v):
        out = g.causal_attention(q, k, v, 2, 1, 3)
        return g.concatenate(
            [g.reshape(d, [-1]) for d in autodiff.gradient(g.sum_all(g.tanh(out)), [q, k, v])]
        )

    arrays = [RNG.normal(size=s) for s in ((4, 6), (4, 3), (4, 3))]
    check_gradients(build, arrays, RNG)


def test_gradients_keep_names_outputs_and_places():
    g = Graph()
    x, w = g.input("x", [2, 3]), g.parameter("w", [3, 1])
    extra = g.relu(x)
    g.set_outputs([g.sum_all(x @ w), extra])
    d = differentiate(g)
    assert [d.node(p).name for p in d.gradients()] == ["w"]
    assert len(d.outputs()) == 3 and d.outputs()[1].shape == (2, 3)
    assert all(n.where is not None and n.where.file == __file__ for n in d.nodes())
    assert not any(n.op.name == "alias" for n in d.nodes())


def test_a_loss_must_be_one_number():
    g = Graph()
    g.set_outputs([g.relu(g.parameter("w", [3]))])
    with pytest.raises(GraphError, match="a loss must have one element"):
        differentiate(g)


def test_a_graph_needs_outputs():
    with pytest.raises(GraphError, match="no outputs"):
        differentiate(Graph())


def test_caches_are_refused_only_on_the_path_of_a_parameter():
    g = Graph()
    w, pos = g.parameter("w", [1, 4]), g.input_u32("pos", [1])
    cache = g.state("cache", [3, 4])
    g.cache_write(g.stop_gradient(w), cache, pos)
    g.set_outputs([g.sum_all(w * w) + g.sum_all(cache)])
    differentiate(g)  # the cache is read, but no gradient is needed through it
    g.cache_write(w, cache, pos)
    g.set_outputs([g.sum_all(cache)])
    with pytest.raises(GraphError, match="cache_write has no gradient"):
        differentiate(g)
