"""Limits: no kernel reads more operands than its target can bind.

In:  lowered computations.   Out: the same, with a value of its own for a part of an expression that
reads too much: what reads twelve operands reads six of them and one value made of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..errors import CompileError
from ..kernel.archetype import Archetype, Pointwise, numbered
from ..kernel.element import Element, Register, apply, indices, load
from ..kernel.index import Var, flat, of
from ..scalar.expr import Call, Expr, fold, parts
from ..scalar.expr import Var as Argument
from .lower import Computation, Lowered


def limit_operands(lowered: Lowered, most: int | None) -> Lowered:
    """The computations, each with at most so many operands."""
    if most is None:
        return lowered
    limiter = _Limiter(lowered, most)
    for computation in lowered.computations:
        limiter.add(computation)
    return replace(lowered, computations=limiter.computations)


class _Limiter:
    def __init__(self, lowered: Lowered, most: int) -> None:
        self.most = most
        self.computations: list[Computation] = []
        self.next_value = lowered.next_value()

    def add(self, computation: Computation) -> None:
        """A computation, after the values it needs."""
        archetype = computation.named()
        most = self.most + 1 - len(computation.writes)
        while len(_sources(archetype.elements())) > most:
            archetype = self._smaller(computation.label, archetype, most)
        canonical, reads = numbered(archetype)
        self.computations.append(replace(computation, archetype=canonical, reads=tuple(reads)))

    def _smaller(self, label: str, archetype: Archetype, most: int) -> Archetype:
        """The archetype with a part as a value: the one that leaves the fewest operands, and of
        these the fewest reads, since the same operands may be read at another place, too."""
        elements = archetype.elements()
        found: list[tuple[int, int, Element, list[Element]]] = []
        for part in dict.fromkeys(part for element in elements for part in _parts(element)):
            if 2 <= len(part.sources()) <= self.most:
                value = _as_value(part, self.next_value)
                changed = [_instead(element, part, value) for element in elements]
                if _count_reads(changed) < _count_reads(elements):
                    left = len(_sources(changed)), _count_reads(changed)
                    found.append((*left, part, changed))
        if not found:
            raise CompileError(
                f"{label} reads {len(_sources(elements))} tensors, and a kernel of this device "
                f"{most} at most",
                hint="copy some of them together first",
            )
        *_, chosen, best = min(found, key=lambda row: row[:2])
        self._emit(label, chosen)
        return archetype.with_elements(best)

    def _emit(self, label: str, part: Element) -> None:
        shape, variables = _shape(part), _variables(part)
        places = {var: of(Var(f"i{i}", var.extent)) for i, var in enumerate(variables)}
        archetype, reads = numbered(Pointwise(shape, part.substitute(places)))
        name = f"{label.partition('[')[0]}_part[{', '.join(map(str, shape))}]"
        self.computations.append(Computation(name, archetype, tuple(reads), (self.next_value,)))
        self.next_value += 1


def _sources(elements: list[Element]) -> set[int]:
    return {source for element in elements for source in element.sources()}


def _count_reads(elements: list[Element]) -> int:
    return sum(len(element.reads) for element in elements)


def _parts(element: Element) -> Iterator[Element]:
    """Every part of an expression that depends on memory alone."""
    for expr in reversed(parts(element.body)):
        if isinstance(expr, Call):
            part = _compact(Element(expr, element.reads))
            if not any(isinstance(read, Register) for read in part.reads):
                yield part


def _compact(element: Element) -> Element:
    """With no read that is not used."""
    return apply(lambda x: x, element)


def _instead(element: Element, part: Element, value: Element) -> Element:
    """An element with a value in place of a part of it."""
    (read,) = value.reads
    new = Argument(len(element.reads))

    def visit(expr: Expr, inner: Sequence[Expr]) -> Expr:
        if isinstance(expr, Call):
            is_part = _compact(Element(expr, element.reads)) == part
            return new if is_part else Call(expr.op, tuple(inner))
        return expr

    return _compact(Element(fold(element.body, visit), (*element.reads, read)))


def _variables(part: Element) -> list[Var]:
    """The variables a part depends on, in a fixed order."""
    found = {var for read in part.reads for index in indices(read) for var in index.variables()}
    return sorted(found, key=lambda var: var.name)


def _shape(part: Element) -> tuple[int, ...]:
    return tuple(var.extent for var in _variables(part)) or (1,)


def _as_value(part: Element, value: int) -> Element:
    """A part as it is read from a value of its own."""
    variables = _variables(part)
    return load(value, flat(map(of, variables), [var.extent for var in variables]))
