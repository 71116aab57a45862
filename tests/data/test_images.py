"""Images from files, and images moved about."""

from __future__ import annotations

import gzip
import os
import struct

import numpy as np
import pytest
from PIL import EpsImagePlugin, Image

import meganeura as mg
from meganeura import FormatError, SessionError
from meganeura.data.augment import ShiftedBatches
from meganeura.data.images import digit_images, load_images
from meganeura.data.mnist import IMAGES, LABELS, TEST_IMAGES, TEST_LABELS


def idx(array: np.ndarray) -> bytes:
    sizes = b"".join(size.to_bytes(4, "big") for size in array.shape)
    return bytes([0, 0, 8, array.ndim]) + sizes + array.astype(np.uint8).tobytes()


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, shape, np.uint8)


def test_digits_lie_in_the_middle():
    train, test = digit_images(32)
    assert train.shape == (6000, 1, 32, 32) and test.shape == (1000, 1, 32, 32)
    assert train.min() == -1 and train.max() == 1
    assert np.all(train[:, :, :2] == -1) and np.all(train[:, :, :, -2:] == -1)
    small = mg.MnistDataset.embedded()[0].images.reshape(-1, 28, 28)
    np.testing.assert_array_equal(train[:, 0, 2:30, 2:30], 2 * small - 1)


@pytest.mark.parametrize("zipped", [False, True])
def test_idx_files(zipped, tmp_path):
    images = drawn(3, 5, 7)
    content = gzip.compress(idx(images)) if zipped else idx(images)
    (tmp_path / "some").write_bytes(content)
    found = load_images(tmp_path / "some", 8, channels=3)
    assert found.shape == (3, 3, 8, 8)
    np.testing.assert_allclose(found[:, 1, 1:6, 0:7], images / 127.5 - 1, atol=1e-6)
    (tmp_path / (IMAGES + (".gz" if zipped else ""))).write_bytes(content)
    np.testing.assert_array_equal(load_images(tmp_path, 8, 3), found)


def test_pictures_become_squares(tmp_path):
    red = np.zeros((20, 40, 3), np.uint8)
    red[..., 0] = 255
    Image.fromarray(red).save(tmp_path / "b.png")
    Image.fromarray(drawn(9, 9)).save(tmp_path / "a.jpg")
    (tmp_path / "notes.txt").write_text("no picture")
    found = load_images(tmp_path, 8, 3)
    assert found.shape == (2, 3, 8, 8) and found.dtype == np.float32
    np.testing.assert_allclose(found[1, 0], 1)
    np.testing.assert_allclose(found[1, 1:], -1)


DAMAGED = [
    ("x.png", b"no png", "not a picture"),
    ("x.txt", b"text", "holds no pictures"),
    (IMAGES, b"text", "not an IDX file"),
    (IMAGES, idx(drawn(2, 3, 3))[:-1], "ends before"),
    (IMAGES, idx(drawn(2, 3, 3)) + b"x", "left over"),
    (IMAGES, idx(drawn(4, 3)), "3 dimensions"),
    (IMAGES, idx(drawn(2, 9, 3)), "do not fit"),
    (f"{IMAGES}.gz", gzip.compress(idx(drawn(2, 3, 3)))[:-9], "not a whole gzip"),
]


