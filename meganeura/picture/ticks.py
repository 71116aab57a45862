"""Round numbers for axes: where to put ticks, and how to write them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

LEAST, MOST = 1e-300, 1e300
"""Magnitudes that an axis can show; nearer the ends of what floats hold, ranges overflow."""
_STEPS = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True)
class Axis:
    """A range of numbers, the ticks in it, and whether it goes by magnitudes."""

    low: float
    high: float
    ticks: tuple[float, ...]
    labels: tuple[str, ...]
    is_log: bool = False

    def place(self, value: float) -> float:
        """Where a number lies: 0 at the low end, 1 at the high one."""
        if self.is_log:
            return (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return (value - self.low) / (self.high - self.low)


def linear_axis(low: float, high: float, count: int = 6, whole: bool = False) -> Axis:
    """An axis from ``low`` to ``high`` with about ``count`` ticks; only at whole numbers if
    ``whole``. A range without width gets some."""
    low, high = _widened(_clipped(low), _clipped(high), whole)
    step = _round_step((high - low) / (1.3 * max(1, count)))
    if whole:
        step = max(1.0, step)
    first = ceil(low / step - 1e-9)
    last = floor(high / step + 1e-9)
    ticks = tuple(i * step for i in range(first, last + 1))
    largest = max(map(abs, ticks), default=0.0)
    return Axis(low, high, ticks, tuple(_label(tick, step, largest) for tick in ticks))


def log_axis(low: float, high: float, count: int = 6) -> Axis:
    """An axis by magnitudes; both ends must be positive."""
    low, high = max(_clipped(low), LEAST), max(_clipped(high), LEAST)
    if high / low < 1.0001:  # nothing to see between them
        low, high = low / 2, high * 2
    decades = log10(high) - log10(low)
    if decades < 0.7:  # powers of ten lie too far apart: round numbers, placed by magnitude
        plain = linear_axis(low, high, count)
        return Axis(low, high, plain.ticks, plain.labels, is_log=True)
    ticks = _magnitudes(low, high, decades, count)
    return Axis(low, high, ticks, tuple(_label(t, t, t) for t in ticks), is_log=True)


def _magnitudes(low: float, high: float, decades: float, count: int) -> tuple[float, ...]:
    if decades > count:
        apart = ceil(decades / count)
        powers = range(
            ceil(log10(low) / apart - 1e-9) * apart, floor(log10(high) + 1e-9) + 1, apart
        )
        return tuple(10.0**p for p in powers)
    factors = (1, 2, 5) if decades < count / 2 else (1,)
    powers = range(floor(log10(low)), floor(log10(high)) + 1)
    ticks = (factor * 10.0**p for p in powers for factor in factors)
    return tuple(t for t in ticks if low * (1 - 1e-9) <= t <= high * (1 + 1e-9))


def _clipped(value: float) -> float:
    return min(max(value, -MOST), MOST) if isfinite(value) else 0.0


def _widened(low: float, high: float, whole: bool) -> tuple[float, float]:
    """A range that has a width: numbers that cannot be told apart stand in its middle."""
    low, high = min(low, high), max(low, high)
    size = max(abs(low), abs(high))
    if high - low > max(size * 1e-12, 0.5 if whole else LEAST):
        return low, high
    margin = max(1.0, size * 1e-6) if whole else max(size * 0.1, 1e-3 if size < LEAST else LEAST)
    return low - margin, high + margin


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, … that is no less."""
    power = 10.0 ** floor(log10(max(least, LEAST)))
    return next((f * power for f in _STEPS if f * power >= least * (1 - 1e-9)), 10 * power)


def _label(value: float, step: float, largest: float) -> str:
    """A number, as exact as the distance of ticks asks for; with a power of ten if the largest of
    the axis needs one."""
    size = abs(value)
    if size < step * 1e-6:
        return "0"
    if not 1e-3 <= largest < 1e7:
        digits = max(0, floor(log10(size)) - floor(log10(step)))
        mantissa, _, exponent = f"{value:.{min(digits, 15)}e}".partition("e")
        return f"{mantissa}e{int(exponent)}".replace("-", "−")
    return f"{value:,.{max(0, -floor(log10(step) + 1e-9))}f}".replace("-", "−")


def short(value: float | None, digits: int = 4) -> str:
    """A number for a reader: a few digits; a dash if there is none."""
    if value is None or value != value:
        return "–"
    if isfinite(value) and value == int(value) and abs(value) < 1e7:
        return f"{int(value):,}"
    if 1e-3 <= abs(value) < 1e7:
        whole = len(str(int(abs(value)))) if abs(value) >= 1 else 0
        return f"{value:,.{max(0, digits - whole)}f}"
    return f"{value:.{digits - 1}g}"


def bytes_label(count: float) -> str:
    """A number of bytes, in the unit that fits."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= size:
            return (
                f"{count / size:.3g} {unit}"
                if count < 1e3 * size
                else f"{count / size:,.0f} {unit}"
            )
    return f"{count:.0f} bytes"
