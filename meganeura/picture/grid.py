"""Images beside each other, as one PNG."""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image

from ..dtypes import Array
from ..errors import FormatError
from .png import MOST_PIXELS, encoded

GAP = 2
"""Pixels between tiles, whatever the scale."""
_BACKGROUND = 255


def sample_grid(images: ArrayLike, columns: int | None = None, scale: int = 3) -> bytes:
    """Images ``[n, c, h, w]`` of numbers from −1 (black) to 1 (white), as a PNG file's content.

    Three channels are red, green and blue; of any other number, the first is shown in grey. Numbers
    outside the range are clipped, NaN is black. Without ``columns`` the grid is about square."""
    array = np.asarray(images)
    if array.ndim != 4 or 0 in array.shape or array.dtype.kind not in "fiub":
        raise FormatError(
            f"sample_grid: images are numbers [n, channels, height, width], got {array.dtype} "
            f"{list(array.shape)}",
            hint="reshape what the session reads: values.reshape(n, c, h, w)",
        )
    if (columns is not None and columns < 1) or scale < 1:
        raise FormatError(f"sample_grid: columns and scale are at least 1, got {columns}, {scale}")
    tiles = _pixels(array)
    count, height, width, _ = tiles.shape
    columns = min(count, columns or ceil(sqrt(count)))
    rows = ceil(count / columns)
    height, width = height * scale, width * scale
    size = (rows * (height + GAP) + GAP, columns * (width + GAP) + GAP)
    if size[0] * size[1] > MOST_PIXELS:
        raise FormatError(f"sample_grid: {size[1]} by {size[0]} pixels are too many")
    sheet = np.full((*size, 3), _BACKGROUND, np.uint8)
    for i, tile in enumerate(tiles):
        top, left = (
            GAP + at * (s + GAP) for at, s in zip(divmod(i, columns), (height, width), strict=True)
        )
        enlarged = tile.repeat(scale, axis=0).repeat(scale, axis=1)
        sheet[top : top + height, left : left + width] = enlarged
    return encoded(Image.fromarray(sheet))


def _pixels(images: Array) -> Array:
    """Bytes ``[n, h, w, 3]``."""
    shown = images if images.shape[1] == 3 else images[:, :1].repeat(3, axis=1)
    unit = np.nan_to_num(np.clip(shown.astype(np.float64), -1, 1), nan=-1.0)
    result = np.rint((unit + 1) * 127.5).astype(np.uint8)
    return np.moveaxis(result, 1, 3)
