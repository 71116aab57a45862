"""An e-graph as extraction sees it: classes of equal values, each with the ways to compute it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.op import Op
from ..ir.types import TensorType


@dataclass(frozen=True)
class ENode:
    """An op over classes."""

    op: Op
    inputs: tuple[int, ...]


@dataclass
class Classes:
    """All classes: their types, and their e-nodes, the one of the original graph first."""

    nodes: dict[int, list[ENode]] = field(default_factory=dict)
    types: dict[int, TensorType] = field(default_factory=dict)
    roots: list[int] = field(default_factory=list)
    """Classes that must be in memory in the end."""

    def users(self) -> dict[int, int]:
        """For each class, by how many e-nodes it is read; a root is read once more."""
        counts = dict.fromkeys(self.nodes, 0)
        for nodes in self.nodes.values():
            for node in nodes:
                for value in node.inputs:
                    counts[value] += 1
        for root in self.roots:
            counts[root] += 1
        return counts

    def in_order(self) -> list[int]:
        """Classes, each after all that any of its e-nodes reads; cycles are cut anywhere."""
        order: list[int] = []
        state: dict[int, bool] = {}
        for start in self.nodes:
            pending = [(start, False)]
            while pending:
                value, is_done = pending.pop()
                if is_done:
                    order.append(value)
                    state[value] = True
                elif value not in state:
                    state[value] = False
                    pending.append((value, True))
                    pending += [
                        (inner, False)
                        for node in self.nodes[value]
                        for inner in node.inputs
                        if inner not in state
                    ]
        return order
