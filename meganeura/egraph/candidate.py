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
"""Ways in which an operand is read by the first of its e-nodes."""
MOST_OTHERS = 4
"""Ways in which it may be read by others."""


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
    def is_view(self) -> bool:
        """Whether it only says where elements lie."""
        inner = (part.is_view for part in self.parts if isinstance(part, Tree))
        return self.node.op.is_view and all(inner)

    @cached_property
    def _hash(self) -> int:
        return hash((self.node, self.parts))

    def __hash__(self) -> int:
        return self._hash


Part = Tree | int
"""What a kernel computes of an operand, or the class that it reads."""


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


class Candidates:
    """All candidates of an e-graph's classes."""

    def __init__(self, classes: Classes, rates: Rates) -> None:
        self.classes, self.rates = classes, rates
        self.users = classes.users()
        self.memory: dict[int, Part] = {}
        """Each class as it is read if nothing is computed: views are never in memory."""
        self.alone: dict[int, Part] = {}
        """Each class as read with all inlined that is read once."""
        self.whole: dict[int, Part] = {}
        """Each class as read with all inlined."""
        self.others: dict[int, list[Tree]] = {}
        """Further ways to read a class: those of its other e-nodes."""
        self.found: dict[int, list[Candidate]] = {}
        order = classes.in_order()
        for value in order:
            self._add_forms(value)
        for value in order:
            self.found[value] = [
                candidate
                for node in ([] if classes.is_leaf(value) else classes.nodes[value])
                for candidate in self._kernels(value, node)
                if value not in candidate.reads
            ]

    def _add_forms(self, value: int) -> None:
        """How users may read a class: from memory, or by computing one of its e-nodes. What a cycle
        leads back to is read from memory."""
        nodes = [] if self.classes.is_leaf(value) else self.classes.nodes[value]
        by_node = [self._expanded(value, node) for node in nodes if can_be_inlined(node.op)]
        forms = [form for form in by_node if form is not None]
        only_views = all(node.op.is_view for node in nodes)
        forms.sort(key=lambda form: (len(form[2].reads), form[2].operations))
        near, alone, whole = forms[0] if forms else (value, value, value)
        self.memory[value] = near if forms and only_views else value
        self.alone[value], self.whole[value] = alone, whole
        rest = (part for form in forms[1:] for part in form if isinstance(part, Tree))
        self.others[value] = list(dict.fromkeys(rest))[:MOST_OTHERS]

    def _expanded(self, value: int, node: ENode) -> tuple[Part, Part, Tree] | None:
        """A class as read by computing this node from memory, with what it alone needs, and with
        all."""
        near, alone, whole = (
            Tree(node, tuple(forms.get(i, i) for i in node.inputs))
            for forms in (self.memory, self.alone, self.whole)
        )
        most = next((tree for tree in (whole, alone, near) if _fits(tree)), near)
        if value in most.reads or value in near.reads or value in alone.reads:
            return None
        if node.op.is_view:
            return near, alone if _fits(alone) else near, most
        is_read_once = self.users[value] == 1 and _fits(alone)
        return value, alone if is_read_once else value, most

    def _kernels(self, value: int, node: ENode) -> Iterator[Candidate]:
        """The node by itself, with what only it reads, with all, and the steps between."""
        forms = [self._forms(node, i) for i in range(len(node.inputs))]
        choices: dict[tuple[Part, ...], None] = {}
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

    def _forms(self, node: ENode, number: int) -> tuple[Part, ...]:
        """An operand through views of memory, from memory as it is, with what it alone needs, with
        all, and its others."""
        value = node.inputs[number]
        memory = self.memory[value]
        if node.op.inlines(number):
            return (memory, value, self.alone[value], self.whole[value], *self.others[value])
        views = (tree for tree in self.others[value] if tree.is_view)
        return (memory, value, memory, memory, *views)

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
