"""Feeding sessions from dictionaries, and what they compute."""

from __future__ import annotations

import os
from unittest import mock

import numpy as np

from meganeura import Graph, Session, SessionConfig, build

Arrays = dict[str, np.ndarray]


def feed(session: Session, graph: Graph, arrays: Arrays) -> None:
    """Set every input and parameter of ``graph`` from the array of its name."""
    for node in graph.nodes():
        if node.op.name == "input":
            session.set_input(node.name, arrays[node.name])
        elif node.op.name == "parameter":
            session.set_parameter(node.name, arrays[node.name])


def results(graph: Graph, config: SessionConfig, arrays: Arrays) -> tuple[list[np.ndarray], Graph]:
    """The outputs and gradients of a step, and the graph that ran."""
    with build(graph, config) as session:
        feed(session, graph, arrays)
        session.step()
        names = [name for name in session.param_names() if session.has_param_grad(name)]
        found = [*session.read_outputs(), *map(session.read_param_grad, names)]
        return found, session.graph()


def check_nothing_stale_is_read(
    graph: Graph, config: SessionConfig, arrays: Arrays, expected: list[np.ndarray]
) -> None:
    """The same bits as ``expected`` while all that a kernel may not count on is NaN."""
    with mock.patch.dict(os.environ, MEGANEURA_POISON="1"):
        found, _ = results(graph, config, arrays)
    for ours, before in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours.view(np.uint32), before.view(np.uint32))
