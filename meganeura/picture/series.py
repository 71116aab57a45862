"""Series of numbers, prepared for drawing: smoothed, thinned, and given axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import FormatError
from .ticks import MOST, Axis, linear_axis, log_axis

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Series:
    """Points ``(x, y)`` with a name. A y that is NaN or infinite leaves a gap.

    ``style`` is a ``line``, a ``faint`` one that stays behind the others, or ``dots``."""

    label: str
    x: ArrayLike = field(repr=False)
    y: ArrayLike = field(repr=False)
    style: str = "line"

    def points(self) -> tuple[Numbers, Numbers]:
        """Both coordinates as arrays."""
        try:
            x = np.asarray(self.x, np.float64)
            y = np.asarray(self.y, np.float64)
        except (TypeError, ValueError) as error:
            raise FormatError(f"the series {self.label!r} is not numbers: {error}") from None
        if x.ndim != 1 or x.shape != y.shape:
            raise FormatError(
                f"the series {self.label!r} must have as many x as y, got {x.shape} and {y.shape}"
            )
        kept = np.isfinite(x)
        return x[kept], np.where(np.isfinite(y), np.clip(y, -MOST, MOST), np.nan)[kept]


def smoothed(values: ArrayLike, keep: float) -> Numbers:
    """The moving average that keeps a part ``keep`` of itself at each step, corrected for having
    begun at nothing. What is not finite is passed over, and stays a gap."""
    out = np.full(np.shape(values), np.nan)
    average, weight = 0.0, 0.0
    for i, value in enumerate(np.asarray(values, np.float64).tolist()):
        if -MOST <= value <= MOST:
            average = keep * average + (1 - keep) * value
            weight = keep * weight + (1 - keep)
            out[i] = average / weight
    return out


def smoothing(count: int) -> float:
    """How much of itself the average of so many points keeps: about five of them count; of many, a
    hundredth."""
    return 1 - 1 / max(1.0, min(count / 20, 5.0), min(count / 100, 200.0))


def thinned(x: Numbers, y: Numbers, most: int) -> tuple[Numbers, Numbers]:
    """About ``most`` of the points, which look the same: of each stretch the lowest and the
    highest, and a gap if there is one."""
    size = -(-len(y) // max(1, most // 3))
    if size <= 3:
        return x, y
    whole = len(y) // size * size
    stretches = y[:whole].reshape(-1, size)
    starts = np.arange(0, whole, size)
    gaps = np.isnan(stretches)
    kept = [
        starts + np.where(gaps, np.inf, stretches).argmin(axis=1),
        starts + np.where(gaps, -np.inf, stretches).argmax(axis=1),
        (starts + gaps.argmax(axis=1))[gaps.any(axis=1)],
        np.arange(whole, len(y)),
        np.array([0, len(y) - 1]),
    ]
    chosen = np.unique(np.concatenate(kept))
    return x[chosen], y[chosen]


def runs(x: Numbers, y: Numbers) -> list[tuple[Numbers, Numbers]]:
    """The stretches between gaps."""
    there = ~np.isnan(y)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]]).astype(np.int8)))
    return [(x[a:b], y[a:b]) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def axes(
    points: Sequence[tuple[Numbers, Numbers]], log: bool, counts: tuple[int, int]
) -> tuple[Axis, Axis] | None:
    """Axes that hold all points, with about so many ticks; none if there is nothing to show. An
    axis by magnitudes shows only what is positive."""
    lows, highs, x_ends = [], [], []
    whole = True
    for x, y in points:
        shown = ~np.isnan(y) & ((y > 0) | (not log))
        if shown.any():
            lows.append(y[shown].min())
            highs.append(y[shown].max())
            x_ends += [x[shown].min(), x[shown].max()]
            whole = whole and bool(np.all(x == np.rint(x)))
    if not lows:
        return None
    low, high = float(min(lows)), float(max(highs))
    horizontal = linear_axis(float(min(x_ends)), float(max(x_ends)), counts[0], whole)
    if log:
        return horizontal, log_axis(low / 1.1, high * 1.1, counts[1])
    margin = 0.04 * (high - low)
    return horizontal, linear_axis(low - margin, high + margin, counts[1])


def loss_series(
    steps: ArrayLike, losses: ArrayLike, validation: tuple[ArrayLike, ArrayLike] | None
) -> tuple[list[Series], bool]:
    """The losses of a run, their moving average, and dots for ``validation`` (steps and losses);
    and whether magnitudes show them better."""
    raw = Series("loss", steps, losses, "faint")
    x, y = raw.points()
    found = [raw, Series("smoothed", x, smoothed(y, smoothing(len(y))))]
    if validation is not None:
        found.append(Series("validation", *validation, "dots"))
    everything = np.concatenate([one.points()[1] for one in found])
    return found, _spans_magnitudes(everything)


def _spans_magnitudes(values: Numbers) -> bool:
    """Whether numbers are all positive, and some many times as large as others."""
    there = values[~np.isnan(values)]
    return bool(there.size and there.min() > 0 and there.max() / 30 > there.min())
