"""Poison covers all that a dispatch may not count on, nothing else; a stale read becomes NaN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from meganeura import Graph, SessionConfig, Value, build_inference_session, build_session
from meganeura.codegen.schedule.stage import StagedRows
from meganeura.compiler import compile_graph
from meganeura.kernel.target import Target
from meganeura.models.sd_unet import SDUNetConfig, build_training_graph
from meganeura.nn import AttentionConfig, TransformerBlock, TransformerBlockConfig
from meganeura.plan.poison import poisoned_parts
from tests.helpers.devices import on_all_devices
from tests.helpers.sessions import results_and_nothing_stale


def convolution() -> Graph:
    g = Graph()
    x, w = g.input("x", [1, 2, 5, 5]), g.parameter("w", [3, 2, 3, 3])
    g.set_outputs([g.sum_all(g.conv2d(x, w, stride=2, padding=1))])
    return g


def test_a_dispatch_finds_what_it_reads_and_nothing_of_what_it_writes():
    g = Graph()
    x, w = g.input("x", [4, 4]), g.parameter("w", [4, 4])
    g.set_outputs([g.sum_all(g.tanh(g.tanh(x @ w) @ w))])
    plan = compile_graph(g, Target("cpu", 8)).plan
    kept = [plan.slots[v] for v in (*plan.leaves.values(), *plan.constants)]
    for dispatch, parts in zip(plan.dispatches, poisoned_parts(plan), strict=True):
        needed = [*kept, *(plan.slots[v] for v in dispatch.reads)]
        assert not any(part.overlaps(slot) for part in parts for slot in needed)
        for written in dispatch.writes:
            assert any(part.overlaps(plan.slots[written]) for part in parts)


def a_transformer(g: Graph) -> Value:
    attention = AttentionConfig(24, num_heads=3, num_kv_heads=1, head_dim=8)
    block = TransformerBlock(g, "block", TransformerBlockConfig(attention, 40))
    return g.mean_all(block(g.input("x", [19, 24])) ** 2.0)


MODELS = {
    "unet": lambda g: build_training_graph(g, SDUNetConfig(1, 2, 8, 2, 8, 4, 1e-5)),
    "transformer": a_transformer,
}


@on_all_devices
@pytest.mark.parametrize("model", MODELS)
def test_models_read_nothing_stale(model: str, device: str, tmp_path: Path):
    """Training steps, updates included, give the same bits with NaN in all stale memory."""
    g = Graph()
    g.set_outputs([MODELS[model](g)])
    rng = np.random.default_rng(0)
    start = tmp_path / "start.safetensors"

    def trained() -> list[np.ndarray]:
        for _ in range(2):
            session.step()
        return [session.read_output(), *map(session.get_parameter, session.param_names())]

    with build_session(g, device) as session:
        session.set_adam(1e-2)
        for node in g.nodes():
            if node.op.name == "input":
                session.set_input(node.name, rng.normal(size=node.ty.shape))
        session.save_checkpoint(start)
        plain = trained()
        session.load_checkpoint(start)
        session._runner.refreshed().poison()
        for found, expected in zip(trained(), plain, strict=True):
            np.testing.assert_array_equal(found, expected)
            assert np.isfinite(found).all()


def test_the_environment_asks_for_it(monkeypatch):
    monkeypatch.setenv("MEGANEURA_POISON", "1")
    g = Graph()
    g.set_outputs([g.input("x", [3]) + 1.0])
    with build_inference_session(g, "cpu") as session:
        assert session._runner.refreshed()._poisoned is not None


def test_scratch_that_is_not_written_is_found(monkeypatch):
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    monkeypatch.setattr(StagedRows, "_zeros", lambda *_: [])
    rng = np.random.default_rng(0)
    shapes = {"x": (1, 2, 5, 5), "w": (3, 2, 3, 3)}
    feeds = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    config = SessionConfig("cpu")
    with pytest.raises(AssertionError, match="not equal"):
        results_and_nothing_stale(convolution(), config, feeds)