# Named by what is wrong: a name made of the bytes would hold the second in which gzip ran, and
# the processes that share a test run would not agree on it.
@pytest.mark.parametrize(("name", "content", "words"), DAMAGED, ids=[case[2] for case in DAMAGED])
def test_damaged_images(name, content, words, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(mg.FormatError, match=words):
        load_images(tmp_path, 8)


@pytest.fixture
def folder(tmp_path):
    """A folder with a picture, beside another one."""
    for name in ("inside", "outside"):
        (tmp_path / name).mkdir()
        Image.fromarray(drawn(9, 9)).save(tmp_path / name / "a.png")
    return tmp_path / "inside"


@pytest.mark.parametrize("name", ["link.png", IMAGES, f"{IMAGES}.gz"])
def test_links_out_of_a_folder_are_refused(name, folder):
    (folder.parent / "idx").write_bytes(idx(drawn(3, 5, 7)))
    outside = folder.parent / ("outside/a.png" if name == "link.png" else "idx")
    (folder / name).symlink_to(outside)
    with pytest.raises(mg.FormatError, match=f"{name} is a link to {outside}, which is outside"):
        load_images(folder, 9)


def test_links_inside_a_folder_and_to_it_are_followed(folder):
    (folder / "link.png").symlink_to("a.png")
    (folder / "more").symlink_to(folder.parent / "outside")  # a folder: it is not entered
    (folder.parent / "link").symlink_to(folder)
    assert len(load_images(folder.parent / "link", 9)) == 2


def test_links_that_lead_nowhere_and_what_is_no_file_are_refused(folder):
    for make in (lambda p: p.symlink_to("nothing"), lambda p: p.symlink_to(p.name), os.mkfifo):
        path = folder / "b.png"
        make(path)
        with pytest.raises(mg.FormatError, match=f"cannot read {path}"):
            load_images(folder, 9)
        path.unlink()


def test_channels_are_one_or_three(tmp_path):
    with pytest.raises(mg.SessionError, match="1 or 3"):
        load_images(tmp_path, 8, channels=2)


@pytest.mark.parametrize("zipped", [False, True])
def test_a_folder_of_mnist(zipped, tmp_path):
    parts = {IMAGES: drawn(6, 4, 4), LABELS: drawn(6) % 10}
    parts |= {TEST_IMAGES: drawn(2, 4, 4), TEST_LABELS: drawn(2) % 10}
    for name, array in parts.items():
        content = gzip.compress(idx(array)) if zipped else idx(array)
        (tmp_path / (f"{name}.gz" if zipped else name)).write_bytes(content)
    train, test = mg.MnistDataset.from_folder(tmp_path)
    assert len(train) == 6 and len(test) == 2
    np.testing.assert_array_equal(test.labels, parts[TEST_LABELS])
    with pytest.raises(mg.FormatError, match="cannot read"):
        mg.MnistDataset.from_folder(tmp_path / "nowhere")


def test_shifted_images():
    images = drawn(6, 25).astype(np.float32)
    loader = mg.DataLoader(images, np.arange(6), batch_size=3, seed=4)
    shifted = ShiftedBatches(loader, 5, 1)
    assert shifted.num_batches == 2 and shifted.description()["shift"] == 1
    moved = 0
    for batch, plain in zip(shifted.batches(0), loader.batches(0), strict=True):
        np.testing.assert_array_equal(batch["labels"], plain["labels"])
        for image, original in zip(batch["x"], plain["x"], strict=True):
            padded = np.pad(original.reshape(5, 5), 1)
            windows = [padded[y : y + 5, x : x + 5] for y in range(3) for x in range(3)]
            assert any(np.array_equal(image.reshape(5, 5), window) for window in windows)
            moved += not np.array_equal(image, original)
    assert moved
    (again,) = shifted.batches(0, start=1)
    np.testing.assert_array_equal(again["x"], batch["x"])
    with pytest.raises(mg.SessionError, match="images of 4×4"):
        ShiftedBatches(loader, 4, 1)


def test_pictures_of_other_kinds(tmp_path):
    """Sixteen bits, what can be seen through, and what lies on its side."""
    ramp = np.linspace(0, 65535, 64).reshape(8, 8).astype(np.uint16)
    Image.fromarray(ramp).save(tmp_path / "a.png")
    clear = np.full((8, 8, 4), 255, np.uint8)
    clear[:, :4, 3] = 0
    Image.fromarray(clear).save(tmp_path / "b.png")
    tall = np.zeros((8, 8, 3), np.uint8)
    tall[0] = 255
    side = Image.fromarray(tall)
    exif = side.getexif()
    exif[0x0112] = 6  # to be turned clockwise
    side.save(tmp_path / "c.png", exif=exif)
    grey, seen, turned = load_images(tmp_path, 8)
    np.testing.assert_allclose(grey[0], ramp / 32767.5 - 1, atol=0.01)
    assert np.all(seen[0, :, :4] == -1) and np.all(seen[0, :, 4:] == 1)
    assert np.all(turned[0, :, 7] == 1) and np.all(turned[0, :, :7] == -1)
    Image.fromarray(np.ones((8, 8), np.float32)).save(tmp_path / "d.tiff")
    with pytest.raises(mg.FormatError, match="32 bits"):
        load_images(tmp_path, 8)


def test_an_array_without_elements(tmp_path):
    (tmp_path / "x").write_bytes(bytes([0, 0, 8, 3]) + b"\0\0\0\0" + b"\xff" * 8)
    with pytest.raises(mg.FormatError, match="too large"):
        load_images(tmp_path / "x", 8)


def test_a_picture_is_of_a_kind_that_runs_nothing(tmp_path, monkeypatch):
    """Pillow hands PostScript to Ghostscript, whatever the file is called."""
    Image.new("RGB", (8, 8)).save(tmp_path / "a.eps")
    (tmp_path / "a.eps").rename(tmp_path / "a.png")
    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", lambda *_: pytest.fail("it was run"))
    with pytest.raises(FormatError, match="not a picture"):
        load_images(tmp_path, 8)


def test_a_picture_with_damaged_facts(tmp_path):
    """Of which Pillow makes an error of its own."""
    tags = [(0x100, 1, 1, b"\1\0\0\0"), (0x112, 3, 1, b"\6\0\0\0")]
    packed = b"".join(struct.pack("<HHI4s", *tag) for tag in tags)
    exif = b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<H", 2) + packed + bytes(4)
    Image.new("RGB", (8, 8)).save(tmp_path / "a.jpg", exif=exif)
    with pytest.raises(FormatError, match="not a picture"):
        load_images(tmp_path, 8)


@pytest.mark.parametrize("sizes", [(0, 2**31, 2**31), (2**32 - 1, 0, 0), (5, 0, 3)])
def test_idx_images_without_pixels(sizes, tmp_path):
    path = tmp_path / "images"
    path.write_bytes(b"\0\0\x08\3" + struct.pack(">III", *sizes))
    with pytest.raises(FormatError):
        load_images(path, 32)


@pytest.mark.parametrize("resolution", [0, -1, 2**40])
def test_a_resolution_that_makes_no_sense(resolution, tmp_path):
    with pytest.raises(SessionError, match="a resolution is 1 to"):
        load_images(tmp_path, resolution)
