"""The routine behind `Contract` in LLVM IR: one for each form of block, shared by all kernels.

It keeps the block in registers. Each step loads a few vectors of ``b`` and multiplies them by
numbers of ``a``, broadcast one by one. Extents and steps are arguments, so that convolutions of
every size run the same code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..loops import MOST_WALKS, Contract

LEVELS = MOST_WALKS
"""Nested walks of a routine; a contraction with fewer has walks of one step."""
INNER = LEVELS - 1
_PARAMETERS = [
    "ptr %sums",
    "ptr %a",
    "ptr %b",
    *(f"i64 %{name}{level}" for name in ("extent", "a.step", "b.step") for level in range(LEVELS)),
    "i64 %number.step",
    "i64 %vector.step",
    "i1 %fresh",
]


@dataclass(frozen=True)
class Routine:
    """What contractions must share to run the same code."""

    numbers: int
    vectors: int
    lanes: int
    taps: tuple[tuple[int, int], ...]
    adjacent: bool
    """Whether the numbers of a step lie side by side: one pointer then does for all of them."""

    @classmethod
    def of(cls, contract: Contract, lanes: int) -> Routine:
        """The routine for a contraction."""
        adjacent = contract.number_step == 1
        return cls(contract.numbers, contract.vectors, lanes, contract.taps, adjacent)

    @property
    def name(self) -> str:
        """A name that says all of it."""
        taps = "_".join(f"{a}.{b}" for a, b in self.taps)
        numbers = f"{self.numbers}{'a' if self.adjacent else ''}"
        return f"contract.{numbers}x{self.vectors}x{self.lanes}.{taps}"


def call(contract: Contract, lanes: int, places: Sequence[str], extents: Sequence[str]) -> str:
    """The call of a contraction's routine, given its three places and the walks' extents."""
    walks = [
        (extent, walk.a_step, walk.b_step)
        for extent, walk in zip(extents, contract.walks, strict=True)
    ]
    walks = [("1", 0, 0)] * (LEVELS - len(walks)) + walks
    numbers: list[str | int] = [walk[part] for part in range(3) for walk in walks]
    numbers += [contract.number_step, contract.vector_step]
    arguments = [*(f"ptr {place}" for place in places), *(f"i64 {n}" for n in numbers)]
    arguments.append(f"i1 {'true' if contract.fresh else 'false'}")
    return f"  call void @{Routine.of(contract, lanes).name}({', '.join(arguments)})"


def declare(routine: Routine) -> str:
    """The declaration of a routine that another module defines."""
    types = ", ".join(parameter.partition(" ")[0] for parameter in _PARAMETERS)
    return f"declare void @{routine.name}({types})"


def render_routine(routine: Routine) -> str:
    """The text of a routine."""
    lanes, vector = routine.lanes, f"<{routine.lanes} x float>"
    block = [(f, v) for f in range(routine.numbers) for v in range(routine.vectors)]
    head = f"define void @{routine.name}({', '.join(_PARAMETERS)}) {{"
    lines = [head, "entry:", *_bases(routine)]
    for i, (f, v) in enumerate(block):
        lines.append(f"  %at.{f}.{v} = getelementptr float, ptr %sums, i64 {i * lanes}")
    lines += ["  br i1 %fresh, label %begin, label %goes.on", "goes.on:"]
    lines += [f"  %old.{f}.{v} = load {vector}, ptr %at.{f}.{v}, align 4" for f, v in block]
    lines += ["  br label %begin", "begin:"]
    for f, v in block:
        old = f"[ %old.{f}.{v}, %goes.on ]"
        lines.append(f"  %first.{f}.{v} = phi {vector} [ zeroinitializer, %entry ], {old}")
    lines.append("  br label %head0")
    for level in range(LEVELS):
        lines += _open(routine, level, vector)
    lines += _step(routine, vector)
    for level in reversed(range(LEVELS)):
        lines += _close(level)
    lines += [f"  store {vector} %next.{f}.{v}, ptr %at.{f}.{v}, align 4" for f, v in block]
    return "\n".join([*lines, "  ret void", "}"])


def _bases(routine: Routine) -> list[str]:
    """How far each number and each vector of a step lie from the first."""
    parts = [("a", "number", _pointers(routine)), ("b", "vector", routine.vectors)]
    return [
        f"  %far.{side}{n} = mul i64 %{what}.step, {n}"
        for side, what, count in parts
        for n in range(count)
    ]


def _open(routine: Routine, level: int, vector: str) -> list[str]:
    """The head of a loop: the operands' places and the sums so far."""
    before = "begin" if level == 0 else f"head{level - 1}"
    lines = [
        f"head{level}:",
        f"  %i{level} = phi i64 [ 0, %{before} ], [ %n{level}, %latch{level} ]",
    ]
    for side in "ab":
        kind, start = ("ptr", f"%{side}{level - 1}") if level else ("ptr", f"%{side}")
        if level == INNER:
            kind, start = "i64", "0"
        lines.append(
            f"  %{side}{level} = phi {kind} [ {start}, %{before} ], "
            f"[ %{side}.next{level}, %latch{level} ]"
        )
    for f in range(routine.numbers):
        for v in range(routine.vectors):
            first = f"%sum{level - 1}.{f}.{v}"
            if level == 0:
                first = f"%first.{f}.{v}"
            lines.append(
                f"  %sum{level}.{f}.{v} = phi {vector} [ {first}, %{before} ], "
                f"[ %next.{f}.{v}, %latch{level} ]"
            )
    if level + 1 == INNER:
        lines += _rows(routine, level)
    return [*lines, *([f"  br label %head{level + 1}"] if level < INNER else [])]


