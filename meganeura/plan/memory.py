"""Memory planning: give every value of a plan a place in one arena, and say where to wait.

In:  computations in order (plan/lower.py), and how each is launched.   Out: a `Plan`.

Invariant: values alive at the same time never overlap. plan/verify.py checks it without trusting
the lifetimes computed here.

Method: greedy by size, each value at the lowest free place (Pisarchyk & Lee 2020,
arXiv:2001.03288).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ir.types import TensorType
from ..kernel.target import filled_up
from ..ops.leaf import Constant
from .lower import Lowered
from .plan import Dispatch, Plan, Slot

SLACK_BYTES = 256
"""Behind the last value of the arena, and of scratch: a vector load may look past the end of a
buffer."""


@dataclass(frozen=True)
class Lifetime:
    """A value's size, and the first and the last dispatch at which it must be there."""

    value: int
    size_bytes: int
    first: int
    last: int


@dataclass(frozen=True)
class Launch:
    """How a computation is run: by which kernel, in how many tasks."""

    kernel: str
    tasks: int
    scratch_bytes: int
    flops: int = 0


def plan_memory(
    lowered: Lowered, launches: Sequence[Launch], alignment_bytes: int, guard_bytes: int = 0
) -> Plan:
    """A plan with offsets that are multiples of ``alignment_bytes``, barriers, the arena's size.

    With ``guard_bytes``, every value has a place of its own with so much room behind it, for tests
    that look for writes past its end."""
    graph, computations, types = lowered.graph, lowered.computations, lowered.types()
    dispatches = tuple(
        Dispatch(c.label, run.kernel, run.tasks, c.reads, c.writes, c.length, c.cost_ns, run.flops)
        for c, run in zip(computations, launches, strict=True)
    )
    lifetimes = _lifetimes(lowered, types, alignment_bytes)
    peak_bytes = _peak(lifetimes, len(computations))
    lifetimes = _to_ends(lifetimes, _groups(dispatches, lowered.placed))
    if guard_bytes:
        guard = filled_up(guard_bytes, alignment_bytes)
        lifetimes = [
            Lifetime(life.value, life.size_bytes + guard, -1, len(computations))
            for life in lifetimes
        ]
    offsets = _place(lifetimes)
    sizes = {life.value: life.size_bytes for life in lifetimes}
    slots = {v: Slot(offset, sizes[v]) for v, offset in offsets.items()}
    for value, leaf in lowered.placed.items():
        slots[value] = slots[leaf]
    return Plan(
        dispatches,
        tuple(_barriers(dispatches, slots)),
        slots,
        types={value: types[value] for value in slots},
        leaves={n.name: n.id for n in graph.nodes() if n.name is not None and n.id in slots},
        constants={
            node.id: node.op.data
            for node in graph.nodes()
            if isinstance(node.op, Constant) and node.id in slots
        },
        results=lowered.results,
        arena_bytes=max((s.offset_bytes + s.size_bytes for s in slots.values()), default=0)
        + SLACK_BYTES,
        peak_bytes=peak_bytes,
        scratch_bytes=max((launch.scratch_bytes for launch in launches), default=0) + SLACK_BYTES,
    )


def _groups(dispatches: Sequence[Dispatch], placed: dict[int, int]) -> list[int]:
    """For each dispatch, the last of those that need not wait for each other, were every value in a
    place of its own."""
    values = dict.fromkeys(v for d in dispatches for v in (*d.reads, *d.writes))
    numbers = {value: number for number, value in enumerate(values)}
    apart = {v: Slot(numbers.get(placed.get(v, v), numbers[v]), 1) for v in values}
    last, ends = len(dispatches) - 1, []
    for number, wait in reversed(list(enumerate(_barriers(dispatches, apart)))):
        ends.append(last)
        last = number - 1 if wait else last
    return ends[::-1]


def _to_ends(lifetimes: Sequence[Lifetime], groups: Sequence[int]) -> list[Lifetime]:
    """Each value to the end of the group of its last use: were its place taken within it, another
    kernel would have to wait."""
    return [
        replace(life, last=groups[life.last]) if 0 <= life.last < len(groups) else life
        for life in lifetimes
    ]


def _lifetimes(
    lowered: Lowered, types: dict[int, TensorType], alignment_bytes: int
) -> list[Lifetime]:
    """Leaves and constants are always there; other values from their kernel to their last use."""
    end = len(lowered.computations)
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for node in lowered.graph.nodes():
        if node.name is not None:
            first[node.id], last[node.id] = -1, end
    for i, computation in enumerate(lowered.computations):
        for value in set(computation.writes).difference(lowered.placed):
            first.setdefault(value, i)
            last.setdefault(value, i)
        for value in computation.reads:
            if value not in first:  # a constant
                first[value], last[value] = -1, end
            elif value not in lowered.placed:
                last[value] = max(last[value], i)
    for value in lowered.roots:
        if value not in lowered.placed:
            last[value] = end
    return [
        Lifetime(
            value,
            filled_up(types[value].size_bytes(), alignment_bytes),
            first[value],
            last[value],
        )
        for value in first
        if value not in lowered.placed
    ]


def _place(lifetimes: list[Lifetime]) -> dict[int, int]:
    """The lowest offset for each value, the largest first."""
    offsets: dict[int, int] = {}
    placed = np.zeros((4, 0), np.int64)  # start, end, first, last: in rising order of starts
    order = sorted(lifetimes, key=lambda life: (-life.size_bytes, life.first, life.value))
    for life in order:
        starts, ends, first, last = placed
        alive = (last >= life.first) & (first <= life.last)
        free_from = np.maximum.accumulate(np.concatenate([[0], ends[alive]]))
        room = np.append(starts[alive], np.iinfo(np.int64).max) - free_from
        offset = int(free_from[np.argmax(room >= life.size_bytes)])
        offsets[life.value] = offset
        mine = [offset, offset + life.size_bytes, life.first, life.last]
        at = np.searchsorted(starts, offset, side="right")
        placed = np.insert(placed, at, mine, axis=1)
    return offsets


def _peak(lifetimes: list[Lifetime], count: int) -> int:
    change = [0] * (count + 3)
    for life in lifetimes:
        change[life.first + 1] += life.size_bytes
        change[life.last + 2] -= life.size_bytes
    alive = most = 0
    for step in change:
        alive += step
        most = max(most, alive)
    return most


def _barriers(dispatches: Sequence[Dispatch], slots: dict[int, Slot]) -> list[bool]:
    """A barrier before each dispatch that touches memory another since the last one wrote, or
    writes what another touched."""
    barriers: list[bool] = []
    read: list[Slot] = []
    written: list[Slot] = []
    for dispatch in dispatches:
        mine = [slots[v] for v in dispatch.reads]
        results = [slots[v] for v in dispatch.writes]
        wait = any(w.overlaps(s) for w in written for s in (*mine, *results)) or any(
            r.overlaps(result) for r in read for result in results
        )
        if wait:
            read, written = [], []
        barriers.append(wait)
        read += mine
        written += results
    return barriers
