"""The checker of plans finds what a wrong planner would do."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from meganeura import Graph, InternalError
from meganeura.compiler import compile_graph
from meganeura.kernel.target import Target
from meganeura.plan.plan import Plan, Slot
from meganeura.plan.verify import verify_plan


def plan() -> Plan:
    g = Graph()
    x, w = g.input("x", [4, 4]), g.parameter("w", [4, 4])
    y = g.tanh(x @ w)
    g.set_outputs([g.sum_all(y * y), y])
    return compile_graph(g, Target("cpu", 8)).plan


def test_a_right_plan_passes():
    assert verify_plan(plan()).dispatches


def test_a_missing_barrier_is_found():
    good = plan()
    wrong = replace(good, barriers=tuple(False for _ in good.barriers))
    with pytest.raises(InternalError, match="does not wait"):
        verify_plan(wrong)


def test_overlapping_values_are_found():
    good = plan()
    everywhere = {v: replace(slot, offset_bytes=0) for v, slot in good.slots.items()}
    with pytest.raises(InternalError, match=r"overlap|not there"):
        verify_plan(replace(good, slots=everywhere))


def test_a_read_before_its_write_is_found():
    good = plan()
    turned = replace(good, dispatches=tuple(reversed(good.dispatches)))
    with pytest.raises(InternalError, match="which is not there"):
        verify_plan(turned)


def test_a_value_outside_the_arena_is_found():
    good = plan()
    value = next(iter(good.slots))
    slots = {**good.slots, value: Slot(good.arena_bytes, 64)}
    with pytest.raises(InternalError, match="outside the arena"):
        verify_plan(replace(good, slots=slots))


def test_what_is_missing_is_found():
    good = plan()
    value = good.dispatches[0].writes[0]
    slots = {v: slot for v, slot in good.slots.items() if v != value}
    for wrong in (replace(good, slots=slots), replace(good, types={})):
        with pytest.raises(InternalError, match="has no place or no type"):
            verify_plan(wrong)
    with pytest.raises(InternalError, match="barriers"):
        verify_plan(replace(good, barriers=()))
