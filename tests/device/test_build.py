"""Objects are the same whoever builds them, and a helper that is lost costs only time."""

from __future__ import annotations

import sys

import llvmlite.binding as llvm
import numpy as np
import pytest

import meganeura as mg
from meganeura.device import cpu_build
from meganeura.device.cpu_llvm import Helper, Here, create_machine

MODULE = "define float @half(float %x) {\n  %y = fmul float %x, 5.0e-1\n  ret float %y\n}\n"


def host() -> tuple[str, str]:
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def test_the_helper_builds_the_same_object():
    helper = Helper(*host())
    try:
        assert helper.build(MODULE) == Here(create_machine(*host())).build(MODULE)
    finally:
        helper.close()


def test_a_helper_that_cannot_build_is_lost():
    helper = Helper(*host())
    try:
        with pytest.raises(OSError):
            helper.build("no module")
    finally:
        helper.close()


@pytest.mark.parametrize("program", ["false", "no such program", ""])
def test_without_a_helper_all_is_built_here(program: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cpu_build, "HELPED_BATCHES", 1)
    monkeypatch.setattr(cpu_build, "BATCH_LETTERS", 1)
    if program:
        monkeypatch.setattr(sys, "executable", program)
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    graph = mg.Graph()
    x = graph.input("x", (5,))
    graph.set_outputs([graph.silu(x) + graph.tanh(x), graph.sum_all(x)])
    with mg.build_inference_session(graph, "cpu") as session:
        session.set_input("x", np.ones(5, np.float32))
        session.step()
        assert session.read_outputs()[1] == 5.0
