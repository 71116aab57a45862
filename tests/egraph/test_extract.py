"""What is stored and what is computed where it is read: the choice is the best there is, and any
choice gives the same numbers."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import given, note, settings

from meganeura import Graph, SessionConfig, build, differentiate, interpret
from meganeura.compiler import compile_graph
from meganeura.egraph import optimize as optimizing
from meganeura.egraph.candidate import Candidate, Candidates
from meganeura.egraph.cost import RATES
from meganeura.egraph.extract import Extraction, extract, greedy
from meganeura.egraph.program import Choice
from meganeura.egraph.rules import ALL
from meganeura.egraph.saturate import saturate
from meganeura.ir.expand import expand
from meganeura.kernel.target import Target
from tests.helpers.graphs import Builder, random_graphs
from tests.helpers.sessions import feed
from tests.helpers.unet import CONFIGS, training_graph

CPU = Target("cpu", lanes=8)


def chain() -> Graph:
    """Elementwise ops of which one has two users, and a sum."""
    g = Graph()
    x = g.input("x", (40, 50))
    twice = g.exp(x) * 2.0
    g.set_outputs([g.sum(g.tanh(twice), 1), twice + 1.0])
    return g


def cheapest_by_trying(candidates: Candidates, roots: list[int]) -> float:
    """The least cost of all choices, one after another."""
    computed = [value for value, found in candidates.found.items() if found]
    best = float("inf")
    for choice in product(*(candidates.found[value] for value in computed)):
        taken = {candidate.writes: candidate for candidate in choice}
        needed: dict[int, Candidate] = {}
        pending = [root for root in roots if root in taken]
        while pending:
            value = pending.pop()
            if value not in needed:
                needed[value] = taken[value]
                pending += [read for read in taken[value].reads if read in taken]
        best = min(best, sum(candidate.cost_ns for candidate in needed.values()))
    return best


def test_the_choice_is_the_cheapest_of_all():
    classes = saturate(expand(chain()), ALL).classes
    candidates = Candidates(classes, RATES["cpu"])
    found = extract(candidates, classes.roots)
    assert found.gap < 1e-3
    assert np.isclose(found.cost_ns, cheapest_by_trying(candidates, classes.roots), rtol=1e-3)


def test_a_chain_is_one_kernel():
    g = Graph()
    x = g.input("x", (30, 40))
    g.set_outputs([g.sum(g.tanh(g.exp(x) * 2.0) + x, 1)])
    assert len(compile_graph(g, CPU).plan.dispatches) == 1
    assert len(compile_graph(g, CPU, optimized=False).plan.dispatches) == 5


def test_the_training_of_the_unet_is_extracted_to_the_best():
    classes = saturate(expand(differentiate(training_graph(CONFIGS["tiny"]))), ALL).classes
    found = extract(Candidates(classes, RATES["cpu"]), classes.roots)
    assert found.gap < 1e-2


def test_a_value_that_is_an_output_and_an_intermediate_is_right():
    g = Graph()
    x = g.input("x", (3, 4))
    inner = g.exp(x)
    g.set_outputs([inner, g.tanh(inner), g.reshape(inner, (12,)), x])
    array = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    with build(g, SessionConfig("cpu", training=False)) as session:
        session.set_input("x", array)
        session.step()
        found = session.read_outputs()
    for ours, expected in zip(found, interpret(g, {"x": array}, np.float64), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-6)


@settings(max_examples=25)
@given(random_graphs())
def test_any_choice_gives_the_same(builder: Builder):
    """Candidates taken at random: what is stored changes nothing."""
    g = builder.graph
    g.set_outputs([g.mean_all(g.tanh(builder.values[-1])), builder.values[-1]])
    note(g.text())
    feeds = {
        f"x{i}": a.astype(np.float32) if a.dtype.kind == "f" else a
        for i, a in enumerate(builder.arrays)
    }
    results = []
    for choose in (extract, at_random, dearest):
        with patched(choose), build(g, SessionConfig("cpu")) as session:
            feed(session, g, feeds)
            session.step()
            grads = map(session.read_param_grad, session.param_names())
            results.append([*session.read_outputs(), *grads])
    for best, *others in zip(*results, strict=True):
        scale = max(1.0, float(np.abs(best).max()))
        for other in others:
            np.testing.assert_allclose(other, best, rtol=1e-4, atol=1e-4 * scale)


def at_random(candidates: Candidates, roots: list[int]) -> Extraction:
    """Any candidate of each class that is needed."""
    rng = random.Random(0)
    return by_costs(candidates, roots, lambda candidate: rng.random() + 1e-3)


def dearest(candidates: Candidates, roots: list[int]) -> Extraction:
    """Of each class a candidate that costs much."""
    most = max(c.cost_ns for found in candidates.found.values() for c in found)
    return by_costs(candidates, roots, lambda candidate: (1.01 * most - candidate.cost_ns) ** 8)


def by_costs(
    candidates: Candidates, roots: list[int], cost: Callable[[Candidate], float]
) -> Extraction:
    """What greed takes if candidates have these costs."""
    found = candidates.found
    choices = {
        value: [
            Choice(replace(c, cost_ns=cost(c)), frozenset(r for r in c.reads if found[r]))
            for c in mine
        ]
        for value, mine in found.items()
        if mine
    }
    taken = greedy(choices, list(choices), [root for root in roots if found[root]])
    return Extraction({c.candidate.writes: c.candidate for c in taken}, 0.0, 1.0)


class patched:
    """Extraction by another function, and nothing taken from disk that was made by the first."""

    def __init__(self, choose) -> None:
        self.choose, self.before = choose, os.environ["MEGANEURA_CACHE"]

    def __enter__(self) -> None:
        optimizing.extract = self.choose
        os.environ["MEGANEURA_CACHE"] = "off"

    def __exit__(self, *_) -> None:
        optimizing.extract = extract
        os.environ["MEGANEURA_CACHE"] = self.before
