"""The GPU device: kernels as WGSL, run through wgpu over one buffer, a step in one submission.

All handles a step needs are made once. A step records them through wgpu-native's C functions, which
costs about two microseconds a dispatch, checks the recording, and submits it; nothing waits until a
result is read.
"""

from __future__ import annotations

import weakref
from typing import Any

import msgspec
import numpy as np
import wgpu
from wgpu.backends.wgpu_native import ffi, lib

from ..codegen.render.wgsl import ENTRY, MOST_GROUPS, render_module
from ..compiler import compile_graph
from ..config import read_config
from ..dtypes import Array
from ..errors import DeviceError, InternalError
from ..ir.graph import Graph
from ..ir.interpret import Observer
from ..ir.text import print_graph
from ..kernel.target import GPU
from ..plan.plan import Dispatch, Plan
from ..plan.verify import verify_plan
from .base import Device, DeviceInformation, Program
from .cache import cache_folder, cached, source_digest
from .gpu_adapter import choose_adapter, open_adapter

UNIFORM_BYTES = 256
"""How far apart numbers lie that are bound one at a time."""


class Artifact(msgspec.Struct, frozen=True):
    """What is kept on disk: a plan, and its kernels as WGSL by name."""

    plan: Plan
    modules: dict[str, str]


class GpuDevice(Device):
    """A GPU, the best one or the best whose name has ``detail`` in it."""

    def __init__(self, detail: str, cache: Any = None) -> None:
        config = read_config()
        self.adapter = choose_adapter(detail)
        self.device = open_adapter(self.adapter, config.portable)
        self.cache = cache_folder(cache)
        self.target = GPU

    def information(self) -> DeviceInformation:
        """The adapter's name, kind and driver."""
        return DeviceInformation("gpu", "gpu", f"{self.adapter}, {self.adapter.driver}")

    def compile(self, graph: Graph) -> Program:
        """Lower, plan and print a graph, or find what was made of it before."""

        def build() -> bytes:
            compiled = compile_graph(graph, self.target)
            pairs = zip(compiled.plan.dispatches, compiled.lowered.computations, strict=True)
            labels = {d.kernel: f"{c.label}, {c.archetype}" for d, c in pairs}
            modules = {k.name: render_module(k, labels[k.name]) for k in compiled.kernels}
            return msgspec.json.encode(Artifact(compiled.plan, modules))

        key = [source_digest(), repr(self.target), print_graph(graph)]
        artifact = msgspec.json.decode(cached(self.cache, key, build), type=Artifact)
        return GpuProgram(self.device, artifact, graph)


