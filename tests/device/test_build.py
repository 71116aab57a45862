"""Objects are the same whoever builds them, a helper that is lost costs only time, and LLVM is
never loaded into the process that trains."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import meganeura as mg
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
        assert helper.build(MODULE) == compiler_here(machine()).build(MODULE)
    finally:
        helper.close()


def test_a_helper_that_cannot_build_is_lost():
    helper = Helper(machine())
    try:
        with pytest.raises(OSError):
            helper.build("no module")
    finally:
        helper.close()


@pytest.mark.parametrize("program", ["false", "no such program", "echo"])
def test_without_a_helper_all_is_built_here(program: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cpu_build, "HELPED_BATCHES", 1)
    monkeypatch.setattr(cpu_build, "BATCH_LETTERS", 1)
    monkeypatch.setattr(sys, "executable", program)
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    find_processor.cache_clear()
    try:
        assert outputs(small_graph())[1] == 10.0
    finally:
        find_processor.cache_clear()


def test_what_helpers_built_a_part_at_a_time_is_the_same(monkeypatch: pytest.MonkeyPatch):
    expected = outputs(small_graph())
    monkeypatch.setattr(cpu_build, "HELPED_BATCHES", 1)
    monkeypatch.setattr(cpu_build, "BATCH_LETTERS", 1)
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    for found, wanted in zip(outputs(small_graph()), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


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
