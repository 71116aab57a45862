"""Batches: slices of arrays in a shuffled order that depends on the seed and the epoch only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import checked_methods, shown
from ..dtypes import Array
from ..errors import SessionError

MOST_ROWS = 1 << 31
"""Rows of a batch: more is a mistake, not data."""


class Batch(dict[str, Array]):
    """Arrays by the names of the inputs they are for. Of its ``rows``, the first ``real_rows`` are
    samples; the others only fill it up."""

    def __init__(self, arrays: Mapping[str, Array], rows: int, real_rows: int) -> None:
        super().__init__(arrays)
        self.rows, self.real_rows = rows, real_rows


@runtime_checkable
class Batches(Protocol):
    """What a trainer takes its batches from: a `DataLoader`, or what behaves so."""

    @property
    def num_batches(self) -> int:
        """How many batches an epoch has."""
        ...

    def batches(self, epoch: int, start: int = 0) -> Iterator[dict[str, Array]]:
        """The batches of an epoch from one on, always the same. A `Batch` says how many of its rows
        are samples; all rows of a plain dictionary are."""
        ...

    def description(self) -> dict[str, Any]:
        """What the batches depend on, as JSON."""
        ...


@checked_methods(SessionError)
class DataLoader:
    """Goes over arrays in batches, one epoch each time it is iterated over.

    ``data`` is one array (named ``x``), or arrays by name; ``labels`` is a further one named
    ``labels``. A `Batch` is a dictionary of arrays that knows how many of its rows are samples.

    Batches have one size, so where it does not divide the samples ``partial`` decides: ``"drop"``
    leaves the rest of an epoch out, ``"pad"`` fills the last batch up with the epoch's first
    samples (``batch.real_rows`` counts the others). None drops the rest when shuffling, where it is
    another one in each epoch, and is an error otherwise: the same samples would never be seen."""

    def __init__(
        self,
        data: ArrayLike | Mapping[str, ArrayLike],
        labels: ArrayLike | None = None,
        batch_size: int = 32,
        seed: int = 0,
        *,
        shuffle: bool = True,
        partial: str | None = None,
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
        if self.partial not in (None, "drop", "pad"):
            raise SessionError(f'partial must be "drop" or "pad", not {self.partial!r}')
        if self.batch_size > MOST_ROWS:
            raise SessionError(f"a batch has at most {MOST_ROWS:,} rows, not {self.batch_size:,}")
        if self.batch_size < 1 or self.num_batches < 1:
            raise SessionError(
                f"{self.num_samples} samples make no batch of {self.batch_size}",
                hint='use a smaller batch_size, or partial="pad"',
            )
        if self.left_out and self.partial is None and not self.shuffle:
            raise SessionError(
                f"{self.num_samples} samples are not whole batches of {self.batch_size}: the last "
                f"{self.left_out} would never be seen",
                hint='use a batch_size that divides them, partial="pad" (batch.real_rows says how '
                'many rows count), or partial="drop" to leave them out',
            )

    @property
    def num_samples(self) -> int:
        """How many samples there are."""
        first = next(iter(self.arrays.values()))
        return len(first) if first.ndim else 0

    @property
    def num_batches(self) -> int:
        """How many batches an epoch has."""
        if self.partial == "pad":
            return -(-self.num_samples // self.batch_size)
        return self.num_samples // self.batch_size

    @property
    def left_out(self) -> int:
        """How many samples an epoch leaves out."""
        return max(0, self.num_samples - self.num_batches * self.batch_size)

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
            "partial": self.partial or "drop",
            "digest": digest.hexdigest()[:16],
        }

    def batches(self, epoch: int, start: int = 0) -> Iterator[Batch]:
        """The batches of an epoch, from number ``start`` on."""
        if epoch < 0 or start < 0:
            raise SessionError(f"epochs and batches count from 0, got {epoch} and {start}")
        return self._batches(epoch, start)

    def _batches(self, epoch: int, start: int) -> Iterator[Batch]:
        order = self.order(epoch)
        padded = np.resize(order, self.num_batches * self.batch_size)
        for i in range(start, self.num_batches):
            first = i * self.batch_size
            chosen = padded[first : first + self.batch_size]
            arrays = {name: array[chosen] for name, array in self.arrays.items()}
            yield Batch(arrays, self.batch_size, min(self.batch_size, self.num_samples - first))

    def __iter__(self) -> Iterator[Batch]:
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
