"""How many lanes the vectors of convolutions have: those that are filled best."""

from __future__ import annotations

from .archetype import Archetype
from .conv import Convolution, Correlation
from .target import Target
from .tiled import TiledGradients, tiles_of


def lanes_for(kernel: Archetype, target: Target) -> int:
    """The lanes with which a convolution in any direction has the fewest vectors, or of these the
    fewest lanes; for other kernels the target's."""
    widths = target.widths()
    if len(widths) == 1 or not isinstance(kernel, Convolution | Correlation | TiledGradients):
        return target.lanes
    return min(widths, key=lambda lanes: (-(-_filled(kernel, lanes) // lanes), lanes))


def _filled(kernel: Convolution | Correlation | TiledGradients, lanes: int) -> int:
    """How many things are put in the lanes of vectors."""
    match kernel:
        case Convolution() if kernel.tile:
            return tiles_of(kernel, lanes)
        case Convolution():
            return kernel.window.out[1]
        case Correlation() | TiledGradients():
            return kernel.filters
