"""Functions that a target lacks, as polynomials: exp, log, tanh, sigmoid, erf, sin, cos.

Each is a scalar expression, so one text serves every target, and its error is measured with NumPy
in float32 (tests/scalar/test_approximate.py). Ranges are reduced by powers of two, with three
operators on the bits of a float that exist only here. Coefficients are least-squares fits, weighted
towards the smallest largest error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..dtypes import Array
from .expr import Call, Expr, Var, absolute, as_expr, equal, greater, maximum, minimum, where


def _scale2(x: Array, n: Array) -> Array:
    whole = np.nan_to_num(n).astype(np.int32)
    return x * np.where(whole < -126, 0, np.ldexp(np.ones_like(x), whole))


def _exponent2(x: Array) -> Array:
    """The power of two that brings x into [√½, √2)."""
    significand, exponent = np.frexp(x)
    return (exponent - (significand < math.sqrt(0.5))).astype(x.dtype)


MACHINE_OPS: dict[str, tuple[int, Callable[..., Array]]] = {
    "round": (1, np.rint),
    "scale2": (2, _scale2),
    "exponent2": (1, _exponent2),
}
"""Operators on a float's bits: arity and meaning. Renderers spell them; no graph op has them."""


def _round(x: Expr) -> Expr:
    return Call("round", (x,))


def _times_power_of_two(x: Expr, n: Expr) -> Expr:
    return Call("scale2", (x, n))


def polynomial(x: Expr, coefficients: Sequence[float]) -> Expr:
    """``(c₀ + c₁x) + x² · ((c₂ + c₃x) + x² · …)``: one operation more than Horner's rule, and half
    as many one after another."""
    pairs = [coefficients[i : i + 2] for i in range(0, len(coefficients), 2)]
    terms = [pair[1] * x + pair[0] if len(pair) == 2 else as_expr(pair[0]) for pair in pairs]
    result = terms[-1]
    for term in reversed(terms[:-1]):
        result = result * (x * x) + term
    return result


_LOG2_E = 1 / math.log(2)
_LN2_HIGH, _LN2_LOW = 0.693359375, -2.12194440e-4  # ln 2 in two parts, the first with 9 bits
_EXP = (0.5, 0.16666667, 0.041666538, 0.0083332928, 0.0013928546, 0.00019903915)
_LOG = (
    0.3333331,
    -0.24999987,
    0.20002152,
    -0.16669196,
    0.14219898,
    -0.12385809,
    0.11866187,
    -0.11779658,
    0.069176555,
)
_TANH = (-0.33333331, 0.13333172, -0.053931575, 0.02156588, -0.0077394396, 0.0016652689)
_ERF = (
    0.128379167,
    -0.37612638,
    0.11283783,
    -0.026865445,
    0.0052210749,
    -0.00084847113,
    0.00011270543,
    -9.6801305e-06,
)
_ERFC = (
    0.56424171,
    -0.0015869137,
    -0.26181674,
    -0.14506648,
    1.0637066,
    -1.7649837,
    1.6606193,
    -0.95965374,
    0.31911081,
    -0.046987433,
)
_QUARTER_TURN = (
    1.625,
    -0.0546875,
    0.00048828125,
    -3.814697265625e-06,
    -5.960464477539062e-07,
    -4.371138828673793e-08,
)
_SIN = (-0.16666667, 0.0083333291, -0.00019839256, 2.717564e-06)
_COS = (0.041666668, -0.0013888883, 2.4799436e-05, -2.7203299e-07)


def exp(x: Expr) -> Expr:
    """``2ⁿ⁻¹ · 2e^r`` with x = n ln 2 + r: so powers overflow to infinity where they should. Below
    −86.99, where results come near the denormals, it gives 0."""
    inside = where(greater(-87.6, x), -87.6, x)
    inside = where(greater(inside, 89.0), 89.0, inside)
    n = _round(inside * _LOG2_E)
    r = (inside - n * _LN2_HIGH) - n * _LN2_LOW
    value = 1 + (r + r * r * polynomial(r, _EXP))
    return _times_power_of_two(value + value, n - 1)


