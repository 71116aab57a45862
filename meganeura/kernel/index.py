"""Whole-number expressions that say where an element lies.

An `Index` is a sum ``constant + Σ coefficient · atom``, kept in one canonical form, so that equal
positions are equal values. Atoms are loop variables with their range, quotients and remainders that
could not be simplified away, and numbers fetched from a buffer (the row of an embedding). Ranges
decide when a quotient is exact or a bound always holds; reshapes of reshapes come out as plain
strides that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import gcd
from typing import Union


@dataclass(frozen=True)
class Var:
    """A loop variable, from 0 to ``extent − 1``."""

    name: str
    extent: int

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Quotient:
    """``index // divisor``."""

    index: Index
    divisor: int

    def __str__(self) -> str:
        return f"({self.index})/{self.divisor}"


@dataclass(frozen=True)
class Remainder:
    """``index mod divisor``."""

    index: Index
    divisor: int

    def __str__(self) -> str:
        return f"({self.index})%{self.divisor}"


@dataclass(frozen=True)
class Fetch:
    """The whole number at ``index`` of operand ``source``, known to be below ``limit``."""

    source: int
    index: Index
    limit: int

    def __str__(self) -> str:
        return f"b{self.source}[{self.index}]"


Atom = Union[Var, Quotient, Remainder, Fetch]  # noqa: UP007  (names of classes defined below it)


