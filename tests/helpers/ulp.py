"""How far our own exp, log, tanh, sigmoid, erf, sin and cos may be from the exact functions, in
units of the result's last place (ulp), and the floats at which they are tried."""

from __future__ import annotations

import math

import numpy as np

EXACT = {
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "erf": np.vectorize(math.erf),
    "sin": np.sin,
    "cos": np.cos,
}
# The largest error, in units of the result's last place.
LIMITS = {"exp": 2.0, "log": 2.0, "tanh": 2.0, "sigmoid": 3.0, "erf": 2.0, "sin": 2.0, "cos": 2.0}
# Sines have an absolute error: a float does not hold an angle next to a zero of theirs. A large one
# is first brought within half a turn, as a float again: its last place there is that of 2.
SMALLEST = {"sin": 2.0**-5, "cos": 2.0**-5}
LARGE, OF_LARGE = 1.6e6, 2.0
RANGES = {
    "exp": (-86.9, 3e38),
    "log": (1e-45, 3e38),
    "sigmoid": (-86.9, 3e38),
}
WHOLE = (-3e38, 3e38)


def sweep(name: str, count: int = 200_000) -> np.ndarray:
    """Floats of both signs spread over all exponents, and evenly over a function's range and over
    its part near zero, where the exponential does not overflow."""
    low, high = RANGES.get(name, WHOLE)
    bits = np.linspace(0, 0x7F7FFFFF, count).astype(np.uint32).view(np.float32)
    spans = [(low, high), (max(low, -90.0), min(high, 90.0))]
    spans += [(-LARGE, LARGE)] if name in SMALLEST else []
    even = [np.linspace(*span, count).astype(np.float32) for span in spans]
    return np.concatenate([bits, -bits, *even])


def check_error(name: str, x: np.ndarray, found: np.ndarray) -> None:
    """Hold the results ``found`` at ``x`` to the function's limit, as far as its range goes."""
    low, high = RANGES.get(name, WHOLE)
    inside = (x >= low) & (x <= high)
    x, found = x[inside], found[inside]
    with np.errstate(all="ignore"):
        exact = EXACT[name](x.astype(np.float64))
        # Results below the smallest are compared in its units.
        least = SMALLEST.get(name, 2.0**-126)
        if name in SMALLEST:
            least = np.where(np.abs(x) > LARGE, OF_LARGE, least)
        unit = np.spacing(np.maximum(np.abs(exact), least).astype(np.float32))
        error = np.abs(found.astype(np.float64) - exact) / unit
    # Between the two bounds a small error decides whether a result overflows.
    finite, infinite = np.abs(exact) < 3.4e38, np.abs(exact) >= 2.0**128
    error = np.where(np.isnan(error), np.inf, error)
    worst = int(np.argmax(np.where(finite, error, 0.0)))
    assert error[worst] <= LIMITS[name], f"{name}({x[worst]}) = {found[worst]}: {error[worst]} ulp"
    assert (found[infinite] == np.sign(exact[infinite]) * np.inf).all()
