"""Attention: each query sees keys, by products of their vectors, and mixes the keys' values.

Scores are never in memory as a whole: kernels form them for a few rows at a time. Variables: ``b``
a sequence of the batch, ``g`` a key/value head, ``r`` one of the query heads that share it, ``i`` a
query, ``j`` a key, ``d`` a place in a vector.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import prod
from typing import Any, TypeVar

from ..scalar.expr import Expr, equal, exp, log, where
from .element import Element, choose, number, strided
from .index import Bound, Index, Var

K = TypeVar("K", bound="Attending")


@dataclass(frozen=True)
class Form:
    """Sizes, and which keys a query sees."""

    batch: int
    groups: int
    shared: int
    queries: int
    keys: int
    dim: int
    scale: float
    before: int | None
    """With a number, query i sees the keys from i − before to i; else all."""

    def query_axes(self) -> list[Var]:
        """The variables of queries' vectors: ``b g r i d``."""
        sizes = (self.batch, self.groups, self.shared, self.queries, self.dim)
        return [Var(name, size) for name, size in zip("bgrid", sizes, strict=True)]

    def key_axes(self) -> list[Var]:
        """The variables of keys' vectors: ``b g j d``."""
        sizes = (self.batch, self.groups, self.keys, self.dim)
        return [Var(name, size) for name, size in zip("bgjd", sizes, strict=True)]

    def score_axes(self) -> list[Var]:
        """The variables of scores: ``b g r i j``."""
        return [*self.query_axes()[:4], self.key_axes()[2]]

    def query_elements(self) -> int:
        """Numbers in all queries."""
        return prod(var.extent for var in self.query_axes())

    def key_elements(self) -> int:
        """Numbers in all keys."""
        return prod(var.extent for var in self.key_axes())

    def query_rows(self) -> int:
        """Queries of all heads."""
        return self.query_elements() // self.dim

    def query_at(self, places: Mapping[Var, Index], i: Index) -> Index:
        """Where the vector of a query lies among rows of queries."""
        b, g, r = (places[var] for var in self.query_axes()[:3])
        row = (b * self.queries + i) * (self.groups * self.shared)
        return (row + g * self.shared + r) * self.dim

    def key_at(self, places: Mapping[Var, Index], j: Index) -> Index:
        """Where the vector of a key lies among rows of keys."""
        b, g = (places[var] for var in self.key_axes()[:2])
        return ((b * self.keys + j) * self.groups + g) * self.dim

    def row_at(self, places: Mapping[Var, Index], i: Index) -> Index:
        """The number of a query among those of all heads."""
        b, g, r = (places[var] for var in self.query_axes()[:3])
        return ((b * self.groups + g) * self.shared + r) * self.queries + i

    def pair(self, places: Mapping[Var, Index], i: Index, j: Index) -> dict[Var, Index]:
        """The variables of a score at query i and key j."""
        axes = self.score_axes()
        return {**{var: places[var] for var in axes[:3]}, axes[3]: i, axes[4]: j}

    def visible(self, value: Element, i: Index, j: Index, hidden: float) -> Element:
        """A value where query i sees key j, and something else where not."""
        bounds = [Bound(i, 0, self.queries), Bound(j, 0, self.keys)]
        if self.before is not None:
            bounds.append(Bound(i - j, 0, self.before + 1))
        for bound in bounds:
            value = choose(bound, value, number(hidden))
        return value

    def score(self, product: Expr, *bias: Expr) -> Expr:
        """The score of a pair, from the product of its vectors and what may be added to it."""
        return product * self.scale + bias[0] if bias else product * self.scale


def base(largest: Expr) -> Expr:
    """What exponentials are taken relative to: the largest score, if a key was seen at all."""
    return where(equal(largest, -math.inf), 0.0, largest)


def share(total: Expr) -> Expr:
    """What mixed values are multiplied by; a row that saw nothing is zero."""
    return 1 / where(equal(total, 0.0), 1.0, total)


def log_sum(largest: Expr, total: Expr) -> Expr:
    """The logarithm of a row's sum of exponentials."""
    return base(largest) + log(total)


def weight(score: Expr, log_sum: Expr) -> Expr:
    """A pair's share of its row, from the logarithm of the row's sum."""
    return exp(score - base(log_sum))


def slope(weight: Expr, product: Expr, delta: Expr) -> Expr:
    """The gradient of a score, from the product of its value with the gradient of the row."""
    return weight * (product - delta)


@dataclass(frozen=True)
class Attending:
    """What the two kernels share: the vectors of queries, keys and values."""

    form: Form
    q: Element
    k: Element
    v: Element

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        found = [getattr(self, field.name) for field in fields(self)]
        return [element for element in found if isinstance(element, Element)]

    def with_elements(self: K, elements: list[Element]) -> K:
        """The same with other expressions."""
        names = [f.name for f in fields(self) if isinstance(getattr(self, f.name), Element)]
        changes: dict[str, Any] = dict(zip(names, elements, strict=True))
        return replace(self, **changes)

    def __str__(self) -> str:
        names = [f.name for f in fields(self) if isinstance(getattr(self, f.name), Element)]
        parts = "; ".join(f"{name} = {getattr(self, name)}" for name in names)
        return f"{type(self).__name__} {self.form}: {parts}"


@dataclass(frozen=True)
class Attention(Attending):
    """The mixed values as rows ``[b, i, (g, r, d)]``, then the logarithm of each row's sum of
    exponentials, ``[b, g, r, i]``."""

    bias: Element | None = None
    packed: bool = False
    """Whether keys are turned, ``[…, d, j]``."""

    def result_sizes(self) -> list[int]:
        """How many elements the result has."""
        return [self.form.query_elements() + self.form.query_rows()]


@dataclass(frozen=True)
class AttentionGradient(Attending):
    """The gradients of queries, keys and values, one after another, as rows like theirs."""

    grad: Element
    """The gradient of the mixed values."""
    lse: Element
    out: Element | None = None
    grad_lse: Element | None = None
    bias: Element | None = None
    delta: Element | None = None
    """For each query ``Σ grad · out − grad_lse``, what is taken off the gradients of its scores;
    packing (plan/pack.py) makes it, and turned copies, ``[…, d, i]`` or j, filled up with zeros."""
    turned_q: Element | None = None
    turned_k: Element | None = None
    turned_v: Element | None = None
    turned_grad: Element | None = None

    def result_sizes(self) -> list[int]:
        """How many elements the result has."""
        return [self.form.query_elements() + 2 * self.form.key_elements()]


def can_be_mixed(element: Element, axes: list[Var], lanes: int) -> bool:
    """Whether rows of vectors (the last two axes) can be mixed where they are: vectors are whole
    and lie next to each other, and blocks of rows are whole, so that nothing is read that is not
    theirs."""
    found = strided(element, axes)
    *_, rows, columns = axes
    whole = columns.extent % lanes == 0 and rows.extent % (2 * lanes) == 0
    return found is not None and found.steps[-2:] == (columns.extent, 1) and whole
