"""Random graphs through all passes, without code or a run: many, because that is quick. Every class
that is needed has a kernel, every kernel passes its checker, and so does every plan."""

from __future__ import annotations

from hypothesis import given, note, settings

from meganeura import Adam, append_update, differentiate
from meganeura.compiler import compile_graph
from meganeura.kernel.target import GPU, Target
from tests.helpers.graphs import Builder, random_graphs


@settings(max_examples=50)
@given(random_graphs())
def test_random_graphs_compile_for_both_targets(builder: Builder):
    g = builder.graph
    g.set_outputs([g.mean_all(g.tanh(builder.values[-1])), builder.values[-1]])
    note(g.text())
    training = append_update(differentiate(g), Adam(1e-3))
    for target in (Target("cpu", lanes=8), GPU):
        plan = compile_graph(training, target).plan
        assert plan.dispatches
