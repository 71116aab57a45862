"""Where formulas meet infinities, ties and masks."""

from __future__ import annotations

import numpy as np

from meganeura import Graph, Value, differentiate, interpret

INF = np.inf


def run(build, **arrays) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The loss (the sum of what ``build`` gives), and the gradient of every array."""
    g = Graph()
    leaves: list[Value] = [g.parameter(name, np.shape(a)) for name, a in arrays.items()]
    out = build(g, *leaves)
    g.set_outputs([g.sum_all(out)])
    d = differentiate(g)
    _, *gradients = interpret(d, arrays, np.float64)
    g.set_outputs([out])
    return interpret(g, arrays, np.float64)[0], dict(zip(arrays, gradients, strict=True))


def test_a_masked_class_leaves_the_loss_finite():
    def build(g, logits):
        return g.cross_entropy_loss(logits, g.input_u32("labels", [1]))

    g = Graph()
    logits = g.parameter("logits", [1, 3])
    g.set_outputs([build(g, logits)])
    feeds = {"logits": [[0.0, -INF, 1.0]], "labels": [2]}
    loss, gradient = interpret(differentiate(g), feeds, np.float64)
    np.testing.assert_allclose(loss, [np.log(1 + np.exp(-1))])
    p = 1 / (1 + np.e)
    np.testing.assert_allclose(gradient, [[p, 0.0, -p]], atol=1e-15)


def test_powers_with_exponent_zero_have_gradient_zero():
    _, gradients = run(lambda g, x: g.pow(x, 0.0), x=[0.0, 2.0, -1.0])
    np.testing.assert_array_equal(gradients["x"], np.zeros(3))


def test_a_query_that_sees_no_key_gets_zero():
    rng = np.random.default_rng(0)
    bias = np.zeros((3, 3))
    bias[1] = -INF
    arrays = {name: rng.normal(size=(3, 2)) for name in "qkv"}

    def build(g, q, k, v):
        return g.full_attention(q, k, v, 1, 1, 2, bias=g.constant(bias))

    out, gradients = run(build, **arrays)
    assert (out[1] == 0).all() and (out[0] != 0).all()
    assert all(np.isfinite(d).all() for d in gradients.values())
    assert (gradients["q"][1] == 0).all()


def test_a_margin_never_takes_the_gradient_of_a_pool():
    _, gradients = run(
        lambda g, x: g.where(g.equal(x, x), g.max_pool_2d(x, 2, 2, 1), 0.0),
        x=np.full((1, 1, 2, 2), -INF),
    )
    np.testing.assert_array_equal(gradients["x"], np.ones((1, 1, 2, 2)))


def test_ties_in_a_pool_go_to_the_first():
    _, gradients = run(lambda g, x: g.max_pool_2d(x, 2), x=np.zeros((1, 1, 2, 2)))
    np.testing.assert_array_equal(gradients["x"], [[[[1, 0], [0, 0]]]])


def test_equal_maxima_share_the_gradient():
    _, gradients = run(lambda g, x: g.max(x), x=[1.0, 3.0, 3.0])
    np.testing.assert_array_equal(gradients["x"], [0, 0.5, 0.5])


def test_softmax_of_large_numbers_is_finite():
    out, gradients = run(lambda g, x: g.softmax(x), x=[[1e30, -1e30, 0.0]])
    np.testing.assert_array_equal(out, [[1, 0, 0]])
    np.testing.assert_array_equal(gradients["x"], np.zeros((1, 3)))


def test_an_infinite_factor_stays_in_its_sum():
    """−∞ · 0 is a term of its own, also where all places of a row share memory."""
    g = Graph()
    row = g.broadcast_to(g.input("x", [1, 1]), [1, 3])
    g.set_outputs([row @ g.input("y", [3, 1])])
    feeds = {"x": np.full((1, 1), -INF), "y": np.array([[0.0], [0.0], [-INF]])}
    (found,) = interpret(g, feeds, np.float64)
    assert np.isnan(found).all()
