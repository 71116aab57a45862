"""Normalization. Variances are of the population, computed from centred values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from ..errors import GraphError
from ..ir.composite import CompositeOp
from ..ir.graph import Graph, Value
from ..ir.op import Initial, Source, op
from ..ir.types import Shape, TensorType
from ..kernel.archetype import Archetype, Reduction, Result, Stage, places
from ..kernel.element import Element, apply, held
from ..scalar.expr import Expr, maximum, rsqrt
from .arithmetic import Rsqrt
from .image import as_channels, flat_again
from .layout import Reshape
from .reduce import Mean


@dataclass(frozen=True)
class NormOp(CompositeOp):
    """What norms share: a scale that starts at one, a shift that starts at zero, and eps > 0."""

    eps: float = 1e-5
    goes_on: ClassVar[bool] = True
    passes: ClassVar[float] = 3.0
    """For the mean, the variance and the result."""

    def inlines(self, number: int) -> bool:
        return True

    def initial(self, operand: str, *types: TensorType) -> Initial | None:
        """By the operand's part."""
        return {"w": Initial("ones"), "b": Initial("zeros")}.get(operand)

    def check_eps(self) -> None:
        """``eps`` keeps the division finite."""
        if not 0 < self.eps < math.inf:
            raise GraphError(
                f"{self.name}: eps must be positive, got {self.eps}", hint="1e-5 is usual"
            )

    def check_rows(self, x: TensorType, *vectors: TensorType) -> None:
        """Vectors must be as long as a row."""
        self.check_eps()
        if x.rank() < 2 or any(v.shape != x.shape[-1:] for v in vectors):
            self.reject("x must be [M, N] and w (and b) [N]", x, *vectors)

    def normalized(
        self, sizes: tuple[Shape, Shape], value: Element, scale: Element, shift: Element
    ) -> Archetype:
        """Rows with mean 0 and variance 1, then an affine map: a sum of the values, then of their
        distances from the mean and of the squares of these.

        The distances would have a sum of 0 if the mean were not rounded. What they have is taken
        off again: without that a mean of 1e4 costs three digits, and equal numbers give noise."""
        share = 1 / prod(sizes[1])

        def distance(value: Expr, total: Expr) -> Expr:
            return value - total * share

        def squared(value: Expr, total: Expr) -> Expr:
            return distance(value, total) * distance(value, total)

        def result(
            value: Expr, total: Expr, rest: Expr, squares: Expr, scale: Expr, shift: Expr
        ) -> Expr:
            variance = maximum(squares * share - (rest * share) * (rest * share), 0.0)
            centred = distance(distance(value, total), rest)
            return centred * (rsqrt(variance + self.eps) * scale) + shift

        total, rest, squares = (held(f"s{number}") for number in range(3))
        stages = (
            Stage("sum", value),
            Stage("sum", apply(distance, value, total)),
            Stage("sum", apply(squared, value, total)),
        )
        spread = apply(result, value, total, rest, squares, scale, shift)
        return Reduction(*sizes, stages, (Result(spread, spread=True),))


def normalize(x: Value, axis: int, eps: float) -> Value:
    """``x`` with mean 0 and variance 1 along an axis."""
    centred = x - Mean((axis,), True)(x)
    return centred * Rsqrt()(Mean((axis,), True)(centred * centred) + eps)


@op("rms_norm")
class RmsNorm(NormOp):
    """``x / √(mean(x²) + eps) · w`` along the last axis (Zhang & Sennrich 2019)."""

    def check(self, x: TensorType, w: TensorType) -> None:
        """Rows and a vector."""
        self.check_rows(x, w)

    def lower(self, out: TensorType, x: Source, w: Source) -> Archetype:
        (*rows, count), (column,) = out.shape, places(out.shape[-1:], "r")
        value = x.at([*places(tuple(rows)), column])
        result = apply(
            lambda v, s0, w: v * rsqrt(s0 * (1 / count) + self.eps) * w,
            value,
            held("s0"),
            w.at([column]),
        )
        squares = Stage("sum", apply(lambda v: v * v, value))
        return Reduction(tuple(rows), (count,), (squares,), (Result(result, spread=True),))

    def define(self, x: Value, w: Value) -> Value:
        """Scaled by the root of the mean square."""
        return x * Rsqrt()(Mean((len(x.shape) - 1,), True)(x * x) + self.eps) * w


