"""Convolution and its two transposes.

The three are one trilinear form, ``Σ out[n,o,y,x] · in[n,c,y·s+i·d−p, x·s+j·d−p] · w[o,c,i,j]``,
with one of its three tensors left out, so each one's gradients are the other two.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from ..dtypes import Array
from ..errors import DTypeError, ShapeError
from ..ir.graph import Graph, Value
from ..ir.op import Initial, Op, Source, op
from ..ir.types import Shape, TensorType
from ..kernel import conv as kernel_conv
from ..kernel.archetype import Archetype
from ..kernel.conv import at, gradient_axes, image_axes, weight_axes
from ..kernel.element import Element
from ..kernel.index import Bound, Index
from ..kernel.target import filled_up
from ..kernel.winograd import (
    OUTPUTS,
    TAPS,
    points,
)
from .contraction import contract
from .image import Pair, as_image, flat_again, pair
from .layout import Reshape
from .window import Size, Window, by_tiles, gradient_by_tiles


@dataclass(frozen=True)
class ConvOp(Op):
    """What the three share: the window's walk, and the rules between the three shapes."""

    stride: Size = (1, 1)
    padding: Size = (0, 0)
    dilation: Size = (1, 1)
    groups: int = 1
    passes: ClassVar[float] = 1.6
    """Rows of images are staged more than once."""
    goes_on: ClassVar[bool] = True
    beside: ClassVar[float] = 4.0
    """What is read beside the factors comes late, a line of each filter at a time."""

    def inlines(self, number: int) -> bool:
        return number == 0

    def walk(self) -> dict[str, Any]:
        """The attributes that all three have."""
        return {name: getattr(self, name) for name in ("stride", "padding", "dilation", "groups")}

    def window(self) -> Window:
        """The walk of the window."""
        return Window(self.stride, self.padding, self.dilation, self.groups)

    def check_forward(self, x: TensorType, w: TensorType, *shown: TensorType) -> TensorType:
        """The result of the forward convolution; ``shown`` are the types an error names."""
        problem = self.window().problem()
        if problem is not None:
            self.reject(problem, *shown)
        if x.rank() != 4 or w.rank() != 4:
            self.reject("images are [N, C, H, W], kernels [O, C/groups, kH, kW]", *shown)
        (n, c, h, width), (o, cg, kh, kw) = x.shape, w.shape
        if c != cg * self.groups or o % self.groups:
            rule = f"{c} channels in {self.groups} groups do not fit a kernel {list(w.shape)}"
            self.reject(rule, *shown, hint="a kernel is [out, in / groups, kH, kW]")
        out = self.window().outputs((h, width), (kh, kw))
        if min(out) < 1:
            self.reject(f"the window {kh}×{kw} is larger than the padded image", *shown)
        return TensorType.f32((n, o, *out))


def image_at(x: Source, n: Index, c: Index, row: Index, column: Index) -> Element:
    """An element of an image, 0 outside of it."""
    element = x.at([n, c, row, column])
    for index, size in zip((row, column), x.ty.shape[2:], strict=True):
        element = element.within(Bound(index, 0, size))
    return element


def _two(shape: Shape) -> Size:
    a, b = shape
    return a, b


def _four(shape: Shape) -> tuple[int, int, int, int]:
    a, b, c, d = shape
    return a, b, c, d


def _by_group(array: Array, axis: int, groups: int) -> list[Array]:
    return np.split(array, groups, axis=axis)