@dataclass(frozen=True)
class Index:
    """``constant + Σ coefficient · atom``, the terms in a canonical order."""

    constant: int = 0
    terms: tuple[tuple[Atom, int], ...] = ()

    def __add__(self, other: Index | int) -> Index:
        if isinstance(other, int):
            return Index(self.constant + other, self.terms) if other else self
        if not other.terms:
            return self + other.constant
        if not self.terms:
            return other + self.constant
        sums = dict(self.terms)
        for atom, coefficient in other.terms:
            sums[atom] = sums.get(atom, 0) + coefficient
        return make(self.constant + other.constant, sums)

    def __mul__(self, factor: int) -> Index:
        if factor == 1:
            return self
        terms = tuple((atom, c * factor) for atom, c in self.terms) if factor else ()
        return Index(self.constant * factor, terms)

    def __sub__(self, other: Index | int) -> Index:
        return self + (-other if isinstance(other, int) else other * -1)

    def __floordiv__(self, divisor: int) -> Index:
        whole, rest = self._split(divisor)
        low, high = rest.range()
        if low // divisor == high // divisor:
            return whole + low // divisor
        if (found := rest._steps(divisor)) is not None:
            steps, size, _ = found
            return whole + steps // (divisor // size)
        return whole + make(0, {Quotient(rest, divisor): 1})

    def __mod__(self, divisor: int) -> Index:
        _, rest = self._split(divisor)
        low, high = rest.range()
        if low // divisor == high // divisor:
            return rest - low // divisor * divisor
        if (found := rest._steps(divisor)) is not None:
            steps, size, inside = found
            return steps % (divisor // size) * size + inside
        return make(0, {Remainder(rest, divisor): 1})

    def _split(self, divisor: int) -> tuple[Index, Index]:
        """``self = whole · divisor + rest``, with all multiples of the divisor in ``whole``."""
        whole = {atom: c // divisor for atom, c in self.terms if c % divisor == 0}
        rest = {atom: c for atom, c in self.terms if c % divisor}
        return make(self.constant // divisor, whole), make(self.constant % divisor, rest)

    def _steps(self, divisor: int) -> tuple[Index, int, Index] | None:
        """``self = steps · size + inside``, with the largest size that divides the divisor and that
        what is inside never reaches: so only the steps decide which multiple of the divisor this
        is in. None if there is no such size."""
        sizes = {gcd(c, divisor) for _, c in self.terms} - {1}
        for size in sorted(sizes, reverse=True):
            steps, inside = self._split(size)
            low, high = inside.range()
            if low >= 0 and high < size:
                return steps, size, inside
        return None

    def range(self) -> tuple[int, int]:
        """The smallest and the largest value."""
        low = high = self.constant
        for atom, coefficient in self.terms:
            ends = sorted(coefficient * end for end in atom_range(atom))
            low, high = low + ends[0], high + ends[1]
        return low, high

    def coefficient(self, var: Var) -> int | None:
        """By how much a step of ``var`` moves the position; None if not always by the same."""
        result = 0
        for atom, c in self.terms:
            if atom == var:
                result = c
            elif var in variables(atom):
                return None
        return result

    def substitute(self, values: Mapping[Var, Index | int]) -> Index:
        """With variables replaced."""
        constant, sums = self.constant, dict[Atom, int]()
        for atom, c in self.terms:
            value = _substitute_atom(atom, values)
            constant += value.constant * c
            for inner, k in value.terms:
                sums[inner] = sums.get(inner, 0) + k * c
        return make(constant, sums)

    def merged(self, outer: Var, inner: Var, both: Var) -> Index | None:
        """With two adjacent variables run as one, ``both = outer · inner.extent + inner``; None if
        this position does not move evenly along them."""
        a, b = self.coefficient(outer), self.coefficient(inner)
        if a is None or b is None or a != b * inner.extent:
            return None
        rest = {atom: c for atom, c in self.terms if atom not in (outer, inner)}
        return make(self.constant, {**rest, both: b})

    def variables(self) -> frozenset[Var]:
        """The variables the position depends on."""
        return frozenset().union(*(variables(atom) for atom, _ in self.terms))

    def __str__(self) -> str:
        parts = [f"{c}*{atom}" if c != 1 else f"{atom}" for atom, c in self.terms]
        if self.constant or not parts:
            parts.append(str(self.constant))
        return "+".join(parts)


def make(constant: int, terms: Mapping[Atom, int]) -> Index:
    """An index in canonical form. A remainder and its quotient are put together again:
    ``e mod d + d · (e // d) = e``."""
    kept = []
    for atom, c in terms.items():
        if isinstance(atom, Remainder):
            partner = Quotient(atom.index, atom.divisor)
            if terms.get(partner) == c * atom.divisor:
                rest = {a: k for a, k in terms.items() if a not in (atom, partner)}
                return make(constant, rest) + atom.index * c
        if c and (atom.extent > 1 if isinstance(atom, Var) else atom_range(atom) != (0, 0)):
            kept.append((atom, c))
    if len(kept) > 1:
        kept.sort(key=_by_name)
    return Index(constant, tuple(kept))


def _by_name(term: tuple[Atom, int]) -> str:
    atom = term[0]
    return atom.name if isinstance(atom, Var) else _text(atom)


@cache
def _text(atom: Atom) -> str:
    return str(atom)


def of(var: Var) -> Index:
    """A variable as an index."""
    return make(0, {var: 1})


def fetch(source: int, index: Index, limit: int) -> Index:
    """A number fetched from a buffer, as an index."""
    return make(0, {Fetch(source, index, limit): 1})


def flat(indices: Iterable[Index], shape: Iterable[int]) -> Index:
    """The position of an element in row-major order."""
    result = Index()
    for index, size in zip(indices, shape, strict=True):
        result = result * size + index
    return result


def unflat(position: Index, shape: tuple[int, ...], inside: bool = False) -> list[Index]:
    """The index along each axis of the element at a row-major position. One that is known to be
    ``inside`` the shape, whatever its range, needs no remainder along the first axis."""
    result: list[Index] = []
    for size in reversed(shape):
        result.append(position % size)
        position, before = position // size, position
    if inside and shape:
        result[-1] = before
    return result[::-1]


@cache
def atom_range(atom: Atom) -> tuple[int, int]:
    """The smallest and the largest value of an atom."""
    match atom:
        case Var(_, extent):
            return 0, extent - 1
        case Quotient(index, divisor):
            low, high = index.range()
            return low // divisor, high // divisor
        case Remainder(_, divisor):
            return 0, divisor - 1
        case Fetch(_, _, limit):
            return 0, limit - 1


@cache
def variables(atom: Atom) -> frozenset[Var]:
    """The variables an atom depends on."""
    return frozenset({atom}) if isinstance(atom, Var) else atom.index.variables()


def _substitute_atom(atom: Atom, values: Mapping[Var, Index | int]) -> Index:
    match atom:
        case Var():
            value = values.get(atom)
            if value is None:
                return Index(0, ((atom, 1),))
            return Index(value) if isinstance(value, int) else value
        case Quotient(index, divisor):
            return index.substitute(values) // divisor
        case Remainder(index, divisor):
            return index.substitute(values) % divisor
        case Fetch(source, index, limit):
            return fetch(source, index.substitute(values), limit)


@dataclass(frozen=True)
class Bound:
    """The condition ``low ≤ index < high``."""

    index: Index
    low: int
    high: int

    def always(self) -> bool:
        """Whether it holds for every value of the variables."""
        low, high = self.index.range()
        return self.low <= low and high < self.high

    def never(self) -> bool:
        """Whether it holds for none."""
        low, high = self.index.range()
        return high < self.low or low >= self.high

    def substitute(self, values: Mapping[Var, Index | int]) -> Bound:
        """With variables replaced."""
        return Bound(self.index.substitute(values), self.low, self.high)

    def __str__(self) -> str:
        return f"{self.low}<={self.index}<{self.high}"
