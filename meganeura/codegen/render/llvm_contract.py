"""The routine behind `Contract` in LLVM IR: one for each form of block, shared by all kernels.

It keeps the block in registers (stack slots that LLVM promotes). Each step loads a few vectors of
``b`` and multiplies them by numbers of ``a``, broadcast one by one. Extents and steps are
arguments, so that convolutions of every size run the same code.

After `TERMS` terms the block is added to the sums in memory and starts from zero: rounding errors
grow with the number of terms that are added one after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..loops import MOST_WALKS, Contract

LEVELS = MOST_WALKS
"""Nested walks of a routine; a contraction with fewer has walks of one step."""
INNER = LEVELS - 1
TERMS = 32
"""Terms that are added one after another (up to twice as many where walks are short). A block of 24
vectors is added to memory in some 30 cycles, and 32 terms of it take 385: a product of 512³ takes
1 % longer than with 64 terms, and errs half as much."""
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
    return "\n".join(_Text(routine).lines())


class _Text:
    """The routine for one form of block, part by part."""

    def __init__(self, routine: Routine) -> None:
        self.routine = routine
        self.vector = f"<{routine.lanes} x float>"
        self.block = [(f, v) for f in range(routine.numbers) for v in range(routine.vectors)]
        self.pointers = {"a": 1 if routine.adjacent else routine.numbers, "b": routine.vectors}
        """Of each operand, the pointers that the innermost loop moves."""
        self.turns = max(1, TERMS // len(routine.taps))

    def lines(self) -> list[str]:
        """All of it, line by line."""
        lines = [
            f"define void @{self.routine.name}({', '.join(_PARAMETERS)}) {{",
            "entry:",
            *self._slots(),
        ]
        for level in range(INNER):
            lines += self._open(level)
        lines += [*self._rows(), *self._parts()]
        for level in reversed(range(INNER)):
            lines += self._close(level)
        lines += ["done:", "  %left = load i64, ptr %turns", "  %none = icmp eq i64 %left, 0"]
        lines += ["  br i1 %none, label %return, label %last", *self._fold("last", "return")]
        return [*lines, "return:", "  ret void", "}"]

    def _slots(self) -> list[str]:
        """The sums, the turns of the innermost loop that are in them, and whether the sums in
        memory are there yet; and how far a step's numbers and vectors lie from the first."""
        lines = ["  %turns = alloca i64", "  store i64 0, ptr %turns", "  %is.new = alloca i1"]
        lines.append("  store i1 %fresh, ptr %is.new")
        for f, v in self.block:
            lines += [
                f"  %sum.{f}.{v} = alloca {self.vector}",
                f"  store {self.vector} zeroinitializer, ptr %sum.{f}.{v}",
            ]
        lines += [
            f"  %far.{side}{n} = mul i64 %{what}.step, {n}"
            for side, what in (("a", "number"), ("b", "vector"))
            for n in range(self.pointers[side])
        ]
        return [*lines, "  br label %head0"]

    def _open(self, level: int) -> list[str]:
        """The head of an outer loop: the operands' places."""
        before = f"head{level - 1}" if level else "entry"
        counter = f"[ 0, %{before} ], [ %n{level}, %latch{level} ]"
        lines = [f"head{level}:", f"  %i{level} = phi i64 {counter}"]
        for side in "ab":
            start, moved = f"%{side}{level - 1}" if level else f"%{side}", f"%{side}.next{level}"
            place = f"[ {start}, %{before} ], [ {moved}, %latch{level} ]"
            lines.append(f"  %{side}{level} = phi ptr {place}")
        return [*lines, *([f"  br label %head{level + 1}"] if level + 1 < INNER else [])]

    def _rows(self) -> list[str]:
        """Where each number and each vector of the innermost loop begins: the loop then moves all
        of them by two counters."""
        return [
            f"  %row.{side}{n} = getelementptr float, ptr %{side}{INNER - 1}, i64 %far.{side}{n}"
            for side in "ab"
            for n in range(self.pointers[side])
        ]

    def _parts(self) -> list[str]:
        """The innermost loop, in parts after which the sums go to memory if they have enough
        terms."""
        before = f"head{INNER - 1}"
        lines = ["  br label %part", "part:"]
        lines += [
            f"  %{name}.part = phi i64 [ 0, %{before} ], [ %{name}.next, %whole ]" for name in "iab"
        ]
        lines += [
            f"  %most = add nuw nsw i64 %i.part, {self.turns}",
            f"  %is.rest = icmp slt i64 %extent{INNER}, %most",
            f"  %stop = select i1 %is.rest, i64 %extent{INNER}, i64 %most",
            "  br label %step",
            "step:",
        ]
        lines += [
            f"  %{name}.at = phi i64 [ %{name}.part, %part ], [ %{name}.next, %step ]"
            for name in "iab"
        ]
        return [
            *lines,
            *self._products(),
            "  %i.next = add nuw nsw i64 %i.at, 1",
            *(f"  %{s}.next = add nsw i64 %{s}.at, %{s}.step{INNER}" for s in "ab"),
            "  %more = icmp slt i64 %i.next, %stop",
            "  br i1 %more, label %step, label %summed",
            "summed:",
            "  %turns.before = load i64, ptr %turns",
            "  %turned = sub nuw nsw i64 %i.next, %i.part",
            "  %turns.now = add nuw nsw i64 %turns.before, %turned",
            "  store i64 %turns.now, ptr %turns",
            f"  %enough = icmp uge i64 %turns.now, {self.turns}",
            "  br i1 %enough, label %full, label %whole",
            *self._fold("full", "whole"),
            "whole:",
            f"  %again = icmp slt i64 %i.next, %extent{INNER}",
            f"  br i1 %again, label %part, label %latch{INNER - 1}",
        ]

    def _products(self) -> list[str]:
        """All products of one step, tap by tap."""
        routine, vector = self.routine, self.vector
        zeros = f"<{routine.lanes} x i32> zeroinitializer"
        lines = [f"  %sum0.{f}.{v} = load {vector}, ptr %sum.{f}.{v}" for f, v in self.block]
        for t, (a, b) in enumerate(routine.taps):
            for v in range(routine.vectors):
                lines += [
                    f"  %vp{t}.{v} = getelementptr float, ptr %row.b{v}, i64 %b.at",
                    f"  %vq{t}.{v} = getelementptr float, ptr %vp{t}.{v}, i64 {b}",
                    f"  %vector{t}.{v} = load {vector}, ptr %vq{t}.{v}, align 4",
                ]
            for f in range(routine.numbers):
                row, place = (0, a + f) if routine.adjacent else (f, a)
                lines += [
                    f"  %np{t}.{f} = getelementptr float, ptr %row.a{row}, i64 %a.at",
                    f"  %nq{t}.{f} = getelementptr float, ptr %np{t}.{f}, i64 {place}",
                    f"  %number{t}.{f} = load float, ptr %nq{t}.{f}, align 4",
                    f"  %one{t}.{f} = insertelement {vector} poison, float %number{t}.{f}, i64 0",
                    f"  %all{t}.{f} = shufflevector {vector} %one{t}.{f}, {vector} poison, {zeros}",
                ]
                for v in range(routine.vectors):
                    product, place_ = f"%product{t}.{f}.{v}", f"{f}.{v}"
                    lines += [
                        f"  {product} = fmul contract {vector} %all{t}.{f}, %vector{t}.{v}",
                        f"  %sum{t + 1}.{place_} = "
                        f"fadd contract {vector} %sum{t}.{place_}, {product}",
                    ]
        count = len(routine.taps)
        return [
            *lines,
            *(f"  store {vector} %sum{count}.{f}.{v}, ptr %sum.{f}.{v}" for f, v in self.block),
        ]

    def _fold(self, label: str, after: str) -> list[str]:
        """The sums added to those in memory, or stored if there are none yet; then zero."""
        vector, far = self.vector, self.routine.lanes
        add, first = [f"{label}.add:"], [f"{label}.first:"]
        for i, (f, v) in enumerate(self.block):
            place = f"{label}.{f}.{v}"
            for lines in (add, first):
                kind = "add" if lines is add else "new"
                lines += [
                    f"  %{kind}.at.{place} = getelementptr float, ptr %sums, i64 {i * far}",
                    f"  %{kind}.sum.{place} = load {vector}, ptr %sum.{f}.{v}",
                ]
            first.append(f"  store {vector} %new.sum.{place}, ptr %new.at.{place}, align 4")
            add += [
                f"  %old.{place} = load {vector}, ptr %add.at.{place}, align 4",
                f"  %both.{place} = fadd {vector} %old.{place}, %add.sum.{place}",
                f"  store {vector} %both.{place}, ptr %add.at.{place}, align 4",
            ]
        return [
            f"{label}:",
            f"  %is.new.{label} = load i1, ptr %is.new",
            f"  br i1 %is.new.{label}, label %{label}.first, label %{label}.add",
            *first,
            f"  br label %{label}.zero",
            *add,
            f"  br label %{label}.zero",
            f"{label}.zero:",
            "  store i1 false, ptr %is.new",
            "  store i64 0, ptr %turns",
            *(f"  store {vector} zeroinitializer, ptr %sum.{f}.{v}" for f, v in self.block),
            f"  br label %{after}",
        ]

    def _close(self, level: int) -> list[str]:
        """The end of an outer loop: move on, and once more while there are steps left."""
        after = f"latch{level - 1}" if level else "done"
        lines = [f"latch{level}:", f"  %n{level} = add nuw nsw i64 %i{level}, 1"]
        for side in "ab":
            move = f"getelementptr float, ptr %{side}{level}, i64 %{side}.step{level}"
            lines.append(f"  %{side}.next{level} = {move}")
        return [
            *lines,
            f"  %more{level} = icmp slt i64 %n{level}, %extent{level}",
            f"  br i1 %more{level}, label %head{level}, label %{after}",
        ]
