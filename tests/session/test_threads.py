"""A session used from several threads, in forked processes, and while the interpreter ends."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import meganeura as mg
from meganeura import Graph, Session, SessionError
from tests.helpers.devices import GPUS, needs_gpu

DEVICES = ["cpu", *GPUS[:1], "reference"]
SECONDS = 60
"""After which a process hangs."""

HEADER = """
import os, signal, sys, threading, time
import numpy as np
import meganeura as mg
from tests.session.test_threads import slow_session
"""


def long_step(size: int) -> Graph:
    """Steps of some milliseconds, whose updates can be counted."""
    g = Graph()
    a, w = g.parameter("a", [size, size]), g.parameter("w", [1])
    x = a
    for _ in range(6):
        x = x @ a
    g.set_outputs([g.sum_all(x) * 0.0 + g.sum_all(w)])
    return g


def slow_session(device: str) -> Session:
    """A session in which each step lowers ``w`` by one."""
    size = 256 if device == "cpu" else 16
    session = mg.build_session(long_step(size), device)
    session.set_parameter("a", np.full((size, size), 1e-3))
    session.set_parameter("w", [0.0])
    session.set_learning_rate(1.0)
    session.step()
    session.set_parameter("w", [0.0])
    return session


def run_apart(code: str, device: str) -> str:
    """What a process prints that must end by itself, without an error."""
    text = HEADER + textwrap.dedent(code)
    done = subprocess.run(
        [sys.executable, "-c", text, device], capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


on_devices = pytest.mark.parametrize("device", DEVICES)


@on_devices
def test_two_threads_lose_no_step(device):
    session, made, refused = slow_session(device), [0, 0], []

    def steps(number: int) -> None:
        for _ in range(30):
            try:
                session.step()
                made[number] += 1
            except SessionError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=steps, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert -session.get_parameter("w")[0] == sum(made) > 0
    assert len(refused) + sum(made) == 60
    assert all("in use" in text and "lock" in text for text in refused)


@pytest.fixture
def stepping():
    """A session that another thread steps without end."""
    session, go, made = slow_session("cpu"), threading.Event(), []

    def steps() -> None:
        while not go.is_set():
            try:
                session.step()
                made.append(1)
            except SessionError:  # whoever asks between two steps is served
                pass

    thread = threading.Thread(target=steps)
    thread.start()
    while not made:
        time.sleep(0.001)
    yield session, made
    go.set()
    thread.join()


CALLS = {
    "set_input": lambda s: s.set_input("x", 0),
    "set_parameter": lambda s: s.set_parameter("w", [0]),
    "get_parameter": lambda s: s.get_parameter("w"),
    "read_loss": lambda s: s.read_loss(),
    "read_all_param_norms": lambda s: s.read_all_param_norms(),
    "set_adam": lambda s: s.set_adam(0.1),
    "save_checkpoint": lambda s: s.save_checkpoint("never-written"),
    "load_checkpoint": lambda s: s.load_checkpoint("never-read"),
    "snapshot": lambda s: s.snapshot(),
    "time_dispatches": lambda s: s.time_dispatches(),
    "plan": lambda s: s.plan(),
    "wait": lambda s: s.wait(),
    "close": lambda s: s.close(),
    "leaving the block": lambda s: s.__exit__(None, None, None),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_whoever_interrupts_a_step_is_told(call, monkeypatch):
    """From within the native call, as a signal handler or another thread would."""
    session, told = slow_session("cpu"), []
    team = session._runner.refreshed()._team
    step = team._step

    def interrupted(*arguments):
        for caller in (threading.Thread(target=attempt), None):
            attempt() if caller is None else (caller.start(), caller.join())
        step(*arguments)

    def attempt() -> None:
        with pytest.raises(SessionError, match="in use") as caught:
            call(session)
        told.append(caught.value)

    monkeypatch.setattr(team, "_step", interrupted)
    session.step()
    monkeypatch.undo()
    assert len(told) == 2
    session.step()
    assert session.get_parameter("w")[0] == -2


def test_closing_while_another_thread_steps_does_not_hang(stepping):
    session, made = stepping
    refused = 0
    for _ in range(200):
        try:
            session.close()
            break
        except SessionError as error:
            assert "in use" in str(error)
            refused += 1
            time.sleep(0.0005)
    if refused == 200:
        count = len(made)
        while len(made) == count:  # it goes on as if nothing had been
            time.sleep(0.001)


def test_methods_that_use_others_are_one_use():
    session = slow_session("cpu")
    session.set_adam(0.1)
    session.set_gradient_clipping(1.0)
    session.step()
    assert set(session.read_all_param_grad_norms()) == {"a", "w"}
    with session as entered:
        assert len(entered.read_outputs()) == 1


@on_devices
def test_a_forked_process_is_told(device):
    found = run_apart(
        """
        session = slow_session(sys.argv[1])
        child = os.fork()
        if child == 0:
            for use in (session.step, session.read_loss, lambda: session.get_parameter("w")):
                try:
                    use()
                except mg.SessionError as error:
                    print("forked" in str(error) and "spawn" in str(error))
            session.close()
            del session, use
            sys.exit()
        print(os.waitpid(child, 0)[1])
        session.step()
        print(session.get_parameter("w")[0])
        """,
        device,
    )
    assert sorted(found.split()) == sorted(["True"] * 3 + ["0", "-1.0"])


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_a_process_forked_during_a_step_can_build_its_own(device):
    found = run_apart(
        """
        session = slow_session(sys.argv[1])
        stop = threading.Event()
        def steps():
            while not stop.is_set():
                session.step()
        thread = threading.Thread(target=steps)
        thread.start()
        for _ in range(5):
            child = os.fork()
            if child == 0:
                with slow_session(sys.argv[1]) as mine:
                    mine.step()
                    print(mine.get_parameter("w")[0], flush=True)
                os._exit(0)
            print(os.waitpid(child, 0)[1], flush=True)
        stop.set()
        thread.join()
        """,
        device,
    )
    assert sorted(found.split()) == ["-1.0"] * 5 + ["0"] * 5


def test_forked_processes_build_also_what_no_cache_has():
    """The optimizer's engine has threads that no forked process has: what it keeps of the parent's,
    and of threads that are building when the process is forked, must not be waited for."""
    found = run_apart(
        """
        os.environ["MEGANEURA_CACHE"] = "off"
        def built():
            session = slow_session("cpu")
            session.step()
            return session.get_parameter("w")[0]
        built()
        others = [threading.Thread(target=built) for _ in range(3)]
        for thread in others:
            thread.start()
        for turn in range(8):
            child = os.fork()
            if child == 0:
                for _ in range(turn % 3):
                    print(built(), flush=True)
                sys.exit()
            print(os.waitpid(child, 0)[1], flush=True)
        for thread in others:
            thread.join()
        print(built())
        """,
        "cpu",
    )
    assert sorted(found.split()) == ["-1.0"] * 8 + ["0"] * 8


@needs_gpu
def test_a_gpu_looked_for_before_a_fork_is_refused():
    found = run_apart(
        """
        session = slow_session("gpu")
        child = os.fork()
        if child == 0:
            try:
                slow_session("gpu")
            except mg.DeviceError as error:
                print(error.message, error.hint)
            sys.exit()
        print(os.waitpid(child, 0)[1])
        """,
        "gpu",
    )
    assert "before this process was forked" in found and "spawn" in found
    assert found.endswith("\n0\n")


@on_devices
def test_the_interpreter_ends_while_a_thread_steps(device):
    found = run_apart(
        """
        session = slow_session(sys.argv[1])
        def steps():
            while True:
                session.step()
        threading.Thread(target=steps, daemon=True).start()
        time.sleep(0.2)
        print("over")
        """,
        device,
    )
    assert found == "over\n"


@on_devices
def test_the_interpreter_waits_for_a_thread_that_is_no_daemon(device):
    found = run_apart(
        """
        session = slow_session(sys.argv[1])
        def steps():
            for _ in range(50):
                session.step()
            print(session.get_parameter("w")[0])
        threading.Thread(target=steps).start()
        """,
        device,
    )
    assert found == "-50.0\n"


def test_multiprocessing_by_fork():
    found = run_apart(
        """
        import multiprocessing
        session = slow_session("cpu")
        def work(queue):
            try:
                session.step()
            except mg.SessionError as error:
                queue.put(error.message)
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        process = context.Process(target=work, args=(queue,))
        process.start()
        print(queue.get())
        process.join()
        session.step()
        print(process.exitcode, session.get_parameter("w")[0])
        """,
        "cpu",
    )
    assert "belongs to the process that was forked" in found and found.endswith("0 -1.0\n")


def test_sessions_dropped_in_any_thread_end_their_threads():
    before = threading.active_count()
    sessions = [slow_session("cpu") for _ in range(8)]
    for session in sessions:
        session.circle = session  # only the garbage collector finds it
    del session
    threads = [threading.Thread(target=lambda: (sessions.pop(), gc.collect())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert threading.active_count() <= before


def test_an_interrupt_at_any_moment_leaves_a_session_that_works():
    """Ctrl-C may come anywhere in Python code; the use ends whatever happens."""
    session = slow_session("cpu")
    for delay in np.linspace(1e-4, 2e-2, 40):
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            while True:
                session.step()
        except KeyboardInterrupt:
            pass
        finally:
            signal.signal(signal.SIGALRM, before)
    counted = session._runner.counts.steps
    assert -session.get_parameter("w")[0] == counted - 1
