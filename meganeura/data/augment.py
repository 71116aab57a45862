"""Images moved about, so that a network sees more of them than there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..arguments import checked_methods
from ..errors import SessionError
from .batches import Batch, DataLoader

_SHIFTS = 2
"""Tells the shifts' random numbers from those that shuffle images."""


@checked_methods(SessionError)
class ShiftedBatches:
    """A loader's batches with each image ``x`` moved by up to ``most`` pixels each way, black
    coming in. By how much depends on the seed, the epoch and the batch only."""

    def __init__(self, loader: DataLoader, side: int, most: int) -> None:
        self._loader, self._side, self._most = loader, side, most
        size = loader.arrays["x"][0].size if "x" in loader.arrays else 0
        if size != side * side or not 0 <= most <= side:
            raise SessionError(f'"x" must hold images of {side}×{side}, moved by 0 to {side}')

    @property
    def num_batches(self) -> int:
        """How many batches an epoch has."""
        return self._loader.num_batches

    def description(self) -> dict[str, Any]:
        """What the batches depend on."""
        return {**self._loader.description(), "shift": self._most}

    def batches(self, epoch: int, start: int = 0) -> Iterator[Batch]:
        """The batches of an epoch, from number ``start`` on."""
        side, most = self._side, self._most
        for number, batch in enumerate(self._loader.batches(epoch, start), start):
            rng = np.random.default_rng([self._loader.seed, epoch, number, _SHIFTS])
            flat = batch["x"]
            shifts = rng.integers(0, 2 * most + 1, (2, len(flat), 1))
            padded = np.pad(flat.reshape(-1, side, side), ((0, 0), (most, most), (most, most)))
            rows, columns = shifts + np.arange(side)
            image = np.arange(len(flat))[:, None, None]
            moved = padded[image, rows[:, :, None], columns[:, None, :]]
            arrays = {**batch, "x": moved.reshape(flat.shape)}
            yield Batch(arrays, batch.rows, batch.real_rows)
