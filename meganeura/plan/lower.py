"""Lowering: nodes to computations, by asking each op.

In:  a graph.   Out: computations over values, in an order that respects every read and write.

A view (reshape, slice, concat, …) is no kernel: its users read through it. A composite op without a
kernel of its own is expanded into its definition first. A leaf that is replaced after the step gets
its new value in place where the kernel that makes it allows that, else by a copy at the end.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from ..errors import CompileError
from ..ir import walk
from ..ir.expand import in_memory
from ..ir.graph import Graph, Node, Value
from ..ir.op import Source
from ..ir.types import TensorType
from ..kernel.archetype import Archetype, Pointwise, numbered, places
from ..kernel.element import Element, Load, load
from ..kernel.index import Index, flat
from ..ops.layout import Reshape
from ..ops.leaf import Constant


@dataclass(frozen=True)
class Computation:
    """One value from others: what a kernel is to do."""

    label: str
    archetype: Archetype
    reads: tuple[int, ...]
    writes: int
    length: int = 0
    """How long the row of a `Stream` is."""

    def named(self) -> Archetype:
        """The archetype with operands called by their values."""
        names = dict(enumerate(self.reads))
        elements = [element.renumbered(names) for element in self.archetype.elements()]
        return self.archetype.with_elements(elements)


@dataclass(frozen=True)
class Lowered:
    """A graph's computations in order, and which values are the same memory."""

    graph: Graph
    computations: list[Computation]
    placed: dict[int, int]
    """For a value that is written in place of a leaf: the leaf."""
    roots: list[int]
    """Values that must still be there after the step."""
    results: dict[int, int]
    """For each root of the graph, the value that holds it."""
    copies: dict[int, TensorType]
    """Values that are copies of a node's, and their types."""

    def next_value(self) -> int:
        """A number that no value has, nor any above it."""
        written = (computation.writes for computation in self.computations)
        return max(len(self.graph), 1 + max(written, default=0))

    def types(self) -> dict[int, TensorType]:
        """The type of every value, of those too that are no node of the graph."""
        types = {node.id: node.ty for node in self.graph.nodes()} | self.copies
        for computation in self.computations:
            size = computation.archetype.output_elements()
            types.setdefault(computation.writes, TensorType.f32((size,)))
        return types


def read_roots(graph: Graph) -> list[Value]:
    """The values that are read after a step, in an order that passes keep."""
    return [*graph.outputs(), *(graph.value(i) for i in graph.gradients().values())]


def lower(graph: Graph, stored: Set[int] | None = None) -> Lowered:
    """The computations of an expanded graph: of the nodes that are ``stored``, or of all but views.
    Users compute the others as they read them."""
    return _Lowering(graph, stored).run()


class _Lowering:
    def __init__(self, graph: Graph, stored: Set[int] | None) -> None:
        self.graph, self.stored = graph, stored
        self.computations: list[Computation] = []
        self.writer: dict[int, int] = {}
        self.last_reader: dict[int, int] = {}
        self.results: dict[int, int] = {}
        self.copies: dict[int, TensorType] = {}
        self.next_value = len(graph)

    def run(self) -> Lowered:
        for node in walk.live(self.graph):
            if node.name is None and not self._is_read_through(node):
                self._emit(node.op.name, node, self._archetype(node), node.id)
        for value in dict.fromkeys(v.id for v in read_roots(self.graph)):
            self.results[value] = self._materialized(value)
        placed, copies = self._updates()
        roots = list(dict.fromkeys([*self.results.values(), *placed, *copies]))
        return Lowered(self.graph, self.computations, placed, roots, self.results, self.copies)

    def _is_read_through(self, node: Node) -> bool:
        return isinstance(node.op, Constant) or self._is_computed_by_users(node)

    def _is_computed_by_users(self, node: Node) -> bool:
        if self.stored is None:
            return node.op.is_view
        is_leaf = node.name is not None or isinstance(node.op, Constant)
        return not is_leaf and node.id not in self.stored

    def source(self, value: int) -> Source:
        """How users read a value: from memory, or through a view."""
        node = self.graph.node(value)
        if not self._is_computed_by_users(node):
            return in_memory(value, node.ty)
        inner = [self.source(i) for i in node.inputs]

        def at(place: list[Index]) -> Element:
            element = node.op.element(place, *inner)
            if element is None:
                raise CompileError(f"{node} cannot be read through")
            return element

        return Source(node.ty, at)

    def _archetype(self, node: Node) -> Archetype:
        archetype = node.op.lower(node.ty, *(self.source(i) for i in node.inputs))
        if archetype is None:
            raise CompileError(f"{node} has no kernel")
        return archetype

    def _emit(self, label: str, node: Node, archetype: Archetype, value: int) -> None:
        canonical, reads = numbered(archetype)
        shape = ", ".join(map(str, node.ty.shape))
        self.last_reader.update(dict.fromkeys(reads, len(self.computations)))
        self.writer[value] = len(self.computations)
        self.computations.append(Computation(f"{label}[{shape}]", canonical, tuple(reads), value))

    def _materialized(self, value: int) -> int:
        """A value that lies in memory of its own: itself, or a copy of a view or a leaf. Under
        another shape it is the same memory."""
        node = self.graph.node(value)
        if node.name is None and not self._is_read_through(node):
            return value
        if isinstance(node.op, Reshape):
            return self._materialized(node.inputs[0])
        return self._copy(value)

    def _copy(self, value: int) -> int:
        node = self.graph.node(value)
        return self._emit_copy("copy", node, self.source(value).at(places(node.ty.shape)))

    def _emit_copy(self, label: str, node: Node, element: Element) -> int:
        """A new value like a node's, given its element."""
        new = self.next_value
        self.next_value += 1
        self.copies[new] = node.ty
        self._emit(label, node, Pointwise(node.ty.shape, element), new)
        return new

    def _updates(self) -> tuple[dict[int, int], list[int]]:
        """Where each leaf's new value is written: in place of the leaf, or copied there last."""
        placed: dict[int, int] = {}
        copies: list[tuple[int, int]] = []
        for leaf, value in self.graph.updates().items():
            if self._may_be_in_place(leaf, value, placed):
                placed[value] = leaf
            elif leaf != value:
                copies.append((leaf, self._materialized(value)))
        for leaf, value in copies:
            node = self.graph.node(leaf)
            element = load(value, flat(places(node.ty.shape), node.ty.shape))
            placed[self._emit_copy("update", node, element)] = leaf
        return placed, [value for _, value in copies]

    def _may_be_in_place(self, leaf: int, value: int, placed: dict[int, int]) -> bool:
        """Whether the kernel that makes ``value`` may write over ``leaf``: no later kernel reads
        the leaf, and it reads no other element of the leaf than the one it writes."""
        writer = self.writer.get(value)
        if writer is None or value in placed or value in self.results.values():
            return False
        if self.last_reader.get(leaf, -1) > writer:
            return False
        computation = self.computations[writer]
        return leaf not in computation.reads or _reads_own_place(computation, leaf)


def _reads_own_place(computation: Computation, leaf: int) -> bool:
    archetype = computation.archetype
    if not isinstance(archetype, Pointwise):
        return False
    source = computation.reads.index(leaf)
    own = flat(places(archetype.shape), archetype.shape)
    loads = [r for r in archetype.element.reads if isinstance(r, Load) and r.source == source]
    return len(loads) > 0 and all(read.index == own for read in loads)
