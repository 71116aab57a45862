"""The GPU device: kernels as WGSL, run through wgpu over one buffer, a step in one submission.

All handles a step needs are made once. A step records them through wgpu-native's C functions, which
costs about two microseconds a dispatch, checks the recording, and submits it; nothing waits until a
result is read.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import wgpu
from numpy.typing import NDArray
from wgpu.backends.wgpu_native import ffi, lib
from wgpu.backends.wgpu_native.extras import write_timestamp

from .. import trace
from ..codegen.render.wgsl import ENTRY, MOST_GROUPS, render_module
from ..compiler import DEFAULT, compile_graph
from ..config import read_config
from ..dtypes import Array
from ..egraph.optimize import Options
from ..errors import DeviceError, InternalError
from ..ir.graph import Graph
from ..ir.interpret import Observer
from ..ir.memory import HINT, largest_values
from ..ir.text import print_graph
from ..kernel.target import GPU, Target
from ..plan.plan import Dispatch, Plan, Slot
from ..plan.poison import WORD, WORD_BYTES
from ..plan.verify import verify_plan
from .base import Device, DeviceInformation, Program
from .cache import cache_folder, cached, source_digest
from .gpu_adapter import WANTED, choose_adapter, open_adapter

UNIFORM_BYTES = 256
"""How far apart numbers lie that are bound one at a time."""


NOTES_BYTES = 4096
"""Room for values that are noted and not yet read."""
SOFTWARE_TURNS = 65_535
"""Turns after which Mesa's llvmpipe ends all loops of an invocation, in silence (seen in 22.3: of a
sum of 100,000 products 55,751 were added)."""
MOST_TIMES = 4096
"""Times that can be noted at once."""

_Step = tuple[Any, Any, int, int]
"""A dispatch as it is recorded: the handles of its pipeline and its buffers, and its workgroups."""


class Artifact(msgspec.Struct, frozen=True):
    """What is kept on disk: a plan, and its kernels as WGSL by name."""

    plan: Plan
    modules: dict[str, str]
    turns: int
    """The most turns that the loops of one invocation make."""


class GpuDevice(Device):
    """A GPU, the best one or the best whose name has ``detail`` in it."""

    def __init__(self, detail: str, cache: Path | str | None = None) -> None:
        config = read_config()
        self.adapter = choose_adapter(detail)
        self.device = open_adapter(self.adapter, config.portable)
        self.cache = cache_folder(cache)
        largest = self.device.limits["max-storage-buffer-binding-size"]
        self.target = replace(GPU, binding_bytes=largest - largest % GPU.alignment_bytes)

    def information(self) -> DeviceInformation:
        """The adapter's name, kind and driver."""
        return self.adapter.information()

    def compiles_for(self) -> Target:
        """This machine's facts."""
        return self.target

    def compile(self, graph: Graph, options: Options | None = DEFAULT) -> Program:
        """Optimize, lower, plan and print a graph, or find what was made of it before."""

        def build() -> bytes:
            compiled = compile_graph(graph, self.target, options)
            comments = compiled.comments()
            modules = {
                k.name: render_module(k, self.target, comments[k.name]) for k in compiled.kernels
            }
            turns = max((kernel.turns for kernel in compiled.kernels), default=0)
            return msgspec.json.encode(Artifact(compiled.plan, modules, turns))

        def load(content: bytes) -> GpuProgram:
            artifact = msgspec.json.decode(content, type=Artifact)
            turns = SOFTWARE_TURNS if self.adapter.is_software else None
            return GpuProgram(self.device, self.target, artifact, graph, turns)

        key = [source_digest(), repr(self.target), repr(options), print_graph(graph)]
        return cached(self.cache, key, build, load)


