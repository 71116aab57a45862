"""Expansion: composite ops that have no kernel of their own, replaced by their definitions."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from ..kernel.element import load
from ..kernel.index import flat
from . import walk
from .composite import CompositeOp, definition
from .graph import Graph, Node
from .op import Source
from .types import TensorType

G = TypeVar("G", bound=Graph)


def expand(graph: G) -> G:
    """The graph without ops that no kernel computes, and without copies of equal nodes."""
    while any(_must_expand(graph, node) for node in graph.nodes()):
        result = type(graph)()
        ids: dict[int, int] = {}
        for node in walk.live(graph, keep_leaves=True):
            inputs = [result.value(ids[i]) for i in node.inputs]
            if isinstance(node.op, CompositeOp) and _must_expand(graph, node):
                with result.located(node.where):
                    small = definition(node.op, tuple(x.ty for x in inputs))
                    ids[node.id] = walk.inline(small, result, inputs).id
            else:
                copied = [x.id for x in inputs]
                ids[node.id] = result.append(node.op, copied, node.ty, node.where).id
        result.copy_roots(graph, ids)
        graph = result
    return walk.merge_equal(graph)


@lru_cache(maxsize=4096)
def expanded_definition(op: CompositeOp, types: tuple[TensorType, ...]) -> Graph:
    """The definition of ``op`` for operands of these types, itself expanded."""
    return expand(definition(op, types))


def _must_expand(graph: Graph, node: Node) -> bool:
    if not isinstance(node.op, CompositeOp):
        return False
    sources = [in_memory(i, graph.node(i).ty) for i in node.inputs]
    return node.op.lower(node.ty, *sources) is None


def in_memory(value: int, ty: TensorType) -> Source:
    """A value that lies in memory in row-major order."""
    return Source(ty, lambda at: load(value, flat(at, ty.shape)))