def _rows(routine: Routine, level: int) -> list[str]:
    """Where each number and each vector of the innermost loop begins: the loop then moves all of
    them by two counters."""
    lines = []
    for side, count in (("a", _pointers(routine)), ("b", routine.vectors)):
        lines += [
            f"  %row.{side}{n} = getelementptr float, ptr %{side}{level}, i64 %far.{side}{n}"
            for n in range(count)
        ]
    return lines


def _pointers(routine: Routine) -> int:
    """Pointers to the numbers of a step."""
    return 1 if routine.adjacent else routine.numbers


def _step(routine: Routine, vector: str) -> list[str]:
    """All products of one step, tap by tap."""
    lines: list[str] = []
    zeros = f"<{routine.lanes} x i32> zeroinitializer"
    last = len(routine.taps) - 1
    for t, (a, b) in enumerate(routine.taps):
        for v in range(routine.vectors):
            lines += [
                f"  %vp{t}.{v} = getelementptr float, ptr %row.b{v}, i64 %b{INNER}",
                f"  %vq{t}.{v} = getelementptr float, ptr %vp{t}.{v}, i64 {b}",
                f"  %vector{t}.{v} = load {vector}, ptr %vq{t}.{v}, align 4",
            ]
        for f in range(routine.numbers):
            row, place = (0, a + f) if routine.adjacent else (f, a)
            lines += [
                f"  %np{t}.{f} = getelementptr float, ptr %row.a{row}, i64 %a{INNER}",
                f"  %nq{t}.{f} = getelementptr float, ptr %np{t}.{f}, i64 {place}",
                f"  %number{t}.{f} = load float, ptr %nq{t}.{f}, align 4",
                f"  %one{t}.{f} = insertelement {vector} poison, float %number{t}.{f}, i64 0",
                f"  %all{t}.{f} = shufflevector {vector} %one{t}.{f}, {vector} poison, {zeros}",
            ]
            for v in range(routine.vectors):
                before = f"%sum{INNER}.{f}.{v}" if t == 0 else f"%part{t - 1}.{f}.{v}"
                result = f"%next.{f}.{v}" if t == last else f"%part{t}.{f}.{v}"
                lines += [
                    f"  %product{t}.{f}.{v} = fmul contract {vector} %all{t}.{f}, %vector{t}.{v}",
                    f"  {result} = fadd contract {vector} {before}, %product{t}.{f}.{v}",
                ]
    return [*lines, f"  br label %latch{INNER}"]


def _close(level: int) -> list[str]:
    """The end of a loop: move on, and once more while there are steps left."""
    after = f"latch{level - 1}" if level else "done"
    lines = [f"latch{level}:", f"  %n{level} = add nuw nsw i64 %i{level}, 1"]
    for side in "ab":
        move = f"getelementptr float, ptr %{side}{level}, i64 %{side}.step{level}"
        if level == INNER:
            move = f"add nsw i64 %{side}{level}, %{side}.step{level}"
        lines.append(f"  %{side}.next{level} = {move}")
    return [
        *lines,
        f"  %more{level} = icmp slt i64 %n{level}, %extent{level}",
        f"  br i1 %more{level}, label %head{level}, label %{after}",
        *(["done:"] if level == 0 else []),
    ]
