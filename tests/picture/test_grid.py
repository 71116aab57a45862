"""Grids of images."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from meganeura.errors import FormatError
from meganeura.picture import sample_grid
from meganeura.picture.grid import GAP
from meganeura.picture.png import png_size


def pixels(content: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(content)).convert("RGB"))


def test_tiles_stand_in_rows_with_gaps():
    images = np.full((5, 1, 4, 6), -1.0)
    images[3] = 1.0
    found = pixels(sample_grid(images, columns=3, scale=2))
    height, width = 8, 12
    assert found.shape == (2 * (height + GAP) + GAP, 3 * (width + GAP) + GAP, 3)
    for number, value in [(0, 0), (2, 0), (3, 255), (4, 0)]:
        row, column = divmod(number, 3)
        top, left = GAP + row * (height + GAP), GAP + column * (width + GAP)
        assert np.all(found[top : top + height, left : left + width] == value)
        assert np.all(found[top - 1, left : left + width] == 255)
    assert np.all(found[GAP + height :, GAP + 2 * (width + GAP) :] == 255), (
        "a place without an image"
    )


def test_numbers_are_clipped_and_scaled():
    images = np.array([-5.0, -1.0, 0.0, 1.0, 7.0, np.nan, np.inf, -np.inf]).reshape(8, 1, 1, 1)
    found = pixels(sample_grid(images, columns=8, scale=1))
    row = found[GAP, GAP :: 1 + GAP, 0]
    assert row.tolist() == [0, 0, 128, 255, 255, 0, 255, 0]


def test_three_channels_are_colours_and_others_the_first_in_grey():
    colour = np.array([1.0, -1.0, 0.0]).reshape(1, 3, 1, 1)
    assert pixels(sample_grid(colour, scale=1))[GAP, GAP].tolist() == [255, 0, 128]
    for channels in (1, 2, 4):
        images = np.full((1, channels, 1, 1), 1.0)
        images[:, 0] = -1.0
        assert pixels(sample_grid(images, scale=1))[GAP, GAP].tolist() == [0, 0, 0]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 64])
def test_a_grid_is_about_square(count):
    size = png_size(sample_grid(np.zeros((count, 1, 2, 2)), scale=1))
    columns = (size[0] - GAP) // (2 + GAP)
    rows = (size[1] - GAP) // (2 + GAP)
    assert columns * rows >= count > columns * (rows - 1)
    assert abs(columns - rows) <= 1


@pytest.mark.parametrize(
    ("images", "options"),
    [
        (np.zeros((2, 3, 4)), {}),
        (np.zeros((0, 1, 4, 4)), {}),
        (np.zeros((1, 1, 4, 4), complex), {}),
        (np.zeros((1, 1, 4, 4)), {"columns": 0}),
        (np.zeros((1, 1, 4, 4)), {"scale": 0}),
        (np.zeros((1, 1, 4, 4)), {"scale": 100_000}),
    ],
)
def test_what_is_no_image_is_refused(images, options):
    with pytest.raises(FormatError, match="sample_grid"):
        sample_grid(images, **options)


def test_a_cut_png_is_no_png():
    content = sample_grid(np.random.default_rng(0).normal(size=(4, 3, 16, 16)))
    assert png_size(content) is not None
    for part in (
        content[: len(content) * 9 // 10],
        content[: len(content) // 2],
        b"",
        b"GIF89a",
        content[8:],
    ):
        assert png_size(part) is None
