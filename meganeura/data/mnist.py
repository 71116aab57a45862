"""Handwritten digits: MNIST from IDX files, and 7000 of its images that ship with the package.

An IDX file is two zero bytes, a type byte (8: unsigned bytes), the number of dimensions, each size
as a big-endian 32-bit number, then the elements in row-major order.
"""

from __future__ import annotations

import gzip
import lzma
import os
import zlib
from dataclasses import dataclass
from importlib import resources
from io import BytesIO
from math import prod

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..load.files import as_path, inside, read_file

Bytes = NDArray[np.uint8]
_CLASSES = 10
MOST_AXES = 4
PIECE_BYTES = 1 << 20
MOST_ELEMENTS = 2**60
"""More would not fit an array of floats."""
IMAGES, LABELS = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
TEST_IMAGES, TEST_LABELS = "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"


@dataclass(frozen=True)
class MnistDataset:
    """Images as rows of 784 numbers in 0..1, and the digit each one shows."""

    images: NDArray[np.float32]
    labels: NDArray[np.uint32]

    @staticmethod
    def load(
        images_path: str | os.PathLike[str], labels_path: str | os.PathLike[str]
    ) -> MnistDataset:
        """From two IDX files."""
        images, labels = read_file(images_path), read_file(labels_path)
        return _dataset(
            read_whole_idx(images, images_path), read_whole_idx(labels, labels_path), labels_path
        )

    @staticmethod
    def load_gz(
        images_path: str | os.PathLike[str], labels_path: str | os.PathLike[str]
    ) -> MnistDataset:
        """From two IDX files compressed with gzip."""
        images, labels = (
            read_whole_idx(unzip_idx(read_file(p), p), p) for p in (images_path, labels_path)
        )
        return _dataset(images, labels, labels_path)

    @staticmethod
    def from_folder(folder: str | os.PathLike[str]) -> tuple[MnistDataset, MnistDataset]:
        """The training and the test set from the folder of MNIST's four files, gzipped or not."""
        path, parts = as_path(folder), []
        for images, labels in ((IMAGES, LABELS), (TEST_IMAGES, TEST_LABELS)):
            plain = [path / images, path / labels]
            zipped = [p.with_name(f"{p.name}.gz") for p in plain]
            is_zipped = all(p.is_file() for p in zipped)
            load = MnistDataset.load_gz if is_zipped else MnistDataset.load
            parts.append(load(*(inside(path, p) for p in (zipped if is_zipped else plain))))
        return parts[0], parts[1]

    @staticmethod
    def embedded() -> tuple[MnistDataset, MnistDataset]:
        """The digits that ship with the package: 6000 to train with, 1000 to test with."""
        packed = resources.files(__package__).joinpath("digits.xz").read_bytes()
        content, arrays, name = lzma.decompress(packed), [], "digits.xz"
        while content:
            array, content = read_idx(content, name)
            arrays.append(array)
        return _dataset(arrays[0], arrays[1], name), _dataset(arrays[2], arrays[3], name)

    def one_hot(self) -> NDArray[np.float32]:
        """The labels as rows of ten with a single 1."""
        return np.eye(_CLASSES, dtype=np.float32)[self.labels]

    def __len__(self) -> int:
        return len(self.labels)


def read_idx(content: bytes, path: str) -> tuple[Bytes, bytes]:
    """The first IDX array in ``content``, and what follows it."""
    shape = _idx_shape(content, path)
    start = 4 + 4 * len(shape)
    stop = start + prod(shape)
    if len(content) < stop:
        raise FormatError(
            f"{path}: byte {len(content)}: the file ends before the {list(shape)} it promises"
        )
    return np.frombuffer(content[start:stop], np.uint8).reshape(shape), content[stop:]


def _idx_shape(content: bytes, path: str) -> tuple[int, ...]:
    """What the header says, if it is one."""
    if len(content) < 4 or content[:3] != b"\0\0\x08" or not 1 <= content[3] <= MOST_AXES:
        raise FormatError(f"{path}: byte 0: this is not an IDX file of bytes")
    start = 4 + 4 * content[3]
    if len(content) < start:
        raise FormatError(f"{path}: byte {len(content)}: the file ends inside its header")
    shape = tuple(int(size) for size in np.frombuffer(content[4:start], ">u4"))
    if prod(size for size in shape if size) >= MOST_ELEMENTS:  # it may have no elements at all
        raise FormatError(f"{path}: byte 4: {list(shape)} is too large for an array")
    return shape


def unzip_idx(content: bytes, path: str | os.PathLike[str]) -> bytes:
    """The IDX file that gzip has compressed. No more is unpacked than its header declares, and one
    byte, by which a file that goes on is told."""
    try:
        with gzip.GzipFile(fileobj=BytesIO(content)) as file:
            unpacked = bytearray(file.read(4 + 4 * MOST_AXES))
            shape = _idx_shape(bytes(unpacked), str(path))
            most = 4 + 4 * len(shape) + prod(shape) + 1
            # By pieces: a header may declare what is not there.
            while len(unpacked) < most:
                piece = file.read(min(PIECE_BYTES, most - len(unpacked)))
                if not piece:
                    break
                unpacked += piece
            return bytes(unpacked)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"{path} is not a whole gzip file: {error}") from None
    except MemoryError:
        raise FormatError(f"{path}: there is no memory to unpack it") from None


def read_whole_idx(content: bytes, path: str | os.PathLike[str]) -> Bytes:
    """The one IDX array that is all of ``content``."""
    array, rest = read_idx(content, str(path))
    if rest:
        raise FormatError(f"{path}: bytes are left over behind the last element")
    return array


def _dataset(images: Bytes, labels: Bytes, path: str | os.PathLike[str]) -> MnistDataset:
    if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels):
        raise FormatError(
            f"{path}: images of shape {list(images.shape)} do not go with labels of shape "
            f"{list(labels.shape)}"
        )
    if labels.size and labels.max() >= _CLASSES:
        raise FormatError(f"{path}: a label is {labels.max()}, digits are 0 to 9")
    flat = images.reshape(len(images), images.shape[1] * images.shape[2])
    scaled = flat.astype(np.float32) / np.float32(255)
    return MnistDataset(scaled, labels.astype(np.uint32))
