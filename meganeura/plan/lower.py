"""Lowering: nodes to computations, by asking each op.

In:  a graph, and which of its nodes kernels write.   Out: computations over values, in an order
that respects every read and write.

What no kernel writes is computed by those who read it. A leaf that is replaced after the step gets
its new value in place where the kernel that makes it allows that, else by a copy at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..ir import walk
from ..ir.expand import in_memory
from ..ir.graph import Graph, Node, Value
from ..ir.types import TensorType
from ..kernel.archetype import Archetype, Pointwise, numbered, places
from ..kernel.conv import Convolution
from ..kernel.element import MOST_DEPTH, MOST_PLACES, Element, Load
from ..kernel.index import flat, of
from ..ops.layout import Reshape
from ..ops.leaf import Constant
from .fuse import Fusion


@dataclass(frozen=True)
class Computation:
    """Some values from others: what a kernel is to do."""

    label: str
    archetype: Archetype
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    length: int = 0
    """How long the row of a `Stream` is."""
    cost_ns: float = 0.0
    """What it was taken to cost, with the copies it needs; 0 if nobody has asked."""

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
        written = (value for computation in self.computations for value in computation.writes)
        return max(len(self.graph), 1 + max(written, default=0))

    def types(self) -> dict[int, TensorType]:
        """The type of every value, of those too that are no node of the graph."""
        types = {node.id: node.ty for node in self.graph.nodes()} | self.copies
        for computation in self.computations:
            sizes = computation.archetype.result_sizes()
            for value, size in zip(computation.writes, sizes, strict=True):
                types.setdefault(value, TensorType.f32((computation.length or size,)))
        return types


def read_roots(graph: Graph) -> list[Value]:
    """The values that are read after a step, in an order that passes keep."""
    return [*graph.outputs(), *(graph.value(i) for i in graph.gradients().values())]


Stored = Mapping[int, tuple[int, ...]]
"""For the last node of each kernel, all nodes that it writes, that one first."""


def lower(
    graph: Graph, stored: Stored | None = None, costs_ns: Mapping[int, float] | None = None
) -> Lowered:
    """The computations of an expanded graph: of the kernels that write what is ``stored``, or one
    for each node that is no view."""
    if stored is None:
        stored = _all_but_views(graph)
    return _Lowering(graph, stored, costs_ns or {}).run()


def _all_but_views(graph: Graph) -> Stored:
    """A kernel for each node that is no view, and for a view of too many others."""
    stored: dict[int, tuple[int, ...]] = {}
    depth, places = Counter[int](), Counter[int]()
    for node in walk.live(graph):
        if node.name is not None:
            continue
        depth[node.id] = 1 + max((depth[i] for i in node.inputs), default=0)
        places[node.id] = max(1, sum(max(1, places[i]) for i in node.inputs))
        is_near = depth[node.id] < MOST_DEPTH and places[node.id] < MOST_PLACES
        if not (_is_free(node) and is_near):
            stored[node.id] = (node.id,)
            depth[node.id], places[node.id] = 0, 1
    return stored


def _is_free(node: Node) -> bool:
    """Whether a node needs no kernel by itself."""
    return node.op.is_view or isinstance(node.op, Constant)


class _Lowering:
    def __init__(self, graph: Graph, stored: Stored, costs_ns: Mapping[int, float]) -> None:
        self.graph, self.stored, self.costs_ns = graph, stored, costs_ns
        self.written = {value for values in stored.values() for value in values}
        self.computations: list[Computation] = []
        self.writer: dict[int, int] = {}
        self.last_reader: dict[int, int] = {}
        self.results: dict[int, int] = {}
        self.copies: dict[int, TensorType] = {}
        self.next_value = len(graph)

    def run(self) -> Lowered:
        for last, writes in sorted(self.stored.items()):
            fusion = Fusion(self.graph, self._is_in_memory, writes)
            archetype, values = self._in_order(fusion.archetype(), writes)
            self._emit(fusion.label(), archetype, values, self.costs_ns.get(last, 0.0))
        for value in dict.fromkeys(v.id for v in read_roots(self.graph)):
            self.results[value] = self._materialized(value)
        placed, copies = self._updates()
        roots = list(dict.fromkeys([*self.results.values(), *placed, *copies]))
        return Lowered(self.graph, self.computations, placed, roots, self.results, self.copies)

    def _in_order(
        self, archetype: Archetype, writes: tuple[int, ...]
    ) -> tuple[Archetype, tuple[int, ...]]:
        """Results in an order in which each that replaces a leaf comes after those that read it."""
        if not isinstance(archetype, (Pointwise, Convolution)) or len(writes) == 1:
            return archetype, writes
        before = archetype.elements()[: -len(writes)]
        results = archetype.elements()[-len(writes) :]
        leaf_of = {value: leaf for leaf, value in self.graph.updates().items()}
        reads = {
            value: set(element.sources()) for value, element in zip(writes, results, strict=True)
        }
        order: list[int] = []
        while len(order) < len(writes):
            rest = [value for value in writes if value not in order]
            free = [
                value
                for value in rest
                if not any(leaf_of.get(value) in reads[v] for v in rest if v != value)
            ] or rest
            # A convolution keeps sums under way in the place of its first result.
            order.append(min(free, key=lambda value: value in leaf_of))
        elements = [results[writes.index(value)] for value in order]
        return archetype.with_elements([*before, *elements]), tuple(order)

    def _is_in_memory(self, node: Node) -> bool:
        is_leaf = node.name is not None or isinstance(node.op, Constant)
        return is_leaf or node.id in self.written

    def _emit(
        self, label: str, archetype: Archetype, writes: tuple[int, ...], cost_ns: float = 0.0
    ) -> None:
        canonical, reads = numbered(archetype)
        self.last_reader.update(dict.fromkeys(reads, len(self.computations)))
        self.writer.update(dict.fromkeys(writes, len(self.computations)))
        found = Computation(label, canonical, tuple(reads), writes, cost_ns=cost_ns)
        self.computations.append(found)

    def _materialized(self, value: int) -> int:
        """A value that lies in memory of its own: itself, or a copy of a view or a leaf. Under
        another shape it is the same memory."""
        node = self.graph.node(value)
        if value in self.written:
            return value
        if isinstance(node.op, Reshape):
            return self._materialized(node.inputs[0])
        source = Fusion(self.graph, self._is_in_memory, ()).source(value)
        return self._emit_copy("copy", node, source.at(places(node.ty.shape)))

    def _emit_copy(self, name: str, node: Node, element: Element) -> int:
        """A new value like a node's, given its element."""
        new = self.next_value
        self.next_value += 1
        self.copies[new] = node.ty
        label = f"{name}[{', '.join(map(str, node.ty.shape))}]"
        self._emit(label, Pointwise(node.ty.shape, element), (new,))
        return new

    def _updates(self) -> tuple[dict[int, int], list[int]]:
        """Where each leaf's new value is written: in place of the leaf, or copied there last."""
        placed: dict[int, int] = {}
        copies: list[tuple[int, int]] = []
        # What must be copied is, before any leaf is written over.
        copied = {
            value: self._materialized(value)
            for leaf, value in self.graph.updates().items()
            if leaf != value and value not in self.writer
        }
        for leaf, value in self.graph.updates().items():
            if self._may_be_in_place(leaf, value, placed):
                placed[value] = leaf
            elif leaf != value:
                copies.append((leaf, copied.get(value, value)))
        for leaf, value in copies:
            ty = self.graph.node(leaf).ty
            element = in_memory(value, ty).at(places(ty.shape))
            placed[self._emit_copy("update", self.graph.node(leaf), element)] = leaf
        return placed, [value for _, value in copies]

    def _may_be_in_place(self, leaf: int, value: int, placed: dict[int, int]) -> bool:
        """Whether the kernel that makes ``value`` may write over ``leaf``: no later kernel reads
        the leaf, and it reads no other element of the leaf than the one it writes, and that one
        not after it has written it."""
        writer = self.writer.get(value)
        if writer is None or value in placed or value in self.results.values():
            return False
        if self.last_reader.get(leaf, -1) > writer:
            return False
        computation = self.computations[writer]
        return leaf not in computation.reads or _reads_own_place(computation, leaf, value)


def _reads_own_place(computation: Computation, leaf: int, value: int) -> bool:
    archetype, number = computation.archetype, computation.writes.index(value)
    if isinstance(archetype, Pointwise):
        own = flat(places(archetype.shape), archetype.shape)
    elif isinstance(archetype, Convolution) and number > 0:
        own = archetype.position(*map(of, archetype.result_axes()))
    else:
        return False
    source = computation.reads.index(leaf)
    loads = [_loads(element, source) for element in archetype.elements()]
    operands, results = loads[: -len(computation.writes)], loads[-len(computation.writes) :]
    if any(operands) or any(results[number + 1 :]):
        return False
    return all(read.index == own for found in results for read in found)


def _loads(element: Element, source: int) -> list[Load]:
    return [r for r in element.reads if isinstance(r, Load) and r.source == source]
