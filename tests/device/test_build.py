"""Objects are the same whoever builds them, a helper that is lost costs only time, and LLVM is
never loaded into the process that trains."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import meganeura as mg
from meganeura.codegen.render import llvm
from meganeura.codegen.render.llvm import Module
from meganeura.device import cpu, cpu_build
from meganeura.device.cpu_helper import Helper, compiler_here
from meganeura.device.cpu_processor import find_processor

MODULE = "define float @half(float %x) {\n  %y = fmul float %x, 5.0e-1\n  ret float %y\n}\n"


def machine() -> tuple[str, str, str]:
    found = find_processor(None)
    return found.name, found.features, "small"


def small_graph() -> mg.Graph:
    graph = mg.Graph()
    x = graph.input("x", (5,))
    graph.set_outputs([graph.silu(x) + graph.tanh(x), graph.sum_all(x)])
    return graph


def outputs(graph: mg.Graph, device: str = "cpu") -> list[np.ndarray]:
    with mg.build_inference_session(graph, device) as session:
        session.set_input("x", np.arange(5, dtype=np.float32))
        session.step()
        return session.read_outputs()


def test_the_helper_builds_the_same_object():
    helper = Helper(machine())
    try:
        assert helper.build(Module(MODULE)) == compiler_here(machine()).build(MODULE)
    finally:
        helper.close()


def test_a_helper_that_cannot_build_is_lost():
    helper = Helper(machine())
    try:
        with pytest.raises(OSError):
            helper.build(Module("no module"))
    finally:
        helper.close()


@pytest.mark.parametrize("program", ["false", "no such program", "echo"])
def test_without_a_helper_all_is_built_here(program: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cpu_build, "HELPED_LETTERS", 1)
    monkeypatch.setattr(llvm, "BATCH_LETTERS", 1)
    monkeypatch.setattr(sys, "executable", program)
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    find_processor.cache_clear()
    try:
        assert outputs(small_graph())[1] == 10.0
    finally:
        find_processor.cache_clear()


def test_what_helpers_built_a_part_at_a_time_is_the_same(monkeypatch: pytest.MonkeyPatch):
    expected = outputs(small_graph())
    monkeypatch.setattr(cpu_build, "HELPED_LETTERS", 1)
    monkeypatch.setattr(llvm, "BATCH_LETTERS", 1)
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    for found, wanted in zip(outputs(small_graph()), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_routines_are_compiled_once_for_all_builds(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    modules: list[Module] = []
    build = cpu_build._Worker.build

    def watched(worker, module: Module) -> bytes:
        modules.append(module)
        return build(worker, module)

    monkeypatch.setattr(cpu_build._Worker, "build", watched)
    for size in (48, 96):
        modules.clear()
        graph = mg.Graph()
        graph.set_outputs([graph.input("x", (size, 64)) @ graph.input("y", (64, 2 * size))])
        with mg.build_inference_session(graph, "cpu") as session:
            feeds = {
                name: np.ones(shape) for name, shape in (("x", (size, 64)), ("y", (64, 2 * size)))
            }
            for name, array in feeds.items():
                session.set_input(name, array)
            session.step()
            assert (session.read_output() == 64).all()
    assert modules and not any(module.lasting for module in modules)


def test_llvms_own_linker_gives_the_same(monkeypatch: pytest.MonkeyPatch):
    """As on the systems whose objects ours does not know."""
    expected = outputs(small_graph())
    monkeypatch.setattr(cpu, "links_here", lambda: False)
    for found, wanted in zip(outputs(small_graph()), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("said", ["welcome", "welcomes", "", "{}", "7"])
def test_helpers_that_print_cost_only_time(said, tmp_path, monkeypatch: pytest.MonkeyPatch):
    """As where a user's own start-up code greets every Python. One of these would be Base64."""
    (tmp_path / "sitecustomize.py").write_text(f"print({said!r})\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    find_processor.cache_clear()
    assert outputs(small_graph())[1] == 10.0


WITHOUT_LLVM = """
import sys
import meganeura as mg
graph = mg.Graph()
graph.set_outputs([graph.sum_all(graph.input("x", (5,)))])
with mg.build_inference_session(graph, "cpu") as session:
    session.set_input("x", range(5))
    session.step()
    print(session.read_output(), sorted(name for name in sys.modules if "llvmlite.b" in name))
"""


@pytest.mark.skipif(not cpu.links_here(), reason="LLVM links here")
def test_llvm_is_not_loaded_to_compile_or_to_run(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MEGANEURA_CACHE", str(tmp_path))
    for _ in range(2):  # the second finds everything on disk
        command = [sys.executable, "-c", WITHOUT_LLVM]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        assert found.stdout == "[10.] []\n"


INTERRUPTED = """
import random, signal, sys
import meganeura as mg
from meganeura.device import cpu_build

def interrupt(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)  # as Ctrl-C does it, at a moment of ours
draw = random.Random(int(sys.argv[1]))
cpu_build.KEEP_SECONDS = 0.3
graph = mg.Graph()
x = graph.input("x", (8, 8))
graph.set_outputs([graph.softmax(graph.tanh(x) @ graph.silu(x)), graph.sum_all(x)])
for _ in range(25):
    try:
        signal.setitimer(signal.ITIMER_REAL, draw.uniform(0.001, 0.3))
        mg.build_inference_session(graph, "cpu").plan()
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        pass
print("built", flush=True)
sys.stdin.read()
"""

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are listed by Linux")


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    found = []
    for task in tasks:
        with suppress(OSError):  # a thread that ends while we look
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def comes_true(condition: Callable[[], bool]) -> bool:
    """Whether something is so before long."""
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


@linux
def test_a_build_that_is_interrupted_leaves_no_process(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", INTERRUPTED, os.environ["MEGANEURA_TEST_SEED"]]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout.readline() == "built\n"
        assert comes_true(lambda: not children(process.pid)), children(process.pid)
        process.communicate("")


@linux
def test_a_helper_waits_for_the_next_build_and_ends_if_none_comes(monkeypatch):
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    monkeypatch.setattr(cpu_build, "KEEP_SECONDS", 2.0)
    outputs(small_graph())
    first = set(children(os.getpid()))
    for _ in range(3):
        outputs(small_graph())
        assert comes_true(lambda: len(cpu_build._waiting) > 0)
        assert set(children(os.getpid())) <= first
    assert comes_true(lambda: not cpu_build._waiting and not children(os.getpid()))


@linux
def test_a_helper_that_was_killed_while_it_waited_costs_only_time(monkeypatch):
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    expected = outputs(small_graph())
    assert comes_true(lambda: len(cpu_build._waiting) > 0)
    for waiting in cpu_build._waiting:
        waiting.helper._process.kill()
    for found, wanted in zip(outputs(small_graph()), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


@linux
def test_a_forked_process_starts_helpers_of_its_own(monkeypatch):
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    outputs(small_graph())
    assert comes_true(lambda: len(cpu_build._waiting) > 0)
    found = [w.helper._process.pid for w in cpu_build._waiting]
    child = os.fork()
    if child == 0:
        taken = cpu_build._take(machine())
        os._exit(0 if taken is None else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert found == [w.helper._process.pid for w in cpu_build._waiting]


@linux
def test_a_builder_that_is_never_left_ends_its_helpers(monkeypatch: pytest.MonkeyPatch):
    """As if Ctrl-C came in the moment before."""
    monkeypatch.setattr(cpu_build, "KEEP_SECONDS", 0.1)
    for waiting in tuple(cpu_build._waiting):  # of other tests
        waiting.taken.set()
    assert comes_true(lambda: not cpu_build._waiting)
    before = set(children(os.getpid()))
    builder = cpu_build.Builder(machine(), much=True).__enter__()
    assert comes_true(lambda: len(set(children(os.getpid())) - before) == cpu_build.HELPERS)
    del builder
    assert comes_true(lambda: set(children(os.getpid())) <= before)


LEFT_ALONE = """
import os, signal, sys
from meganeura.codegen.render.llvm import Module
from meganeura.device.cpu_helper import Helper
helper = Helper(("", "", "small"))
helper.build(Module(""))  # it is there
if os.fork() == 0:  # a process that keeps the helper's pipes open
    signal.pause()
print(helper._process.pid, flush=True)
signal.pause()
"""


@linux
def test_helpers_die_with_a_process_that_is_killed():
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", LEFT_ALONE]
    with subprocess.Popen(command, stdout=pipe, start_new_session=True) as process:
        helper = Path(f"/proc/{process.stdout.readline().decode().strip()}/cmdline")
        try:
            assert b"cpu_llvm" in helper.read_bytes()
            process.kill()
            process.wait()
            assert comes_true(lambda: not helper.exists() or not helper.read_bytes())
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # the process that was forked


def test_helpers_leave_ctrl_c_to_their_parent():
    helper = Helper(machine())
    try:
        helper.build(Module(MODULE))
        helper._process.send_signal(signal.SIGINT)
        helper.build(Module(MODULE))
    finally:
        helper.close()


def test_threads_that_cannot_be_started_are_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MEGANEURA_THREADS", "9")
    outputs(small_graph())  # from now on it is on disk
    before, start = threading.active_count(), threading.Thread.start

    def limited(thread: threading.Thread) -> None:
        if threading.active_count() > before + 3:
            raise RuntimeError("can't start new thread")
        start(thread)

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", limited)
        with pytest.raises(mg.DeviceError, match="no more threads") as caught:
            outputs(small_graph())
    assert "MEGANEURA_THREADS" in str(caught.value)
    assert comes_true(lambda: threading.active_count() == before)


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "many", "1025", "100000", "9" * 5000, "²"])
def test_a_number_of_threads_that_makes_no_sense_is_refused(monkeypatch, value):
    monkeypatch.setenv("MEGANEURA_THREADS", value)
    with pytest.raises(mg.DeviceError, match=r"MEGANEURA_THREADS must be .* from 1 to 1024"):
        outputs(small_graph())
