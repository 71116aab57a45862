"""The GPU device: what it holds and lets go of, its limits, and how it fails."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from math import prod

import numpy as np
import pytest
import wgpu

import meganeura as mg
from meganeura import DeviceError, Graph, InternalError, SessionConfig, Value, build, interpret
from meganeura.device import gpu, gpu_adapter, open_device
from meganeura.ops.attention import Attention
from meganeura.plan import memory
from meganeura.scalar import approximate
from meganeura.scalar.expr import Var
from tests.device.test_sizes import CASES as SIZES
from tests.helpers.devices import needs_gpu, on_gpus
from tests.helpers.sessions import feed, results
from tests.helpers.tolerance import allowed, largest_met

pytestmark = needs_gpu


def small_graph() -> Graph:
    g = Graph()
    x, w = g.input("x", (5, 70)), g.parameter("w", (70, 20))
    g.set_outputs([g.mean_all(g.silu(g.softmax(x @ w)))])
    return g


def ones(graph: Graph) -> dict[str, np.ndarray]:
    leaves = [node for node in graph.nodes() if node.name is not None]
    return {str(node.name): np.ones(node.ty.shape, np.float32) for node in leaves}


def counts() -> dict[str, int]:
    gc.collect()
    found = wgpu.diagnostics.object_counts.get_dict()
    names = ("Buffer", "BindGroup", "BindGroupLayout", "ComputePipeline", "ShaderModule")
    return {name: found[name]["count"] for name in names}


def test_closed_sessions_hold_nothing():
    graph = small_graph()
    before = None
    for _ in range(50):
        with mg.build_session(graph, "gpu") as session:
            feed(session, graph, ones(graph))
            session.step()
            session.read_loss()
        if before is None:
            before = counts()
    assert counts() == before
    assert before["Buffer"] == before["BindGroup"] == before["ComputePipeline"] == 0


def test_a_session_that_is_dropped_lets_go_of_its_memory():
    session = mg.build_session(small_graph(), "gpu")
    feed(session, small_graph(), ones(small_graph()))
    session.step()
    assert counts()["Buffer"] > 0
    del session
    assert counts()["Buffer"] == 0


@on_gpus
def test_a_portable_gpu_asks_for_nothing_that_not_all_have(device: str, request):
    opened = open_device(device)
    assert isinstance(opened, gpu.GpuDevice)
    limits, features = opened.device.limits, opened.device.features
    if "portable gpu" in request.node.name:
        assert {name: limits[name] for name in gpu_adapter.PORTABLE_LIMITS} == (
            gpu_adapter.PORTABLE_LIMITS
        )
        assert not set(gpu_adapter.WANTED) & set(features)
    else:
        has = opened.adapter.handle.features
        assert {name for name in gpu_adapter.WANTED if name in has} <= set(features)


# Values that are seen in parts


@pytest.mark.parametrize(
    "name",
    [
        "one row",
        "rows that do not fill a block",
        "many rows",
        "dilation",
        "odd vectors",
        "long rows",
        "sums across",
        "more elements than a task",
    ],
)
def test_values_too_large_to_be_seen_at_once_are_bound_in_parts(name: str, monkeypatch):
    monkeypatch.setattr(gpu, "GPU", replace(gpu.GPU, most_operands=3))
    opened = gpu.GpuDevice("")
    build_value, shapes = SIZES[name]
    rng = np.random.default_rng(1)
    graph = Graph()
    values = [graph.parameter(f"p{i}", shape) for i, shape in enumerate(shapes)]
    graph.set_outputs([build_value(graph, *values)])
    feeds = {f"p{i}": rng.normal(size=shape).astype(np.float32) for i, shape in enumerate(shapes)}
    largest = max(4 * prod(node.ty.shape) for node in graph.nodes())
    opened.target = replace(opened.target, binding_bytes=max(256, largest // 2 // 256 * 256))
    program = opened.compile(graph)
    for leaf, array in feeds.items():
        program.write(leaf, array)
    program.run()
    found = program.value(graph.outputs()[0].id)
    sizes = [size for value in program.plan.slots for _, size in program._parts(value)]
    assert max(sizes) <= opened.target.binding_bytes < largest
    program.close()
    (expected,) = interpret(graph, feeds, np.float64)
    error = allowed(largest_met(graph, feeds), max(prod(shape) for shape in shapes))
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=0, atol=error)


@pytest.mark.parametrize("name", ["a turned copy", "more elements than a task", "many rows"])
def test_more_workgroups_than_fit_one_axis_are_laid_out_in_rows(name: str, monkeypatch):
    monkeypatch.setattr("meganeura.codegen.render.wgsl.MOST_GROUPS", 3)
    monkeypatch.setattr(gpu, "MOST_GROUPS", 3)
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    build_value, shapes = SIZES[name]
    graph = Graph()
    values = [graph.parameter(f"p{i}", shape) for i, shape in enumerate(shapes)]
    graph.set_outputs([build_value(graph, *values)])
    rng = np.random.default_rng(2)
    feeds = {f"p{i}": rng.normal(size=shape).astype(np.float32) for i, shape in enumerate(shapes)}
    with mg.build_inference_session(graph, "gpu") as session:
        feed(session, graph, feeds)
        session.step()
        found = session.read_output()
        assert max(dispatch.tasks for dispatch in session.plan().dispatches) > 3
    (expected,) = interpret(graph, feeds, np.float64)
    error = allowed(largest_met(graph, feeds), max(prod(shape) for shape in shapes))
    np.testing.assert_allclose(found, expected, rtol=0, atol=error)


# Writes past the end


def test_kernels_write_nothing_past_their_buffers(monkeypatch):
    """Every value is followed by a guard, which kernels see and may not touch."""
    planned = memory.plan_memory
    monkeypatch.setattr(
        "meganeura.compiler.plan_memory", lambda *parts: planned(*parts, guard_bytes=256)
    )
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    monkeypatch.setattr(
        gpu.GpuProgram,
        "_parts",
        lambda self, value: [
            (self.plan.slots[value].offset_bytes, self.plan.slots[value].size_bytes)
        ],
    )
    for name in ("rows that do not fill a block", "odd vectors", "norm of long rows", "dilation"):
        graph = differentiated(name)
        program = gpu.GpuDevice("").compile(graph)
        assert isinstance(program, gpu.GpuProgram)
        pattern = np.full(program.plan.arena_bytes // 4, 0xA5A5A5A5, np.uint32)
        program._device.queue.write_buffer(program._arena, 0, pattern)
        for leaf in program.plan.leaves:
            ty = program.plan.types[program.plan.leaves[leaf]]
            program.write(leaf, np.ones(ty.shape, np.float32))
        program.run()
        arena = np.asarray(program._device.queue.read_buffer(program._arena)).view(np.uint8)
        for dispatch in program.plan.dispatches:
            for value in dispatch.writes:
                slot, ty = program.plan.slots[value], program.plan.types[value]
                end = slot.offset_bytes + slot.size_bytes
                guard = arena[slot.offset_bytes + ty.size_bytes() : end]
                assert guard.size >= 256 and (guard == 0xA5).all(), dispatch.label
        program.close()


def differentiated(name: str) -> Graph:
    build_value, shapes = SIZES[name]
    graph = Graph()
    values = [graph.parameter(f"p{i}", shape) for i, shape in enumerate(shapes)]
    out: Value = build_value(graph, *values)
    graph.set_outputs([graph.sum_all(out)])
    return mg.differentiate(graph)


# Faults


def test_a_gpu_that_is_lost_is_an_error_and_the_next_session_runs():
    graph = small_graph()
    session = mg.build_session(graph, "gpu")
    feed(session, graph, ones(graph))
    session.step()
    session._runner.refreshed()._device.destroy()
    for use in (session.step, session.read_loss):
        with pytest.raises(DeviceError, match=r"the GPU was lost.*\n.*\n.*build the session again"):
            use()
    session.close()
    with mg.build_session(graph, "gpu") as again:
        feed(again, graph, ones(graph))
        again.step()
        assert np.isfinite(again.read_loss())


def test_a_kernel_that_is_refused_is_an_error_of_ours(monkeypatch):
    monkeypatch.setattr(gpu, "render_module", lambda *parts: "no module")
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    graph = small_graph()
    with (
        pytest.raises(InternalError, match="the GPU refuses the kernel"),
        mg.build_session(graph, "gpu") as session,
    ):
        feed(session, graph, ones(graph))
        session.step()


def test_a_graph_that_is_too_large_says_so():
    g = Graph()
    x = g.parameter("x", (1 << 15, 1 << 15))
    g.set_outputs([g.mean_all(g.tanh(x))])
    with pytest.raises(DeviceError, match=r"needs [\d,]+ bytes, and a buffer of this GPU holds"):
        gpu.GpuDevice("").compile(mg.differentiate(g))


def test_a_kernel_that_would_see_too_many_parts_says_so():
    opened = gpu.GpuDevice("")
    most = opened.device.limits["max-storage-buffers-per-shader-stage"]
    g = Graph()
    g.set_outputs([g.transpose(g.parameter("x", (64, 64 * most)))])
    opened.target = replace(opened.target, binding_bytes=4 * 64 * 64)
    with pytest.raises(DeviceError, match=rf"in {2 * most} parts, and a kernel of this GPU {most}"):
        opened.compile(g)


def test_a_name_that_no_gpu_has():
    with pytest.raises(DeviceError, match='no GPU\'s name has "voodoo" in it') as error:
        open_device("gpu:voodoo")
    assert "there is" in (error.value.hint or "")


def run_python(code: str, **settings: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, **settings}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_without_a_driver_it_says_what_to_install():
    code = "from meganeura.device import open_device; open_device('gpu')"
    nowhere = {"VK_DRIVER_FILES": "/nowhere.json", "VK_ICD_FILENAMES": "/nowhere.json"}
    result = run_python(code, **nowhere)
    assert result.returncode == 1
    assert "there is no GPU that wgpu can use" in result.stderr
    assert "mesa-vulkan-drivers" in result.stderr


def test_auto_takes_no_software_gpu():
    if gpu_adapter.has_hardware():
        pytest.skip("this machine has a GPU")
    assert open_device("auto").information().kind == "cpu"


# One formula for all


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_a_scalar_operator_is_written_once_for_all_targets(device: str, monkeypatch):
    """tanh made to double its argument does so on both."""
    monkeypatch.setitem(approximate.APPROXIMATIONS, "tanh", Var(0) * 2.0)
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    g = Graph()
    g.set_outputs([g.tanh(g.input("x", (3,)))])
    with build(g, SessionConfig(device, training=False)) as session:
        session.set_input("x", [1.0, 2.0, 3.0])
        session.step()
        np.testing.assert_array_equal(session.read_output(), [2.0, 4.0, 6.0])


def test_long_sums_are_whole_or_refused_where_a_software_gpu_would_cut_them():
    for terms, is_refused in ((49_152, False), (100_000, True)):
        g = Graph()
        g.set_outputs([g.input("a", [33, terms]) @ g.input("b", [terms, 40])])
        run = partial(results, g, SessionConfig("gpu", training=False), ones(g))
        if is_refused and gpu_adapter.choose_adapter("").is_software:
            with pytest.raises(DeviceError, match="turns of its loops"):
                run()
        else:
            (found,), _ = run()
            assert (found == terms).all()


def test_no_place_is_known_to_be_outside():
    """Values of which each row is another tensor: an unrolled row is known to be of one."""
    g = Graph()
    q, k, *rows = (g.parameter(name, [n, 34]) for name, n in zip("qkab", (2, 2, 1, 1), strict=True))
    values = g.broadcast_to(g.concatenate([row[:, :1] for row in rows], 0), [2, 34])
    mixed = g.emit(Attention(2, 2, 17, causal=True), q, k, values)
    g.set_outputs([g.sum_all(mixed * mixed)])
    random = np.random.default_rng(0)
    arrays = {str(n.name): random.normal(size=n.ty.shape) for n in g.nodes() if n.name is not None}
    found, expected = (
        results(g, SessionConfig(device, optimize=False), arrays)[0]
        for device in ("gpu", "reference")
    )
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-6)
