"""Random graphs through differentiation and the text form."""

from __future__ import annotations

import numpy as np
from hypothesis import given, note, settings

from meganeura import Graph, differentiate, interpret
from meganeura.ir.verify import verify
from tests.helpers.graphs import Builder, random_graphs

STEP = 1e-5


@settings(max_examples=150)
@given(random_graphs())
def test_gradients_of_random_graphs_match_central_differences(builder: Builder):
    g, result = builder.graph, builder.values[-1]
    weights = builder.rng.normal(size=result.shape)
    g.set_outputs([g.sum_all(result * g.input("weights", result.shape))])
    note(g.text())
    differentiated = differentiate(g)
    feeds = {f"x{i}": a for i, a in enumerate(builder.arrays)} | {"weights": weights}
    _, *gradients = interpret(differentiated, feeds, np.float64)

    floats = {k: a for k, a in feeds.items() if a.dtype.kind == "f" and k != "weights"}
    direction = {k: builder.rng.normal(size=a.shape) for k, a in floats.items()}
    found = sum(
        float((d * gradient).sum())
        for d, gradient in zip(direction.values(), gradients, strict=True)
    )
    slopes = []
    for step in (STEP, STEP / 2):
        ends = [
            float(interpret(g, feeds | _moved(floats, direction, s * step), np.float64)[0][0])
            for s in (1, -1)
        ]
        slopes.append((ends[0] - ends[1]) / (2 * step))
    if abs(slopes[0] - slopes[1]) > 1e-4 * max(map(abs, slopes)) + 1e-7:
        return  # a kink lies within the step: central differences say nothing here
    scale = max(abs(slopes[0]), sum(float(np.abs(x).sum()) for x in gradients) * 1e-3)
    assert abs(slopes[1] - found) <= 1e-5 * scale + 1e-8


def _moved(floats, direction, step):
    return {k: a + step * direction[k] for k, a in floats.items()}


@given(random_graphs())
def test_random_graphs_survive_text_and_toposort(builder: Builder):
    g = builder.graph
    g.set_outputs([builder.values[-1]])
    assert Graph.parse(g.text()) == g
    compact = verify(g.toposort(), "toposort")
    assert len(compact) <= len(g)
    feeds = {f"x{i}": a for i, a in enumerate(builder.arrays)}
    needed = {n.name: feeds[n.name] for n in compact.nodes() if n.name}
    before, after = interpret(g, feeds, np.float64), interpret(compact, needed, np.float64)
    np.testing.assert_array_equal(before[0], after[0])
