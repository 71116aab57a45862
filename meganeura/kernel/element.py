"""One element of a tensor, as a scalar expression over what is read to compute it.

This is how operands reach kernels. A plain operand is a single `Load`; a transposed, sliced or
broadcast one is a load at another place; a padded or concatenated one is a load under bounds; a
fused one is a larger expression. A kernel does not know the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Union

from ..errors import InternalError
from ..scalar.expr import Const, Expr, as_expr, parts, printed, substitute, where
from ..scalar.expr import Var as Argument
from .index import Bound, Fetch, Index, Var, fetch

MOST_DEPTH, MOST_PLACES = 64, 64
"""Ops on the way to an element, one after another, and places at which one of them is computed:
more would make a kernel of any size, and one that is made by recursion."""


@dataclass(frozen=True)
class Load:
    """The element at ``index`` of operand ``source``; 0 where a bound does not hold."""

    source: int
    index: Index
    bounds: tuple[Bound, ...] = ()

    def __str__(self) -> str:
        guard = f" if {', '.join(map(str, self.bounds))}" if self.bounds else ""
        return f"b{self.source}[{self.index}{guard}]"


@dataclass(frozen=True)
class Position:
    """A whole number (a row's, say) as a float."""

    index: Index

    def __str__(self) -> str:
        return f"float({self.index})"


@dataclass(frozen=True)
class Test:
    """1 where the bound holds, else 0."""

    bound: Bound

    def __str__(self) -> str:
        return f"[{self.bound}]"


@dataclass(frozen=True)
class Register:
    """A number the kernel holds, at a place if it is an array of them: the result of a
    reduction's earlier stage, a sum under way."""

    name: str
    place: tuple[Index, ...] = ()

    def __str__(self) -> str:
        return self.name + (f"[{', '.join(map(str, self.place))}]" if self.place else "")


Read = Union[Load, Position, Test, Register]  # noqa: UP007


@dataclass(frozen=True)
class Element:
    """``body`` over ``reads``: variable i of the body is read i."""

    body: Expr
    reads: tuple[Read, ...] = ()

    def substitute(self, values: Mapping[Var, Index | int]) -> Element:
        """At another place."""
        return replace(self, reads=tuple(_substitute(r, values) for r in self.reads))

    def within(self, bound: Bound) -> Element:
        """This element where a bound holds, 0 elsewhere, where nothing is read."""
        if bound.always():
            return self
        if bound.never():
            return number(0.0)
        guarded = self.guarded(bound)
        if isinstance(self.body, Argument) and isinstance(self.reads[self.body.index], Load):
            return guarded
        return apply(lambda c, x: where(c, x, 0.0), test(bound), guarded)

    def guarded(self, bound: Bound) -> Element:
        """This element where a bound holds; elsewhere, where nothing is read, anything."""
        reads = tuple(
            replace(r, bounds=(*r.bounds, bound)) if isinstance(r, Load) else r for r in self.reads
        )
        return self if bound.always() else replace(self, reads=reads)

    def sources(self) -> list[int]:
        """The operands read, each once, in order of appearance."""
        found: dict[int, None] = {}
        for read in self.reads:
            for source in _sources(read):
                found.setdefault(source)
        return list(found)

    def renumbered(self, numbers: Mapping[int, int]) -> Element:
        """With operands numbered anew."""
        return replace(self, reads=tuple(_renumber(r, numbers) for r in self.reads))

    def __str__(self) -> str:
        reads = self.reads
        return printed(self.body, lambda e: str(reads[e.index] if isinstance(e, Argument) else e))


def number(value: float) -> Element:
    """A number."""
    return Element(Const(float(value)))


def load(source: int, index: Index) -> Element:
    """An element of an operand."""
    return Element(Argument(0), (Load(source, index),))


def position(index: Index) -> Element:
    """A whole number as a float."""
    return Element(Argument(0), (Position(index),))


def test(bound: Bound) -> Element:
    """1 where a bound holds, else 0."""
    if bound.always():
        return number(1.0)
    return number(0.0) if bound.never() else Element(Argument(0), (Test(bound),))


def as_index(element: Element, limit: int) -> Index:
    """A whole number that is loaded, as part of an index; it is known to be below ``limit``."""
    (read,) = element.reads
    if not isinstance(read, Load) or read.bounds:
        raise InternalError(f"an index cannot be fetched by {element}")
    return fetch(read.source, read.index, limit)


def held(name: str, place: tuple[Index, ...] = ()) -> Element:
    """A number the kernel holds."""
    return Element(Argument(0), (Register(name, place),))


def apply(formula: Callable[..., Expr], *elements: Element) -> Element:
    """A formula over elements. Equal reads are made once."""
    numbers: dict[Read, int] = {}
    bodies = []
    for element in elements:
        arguments = [numbers.setdefault(read, len(numbers)) for read in element.reads]
        bodies.append(_renamed(element.body, arguments))
    body = as_expr(formula(*bodies))
    used = sorted(part.index for part in parts(body) if isinstance(part, Argument))
    reads = tuple(numbers)
    whole = (
        body
        if len(used) == len(reads)
        else substitute(body, {old: Argument(new) for new, old in enumerate(used)})
    )
    return Element(whole, tuple(reads[i] for i in used))


def in_place_of(register: Register, value: Element, element: Element) -> Element:
    """An element with an expression in place of a register."""
    if register not in element.reads:
        return element
    reads = [value if r == register else Element(Argument(0), (r,)) for r in element.reads]
    return apply(lambda *args: substitute(element.body, args), *reads)


def choose(bound: Bound, yes: Element, no: Element) -> Element:
    """One element where a bound holds, of which nothing is read elsewhere; another where not."""
    if bound.always():
        return yes
    if bound.never():
        return no
    return apply(lambda c, x, y: where(c, x, y), test(bound), yes.within(bound), no)


@dataclass(frozen=True)
class Strided:
    """An operand that is read in even steps."""

    load: Load
    steps: tuple[int, ...]

    def place(self, at: Mapping[Var, Index | int]) -> Index:
        """Where an element lies."""
        return self.load.index.substitute(at)


def strided(element: Element, variables: Sequence[Var]) -> Strided | None:
    """How an element's place moves with each variable, if it is a plain load and moves evenly."""
    if element.body != Argument(0) or len(element.reads) != 1:
        return None
    (read,) = element.reads
    if not isinstance(read, Load) or read.bounds:
        return None
    steps = [read.index.coefficient(var) for var in variables]
    even = tuple(step for step in steps if step is not None)
    return Strided(read, even) if len(even) == len(steps) else None


def _renamed(expr: Expr, arguments: Sequence[int]) -> Expr:
    """An expression with its variables called by other numbers; most often they are the same."""
    if all(new == old for old, new in enumerate(arguments)):
        return expr
    return substitute(expr, [Argument(i) for i in arguments])


def _substitute(read: Read, values: Mapping[Var, Index | int]) -> Read:
    match read:
        case Load(source, index, bounds):
            kept = tuple(b.substitute(values) for b in bounds)
            return Load(source, index.substitute(values), tuple(b for b in kept if not b.always()))
        case Position(index):
            return Position(index.substitute(values))
        case Test(bound):
            return Test(bound.substitute(values))
        case Register(name, place):
            return Register(name, tuple(index.substitute(values) for index in place))


def indices(read: Read) -> list[Index]:
    """Every index a read depends on."""
    match read:
        case Load(_, index, bounds):
            return [index, *(bound.index for bound in bounds)]
        case Position(index) | Test(Bound(index, _, _)):
            return [index]
    return []


def _sources(read: Read) -> list[int]:
    found = [read.source] if isinstance(read, Load) else []
    pending = indices(read)
    for index in pending:
        for atom, _ in index.terms:
            if isinstance(atom, Fetch):
                found.append(atom.source)
            if not isinstance(atom, Var):
                pending.append(atom.index)
    return found


def _renumber(read: Read, numbers: Mapping[int, int]) -> Read:
    match read:
        case Load(source, index, bounds):
            renumbered = tuple(replace(b, index=_renumber_index(b.index, numbers)) for b in bounds)
            return Load(numbers[source], _renumber_index(index, numbers), renumbered)
        case Position(index):
            return Position(_renumber_index(index, numbers))
        case Test(bound):
            return Test(replace(bound, index=_renumber_index(bound.index, numbers)))
    return read


def _renumber_index(index: Index, numbers: Mapping[int, int]) -> Index:
    terms = []
    for atom, c in index.terms:
        if not isinstance(atom, Var):
            atom = replace(atom, index=_renumber_index(atom.index, numbers))
        if isinstance(atom, Fetch):
            atom = replace(atom, source=numbers[atom.source])
        terms.append((atom, c))
    return Index(index.constant, tuple(terms))
