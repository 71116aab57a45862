"""Optimization: a graph to classes, all rules, the best candidates, and a graph again.

In:  an expanded graph with its gradients and updates.   Out: an equal graph, and which of its nodes
are stored; the others are computed where they are read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ..errors import InternalError, Location
from ..ir import walk
from ..ir.graph import Graph
from ..kernel.target import Target
from ..ops.layout import Reshape
from ..trace import Stopwatch
from .candidate import Candidates
from .extract import Extraction, extract
from .rule import Rule
from .rules import ALL, GROUPS
from .saturate import Saturation, saturate, under_shapes
from .tree import Tree

G = TypeVar("G", bound=Graph)

MOST_VALUES = 16
"""Values that a kernel reads and writes, where its target has no limit."""


@dataclass(frozen=True)
class Options:
    """What the optimizer may do."""

    groups: tuple[str, ...] = GROUPS
    """The groups of rules that it applies."""
    exact: bool = False
    """Whether it applies only rules that leave every bit as it was."""

    def rules(self, target: Target) -> list[Rule]:
        """The rules for a target. A GPU's kernels know one algorithm for each op."""
        groups = set(self.groups) - ({"algorithm"} if target.kind == "gpu" else set())
        rules = (rule for rule in ALL if rule.group in groups)
        return [rule for rule in rules if rule.exact or not self.exact]


@dataclass(frozen=True)
class Facts:
    """What was found on the way."""

    nodes: int = 0
    """Nodes of the graph that came in."""
    classes: int = 0
    e_nodes: int = 0
    fired: dict[str, int] = field(default_factory=dict)
    """How often each rule matched."""
    is_complete: bool = True
    """Whether no rule had anything to add."""
    candidates: int = 0
    cost_ns: float = 0.0
    """What all kernels together are taken to cost."""
    gap: float = 0.0
    """How much cheaper the best could be, as a part of that; 0 if this is the best."""
    times_ns: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Optimized(Generic[G]):
    """A graph as it will run."""

    graph: G
    stored: dict[int, tuple[int, ...]] | None
    """For the last node of each kernel, all nodes that it writes; None: all but views."""
    costs_ns: dict[int, float] = field(default_factory=dict)
    """For the last node of each kernel, what it is taken to cost."""
    facts: Facts = field(default_factory=Facts)


def optimize(graph: G, target: Target, options: Options | None = None) -> Optimized[G]:
    """The best equal graph for a target; without options, the graph as it is."""
    if options is None:
        return Optimized(graph, None)
    timed = Stopwatch()
    most = MOST_VALUES if target.most_operands is None else target.most_operands + 1
    saturation = timed("saturate", lambda: saturate(graph, options.rules(target)))
    classes = saturation.classes
    candidates = timed("candidates", lambda: Candidates.of(classes, target.rates, most))
    extraction = timed("extract", lambda: extract(candidates, classes.roots))
    facts = Facts(
        len(graph),
        len(classes.nodes),
        sum(map(len, saturation.whole.nodes.values())),
        dict(saturation.fired),
        saturation.is_complete,
        len({id(c) for mine in candidates.found.values() for c in mine}),
        extraction.cost_ns,
        extraction.gap,
        timed.times_ns,
    )
    return _Writer(graph, saturation, extraction, facts).write()


class _Writer(Generic[G]):
    """The graph that was extracted, under way."""

    def __init__(
        self, graph: G, saturation: Saturation, extraction: Extraction, facts: Facts
    ) -> None:
        self.graph, self.saturation, self.chosen = graph, saturation, extraction.chosen
        self.facts = facts
        self.result = type(graph)()
        self.ids: dict[int, int] = {}
        """The node that holds each class that is stored, or is a leaf."""
        self.stored: dict[int, tuple[int, ...]] = {}
        self.costs_ns: dict[int, float] = {}

    def write(self) -> Optimized[G]:
        """Leaves, kernels in order, roots."""
        for node in walk.live(self.graph, keep_leaves=True):
            if node.name is not None:
                value = self.saturation.class_of[node.id]
                self.ids[value] = self.result.append(node.op, (), node.ty, node.where).id
        roots = {root: self._root(root) for root in walk.roots(self.graph)}
        self.result.copy_roots(self.graph, roots)
        return Optimized(self.result, self.stored, self.costs_ns, self.facts)

    def _root(self, root: int) -> int:
        """A root's node: what is stored, under its shape."""
        inner = under_shapes(self.graph, root)
        result = self.result.value(self._stored(self.saturation.class_of[inner]))
        node = self.graph.node(root)
        if result.shape == node.ty.shape:
            return result.id
        return self.result.append(Reshape(node.ty.shape), [result.id], node.ty, node.where).id

    def _stored(self, value: int) -> int:
        """The node of a class that is stored, after all that it reads."""
        pending = [value]
        under_way: set[int] = set()
        while pending:
            now = pending[-1]
            missing = [] if now in self.ids else [r for r in self._reads(now) if r not in self.ids]
            if missing:
                if now in under_way:
                    raise InternalError(f"class {now} is computed from itself")
                under_way.add(now)
                pending += missing
                continue
            pending.pop()
            if now not in self.ids:
                self._kernel(now)
        return self.ids[value]

    def _reads(self, value: int) -> list[int]:
        return sorted(self.chosen[value].reads) if value in self.chosen else []

    def _kernel(self, value: int) -> None:
        if value in self.chosen:
            candidate = self.chosen[value]
            nodes: dict[Tree, int] = {}
            self._tree(candidate.tree, self._where(candidate.tree.value, None), nodes)
            writes = tuple(nodes[tree] for tree in candidate.written)
            self.ids |= dict(zip(candidate.writes, writes, strict=True))
            self.stored[writes[0]] = writes
            self.costs_ns[writes[0]] = candidate.cost_ns
            return
        (op,) = (node.op for node in self.saturation.classes.nodes[value] if not node.inputs)
        ty = self.saturation.classes.types[value]
        self.ids[value] = self.result.append(op, (), ty, self._where(value, None)).id

    def _tree(self, tree: Tree, where: Location | None, nodes: dict[Tree, int]) -> int:
        """The nodes of a kernel; what it reads is there."""
        if tree not in nodes:
            where = self._where(tree.value, where)
            inputs = [
                self.ids[part] if isinstance(part, int) else self._tree(part, where, nodes)
                for part in tree.parts
            ]
            ty = self.saturation.classes.types[tree.value]
            nodes[tree] = self.result.append(tree.node.op, inputs, ty, where).id
        return nodes[tree]

    def _where(self, value: int, otherwise: Location | None) -> Location | None:
        """The user's line that a class came from; of one that a rule has written, its reader's."""
        return self.graph.node(value).where if value < len(self.graph) else otherwise