def log(x: Expr) -> Expr:
    """``n ln 2 + log m`` with x = 2ⁿ m and m near 1. Denormals are scaled up first, and numbers
    whose n has no reciprocal power of two down."""
    tiny, huge = greater(1.17549435e-38, x), greater(x, 1e38)
    scaled = where(tiny, x * 8388608.0, where(huge, x * 0.25, x))
    n: Expr = Call("exponent2", (scaled,))
    t = _times_power_of_two(scaled, -n) - 1
    n = n + where(tiny, -23.0, where(huge, 2.0, 0.0))
    tail = t * t * t * polynomial(t, _LOG) + n * _LN2_LOW
    value = (t + (tail - 0.5 * (t * t))) + n * _LN2_HIGH
    value = where(equal(x, math.inf), math.inf, value)
    value = where(equal(x, 0.0), -math.inf, value)
    return where(greater(0.0, x), math.nan, where(equal(x, x), value, x))


def tanh(x: Expr) -> Expr:
    """A polynomial near 0, ``1 − 2/(e^2x + 1)`` elsewhere."""
    a = absolute(x)
    z = x * x
    near = x + x * z * polynomial(z, _TANH)
    far = 1 - 2 / (exp(2 * a) + 1)
    return where(greater(0.625, a), near, where(greater(0.0, x), -far, far))


def sigmoid(x: Expr) -> Expr:
    """``1 / (1 + e^−x)``."""
    return 1 / (1 + exp(-x))


def erf(x: Expr) -> Expr:
    """A polynomial below 1, ``1 − e^(−x²) · q(1/x)/x`` above, 1 from 4 on."""
    a = minimum(absolute(x), 4.0)
    near = x + x * polynomial(x * x, _ERF)  # the leading 1 apart: one rounding less
    t = 1 / maximum(a, 1.0)
    far = 1 - exp(-(a * a)) * t * polynomial(t, _ERFC)
    return where(greater(1.0, a), near, where(greater(0.0, x), -far, where(equal(x, x), far, x)))


def _quarter_turns(x: Expr) -> tuple[Expr, Expr]:
    """How often a quarter turn goes into x, modulo 4, and what is left: from −π/4 to π/4.

    π/2 is taken off in parts of four bits, whose products with an n of 20 bits are exact, and so
    are the differences: good up to 1.6 million. Beyond that neighbouring floats are an eighth of a
    radian and more apart, and the result is NaN rather than noise."""
    n = _round(where(greater(absolute(x), 1.6e6), math.nan, x) * (2 / math.pi))
    for part in _QUARTER_TURN:
        x = x - n * part
    return n - 4 * _round(n * 0.25), x


def _sin_and_cos(r: Expr) -> tuple[Expr, Expr]:
    z = r * r
    return r + r * z * polynomial(z, _SIN), 1 - (0.5 * z - z * z * polynomial(z, _COS))


def sin(x: Expr) -> Expr:
    """The sine or cosine of what is left of a quarter turn, with the sign of the quadrant."""
    quarter, r = _quarter_turns(x)
    sine, cosine = _sin_and_cos(r)
    value = where(equal(absolute(quarter), 1.0), cosine, sine)
    shifted = quarter - 0.5
    return where(greater(shifted * shifted, 1.0), -value, value)


def cos(x: Expr) -> Expr:
    """Like the sine, a quarter turn on."""
    quarter, r = _quarter_turns(x)
    sine, cosine = _sin_and_cos(r)
    value = where(equal(absolute(quarter), 1.0), sine, cosine)
    shifted = quarter + 0.5
    return where(greater(shifted * shifted, 1.0), -value, value)


APPROXIMATIONS: dict[str, Expr] = {
    function.__name__: function(Var(0)) for function in (exp, log, tanh, sigmoid, erf, sin, cos)
}
"""Each function as an expression of its argument, ``Var(0)``."""
