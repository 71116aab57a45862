"""Functions that a target lacks, as polynomials: exp, log, tanh, sigmoid, erf, sin, cos, pow.

Each is a scalar expression, so one text serves every target, and its error is measured with NumPy
in float32 (tests/scalar/test_approximate.py). Ranges are reduced by powers of two, with four
operators on the bits of a float that exist only here. Coefficients are least-squares fits, weighted
towards the smallest largest error.

A target may round a product and a sum together, once. So a number is in parts here only by means
that this does not change: `round`, and products that are exact because their factors are short.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..dtypes import Array
from .expr import (
    Call,
    Expr,
    Var,
    absolute,
    as_expr,
    equal,
    greater,
    maximum,
    minimum,
    recip,
    variables,
    where,
)
from .turn import within_turn


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
    "within_turn": (1, within_turn),
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
_LOG_IN_PARTS = (0.33333334, -0.24999794, 0.19999221, -0.16772474, 0.14464648)
_FACTORS = (1.3125, 1.125, 1.0, 0.875, 0.75)
_FACTOR_LIMITS = (0.82, 0.94, 1.07, 1.23)  # between which numbers each is taken
_FACTOR_LOGS_HIGH = tuple(-round(math.log(f) * 65536) / 65536 for f in _FACTORS)
_FACTOR_LOGS_LOW = tuple(
    -math.log(f) - high for f, high in zip(_FACTORS, _FACTOR_LOGS_HIGH, strict=True)
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


def _near_one(x: Expr) -> tuple[Expr, Expr]:
    """n and m with x = 2ⁿ m, m from √½ to √2. Denormals are scaled up first, and numbers whose n
    has no reciprocal power of two down."""
    tiny, huge = greater(1.17549435e-38, x), greater(x, 1e38)
    scaled = where(tiny, x * 8388608.0, where(huge, x * 0.25, x))
    n: Expr = Call("exponent2", (scaled,))
    m = _times_power_of_two(scaled, -n)
    return n + where(tiny, -23.0, where(huge, 2.0, 0.0)), m


def log(x: Expr) -> Expr:
    """``n ln 2 + log m`` with x = 2ⁿ m and m near 1."""
    n, m = _near_one(x)
    t = m - 1
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
    are the differences: good up to 1.6 million, and what is larger is brought there first."""
    x = Call("within_turn", (x,))
    n = _round(x * (2 / math.pi))
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


def _log_in_parts(x: Expr) -> tuple[Expr, Expr, Expr, Expr]:
    """Four numbers whose sum is log x, but for 2⁻³⁰ of it; only the last is rounded.

    As in `log`, with 1 + t = m · f: a factor f that leaves |t| < 0.08 and has so few bits that t is
    exact in two parts, and the square of the first of them, too."""
    n, m = _near_one(x)

    def by_size(values: Sequence[float]) -> Expr:
        chosen = as_expr(values[-1])
        for limit, value in zip(reversed(_FACTOR_LIMITS), reversed(values[:-1]), strict=True):
            chosen = where(greater(limit, m), value, chosen)
        return chosen

    f = by_size(_FACTORS)
    m_high = _round(m * 256.0) * (1 / 256)
    t_high, t_low = m_high * f - 1, (m - m_high) * f
    t = t_high + t_low
    tail = t * t * (t * polynomial(t, _LOG_IN_PARTS)) - 0.5 * (t_low * (t + t_high))
    tail = tail + (n * _LN2_LOW + by_size(_FACTOR_LOGS_LOW))
    powers_and_factor = n * _LN2_HIGH + by_size(_FACTOR_LOGS_HIGH)
    return powers_and_factor, t_high - 0.5 * (t_high * t_high), t_low, tail


def _times_log(y: Expr, x: Expr) -> tuple[Expr, Expr, Expr]:
    """``y log x``, and the same in two parts.

    The first part is the product of 12 bits of y and, if it is not so large that the power
    overflows, 12 bits of the logarithm: with y of size 2ᵉ, multiples of 2ᵉ⁻¹¹ and 2⁻ᵉ⁻⁵."""
    first, second, third, tail = _log_in_parts(x)
    logarithm = first + (second + (third + tail))
    e: Expr = Call("exponent2", (absolute(y) + 2.0**-40,))  # 0 has no exponent
    unit = _times_power_of_two(as_expr(2.0**-11), e)
    per_unit = _times_power_of_two(as_expr(2.0**11), -e)
    y_high = _round(y * per_unit) * unit
    log_high = _round(logarithm * (unit * 2.0**16)) * (per_unit * 2.0**-16)
    log_low = (((first - log_high) + second) + third) + tail
    low = y_high * log_low + (y - y_high) * logarithm
    return y * logarithm, y_high * log_high, low


def _exp_of_parts(x: Expr, high: Expr, low: Expr) -> Expr:
    """``e^(high + low)``, where x is about the sum. As in `exp`, but down to the smallest normal
    number, and rounded once: 12 bits of r and 1 have an exact sum, and the rest is small."""
    n = _round(x * _LOG2_E)  # of x, which is known before its parts are
    high, low = high - n * _LN2_HIGH, low - n * _LN2_LOW
    r = high + low
    r_high = _round(high * 4096.0) * (1 / 4096)
    rest = ((high - r_high) + low) + r * r * polynomial(r, _EXP)
    value = (1 + r_high) + rest
    up = greater(n, 0.0)
    value = _times_power_of_two(value + value * up, n - up)
    return where(greater(x, 89.0), math.inf, where(greater(-87.4, x), 0.0, value))


def power(x: Expr, y: Expr) -> Expr:
    """``±e^(y log |x|)``, with the exponent in two parts: the largest error found is 1.13 ulp, and
    342 with an exponent of one float. Results below 1.2e-38, the smallest normal number, may be
    0."""
    size = absolute(x)
    # Infinity has no parts. What is clamped is even, and takes every x but ±1 out of range.
    y_inside = where(greater(y, 2.0**33), 2.0**33, where(greater(-(2.0**33), y), -(2.0**33), y))
    value = _exp_of_parts(*_times_log(y_inside, size))
    from_even = absolute(y_inside - 2 * _round(0.5 * y_inside))
    odd = equal(from_even, 1.0)
    signed = where(odd, -value, where(equal(from_even, 0.0), value, math.nan))
    value = where(greater(0.0, x), signed, value)
    # 0 and infinity have no logarithm, but a sign: −0 too.
    base = where(odd, x, size)
    end = where(greater(0.0, y), recip(base), base)
    value = where(equal(size, 0.0), end, where(equal(size, math.inf), end, value))
    value = where(equal(x, x), where(equal(y, y), value, y), x)
    return where(equal(x, 1.0), 1.0, where(equal(y, 0.0), 1.0, value))


APPROXIMATIONS: dict[str, Expr] = {
    function.__name__: function(Var(0)) for function in (exp, log, tanh, sigmoid, erf, sin, cos)
} | {"pow": power(*variables(2))}
"""Each function as an expression of its arguments, ``Var(0)`` and for `pow` ``Var(1)``."""
