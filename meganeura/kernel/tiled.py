"""Tiles of images, and what correlations by tiles want of their gradients.

Winograd's formulas (winograd.py) are applied once to gradients, which all tasks read; images and
weights are transformed by the tasks that read them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .conv import Convolution, Correlation, Size, gradient_axes
from .element import Element
from .index import Var
from .target import apart, filled_up
from .winograd import points


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


def tiles_of(kernel: Convolution, lanes: int) -> int:
    """Places for the tiles of all images."""
    height, width = kernel.window.out
    down = -(-height // kernel.tile)
    return kernel.batch * down * row_of_tiles(width, kernel.tile, lanes)


def row_of_tiles(width: int, tile: int, lanes: int) -> int:
    """Places for the tiles of a row of pixels: such that vectors and blocks of two hold whole rows,
    or rows whole blocks, and pixels are written by vectors, of one row or of some that follow each
    other without a gap."""
    tiles = -(-width // tile)
    if tiles > lanes:
        return filled_up(tiles, 2 * lanes)
    no_gaps = tiles * tile == width and lanes % width == 0 and tile * width % lanes == 0
    least = tiles if no_gaps else max(tiles, lanes // tile)
    return 1 << (least - 1).bit_length()  # a power of two


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
