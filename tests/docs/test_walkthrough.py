"""The walkthrough runs, and the site shows it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.docs.pages import ROOT
from tools.docs_hooks import walkthrough

STAGES = {
    "The graph": '%0 = input(label="x") : f32[32, 8]',
    "The gradient": "gradient %1 <- %32",
    "The update": "update %1 <- %35",
    "Expanded": "sum(",
    "The e-graph": "rules that fired: algebra/",
    "The report": "bytes moved",
    "Optimized": "stored  %",
    "Kernels": "convolution 1×8→32",
    "Loops": "grid task in 0..",
    "The plan": "leaf fc1.weight = v",
    "LLVM IR": "define void @k0_matmul(",
    "WGSL": "@compute @workgroup_size(",
    "Dispatch times": " µs  matmul[32, 16]+add+tanh",
    "Steps": "step 1000: loss ",
}
"""What each stage prints, among other things."""


@pytest.fixture(scope="module")
def printed() -> str:
    command = [sys.executable, "docs/walkthrough.py"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def parts(text: str) -> dict[str, str]:
    """What stands under each heading."""
    found = re.split(r"^## \d+\. (.+)$", text, flags=re.M)
    return dict(zip(found[1::2], found[2::2], strict=True))


def test_every_stage_is_printed(printed: str):
    found = parts(printed)
    assert list(found) == list(STAGES)
    for title, words in STAGES.items():
        assert words in found[title], title


def test_it_trains(printed: str):
    first, *_, last = map(float, re.findall(r"^step +\d+: loss (.+)$", printed, re.M))
    assert last < first / 10


def test_the_site_shows_code_and_what_it_prints():
    found = parts(walkthrough())
    assert list(found) == list(STAGES)
    for title, words in STAGES.items():
        shown = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", found[title], re.S)
        assert shown and "print(" in shown[1] and words in shown[2], title
