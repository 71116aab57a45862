"""Pooling and upsampling of images."""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np

from ..dtypes import Array
from ..errors import ShapeError
from ..ir.composite import CompositeOp
from ..ir.graph import Graph, Value
from ..ir.op import Op, Source, op
from ..ir.types import TensorType
from ..kernel.archetype import Archetype, Reduction, Result, Stage, places
from ..kernel.element import Element, apply, held, number, position, test
from ..kernel.index import Bound, Index, flat
from ..scalar.expr import equal, where
from .conv import Conv2d, image_at
from .image import Pair, as_image, flat_again, pair
from .layout import BroadcastTo, Reshape
from .reduce import Mean
from .window import Size, Window


def _pooled(op: Op, window: Window, kernel: Size, x: TensorType) -> TensorType:
    """The type of pooled images."""
    if x.rank() != 4:
        op.reject("images are [N, C, H, W]", x)
    problem = window.problem()
    if problem is not None or min(kernel) < 1:
        op.reject(problem or "the kernel must be positive", x)
    if any(2 * p > k for p, k in zip(window.padding, kernel, strict=True)):
        op.reject("padding may be at most half the kernel", x)
    out = window.outputs((x.shape[2], x.shape[3]), kernel)
    if min(out) < 1:
        op.reject(f"the window {kernel[0]}×{kernel[1]} is larger than the padded image", x)
    return x.with_shape((*x.shape[:2], *out))


@dataclass(frozen=True)
class PoolOp(Op):
    """What max pooling and its gradient share."""

    kernel: Size
    stride: Size
    padding: Size = (0, 0)

    def window(self) -> Window:
        """The walk of the window."""
        return Window(self.stride, self.padding)

    def taps(self, x: Array, outside: float) -> Array:
        """What each window position reads, ``[kh·kw, n, c, oh, ow]``."""
        window = self.window()
        out = window.outputs((x.shape[2], x.shape[3]), self.kernel)
        padded = window.padded(x, outside)
        taps = window.taps(self.kernel, out)
        return np.stack([padded[:, :, rows, cols] for _, _, rows, cols in taps])

    def tap_element(self, at: list[Index], x: Source) -> Element:
        """What an output reads through a tap, −∞ outside the image."""
        n, c, *place = at
        row, column = self.window().reads(place, places(self.kernel, "r"))
        image = image_at(x, n, c, row, column)
        inside = self.inside(place, x)
        return apply(lambda i, v: where(i, v, -math.inf), inside, image)

    def inside(self, place: list[Index], x: Source) -> Element:
        """1 where a tap of an output's window lies in the image, 0 in its margins."""
        result = number(1.0)
        reads = self.window().reads(place, places(self.kernel, "r"))
        for index, size in zip(reads, x.ty.shape[2:], strict=True):
            result = apply(lambda a, b: a * b, result, test(Bound(index, 0, size)))
        return result

    def tap_number(self) -> Index:
        """The number of a tap, row by row."""
        return flat(places(self.kernel, "r"), self.kernel)


@op("max_pool_2d")
class MaxPool2d(PoolOp):
    """The largest element of each window; margins never win."""

    def infer(self, x: TensorType) -> TensorType:
        """``[N, C, outH, outW]``."""
        return _pooled(self, self.window(), self.kernel, x)

    def lower(self, out: TensorType, x: Source) -> Archetype:
        element = self.tap_element(places(out.shape), x)
        return Reduction(out.shape, self.kernel, (Stage("max", element),), (Result(held("s0")),))

    def reference(self, x: Array) -> Array:
        """The maximum over the window's positions."""
        return np.asarray(self.taps(x, -np.inf).max(axis=0))

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """To the largest element of each window."""
        winner = MaxPool2dIndex(self.kernel, self.stride, self.padding)(x)
        back = MaxPool2dGrad(self.kernel, self.stride, self.padding, (x.shape[2], x.shape[3]))
        return (back(grad, winner),)


@op("max_pool_2d_index")
class MaxPool2dIndex(PoolOp):
    """The number of the first tap of each window, row by row, that reads the window's maximum."""

    differentiable: ClassVar[bool] = False

    def infer(self, x: TensorType) -> TensorType:
        """``[N, C, outH, outW]``."""
        return _pooled(self, self.window(), self.kernel, x)

    def lower(self, out: TensorType, x: Source) -> Archetype:
        element = self.tap_element(places(out.shape), x)
        first = apply(
            lambda v, m, t, i: where(equal(v, m) * i, -t, -math.inf),
            element,
            held("s0"),
            position(self.tap_number()),
            self.inside(places(out.shape)[2:], x),  # margins, −∞ as well, never win
        )
        stages = (Stage("max", element), Stage("max", first))
        return Reduction(out.shape, self.kernel, stages, (Result(apply(lambda s: -s, held("s1"))),))

    def reference(self, x: Array) -> Array:
        """The first of the window's positions that holds its maximum."""
        taps, inside = self.taps(x, -np.inf), self.taps(np.ones_like(x), 0.0) > 0
        return np.asarray(((taps == taps.max(axis=0)) & inside).argmax(axis=0), x.dtype)


