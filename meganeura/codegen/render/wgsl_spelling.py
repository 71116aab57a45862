"""How WGSL spells the scalar operators and numbers, and the functions a module needs for them."""

from __future__ import annotations

import math

import numpy as np

from ...scalar.turn import BEFORE, NEAR, TURN, WORDS

COMPARISONS = {"greater": ">", "greater_equal": ">=", "equal": "=="}
SPELLING: dict[str, str] = {
    "add": "({0} + {1})",
    "sub": "({0} - {1})",
    "mul": "({0} * {1})",
    "div": "({0} / {1})",
    "neg": "(-{0})",
    "abs": "abs({0})",
    "sqrt": "sqrt({0})",
    "maximum": "larger({0}, {1})",
    "minimum": "smaller({0}, {1})",
    "recip": "(1.0 / {0})",
    "rsqrt": "(1.0 / sqrt({0}))",
    "round": "round({0})",
    "scale2": "scale2({0}, {1})",
    "exponent2": "exponent2({0})",
    "within_turn": "within_turn({0})",
    "sign": "sign_of({0})",
}

# WGSL lets implementations assume that there are no NaNs and infinities. Bits cannot be assumed
# away, so tests for NaN are on bits, and infinities are made of bits that are not constant.
FUNCTIONS: dict[str, str] = {
    "is_nan": """\
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}""",
    "from_bits": """\
fn from_bits(constant: u32) -> f32 {
    var bits = constant;
    return bitcast<f32>(bits);
}""",
    # x · 0, which compilers take for 0 whatever x is.
    "times_zero": """\
fn times_zero(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let is_finite = (bits & 0x7f800000u) != 0x7f800000u;
    return select(from_bits(0x7fc00000u), bitcast<f32>(bits & 0x80000000u), is_finite);
}""",
    # Zeros that only the machine knows: an entry point sets them, by the workgroup's number.
    "unknown_zeros": "var<private> unknown_zeros: vec2<u32>;",
    # x, of which a compiler knows nothing: it may not work with what x is made of, where
    # (b + a) - b is a and √a · √a is a. Nor does it know that two operands are one.
    "rounded": """\
fn rounded(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ unknown_zeros.x);
}""",
    "rounded_apart": """\
fn rounded_apart(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ unknown_zeros.y);
}""",
    "larger": """\
fn larger(x: f32, y: f32) -> f32 {
    return select(max(x, y), from_bits(0x7fc00000u), is_nan(x) || is_nan(y));
}""",
    "smaller": """\
fn smaller(x: f32, y: f32) -> f32 {
    return select(min(x, y), from_bits(0x7fc00000u), is_nan(x) || is_nan(y));
}""",
    # A whole number added to 1.5·2²³ stands in the low bits of the sum, and a NaN does no harm.
    "scale2": """\
fn scale2(x: f32, n: f32) -> f32 {
    return x * bitcast<f32>((bitcast<u32>(n + 12582912.0) << 23u) + 0x3f800000u);
}""",
    "exponent2": """\
fn exponent2(x: f32) -> f32 {
    return f32((bitcast<i32>(x) - 0x3f3504f3) >> 23u);
}""",
    "within_turn": f"""\
fn within_turn(x: f32) -> f32 {{
    let bits = bitcast<u32>(x) & 0x7fffffffu;
    if (bits <= 0x{np.float32(NEAR).view(np.uint32):08x}u || bits >= 0x7f800000u) {{
        return x;
    }}
    var words = array<u32, {len(WORDS)}>({", ".join(f"0x{word:08x}u" for word in WORDS)});
    let place = (bits >> 23u) - {BEFORE}u;
    let word = place >> 5u;
    let shift = place & 31u;
    let high = (words[word] << shift) | ((words[word + 1u] >> 1u) >> (31u - shift));
    let low = (words[word + 1u] << shift) | ((words[word + 2u] >> 1u) >> (31u - shift));
    let m = (bits & 0x7fffffu) | 0x800000u;
    let carried = (((m >> 8u) * (low >> 16u)) >> 8u) + (((m >> 8u) * (low & 0xffffu)) >> 24u);
    let units = m * high + carried + (((m & 0xffu) * (low >> 16u)) >> 16u);
    let angle = f32(bitcast<i32>(units)) * {np.float32(TURN)!s};
    return select(angle, -angle, x < 0.0);
}}""",
    "sign_of": """\
fn sign_of(x: f32) -> f32 {
    return select(select(-1.0, 1.0, x > 0.0), x, x == 0.0 || is_nan(x));
}""",
}
NEEDS = {
    "times_zero": ("from_bits",),
    "rounded": ("unknown_zeros",),
    "rounded_apart": ("unknown_zeros",),
    "larger": ("is_nan", "from_bits"),
    "smaller": ("is_nan", "from_bits"),
    "sign_of": ("is_nan",),
}
"""What functions call and read."""


def constant(value: float) -> str:
    """A float32, or a call that makes it where WGSL has no literal for it."""
    with np.errstate(over="ignore"):
        single = np.float32(value)
    if not math.isfinite(single):
        return f"from_bits(0x{single.view(np.uint32):08x}u)"
    text = repr(float(str(single)))
    return f"({text})" if text.startswith("-") else text
