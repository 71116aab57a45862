"""One kernel of several nodes: what it computes on the way, and what it writes.

In:  the nodes that a kernel writes.   Out: an archetype.

All that lies between them and memory is computed by the kernel. Elementwise nodes are expressions;
of the others there may be

- none: the kernel is pointwise;
- one: the kernel is that op's, and goes on computing at each place before it writes;
- several sums or maxima over rows of one length: the stages of one reduction, of which elementwise
  nodes in between see a whole row or a number for each.

Which of these a set of nodes is was decided by whoever chose it (egraph/); here is how it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import pairwise
from math import prod

from ..errors import CompileError, InternalError
from ..ir.expand import in_memory
from ..ir.graph import Graph, Node
from ..ir.op import Source
from ..ir.pointwise import can_be_inlined
from ..ir.types import Shape
from ..kernel.archetype import (
    Archetype,
    Pointwise,
    Reduction,
    Result,
    Stage,
    and_then,
    places,
)
from ..kernel.element import Element, held
from ..kernel.index import Index, flat, unflat
from ..ops.reduce import ReduceOp

MOST_NAMES = 4
"""Ops named in a label besides the first."""


class Fusion:
    """The nodes of one kernel; what is in memory, unless the kernel itself writes it, is read."""

    def __init__(
        self, graph: Graph, is_in_memory: Callable[[Node], bool], writes: tuple[int, ...]
    ) -> None:
        self.graph, self.is_in_memory, self.writes = graph, is_in_memory, writes
        self.given: dict[int, Source] = {}
        """Values that the kernel holds in a register."""
        self.known: dict[tuple[int, tuple[Index, ...]], Element] = {}
        """Elements by value and place, until more is held: what is read twice is worked out once,
        or a chain of n values that are each read twice would take 2ⁿ."""

    @cached_property
    def nodes(self) -> list[Node]:
        """What the kernel computes, each after what it needs."""
        found: dict[int, None] = {}
        pending = list(self.writes)
        while pending:
            value = pending.pop()
            if value not in found:
                found[value] = None
                inputs = self.graph.node(value).inputs
                pending += [i for i in inputs if not self._is_read(self.graph.node(i))]
        return [self.graph.node(value) for value in sorted(found)]

    @cached_property
    def fixed(self) -> list[Node]:
        """Those of the nodes that are not elementwise."""
        return [node for node in self.nodes if not can_be_inlined(node.op)]

    def _is_read(self, node: Node) -> bool:
        return self.is_in_memory(node) and node.id not in self.writes

    def label(self) -> str:
        """What it computes, for people: its main op, its size, and what else it does."""
        first = self.fixed[0] if self.fixed else self.graph.node(self.writes[0])
        others = (n.op.name for n in self.nodes if n != first and not n.op.is_view)
        names = list(dict.fromkeys(others))
        more = "".join(f"+{name}" for name in names[:MOST_NAMES])
        size = ", ".join(map(str, self.graph.node(self.writes[0]).ty.shape))
        return f"{first.op.name}[{size}]{more}{'+…' if len(names) > MOST_NAMES else ''}"

    def archetype(self) -> Archetype:
        """What the kernel computes."""
        if not self.fixed:
            return self._pointwise()
        if len(self.fixed) > 1 or self._is_spread(self.fixed[0]):
            return self._rows()
        (node,) = self.fixed
        archetype = node.op.lower(node.ty, *(self.source(i) for i in node.inputs))
        if archetype is None:
            raise CompileError(f"{node} has no kernel")
        if self.writes == (node.id,):
            return archetype
        longer = and_then(archetype, lambda at, value: self._continued(node, at, value))
        if longer is None:
            raise InternalError(f"{node.op.name} cannot go on computing: {archetype}")
        return longer

    def source(self, value: int) -> Source:
        """Where a value's elements come from: memory, a register, or an expression."""
        node = self.graph.node(value)
        if value in self.given:
            return self.given[value]
        if self._is_read(node):
            return in_memory(value, node.ty)

        def at(place: list[Index]) -> Element:
            key = (value, tuple(place))
            if key not in self.known:
                element = node.op.element(place, *map(self.source, node.inputs))
                if element is None:
                    raise CompileError(f"{node} cannot be read through")
                self.known[key] = element
            return self.known[key]

        return Source(node.ty, at)

    def _elements(self, position: Index, writes: Iterable[int]) -> list[Element]:
        """Results at a position in row-major order."""
        return [
            self.source(value).at(unflat(position, self.graph.node(value).ty.shape))
            for value in writes
        ]

    def _hold(self, node: Node, position: Index, element: Element) -> None:
        """From now on a node's value is known, at the one place where the kernel is."""

        def at(place: list[Index]) -> Element:
            found = flat(place, node.ty.shape)
            if found != position:
                raise InternalError(f"{node.op.name} is read at {found}, not at {position}")
            return element

        self.given[node.id] = Source(node.ty, at)
        self.known.clear()

    def _pointwise(self) -> Archetype:
        count = self.graph.node(self.writes[0]).ty.num_elements()
        shape = refined(count, self._shapes(count))
        element, *more = self._elements(flat(places(shape), shape), self.writes)
        return Pointwise(shape, element, tuple(more))

    def _continued(self, node: Node, at: Index, value: Element) -> list[Element]:
        self._hold(node, at, value)
        return self._elements(at, self.writes)

    def _shapes(self, count: int) -> list[Shape]:
        """The shapes in which the kernel sees so many elements."""
        return [node.ty.shape for node in self.nodes if node.ty.num_elements() == count]

    # Rows

    def _is_spread(self, node: Node) -> bool:
        """Whether what is written is as long as the rows that a node has reduced."""
        longest = max(self.graph.node(value).ty.num_elements() for value in self.writes)
        return isinstance(node.op, ReduceOp) and longest > node.ty.num_elements()

    def _rows(self) -> Archetype:
        """A reduction with a stage for each sum or maximum."""
        first = self.fixed[0]
        whole = self.graph.node(first.inputs[0]).ty.num_elements()
        length = whole // first.ty.num_elements()
        sizes = refined(whole, self._shapes(whole), length)
        cut = next(i for i in range(len(sizes) + 1) if prod(sizes[i:]) == length)
        rows, columns = sizes[:cut], sizes[cut:]
        row = flat(places(rows), rows)
        position = row * length + flat(places(columns, "r"), columns)
        stages: list[Stage] = []
        for node in self.fixed:
            if not isinstance(node.op, ReduceOp):
                raise InternalError(f"{node.op.name} is no stage of a reduction")
            (element,) = self._elements(position, node.inputs)
            self._hold(node, row, held(f"s{len(stages)}"))
            stages.append(Stage(node.op.name, element))
        results = []
        for value in self.writes:
            spread = self.graph.node(value).ty.num_elements() == whole and length > 1
            (element,) = self._elements(position if spread else row, [value])
            results.append(Result(element, spread))
        return Reduction(rows, columns, tuple(stages), tuple(results))


def refined(count: int, shapes: list[Shape], length: int = 1) -> Shape:
    """Axes such that all ``shapes`` of ``count`` elements are made of whole ones, as far as there
    are such, and so are rows of ``length``."""
    marks = {1, length, count}
    for shape in shapes:
        marks.update(prod(shape[i:]) for i in range(len(shape)))
    kept = [1]
    for mark in sorted(marks - {1}):
        if mark % kept[-1] == 0 and (mark % length == 0 or length % mark == 0):
            kept.append(mark)
    sizes = [b // a for a, b in pairwise(kept)]
    return tuple(sizes[::-1]) or (1,)
