"""The error of our own exp, log, tanh, sigmoid, erf, sin, cos and pow over the float32 range."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from meganeura.scalar.approximate import APPROXIMATIONS, MACHINE_OPS
from meganeura.scalar.evaluate import evaluate
from meganeura.scalar.expr import Call, Expr
from tests.helpers.ulp import check_error, sweep
from tests.scalar.powers import check_powers, random_pairs, special_pairs

OF_ONE_ARGUMENT = [name for name in APPROXIMATIONS if name != "pow"]


@pytest.mark.parametrize("name", OF_ONE_ARGUMENT)
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
        ("cos", -math.inf, math.nan),
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


@cache
def contracted(expr: Expr) -> Expr:
    """An expression with all sums of a product and a number as one operator."""
    match expr:
        case Call("add", (Call("mul", (a, b)), c) | (c, Call("mul", (a, b)))):
            return Call("fused", (contracted(a), contracted(b), contracted(c)))
        case Call("sub", (Call("mul", (a, b)), c)):
            return Call("fused", (contracted(a), contracted(b), -contracted(c)))
        case Call("sub", (c, Call("mul", (a, b)))):
            return Call("fused", (contracted(a), -contracted(b), contracted(c)))
        case Call(op, args):
            return Call(op, tuple(contracted(arg) for arg in args))
    return expr


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """A product, exact in float64, and a sum."""
    return (np.multiply(a, b, dtype=np.float64) + c).astype(np.float32)


@pytest.mark.parametrize("transform", [lambda expr: expr, contracted], ids=["plain", "contracted"])
@pytest.mark.parametrize("pairs", [special_pairs, random_pairs])
def test_powers_are_as_in_numpy(pairs, transform, monkeypatch):
    monkeypatch.setitem(MACHINE_OPS, "fused", (3, fused))
    x, y = pairs()
    with np.errstate(all="ignore"):
        found = evaluate(transform(APPROXIMATIONS["pow"]), [x, y])
    check_powers(x, y, found)


def test_whole_powers_are_exact_as_far_as_floats_hold_all_whole_numbers():
    base, exponent = (values.ravel() for values in np.mgrid[-4096:4097, 2:25])
    exact = base.astype(np.float64) ** exponent
    held = np.abs(exact) <= 2**24
    x, y = (values[held].astype(np.float32) for values in (base, exponent))
    with np.errstate(all="ignore"):
        found = evaluate(APPROXIMATIONS["pow"], [x, y])
    np.testing.assert_array_equal(found, exact[held])
