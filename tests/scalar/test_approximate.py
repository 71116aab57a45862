"""The error of our own exp, log, tanh, sigmoid, erf, sin and cos over the float32 range, in ulp."""

from __future__ import annotations

import math

import numpy as np
import pytest

from meganeura.scalar.approximate import APPROXIMATIONS
from meganeura.scalar.evaluate import evaluate

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
# Sines of large arguments have an absolute error: a float does not hold them next to a zero.
SMALLEST = {"sin": 2.0**-5, "cos": 2.0**-5}
RANGES = {
    "exp": (-86.9, 3e38),
    "log": (1e-45, 3e38),
    "sigmoid": (-86.9, 3e38),
    "sin": (-1.6e6, 1.6e6),
    "cos": (-1.6e6, 1.6e6),
}


def every_so_often(low: float, high: float, count: int = 200_000) -> np.ndarray:
    """Floats spread over all exponents, both signs, within a range."""
    bits = np.linspace(0, 0x7F7FFFFF, count).astype(np.uint32).view(np.float32)
    both = np.concatenate([bits, -bits, np.linspace(low, high, count).astype(np.float32)])
    return both[(both >= low) & (both <= high)]


@pytest.mark.parametrize("name", APPROXIMATIONS)
def test_the_error_is_small_everywhere(name):
    x = every_so_often(*RANGES.get(name, (-3e38, 3e38)))
    with np.errstate(all="ignore"):
        found = evaluate(APPROXIMATIONS[name], [x])
        exact = EXACT[name](x.astype(np.float64))
        # Results below the smallest are compared in its units.
        least = SMALLEST.get(name, 2.0**-126)
        unit = np.spacing(np.maximum(np.abs(exact), least).astype(np.float32))
        error = np.abs(found.astype(np.float64) - exact) / unit
    finite = np.isfinite(exact) & (np.abs(exact) < 3.4e38)
    worst = int(np.argmax(np.where(finite, error, 0.0)))
    assert error[worst] <= LIMITS[name], f"{name}({x[worst]}) = {found[worst]}: {error[worst]} ulp"
    assert (found[~finite] == np.sign(exact[~finite]) * np.inf).all()


@pytest.mark.parametrize(
    ("name", "x", "value"),
    [
        ("exp", -math.inf, 0.0),
        ("exp", math.inf, math.inf),
        ("exp", 100.0, math.inf),
        ("exp", -87.5, 0.0),
        ("exp", -100.0, 0.0),
        ("sin", math.inf, math.nan),
        ("cos", 1e7, math.nan),
        ("log", 0.0, -math.inf),
        ("log", -1.0, math.nan),
        ("log", math.inf, math.inf),
        ("tanh", math.inf, 1.0),
        ("tanh", -math.inf, -1.0),
        ("sigmoid", -math.inf, 0.0),
        ("sigmoid", math.inf, 1.0),
        ("erf", math.inf, 1.0),
        ("erf", -math.inf, -1.0),
    ],
)
def test_the_ends(name, x, value):
    with np.errstate(all="ignore"):
        found = evaluate(APPROXIMATIONS[name], [np.array([x, math.nan], np.float32)])
    np.testing.assert_array_equal(found, [value, math.nan])
