"""Feeding sessions from dictionaries, and what they compute."""

from __future__ import annotations

import numpy as np

from meganeura import Graph, Session, SessionConfig, build
from meganeura.ops.leaf import State

Arrays = dict[str, np.ndarray]


def feed(session: Session, graph: Graph, arrays: Arrays) -> None:
    """Set every input and parameter of ``graph`` from the array of its name."""
    for node in graph.nodes():
        if node.op.name == "input":
            session.set_input(node.name, arrays[node.name])
        elif node.op.name == "parameter":
            session.set_parameter(node.name, arrays[node.name])


def step(session: Session) -> list[np.ndarray]:
    """The outputs and gradients of a step."""
    session.step()
    names = [name for name in session.param_names() if session.has_param_grad(name)]
    return [*session.read_outputs(), *map(session.read_param_grad, names)]


def results(graph: Graph, config: SessionConfig, arrays: Arrays) -> tuple[list[np.ndarray], Graph]:
    """The outputs and gradients of a step, and the graph that ran."""
    with build(graph, config) as session:
        feed(session, graph, arrays)
        return step(session), session.graph()


def results_and_nothing_stale(
    graph: Graph, config: SessionConfig, arrays: Arrays
) -> tuple[list[np.ndarray], Graph]:
    """The same as `results`, and again to the bit while all that a kernel may not count on is
    NaN."""
    with build(graph, config) as session:
        feed(session, graph, arrays)
        found, ran = step(session), session.graph()
        session._runner.refreshed().poison()
        for node in ran.nodes():
            if isinstance(node.op, State):
                session.set_state(node.name, np.zeros(node.ty.shape))
        for ours, before in zip(step(session), found, strict=True):
            np.testing.assert_array_equal(ours.view(np.uint32), before.view(np.uint32))
        return found, ran
