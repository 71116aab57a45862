"""Walks over graphs: what is alive, what depends on what, and copying one graph into another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from .graph import Graph, Node, Value
from .op import Op

G = TypeVar("G", bound=Graph)


def roots(graph: Graph) -> list[int]:
    """The nodes a graph exists for: outputs, gradients, updates and the leaves they update."""
    pairs = [*graph.updates().items(), *graph.gradients().items()]
    return [value.id for value in graph.outputs()] + [i for pair in pairs for i in pair]


def live(graph: Graph, keep_leaves: bool = False) -> list[Node]:
    """The nodes that the roots need, each after its inputs; with ``keep_leaves`` also the named
    leaves that nothing needs."""
    needed = set(roots(graph))
    if keep_leaves:
        needed.update(node.id for node in graph.nodes() if node.name is not None)
    for node in reversed(graph.nodes()):
        if node.id in needed:
            needed.update(node.inputs)
    return [node for node in graph.nodes() if node.id in needed]


def users(graph: Graph) -> list[list[Node]]:
    """For each node, the nodes that read it (once for each time they do)."""
    result: list[list[Node]] = [[] for _ in graph.nodes()]
    for node in graph.nodes():
        for i in node.inputs:
            result[i].append(node)
    return result


def dependents(nodes: Sequence[Node], sources: Iterable[int]) -> set[int]:
    """The sources, and which of ``nodes`` depend on them through differentiable ops."""
    result = set(sources)
    for node in nodes:
        if node.op.differentiable and any(i in result for i in node.inputs):
            result.add(node.id)
    return result


def copy(graph: G, keep_leaves: bool = False, forward: Callable[[Node], bool] | None = None) -> G:
    """The live part of ``graph`` as a new graph with dense ids.

    A node for which ``forward`` is true is left out; its users read its first input."""
    result = type(graph)()
    ids: dict[int, int] = {}
    for node in live(graph, keep_leaves):
        inputs = [ids[i] for i in node.inputs]
        if forward is not None and forward(node):
            ids[node.id] = inputs[0]
        else:
            ids[node.id] = result.append(node.op, inputs, node.ty, node.where).id
    result.copy_roots(graph, ids)
    return result


def outputs_alone(graph: G) -> G:
    """The graph with its outputs as only roots: no leaf is replaced, no gradient read."""
    result = type(graph)()
    for node in graph.nodes():
        result.append(node.op, node.inputs, node.ty, node.where)
    result.set_outputs([value.id for value in graph.outputs()])
    return result


def merge_equal(graph: G) -> G:
    """The live part of ``graph`` and its leaves, nodes of equal op and equal inputs made one."""
    result = type(graph)()
    ids: dict[int, int] = {}
    seen: dict[tuple[Op, tuple[int, ...]], int] = {}
    for node in live(graph, keep_leaves=True):
        inputs = tuple(ids[i] for i in node.inputs)
        key = (node.op, inputs)
        if key not in seen:
            seen[key] = result.append(node.op, inputs, node.ty, node.where).id
        ids[node.id] = seen[key]
    result.copy_roots(graph, ids)
    return result


def inline(definition: Graph, into: Graph, inputs: Sequence[Value]) -> Value:
    """Copy the nodes of ``definition`` into a graph, its leaves replaced by ``inputs`` in order;
    the value of its first output."""
    ids: dict[int, int] = {}
    given = iter(inputs)
    where = into.location()
    for node in definition.nodes():
        if node.name is not None:
            ids[node.id] = next(given).id
        else:
            copied = [ids[i] for i in node.inputs]
            ids[node.id] = into.append(node.op, copied, node.ty, where).id
    return into.value(ids[definition.outputs()[0].id])
