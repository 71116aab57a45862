"""The plan of a session, as its device runs it."""

from __future__ import annotations

import pytest

from meganeura import SessionError, build_session
from meganeura.plan.plan import Plan
from tests.session.builders import BIAS, WEIGHT, least_squares, make_session, train


def test_a_plan_is_there_before_the_first_step():
    with build_session(least_squares(), "cpu") as session:
        plan = session.plan()
        assert {"x", "y", WEIGHT, BIAS} == set(plan.leaves)
        train(session, [0])
        assert session.plan() is plan
        assert Plan.from_json(plan.to_json()) == plan


def test_the_plan_changes_with_the_optimizer_and_not_with_its_rate():
    with build_session(least_squares(), "cpu") as session:
        without = session.plan()
        session.set_adam(0.1)
        adam = session.plan()
        assert set(adam.leaves) > set(without.leaves)
        assert len(adam.dispatches) > len(without.dispatches)
        session.set_adam(0.2)
        assert session.plan() is adam


@pytest.mark.parametrize("device", ["reference", "reference:float64"])
def test_the_reference_device_has_no_plan_and_says_so(device):
    with (
        make_session(device) as session,
        pytest.raises(SessionError, match="the reference device has no plan") as caught,
    ):
        session.plan()
    assert caught.value.where.file == __file__
    assert 'device="cpu"' in caught.value.hint
