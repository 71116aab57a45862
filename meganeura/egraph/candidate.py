"""Candidates: the kernels that could write classes, each with what it reads and what it costs.

A kernel computes an op, and with it whatever elementwise work it does not find in memory; it goes
on computing with what the op gives before it writes; sums over rows can be stages of one kernel;
and what a kernel knows at the place where it writes, it can write too. So what to fuse, what to
store and what to compute twice is one question: which candidates to take.

Of each class some forms are known to those who read it. Elementwise: through views of memory; from
memory as it is; with all inlined that nobody else reads; with all inlined that can be. Over rows:
with the sums that are in it, the same two ways. After an op that is not elementwise: by going on.

Some questions have one answer, and are not asked. A few numbers are never stored if whoever reads
them can compute them. What only one elementwise op reads, at the place where it is made, is not
stored either: the kernel that makes it goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ..ir.pointwise import can_be_inlined
from ..kernel.element import MOST_DEPTH, MOST_PLACES
from ..kernel.target import Rates
from ..ops.reduce import ReduceOp
from .classes import Classes, ENode
from .cost import cost_ns
from .tree import Part, Space, Tree, Trees, at_place, keeps_place

MOST_READS = 8
"""Values that an expression reads from memory."""
MOST_OPERATIONS = 128
"""Operations of an inlined expression: more would make long kernels."""
MOST_STAGES = 6
FEWEST_ROWS = 4
"""Rows of a kernel that computes with what it has reduced: fewer would leave threads idle."""
MOST_GOING_ON = 6
"""Ways to go on after an op that are followed up."""
FEW_NUMBERS, FEW_READS = 1024, 4
"""Numbers that are computed faster than a kernel is started, if they are made of so few values."""
MANY_COLUMNS = 4096
"""Columns of a row that one thread may as well reduce."""
MANY_READERS = 2
"""Ops that are not elementwise which read a value, from which on it is always stored."""
FORMS = 4
"""Ways in which an operand is read by the first of its e-nodes."""
MOST_OTHERS = 4
"""Ways in which it may be read by others."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A kernel that computes a tree, and writes its class and some of those on the way."""

    written: tuple[Tree, ...]
    """What of the tree is written, the whole of it first."""
    cost_ns: float

    @cached_property
    def writes(self) -> tuple[int, ...]:
        """The classes that it writes."""
        return tuple(tree.value for tree in self.written)

    @property
    def tree(self) -> Tree:
        """All that it computes."""
        return self.written[0]

    @property
    def reads(self) -> frozenset[int]:
        """The classes that it reads from memory."""
        return self.tree.reads

    @property
    def inner(self) -> frozenset[int]:
        """The classes that it computes on the way."""
        return self.tree.inner


