"""How far our own pow may be from the exact one, and the pairs of floats at which it is tried."""

from __future__ import annotations

import numpy as np

LIMIT = 1.25
"""The largest error, in units of the result's last place. The largest found was 1.13, at x a few
percent from 1, among 24 million pairs with results near the ends of the range."""
NORMAL = 2.0**-126
_ENDS = [0.0, 2.0**-149, NORMAL, 0.5, 1.0, 1.5, 2.0, 3.0, 1e30, 3e38, np.inf]
# The largest odd number, and numbers next to where there are no halves and no odd ones any more.
_WHOLE = [2.0**23 - 0.5, 2.0**23 + 1, 2.0**24 - 1, 2.0**24, 2.0**24 + 2, 2.0**33, 2.0**34]
_SPECIAL = np.array([np.nan, *_ENDS, *_WHOLE, 1 - 2.0**-24, 1 + 2.0**-23], np.float32)


def special_pairs() -> tuple[np.ndarray, np.ndarray]:
    """All pairs of zeros, ones, infinities, NaN, and numbers that are special as exponents."""
    both = np.concatenate([_SPECIAL, -_SPECIAL])
    return np.repeat(both, both.size), np.tile(both, both.size)


def random_pairs(count: int = 200_000) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of floats of all sizes and signs; such whose power is neither 0 nor infinite, with x of
    all sizes and with x ever nearer to 1; and such whose power nearly is, with x close to 1, where
    errors are largest."""
    random = np.random.default_rng(0)
    bits = random.integers(0, 2**32, (2, count), np.uint32).view(np.float32)
    sizes = random.integers(1, 0x7F800000, count, np.uint32).view(np.float32)
    near = 1 + random.choice([-1, 1], count) * np.exp2(random.uniform(-24, -1, count))
    close = random.uniform(0.7, 1.42, count)
    logs = [random.uniform(-87.3, 88.7, count) for _ in range(2)]
    logs.append(random.choice([-1, 1], count) * random.uniform(84, 88.7, count))
    xs, ys = [bits[0]], [bits[1]]
    for x, log in zip((sizes, near, close), logs, strict=True):
        x = x.astype(np.float32)
        with np.errstate(all="ignore"):
            y = log / np.log(x.astype(np.float64))
        xs.append(x)
        ys.append(np.clip(y, -3e38, 3e38).astype(np.float32))
    return np.concatenate(xs), np.concatenate(ys)


def check_powers(x: np.ndarray, y: np.ndarray, found: np.ndarray) -> None:
    """Hold results to the limit where they are normal numbers, else to NumPy's in kind and sign."""
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(np.float64), y.astype(np.float64))
        size = np.abs(exact)
        unit = np.spacing(np.clip(size, NORMAL, 3e38).astype(np.float32))
        error = np.abs(found.astype(np.float64) - exact) / unit
    # Just below infinity a small error decides whether a result overflows.
    wrong = np.where((size >= NORMAL) & (size < 3.4e38), ~(error <= LIMIT), False)
    wrong |= (size >= 2.0**128) & ~np.isinf(found)
    wrong |= (size < NORMAL) & ~(np.abs(found) <= NORMAL)
    wrong |= np.isnan(exact) != np.isnan(found)
    wrong |= ~np.isnan(exact) & (np.signbit(exact) != np.signbit(found))
    shown = list(zip(x[wrong], y[wrong], found[wrong], exact[wrong], strict=True))[:5]
    assert not shown, "\n".join(f"{a} ** {b} = {c}, not {d}" for a, b, c, d in shown)