class GpuProgram(Program):
    """A plan on a GPU: the arena, the pipelines, and what binds them."""

    def __init__(
        self,
        device: Any,
        target: Target,
        artifact: Artifact,
        graph: Graph,
        most_turns: int | None = None,
    ) -> None:
        super().__init__()
        self.plan: Plan = verify_plan(artifact.plan)
        self._device, self._target, self._graph, self._is_open = device, target, graph, True
        self._check_limits(artifact.turns, most_turns)
        size, usage = self.plan.arena_bytes, "STORAGE | COPY_SRC | COPY_DST"
        self._arena = self._buffer("arena", size, usage, f": {largest_values(graph)}")
        self._staging = self._buffer("staging", 4, "MAP_READ | COPY_DST")
        self._notes = self._buffer("notes", NOTES_BYTES, "COPY_SRC | COPY_DST")
        self._notes_end, self._waiting = 0, list[tuple[int, int]]()
        self._lengths = self._uniforms()
        self._layouts: dict[tuple[int, bool], Any] = {}
        self._pipelines: dict[str, Any] = {}
        self._groups: list[Any] = []
        self._steps: list[_Step] = []
        for number, dispatch in enumerate(self.plan.dispatches):
            self._add_step(number, dispatch, artifact.modules[dispatch.kernel])
        for value, data in self.plan.constants.items():
            self._write(value, data)
        owned = [self._arena, self._lengths, self._notes]
        self._finalizer = weakref.finalize(self, _destroy_here, owned, os.getpid())
        self._finalizer.atexit = False  # a step may still run then, in a daemon's thread

    # Making

    def _check_limits(self, turns: int, most_turns: int | None) -> None:
        limits = self._device.limits
        most = limits["max-buffer-size"]
        if self.plan.arena_bytes > most:
            raise DeviceError(
                f"this graph needs {self.plan.arena_bytes:,} bytes, and a buffer of this GPU holds "
                f"{most:,}; {largest_values(self._graph)}",
                hint=f'{HINT}, or use "cpu"',
            )
        if most_turns is not None and turns >= most_turns:
            raise DeviceError(
                f"a kernel of this graph makes {turns:,} turns of its loops, and Mesa's software "
                f"GPU leaves a kernel after {most_turns:,}, with wrong results",
                hint='use "cpu", or sums of fewer terms',
            )

    def _buffer(self, label: str, size: int, usage: str, contents: str = "") -> Any:
        with _faults(f"make a buffer of {size:,} bytes{contents}"):
            return self._device.create_buffer(label=label, size=size, usage=usage)

    def _uniforms(self) -> Any:
        """The lengths of rows, a number for each dispatch."""
        rows = np.zeros((max(1, len(self.plan.dispatches)), UNIFORM_BYTES // 4), np.uint32)
        rows[: len(self.plan.dispatches), 0] = [d.length for d in self.plan.dispatches]
        buffer = self._buffer("lengths", rows.nbytes, "UNIFORM | COPY_DST")
        self._device.queue.write_buffer(buffer, 0, rows)
        return buffer

    def _parts(self, value: int) -> list[tuple[int, int]]:
        """A value's place in the arena, in the parts in which it is bound."""
        offset, size = self.plan.slots[value].offset_bytes, self.plan.types[value].size_bytes()
        return [(offset + start, part) for start, part in self._target.parts(size)]

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

    def _pipeline(self, name: str, layout: Any, text: str) -> Any:
        if name in self._pipelines:
            return self._pipelines[name]
        layout = self._device.create_pipeline_layout(bind_group_layouts=[layout])
        try:
            module = self._device.create_shader_module(label=name, code=text)
            compute = {"module": module, "entry_point": ENTRY}
            pipeline = self._device.create_compute_pipeline(
                label=name, layout=layout, compute=compute
            )
        except (wgpu.GPUError, RuntimeError) as error:
            raise InternalError(f"the GPU refuses the kernel {name}: {error}", text=text) from error
        self._pipelines[name] = pipeline
        return pipeline

    def _add_step(self, number: int, dispatch: Dispatch, text: str) -> None:
        """The handles of a dispatch, and its workgroups."""
        resources = [
            {"buffer": self._arena, "offset": offset, "size": size}
            for value in (*dispatch.reads, *dispatch.writes)
            for offset, size in self._parts(value)
        ]
        most = self._device.limits["max-storage-buffers-per-shader-stage"]
        if len(resources) > most:
            raise DeviceError(
                f"{dispatch.label} sees its tensors in {len(resources)} parts, and a kernel of "
                f"this GPU {most} at most",
                hint='make the batch smaller, or use "cpu"',
            )
        layout = self._layout(len(resources), dispatch.length > 0)
        if dispatch.length:
            start = number * UNIFORM_BYTES
            resources.append({"buffer": self._lengths, "offset": start, "size": 4})
        entries = [{"binding": i, "resource": part} for i, part in enumerate(resources)]
        group = self._device.create_bind_group(label=dispatch.label, layout=layout, entries=entries)
        self._groups.append(group)
        pipeline = self._pipeline(dispatch.kernel, layout, text)
        across, down = min(dispatch.tasks, MOST_GROUPS), -(-dispatch.tasks // MOST_GROUPS)
        self._steps.append((pipeline._internal, group._internal, across, down))

    # Memory

    def _write(self, value: int, data: Any) -> None:
        self._check_open()
        with _faults("be written to"):
            self._device.queue.write_buffer(self._arena, self.plan.slots[value].offset_bytes, data)

    def _read(self, value: int) -> Array:
        """A copy of a value, by way of a buffer that the host can see."""
        self._check_open()
        slot, ty = self.plan.slots[value], self.plan.types[value]
        size = ty.size_bytes()
        if self._staging.size < size:
            self._staging.destroy()
            self._staging = self._buffer("staging", size, "MAP_READ | COPY_DST")
        with _faults("be read from"):
            encoder = self._device.create_command_encoder()
            encoder.copy_buffer_to_buffer(self._arena, slot.offset_bytes, self._staging, 0, size)
            self._device.queue.submit([encoder.finish()])
            self._staging.map_sync("READ", 0, size)
            data = self._staging.read_mapped(0, size, copy=False)
            found = np.frombuffer(data, ty.dtype.numpy).reshape(ty.shape).copy()
            self._staging.unmap()
        return found

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

    def note(self, node_id: int) -> None:
        """Copy a root's place to where it stays. The GPU is waited for only when there is no more
        room."""
        self._check_open()
        value = self.plan.results[node_id]
        size = self.plan.types[value].size_bytes()
        if self._notes_end + size > NOTES_BYTES:
            self._noted = self.noted()
        if size > NOTES_BYTES:
            self._noted.append(self._read(value))
            return
        with _faults("note a value"):
            encoder = self._device.create_command_encoder(label="note")
            offset = self.plan.slots[value].offset_bytes
            encoder.copy_buffer_to_buffer(self._arena, offset, self._notes, self._notes_end, size)
            self._device.queue.submit([encoder.finish()])
        self._waiting.append((value, self._notes_end))
        self._notes_end += size

    def noted(self) -> list[Array]:
        """What was noted, read at once."""
        found = super().noted()
        if self._waiting:
            with _faults("be read from"):
                data = self._device.queue.read_buffer(self._notes, 0, self._notes_end)
            for value, start in self._waiting:
                ty = self.plan.types[value]
                part = np.frombuffer(data, ty.dtype.numpy, ty.num_elements(), start)
                found.append(part.reshape(ty.shape).copy())
        self._waiting, self._notes_end = [], 0
        return found

    # Running

    def run(self, observe: Observer | None = None) -> None:
        """One step: all dispatches in one pass, one submission. To observe it, it is first walked
        through op by op."""
        self._check_open()
        if observe is not None:
            self.walk_through(self._graph, observe)
        if self._poisoned is not None:
            with _faults("run a poisoned step"):
                for step, parts in zip(self._steps, self._poisoned, strict=True):
                    self._poison(parts)
                    self._submit([step])
                self._made += 1
            return
        traced = trace.current()
        if traced is not None and self._can_time():
            if traced.has_room(len(self._steps)):
                with _faults("run a traced step"):
                    self._trace_into(traced)
                    self._made += 1
                return
            traced.left_out += len(self._steps)
        with _faults("run a step"):
            self._submit(self._steps)
            self._made += 1

    def _submit(self, steps: list[_Step]) -> None:
        """Have dispatches run, in one pass."""
        encoder = self._device.create_command_encoder(label="step")
        recording = encoder.begin_compute_pass()
        self._record(recording._internal, steps)
        recording.end()
        # An error in the recording is raised here: to submit it would end the process.
        commands = encoder.finish()
        self._device.queue.submit([commands])

    def _poison(self, parts: list[Slot]) -> None:
        """Fill parts of the arena; a workgroup's own memory is zero at first on every GPU."""
        for part in parts:
            words = np.full(part.size_bytes // WORD_BYTES, WORD, np.uint32)
            self._device.queue.write_buffer(self._arena, part.offset_bytes, words)

    def _record(self, recording: Any, steps: list[_Step]) -> None:
        """Dispatches, by wgpu-native's own functions."""
        set_pipeline = lib.wgpuComputePassEncoderSetPipeline
        set_group = lib.wgpuComputePassEncoderSetBindGroup
        dispatch = lib.wgpuComputePassEncoderDispatchWorkgroups
        null, last = ffi.NULL, None
        for pipeline, group, across, down in steps:
            if pipeline != last:
                set_pipeline(recording, pipeline)
                last = pipeline
            set_group(recording, 0, group, 0, null)
            dispatch(recording, across, down, 1)

    def wait(self) -> None:
        """Return when the GPU has done all it was given."""
        with _faults("finish a step"):
            lib.wgpuDevicePoll(self._device._internal, True, ffi.NULL)

    def time_dispatches(self) -> list[int]:
        """One step in which the GPU notes the time between dispatches."""
        self._check_open()
        if not self._can_time():
            raise DeviceError("this GPU does not tell how long its parts take, or not of so many")
        size = self.plan.arena_bytes
        with _faults("time a step"):
            before = self._buffer("before", size, "COPY_SRC | COPY_DST")
            encoder = self._device.create_command_encoder(label="keep")
            encoder.copy_buffer_to_buffer(self._arena, 0, before, 0, size)
            self._device.queue.submit([encoder.finish()])
            try:
                found = self._timed()
            finally:
                encoder = self._device.create_command_encoder(label="put back")
                encoder.copy_buffer_to_buffer(before, 0, self._arena, 0, size)
                self._device.queue.submit([encoder.finish()])
                _destroy([before])
        return [round(ns) for ns in np.diff(found)]

    def _can_time(self) -> bool:
        return set(WANTED) <= set(self._device.features) and len(self._steps) < MOST_TIMES

    def _trace_into(self, traced: trace.Trace) -> None:
        """One step that is waited for, since its times are read at once. The GPU's clock is another
        than ours: its last time is the moment when the waiting ends."""
        found = self._timed()
        times = np.zeros((1, len(self._steps), 3), np.int64)
        ends = np.round(found - found[-1]).astype(np.int64) + trace.now_ns()
        times[0, :, 0], times[0, :, 1] = ends[:-1], ends[1:]
        times[0, :, 2] = [dispatch.tasks for dispatch in self.plan.dispatches]
        traced.add_step(trace.DeviceStep("gpu", self.works(), times))

    def _timed(self) -> NDArray[np.float64]:
        """One step; nanoseconds before each dispatch and after the last, by the GPU's clock."""
        count = len(self._steps) + 1
        times = self._device.create_query_set(type="timestamp", count=count)
        ticks = self._buffer("times", 8 * count, "QUERY_RESOLVE | COPY_SRC")
        encoder = self._device.create_command_encoder(label="timed step")
        recording = encoder.begin_compute_pass()
        for i, step in enumerate(self._steps):
            write_timestamp(recording, times, i)
            self._record(recording._internal, [step])
        write_timestamp(recording, times, count - 1)
        recording.end()
        encoder.resolve_query_set(times, 0, count, ticks, 0)
        self._device.queue.submit([encoder.finish()])
        found = np.frombuffer(self._device.queue.read_buffer(ticks), np.uint64)
        _destroy([ticks])
        ns_per_tick = lib.wgpuQueueGetTimestampPeriod(self._device.queue._internal)
        # From the first on: what a clock shows may be more than a float can tell apart.
        since: NDArray[np.float64] = (found - found[0]).astype(np.float64)
        return since * float(ns_per_tick)

    def _check_open(self) -> None:
        if not self._is_open:
            raise DeviceError("this session is closed")

    def close(self) -> None:
        """Release the GPU's memory."""
        self._is_open = False
        self._steps, self._groups, self._pipelines, self._layouts = [], [], {}, {}
        self._finalizer()
        self._staging.destroy()


@contextmanager
def _faults(what: str) -> Iterator[None]:
    """wgpu's errors as ours. After any of them the GPU is opened anew by the next session."""
    try:
        yield
    except wgpu.GPUOutOfMemoryError as error:
        raise DeviceError(
            f"the GPU has no room to {what}", hint='make the batch smaller, or use "cpu"'
        ) from error
    except (wgpu.GPUError, RuntimeError) as error:
        open_adapter.cache_clear()
        reason = str(error).strip().splitlines()[-1].strip()
        raise DeviceError(
            f"the GPU was lost or could not {what}: {reason}", hint="build the session again"
        ) from error


def _destroy_here(buffers: list[Any], process: int) -> None:
    """In a forked process the GPU cannot be reached."""
    if os.getpid() == process:
        _destroy(buffers)


def _destroy(buffers: list[Any]) -> None:
    for buffer in buffers:
        buffer.destroy()