@op("max_pool_2d_grad")
class MaxPool2dGrad(PoolOp):
    """The gradient of `max_pool_2d`: each output's goes to the tap that won its window."""

    size: Size = (1, 1)

    def infer(self, grad: TensorType, winner: TensorType) -> TensorType:
        """The images' type."""
        if grad.rank() != 4 or grad != winner:
            self.reject("grad and winner must both be [N, C, outH, outW]", grad, winner)
        x = TensorType.f32((*grad.shape[:2], *self.size))
        if _pooled(self, self.window(), self.kernel, x) != grad:
            self.reject(f"grad is not what images {x} give", grad, winner)
        return x

    def lower(self, out: TensorType, grad: Source, winner: Source) -> Archetype:
        n, c, *at = places(out.shape)
        tap = places(self.kernel, "r")
        size = (grad.ty.shape[2], grad.ty.shape[3])
        outputs, bounds = self.window().read_by(at, tap, size)
        term = apply(
            lambda g, w, t: where(equal(w, t), g, 0.0),
            grad.at([n, c, *outputs]),
            winner.at([n, c, *outputs]),
            position(self.tap_number()),
        )
        for bound in bounds:
            term = term.within(bound)
        return Reduction(out.shape, self.kernel, (Stage("sum", term),), (Result(held("s0")),))

    def reference(self, grad: Array, winner: Array) -> Array:
        """For each position of the window, the outputs whose maximum it holds."""
        window = self.window()
        result = window.padded(np.zeros((*grad.shape[:2], *self.size), grad.dtype))
        places = window.taps(self.kernel, (grad.shape[2], grad.shape[3]))
        for tap, (_, _, rows, cols) in enumerate(places):
            result[:, :, rows, cols] += np.where(winner == tap, grad, grad.dtype.type(0))
        return window.unpadded(result)


@op("avg_pool_2d")
class AvgPool2d(CompositeOp):
    """The mean of each window, margins counting as zeros: a convolution of each channel by itself
    with equal weights."""

    kernel: Size
    stride: Size
    padding: Size = (0, 0)

    def check(self, x: TensorType) -> None:
        """The rules of pooling."""
        _pooled(self, Window(self.stride, self.padding), self.kernel, x)

    def define(self, x: Value) -> Value:
        """`conv2d` with one group for each channel."""
        channels = x.shape[1]
        weights = x.graph.full(1 / prod(self.kernel), (channels, 1, *self.kernel))
        return Conv2d(self.stride, self.padding, groups=channels)(x, weights)


@op("upsample_2x")
class Upsample2x(CompositeOp):
    """Each element repeated as a 2×2 block."""

    def check(self, x: TensorType) -> None:
        """Images only."""
        if x.rank() != 4:
            self.reject("images are [N, C, H, W]", x)

    def define(self, x: Value) -> Value:
        """Two new axes of size 2, then folded into height and width."""
        n, c, h, w = x.shape
        apart = Reshape((n, c, h, 1, w, 1))(x)
        return Reshape((n, c, 2 * h, 2 * w))(BroadcastTo((n, c, h, 2, w, 2))(apart))


class PoolMethods(Graph):
    """Graph methods for pooling and upsampling."""

    def max_pool_2d(
        self, x: Value, kernel: Pair, stride: Pair | None = None, padding: Pair = 0
    ) -> Value:
        """The largest element of each window of ``x[N, C, H, W]``, whose margins never win.

        ``kernel`` k, ``stride`` s (the kernel's size if not given) and ``padding`` p are one number
        or a pair (h, w); the result's height is ``⌊(H + 2p − k) / s⌋ + 1``, its width likewise. A
        window's gradient goes to the first of its largest elements, row by row. Padding beyond half
        the kernel, or a window that does not fit, is a `ShapeError`.

        >>> g.max_pool_2d(g.input("x", [8, 3, 32, 32]), 2).shape
        (8, 3, 16, 16)
        """
        return self.emit(MaxPool2d(*_pool_sizes("max_pool_2d", kernel, stride, padding)), x)

    def avg_pool_2d(
        self, x: Value, kernel: Pair, stride: Pair | None = None, padding: Pair = 0
    ) -> Value:
        """The mean of each window of ``x[N, C, H, W]``, in which margins count as zeros.

        Arguments, sizes and what is refused as for `max_pool_2d`.

        >>> g.avg_pool_2d(g.input("x", [8, 3, 32, 32]), 3, stride=2, padding=1).shape
        (8, 3, 16, 16)
        """
        return self.emit(AvgPool2d(*_pool_sizes("avg_pool_2d", kernel, stride, padding)), x)

    def global_avg_pool(self, x: Value) -> Value:
        """The mean of each channel: ``[N, C, H, W]`` gives ``[N, C]``; else it is a `ShapeError`.

        >>> g.global_avg_pool(g.input("x", [8, 64, 4, 4])).shape
        (8, 64)
        """
        if x.ty.rank() != 4:
            raise ShapeError(f"global_avg_pool: images are [N, C, H, W]: x is {x.ty}")
        return self.emit(Mean((2, 3)), x)

    def upsample_2x(
        self,
        x: Value,
        batch: int | None = None,
        channels: int | None = None,
        in_h: int | None = None,
        in_w: int | None = None,
    ) -> Value:
        """``out[n, c, i, j] = x[n, c, ⌊i/2⌋, ⌊j/2⌋]``: each element as a 2×2 block.

        ``[N, C, H, W]`` gives ``[N, C, 2H, 2W]``; a flat NCHW tensor needs its sizes and stays
        flat, else it is a `ShapeError`. An element's gradient is the sum of its block's.

        >>> g.upsample_2x(g.input("x", [8, 3, 16, 16])).shape
        (8, 3, 32, 32)
        """
        sizes = {"batch": batch, "channels": channels, "in_h": in_h, "in_w": in_w}
        image, was_flat = as_image("upsample_2x", "x", x, **sizes)
        return flat_again(self.emit(Upsample2x(), image), was_flat)


def _pool_sizes(
    op: str, kernel: Pair, stride: Pair | None, padding: Pair
) -> tuple[Size, Size, Size]:
    return (
        pair(kernel, f"{op}: kernel"),
        pair(kernel if stride is None else stride, f"{op}: stride"),
        pair(padding, f"{op}: padding"),
    )
