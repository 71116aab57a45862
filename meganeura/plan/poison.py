"""Poison: what a dispatch may not count on is filled with NaN before it runs.

A kernel that reads what no kernel has written, or what nobody needs any more, then gives NaN
instead of a number that happens to be right. Under `MEGANEURA_POISON` every step runs so, one
dispatch after another; what a dispatch writes is filled, too, so that nothing is left unwritten.
"""

from __future__ import annotations

from .plan import Plan, Slot

WORD = 0x7FC0DEAD
"""A NaN; as an index beyond any table."""
WORD_BYTES = 4


def poisoned_parts(plan: Plan) -> list[list[Slot]]:
    """For each dispatch, the parts of the arena that hold nothing it or a later one may read."""
    needed = {*plan.leaves.values(), *plan.constants, *plan.results.values()}
    always = {*plan.leaves.values(), *plan.constants}
    parts: list[list[Slot]] = []
    for dispatch in reversed(plan.dispatches):
        needed = (needed - set(dispatch.writes)) | set(dispatch.reads) | always
        parts.append(_gaps(plan, needed))
    return parts[::-1]


def _gaps(plan: Plan, values: set[int]) -> list[Slot]:
    """What of the arena no value occupies."""
    gaps, end = [], 0
    for start, size in sorted(
        (plan.slots[v].offset_bytes, plan.types[v].size_bytes()) for v in values
    ):
        if start > end:
            gaps.append(Slot(end, start - end))
        end = max(end, start + size)
    rest = Slot(end, plan.arena_bytes - end)
    return [*gaps, rest] if rest.size_bytes else gaps
