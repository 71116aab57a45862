"""Flow matching (Lipman et al. 2022): a network learns the way from noise to images.

Of an image and noise a point in between is shown, ``x = (1 − t)·noise + t·image``, and the way
``image − noise`` is the target. Which t it was is not shown: a network sees how noisy an image is.
Samples are drawn by walking from noise in small steps along what the network predicts.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import narrowed
from ..data.batches import Batch, DataLoader
from ..dtypes import Array
from ..errors import SessionError
from ..session import Session

_NOISE = 1
"""Tells the noise's random numbers from those that shuffle images."""


class FlowBatches:
    """Batches ``x`` and ``target`` of a loader's images ``x``. What is drawn depends on the seed,
    the epoch and the batch only, so a run can go on from any batch."""

    def __init__(self, loader: DataLoader) -> None:
        if list(loader.arrays) != ["x"]:
            raise SessionError(f'images are one array "x", got {sorted(loader.arrays)}')
        self._loader = loader

    @property
    def num_batches(self) -> int:
        """How many batches an epoch has."""
        return self._loader.num_batches

    def description(self) -> dict[str, Any]:
        """What the batches depend on."""
        return {**self._loader.description(), "noise": "flow matching"}

    def batches(self, epoch: int, start: int = 0) -> Iterator[Batch]:
        """The batches of an epoch, from number ``start`` on."""
        for number, batch in enumerate(self._loader.batches(epoch, start), start):
            rng = np.random.default_rng([self._loader.seed, epoch, number, _NOISE])
            images = narrowed(batch["x"], np.float32, 'the images "x"', SessionError)
            images = images.reshape(len(images), -1)
            noise = rng.standard_normal(images.shape, np.float32)
            # Most in the middle of the way (Esser et al. 2024): its ends are easily learned.
            t = 1 / (1 + np.exp(-rng.standard_normal((len(images), 1), np.float32)))
            x = noise + t * (images - noise)
            arrays: dict[str, Array] = {"x": x.ravel(), "target": (images - noise).ravel()}
            yield Batch(arrays, batch.rows, batch.real_rows)


def draw_samples(
    session: Session, shape: tuple[int, int, int, int], count: int, steps: int, seed: int
) -> NDArray[np.float32]:
    """Images from noise by an inference session for batches of ``shape``: ``[count, c, h, w]``.

    Each step is Heun's: the mean of the ways at both of its ends."""
    batch, *image = shape
    rng = np.random.default_rng([seed, _NOISE])
    noise = rng.standard_normal((-(-count // batch) * batch, prod(image)), np.float32)
    drawn = [_walk(session, part.ravel(), steps) for part in noise.reshape(-1, batch, prod(image))]
    return np.concatenate(drawn).reshape(-1, *image)[:count]


def _walk(session: Session, x: Array, steps: int) -> Array:
    length = np.float32(1 / steps)
    for i in range(steps):
        way = _way(session, x)
        ahead = x + length * way
        # At the end of the last step there is no noise left to tell the way by.
        x = ahead if i == steps - 1 else x + length / 2 * (way + _way(session, ahead))
    return x


def _way(session: Session, x: Array) -> Array:
    session.set_input("x", x)
    session.step()
    return session.read_output().ravel()
