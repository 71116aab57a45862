"""The error of our own exp, log, tanh, sigmoid and erf over the float32 range, in ulp."""

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
}
# The largest error, in units of the result's last place.
LIMITS = {"exp": 2.0, "log": 2.0, "tanh": 2.0, "sigmoid": 3.0, "erf": 2.0}


def every_so_often(low: float, high: float, count: int = 200_000) -> np.ndarray:
    """Floats spread over all exponents, both signs, within a range."""
    bits = np.linspace(0, 0x7F7FFFFF, count).astype(np.uint32).view(np.float32)
    both = np.concatenate([bits, -bits, np.linspace(low, high, count).astype(np.float32)])
    return both[(both >= low) & (both <= high)]


@pytest.mark.parametrize("name", APPROXIMATIONS)
def test_the_error_is_small_everywhere(name):
    low, high = {"log": (1e-45, 3e38), "sigmoid": (-87.0, 3e38)}.get(name, (-3e38, 3e38))
    x = every_so_often(low, high)
    with np.errstate(all="ignore"):
        found = evaluate(APPROXIMATIONS[name], [x])
        exact = EXACT[name](x.astype(np.float64))
        # Numbers below the smallest normal one are compared in its units.
        unit = np.spacing(np.maximum(np.abs(exact), 2.0**-126).astype(np.float32))
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
