"""The invariants of a graph, checked after every pass.

A pass that breaks one is a bug of ours, so a violation is an `InternalError` with the graph's
text attached.
"""

from __future__ import annotations

from typing import TypeVar

from ..errors import GraphError, InternalError
from .graph import Graph, Node
from .text import print_graph

G = TypeVar("G", bound=Graph)


def verify(graph: G, stage: str) -> G:
    """The graph itself, after checking every node and root of it."""
    for position, node in enumerate(graph.nodes()):
        problem = _problem(graph, position, node)
        if problem is not None:
            raise InternalError(
                f"after {stage}, node %{position} is wrong: {problem}", text=print_graph(graph)
            )
    for leaf, value in [*graph.updates().items(), *graph.gradients().items()]:
        if graph.node(leaf).ty != graph.node(value).ty:
            raise InternalError(
                f"after {stage}, %{value} stands for {graph.node(leaf)} but has another type",
                text=print_graph(graph),
            )
    return graph


def _problem(graph: Graph, position: int, node: Node) -> str | None:
    if node.id != position:
        return f"its id is {node.id}"
    if any(not 0 <= i < position for i in node.inputs):
        return f"it reads {node.inputs}, not all of which come before it"
    if node.name is not None and graph.leaf(node.name) != node.id:
        return f'its name "{node.name}" is not its own'
    types = [graph.node(i).ty for i in node.inputs]
    try:
        node.op.check_operands(*types)
        inferred = node.op.infer(*types)
    except GraphError as error:
        return error.message
    return None if inferred == node.ty else f"it is {node.ty} and should be {inferred}"
