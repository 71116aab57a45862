"""Digits: those that ship with the package, IDX files, and IDX files that are damaged."""

from __future__ import annotations

import gzip
import struct
import tracemalloc

import numpy as np
import pytest

from meganeura import FormatError, MnistDataset

RNG = np.random.default_rng(5)
IMAGES = RNG.integers(0, 256, (7, 4, 3), np.uint8)
LABELS = np.array([3, 1, 4, 1, 5, 9, 0], np.uint8)


def idx(array: np.ndarray, *, magic: bytes = b"\0\0\x08", sizes=None) -> bytes:
    """An array as an IDX file, with another beginning or other sizes if asked for."""
    sizes = array.shape if sizes is None else sizes
    return magic + bytes([len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes) + array.tobytes()


GOOD_IMAGES, GOOD_LABELS = idx(IMAGES), idx(LABELS)


@pytest.fixture
def load(tmp_path):
    """Loads two files of the given content, plain or compressed; the paths are its attributes."""

    def load_files(images: bytes, labels: bytes, compress: bool = False) -> MnistDataset:
        load_files.images.write_bytes(gzip.compress(images) if compress else images)
        load_files.labels.write_bytes(gzip.compress(labels) if compress else labels)
        method = MnistDataset.load_gz if compress else MnistDataset.load
        return method(load_files.images, load_files.labels)

    load_files.images, load_files.labels = tmp_path / "some-images", tmp_path / "some-labels"
    return load_files


# The embedded digits


def test_the_embedded_digits_are_seven_thousand_images_of_all_classes():
    for dataset, size in zip(MnistDataset.embedded(), (6000, 1000), strict=True):
        assert len(dataset) == size
        assert dataset.images.shape == (size, 784) and dataset.images.dtype == np.float32
        assert dataset.labels.shape == (size,) and dataset.labels.dtype == np.uint32
        assert dataset.images.min() == 0 and dataset.images.max() == 1
        counts = np.bincount(dataset.labels)
        assert len(counts) == 10 and counts.min() > size / 20
        assert 0.1 < dataset.images.mean() < 0.17  # MNIST's mean is 0.13


def test_embedded_images_of_one_digit_look_alike():
    train, test = MnistDataset.embedded()
    means = np.stack([train.images[train.labels == c].mean(axis=0) for c in range(10)])
    distances = ((test.images[:, None] - means) ** 2).sum(axis=2)
    assert (distances.argmin(axis=1) == test.labels).mean() > 0.75


def test_no_test_image_is_a_training_image():
    train, test = (dataset.images for dataset in MnistDataset.embedded())
    assert not {i.tobytes() for i in train} & {i.tobytes() for i in test}


# Files


@pytest.mark.parametrize("compress", [False, True], ids=["plain", "gzip"])
def test_idx_files_are_rows_from_zero_to_one_and_labels(load, compress):
    dataset = load(GOOD_IMAGES, GOOD_LABELS, compress)
    np.testing.assert_array_equal(dataset.images, IMAGES.reshape(7, 12) / np.float32(255))
    np.testing.assert_array_equal(dataset.labels, LABELS)
    assert dataset.images.dtype == np.float32 and dataset.labels.dtype == np.uint32


def test_one_hot_rows_have_a_single_one_at_the_label(load):
    rows = load(GOOD_IMAGES, GOOD_LABELS).one_hot()
    assert rows.shape == (7, 10) and rows.dtype == np.float32
    assert (rows.sum(axis=1) == 1).all() and (rows.argmax(axis=1) == LABELS).all()


def test_files_without_images_are_an_empty_dataset(load):
    dataset = load(idx(np.zeros((0, 4, 3), np.uint8)), idx(np.zeros(0, np.uint8)))
    assert len(dataset) == 0 and dataset.images.shape == (0, 12)


HUGE = (2**32 - 1, 2**32 - 1, 2**32 - 1)
DAMAGED = {
    "empty": ("images", b""),
    "one byte": ("images", b"\0"),
    "header cut in the magic": ("images", GOOD_IMAGES[:3]),
    "header cut in the sizes": ("images", GOOD_IMAGES[:11]),
    "no data": ("images", GOOD_IMAGES[:16]),
    "last byte missing": ("images", GOOD_IMAGES[:-1]),
    "one byte too many": ("images", GOOD_IMAGES + b"\0"),
    "another file behind": ("images", GOOD_IMAGES + GOOD_LABELS),
    "floats": ("images", idx(IMAGES, magic=b"\0\0\x0d")),
    "wrong magic": ("images", idx(IMAGES, magic=b"\1\0\x08")),
    "text": ("images", b"label,pixel0,pixel1\n5,0,0\n"),
    "png": ("images", b"\x89PNG\r\n\x1a\n" + bytes(99)),
    "no dimensions": ("images", b"\0\0\x08\0" + bytes(8)),
    "200 dimensions": ("images", b"\0\0\x08\xc8" + bytes(1000)),
    "huge sizes": ("images", idx(IMAGES, sizes=HUGE)),
    "compressed": ("images", gzip.compress(GOOD_IMAGES)),
    "labels for images": ("images", GOOD_LABELS),
    "colour images": ("images", idx(np.zeros((7, 3, 4, 3), np.uint8))),
    "fewer images": ("images", idx(IMAGES[:6])),
    "images for labels": ("labels", GOOD_IMAGES),
    "fewer labels": ("labels", idx(LABELS[:6])),
    "a label of 12": ("labels", idx(np.array([3, 1, 4, 12, 5, 9, 0], np.uint8))),
    "a label of 10": ("labels", idx(np.array([3, 1, 4, 10, 5, 9, 0], np.uint8))),
    "last label missing": ("labels", GOOD_LABELS[:-1]),
    "one label too many": ("labels", GOOD_LABELS + b"\1"),
}


@pytest.mark.parametrize("compress", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(("which", "content"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_refused_by_name(load, which, content, compress):
    files = {"images": GOOD_IMAGES, "labels": GOOD_LABELS, which: content}
    with pytest.raises(FormatError) as caught:
        load(**files, compress=compress)
    assert "some-images" in str(caught.value) or "some-labels" in str(caught.value)
    assert caught.value.where.file == __file__


def test_every_cut_of_a_file_is_refused(load):
    for length in range(len(GOOD_IMAGES)):
        with pytest.raises(FormatError, match="some-images"):
            load(GOOD_IMAGES[:length], GOOD_LABELS)


COMPRESSED = gzip.compress(GOOD_IMAGES)
NOT_GZIP = {
    "plain": GOOD_IMAGES,
    "empty": b"",
    "magic only": COMPRESSED[:2],
    "half": COMPRESSED[: len(COMPRESSED) // 2],
    "no checksum": COMPRESSED[:-8],
    "wrong checksum": COMPRESSED[:-8] + bytes(8),
    "garbage behind": COMPRESSED + b"garbage",
    "damaged inside": COMPRESSED[:30] + b"\xff" * 20 + COMPRESSED[50:],
}


@pytest.mark.parametrize("content", NOT_GZIP.values(), ids=NOT_GZIP)
def test_a_damaged_gzip_file_is_refused_by_name(tmp_path, content):
    images, labels = tmp_path / "some-images.gz", tmp_path / "some-labels.gz"
    images.write_bytes(content)
    labels.write_bytes(gzip.compress(GOOD_LABELS))
    with pytest.raises(FormatError, match="some-images"):
        MnistDataset.load_gz(images, labels)


def test_no_more_is_unpacked_than_a_header_declares(tmp_path):
    """Some kilobytes that would become gigabytes."""
    zeros = gzip.compress(bytes(1 << 24))
    bomb = gzip.compress(GOOD_IMAGES[:16]) + zeros * 64
    labels = gzip.compress(GOOD_LABELS)
    (tmp_path / "images").write_bytes(bomb)
    (tmp_path / "labels").write_bytes(labels)
    tracemalloc.start()
    try:
        for content, words in ((bomb, "left over"), (zeros * 64, "not an IDX file")):
            (tmp_path / "images").write_bytes(content)
            with pytest.raises(FormatError, match=words):
                MnistDataset.load_gz(tmp_path / "images", tmp_path / "labels")
        assert tracemalloc.get_traced_memory()[1] < 1 << 23
    finally:
        tracemalloc.stop()


def test_links_out_of_mnists_folder_are_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "images").write_bytes(GOOD_IMAGES)
    (tmp_path / "folder" / "train-images-idx3-ubyte").symlink_to(tmp_path / "images")
    with pytest.raises(FormatError, match="is a link to"):
        MnistDataset.from_folder(tmp_path / "folder")


def test_huge_sizes_in_a_header_take_no_memory(load):
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="4294967295"):
            load(idx(IMAGES, sizes=HUGE), GOOD_LABELS)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [MnistDataset.load, MnistDataset.load_gz])
def test_a_missing_file_and_a_folder_are_refused_by_name(tmp_path, method):
    for path in (tmp_path / "nothing-here", tmp_path):
        with pytest.raises(FormatError, match=f"cannot read {path}"):
            method(path, path)
