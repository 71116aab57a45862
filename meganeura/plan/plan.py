"""A plan: which kernels run, in which order, on which parts of one arena.

A plan is plain data, and can be written to disk. It knows values by number (a node of the graph it
was made from), and where in the arena each lies; kernels by name.
"""

from __future__ import annotations

import msgspec

from ..errors import FormatError, GraphError
from ..ir.types import TensorType


class Dispatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One run of a kernel: from the values it reads to those it writes."""

    label: str
    kernel: str
    tasks: int
    """How many independent parts the run has."""
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    length: int = 0
    """How long the row of a `Stream` is."""
    cost_ns: float = 0.0
    """What it was taken to cost, with the copies it needs; 0 if nobody has asked."""
    flops: int = 0
    """Operations of the plain algorithm."""


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the arena."""

    offset_bytes: int
    size_bytes: int

    def overlaps(self, other: Slot) -> bool:
        """Whether two parts share a byte."""
        end, other_end = self.offset_bytes + self.size_bytes, other.offset_bytes + other.size_bytes
        return self.offset_bytes < other_end and other.offset_bytes < end


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dispatches in order, and where every value lies."""

    dispatches: tuple[Dispatch, ...]
    barriers: tuple[bool, ...]
    """For each dispatch, whether all before it must have finished."""
    slots: dict[int, Slot]
    types: dict[int, TensorType]
    leaves: dict[str, int]
    """Named leaves by value."""
    constants: dict[int, bytes]
    results: dict[int, int]
    """For each node that is read after a step, the value that holds it."""
    arena_bytes: int
    peak_bytes: int
    """The most bytes alive at one time: no arena can be smaller."""
    scratch_bytes: int
    """What each thread needs for itself."""

    def moved_bytes(self) -> int:
        """What all dispatches together read and write."""
        return sum(map(self.dispatch_bytes, self.dispatches))

    def dispatch_bytes(self, dispatch: Dispatch) -> int:
        """What a dispatch reads and writes."""
        return sum(self.types[v].size_bytes() for v in (*dispatch.reads, *dispatch.writes))

    def to_json(self) -> bytes:
        """The plan as JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, text: bytes) -> Plan:
        """A plan that was written as JSON."""
        try:
            return msgspec.json.decode(text, type=cls)
        except GraphError as error:  # a shape that no tensor has
            raise FormatError(f"this is no plan: {error.message}") from error
        except (msgspec.DecodeError, RecursionError, TypeError, ValueError) as error:
            raise FormatError(f"this is no plan: {error}") from error

    def __str__(self) -> str:
        lines = [f"arena {self.arena_bytes:,} bytes, at least {self.peak_bytes:,} alive at once"]
        for name, value in self.leaves.items():
            lines.append(f"leaf {name} = v{value} {self.types.get(value)} {self._place(value)}")
        for dispatch, barrier in zip(self.dispatches, self.barriers, strict=False):
            if barrier:
                lines.append("barrier")
            reads = ", ".join(f"v{v}" for v in dispatch.reads)
            writes = ", ".join(f"v{v} {self._place(v)}" for v in dispatch.writes)
            lines.append(f"{writes} = {dispatch.label}({reads})")
        return "\n".join(lines) + "\n"

    def _place(self, value: int) -> str:
        slot = self.slots.get(value)
        return "@?" if slot is None else f"@{slot.offset_bytes}+{slot.size_bytes}"
