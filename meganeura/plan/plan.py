"""A plan: which kernels run, in which order, on which parts of one arena.

A plan is plain data. It knows values by number (a node of the graph it was made from), and where in
the arena each lies.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.types import TensorType
from ..kernel.archetype import Archetype


@dataclass(frozen=True)
class Dispatch:
    """One run of a kernel: from the values it reads to the value it writes."""

    label: str
    archetype: Archetype
    reads: tuple[int, ...]
    writes: int
    length: int = 0
    """How long the row of a `Stream` is."""


@dataclass(frozen=True)
class Slot:
    """A part of the arena."""

    offset_bytes: int
    size_bytes: int

    def overlaps(self, other: Slot) -> bool:
        """Whether two parts share a byte."""
        end, other_end = self.offset_bytes + self.size_bytes, other.offset_bytes + other.size_bytes
        return self.offset_bytes < other_end and other.offset_bytes < end


@dataclass(frozen=True)
class Plan:
    """Dispatches in order, and where every value lies."""

    dispatches: tuple[Dispatch, ...]
    barriers: tuple[bool, ...]
    """For each dispatch, whether all before it must have finished."""
    slots: dict[int, Slot]
    types: dict[int, TensorType]
    leaves: dict[str, int]
    """Named leaves by value."""
    constants: dict[int, bytes]
    arena_bytes: int
    peak_bytes: int
    """The most bytes alive at one time: no arena can be smaller."""

    def __str__(self) -> str:
        lines = [f"arena {self.arena_bytes:,} bytes, at least {self.peak_bytes:,} alive at once"]
        for name, value in self.leaves.items():
            lines.append(f"leaf {name} = v{value} {self.types[value]} {self._place(value)}")
        for dispatch, barrier in zip(self.dispatches, self.barriers, strict=True):
            if barrier:
                lines.append("barrier")
            reads = ", ".join(f"v{v}" for v in dispatch.reads)
            place = self._place(dispatch.writes)
            lines.append(f"v{dispatch.writes} {place} = {dispatch.label}({reads})")
        return "\n".join(lines) + "\n"

    def _place(self, value: int) -> str:
        slot = self.slots[value]
        return f"@{slot.offset_bytes}+{slot.size_bytes}"
