"""What a schedule must know of the machine it writes for."""

from __future__ import annotations

from dataclasses import dataclass

LINE_ELEMENTS = 16
"""Elements of a cache line."""


def filled_up(size: int, width: int) -> int:
    """The next multiple."""
    return -(-size // width) * width


def apart(elements: int) -> int:
    """A distance between rows of so many elements: an odd number of cache lines, so that
    neighbours do not fall into one place of the cache."""
    return (-(-elements // LINE_ELEMENTS) | 1) * LINE_ELEMENTS


@dataclass(frozen=True)
class Rates:
    """How fast a target is, all its parts together."""

    launch_ns: float
    """What a kernel costs that does nothing."""
    bytes_per_ns: float
    """What is read or written, of values that stay in a cache."""
    far_bytes_per_ns: float
    """The same of larger values."""
    operations_per_ns: float
    """Scalar operations of elementwise kernels."""
    products_per_ns: float
    """Multiplications and additions of convolutions and matrix products, as pairs."""

    def move_ns(self, size_bytes: int) -> float:
        """What it takes to read or write a value."""
        is_near = size_bytes <= NEAR_BYTES
        return size_bytes / (self.bytes_per_ns if is_near else self.far_bytes_per_ns)


NEAR_BYTES = 8 << 20
"""The size of a value that may still be in a cache when it is read."""

CPU_RATES = Rates(800.0, 120.0, 22.0, 90.0, 77.0)
"""Two cores with AVX2 and a large cache: what was measured for the kernels of a U-Net's training
(`meganeura calibrate` measures a machine's own)."""
GPU_RATES = Rates(5000.0, 200.0, 200.0, 2000.0, 2000.0)
"""A small GPU, as it is taken to be: none was measured."""


NARROW = 8
"""Lanes of vectors that suit short rows."""


@dataclass(frozen=True)
class Target:
    """Facts about a target."""

    kind: str
    lanes: int
    """How many floats one vector holds, or how many invocations work together."""
    task_elements: int = 8192
    """Elements of a task: enough that handing it out costs nothing, few enough to stay in L1."""
    idle_lanes: bool = False
    """Whether lanes can be idle: a row then needs no loop of its own for what its last vector
    lacks."""
    alignment_bytes: int = 64
    """What the place of a value must be a multiple of."""
    most_operands: int | None = None
    """Operands a kernel can have, if there is a limit."""
    binding_bytes: int | None = None
    """What a kernel can see of a value at once, if there is a limit; a larger one is bound in
    parts."""
    rates: Rates = CPU_RATES
    threads: int = 2
    """Threads that share the tasks of a kernel. They never have a say in the order of a sum."""

    def widths(self) -> tuple[int, ...]:
        """Lanes that a kernel can have: where vectors are wide, also half as many."""
        is_wide = self.lanes >= 2 * NARROW and not self.idle_lanes
        return (self.lanes, self.lanes // 2) if is_wide else (self.lanes,)

    def lanes_along(self, length: int) -> int:
        """Lanes for rows of some length: such that vectors, and elements left over that do not fill
        one, are few."""
        return min(self.widths(), key=lambda lanes: length // lanes + length % lanes)

    def parts(self, size_bytes: int) -> list[tuple[int, int]]:
        """The parts of a value as they are bound: where each begins, and its size."""
        at_once = self.binding_bytes or size_bytes
        starts = range(0, size_bytes, at_once)
        return [(start, min(at_once, size_bytes - start)) for start in starts]


GPU = Target(
    "gpu",
    lanes=64,
    task_elements=1024,
    idle_lanes=True,
    alignment_bytes=256,
    most_operands=7,
    binding_bytes=128 << 20,
    rates=GPU_RATES,
)
"""Any GPU: the limits that every implementation of WebGPU keeps. A task is a workgroup."""
