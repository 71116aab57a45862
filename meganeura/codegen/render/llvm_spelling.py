"""How LLVM spells the scalar operators and numbers."""

from __future__ import annotations

import struct

COMPARISONS = {"greater": "ogt", "greater_equal": "oge", "equal": "oeq"}
# Each operator as lines with the operands {0} {1} {2}, the type {t} and results of lines before;
# the last line gives the result. `contract` lets LLVM fuse a product and a sum into one rounding.
SPELLING: dict[str, list[str]] = {
    "add": ["fadd contract {t} {0}, {1}"],
    "sub": ["fsub contract {t} {0}, {1}"],
    "mul": ["fmul contract {t} {0}, {1}"],
    # Without the fence LLVM 22 takes 0 / 0 for 0 where a vector's lane is zero on both sides, and
    # so leaves out the choice of 0 for it (SimplifyDemandedVectorElts; seen in 2026).
    "div": ["a = fdiv {t} {0}, {1}", "call {t} @llvm.arithmetic.fence.{s}({t} {a})"],
    "neg": ["fneg {t} {0}"],
    "abs": ["call {t} @llvm.fabs.{s}({t} {0})"],
    "sqrt": ["call {t} @llvm.sqrt.{s}({t} {0})"],
    "maximum": ["call {t} @llvm.maximum.{s}({t} {0}, {t} {1})"],
    "minimum": ["call {t} @llvm.minimum.{s}({t} {0}, {t} {1})"],
    "greater": ["a = fcmp ogt {t} {0}, {1}", "select {m} {a}, {t} {one}, {t} {zero}"],
    "greater_equal": ["a = fcmp oge {t} {0}, {1}", "select {m} {a}, {t} {one}, {t} {zero}"],
    "equal": ["a = fcmp oeq {t} {0}, {1}", "select {m} {a}, {t} {one}, {t} {zero}"],
    "where": ["a = fcmp une {t} {0}, {zero}", "select {m} {a}, {t} {1}, {t} {2}"],
    "recip": ["fdiv {t} {one}, {0}"],
    "rsqrt": ["a = call {t} @llvm.sqrt.{s}({t} {0})", "fdiv {t} {one}, {a}"],
    "round": ["call {t} @llvm.roundeven.{s}({t} {0})"],
    # A whole number added to 1.5·2²³ stands in the low bits of the sum, and a NaN does no harm.
    "scale2": [
        "a = fadd {t} {1}, {magic}",
        "b = bitcast {t} {a} to {i}",
        "c = shl {i} {b}, {shift}",
        "d = add {i} {c}, {bias}",
        "e = bitcast {i} {d} to {t}",
        "fmul {t} {0}, {e}",
    ],
    "exponent2": [
        "a = bitcast {t} {0} to {i}",
        "b = sub {i} {a}, {half}",
        "c = ashr {i} {b}, {shift}",
        "sitofp {i} {c} to {t}",
    ],
    "within_turn": ["call {t} @within_turn.{s}({t} {0})"],
    "sign": [
        "a = fcmp ueq {t} {0}, {zero}",
        "b = call {t} @llvm.copysign.{s}({t} {one}, {t} {0})",
        "select {m} {a}, {t} {0}, {t} {b}",
    ],
}


def constant(value: float) -> str:
    """A float32 in LLVM's spelling: the bits of the double it equals."""
    single = struct.unpack("<f", struct.pack("<f", _rounded(value)))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', single))[0]:016X}"


def _rounded(value: float) -> float:
    try:
        struct.pack("<f", value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return value
