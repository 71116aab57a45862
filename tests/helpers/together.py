"""Several small graphs compiled and run as one: a build takes longer than all else of a small case.

Each is held to the float64 reference of itself alone, by a bound of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from meganeura import Graph, SessionConfig, differentiate, interpret
from meganeura.ops.leaf import LeafOp
from tests.helpers.sessions import Arrays, results_and_nothing_stale
from tests.helpers.tolerance import allowed, growth, largest_met


@dataclass(frozen=True)
class Trial:
    """A graph, data for its leaves, and how long its sums are at most. In training its first output
    is a loss."""

    graph: Graph
    feeds: Arrays
    longest_sum: int


def longest(arrays: Sequence[np.ndarray]) -> int:
    """No sum is longer than all elements together."""
    return max(prod(array.shape) for array in arrays)


def joined(trials: Mapping[str, Trial], training: bool) -> tuple[Graph, Arrays]:
    """All graphs as one, each with its leaves under its name; in training the sum of all losses
    comes before all outputs."""
    graph, feeds, roots = Graph(), Arrays(), []
    for name, trial in trials.items():
        to: dict[int, int] = {}
        for node in trial.graph.nodes():
            op = node.op
            if isinstance(op, LeafOp) and node.name is not None:
                op = replace(op, label=f"{name}/{node.name}")
            to[node.id] = graph.append(op, [to[i] for i in node.inputs], node.ty, None).id
        for state, new in trial.graph.updates().items():
            graph.set_update(graph.value(to[state]), graph.value(to[new]))
        roots.append([graph.value(to[v.id]) for v in trial.graph.outputs()])
        feeds |= {f"{name}/{leaf}": array for leaf, array in trial.feeds.items()}
    losses = [outputs[0] for outputs in roots] if training else []
    total = [sum(losses[1:], start=losses[0])] if losses else []
    graph.set_outputs([*total, *(value for outputs in roots for value in outputs)])
    return graph, feeds


def check_together(trials: Mapping[str, Trial], config: SessionConfig) -> None:
    """Outputs and gradients of all, by one session, and again with NaN in all stale memory."""
    try:
        _check(trials, config)
    except Exception:
        if len(trials) > 1:  # which of them is it?
            for name, trial in trials.items():
                _check({name: trial}, config)
        raise


def _check(trials: Mapping[str, Trial], config: SessionConfig) -> None:
    graph, feeds = joined(trials, config.training)
    found, ran = results_and_nothing_stale(graph, config, feeds)
    count = len(graph.outputs())
    labels = [ran.node(leaf).name for leaf in ran.gradients()]
    gradients = dict(zip(labels, found[count:], strict=True))
    outputs = iter(found[1:count] if config.training else found)
    for name, trial in trials.items():
        alone = differentiate(trial.graph) if config.training else trial.graph
        needed = {k: v for k, v in trial.feeds.items() if alone.leaf(k) is not None}
        expected = interpret(alone, needed, np.float64)
        mine = [next(outputs) for _ in trial.graph.outputs()]
        mine += [gradients[f"{name}/{alone.node(leaf).name}"] for leaf in alone.gradients()]
        error = allowed(largest_met(alone, needed), trial.longest_sum, growth(alone))
        for ours, reference in zip(mine, expected, strict=True):
            assert ours.shape == reference.shape and ours.dtype == np.float32
            np.testing.assert_allclose(ours, reference, rtol=0, atol=error, err_msg=name)
