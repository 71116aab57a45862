"""Images to learn to draw: digits that ship with the package, IDX files, or a folder of pictures.

All come as ``[n, channels, resolution, resolution]`` in −1..1.
"""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from ..arguments import checked
from ..errors import FormatError, SessionError
from ..load.files import as_path, inside, read_file
from .mnist import IMAGES, MnistDataset, read_whole_idx, unzip_idx

PICTURES = {".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".pgm", ".ppm"}
FORMATS = ("PNG", "JPEG", "BMP", "GIF", "WEBP", "TIFF", "PPM")
"""What Pillow may take a picture for, whatever its name. It knows many more, of which one runs
Ghostscript."""
MOST_RESOLUTION = 1 << 14
MODES = {1: "L", 3: "RGB"}
"""Pillow's names for images of so many channels."""

Images = NDArray[np.float32]


@checked
def digit_images(resolution: int = 32) -> tuple[Images, Images]:
    """The digits that ship with the package, in the middle of a larger square: those to train with,
    and those to test with."""
    train, test = (part.images.reshape(-1, 28, 28) for part in MnistDataset.embedded())
    return _in_the_middle(train, resolution), _in_the_middle(test, resolution)


@checked
def load_images(path: str | os.PathLike[str], resolution: int, channels: int = 1) -> Images:
    """Images from an IDX file (perhaps gzipped), from a folder with MNIST's, or from a folder of
    pictures, which are cut to squares and scaled."""
    if channels not in MODES:
        raise SessionError(f"images have 1 or 3 channels, not {channels}")
    if not 1 <= resolution <= MOST_RESOLUTION:
        raise SessionError(f"a resolution is 1 to {MOST_RESOLUTION}, not {resolution}")
    path = as_path(path)
    if not path.is_dir():
        return _idx_images(path, resolution, channels)
    for name in (IMAGES, f"{IMAGES}.gz"):
        if (path / name).is_file():
            return _idx_images(inside(path, path / name), resolution, channels)
    found = sorted(p for p in path.rglob("*") if p.suffix.lower() in PICTURES and not p.is_dir())
    if not found:
        raise FormatError(
            f"{path} holds no pictures and no IDX file",
            hint=f"pictures end in {', '.join(sorted(PICTURES))}; an IDX file is named {IMAGES}",
        )
    return np.stack([_picture(inside(path, p), resolution, channels) for p in found])


def _idx_images(path: Path, resolution: int, channels: int) -> Images:
    content = read_file(path)
    if content[:2] == b"\x1f\x8b":
        content = unzip_idx(content, path)
    images = read_whole_idx(content, path)
    if images.ndim != 3:
        raise FormatError(f"{path}: images have 3 dimensions, these have {images.ndim}")
    if images.size == 0:
        raise FormatError(f"{path}: images of {list(images.shape)} have no pixels")
    middle = _in_the_middle(images.astype(np.float32) / np.float32(255), resolution)
    return np.repeat(middle, channels, axis=1)


def _in_the_middle(images: NDArray[np.float32], resolution: int) -> Images:
    """Images ``[n, h, w]`` in 0..1 with black around them."""
    height, width = images.shape[1:]
    if max(height, width) > resolution:
        raise FormatError(
            f"images of {height}×{width} do not fit into {resolution}×{resolution}",
            hint="give a larger resolution",
        )
    top, left = (resolution - height) // 2, (resolution - width) // 2
    canvas = np.full((len(images), 1, resolution, resolution), -1.0, np.float32)
    canvas[:, 0, top : top + height, left : left + width] = 2 * images - 1
    return canvas


def _picture(path: Path, resolution: int, channels: int) -> Images:
    content = read_file(path)
    try:
        with Image.open(BytesIO(content), formats=FORMATS) as image:
            upright = _eight_bits(ImageOps.exif_transpose(image), path)
            square = ImageOps.fit(upright.convert(MODES[channels]), (resolution, resolution))
    except FormatError:
        raise
    except Exception as error:  # Pillow raises whatever its parts do
        raise FormatError(f"{path} is not a picture that can be read: {error}") from None
    pixels = np.asarray(square, np.float32) / np.float32(127.5) - 1
    return pixels.reshape(resolution, resolution, channels).transpose(2, 0, 1)


def _eight_bits(image: Image.Image, path: Path) -> Image.Image:
    """A picture of numbers from 0 to 255, on black where it can be seen through. What Pillow itself
    makes of larger numbers is mostly white."""
    if image.mode.startswith("I;16"):
        return Image.fromarray((np.asarray(image) // 257).astype(np.uint8))
    if image.mode in ("I", "F"):
        raise FormatError(f"{path} has numbers of 32 bits, of which nothing says what is white")
    if "A" in image.mode or "transparency" in image.info:
        seen = image.convert("RGBA")
        black = Image.new("RGBA", seen.size, (0, 0, 0, 255))
        return Image.alpha_composite(black, seen)
    return image