class GpuProgram(Program):
    """A plan on a GPU: the arena, the pipelines, and what binds them."""

    def __init__(self, device: Any, artifact: Artifact, graph: Graph) -> None:
        self.plan: Plan = verify_plan(artifact.plan)
        self._graph, self._device, self._is_open = graph, device, True
        self._check_limits()
        self._arena = self._buffer("arena", self.plan.arena_bytes, "STORAGE | COPY_SRC | COPY_DST")
        self._staging = self._buffer("staging", 4, "MAP_READ | COPY_DST")
        self._layouts: dict[tuple[int, bool], Any] = {}
        self._lengths = self._uniforms()
        self._pipelines = {
            name: self._pipeline(name, artifact.modules[name])
            for name in dict.fromkeys(d.kernel for d in self.plan.dispatches)
        }
        self._groups = [self._group(i, d) for i, d in enumerate(self.plan.dispatches)]
        self._steps = [self._step(i, d) for i, d in enumerate(self.plan.dispatches)]
        for value, data in self.plan.constants.items():
            self._write(value, data)
        self._finalizer = weakref.finalize(self, _destroy, [self._arena, self._lengths])

    # Making

    def _check_limits(self) -> None:
        limits = self._device.limits
        most = limits["max-buffer-size"]
        if self.plan.arena_bytes > most:
            raise DeviceError(
                f"this graph needs {self.plan.arena_bytes:,} bytes, and a buffer of this GPU holds "
                f"{most:,}",
                hint='make the batch smaller, or use "cpu"',
            )
        largest = limits["max-storage-buffer-binding-size"]
        for ty in self.plan.types.values():
            if ty.size_bytes() > largest:
                raise DeviceError(
                    f"a tensor of {ty} has {ty.size_bytes():,} bytes, and kernels of this GPU see "
                    f"{largest:,} at most",
                    hint='make the batch smaller, or use "cpu"',
                )

    def _buffer(self, label: str, size: int, usage: str) -> Any:
        try:
            return self._device.create_buffer(label=label, size=size, usage=usage)
        except wgpu.GPUOutOfMemoryError as error:
            raise DeviceError(
                f"the GPU has no room for {size:,} bytes", hint="make the batch smaller"
            ) from error

    def _uniforms(self) -> Any:
        """The lengths of rows, a number for each dispatch."""
        rows = np.zeros((max(1, len(self.plan.dispatches)), UNIFORM_BYTES // 4), np.uint32)
        rows[: len(self.plan.dispatches), 0] = [d.length for d in self.plan.dispatches]
        buffer = self._buffer("lengths", rows.nbytes, "UNIFORM | COPY_DST")
        self._device.queue.write_buffer(buffer, 0, rows)
        return buffer

    def _layout(self, storage: int, has_length: bool) -> Any:
        """How a kernel with so many buffers is bound."""
        key = storage, has_length
        if key not in self._layouts:
            kinds = ["storage"] * storage + ["uniform"] * has_length
            entries = [
                {"binding": i, "visibility": "COMPUTE", "buffer": {"type": kind}}
                for i, kind in enumerate(kinds)
            ]
            self._layouts[key] = self._device.create_bind_group_layout(entries=entries)
        return self._layouts[key]

    def _bound(self, dispatch: Dispatch) -> Any:
        return self._layout(len(dispatch.reads) + 1, dispatch.length > 0)

    def _pipeline(self, name: str, text: str) -> Any:
        dispatch = next(d for d in self.plan.dispatches if d.kernel == name)
        layout = self._device.create_pipeline_layout(bind_group_layouts=[self._bound(dispatch)])
        try:
            module = self._device.create_shader_module(label=name, code=text)
            compute = {"module": module, "entry_point": ENTRY}
            return self._device.create_compute_pipeline(label=name, layout=layout, compute=compute)
        except (wgpu.GPUError, RuntimeError) as error:
            raise InternalError(f"the GPU refuses the kernel {name}: {error}", text=text) from error

    def _group(self, number: int, dispatch: Dispatch) -> Any:
        """The buffers of a dispatch: parts of the arena."""
        entries: list[dict[str, Any]] = []
        for i, value in enumerate((*dispatch.reads, dispatch.writes)):
            offset, size = self.plan.slots[value].offset_bytes, self.plan.types[value].size_bytes()
            part = {"buffer": self._arena, "offset": offset, "size": size}
            entries.append({"binding": i, "resource": part})
        if dispatch.length:
            part = {"buffer": self._lengths, "offset": number * UNIFORM_BYTES, "size": 4}
            entries.append({"binding": len(entries), "resource": part})
        layout = self._bound(dispatch)
        return self._device.create_bind_group(label=dispatch.label, layout=layout, entries=entries)

    def _step(self, number: int, dispatch: Dispatch) -> tuple[Any, Any, int, int]:
        """The handles of a dispatch, and its workgroups."""
        pipeline = self._pipelines[dispatch.kernel]._internal
        across = min(dispatch.tasks, MOST_GROUPS)
        return pipeline, self._groups[number]._internal, across, -(-dispatch.tasks // MOST_GROUPS)

    # Memory

    def _write(self, value: int, data: Any) -> None:
        self._check_open()
        self._device.queue.write_buffer(self._arena, self.plan.slots[value].offset_bytes, data)

    def _read(self, value: int) -> Array:
        """A copy of a value, by way of a buffer that the host can see."""
        self._check_open()
        slot, ty = self.plan.slots[value], self.plan.types[value]
        size = ty.size_bytes()
        if self._staging.size < size:
            self._staging.destroy()
            self._staging = self._buffer("staging", size, "MAP_READ | COPY_DST")
        encoder = self._device.create_command_encoder()
        encoder.copy_buffer_to_buffer(self._arena, slot.offset_bytes, self._staging, 0, size)
        self._device.queue.submit([encoder.finish()])
        self._staging.map_sync("READ", 0, size)
        try:
            data = self._staging.read_mapped(0, size, copy=False)
            return np.frombuffer(data, ty.dtype.numpy).reshape(ty.shape).copy()
        finally:
            self._staging.unmap()

    def write(self, name: str, array: Array) -> None:
        """Copy into the leaf's place; it is there when the next step begins."""
        value = self.plan.leaves[name]
        dtype = self.plan.types[value].dtype.numpy
        self._write(value, np.ascontiguousarray(array, dtype))

    def read(self, name: str) -> Array:
        """A copy of the leaf's place."""
        return self._read(self.plan.leaves[name])

    def value(self, node_id: int) -> Array:
        """A copy of a root's place."""
        return self._read(self.plan.results[node_id])

    # Running

    def run(self, observe: Observer | None = None) -> None:
        """One step: all dispatches in one pass, one submission. To observe it, it is first walked
        through op by op."""
        self._check_open()
        if observe is not None:
            self.walk_through(self._graph, observe)
        encoder = self._device.create_command_encoder(label="step")
        recording = encoder.begin_compute_pass()
        set_pipeline = lib.wgpuComputePassEncoderSetPipeline
        set_group = lib.wgpuComputePassEncoderSetBindGroup
        dispatch = lib.wgpuComputePassEncoderDispatchWorkgroups
        handle, null, last = recording._internal, ffi.NULL, None
        for pipeline, group, across, down in self._steps:
            if pipeline != last:
                set_pipeline(handle, pipeline)
                last = pipeline
            set_group(handle, 0, group, 0, null)
            dispatch(handle, across, down, 1)
        recording.end()
        # An error in the recording is raised here: to submit it would end the process.
        self._device.queue.submit([encoder.finish()])

    def _check_open(self) -> None:
        if not self._is_open:
            raise DeviceError("this session is closed")

    def close(self) -> None:
        """Release the GPU's memory."""
        self._is_open = False
        self._steps, self._groups, self._pipelines, self._layouts = [], [], {}, {}
        self._finalizer()
        self._staging.destroy()


def _destroy(buffers: list[Any]) -> None:
    for buffer in buffers:
        buffer.destroy()
