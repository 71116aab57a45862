"""An e-graph as extraction sees it: classes of equal values, each with the ways to compute it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..ir.op import Op
from ..ir.pointwise import can_be_inlined
from ..ir.types import TensorType


@dataclass(frozen=True)
class ENode:
    """An op over classes."""

    op: Op
    inputs: tuple[int, ...]


def is_leaf(op: Op) -> bool:
    """Whether an op stands for memory that is there anyway."""
    return not op.operands and not op.is_view


def _reads(nodes: list[ENode]) -> Counter[int]:
    """How often each class is read by the e-node that reads it most."""
    most: Counter[int] = Counter()
    for node in nodes:
        most |= Counter(node.inputs)
    return most


@dataclass
class Classes:
    """All classes: their types, and their e-nodes."""

    nodes: dict[int, list[ENode]] = field(default_factory=dict)
    types: dict[int, TensorType] = field(default_factory=dict)
    roots: list[int] = field(default_factory=list)
    """Classes that must be in memory in the end."""
    given: frozenset[ENode] = frozenset()
    """The e-nodes that were nodes of the graph; the others are rules'."""

    def is_leaf(self, value: int) -> bool:
        """Whether a class is in memory before the step."""
        return any(is_leaf(node.op) for node in self.nodes[value])

    def users(self) -> dict[int, int]:
        """For each class, how often others read it; ways to compute the same count once. A root is
        read once more. What rules have added counts only for classes that nothing else reads: what
        might be computed otherwise is no reason to keep a value."""
        by_given, by_all = Counter[int](self.roots), Counter[int](self.roots)
        for nodes in self.nodes.values():
            given = [node for node in nodes if node in self.given]
            by_all.update(_reads(nodes))
            by_given.update(_reads(given or nodes))
        return {value: by_given[value] or by_all[value] for value in self.nodes}

    def readers(self) -> dict[int, int]:
        """For each class, how many others are computed from it by an op that is not elementwise."""
        counts = dict.fromkeys(self.nodes, 0)
        for nodes in self.nodes.values():
            read = {i for n in nodes if not can_be_inlined(n.op) for i in n.inputs}
            for value in read:
                counts[value] += 1
        return counts

    def inputs(self, value: int) -> list[int]:
        """What any e-node of a class reads, each once."""
        return list(dict.fromkeys(i for node in self.nodes[value] for i in node.inputs))

    def without_circles(self) -> Classes:
        """The same without e-nodes that would let a class be computed from itself. Where classes
        are given by each other, one may read only those that are fewer steps away from leaves."""
        circle, steps = self._circles(), self._steps()
        nodes = {
            value: [
                node
                for node in mine
                if all(circle[i] != circle[value] or steps[i] < steps[value] for i in node.inputs)
            ]
            for value, mine in self.nodes.items()
        }
        return Classes(nodes, self.types, self.roots, self.given)

    def in_order(self) -> list[int]:
        """Classes, each after all that any of its e-nodes reads; there must be no circles."""
        order: dict[int, None] = {}
        pending = list(self.nodes)[::-1]
        while pending:
            missing = [i for i in self.inputs(pending[-1]) if i not in order]
            if missing:
                pending += missing
            else:
                order.setdefault(pending.pop())
        return list(order)

    def _steps(self) -> dict[int, int]:
        """For each class the fewest ops, one after another, that lead to it from leaves."""
        waiting: dict[int, list[tuple[int, set[int]]]] = {value: [] for value in self.nodes}
        steps: dict[int, int] = {}
        for value, nodes in self.nodes.items():
            for node in nodes:
                missing = set(node.inputs)
                for i in missing:
                    waiting[i].append((value, missing))
            if any(not node.inputs for node in nodes):
                steps[value] = 0
        order = list(steps)  # in rising order of steps, while it grows
        for value in order:
            for user, missing in waiting[value]:
                missing.discard(value)
                if not missing and user not in steps:
                    steps[user] = steps[value] + 1
                    order.append(user)
        return steps

    def _circles(self) -> dict[int, int]:
        """For each class a number that those share which can be computed from each other (Tarjan's
        strongly connected components, without recursion)."""
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        open_: dict[int, None] = {}
        found: dict[int, int] = {}
        for start in self.nodes:
            path = [] if start in index else [(start, iter(self.inputs(start)))]
            while path:
                value, rest = path[-1]
                if value not in index:
                    index[value] = low[value] = len(index)
                    open_[value] = None
                inner = next(rest, None)
                if inner is None:
                    path.pop()
                    if path:
                        above, _ = path[-1]
                        low[above] = min(low[above], low[value])
                    while low[value] == index[value] and value not in found:
                        last, _ = open_.popitem()
                        found[last] = value
                elif inner not in index:
                    path.append((inner, iter(self.inputs(inner))))
                elif inner not in found:
                    low[value] = min(low[value], index[inner])
        return found