@op("layer_norm")
class LayerNorm(NormOp):
    """``(x − mean) / √(var + eps) · w + b`` along the last axis (Ba et al. 2016)."""

    def check(self, x: TensorType, w: TensorType, b: TensorType) -> None:
        """Rows and two vectors."""
        self.check_rows(x, w, b)

    def lower(self, out: TensorType, x: Source, w: Source, b: Source) -> Archetype:
        (*rows, count), (column,) = out.shape, places(out.shape[-1:], "r")
        value = x.at([*places(tuple(rows)), column])
        scale, shift = w.at([column]), b.at([column])
        return self.normalized((tuple(rows), (count,)), value, scale, shift)

    def define(self, x: Value, w: Value, b: Value) -> Value:
        """Normalized, then an affine map."""
        return normalize(x, len(x.shape) - 1, self.eps) * w + b


@op("group_norm")
class GroupNorm(NormOp):
    """Normalized over each image's group of channels, then scaled and shifted by channel
    (Wu & He 2018)."""

    num_groups: int = 1

    def check(self, x: TensorType, w: TensorType, b: TensorType) -> None:
        """Channels must divide into groups."""
        self.check_eps()
        if x.rank() < 2 or w.shape != x.shape[1:2] or b.shape != x.shape[1:2]:
            self.reject("x must be [N, C, …] and w and b [C]", x, w, b)
        if self.num_groups < 1 or x.shape[1] % self.num_groups:
            rule = f"num_groups ({self.num_groups}) must divide the channels ({x.shape[1]})"
            self.reject(rule, x, w, b)

    def lower(self, out: TensorType, x: Source, w: Source, b: Source) -> Archetype:
        n, c = out.shape[:2]
        rows, columns = (n, self.num_groups), (c // self.num_groups, *out.shape[2:])
        (image, group), (channel, *place) = places(rows), places(columns, "r")
        c_at = group * columns[0] + channel
        value = x.at([image, c_at, *place])
        return self.normalized((rows, columns), value, w.at([c_at]), b.at([c_at]))

    def define(self, x: Value, w: Value, b: Value) -> Value:
        """One row for each image and group."""
        n, c = x.shape[:2]
        rows = Reshape((n, self.num_groups, x.ty.num_elements() // (n * self.num_groups)))(x)
        normal = Reshape(x.shape)(normalize(rows, 2, self.eps))
        by_channel = (1, c, *(1 for _ in x.shape[2:]))
        return normal * Reshape(by_channel)(w) + Reshape(by_channel)(b)


class NormMethods(Graph):
    """Graph methods that normalize. Variances are of the population."""

    def rms_norm(self, x: Value, w: Value, eps: float = 1e-5) -> Value:
        """``x / √(mean(x²) + eps) · w`` on each row of ``x`` (Zhang & Sennrich 2019).

        ``x`` is ``[…, N]``, ``w`` is ``[N]``. Rows are along the last axis, and ``x`` has two axes
        or more (`ShapeError`); eps is positive (`GraphError`).

        >>> g.rms_norm(g.input("x", [32, 64]), g.parameter("w", [64])).shape
        (32, 64)
        """
        return self.emit(RmsNorm(eps), x, w)

    def layer_norm(self, x: Value, w: Value, b: Value, eps: float = 1e-5) -> Value:
        """``(x − mean) / √(var + eps) · w + b`` on each row of ``x`` (Ba et al. 2016).

        ``x`` is ``[…, N]``, ``w`` and ``b`` are ``[N]``. The variance is of the population (divided
        by N), from centred values. Rows and eps as for `rms_norm`.

        >>> w, b = g.parameter("w", [64]), g.parameter("b", [64])
        >>> g.layer_norm(g.input("x", [32, 64]), w, b).shape
        (32, 64)
        """
        return self.emit(LayerNorm(eps), x, w, b)

    def group_norm(
        self,
        x: Value,
        w: Value,
        b: Value,
        batch: int | None = None,
        channels: int | None = None,
        spatial: int | None = None,
        num_groups: int = 1,
        eps: float = 1e-5,
    ) -> Value:
        """``(x − mean) / √(var + eps) · w + b``, by groups of an image's channels (Wu & He 2018).

        ``x`` is ``[N, C, …]``, or flat NCHW with ``batch``, ``channels`` and ``spatial`` (H·W)
        given, and then the result is flat; ``w`` and ``b`` are ``[C]``. Neighbouring C/num_groups
        channels are a group: ``num_groups`` divides the channels, else it is a `ShapeError`. The
        variance is of the population; eps is positive (`GraphError`).

        >>> w, b = g.parameter("w", [6]), g.parameter("b", [6])
        >>> g.group_norm(g.input("x", [8, 6, 4, 4]), w, b, num_groups=3).shape
        (8, 6, 4, 4)
        """
        sizes = {"batch": batch, "channels": channels, "spatial": spatial}
        x, was_flat = as_channels("group_norm", "x", x, **sizes)
        return flat_again(self.emit(GroupNorm(eps, num_groups), x, w, b), was_flat)
