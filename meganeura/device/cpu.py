"""The CPU device: plans compiled by LLVM in process, run by a few threads over one arena."""

from __future__ import annotations

import platform
import weakref
from collections.abc import Sequence
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from ..codegen.render.llvm import render_kernels
from ..compiler import Compiled, compile_graph, tasks_of
from ..config import read_config
from ..dtypes import Array
from ..errors import DeviceError
from ..ir.graph import Graph
from ..ir.interpret import Observer, evaluate
from ..ir.walk import live
from ..kernel.target import Target
from .base import Device, DeviceInformation, Program
from .cache import cached, source_digest
from .executor import executor_text
from .team import Team, aligned_bytes


class CpuDevice(Device):
    """This machine's processor."""

    def __init__(self, detail: str) -> None:
        if detail not in ("", "baseline"):
            raise DeviceError(
                f'there is no cpu "{detail}"',
                hint='"cpu" uses all this processor can; "cpu:baseline" what all of its kind can',
            )
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.threads = read_config().threads
        self.cpu, self.features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
        if detail == "baseline":
            self.cpu, self.features = "", ""
        self.target = Target("cpu", lanes=8 if "+avx," in self.features else 4)

    def information(self) -> DeviceInformation:
        """The processor's name and how many threads are used."""
        name = self.cpu or "any processor of this kind"
        words = f"{name}, {self.threads} threads, {self.target.lanes} lanes"
        return DeviceInformation("cpu", "cpu", words)

    def compile(self, graph: Graph) -> Program:
        """Lower, plan, and compile a graph."""
        return CpuProgram(self, compile_graph(graph, self.target), graph)

    def machine(self) -> llvm.TargetMachine:
        """LLVM's view of this processor."""
        return llvm.Target.from_default_triple().create_target_machine(
            cpu=self.cpu,
            features=self.features,
            opt=3,
            reloc="pic",
            codemodel="jitdefault",
            jit=True,
        )


def build_object(texts: Sequence[str], machine: llvm.TargetMachine) -> bytes:
    """Machine code for LLVM modules, optimized together."""
    module = llvm.parse_assembly(texts[0])
    for text in texts[1:]:
        module.link_in(llvm.parse_assembly(text))
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = False  # lanes are vectors already
    tuning.slp_vectorization = False
    tuning.loop_unrolling = False  # what should be unrolled is; the rest only costs build time
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


class CpuProgram(Program):
    """A plan in memory: the arena, the compiled kernels, the threads."""

    def __init__(self, device: CpuDevice, compiled: Compiled, graph: Graph) -> None:
        self.plan = plan = compiled.plan
        self._graph = graph
        self._results = compiled.results
        self._arena = aligned_bytes(plan.arena_bytes)
        for value, data in plan.constants.items():
            self._view(value).view(np.uint8)[:] = np.frombuffer(data, np.uint8)
        code = self._load(compiled, device)
        table, held = self._dispatch_table(compiled, code)
        scratch = max((kernel.scratch_bytes for kernel in compiled.kernels), default=0)
        self._team = Team(code, table, device.threads, scratch, (self._arena, held))
        # The team's threads hold the team; the program ends them when nobody holds it any more.
        self._finalizer = weakref.finalize(self, self._team.stop)

    # Memory

    def _view(self, value: int) -> Array:
        """A value's place in the arena, flat."""
        slot, ty = self.plan.slots[value], self.plan.types[value]
        part = self._arena[slot.offset_bytes : slot.offset_bytes + ty.size_bytes()]
        return part.view(ty.dtype.numpy)

    def write(self, name: str, array: Array) -> None:
        """Copy into the leaf's place."""
        value = self.plan.leaves[name]
        self._view(value)[:] = np.asarray(array).reshape(-1)

    def read(self, name: str) -> Array:
        """A copy of the leaf's place."""
        value = self.plan.leaves[name]
        return self._view(value).reshape(self.plan.types[value].shape).copy()

    def value(self, node_id: int) -> Array:
        """A copy of a root's place."""
        value = self._results[node_id]
        return self._view(value).reshape(self.plan.types[value].shape).copy()

    def peak_bytes(self) -> int:
        """The arena."""
        return self.plan.arena_bytes

    # Code

    def _load(self, compiled: Compiled, device: CpuDevice) -> Any:
        """The compiled code: a place for each kernel's name."""
        machine = device.machine()

        def build() -> bytes:
            executor = executor_text(platform.machine(), platform.system())
            kernels = render_kernels(compiled.kernels, device.target.lanes)
            return build_object([executor, kernels], machine)

        version = ".".join(map(str, llvm.llvm_version_info))
        facts = (source_digest(), version, machine.triple, device.cpu, device.features)
        key = [*facts, repr(device.target), compiled.kernels_key]
        code = cached(read_config().cache, key, build)
        jit = llvm.create_lljit_compiler(machine)
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name in ("step", "worker", *(k.name for k in compiled.kernels)):
            library = library.export_symbol(name)
        return library.link(jit, "plan")

    def _dispatch_table(self, compiled: Compiled, code: Any) -> tuple[Array, object]:
        """The list the executor walks (kernel, buffers, tasks, barrier), and what it points to."""
        base = self._arena.ctypes.data
        table = np.zeros((len(self.plan.dispatches), 4), np.uint64)
        pointers: list[int] = []
        starts: list[int] = []
        lengths = np.asarray([d.length for d in self.plan.dispatches] or [0], np.uint64)
        for dispatch in self.plan.dispatches:
            starts.append(len(pointers))
            values = (*dispatch.reads, dispatch.writes)
            pointers += [base + self.plan.slots[value].offset_bytes for value in values]
            if dispatch.length:
                pointers.append(lengths.ctypes.data + 8 * len(starts) - 8)
        addresses = np.asarray(pointers or [0], np.uint64)
        rows = zip(compiled.kernel_of, self.plan.barriers, starts, strict=True)
        for row, (number, barrier, start) in enumerate(rows):
            kernel = compiled.kernels[number]
            table[row] = (
                code[kernel.name],
                addresses.ctypes.data + 8 * start,
                tasks_of(self.plan.dispatches[row], kernel),
                barrier,
            )
        return table, (lengths, addresses)

    def run(self, observe: Observer | None = None) -> None:
        """One step: a single native call. To observe it, it is first walked through op by op."""
        if observe is not None:
            named = [node.name for node in live(self._graph) if node.name is not None]
            evaluate(self._graph, {name: self.read(name) for name in named}, observe=observe)
        self._team.step()

    def close(self) -> None:
        """Stop the threads."""
        self._finalizer()
