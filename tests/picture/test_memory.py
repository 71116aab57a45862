"""Memory over time as SVG."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest

from meganeura import DType, Graph, TensorType, build_inference_session, build_session
from meganeura.models import mnist, sd_unet
from meganeura.picture import draw_memory
from meganeura.picture.memory import KINDS, alive_bytes, memory_blocks
from meganeura.plan.plan import Dispatch, Plan, Slot

SVG = "{http://www.w3.org/2000/svg}"


@cache
def plan_of(model: str, training: bool = True) -> Plan:
    graph = Graph()
    if model == "mnist":
        graph.set_outputs([mnist.build_training_graph(graph, mnist.MnistConfig())])
    else:
        cfg = sd_unet.SDUNetConfig.tiny()
        graph.set_outputs([sd_unet.build_training_graph(graph, cfg)])
    if not training:
        return build_inference_session(graph, "cpu").plan()
    session = build_session(graph, "cpu")
    session.set_adam(1e-3)
    return session.plan()


def rectangles(drawn: str) -> list[ElementTree.Element]:
    return [
        rect
        for rect in ElementTree.fromstring(drawn).iter(f"{SVG}rect")
        if rect.get("class", "").startswith("block ")
    ]


def kind(rect: ElementTree.Element) -> str:
    return rect.get("class").split()[1]


@pytest.mark.parametrize("model", ["mnist", "sd-unet"])
def test_what_is_alive_at_once_does_not_overlap(model):
    plan = plan_of(model)
    sides = np.array(
        [
            [float(rect.get(name)) for name in ("x", "y", "width", "height")]
            for rect in rectangles(draw_memory(plan))
        ]
    )
    left, top = sides[:, 0], sides[:, 1]
    right, bottom = left + sides[:, 2], top + sides[:, 3]
    slack = 0.003  # coordinates are written to a thousandth
    across = np.minimum(right[:, None], right) - np.maximum(left[:, None], left) > slack
    down = np.minimum(bottom[:, None], bottom) - np.maximum(top[:, None], top) > slack
    together = across & down
    assert together.sum() == np.diagonal(together).sum()


@pytest.mark.parametrize("model", ["mnist", "sd-unet"])
def test_every_value_is_a_rectangle_once(model):
    plan = plan_of(model)
    blocks = memory_blocks(plan)
    places = {plan.slots[v] for v in plan.leaves.values()}
    written = {v for d in plan.dispatches for v in d.writes if plan.slots[v] not in places}
    expected = {*plan.leaves.values(), *plan.constants, *written}
    assert sorted(block.value for block in blocks) == sorted(expected)
    assert len(rectangles(draw_memory(plan))) == len(blocks)
    assert max(alive_bytes(blocks, len(plan.dispatches))) == plan.peak_bytes


def test_kinds_are_told_by_what_a_step_writes():
    plan = plan_of("mnist")
    kinds = {block.label: block.kind for block in memory_blocks(plan)}
    assert kinds["fc1.weight"] == "parameter" and kinds["@m/fc1.weight"] == "state"
    assert kinds["x"] == kinds["labels"] == "input"
    frozen = {b.label: b.kind for b in memory_blocks(plan, inputs=["x"])}
    assert frozen["labels"] == "parameter"
    still = plan_of("mnist", training=False)
    assert {b.kind for b in memory_blocks(still) if b.label in still.leaves} == {"leaf"}
    named = {b.label: b.kind for b in memory_blocks(still, ["x", "labels"])}
    assert named["x"] == "input" and named["fc1.weight"] == "parameter"


def test_lifetimes_are_those_of_the_dispatches():
    plan = plan_of("mnist")
    end = len(plan.dispatches) - 1
    for block in memory_blocks(plan):
        if block.kind == "intermediate":
            assert block.value in plan.dispatches[block.first].writes
            last = plan.dispatches[block.last]
            assert block.value in (*last.reads, *last.writes)
            later = plan.dispatches[block.last + 1 :]
            assert not any(block.value in (*d.reads, *d.writes) for d in later)
        else:
            assert block.last == end
        if block.kind == "parameter":
            assert plan.dispatches[block.written].label.startswith("adam_step")


def made_up(name: str, label: str, dispatches: int = 1) -> Plan:
    ty = TensorType((16,), DType.F32)
    return Plan(
        dispatches=tuple(Dispatch(label, "k", 1, (0,), (1,)) for _ in range(dispatches)),
        barriers=(False,) * dispatches,
        slots={0: Slot(0, 64), 1: Slot(64, 64)} if dispatches else {},
        types={0: ty, 1: ty} if dispatches else {},
        leaves={name: 0} if dispatches else {},
        constants={},
        results={},
        arena_bytes=128 if dispatches else 0,
        peak_bytes=128,
        scratch_bytes=0,
    )


def test_names_and_labels_are_escaped():
    drawn = draw_memory(made_up("<script>x</script>", 'relu"><script>'))
    assert "<script" not in drawn
    tips = [tip.text for rect in rectangles(drawn) for tip in rect.iter(f"{SVG}title")]
    assert tips[0].startswith("<script>x</script>\n") and 'relu"><script>\n' in tips[1]


def test_a_plan_without_dispatches_is_drawn():
    assert rectangles(draw_memory(made_up("x", "y", dispatches=0))) == []


def test_the_legend_names_the_kinds_there_are():
    words = [
        t.text for t in ElementTree.fromstring(draw_memory(plan_of("mnist"))).iter(f"{SVG}text")
    ]
    present = {kind(rect) for rect in rectangles(draw_memory(plan_of("mnist")))}
    assert present == {"parameter", "state", "input", "intermediate", "result"}
    for name, word in KINDS.items():
        assert (word in words) == (name in present)
