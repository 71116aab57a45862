"""Traces, decoded again with Perfetto's own protocol: names, nesting, balance, counts, coverage."""

from __future__ import annotations

import subprocess
import sys
from math import prod
from pathlib import Path

import numpy as np
import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace as Decoded
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TrackEvent

import meganeura as mg
from meganeura import profiler, trace
from meganeura.config import read_config
from meganeura.models.sd_unet import SDUNetConfig, build_training_graph
from tests.helpers.decoded import Slice, counters, read_slices
from tests.helpers.devices import needs_gpu

STEPS = 20
UNET = SDUNetConfig(2, 4, 16, 2, 16, 4, 1e-5)


@pytest.fixture(autouse=True)
def no_trace_is_left():
    yield
    trace.stop()


def fed_session(device: str, cfg: SDUNetConfig = UNET) -> mg.Session:
    graph = mg.Graph()
    graph.set_outputs([build_training_graph(graph, cfg)])
    session = mg.build_session(graph, device)
    session.set_adam(1e-3)
    rng = np.random.default_rng(0)
    for name in ("x", "target"):
        session.set_input(name, rng.normal(size=prod(cfg.input_shape())))
    return session


def traced(device: str, path: Path, steps: int = STEPS) -> tuple[Decoded, mg.ExecutionPlan]:
    profiler.init()
    with fed_session(device) as session:
        for _ in range(steps):
            session.step()
        session.wait()
        trace.count("loss", session.read_loss())
        plan = session.plan()
    profiler.save(path)
    decoded = Decoded()
    decoded.ParseFromString(path.read_bytes())
    return decoded, plan


def inside(inner: Slice, outer: Slice) -> bool:
    return outer.start_ns <= inner.start_ns and inner.end_ns <= outer.end_ns


@pytest.mark.parametrize("device", ["cpu", pytest.param("gpu", marks=needs_gpu)])
def test_a_trace_has_a_slice_for_each_dispatch(device, tmp_path):
    steps = STEPS if device == "cpu" else 4  # a GPU of software is slow
    decoded, plan = traced(device, tmp_path / "trace.pftrace", steps)
    slices = read_slices(decoded)  # raises if a track's slices cross or do not end
    labels = [d.label for d in plan.dispatches]
    assert [s.name for s in slices[device]] == labels * steps
    first = slices[device][: len(labels)]
    assert [s.arguments["flops"] for s in first] == [d.flops for d in plan.dispatches]
    assert [s.arguments["bytes"] for s in first] == [*map(plan.dispatch_bytes, plan.dispatches)]
    assert [s.arguments["tasks"] for s in first] == [d.tasks for d in plan.dispatches]
    assert counters(decoded)["loss"]
    assert set(counters(decoded)["memory"]) == {plan.arena_bytes}


def test_the_hosts_track_shows_every_phase(tmp_path, monkeypatch):
    monkeypatch.setenv("MEGANEURA_CACHE", "off")  # so that everything is built
    decoded, _ = traced("cpu", tmp_path / "trace.pftrace", steps=2)
    slices = read_slices(decoded)
    host = {s.name: s for s in slices["MainThread"]}
    names = "build_session autodiff compile optimize saturate extract lower schedule plan "
    assert set((names + "set_input step wait").split()) <= set(host)
    assert inside(host["autodiff"], host["build_session"])
    assert inside(host["optimize"], host["compile"])
    assert inside(host["saturate"], host["optimize"])
    assert any(s.name == "codegen" for mine in slices.values() for s in mine)


def test_dispatches_cover_a_step(tmp_path):
    """At least 95 % of the time of the step of the U-Net that other programs interrupted least."""
    profiler.init()
    with fed_session("cpu", SDUNetConfig.tiny()) as session:
        session.step()  # compiles
        profiler.init()
        for _ in range(STEPS):
            session.step()
    profiler.save(tmp_path / "trace.pftrace")
    decoded = Decoded()
    decoded.ParseFromString((tmp_path / "trace.pftrace").read_bytes())
    slices = read_slices(decoded)
    steps = [s for s in slices["MainThread"] if s.name == "step"]
    within = [s for s in slices["cpu"] if any(inside(s, step) for step in steps)]
    assert len(steps) == STEPS and len(within) == len(slices["cpu"])
    assert max(covered(step, within) for step in steps) >= 0.95


def covered(step: Slice, dispatches: list[Slice]) -> float:
    """The part of a step's time in which dispatches ran."""
    mine = sum(s.end_ns - s.start_ns for s in dispatches if inside(s, step))
    return mine / (step.end_ns - step.start_ns)


def test_threads_have_tracks_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("MEGANEURA_THREADS", "2")
    decoded, plan = traced("cpu", tmp_path / "trace.pftrace", steps=3)
    slices = read_slices(decoded)
    parts = [*slices["cpu thread 0"], *slices["cpu thread 1"]]
    tasks = sum(s.arguments["tasks"] for s in parts)
    assert tasks == 3 * sum(d.tasks for d in plan.dispatches)


def test_tracing_changes_no_bit(tmp_path):
    with fed_session("cpu") as plain, fed_session("cpu") as watched:
        for _ in range(3):
            plain.step()
        profiler.init()
        for _ in range(3):
            watched.step()
        profiler.save(tmp_path / "trace.pftrace")
        for name in plain.param_names():
            np.testing.assert_array_equal(plain.get_parameter(name), watched.get_parameter(name))


def test_a_long_trace_stops_where_there_is_no_room(tmp_path, monkeypatch):
    monkeypatch.setattr(trace, "MOST", 500)
    decoded, plan = traced("cpu", tmp_path / "trace.pftrace")
    slices = read_slices(decoded)
    threads = read_config().threads
    a_step = len(plan.dispatches)
    assert len(slices["cpu"]) == 500 // (threads * a_step) * a_step
    notes = [p.track_event.name for p in decoded.packet if p.track_event.type == _INSTANT]
    assert len(notes) == 1 and "no room" in notes[0]


_INSTANT = TrackEvent.TYPE_INSTANT


def test_the_environment_asks_for_a_trace(tmp_path):
    path = tmp_path / "trace.pftrace"
    code = (
        "import meganeura as mg\n"
        "g = mg.Graph(); g.set_outputs([g.mean_all(g.parameter('w', [8, 8]))])\n"
        "with mg.build_session(g, 'cpu') as s: s.step()\n"
    )
    env = {"MEGANEURA_TRACE": str(path), "PYTHONPATH": str(Path(mg.__file__).parents[1])}
    subprocess.run([sys.executable, "-c", code], check=True, env=env, timeout=120)
    decoded = Decoded()
    decoded.ParseFromString(path.read_bytes())
    assert "step" in [s.name for s in read_slices(decoded)["MainThread"]]


def test_nothing_recorded_is_an_error(tmp_path):
    with pytest.raises(mg.SessionError, match="nothing was recorded"):
        profiler.save(tmp_path / "trace.pftrace")
    profiler.init()
    with pytest.raises(mg.FormatError, match="cannot write"):
        profiler.save(tmp_path / "missing" / "trace.pftrace")
