"""Ctrl-C while a step runs: the step ends first, and is counted."""

from __future__ import annotations

import signal

import numpy as np
import pytest

from meganeura import Session, profiler, trace
from tests.session.test_verification import fed


def interrupted(session: Session, monkeypatch) -> None:
    """Let the next native call be interrupted."""
    team = session._runner.refreshed()._team
    step = team._step

    def cut(*arguments):
        monkeypatch.setattr(team, "_step", step)
        step(*arguments)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(team, "_step", cut)


def losses(session: Session, count: int) -> list[float]:
    found = []
    for _ in range(count):
        session.step()
        found.append(session.read_loss())
    return found


@pytest.mark.parametrize("is_traced", [False, True])
def test_a_step_is_whole(is_traced, monkeypatch):
    plain, cut = fed("cpu"), fed("cpu")
    for session in (plain, cut):
        session.set_adam(1e-2)
    expected = losses(plain, 6)
    losses(cut, 2)
    interrupted(cut, monkeypatch)
    if is_traced:
        profiler.init()
    with pytest.raises(KeyboardInterrupt):
        cut.step()
    trace.stop()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert losses(cut, 3) == expected[3:]


def test_a_step_counts_though_its_counting_is_interrupted(monkeypatch):
    plain, cut = fed("cpu"), fed("cpu")
    for session in (plain, cut):
        session.set_adam(1e-2)
    losses(cut, 2)
    program = cut._runner.refreshed()
    made, before = program.made, program.made()

    def interrupted() -> int:
        if made() > before:
            monkeypatch.undo()
            raise KeyboardInterrupt
        return made()

    monkeypatch.setattr(program, "made", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cut.step()
    assert losses(cut, 3) == losses(plain, 6)[3:]
    assert cut.snapshot().counts == plain.snapshot().counts


def test_timing_puts_everything_back(monkeypatch):
    plain, cut = fed("cpu"), fed("cpu")
    for session in (plain, cut):
        session.set_adam(1e-2)
    losses(cut, 2)
    interrupted(cut, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        cut.time_dispatches()
    assert losses(cut, 3) == losses(plain, 5)[2:]


def test_an_optimizer_that_comes_back_starts_anew():
    fresh, again = fed("cpu"), fed("cpu")
    for session in (fresh, again):
        session.set_adam(1e-2)
    losses(again, 4)
    for name in fresh.param_names():
        fresh.set_parameter(name, again.get_parameter(name))
    again.set_learning_rate(0.1)
    again.set_adam(1e-2)
    for session in (fresh, again):
        session.step()
    for name in fresh.param_names():
        np.testing.assert_array_equal(fresh.get_parameter(name), again.get_parameter(name))


def test_what_was_gathered_is_forgotten_with_the_accumulation():
    plain, toggled = fed("cpu"), fed("cpu")
    for session in (plain, toggled):
        session.set_gradient_accumulation(4)
        session.set_learning_rate(0.1)
    losses(toggled, 2)
    toggled.set_gradient_accumulation(1)
    toggled.set_gradient_accumulation(4)
    for session in (plain, toggled):
        losses(session, 4)
    for name in plain.param_names():
        np.testing.assert_array_equal(plain.get_parameter(name), toggled.get_parameter(name))


def test_a_restored_session_keeps_what_was_gathered():
    plain, restored = fed("cpu"), fed("cpu")
    for session in (plain, restored):
        session.set_gradient_accumulation(3)
        session.set_learning_rate(0.1)
        losses(session, 2)
    snapshot = restored.snapshot()
    restored.set_gradient_accumulation(1)
    restored.restore(snapshot)
    for session in (plain, restored):
        session.set_gradient_clipping(100.0)
        session.step()
    for name in plain.param_names():
        np.testing.assert_array_equal(plain.get_parameter(name), restored.get_parameter(name))
