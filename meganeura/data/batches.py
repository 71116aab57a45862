"""Batches: slices of arrays in a shuffled order that depends on the seed and the epoch only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import checked_methods, shown
from ..dtypes import Array
from ..errors import SessionError


@checked_methods(SessionError)
class DataLoader:
    """Goes over arrays in batches, one epoch each time it is iterated over.

    ``data`` is one array (named ``x``), or arrays by name; ``labels`` is a further one named
    ``labels``. A batch is a dictionary of arrays. The last, partial batch is dropped, or with
    ``partial="pad"`` filled up with the epoch's first samples."""

    def __init__(
        self,
        data: ArrayLike | Mapping[str, ArrayLike],
        labels: ArrayLike | None = None,
        batch_size: int = 32,
        seed: int = 0,
        *,
        shuffle: bool = True,
        partial: str = "drop",
    ) -> None:
        named = dict(data) if isinstance(data, Mapping) else {"x": data}
        if labels is not None:
            if "labels" in named:
                raise SessionError("the labels are given twice")
            named["labels"] = labels
        self.arrays = {name: _as_samples(name, a) for name, a in named.items()}
        self.batch_size = batch_size
        self.seed = seed
        self.shuffle = shuffle
        self.partial = partial
        self.epoch = 0
        self._check()

    def _check(self) -> None:
        lengths = {name: a.shape[0] if a.ndim else 0 for name, a in self.arrays.items()}
        if len(set(lengths.values())) != 1:
            raise SessionError(f"the arrays have different numbers of samples: {lengths}")
        if self.seed < 0:
            raise SessionError(f"the seed must not be negative, got {self.seed}")
        if self.partial not in ("drop", "pad"):
            raise SessionError(f'partial must be "drop" or "pad", not {self.partial!r}')
        if self.batch_size < 1 or self.num_batches < 1:
            raise SessionError(
                f"{self.num_samples} samples make no batch of {self.batch_size}",
                hint='use a smaller batch_size, or partial="pad"',
            )

    @property
    def num_samples(self) -> int:
        """How many samples there are."""
        first = next(iter(self.arrays.values()))
        return len(first) if first.ndim else 0

    @property
    def num_batches(self) -> int:
        """How many batches an epoch has."""
        if self.partial == "drop":
            return self.num_samples // self.batch_size
        return -(-self.num_samples // self.batch_size)

    def __len__(self) -> int:
        return self.num_batches

    def order(self, epoch: int) -> Array:
        """The samples' order in an epoch."""
        if not self.shuffle:
            return np.arange(self.num_samples)
        return np.random.default_rng([self.seed, epoch]).permutation(self.num_samples)

    def description(self) -> dict[str, Any]:
        """What the batches depend on, so that a run can tell whether it goes on with the same."""
        digest = sha256()
        for name, array in self.arrays.items():
            digest.update(f"{name} {array.dtype} {array.shape} ".encode())
            digest.update(np.ascontiguousarray(array).data)
        return {
            "samples": self.num_samples,
            "batch_size": self.batch_size,
            "seed": self.seed,
            "shuffle": self.shuffle,
            "partial": self.partial,
            "digest": digest.hexdigest()[:16],
        }

    def batches(self, epoch: int, start: int = 0) -> Iterator[dict[str, Array]]:
        """The batches of an epoch, from number ``start`` on."""
        if epoch < 0 or start < 0:
            raise SessionError(f"epochs and batches count from 0, got {epoch} and {start}")
        return self._batches(epoch, start)

    def _batches(self, epoch: int, start: int) -> Iterator[dict[str, Array]]:
        order = self.order(epoch)
        padded = np.resize(order, self.num_batches * self.batch_size)
        for i in range(start, self.num_batches):
            chosen = padded[i * self.batch_size : (i + 1) * self.batch_size]
            yield {name: array[chosen] for name, array in self.arrays.items()}

    def __iter__(self) -> Iterator[dict[str, Array]]:
        epoch, self.epoch = self.epoch, self.epoch + 1
        return self.batches(epoch)


def _as_samples(name: str, data: ArrayLike) -> Array:
    try:
        array = np.asarray(data)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "fiub":
        raise SessionError(f'"{name}" is not an array of numbers: {shown(data)}')
    return array
