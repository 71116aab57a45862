"""Pack the handwritten digits that ship with the package, from the four IDX files of MNIST.

    python tools/pack_digits.py FOLDER meganeura/data/digits.xz

The result is one xz stream of four IDX arrays: training images and labels (the first 6000 of
MNIST's training set), then test images and labels (the first 1000 of its test set).
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import numpy as np

from meganeura.data.mnist import read_idx

PARTS = (("train", 6000), ("t10k", 1000))


def idx_bytes(array: np.ndarray) -> bytes:
    """An array of bytes in IDX form."""
    header = bytes([0, 0, 8, array.ndim])
    return header + np.asarray(array.shape, ">u4").tobytes() + array.tobytes()


def main(folder: str, target: str) -> None:
    """Read the four files, write the packed one."""
    content = b""
    for name, count in PARTS:
        for kind in ("images-idx3-ubyte", "labels-idx1-ubyte"):
            path = Path(folder) / f"{name}-{kind}"
            content += idx_bytes(read_idx(path.read_bytes(), str(path))[0][:count])
    Path(target).write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(*sys.argv[1:])
