"""How a window walks over an image, and convolutions in NumPy that go by tiles of its outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..dtypes import Array
from ..kernel.index import Bound, Index
from ..kernel.winograd import GRADIENTS, INPUTS, OUTPUTS, SUMMED, TAPS, WEIGHTS, along_both, points
from .contraction import contract

Size = tuple[int, int]


@dataclass(frozen=True)
class Window:
    """How a window walks over an image: along each of height and width."""

    stride: Size = (1, 1)
    padding: Size = (0, 0)
    dilation: Size = (1, 1)
    groups: int = 1

    def problem(self) -> str | None:
        """The rule that the numbers themselves break."""
        if min(*self.stride, *self.dilation, self.groups) < 1:
            return "stride, dilation and groups must be positive"
        return "padding cannot be negative" if min(self.padding) < 0 else None

    def outputs(self, size: Size, kernel: Size) -> Size:
        """The height and width of the result; not positive if the window does not fit."""
        h, w = (
            (size[a] + 2 * self.padding[a] - self.dilation[a] * (kernel[a] - 1) - 1)
            // self.stride[a]
            + 1
            for a in (0, 1)
        )
        return h, w

    def padded(self, x: Array, value: float = 0.0) -> Array:
        """An image batch with its margins."""
        (ph, pw) = self.padding
        return np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=value)

    def taps(self, kernel: Size, out: Size) -> Iterator[tuple[int, int, slice, slice]]:
        """For each kernel position (i, j): the rows and columns of the padded image it reads."""
        (sh, sw), (dh, dw) = self.stride, self.dilation
        for i in range(kernel[0]):
            for j in range(kernel[1]):
                rows = slice(i * dh, i * dh + sh * (out[0] - 1) + 1, sh)
                columns = slice(j * dw, j * dw + sw * (out[1] - 1) + 1, sw)
                yield i, j, rows, columns

    def reads(self, out: list[Index], tap: list[Index]) -> tuple[Index, Index]:
        """The row and column of the image that an output reads through a tap of the window."""
        row, column = (
            y * s + i * d - p
            for y, i, s, d, p in zip(
                out, tap, self.stride, self.dilation, self.padding, strict=True
            )
        )
        return row, column

    def read_by(
        self, at: list[Index], tap: list[Index], out: Size
    ) -> tuple[list[Index], list[Bound]]:
        """The output that reads a place of the image through a tap, and when there is one."""
        outputs, bounds = [], []
        walk = zip(at, tap, self.stride, self.dilation, self.padding, out, strict=True)
        for h, i, s, d, p, size in walk:
            start = h - i * d + p
            outputs.append(start // s)
            bounds += [Bound(start % s, 0, 1), Bound(start, 0, size * s)]
        return outputs, bounds

    def unpadded(self, x: Array) -> Array:
        """An image batch without its margins."""
        (ph, pw) = self.padding
        h, w = x.shape[2:]
        return x[:, :, ph : h - ph, pw : w - pw]


def transformed_tiles(window: Window, tile: int, x: Array) -> list[list[Array]]:
    """For each point, the transformed tiles of images: ``[n, c, down, across]``."""
    height, width = window.outputs((x.shape[2], x.shape[3]), (TAPS, TAPS))
    down, across = -(-height // tile), -(-width // tile)
    (ph, pw), size = window.padding, points(tile)
    far = (down * tile + TAPS - 1 - x.shape[2] - ph, across * tile + TAPS - 1 - x.shape[3] - pw)
    padded = np.pad(x, ((0, 0), (0, 0), (ph, max(0, far[0])), (pw, max(0, far[1]))))

    def seen(i: int, j: int) -> Array:
        rows = slice(i, i + (down - 1) * tile + 1, tile)
        return padded[:, :, rows, j : j + (across - 1) * tile + 1 : tile]

    return along_both(INPUTS[tile], [[seen(i, j) for j in range(size)] for i in range(size)])


def gradient_by_tiles(window: Window, tile: int, x: Array, grad: Array) -> Array:
    """The gradient of a 3×3 convolution by its kernels, by Winograd's algorithm."""
    inputs = transformed_tiles(window, tile, x)
    down, across = inputs[0][0].shape[2:]
    far = (down * tile - grad.shape[2], across * tile - grad.shape[3])
    padded = np.pad(grad, ((0, 0), (0, 0), (0, far[0]), (0, far[1])))
    pixels = [[padded[:, :, y::tile, x::tile] for x in range(tile)] for y in range(tile)]
    sums = [
        [contract("noyx,ncyx->oc", s, v) for s, v in zip(*rows, strict=True)]
        for rows in zip(along_both(GRADIENTS[tile], pixels), inputs, strict=True)
    ]
    return np.asarray(along_both(SUMMED[tile], sums)).transpose(2, 3, 0, 1)


def by_tiles(window: Window, tile: int, x: Array, w: Array) -> Array:
    """A 3×3 convolution by Winograd's algorithm, all tiles at once."""
    height, width = window.outputs((x.shape[2], x.shape[3]), (TAPS, TAPS))
    inputs = transformed_tiles(window, tile, x)
    down = inputs[0][0].shape[2]
    taps = [[w[:, :, i, j] for j in range(TAPS)] for i in range(TAPS)]
    weights = along_both(WEIGHTS[tile], taps)
    sums = [
        [contract("oc,ncyx->noyx", u, v) for u, v in zip(*rows, strict=True)]
        for rows in zip(weights, inputs, strict=True)
    ]
    outputs = np.asarray(along_both(OUTPUTS[tile], sums))  # [y, x, n, o, down, across]
    whole = outputs.transpose(2, 3, 4, 0, 5, 1).reshape(x.shape[0], w.shape[0], down * tile, -1)
    return whole[:, :, :height, :width]
