"""The routine behind the operator `within_turn` in LLVM IR (scalar/turn.py): almost always no lane
has a large angle, and it returns at once."""

from __future__ import annotations

from ...scalar.turn import BEFORE, NEAR, PLACES, TURN, WORDS
from .llvm_spelling import constant


def render_within_turn(lanes: int) -> str:
    """The routine for a vector, or with 0 lanes for a number."""
    name = f"v{lanes}f32" if lanes else "f32"
    t, i, m = (f"<{lanes} x {kind}>" if lanes else kind for kind in ("float", "i32", "i1"))

    def whole(number: int) -> str:
        return f"splat (i32 {number})" if lanes else str(number)

    def real(number: float) -> str:
        return f"splat (float {constant(number)})" if lanes else constant(number)

    any_far = f"call i1 @llvm.vector.reduce.or.v{lanes}i1({m} %far)" if lanes else "or i1 %far, 0"
    lines = [
        f"define internal {t} @within_turn.{name}({t} %x) noinline {{",
        f"  %bits.x = bitcast {t} %x to {i}",
        f"  %bits = and {i} %bits.x, {whole(0x7FFFFFFF)}",
        f"  %size = bitcast {i} %bits to {t}",
        f"  %large = fcmp ogt {t} %size, {real(NEAR)}",
        f"  %finite = icmp ult {i} %bits, {whole(0x7F800000)}",
        f"  %far = and {m} %large, %finite",
        f"  %any = {any_far}",
        "  br i1 %any, label %turn, label %near",
        "near:",
        f"  ret {t} %x",
        "turn:",
        f"  %fraction = and {i} %bits, {whole(0x7FFFFF)}",
        f"  %m = or {i} %fraction, {whole(0x800000)}",
        f"  %exponent = lshr {i} %bits, {whole(23)}",
        f"  %place = sub {i} %exponent, {whole(BEFORE)}",
        f"  %word = lshr {i} %place, {whole(5)}",
        f"  %shift = and {i} %place, {whole(31)}",
        f"  %rest = sub {i} {whole(31)}, %shift",
        *(f"  %at{k} = icmp eq {i} %word, {whole(k)}" for k in range(1, PLACES)),
    ]
    for j in range(3):
        found = whole(WORDS[j])
        for k in range(1, PLACES):
            lines.append(f"  %w{j}.{k} = select {m} %at{k}, {i} {whole(WORDS[j + k])}, {i} {found}")
            found = f"%w{j}.{k}"
    last = PLACES - 1
    for part, j in (("high", 0), ("low", 1)):
        lines += [
            f"  %{part}.a = shl {i} %w{j}.{last}, %shift",
            f"  %{part}.b = lshr {i} %w{j + 1}.{last}, {whole(1)}",
            f"  %{part}.c = lshr {i} %{part}.b, %rest",
            f"  %{part} = or {i} %{part}.a, %{part}.c",
        ]
    lines += [
        f"  %m.high = lshr {i} %m, {whole(8)}",
        f"  %m.low = and {i} %m, {whole(255)}",
        f"  %low.high = lshr {i} %low, {whole(16)}",
        f"  %low.low = and {i} %low, {whole(65535)}",
    ]
    products = (("m.high", "low.high", 8), ("m.high", "low.low", 24), ("m.low", "low.high", 16))
    lines.append(f"  %units.0 = mul {i} %m, %high")
    for number, (a, b, shift) in enumerate(products):
        lines += [
            f"  %product.{number} = mul {i} %{a}, %{b}",
            f"  %carried.{number} = lshr {i} %product.{number}, {whole(shift)}",
            f"  %units.{number + 1} = add {i} %units.{number}, %carried.{number}",
        ]
    lines += [
        f"  %signed = sitofp {i} %units.{len(products)} to {t}",
        f"  %angle = fmul {t} %signed, {real(TURN)}",
        f"  %bits.angle = bitcast {t} %angle to {i}",
        f"  %sign = and {i} %bits.x, {whole(-(2**31))}",
        f"  %bits.turned = xor {i} %bits.angle, %sign",
        f"  %turned = bitcast {i} %bits.turned to {t}",
        f"  %result = select {m} %far, {t} %turned, {t} %x",
        f"  ret {t} %result",
        "}",
    ]
    if lanes:
        lines.insert(0, f"declare i1 @llvm.vector.reduce.or.v{lanes}i1({m})")
    return "\n".join(lines)
