"""Optimization: a graph to classes, the best candidates, and a graph again.

In:  an expanded graph with its gradients and updates.   Out: an equal graph, and which of its nodes
are stored; the others are computed where they are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ..ir import walk
from ..ir.graph import Graph
from ..ops.layout import Reshape
from .candidate import Candidates, Tree
from .classes import Classes, ENode
from .cost import Rates
from .extract import Extraction, extract

G = TypeVar("G", bound=Graph)


@dataclass(frozen=True)
class Optimized(Generic[G]):
    """A graph as it will run."""

    graph: G
    stored: frozenset[int] | None
    """The nodes that are written to memory by a kernel; None: all but views."""
    extraction: Extraction


def optimize(graph: G, rates: Rates, choose: bool = True) -> Optimized[G]:
    """The best equal graph; unless one is to be chosen, the graph as it is."""
    if not choose:
        return Optimized(graph, None, Extraction({}, 0.0, 0.0))
    classes = read_graph(graph)
    candidates = Candidates(classes, rates)
    extraction = extract(candidates, classes.roots)
    return _Writer(graph, classes, candidates, extraction).write()


def read_graph(graph: Graph) -> Classes:
    """A class for each node that is alive."""
    classes = Classes()
    for node in walk.live(graph, keep_leaves=True):
        classes.nodes[node.id] = [ENode(node.op, node.inputs)]
        classes.types[node.id] = node.ty
    seen = dict.fromkeys(_under_shapes(graph, root) for root in walk.roots(graph))
    classes.roots = [value for value in seen if graph.node(value).name is None]
    return classes


def _under_shapes(graph: Graph, value: int) -> int:
    """What a value is under another shape: stored, it is both."""
    while isinstance(graph.node(value).op, Reshape):
        (value,) = graph.node(value).inputs
    return value


class _Writer(Generic[G]):
    """The graph that was extracted, under way."""

    def __init__(
        self, graph: G, classes: Classes, candidates: Candidates, extraction: Extraction
    ) -> None:
        self.graph, self.classes, self.candidates = graph, classes, candidates
        self.extraction = extraction
        self.result = type(graph)()
        self.ids: dict[int, int] = {}
        self.stored: set[int] = set()

    def write(self) -> Optimized[G]:
        """Leaves, kernels in order, roots."""
        for node in walk.live(self.graph, keep_leaves=True):
            if not self.candidates.found[node.id]:  # a leaf
                self.ids[node.id] = self.result.append(node.op, (), node.ty, node.where).id
            elif node.id in self.extraction.chosen:
                self.ids[node.id] = self._tree(self.extraction.chosen[node.id].tree, node.id, {})
                self.stored.add(self.ids[node.id])
            elif isinstance(node.op, Reshape) and node.inputs[0] in self.ids:
                inputs = [self.ids[node.inputs[0]]]
                self.ids[node.id] = self.result.append(node.op, inputs, node.ty, node.where).id
        self.result.copy_roots(self.graph, self.ids)
        return Optimized(self.result, frozenset(self.stored), self.extraction)

    def _tree(self, tree: Tree, value: int, seen: dict[Tree, int]) -> int:
        """The nodes of a kernel; what it reads is there."""
        inputs = []
        for part, inner in zip(tree.parts, tree.node.inputs, strict=True):
            if isinstance(part, int):
                inputs.append(self.ids[part])
            else:
                if part not in seen:
                    seen[part] = self._tree(part, inner, seen)
                inputs.append(seen[part])
        ty, where = self.classes.types[value], self.graph.node(value).where
        return self.result.append(tree.node.op, inputs, ty, where).id
