"""Which kernels are chosen: the choice is the best there is, and any choice gives the same
numbers."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, note, settings

from meganeura import Adam, Graph, SessionConfig, append_update, build, differentiate, interpret
from meganeura.compiler import compile_graph
from meganeura.egraph import optimize as optimizing
from meganeura.egraph.candidate import Candidate, Candidates
from meganeura.egraph.extract import Extraction, extract
from meganeura.egraph.optimize import Options
from meganeura.egraph.rules import ALL
from meganeura.egraph.saturate import saturate
from meganeura.ir.expand import expand
from meganeura.kernel.target import Target
from meganeura.models.sd_unet import SDUNetConfig
from tests.helpers.graphs import Builder, random_graphs
from tests.helpers.sessions import feed
from tests.helpers.tolerance import EPSILON, growth
from tests.helpers.unet import CONFIGS, draw, training_graph

CPU = Target("cpu", lanes=8)


def candidates_of(graph: Graph) -> Candidates:
    return Candidates(saturate(expand(graph), ALL).classes, CPU.rates)


def chain() -> Graph:
    """Elementwise ops of which one has two users, and a sum."""
    g = Graph()
    x = g.input("x", (40, 50))
    twice = g.exp(x) * 2.0
    g.set_outputs([g.sum(g.tanh(twice), 1), twice + 1.0])
    return g


def cheapest_by_trying(candidates: Candidates, roots: list[int]) -> float:
    """The least cost of all choices, one after another."""
    found = candidates.found
    best = float("inf")
    computed = [value for value in found if not candidates.classes.is_leaf(value) and found[value]]
    for choice in product(*([None, *found[value]] for value in computed)):
        taken = {c for c in choice if c is not None}
        written = [value for c in taken for value in c.writes]
        needed = {*roots, *(r for c in taken for r in c.reads if r in computed)}
        if len(written) == len(set(written)) and needed <= set(written):
            best = min(best, sum(candidate.cost_ns for candidate in taken))
    return best


def test_the_choice_is_the_cheapest_of_all():
    candidates = candidates_of(chain())
    roots = candidates.classes.roots
    found = extract(candidates, roots)
    assert found.gap < 1e-3
    assert np.isclose(found.cost_ns, cheapest_by_trying(candidates, roots), rtol=1e-3)


def dispatches(g: Graph, optimized: bool = True) -> int:
    options = Options() if optimized else None
    return len(compile_graph(g, CPU, options).plan.dispatches)


def test_a_chain_is_one_kernel():
    g = Graph()
    x = g.input("x", (30, 40))
    g.set_outputs([g.sum(g.tanh(g.exp(x) * 2.0) + x, 1)])
    assert dispatches(g) == 1
    assert dispatches(g, optimized=False) == 5


def test_a_norm_that_is_written_out_is_one_kernel():
    g = Graph()
    x, w = g.input("x", (30, 40)), g.input("w", (40,))
    centred = x - g.mean(x, 1, keep=True)
    variance = g.mean(centred * centred, 1, keep=True)
    g.set_outputs([g.silu(centred * g.rsqrt(variance + 1e-5) * w)])
    assert dispatches(g) == 1


def test_a_convolution_goes_on_with_its_residual_and_activation():
    g = Graph()
    x, w = g.input("x", (2, 4, 9, 9)), g.input("w", (4, 4, 3, 3))
    g.set_outputs([g.relu(g.conv2d(x, w, padding=1) + x)])
    labels = [dispatch.label for dispatch in compile_graph(g, CPU).plan.dispatches]
    assert [label for label in labels if not label.startswith("pack")] == [
        "conv2d[2, 4, 9, 9]+add+relu"
    ], labels


def test_adam_is_one_kernel_for_each_parameter():
    g = Graph()
    w = g.parameter("w", (30, 40))
    g.set_outputs([g.mse_loss(g.input("x", (20, 30)) @ w, g.input("t", (20, 40)))])
    plan = compile_graph(append_update(differentiate(g), Adam(1e-3)), CPU).plan
    (update,) = [d for d in plan.dispatches if "adam" in d.label]
    written = {plan.slots[value] for value in update.writes}
    names = ["w", *(name for name in plan.leaves if name.endswith("/w"))]
    assert len(names) == 3 and {plan.slots[plan.leaves[name]] for name in names} <= written


def test_the_training_of_the_unet_is_extracted_to_the_best():
    graph = append_update(differentiate(training_graph(CONFIGS["tiny"])), Adam(1e-3))
    candidates = candidates_of(graph)
    assert extract(candidates, candidates.classes.roots).gap < 1e-2
    assert 2 * dispatches(graph) <= dispatches(graph, optimized=False)


def test_a_value_that_is_an_output_and_an_intermediate_is_right():
    g = Graph()
    x = g.input("x", (3, 4))
    inner = g.exp(x)
    total = g.sum(inner, 1, keep=True)
    g.set_outputs([inner, g.tanh(inner), g.reshape(inner, (12,)), x, total, inner / total])
    array = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    with build(g, SessionConfig("cpu", training=False)) as session:
        session.set_input("x", array)
        session.step()
        found = session.read_outputs()
    for ours, expected in zip(found, interpret(g, {"x": array}, np.float64), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-6)


def two_ways_to_go_on() -> Graph:
    """A class that rules give in two ways, which go on with different operands."""
    g = Graph()
    c, b = g.parameter("c", [8, 8]), g.tanh(g.parameter("y", [2, 8]))
    g.set_outputs([g.add(g.sum(g.neg(b), 0), g.add(g.sum(b, 0), g.sum(c, 0)))])
    return g


def a_view_and_a_way_to_go_on() -> Graph:
    """A product that a rule gives under another shape, and the graph turned."""
    g = Graph()
    x, w = g.parameter("x", [3, 4]), g.parameter("w", [4, 1])
    g.set_outputs([g.tanh(g.sum((x @ w).T, [0, 1]))])
    return g


def two_views_of_what_goes_on() -> Graph:
    """A few numbers that are a product turned, or under another shape: the product is not stored,
    and they are an output, so whoever else reads them must find them stored."""
    g = Graph()
    x, w = g.parameter("x", [1, 2]), g.parameter("w", [2, 2])
    turned = (g.tanh(x) @ w).T
    g.set_outputs([g.mean(g.reshape(g.tanh(turned), [2]), [0]), turned])
    return g


def a_way_to_go_on_that_nobody_takes() -> Graph:
    """A product that only a pad reads, which does not go on with it; a rule gives another value
    that would."""
    g = Graph()
    x, w = g.parameter("x", [2, 1]), g.parameter("w", [4, 2])
    g.set_outputs([g.pad((x.T @ w.T).T, [26, 1], [3, 5])])
    return g


GOING_ON = [
    two_ways_to_go_on,
    a_view_and_a_way_to_go_on,
    two_views_of_what_goes_on,
    a_way_to_go_on_that_nobody_takes,
]


@pytest.mark.parametrize("make", GOING_ON)
def test_candidates_are_enough(make: Callable[[], Graph]):
    assert candidates_of(make()).are_enough()


@pytest.mark.parametrize("make", GOING_ON)
def test_what_leaves_too_few_candidates_is_not_left_out(make, monkeypatch: pytest.MonkeyPatch):
    g = make()
    monkeypatch.setattr(Candidates, "_is_possible", lambda self, c, can: not self.passes)
    classes = saturate(expand(g), ALL).classes
    assert not Candidates(classes, CPU.rates).are_enough()
    assert Candidates.of(classes, CPU.rates).are_enough()


@pytest.mark.parametrize("make", GOING_ON)
def test_every_class_that_is_needed_has_a_kernel(make: Callable[[], Graph]):
    g = make()
    rng = np.random.default_rng(0)
    arrays = {str(n.name): rng.normal(size=n.ty.shape) for n in g.nodes() if n.name is not None}
    with build(g, SessionConfig("cpu", training=False)) as session:
        for name, array in arrays.items():
            session.set_parameter(name, array)
        session.step()
        found = session.read_output()
    np.testing.assert_allclose(found, interpret(g, arrays, np.float64)[0], rtol=1e-5, atol=1e-6)


def at_random(candidate: Candidate, rng: random.Random) -> float:
    return rng.random() + 1e-3


def dearest(candidate: Candidate, rng: random.Random) -> float:
    """Costs turned round: the most work for each launch that is saved."""
    return 1e3 / candidate.cost_ns


def most_written(candidate: Candidate, rng: random.Random) -> float:
    return 1.0 / len(candidate.writes) ** 2


@pytest.mark.parametrize("cost", [at_random, dearest, most_written])
@settings(max_examples=10)
@given(random_graphs())
def test_any_choice_gives_the_same(cost: Callable[..., float], builder: Builder):
    """Kernels taken at random, or the worst: they are all right."""
    g = builder.graph
    g.set_outputs([g.mean_all(g.tanh(builder.values[-1])), builder.values[-1]])
    note(g.text())
    feeds = {
        f"x{i}": a.astype(np.float32) if a.dtype.kind == "f" else a
        for i, a in enumerate(builder.arrays)
    }
    results = []
    for choose in (extract, by_costs(cost)):
        with patched(choose), build(g, SessionConfig("cpu")) as session:
            feed(session, g, feeds)
            session.step()
            grads = map(session.read_param_grad, session.param_names())
            results.append([*session.read_outputs(), *grads])
    for best, other in zip(*results, strict=True):
        scale = max(1.0, float(np.abs(best).max()))
        np.testing.assert_allclose(other, best, rtol=1e-4, atol=1e-4 * scale)


def test_the_dearest_program_of_a_unet_is_right_too():
    """The e-graph tests the compiler: of all equal programs the one that costs most."""
    cfg = replace(SDUNetConfig.tiny(), batch_size=1, base_channels=8, num_levels=2, resolution=8)
    graph = training_graph(cfg)
    weights, data = draw(cfg)
    expected, single = (
        interpret(differentiate(graph), weights | data, dtype) for dtype in (np.float64, np.float32)
    )
    with patched(by_costs(dearest)), build(graph, SessionConfig("cpu")) as session:
        for name, array in weights.items():
            session.set_parameter(name, array)
        for name, array in data.items():
            session.set_input(name, array)
        session.step()
        names = session.param_names()
        found = [*session.read_outputs(), *map(session.read_param_grad, names)]
    # What float32 gives op by op is the measure, where it is worst: in a single gradient it may be
    # right by luck. Convolutions by tiles err more, by a known factor.
    scales = [np.abs(reference).max() for reference in expected]
    errors = [np.abs(a - b).max() for a, b in zip(single, expected, strict=True)]
    worst = EPSILON + max(error / scale for error, scale in zip(errors, scales, strict=True))
    for ours, reference, scale in zip(found, expected, scales, strict=True):
        np.testing.assert_allclose(ours, reference, rtol=0, atol=growth(graph) * worst * scale)


def by_costs(cost: Callable[..., float]) -> Callable[[Candidates, list[int]], Extraction]:
    """What is chosen if candidates have other costs."""

    def choose(candidates: Candidates, roots: list[int]) -> Extraction:
        rng = random.Random(0)
        seen = dict.fromkeys(c for mine in candidates.found.values() for c in mine)
        dear = {c: Candidate(c.written, cost(c, rng)) for c in seen}
        candidates.found = {v: [dear[c] for c in mine] for v, mine in candidates.found.items()}
        return extract(candidates, roots)

    return choose


@contextmanager
def patched(choose) -> Iterator[None]:
    """Extraction by another function, and nothing taken from disk that was made by the first."""
    before, os.environ["MEGANEURA_CACHE"] = os.environ["MEGANEURA_CACHE"], "off"
    optimizing.extract = choose
    try:
        yield
    finally:
        optimizing.extract = extract
        os.environ["MEGANEURA_CACHE"] = before
