"""PNG files: made from an image, and looked at before they are shown."""

from __future__ import annotations

import warnings
from io import BytesIO

from PIL import Image

MOST_PIXELS = 100_000_000
"""A picture that claims more is not opened: a small file can unfold into all of memory."""


def encoded(image: Image.Image) -> bytes:
    """An image as the content of a PNG file."""
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def png_size(content: bytes) -> tuple[int, int] | None:
    """Width and height, if this is a PNG file with all of its pixels."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Pillow only warns of a picture too large to open
            with Image.open(BytesIO(content), formats=["PNG"]) as image:
                if image.width * image.height > MOST_PIXELS:
                    return None
                image.load()
                return image.size
    except (OSError, ValueError, SyntaxError, Warning, Image.DecompressionBombError):
        return None
