"""Pooling and upsampling of images."""

from __future__ import annotations

from math import prod

import numpy as np

from ..dtypes import Array
from ..errors import ShapeError
from ..ir.composite import CompositeOp
from ..ir.graph import Graph, Value
from ..ir.op import Op, op
from ..ir.types import TensorType
from .conv import Conv2d, Size, Window
from .image import Pair, as_image, flat_again, pair
from .layout import BroadcastTo, Reshape
from .reduce import Mean


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


@op("max_pool_2d")
class MaxPool2d(Op):
    """The largest element of each window; margins never win."""

    kernel: Size
    stride: Size
    padding: Size = (0, 0)

    def infer(self, x: TensorType) -> TensorType:
        """``[N, C, outH, outW]``."""
        return _pooled(self, Window(self.stride, self.padding), self.kernel, x)

    def reference(self, x: Array) -> Array:
        """The maximum over the window's positions."""
        return _window_taps(x, self.kernel, self.stride, self.padding).max(axis=0)  # type: ignore[no-any-return]

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """To the largest element of each window."""
        return (MaxPool2dGrad(self.kernel, self.stride, self.padding)(grad, x),)


@op("max_pool_2d_grad")
class MaxPool2dGrad(Op):
    """The gradient of `max_pool_2d`: each output's goes to the first largest element of its
    window, in row-major order."""

    kernel: Size
    stride: Size
    padding: Size = (0, 0)

    def infer(self, grad: TensorType, x: TensorType) -> TensorType:
        """The images' type."""
        if _pooled(self, Window(self.stride, self.padding), self.kernel, x) != grad:
            self.reject("grad is not what the images give", grad, x)
        return x

    def reference(self, grad: Array, x: Array) -> Array:
        """For each position of the window, the outputs whose maximum it holds."""
        window = Window(self.stride, self.padding)
        taps = _window_taps(x, self.kernel, self.stride, self.padding)
        inside = _window_taps(np.ones_like(x), self.kernel, self.stride, self.padding) > 0
        # Where all is −∞ the margins are as large as the image: they still never win.
        winner = np.where(taps.max(axis=0) == -np.inf, inside.argmax(axis=0), taps.argmax(axis=0))
        result = window.padded(np.zeros_like(x))
        places = window.taps(self.kernel, (grad.shape[2], grad.shape[3]))
        for tap, (_, _, rows, cols) in enumerate(places):
            result[:, :, rows, cols] += np.where(winner == tap, grad, grad.dtype.type(0))
        return window.unpadded(result)


def _window_taps(x: Array, kernel: Size, stride: Size, padding: Size) -> Array:
    """What each window position reads, ``[kh·kw, n, c, oh, ow]``, margins being −∞."""
    window = Window(stride, padding)
    out = window.outputs((x.shape[2], x.shape[3]), kernel)
    padded = window.padded(x, -np.inf)
    return np.stack([padded[:, :, rows, cols] for _, _, rows, cols in window.taps(kernel, out)])


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
    """Graph methods for pooling and upsampling. Images are ``[N, C, H, W]``."""

    def max_pool_2d(
        self, x: Value, kernel: Pair, stride: Pair | None = None, padding: Pair = 0
    ) -> Value:
        """The largest element of each window; the stride is the kernel's size if not given."""
        return self.emit(MaxPool2d(*_pool_sizes("max_pool_2d", kernel, stride, padding)), x)

    def avg_pool_2d(
        self, x: Value, kernel: Pair, stride: Pair | None = None, padding: Pair = 0
    ) -> Value:
        """The mean of each window, margins counting as zeros."""
        return self.emit(AvgPool2d(*_pool_sizes("avg_pool_2d", kernel, stride, padding)), x)

    def global_avg_pool(self, x: Value) -> Value:
        """The mean of each channel: ``[N, C, H, W]`` gives ``[N, C]``."""
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
        """Each element as a 2×2 block: ``[N, C, H, W]`` gives ``[N, C, 2H, 2W]``; flat NCHW
        tensors need their sizes and stay flat."""
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
