"""Pack the handwritten digits that ship with the package, from the four IDX files of MNIST.

    python tools/pack_digits.py FOLDER meganeura/data/digits.xz

The result is one xz stream of four IDX arrays: training images and labels, then test images and
labels, each every tenth of MNIST's own.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

import numpy as np

from meganeura.data.mnist import read_idx

PARTS = ("train", "t10k")
EVERY = 10


def idx_bytes(array: np.ndarray) -> bytes:
    """An array of bytes in IDX form."""
    header = bytes([0, 0, 8, array.ndim])
    return header + np.asarray(array.shape, ">u4").tobytes() + array.tobytes()


def main(folder: str, target: str) -> None:
    """Read the four files, write the packed one."""
    content = b""
    for name in PARTS:
        for kind in ("images-idx3-ubyte", "labels-idx1-ubyte"):
            path = Path(folder) / f"{name}-{kind}"
            content += idx_bytes(read_idx(path.read_bytes(), str(path))[0][::EVERY])
    Path(target).write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(*sys.argv[1:])
