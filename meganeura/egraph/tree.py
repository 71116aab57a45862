"""What a kernel computes: ops over ops, down to the classes that it reads from memory."""

from __future__ import annotations

from ..ir.pointwise import PointwiseOp, can_be_inlined
from ..ir.types import TensorType
from ..ops.layout import BroadcastTo, Reshape
from ..ops.reduce import ReduceOp
from .classes import ENode

Types = dict[int, TensorType]
Space = tuple[int, int]
"""How many rows there are, and how long each is."""


class Tree:
    """One way to compute a class: an op whose operands are computed with it, or read from memory (a
    class's number). Trees are made once each, by `Trees`, and compared by identity. All is worked
    out at once: of the hundreds of thousands of questions to trees, most are asked of each."""

    __slots__ = (
        "depth",
        "elements",
        "fixed_inside",
        "inlined",
        "inner",
        "is_elementwise",
        "is_view",
        "node",
        "operations",
        "own_operations",
        "parts",
        "places",
        "reads",
        "trees",
        "value",
        "work",
    )

    def __init__(self, value: int, node: ENode, parts: tuple[Part, ...], elements: int) -> None:
        self.value, self.node, self.parts = value, node, parts
        self.elements = elements
        """How many its class has."""
        self.trees = tuple(part for part in parts if isinstance(part, Tree))
        """The operands that are computed with it."""
        self.depth: int = 1 + max((tree.depth for tree in self.trees), default=0)
        places = [tree.places for tree in self.trees] or [1]
        self.places: int = sum(places) if node.op.is_view else max(places)
        """At how many places what is deepest inside may be computed for one element: an op that
        puts values together reads each at a place of its own."""
        self.is_elementwise = can_be_inlined(node.op)
        """Whether the op itself is; its operands may not be."""
        self.is_view: bool = node.op.is_view and all(tree.is_view for tree in self.trees)
        """Whether it only says where elements lie."""
        self.reads: frozenset[int] = frozenset(
            part for part in parts if isinstance(part, int)
        ).union(*(tree.reads for tree in self.trees))
        """The classes that are read from memory."""
        self.inner: frozenset[int] = frozenset(tree.value for tree in self.trees).union(
            *(tree.inner for tree in self.trees)
        )
        """The classes that are computed on the way."""
        # Neither set below has the tree itself: who holds itself is forgotten late.
        self.fixed_inside = frozenset[Tree]().union(*(tree.fixed for tree in self.trees))
        """What of its operands is not elementwise."""
        self.inlined = frozenset[Tree]()
        """The elementwise ops that are computed at a place before this one is there."""
        self.own_operations = node.op.operations(len(parts))
        """Scalar operations of the op itself for one element."""
        self.operations = self.work = 0
        if self.is_elementwise:
            near = [tree for tree in self.trees if tree.is_elementwise]
            self.inlined = frozenset(near).union(*(tree.inlined for tree in near))
            all_of_it = (self, *self.inlined)
            self.operations = sum(tree.own_operations for tree in all_of_it)
            self.work = sum(tree.elements * tree.own_operations for tree in all_of_it)
        """Scalar operations for one element, where what occurs twice is computed once, and for all
        elements, where what is the same for many is computed before."""

    @property
    def fixed(self) -> tuple[Tree, ...]:
        """What of it is not elementwise."""
        return (*(() if self.is_elementwise else (self,)), *self.fixed_inside)


Part = Tree | int
"""What a kernel computes of an operand, or the class that it reads."""


class Trees:
    """All trees, each once."""

    def __init__(self, types: Types) -> None:
        self._known: dict[tuple[int, int, tuple[Part, ...]], Tree] = {}
        self._elements = {value: ty.num_elements() for value, ty in types.items()}

    def make(self, value: int, node: ENode, parts: tuple[Part, ...]) -> Tree:
        """The tree of these parts. An e-node is one object, which is quicker to compare."""
        key = (value, id(node), parts)
        if key not in self._known:
            self._known[key] = Tree(value, node, parts, self._elements[value])
        return self._known[key]


def keeps_place(node: ENode, operand: TensorType, out: TensorType, space: Space | None) -> bool:
    """Whether an elementwise op reads an operand at the very place where its result lies, or in a
    kernel over rows at the place of the row."""
    if isinstance(node.op, Reshape):
        return True
    if not isinstance(node.op, (PointwiseOp, BroadcastTo)):
        return False
    if operand.shape == out.shape:
        return True
    if space is None or (operand.num_elements(), out.num_elements()) != _sizes(space):
        return False
    padded = (1,) * (out.rank() - operand.rank()) + operand.shape
    cut = next(i for i in range(out.rank() + 1) if padded[i:] == (1,) * (out.rank() - i))
    return padded[:cut] == out.shape[:cut]


def _sizes(space: Space) -> tuple[int, int]:
    rows, length = space
    return rows, rows * length


def at_place(tree: Tree, types: Types, space: Space | None) -> list[Tree]:
    """The tree, and what of it a kernel knows at the place where it writes: it may write that too.
    Under another shape a value is the same, so reshapes are left out."""
    found: dict[Tree, None] = {}
    pending = [tree]
    while pending:
        now = pending.pop()
        if now in found:
            continue
        found[now] = None
        if isinstance(now.node.op, ReduceOp) and space is not None:
            pending += now.trees
        elif now.is_elementwise:
            out = types[now.value]
            pending += [t for t in now.trees if keeps_place(now.node, types[t.value], out, space)]
    return [t for t in found if not t.node.op.is_view]
