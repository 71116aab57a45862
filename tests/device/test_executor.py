"""The native executor: the same bits for any number of threads, however the system runs them."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest

import meganeura as mg
from meganeura import Graph, Session
from meganeura.device.team import Team
from tests.helpers.busy import busy

WIDTH, LAYERS = 24, 12


def many_barriers() -> Graph:
    """Short dispatches that all depend on the one before, and updates that keep any error."""
    g = Graph()
    x = g.parameter("x", [40, WIDTH])
    for i in range(LAYERS):
        x = g.softmax(x @ g.parameter(f"w{i}", [WIDTH, WIDTH])) + g.sum_all(x) * 1e-3
    g.set_outputs([g.sum_all(x * x)])
    return g


def session_with(threads: int, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("MEGANEURA_THREADS", str(threads))
    session = mg.build_session(many_barriers(), "cpu")
    session.set_adam(1e-3)
    return session


def bits(session: Session) -> list[bytes]:
    return [session.get_parameter(name).tobytes() for name in session.param_names()]


def stepped(session: Session, count: int) -> list[bytes]:
    for _ in range(count):
        session.step()
    return bits(session)


@pytest.mark.parametrize("system", ["Linux", "a system without futexes"])
def test_any_number_of_threads_gives_the_same_bits_on_a_busy_machine(system, monkeypatch):
    monkeypatch.setattr("platform.system", lambda: system)
    count = 700
    with session_with(1, monkeypatch) as alone:
        assert sum(alone.plan().barriers) >= 20
        expected = stepped(alone, count)
    with busy(2):
        for threads in (2, 3, 4, 8):
            with session_with(threads, monkeypatch) as session:
                assert stepped(session, count) == expected, f"{threads} threads"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="threads cannot be put on cores")
def test_threads_that_are_always_late_change_no_bit(monkeypatch):
    """They share one core with another program, and the caller has it too at times."""
    core = min(os.sched_getaffinity(0))
    expected = stepped(session_with(1, monkeypatch), 800)
    session = session_with(4, monkeypatch)
    session.step()
    for thread in session._runner.refreshed()._team._threads:
        os.sched_setaffinity(thread.native_id, {core})
    with busy(2):
        assert stepped(session, 799) == expected


def test_a_thread_that_does_not_come_is_not_waited_for(monkeypatch):
    come, work = threading.Event(), Team._work

    def late(team: Team, number: int) -> None:
        come.wait()
        work(team, number)

    expected = stepped(session_with(1, monkeypatch), 60)
    monkeypatch.setattr(Team, "_work", late)
    session = session_with(3, monkeypatch)
    stepped(session, 30)
    come.set()
    assert stepped(session, 30) == expected
    session.close()


@pytest.mark.parametrize("allowed", [0, 2])
@pytest.mark.parametrize("of", ["running", "compiling"])
def test_threads_that_cannot_be_started_are_told(allowed, of, monkeypatch):
    """Those of a session, or those that compile it."""
    start, left = threading.Thread.start, [allowed]
    if of == "compiling":
        monkeypatch.setenv("MEGANEURA_CACHE", "off")

    def limited(thread: threading.Thread) -> None:
        if of == "compiling" or thread._target.__name__ == "_work":
            left[0] -= 1
            if left[0] < 0:
                raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)
    before = threading.active_count()
    with pytest.raises(mg.DeviceError, match="starts no more threads") as caught:
        session_with(5, monkeypatch).step()
    assert "MEGANEURA_THREADS" in str(caught.value)
    caught = None  # its traceback holds the builder, whose threads end when nobody has it
    until = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.05)
    assert threading.active_count() <= before


def test_dispatches_timed_one_by_one_put_the_counters_back(monkeypatch):
    alone, timed = session_with(1, monkeypatch), session_with(3, monkeypatch)
    stepped(timed, 3)
    for _ in range(3):
        assert len(timed.time_dispatches()) == len(timed.plan().dispatches)
        stepped(timed, 2)
    assert bits(timed) == stepped(alone, 9)


def test_the_counters_of_every_step_are_those_of_one_more(monkeypatch):
    session = session_with(3, monkeypatch)
    stepped(session, 5)
    tasks = sum(dispatch.tasks for dispatch in session.plan().dispatches)
    team = session._runner.refreshed()._team
    assert int(team._field("completed")[0]) == 5 * tasks
    assert int(team._claims.view(np.uint64).sum()) == 5 * tasks
