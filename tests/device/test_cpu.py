"""The CPU device as a whole: models, threads, memory."""

from __future__ import annotations

import gc
import threading
import tracemalloc

import numpy as np
import pytest

from meganeura import DeviceError, Graph, build_inference_session, build_session, differentiate
from meganeura.compiler import compile_graph
from meganeura.device import cpu_build
from meganeura.device.cpu import CpuDevice, CpuProgram
from meganeura.models.sd_unet import SDUNetConfig
from meganeura.plan import memory
from tests.helpers.sessions import feed
from tests.helpers.unet import draw, training_graph

CONFIG = SDUNetConfig(2, 4, 16, 2, 16, 4, 1e-5)
"""A U-Net small enough to compile in a moment, with every kind of layer."""


def trained(device: str, steps: int) -> list[float]:
    weights, data = draw(CONFIG)
    losses = []
    with build_session(training_graph(CONFIG), device) as session:
        session.set_adam(1e-3)
        feed(session, training_graph(CONFIG), weights | data)
        for _ in range(steps):
            session.step()
            losses.append(session.read_loss())
    return losses


def test_training_follows_the_reference():
    ours, reference = trained("cpu", 20), trained("reference:float64", 20)
    np.testing.assert_allclose(ours, reference, rtol=1e-4)
    assert ours[-1] < ours[0]


def test_any_number_of_threads_gives_the_same_bits(monkeypatch):
    found = []
    for threads in ("1", "2", "4"):
        monkeypatch.setenv("MEGANEURA_THREADS", threads)
        found.append(trained("cpu", 5))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("setting", ["0", "-1", "two", "1.5"])
def test_a_wrong_number_of_threads_is_refused(setting, monkeypatch):
    monkeypatch.setenv("MEGANEURA_THREADS", setting)
    with pytest.raises(DeviceError, match="MEGANEURA_THREADS must be a whole number from 1"):
        CpuDevice("")


def threads() -> set[threading.Thread]:
    """All threads but those with a helper that waits for the next build."""
    return {t for t in threading.enumerate() if t._target is not cpu_build._work}


def test_closed_sessions_leave_no_threads(monkeypatch):
    monkeypatch.setenv("MEGANEURA_THREADS", "3")
    g = Graph()
    g.set_outputs([g.relu(g.input("x", [5]))])
    before = threads()
    for _ in range(10):
        with build_inference_session(g, "cpu") as session:
            session.set_input("x", np.arange(5.0))
            session.step()
    # Those of other tests' sessions may end meanwhile.
    assert not threads() - before


def test_a_session_that_is_dropped_leaves_no_threads_and_harms_no_other(monkeypatch):
    """A thread that outlived its session once walked into the memory of the next one."""
    monkeypatch.setenv("MEGANEURA_THREADS", "3")
    before = threads()
    losses = []
    for _ in range(6):
        session = build_session(training_graph(CONFIG), "cpu")
        weights, data = draw(CONFIG)
        feed(session, training_graph(CONFIG), weights | data)
        session.set_learning_rate(0.1)
        session.step()
        session.step()
        losses.append(session.read_loss())
        del session
        gc.collect()
    assert len(set(losses)) == 1
    # Those of other tests' sessions may end meanwhile.
    assert not threads() - before


def test_the_arena_is_no_larger_than_it_must_be():
    plan = compile_graph(training_graph(SDUNetConfig.tiny()), CpuDevice("").target).plan
    assert plan.arena_bytes <= 1.1 * plan.peak_bytes


def test_attention_never_holds_all_scores():
    g = Graph()
    q, k, v = (g.parameter(name, [600, 8]) for name in "qkv")
    g.set_outputs([g.sum_all(g.causal_attention(q, k, v, 1, 1, 8))])
    plan = compile_graph(differentiate(g), CpuDevice("").target).plan
    assert max(slot.size_bytes for slot in plan.slots.values()) < 600 * 600 * 4 / 4
    assert plan.scratch_bytes < 600 * 600 * 4 / 4


@pytest.mark.parametrize("size", [CONFIG, SDUNetConfig(1, 3, 8, 2, 6, 2, 1e-5)])
def test_kernels_write_nothing_past_their_buffers(size, monkeypatch):
    """Every value is followed by a guard that no kernel may touch."""
    planned = memory.plan_memory
    monkeypatch.setattr(
        "meganeura.compiler.plan_memory", lambda *parts: planned(*parts, guard_bytes=64)
    )
    device = CpuDevice("")
    graph = training_graph(size)
    program = device.compile(graph)
    assert isinstance(program, CpuProgram)
    weights, data = draw(size)
    plan = program.plan
    values = [value for dispatch in plan.dispatches for value in dispatch.writes]
    for value in values:
        _guard(program, value)[:] = 0xA5
    for name, array in (weights | data).items():
        program.write(name, array.astype(np.float32))
    program.run()
    assert all(_guard(program, value).size >= 64 for value in values)
    touched = [
        d.label
        for d in plan.dispatches
        if any((_guard(program, v) != 0xA5).any() for v in d.writes)
    ]
    assert not touched
    program.close()


def _guard(program: CpuProgram, value: int) -> np.ndarray:
    slot, ty = program.plan.slots[value], program.plan.types[value]
    return program._arena[slot.offset_bytes + ty.size_bytes() : slot.offset_bytes + slot.size_bytes]


def test_a_step_allocates_nothing():
    with build_session(training_graph(CONFIG), "cpu") as session:
        weights, data = draw(CONFIG)
        feed(session, training_graph(CONFIG), weights | data)
        session.step()
        program = session._runner.refreshed()
        tracemalloc.start()
        try:
            program.run()
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            for _ in range(5):
                program.run()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    # The objects of a foreign call, and no array: the smallest value of this net is 1 KB.
    assert peak - before < 1024


def test_resuming_gives_the_same_bits_as_never_having_stopped(tmp_path):
    weights, data = draw(CONFIG)
    found = []
    for pause in (False, True):
        session = build_session(training_graph(CONFIG), "cpu")
        session.set_adam(1e-3)
        session.set_gradient_clipping(0.5)
        feed(session, training_graph(CONFIG), weights | data)
        for step in range(6):
            if pause and step == 3:
                session.save_checkpoint(tmp_path / "half")
                session.close()
                session = build_session(training_graph(CONFIG), "cpu", seed=9)
                session.load_checkpoint(tmp_path / "half")
                for name, array in data.items():
                    session.set_input(name, array)
            session.step()
        found.append({name: session.get_parameter(name) for name in session.param_names()})
        session.close()
    for name, array in found[0].items():
        np.testing.assert_array_equal(array, found[1][name])


def test_a_cache_is_written_in_place_and_kept():
    g = Graph()
    cache, position = g.state("cache", [4, 3]), g.input_u32("position", [1])
    g.cache_write(g.input("row", [1, 3]), cache, position)
    g.set_outputs([g.sum(cache, 1)])
    with build_inference_session(g, "cpu") as session:
        for i in (2, 0, 3):
            session.set_input_u32("position", [i])
            session.set_input("row", np.full((1, 3), i + 1.0))
            session.step()
        np.testing.assert_array_equal(session.read_output(), [3, 0, 9, 12])
        np.testing.assert_array_equal(session.get_state("cache")[:, 0], [1, 0, 3, 4])
