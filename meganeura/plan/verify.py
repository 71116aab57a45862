"""The invariants of a plan, checked by running it on paper.

Every byte of the arena is followed: which value it holds, dispatch by dispatch. A read of a value
that is not there, whole, is a bug of the planner; so is a barrier that is missing. Nothing the
planner worked out about lifetimes is used.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from ..errors import InternalError
from .plan import Dispatch, Plan, Slot


def verify_plan(plan: Plan) -> Plan:
    """The plan itself, after checking it."""
    _check_complete(plan)
    _check_places(plan)
    present = _Present(plan)
    running: list[Dispatch] = []
    for number, (dispatch, barrier) in enumerate(zip(plan.dispatches, plan.barriers, strict=True)):
        running = [] if barrier else running
        for value in dispatch.reads:
            if not present.has(value):
                what = f"reads v{value}, which is not there"
                _fail(plan, f"dispatch {number} ({dispatch.label}) {what}")
        for other in running:
            _check_apart(plan, number, dispatch, other)
        _check_results(plan, number, dispatch)
        for value in dispatch.writes:
            present.write(value)
        running.append(dispatch)
    return plan


class _Present:
    """The values that are whole in the arena at a time: they lie apart, in order of place."""

    def __init__(self, plan: Plan) -> None:
        self.slots = plan.slots
        self.values: list[int] = []
        for value in (*plan.leaves.values(), *plan.constants):
            self.write(value)

    def has(self, value: int) -> bool:
        """Whether a value is there."""
        at = bisect_left(self.values, self._start(value), key=self._start)
        return at < len(self.values) and self.values[at] == value

    def write(self, value: int) -> None:
        """A value takes the place of all it touches."""
        slot = self.slots[value]
        first = bisect_left(self.values, slot.offset_bytes, key=self._start)
        if first > 0 and self.slots[self.values[first - 1]].overlaps(slot):
            first -= 1
        last = bisect_left(self.values, slot.offset_bytes + slot.size_bytes, key=self._start)
        self.values[first:last] = [value]

    def _start(self, value: int) -> int:
        return self.slots[value].offset_bytes


def _fail(plan: Plan, what: str) -> None:
    raise InternalError(f"the plan is wrong: {what}", text=str(plan))


def _check_complete(plan: Plan) -> None:
    """Everything that is named is there: a plan may come from a file."""
    if len(plan.barriers) != len(plan.dispatches):
        _fail(plan, f"{len(plan.dispatches)} dispatches have {len(plan.barriers)} barriers")
    used = {v for d in plan.dispatches for v in (*d.reads, *d.writes)}
    for value in used | {*plan.leaves.values(), *plan.constants, *plan.results.values()}:
        if value not in plan.slots or value not in plan.types:
            _fail(plan, f"v{value} has no place or no type")


def _check_places(plan: Plan) -> None:
    for value, slot in plan.slots.items():
        if slot.offset_bytes < 0 or slot.offset_bytes + slot.size_bytes > plan.arena_bytes:
            _fail(plan, f"v{value} lies outside the arena")
        if slot.size_bytes < plan.types[value].size_bytes():
            _fail(plan, f"v{value} has too little room")
    kept = sorted((plan.slots[v].offset_bytes, v) for v in (*plan.leaves.values(), *plan.constants))
    for (_, a), (_, b) in pairwise(kept):
        if plan.slots[a].overlaps(plan.slots[b]):
            _fail(plan, f"the leaves v{a} and v{b} overlap")


def _check_results(plan: Plan, number: int, dispatch: Dispatch) -> None:
    """What one dispatch writes lies apart."""
    for i, slot in enumerate(_slots(plan, dispatch.writes)):
        if _overlap([slot], _slots(plan, dispatch.writes[i + 1 :])):
            _fail(plan, f"results of dispatch {number} ({dispatch.label}) overlap")


def _slots(plan: Plan, values: Sequence[int]) -> list[Slot]:
    return [plan.slots[value] for value in values]


def _overlap(some: list[Slot], others: list[Slot]) -> bool:
    return any(a.overlaps(b) for a in some for b in others)


def _check_apart(plan: Plan, number: int, dispatch: Dispatch, other: Dispatch) -> None:
    """Two dispatches without a barrier between them touch nothing that either writes."""
    mine, theirs = _slots(plan, dispatch.writes), _slots(plan, other.writes)
    reads, others = _slots(plan, dispatch.reads), _slots(plan, other.reads)
    if _overlap(theirs, [*mine, *reads]) or _overlap(mine, others):
        _fail(plan, f"dispatch {number} ({dispatch.label}) does not wait for {other.label}")
