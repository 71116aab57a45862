"""Feeding sessions from dictionaries."""

from __future__ import annotations

import numpy as np

from meganeura import Graph, Session


def feed(session: Session, graph: Graph, arrays: dict[str, np.ndarray]) -> None:
    """Set every input and parameter of ``graph`` from the array of its name."""
    for node in graph.nodes():
        if node.op.name == "input":
            session.set_input(node.name, arrays[node.name])
        elif node.op.name == "parameter":
            session.set_parameter(node.name, arrays[node.name])
