"""How a value is used: who reads it, as which operand, and which of its axes become which.

What only moves the elements of a value is looked through: a transposed weight is still a weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..ir import walk
from ..ir.graph import Graph, Node
from ..ir.types import Shape, TensorType
from .layout import Permute, Reshape, Slice
from .leaf import IdentityOp

THROUGH = (IdentityOp, Permute, Reshape, Slice)
"""Ops whose users are users of what they read."""


@dataclass(frozen=True)
class Use:
    """One reading of a value by a node that computes with it."""

    user: Node
    operand: str
    """The name of the operand."""
    types: tuple[TensorType, ...]
    """The types of all operands of the user."""
    axes: Shape | None
    """For each axis of the operand, which axis of the value it is; None after a reshape."""


def uses(graph: Graph, node: Node, users: list[list[Node]] | None = None) -> Iterator[Use]:
    """Every use of a node's value, the nearest first. ``users`` is `walk.users` of the graph, for
    who asks about many nodes."""
    users = walk.users(graph) if users is None else users
    reading: list[tuple[Node, Shape | None]] = [(node, tuple(range(node.ty.rank())))]
    for source, axes in reading:
        for user in {u.id: u for u in users[source.id]}.values():
            if isinstance(user.op, THROUGH):
                reading.append((user, _moved(user, axes)))
                continue
            names = user.op.operand_names(len(user.inputs))
            types = tuple(graph.node(i).ty for i in user.inputs)
            for name, i in zip(names, user.inputs, strict=True):
                if i == source.id:
                    yield Use(user, name, types, axes)


def _moved(user: Node, axes: Shape | None) -> Shape | None:
    """Which axes the result of an op that is looked through has."""
    if axes is None or isinstance(user.op, Reshape):
        return None
    if isinstance(user.op, Permute):
        return tuple(axes[axis] for axis in user.op.axes)
    return axes
