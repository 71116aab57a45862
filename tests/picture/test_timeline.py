"""A step over time."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from meganeura.picture.timeline import KINDS, draw_timeline, kind_of
from meganeura.trace import DeviceStep, Work

SVG = "{http://www.w3.org/2000/svg}"


def step() -> DeviceStep:
    works = (Work("conv2d[2]", 8, 9), Work("adam_step[<b>]", 8, 9), Work("add", 1, 1))
    times = np.array(
        [
            [[100, 400, 2], [400, 700, 1], [700, 1100, 1]],
            [[110, 300, 1], [300, 310, 0], [710, 900, 1]],
        ]
    )
    return DeviceStep("cpu", works, times)


def test_a_bar_for_each_part_that_a_thread_had():
    root = ElementTree.fromstring(draw_timeline(step()))
    bars = [r for r in root.iter(f"{SVG}rect") if r.find(f"{SVG}title") is not None]
    assert [b.get("class") for b in bars] == ["forward", "update", "other", "forward", "other"]
    widths = [float(b.get("width")) for b in bars]
    assert widths[0] == pytest.approx(widths[1], abs=0.02)
    assert widths[2] == pytest.approx(widths[0] * 4 / 3, abs=0.02)
    words = "".join(t.text or "" for t in root.iter(f"{SVG}text"))
    # busy 300 + 300 + 400 and 190 + 10 + 190 of twice 1000
    assert "3 dispatches in 0.00 ms; threads wait for each other 30.5%" in words


def test_every_kind_has_a_word():
    labels = ["matmul[2]", "conv2d_grad_input[3]+mul", "pack", "sum[4]", "conv2d_grad_weight", "x"]
    assert {kind_of(label) for label in labels} <= set(KINDS)
