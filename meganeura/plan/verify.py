"""The invariants of a plan, checked by running it on paper.

Every byte of the arena is followed: which value it holds, dispatch by dispatch. A read of a value
that is not there, whole, is a bug of the planner; so is a barrier that is missing. Nothing the
planner worked out about lifetimes is used.
"""

from __future__ import annotations

from ..errors import InternalError
from .plan import Dispatch, Plan, Slot


def verify_plan(plan: Plan) -> Plan:
    """The plan itself, after checking it."""
    _check_places(plan)
    present = set(plan.leaves.values()) | set(plan.constants)
    running: list[Dispatch] = []
    for number, (dispatch, barrier) in enumerate(zip(plan.dispatches, plan.barriers, strict=True)):
        running = [] if barrier else running
        _check_reads(plan, number, dispatch, present)
        for other in running:
            _check_apart(plan, number, dispatch, other)
        written = plan.slots[dispatch.writes]
        present = {v for v in present if not plan.slots[v].overlaps(written)}
        present.add(dispatch.writes)
        running.append(dispatch)
    return plan


def _fail(plan: Plan, what: str) -> None:
    raise InternalError(f"the plan is wrong: {what}", text=str(plan))


def _check_places(plan: Plan) -> None:
    for value, slot in plan.slots.items():
        if slot.offset_bytes < 0 or slot.offset_bytes + slot.size_bytes > plan.arena_bytes:
            _fail(plan, f"v{value} lies outside the arena")
        if slot.size_bytes < plan.types[value].size_bytes():
            _fail(plan, f"v{value} has too little room")
    kept = [*plan.leaves.values(), *plan.constants]
    for i, a in enumerate(kept):
        for b in kept[i + 1 :]:
            if plan.slots[a].overlaps(plan.slots[b]):
                _fail(plan, f"the leaves v{a} and v{b} overlap")


def _check_reads(plan: Plan, number: int, dispatch: Dispatch, present: set[int]) -> None:
    for value in dispatch.reads:
        if value not in present:
            _fail(plan, f"dispatch {number} ({dispatch.label}) reads v{value}, which is not there")


def _check_apart(plan: Plan, number: int, dispatch: Dispatch, other: Dispatch) -> None:
    """Two dispatches without a barrier between them touch nothing that either writes."""
    mine, theirs = plan.slots[dispatch.writes], plan.slots[other.writes]
    reads: list[Slot] = [plan.slots[v] for v in dispatch.reads]
    others: list[Slot] = [plan.slots[v] for v in other.reads]
    if any(theirs.overlaps(s) for s in (mine, *reads)) or any(mine.overlaps(s) for s in others):
        _fail(plan, f"dispatch {number} ({dispatch.label}) does not wait for {other.label}")
