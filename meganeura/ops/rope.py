"""Rotary position embeddings (Su et al. 2021), with HuggingFace's pairing of halves."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from ..dtypes import Array
from ..ir.graph import Graph, Value
from ..ir.op import Op, Source, op
from ..ir.types import TensorType
from ..kernel.element import Element, apply, as_index, choose, position, test
from ..kernel.index import Bound, Index
from ..scalar.expr import Expr, cos, exp, sin, where

POSITIONS = 2**24
"""So many whole numbers are floats."""


@op("rope")
class Rope(Op):
    """In each head, elements d and d + head_dim/2 turned by ``position · theta^(−2d/head_dim)``.

    The position of row r is ``r mod (rows/batch) + offset``, plus ``start[0]`` if that operand is
    given. ``inverse`` turns the other way."""

    theta: float
    head_dim: int
    offset: int = 0
    batch: int = 1
    inverse: bool = False
    u32_operands: ClassVar[frozenset[str]] = frozenset({"start"})

    def infer(self, x: TensorType, start: TensorType | None = None) -> TensorType:
        """The operand's type."""
        types = (x,) if start is None else (x, start)
        if x.rank() != 2:
            self.reject("x must be [seq, dim]", *types)
        if self.head_dim < 2 or self.head_dim % 2:
            self.reject(f"head_dim must be even and positive, got {self.head_dim}", *types)
        if x.shape[1] % self.head_dim:
            self.reject(f"dim must be a multiple of head_dim ({self.head_dim})", *types)
        if self.batch < 1 or x.shape[0] % self.batch:
            self.reject(f"rows must divide into batch ({self.batch})", *types)
        if not 0 < self.theta < math.inf or self.offset < 0:
            self.reject("theta must be positive and finite, and the offset not negative", *types)
        if start is not None and start.num_elements() != 1:
            self.reject("the offset must be a single number", *types)
        return x

    def index_limits(self, x: TensorType, start: TensorType | None = None) -> dict[str, int]:
        """A start from which all positions are whole numbers that a float tells apart."""
        last = x.shape[0] // self.batch + self.offset
        return {} if start is None else {"start": max(1, POSITIONS - last)}

    def element(self, at: list[Index], x: Source, *start: Source) -> Element:
        row, column = at
        rows, half = x.ty.shape[0], self.head_dim // 2
        d = column % self.head_dim
        place = row % (rows // self.batch) + self.offset
        for s in start:
            place = place + as_index(s.at([Index()] * s.ty.rank()), POSITIONS)
        step = -2.0 * math.log(self.theta) / self.head_dim
        sign = 1.0 if self.inverse else -1.0
        is_first = Bound(d, 0, half)
        after = x.at([row, column + half]).within(is_first)
        before = x.at([row, column - half]).within(Bound(d, half, self.head_dim))
        other = choose(is_first, after, before)

        def turned(value: Expr, pair: Expr, p: Expr, i: Expr, first: Expr) -> Expr:
            angle = p * exp(i * step)
            return value * cos(angle) + where(first, pair * sign, pair * -sign) * sin(angle)

        frequency = position(d % half)
        return apply(turned, x.at(at), other, position(place), frequency, test(is_first))

    def reference(self, x: Array, start: Any = None) -> Array:
        """Each pair as a rotated vector."""
        rows, half = x.shape[0], self.head_dim // 2
        position = np.arange(rows) % (rows // self.batch) + self.offset
        if start is not None:
            position = position + int(start.ravel()[0])
        frequency = self.theta ** (-2.0 * np.arange(half) / self.head_dim)
        angle = position[:, None, None] * frequency  # [rows, 1, half]
        cos = np.cos(angle).astype(x.dtype)
        sin = np.sin(-angle if self.inverse else angle).astype(x.dtype)
        a, b = np.split(x.reshape(rows, -1, self.head_dim), 2, axis=-1)  # [rows, heads, half]
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1).reshape(x.shape)

    def vjp(self, grad: Value, out: Value, x: Value, *start: Value) -> tuple[Value | None, ...]:
        """The inverse rotation."""
        back = Rope(self.theta, self.head_dim, self.offset, self.batch, not self.inverse)
        return (back(grad, *start), *(None for _ in start))


class RopeMethods(Graph):
    """Graph methods for rotary position embeddings."""

    def rope(self, x: Value, theta: float, head_dim: int, *, batch: int = 1) -> Value:
        """Elements d and d + head_dim/2 of each head turned by ``position · theta^(−2d/head_dim)``.

        ``x`` is ``[seq, heads·head_dim]``, heads one after another, and so is the result. A row's
        number is its position; with ``batch=B`` the rows are B sequences one after another,
        ``[B·seq, heads·head_dim]``, each counted from its own beginning. The pairs are
        HuggingFace's (halves of a head, not neighbours). The gradient is turned back by the same
        angles.

        head_dim is even and divides the columns, B the rows, and theta is positive, else it is a
        `ShapeError`. Su et al. 2021; theta is 10000 there.

        >>> g.set_outputs([g.rope(g.constant([[1, 0], [1, 0]]), 10000.0, head_dim=2)])
        >>> mg.interpret(g, {})[0][1].round(3)  # cos 1, sin 1
        array([0.54 , 0.841], dtype=float32)
        """
        return self.emit(Rope(theta, head_dim, batch=batch), x)

    def rope_with_offset(
        self, x: Value, theta: float, pos_offset: int, head_dim: int, *, batch: int = 1
    ) -> Value:
        """`rope` with ``pos_offset`` added to the positions: row r is at ``r + pos_offset``.

        ``x`` is ``[seq, heads·head_dim]``, or ``[B·seq, heads·head_dim]`` with ``batch=B``, whose
        sequences all have the same offset. A negative offset is a `ShapeError`.

        >>> g.rope_with_offset(g.input("q", [3, 8]), 10000.0, pos_offset=5, head_dim=4).shape
        (3, 8)
        """
        return self.emit(Rope(theta, head_dim, pos_offset, batch), x)

    def rope_dynamic_offset(
        self, x: Value, theta: float, offset: Value, head_dim: int, *, batch: int = 1
    ) -> Value:
        """`rope` with ``offset[0]``, a U32 number that is fed before each step, added to positions.

        It is the number that `cache_write` and `cached_attention` take as ``kv_pos``. ``x`` is
        ``[seq, heads·head_dim]``, or ``[B·seq, heads·head_dim]`` with ``batch=B``, whose sequences
        all have the same offset; ``offset`` is U32 (`DTypeError`) and has one element
        (`ShapeError`).

        >>> at = g.input_u32("at", [1])
        >>> g.rope_dynamic_offset(g.input("q", [1, 8]), 10000.0, at, head_dim=4).shape
        (1, 8)
        """
        return self.emit(Rope(theta, head_dim, batch=batch), x, offset)
