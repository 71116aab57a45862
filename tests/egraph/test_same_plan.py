"""The same graph gives the same plan: whatever hashes are, and on a machine that is busy."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from meganeura.compiler import compile_graph
from meganeura.egraph import program
from meganeura.kernel.target import Target
from tests.helpers.busy import busy
from tests.helpers.chains import chain

BUSY = 4


def compiled(seed: int) -> str:
    """What a new process with other hashes makes of all graphs."""
    command = [sys.executable, "-m", "tests.helpers.plans"]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_busy_machine_gives_the_same_plans():
    expected = compiled(0)
    assert "complete: False" in expected  # limits are met
    with busy(BUSY):
        assert compiled(1).splitlines() == expected.splitlines()


def test_a_search_that_is_cut_short_tells_how_far_it_came(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(program, "MOST_WORK", 0)
    monkeypatch.setattr(program, "FEWEST_CHECKS", 0)
    graph, target = chain("shifts", 60), Target("cpu", 8)
    cut = compile_graph(graph, target).optimized.facts
    monkeypatch.undo()
    whole = compile_graph(graph, target).optimized.facts
    assert 0.01 < cut.gap <= 1
    assert whole.gap < 0.01
    assert whole.cost_ns <= cut.cost_ns
