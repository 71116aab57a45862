"""What convolutions by tiles want of their operands: weights and gradients, transformed.

Winograd's formulas (winograd.py) are applied once to what many tasks read; images are transformed
by the kernels that read them, tile by tile.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .conv import Convolution, Correlation, Size, gradient_axes, weight_axes
from .element import Element
from .index import Var
from .target import apart, filled_up
from .winograd import TAPS, points


@dataclass(frozen=True)
class TiledWeights:
    """Weights of a convolution by tiles, transformed: ``[point, o, c]``, points ``plane`` apart."""

    filters: int
    channels: int
    tile: int
    weight: Element

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.weight]

    def with_elements(self, elements: list[Element]) -> TiledWeights:
        """The same with other expressions."""
        return replace(self, weight=elements[0])

    def result_sizes(self) -> list[int]:
        """How many elements the result has."""
        return [points(self.tile) ** 2 * self.plane]

    @property
    def plane(self) -> int:
        """How far apart the weights of two points lie."""
        return apart(self.filters * self.channels)

    def weight_axes(self) -> list[Var]:
        """The variables of the weight element."""
        return weight_axes((self.filters, self.channels, TAPS, TAPS))

    def __str__(self) -> str:
        return f"weights {self.channels}→{self.filters} by {self.tile}: {self.weight}"


def tiled_weights(kernel: Convolution) -> TiledWeights:
    """What a convolution by tiles wants of its weights."""
    return TiledWeights(kernel.filters, kernel.channels, kernel.tile, kernel.weight)


@dataclass(frozen=True)
class TiledGradients:
    """Gradients for a correlation by tiles, transformed: ``[point, block, tile, filter]``, with the
    filters of one vector or two next to each other, and points ``plane`` apart. Tiles lie in rows
    of ``across`` places."""

    batch: int
    filters: int
    size: Size
    tile: int
    across: int
    width: int
    gradient: Element

    @property
    def down(self) -> int:
        """Rows of tiles of an image."""
        return -(-self.size[0] // self.tile)

    @property
    def tiles(self) -> int:
        """Tiles of all images."""
        return self.batch * self.down * self.across

    @property
    def blocks(self) -> int:
        """Blocks of filters."""
        return -(-self.filters // self.width)

    @property
    def plane(self) -> int:
        """How far apart the gradients of two points lie."""
        return apart(self.blocks * self.tiles * self.width)

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.gradient]

    def with_elements(self, elements: list[Element]) -> TiledGradients:
        """The same with other expressions."""
        return replace(self, gradient=elements[0])

    def result_sizes(self) -> list[int]:
        """How many elements the result has."""
        return [points(self.tile) ** 2 * self.plane]

    def gradient_axes(self) -> list[Var]:
        """The variables of the gradient element."""
        return gradient_axes((self.batch, self.filters, *self.size))

    def __str__(self) -> str:
        return f"gradients {self.batch}×{self.filters} {self.size} by {self.tile}: {self.gradient}"


def row_of_tiles(width: int, tile: int, lanes: int) -> int:
    """Places for the tiles of a row of pixels: such that vectors and blocks of two hold whole rows,
    or rows whole blocks."""
    tiles = -(-width // tile)
    if tiles > lanes:
        return filled_up(tiles, 2 * lanes)
    least = max(tiles, lanes // tile)
    return next(size for size in (1, 2, 4, 8) if size >= least)


def tiled_gradients(kernel: Correlation, lanes: int) -> TiledGradients:
    """What a correlation by tiles wants of its gradients."""
    return TiledGradients(
        kernel.batch,
        kernel.filters,
        kernel.window.out,
        kernel.tile,
        row_of_tiles(kernel.window.out[1], kernel.tile, lanes),
        kernel.filter_vectors(lanes) * lanes,
        kernel.gradient,
    )