class Candidates:
    """All candidates of an e-graph's classes. With ``passes`` a class that its only reader goes on
    with is not stored, which leaves out what hardly ever pays."""

    @classmethod
    def of(cls, classes: Classes, rates: Rates, most_values: int = 16) -> Candidates:
        """Those of which every root can be computed: what is left out is told by looks at one
        class at a time, and might be all that another one has."""
        fewer = cls(classes, rates, most_values)
        return fewer if fewer.are_enough() else cls(classes, rates, most_values, passes=False)

    def __init__(
        self, classes: Classes, rates: Rates, most_values: int = 16, passes: bool = True
    ) -> None:
        self.passes = passes
        self.classes, self.rates, self.most_values = classes, rates, most_values
        self.most_reads = min(MOST_READS, most_values - 1)
        self.types, self.trees, self.roots = classes.types, Trees(classes.types), set(classes.roots)
        self.users = classes.users()
        self.readers = classes.readers()
        self.wanted = {v for v, count in self.users.items() if count > 1} | self.roots
        """Classes that more than one may read."""
        self.memory: dict[int, Part] = {}
        """Each class as it is read if nothing is stored that need not be: through views."""
        self.alone: dict[int, Part] = {}
        """Each class as read with all inlined that is read once."""
        self.whole: dict[int, Part] = {}
        """Each class as read with all inlined."""
        self.others: dict[int, list[Tree]] = {}
        """Further ways to read a class: those of its other e-nodes."""
        self.rows: dict[int, dict[Space, list[Tree]]] = {}
        """Each class as computed over rows, with what is read once and with all; last the most."""
        self.going_on: dict[int, list[Tree]] = {}
        """Each class as computed after an op that is not elementwise."""
        self.few: set[int] = set()
        """Classes of few numbers that are computed where they are read."""
        self.ops: set[int] = set()
        """Classes that the graph gives by an op that is not elementwise: to write it out is one way
        to compute them, but not one to compute them often."""
        self.passing: set[int] = set()
        """Classes that are not stored: their only reader goes on with them."""
        self.needs: dict[int, int] = {}
        """For each class, the set of classes that it may depend on, as bits."""
        order = classes.in_order()
        self.bit = {value: 1 << i for i, value in enumerate(order)}
        self.found: dict[int, list[Candidate]] = {value: [] for value in order}
        """For each class, all candidates that write it."""
        for value in order:
            self._add(value)
        self._settle()

    def _add(self, value: int) -> None:
        nodes = [] if self.classes.is_leaf(value) else self.classes.nodes[value]
        self.needs[value] = self.bit[value]
        for i in self.classes.inputs(value):
            self.needs[value] |= self.needs[i]
        after = {node: trees for node in nodes if (trees := self._after(value, node))}
        others = [node for node in nodes if not self._passes_on(node, nodes, after)]
        # Other nodes of the class may be views of what is not stored now.
        others = [node for node in others if self.passing.isdisjoint(node.inputs)]
        self._add_forms(value, others)
        by_itself = [tree for node in others for tree in self._kernels(value, node)]
        ready = [t for t in by_itself if not t.is_elementwise and t.node.op.goes_on]
        ready += [tree for trees in after.values() for tree in trees]
        self.going_on[value] = sorted(ready, key=_simplest)[:MOST_GOING_ON]
        self._add_rows(value, nodes)
        kernels: dict[Tree, Space | None] = dict.fromkeys(by_itself + self.going_on[value])
        for space, trees in self.rows[value].items():
            kernels |= dict.fromkeys(trees, space)
        for tree, over in kernels.items():
            for candidate in self._writing(tree, over):
                for written in candidate.writes:
                    self.found[written].append(candidate)

    def _writing(self, tree: Tree, space: Space | None) -> Iterator[Candidate]:
        """A kernel that writes only its own class, or also what others want of what it knows.
        What only a long computation gives is not made twice: it is written if others want it."""
        wanted: list[Tree] = []
        if not self.wanted.isdisjoint(tree.inner):
            inner = (t for t in at_place(tree, self.types, space) if t is not tree)
            wanted = [t for t in inner if t.value in self.wanted]
        stored = (t for t in wanted if t.value in self.roots or t.value not in self.few)
        once = {t.value: t for t in stored if t.value != tree.value}
        must = tuple(t for t in once.values() if t.fixed and space is None)
        more = [t for t in once.values() if t not in must]
        sets = {must: None, (*must, *more): None}
        sets[(*must, *(t for t in more if t.value in self.roots))] = None
        for also in sets:
            bits = sum(self.bit[t.value] for t in also)
            fits = len(tree.reads) + len(also) < self.most_values or not also
            if fits and not any(self.needs[read] & bits for read in tree.reads):
                values = (tree.value, *(t.value for t in also))
                cost = cost_ns(tree, values, self.types, self.rates)
                yield Candidate((tree, *also), cost)

    def _settle(self) -> None:
        """Leave out what needs a class that is not stored. Where nothing is left of a class, those
        it needs are stored after all: rules may have given two ways to go on that want different
        ones, or another reader."""
        can: set[int] = set()
        for value, mine in self.found.items():
            if value in self.passing or self.classes.is_leaf(value):
                can |= {value} - self.passing
                continue
            if not any(self._is_possible(c, can) for c in mine):
                needed = {v for c in mine for v in (*c.reads, *c.writes)} & self.passing
                self.passing -= needed
                can |= needed
            can.add(value)
        for value, mine in self.found.items():
            self.found[value] = [c for c in mine if self._is_possible(c, can)]

    def are_enough(self) -> bool:
        """Whether each root can be computed by kernels that write one class each."""
        can: set[int] = set()
        for value, mine in self.found.items():
            if self.classes.is_leaf(value) or any(
                c.writes == (value,) and c.reads <= can for c in mine
            ):
                can.add(value)
        return self.roots <= can

    def _is_possible(self, candidate: Candidate, can: set[int]) -> bool:
        return self.passing.isdisjoint(candidate.writes) and candidate.reads <= can

    def _fits(self, tree: Tree) -> bool:
        return _fits(tree, self.most_reads)

    def _is_over_rows(self, tree: Tree) -> bool:
        """Whether something is reduced on the way, and not too much."""
        return 0 < len(tree.fixed) <= MOST_STAGES and self._fits(tree)

    # Elementwise

    def _add_forms(self, value: int, nodes: list[ENode]) -> None:
        """How users may read a class: from memory, or by computing one of its e-nodes."""
        forms = [self._expanded(value, node) for node in nodes if can_be_inlined(node.op)]
        only_views = all(node.op.is_view for node in nodes)
        forms.sort(key=lambda form: _simplest(form[2]))
        near, alone, whole = forms[0] if forms else (value, value, value)
        if any(node in self.classes.given and not can_be_inlined(node.op) for node in nodes):
            self.ops.add(value)
        self.memory[value] = value
        if forms and only_views:
            self.memory[value] = near if isinstance(near, Tree) and self._fits(near) else value
        elif value in self.ops or self.readers[value] >= MANY_READERS:
            alone = whole = value
        elif self._is_few(value) and isinstance(whole, Tree) and _fits(whole, FEW_READS):
            self.memory[value] = alone = whole
            self.few.add(value)
        self.alone[value], self.whole[value] = alone, whole
        rest = (part for form in forms for part in form if isinstance(part, Tree))
        rest = (part for part in rest if part not in (self.memory[value], alone, whole))
        self.others[value] = list(dict.fromkeys(rest))[:MOST_OTHERS]

    def _is_few(self, value: int) -> bool:
        return self.types[value].num_elements() <= FEW_NUMBERS

    def _expanded(self, value: int, node: ENode) -> tuple[Part, Part, Tree]:
        """A class as read by computing this node from memory, with what it alone needs, and with
        all."""
        near, alone, whole = (
            self.trees.make(value, node, tuple(forms[i] for i in node.inputs))
            for forms in (self.memory, self.alone, self.whole)
        )
        most = next((tree for tree in (whole, alone, near) if self._fits(tree)), near)
        if node.op.is_view:
            return near, alone if self._fits(alone) else near, most
        is_read_once = self.users[value] == 1 and self._fits(alone)
        return value, alone if is_read_once else value, most

    def _kernels(self, value: int, node: ENode) -> Iterator[Tree]:
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
            tree = self.trees.make(value, node, parts)
            if len(tree.reads) <= self.most_reads or parts == by_itself:
                yield tree

    def _forms(self, node: ENode, number: int) -> tuple[Part, ...]:
        """An operand through views of memory, from memory as it is, with what it alone needs, with
        all, and its others."""
        value = node.inputs[number]
        memory = self.memory[value]
        as_it_is = memory if value in self.few else value
        if node.op.inlines(number):
            return (memory, as_it_is, self.alone[value], self.whole[value], *self.others[value])
        if value in self.few:
            memory = as_it_is = value
        views = (tree for tree in self.others[value] if tree.is_view)
        return (memory, as_it_is, memory, memory, *views)

    # Over rows

    def _add_rows(self, value: int, nodes: list[ENode]) -> None:
        """A class as computed in a kernel over rows: a sum or a maximum over whole rows, or an
        elementwise op some of whose operands are made of such."""
        found: dict[Space, list[Tree]] = {}
        for node in nodes:
            for space in self._spaces(value, node):
                trees = [self._over_rows(value, node, space, most) for most in (False, True)]
                found.setdefault(space, []).extend(
                    tree for tree in trees if self._is_over_rows(tree)
                )
        self.rows[value] = {s: list(dict.fromkeys(trees)) for s, trees in found.items() if trees}

    def _spaces(self, value: int, node: ENode) -> Iterable[Space]:
        """The rows that a node may be computed over."""
        if isinstance(node.op, ReduceOp):
            length = node.op.row_length(self.types[node.inputs[0]])
            rows = self.types[value].num_elements()
            few = rows < FEWEST_ROWS and length > FEWEST_ROWS * MANY_COLUMNS
            return [] if length < 2 or few else [(rows, length)]
        if not can_be_inlined(node.op):
            return []
        return dict.fromkeys(space for i in node.inputs for space in self.rows[i])

    def _over_rows(self, value: int, node: ENode, space: Space, most: bool) -> Tree:
        """A node with the sums inlined that its operands are made of; of what others read too, a
        number for each row only, or all."""
        parts: list[Part] = []
        is_stage = isinstance(node.op, ReduceOp)
        for i in node.inputs:
            ty, trees = self.types[i], self.rows[i].get(space, [])
            stays = is_stage or keeps_place(node, ty, self.types[value], space)
            wanted = most and i not in self.ops
            wanted = wanted or self.users[i] == 1 or ty.num_elements() == space[0]
            if trees and stays and wanted:
                parts.append(trees[-1 if most else 0])
            else:
                parts.append((self.whole if most else self.alone)[i])
        return self.trees.make(value, node, tuple(parts))

    # After an op that is not elementwise

    def _after(self, value: int, node: ENode) -> list[Tree]:
        """A node computed where one of its operands was, as that is about to be written."""
        found: dict[Tree, None] = {}
        for i in dict.fromkeys(node.inputs) if can_be_inlined(node.op) else ():
            if not keeps_place(node, self.types[i], self.types[value], None):
                continue
            for tree in self.going_on[i]:
                for forms in (self.memory, self.alone, self.whole):
                    parts = tuple(tree if j == i else forms[j] for j in node.inputs)
                    longer = self.trees.make(value, node, parts)
                    if self._fits(longer):
                        found[longer] = None
        return list(found)

    def _passes_on(self, node: ENode, nodes: list[ENode], after: dict[ENode, list[Tree]]) -> bool:
        """Whether a node goes on with an operand that no other node of the graph reads, and that is
        not made of elementwise ops, nor a view of something else: then there is hardly a better way
        to compute it. A node that rules have added is not the one that reads it."""
        is_counted = node in self.classes.given or self.classes.given.isdisjoint(nodes)
        for i in node.inputs if self.passes and is_counted and node in after else ():
            is_long = self.whole[i] == i and i not in self.roots
            is_long = is_long and not any(tree.is_view for tree in self.others[i])
            if self.users[i] == 1 and is_long and any(_goes_on(t, i) for t in after[node]):
                after[node] = [t for t in after[node] if _goes_on(t, i)]
                self.passing.add(i)
                return True
        return False


def _goes_on(tree: Tree, value: int) -> bool:
    """Whether a class is computed on the way, and is not elementwise."""
    return any(t.value == value and bool(t.fixed) for t in tree.trees)


def _simplest(tree: Tree) -> tuple[int, int]:
    return len(tree.reads), tree.operations


def _fits(tree: Tree, reads: int) -> bool:
    """Whether it is small enough to be computed where it is read."""
    is_small = len(tree.reads) <= reads and tree.operations <= MOST_OPERATIONS
    return is_small and tree.depth <= MOST_DEPTH and tree.places <= MOST_PLACES