@dataclass(frozen=True)
class TiledOp(ConvOp):
    """A convolution that may be computed by tiles: Winograd's algorithm (kernel/winograd.py)."""

    tile: int = 0
    """Outputs of a tile along each axis; 0 to compute each output by itself."""

    def check_tile(self, w: TensorType, *shown: TensorType) -> None:
        """Tiles are for windows of 3×3 that move by one."""
        plain = self.stride == self.dilation == (1, 1) and self.groups == 1
        plain = plain and max(self.padding) < TAPS
        if self.tile and not (self.tile in OUTPUTS and plain and w.shape[2:] == (TAPS, TAPS)):
            self.reject(f"tiles of {self.tile} are not for this window", *shown)

    def tiled_products(self, out: TensorType, terms: int) -> int:
        """Products for each point of each tile, and what transforms take, as so many."""
        n, filters, height, width = out.shape
        down, across = -(-height // self.tile), -(-width // self.tile)
        tiles = filled_up(n * down * across, FEW_TILES)
        if tiles > FEW_TILES:
            tiles = filled_up(tiles, TILES_AT_ONCE)
        each = TRANSFORM_PRODUCTS if across >= LONG_ROW else SHORT_TRANSFORM_PRODUCTS
        sums, transforms = terms * filters, each * (terms + filters)
        return points(self.tile) ** 2 * (tiles * (sums + transforms) + WEIGHT_PRODUCTS * sums)


TILES_AT_ONCE, FEW_TILES = 16, 8
"""Tiles of a block, which is computed whole, and of one where there are no more."""
TRANSFORM_PRODUCTS, SHORT_TRANSFORM_PRODUCTS, WEIGHT_PRODUCTS = 10, 20, 4
"""What it takes to transform a number of an image, one of a short row, and one of a weight, as
products of convolutions."""
LONG_ROW = 8
"""Tiles of a row that fill a vector."""


@op("conv2d")
class Conv2d(TiledOp):
    """Cross-correlation of images ``x[N, C, H, W]`` with kernels ``w[O, C/groups, kH, kW]``,
    zeros outside."""

    def infer(self, x: TensorType, w: TensorType) -> TensorType:
        """``[N, O, outH, outW]``."""
        out = self.check_forward(x, w, x, w)
        self.check_tile(w, x, w)
        return out

    def products(self, out: TensorType, x: TensorType, w: TensorType) -> int:
        if self.tile:
            return self.tiled_products(out, w.shape[1])
        return out.num_elements() * prod(w.shape[1:])

    def initial(self, operand: str, x: TensorType, w: TensorType) -> Initial:
        """A kernel is scaled by the number of products that are added up."""
        return Initial("uniform", w.num_elements() // w.shape[0])

    def reference(self, x: Array, w: Array) -> Array:
        """Windows gathered, then one matrix product for each group."""
        if self.tile:
            return by_tiles(self.window(), self.tile, x, w)
        window, kernel = self.window(), (w.shape[2], w.shape[3])
        out = window.outputs((x.shape[2], x.shape[3]), kernel)
        padded = window.padded(x)
        taps = [padded[:, :, rows, cols] for _, _, rows, cols in window.taps(kernel, out)]
        windows = np.stack(taps, axis=2)  # [n, c, kh·kw, oh, ow]
        kernels = w.reshape(*w.shape[:2], -1)  # [o, c/g, kh·kw]
        parts = zip(
            _by_group(windows, 1, self.groups), _by_group(kernels, 0, self.groups), strict=True
        )
        return np.concatenate([contract("nckyx,ock->noyx", p, k) for p, k in parts], axis=1)

    def lower(self, out: TensorType, x: Source, w: Source) -> Archetype:
        """Each group of channels is an image of its own, with its own set of weights."""
        (batch, _, *_), (filters, channels, *_) = x.ty.shape, w.ty.shape
        window = kernel_conv.Window(
            _two(x.ty.shape[2:]),
            _two(out.shape[2:]),
            _two(w.ty.shape[2:]),
            self.stride,
            self.dilation,
            self.padding,
        )
        groups, filters = self.groups, filters // self.groups
        n, c, row, column = at(image_axes((batch * groups, channels, *window.size)))
        image = x.at([n // groups, (n % groups) * channels + c, row, column])
        s, o, c, i, j = at(weight_axes((filters, channels, *window.kernel), groups))
        weight = w.at([s * filters + o, c, i, j])
        direct = kernel_conv.Convolution(
            batch * groups, channels, filters, window, image, weight, groups, tile=self.tile
        )
        return direct.folded()

    def vjp(self, grad: Value, out: Value, x: Value, w: Value) -> tuple[Value, Value]:
        """The two transposes."""
        by_input = Conv2dGradInput(**self.attributes(), size=(x.shape[2], x.shape[3]))
        by_weight = Conv2dGradWeight(**self.walk(), kernel=(w.shape[2], w.shape[3]))
        return by_input(grad, w), by_weight(x, grad)


@op("conv2d_grad_input")
class Conv2dGradInput(TiledOp):
    """The gradient of `conv2d` by its images: each output spread over the window it came from."""

    size: Size = (1, 1)

    def infer(self, grad: TensorType, w: TensorType) -> TensorType:
        """The images' type."""
        if grad.rank() != 4 or w.rank() != 4:
            self.reject("images are [N, C, H, W], kernels [O, C/groups, kH, kW]", grad, w)
        x = TensorType.f32((grad.shape[0], w.shape[1] * self.groups, *self.size))
        if self.check_forward(x, w, grad, w) != grad:
            self.reject(f"grad is not what images {x} give", grad, w)
        self.check_tile(w, grad, w)
        return x

    def products(self, out: TensorType, grad: TensorType, w: TensorType) -> int:
        if self.tile:
            return self.tiled_products(out, w.shape[0])
        # With a stride, zeros lie between the gradient's rows and columns.
        return out.num_elements() * w.shape[0] // self.groups * prod(w.shape[2:])

    def reference(self, grad: Array, w: Array) -> Array:
        """For each kernel position, a matrix product added to the places it reads."""
        if self.tile:
            turned = w[:, :, ::-1, ::-1].swapaxes(0, 1)
            margins = (TAPS - 1 - self.padding[0], TAPS - 1 - self.padding[1])
            return by_tiles(Window(padding=margins), self.tile, grad, turned)
        window, (oh, ow) = self.window(), (grad.shape[2], grad.shape[3])
        n, c = grad.shape[0], w.shape[1] * self.groups
        result = window.padded(np.zeros((n, c, *self.size), grad.dtype))
        parts = zip(
            _by_group(grad, 1, self.groups),
            _by_group(w, 0, self.groups),
            _by_group(result, 1, self.groups),
            strict=True,
        )
        for g, kernels, into in parts:
            for i, j, rows, cols in window.taps((w.shape[2], w.shape[3]), (oh, ow)):
                into[:, :, rows, cols] += contract("oc,noyx->ncyx", kernels[:, :, i, j], g)
        return window.unpadded(result)

    def lower(self, out: TensorType, grad: Source, w: Source) -> Archetype:
        """A convolution of the gradient with the kernels turned round. With a stride, zeros lie
        between the gradient's rows and columns. Groups are images of their own."""
        groups, kernel = self.groups, _two(w.ty.shape[2:])
        channels, filters = w.ty.shape[0] // groups, w.ty.shape[1]
        s, o, c, i, j = at(weight_axes((filters, channels, *kernel), groups))
        turned = [i * -1 + (kernel[0] - 1), j * -1 + (kernel[1] - 1)]
        weight = w.at([s * channels + c, o, *turned])
        (sh, sw), (dh, dw), (ph, pw) = self.stride, self.dilation, self.padding
        size = ((grad.ty.shape[2] - 1) * sh + 1, (grad.ty.shape[3] - 1) * sw + 1)
        batch = out.shape[0] * groups
        n, c, row, column = at(image_axes((batch, channels, *size)))
        image = grad.at([n // groups, (n % groups) * channels + c, row // sh, column // sw])
        image = image.within(Bound(row % sh, 0, 1)).within(Bound(column % sw, 0, 1))
        margins = (dh * (kernel[0] - 1) - ph, dw * (kernel[1] - 1) - pw)
        walk = kernel_conv.Window(size, _two(out.shape[2:]), kernel, (1, 1), self.dilation, margins)
        turned_round = kernel_conv.Convolution(
            batch, channels, filters, walk, image, weight, groups, tile=self.tile
        )
        return turned_round.folded()

    def vjp(self, grad: Value, out: Value, g: Value, w: Value) -> tuple[Value, Value]:
        """The other two of the form."""
        by_weight = Conv2dGradWeight(**self.walk(), kernel=(w.shape[2], w.shape[3]))
        return Conv2d(**self.walk(), tile=self.tile)(grad, w), by_weight(grad, g)


@op("conv2d_grad_weight")
class Conv2dGradWeight(TiledOp):
    """The gradient of `conv2d` by its kernels: images correlated with the outputs' gradient."""

    kernel: Size = (1, 1)
    goes_on: ClassVar[bool] = False

    def infer(self, x: TensorType, grad: TensorType) -> TensorType:
        """The kernels' type."""
        if x.rank() != 4 or grad.rank() != 4:
            self.reject("images and gradients are [N, C, H, W]", x, grad)
        if self.groups < 1 or x.shape[1] % self.groups:
            self.reject(f"channels do not divide into {self.groups} groups", x, grad)
        w = TensorType.f32((grad.shape[1], x.shape[1] // self.groups, *self.kernel))
        if self.check_forward(x, w, x, grad) != grad:
            self.reject(f"grad is not what kernels {w} give", x, grad)
        self.check_tile(w, x, grad)
        return w

    def inlines(self, number: int) -> bool:
        return True

    def products(self, out: TensorType, x: TensorType, grad: TensorType) -> int:
        if self.tile:
            return self.tiled_products(grad, x.shape[1])
        return grad.num_elements() * prod(out.shape[1:])

    def reference(self, x: Array, grad: Array) -> Array:
        """For each kernel position, one matrix product over all outputs."""
        if self.tile:
            return gradient_by_tiles(self.window(), self.tile, x, grad)
        window, out = self.window(), (grad.shape[2], grad.shape[3])
        result = np.empty((grad.shape[1], x.shape[1] // self.groups, *self.kernel), grad.dtype)
        parts = zip(
            _by_group(window.padded(x), 1, self.groups),
            _by_group(grad, 1, self.groups),
            _by_group(result, 0, self.groups),
            strict=True,
        )
        for images, g, into in parts:
            for i, j, rows, cols in window.taps(self.kernel, out):
                into[:, :, i, j] = contract("noyx,ncyx->oc", g, images[:, :, rows, cols])
        return result

    def lower(self, out: TensorType, x: Source, grad: Source) -> Archetype:
        shape, outputs = _four(x.ty.shape), _four(grad.ty.shape)
        walk = kernel_conv.Window(
            shape[2:], outputs[2:], self.kernel, self.stride, self.dilation, self.padding
        )
        image, gradient = x.at(at(image_axes(shape))), grad.at(at(gradient_axes(outputs)))
        return kernel_conv.Correlation(
            shape[0],
            shape[1] // self.groups,
            outputs[1] // self.groups,
            walk,
            image,
            gradient,
            self.groups,
            tile=self.tile,
        )

    def vjp(self, grad: Value, out: Value, x: Value, g: Value) -> tuple[Value, Value]:
        """The other two of the form."""
        by_input = Conv2dGradInput(**self.walk(), size=(x.shape[2], x.shape[3]))
        return by_input(g, grad), Conv2d(**self.walk())(x, grad)


def add_bias(images: Value, bias: Value) -> Value:
    """``bias[O]`` added to each channel of ``[N, O, H, W]``."""
    if bias.dtype is not images.dtype:
        raise DTypeError(f"conv2d: the bias must be f32: bias is {bias.ty}")
    if bias.shape != images.shape[1:2]:
        raise ShapeError(
            f"conv2d: the bias must be [{images.shape[1]}], one for each output channel: "
            f"bias is {bias.ty}"
        )
    return images + Reshape((1, bias.shape[0], 1, 1))(bias)


class ConvMethods(Graph):
    """The graph method for convolution."""

    def conv2d(
        self,
        x: Value,
        w: Value,
        batch: int | None = None,
        in_channels: int | None = None,
        in_h: int | None = None,
        in_w: int | None = None,
        out_channels: int | None = None,
        kernel_h: int | None = None,
        kernel_w: int | None = None,
        stride: Pair = 1,
        padding: Pair = 0,
        *,
        bias: Value | None = None,
        groups: int = 1,
        dilation: Pair = 1,
    ) -> Value:
        """``out[n, o, i, j] = Σ_cab x[n, c, i·s+a·d−p, j·s+b·d−p] · w[o, c, a, b] + bias[o]``.

        It is a cross-correlation, with zeros outside the image. ``x`` is ``[N, C, H, W]`` and ``w``
        ``[O, C/groups, kH, kW]``, and then no sizes are needed. Or either is flat in that order,
        with its sizes given; the result is flat if ``x`` is. Sizes given for what is not flat must
        agree.

        ``stride`` s, ``padding`` p and ``dilation`` d are one number or a pair (h, w); the result's
        height is ``⌊(H + 2p − d·(kH − 1) − 1) / s⌋ + 1``, its width likewise. With ``groups``, the
        k-th group of output channels reads the k-th group of input channels only. ``bias`` is
        ``[O]``. What does not fit, or a window larger than the padded image, is a `ShapeError`.

        >>> x, w = g.input("x", [8, 3, 32, 32]), g.parameter("w", [16, 3, 3, 3])
        >>> g.conv2d(x, w, stride=2, padding=1).shape
        (8, 16, 16, 16)
        >>> flat = g.input("flat", [8 * 3 * 32 * 32])
        >>> g.conv2d(flat, w, 8, 3, 32, 32, 16, 3, 3, stride=2, padding=1).shape
        (32768,)
        """
        image, was_flat = as_image(
            "conv2d", "x", x, batch=batch, in_channels=in_channels, in_h=in_h, in_w=in_w
        )
        per_group = None if in_channels is None else in_channels // max(groups, 1)
        sizes = {"kernel_h": kernel_h, "kernel_w": kernel_w}
        kernels, _ = as_image(
            "conv2d", "w", w, out_channels=out_channels, in_channels=per_group, **sizes
        )
        op = Conv2d(
            pair(stride, "conv2d: stride"),
            pair(padding, "conv2d: padding"),
            pair(dilation, "conv2d: dilation"),
            groups,
        )
        result = self.emit(op, image, kernels)
        if bias is not None:
            result = add_bias(result, bias)
        return flat_again(result, was_flat)
