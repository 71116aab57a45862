"""The error of our own exp, log, tanh, sigmoid, erf, sin and cos over the float32 range, in ulp."""

from __future__ import annotations

import math

import numpy as np
import pytest

from meganeura.scalar.approximate import APPROXIMATIONS
from meganeura.scalar.evaluate import evaluate
from tests.helpers.ulp import check_error, sweep


@pytest.mark.parametrize("name", APPROXIMATIONS)
def test_the_error_is_small_everywhere(name):
    x = sweep(name)
    with np.errstate(all="ignore"):
        check_error(name, x, evaluate(APPROXIMATIONS[name], [x]))


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
