"""The oracle itself: what float32 gives in the reference lies within the bounds, and the bounds are
narrow enough to see a wrong number."""

from __future__ import annotations

import os

import numpy as np

from meganeura import Graph, differentiate, interpret
from meganeura.ir.op import REGISTRY
from tests.conftest import SEED
from tests.fuzz.bounds import evaluate
from tests.fuzz.check import compare
from tests.fuzz.templates import make

MANY = 2000


def first_seed() -> int:
    return int(os.environ[SEED]) % 2**31


def test_many_random_graphs_use_every_op():
    seen: set[str] = set()
    for seed in range(MANY):
        graph = make((seed,), training=seed % 3 > 0).graph
        seen |= {node.op.name for node in graph.nodes()}
    # What only a gradient has, a graph that trains brings.
    for seed in range(0, MANY, 20):
        seen |= {n.op.name for n in differentiate(make((seed,), training=True).graph).nodes()}
    assert set(REGISTRY) <= seen


def test_a_seed_always_gives_the_same_graph():
    for seed in range(40):
        once, again = make((seed,), True), make((seed,), True)
        assert once.graph == again.graph
        for name, array in once.feeds.items():
            np.testing.assert_array_equal(array, again.feeds[name])


def test_the_reference_in_float32_is_within_the_bounds():
    """They hold for another order of roundings than the devices', and not by being infinite: of the
    graphs that are the same in every run most elements are known."""
    compared = unknown = 0
    for seed in (*range(100), *range(first_seed(), first_seed() + 100)):
        made = make((seed,), training=seed % 3 > 0)
        graph = differentiate(made.graph) if made.training else made.graph
        bounds = evaluate(graph, made.feeds)
        for value, found in zip(graph.outputs(), interpret(graph, made.feeds), strict=True):
            wrong, some, none = compare(str(seed), found, bounds[value.id])
            assert wrong is None, f"{wrong}\n{graph.text()}"
            if seed < 100:
                compared, unknown = compared + some, unknown + none
    assert unknown < 0.2 * compared


def test_what_is_well_conditioned_is_held_to_a_few_ulp():
    g = Graph()
    x, w = g.input("x", [3, 8]), g.input("w", [8, 4])
    g.set_outputs([g.softmax(x @ w)])
    rng = np.random.default_rng(0)
    feeds = {
        n: rng.normal(size=s).astype(np.float32) for n, s in {"x": (3, 8), "w": (8, 4)}.items()
    }
    (output,) = g.outputs()
    bound = evaluate(g, feeds)[output.id]
    assert (bound.error < 1e-4).all()


def test_a_threshold_within_an_operands_error_leaves_both_ways():
    g = Graph()
    x = g.input("x", [3])
    g.set_outputs([g.greater(g.exp(x), 1.0), g.greater(x, 0.0)])
    feeds = {"x": np.array([-1.0, 0.0, 1.0], np.float32)}
    bounds = evaluate(g, feeds)
    near, exact = (bounds[v.id].error for v in g.outputs())
    np.testing.assert_array_equal(near, [0, 1, 0])
    np.testing.assert_array_equal(exact, [0, 0, 0])


def test_what_is_not_finite_is_certain_or_unknown():
    g = Graph()
    x = g.input("x", [5])
    g.set_outputs([g.log(x), x - x, 1.0 / x])
    feeds = {"x": np.array([-1.0, np.inf, np.nan, 3e38, 0.0], np.float32)}
    bounds = evaluate(g, feeds)
    log, difference, quotient = (bounds[v.id] for v in g.outputs())
    assert np.isnan(log.value[[0, 2]]).all() and (log.error[[0, 2]] == 0).all()
    assert np.isnan(difference.value[[1, 2]]).all() and (difference.error[[1, 2]] == 0).all()
    assert np.isinf(difference.error[3])  # near an overflow
    assert np.isinf(quotient.error[4])  # by a zero, of either sign


def test_powers_of_negative_numbers_are_known_where_the_exponent_is():
    """A sum that is not whole may be so in float32, and a power of it a number."""
    g = Graph()
    x, y = g.input("x", [3]), g.input("y", [3, 2])
    g.set_outputs([g.pow(x, g.sum(y, 1)), g.pow(x, 3.0)])
    arrays = {"x": [-2.0, -2.0, 2.0], "y": [[1e8, 0.4], [2.0, 1.0], [2.0, 1.0]]}
    bounds = evaluate(g, {name: np.float32(array) for name, array in arrays.items()})
    of_sum, of_three = (bounds[value.id] for value in g.outputs())
    assert np.isinf(of_sum.error).tolist() == [True, True, False]
    assert np.isfinite(of_three.error).all()
