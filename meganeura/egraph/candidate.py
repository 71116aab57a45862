"""Candidates: the kernels that could compute a class, each with what it reads and what it costs.

A kernel computes an op, and with it whatever elementwise work it does not find in memory. So what
to fuse, what to store and what to compute twice is one question: which candidates to take. Of each
class four forms are known to those who read it: through views of memory; from memory as it is; with
all inlined that nobody else reads; with all inlined that can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from ..ir.op import Op
from ..ir.pointwise import PointwiseOp
from .classes import Classes, ENode
from .cost import Rates

MOST_READS = 7
"""Values that an expression reads from memory: what a kernel can bind on any device."""
MOST_OPERATIONS = 96
"""Operations of an inlined expression: more would make long kernels."""

FORMS = 4
"""Ways in which an operand can be read."""


@dataclass(frozen=True)
class Tree:
    """An op whose operands are computed with it, or read from memory (a class's number)."""

    node: ENode
    parts: tuple[Tree | int, ...]

    @cached_property
    def reads(self) -> frozenset[int]:
        """The classes that are read from memory."""
        sets = ({part} if isinstance(part, int) else part.reads for part in self.parts)
        return frozenset(chain.from_iterable(sets))

    @cached_property
    def operations(self) -> int:
        """Scalar operations for one element."""
        inner = sum(part.operations for part in self.parts if isinstance(part, Tree))
        return inner + self.node.op.operations(len(self.parts))

    @cached_property
    def _hash(self) -> int:
        return hash((self.node, self.parts))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class Candidate:
    """A kernel that writes a class."""

    writes: int
    tree: Tree
    cost_ns: float

    @property
    def reads(self) -> frozenset[int]:
        """The classes that it reads from memory."""
        return self.tree.reads


def can_be_inlined(op: Op) -> bool:
    """Whether users can compute an op's elements as they read them."""
    return op.is_view or isinstance(op, PointwiseOp)


def is_leaf(op: Op) -> bool:
    """Whether an op stands for memory that is there anyway."""
    return not op.operands and not op.is_view


class Candidates:
    """All candidates of an e-graph's classes."""

    def __init__(self, classes: Classes, rates: Rates) -> None:
        self.classes, self.rates = classes, rates
        self.users = classes.users()
        self.alone: dict[int, Tree | int] = {}
        """Each class as read with all inlined that is read once."""
        self.whole: dict[int, Tree | int] = {}
        """Each class as read with all inlined."""
        self.found: dict[int, list[Candidate]] = {}
        for value in classes.in_order():
            self._add(value)

    def _add(self, value: int) -> None:
        self.alone[value] = self.whole[value] = value
        self.found[value] = []
        for node in self.classes.nodes[value]:
            if is_leaf(node.op):
                continue
            self._expand(value, node)
            self.found[value] += self._kernels(value, node)

    def _expand(self, value: int, node: ENode) -> None:
        """How users may read a class by computing this node."""
        if not can_be_inlined(node.op):
            return
        alone = Tree(node, tuple(self.alone[i] for i in node.inputs))
        whole = Tree(node, tuple(self.whole[i] for i in node.inputs))
        near = Tree(node, node.inputs)
        if node.op.is_view:
            self.alone[value] = self._fitting(alone, near)
            self.whole[value] = self._fitting(whole, alone, near)
            return
        if self.users[value] == 1 and _fits(alone):
            self.alone[value] = alone
        if _fits(whole):
            self.whole[value] = whole
        elif _fits(alone):
            self.whole[value] = alone

    def _fitting(self, *trees: Tree) -> Tree:
        return next((tree for tree in trees if _fits(tree)), trees[-1])

    def _kernels(self, value: int, node: ENode) -> Iterator[Candidate]:
        """The node by itself, with what only it reads, with all, and the steps between."""
        forms = [self._forms(node, i) for i in range(len(node.inputs))]
        choices: dict[tuple[Tree | int, ...], None] = {}
        for kind in range(FORMS):
            base = [form[kind] for form in forms]
            choices.setdefault(tuple(base))
            for i, form in enumerate(forms):
                for other in form:
                    choices.setdefault(tuple([*base[:i], other, *base[i + 1 :]]))
        by_itself = tuple(form[0] for form in forms)
        for parts in choices:
            tree = Tree(node, parts)
            if len(tree.reads) <= MOST_READS or parts == by_itself:
                yield Candidate(value, tree, self._cost(value, tree))

    def _forms(self, node: ENode, number: int) -> tuple[Tree | int, ...]:
        """An operand through views of memory, from memory as it is, with what it alone needs, and
        with all."""
        value = node.inputs[number]
        memory = self.through_views(value)
        if node.op.inlines(number):
            return memory, value, self.alone[value], self.whole[value]
        return memory, value, memory, memory

    def through_views(self, value: int) -> Tree | int:
        """A class as it is read if nothing is computed: views are never in memory."""
        for node in self.classes.nodes[value]:
            if node.op.is_view:
                return Tree(node, tuple(self.through_views(i) for i in node.inputs))
        return value

    def _cost(self, value: int, tree: Tree) -> float:
        types, rates, node = self.classes.types, self.rates, tree.node
        out = types[value]
        moved = out.size_bytes() + sum(types[read].size_bytes() for read in tree.reads)
        inputs = [types[i] for i in node.inputs]
        if can_be_inlined(node.op):
            work = out.num_elements() * tree.operations
        else:
            parts = zip(tree.parts, inputs, strict=True)
            each = [ty.num_elements() * p.operations for p, ty in parts if isinstance(p, Tree)]
            work = round(node.op.passes * sum(each)) + sum(ty.num_elements() for ty in inputs)
        return (
            rates.launch_ns
            + moved / rates.bytes_per_ns
            + work / rates.operations_per_ns
            + node.op.products(out, *inputs) / rates.products_per_ns
        )


def _fits(tree: Tree) -> bool:
    return len(tree.reads) <= MOST_READS and tree.operations <= MOST_OPERATIONS
