"""The CPU device: plans compiled by LLVM, run by a few threads over one arena."""

from __future__ import annotations

import platform
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llvmlite
import msgspec
import numpy as np

from .. import trace
from ..codegen.render.llvm import Module
from ..compiler import DEFAULT, compile_graph
from ..config import read_config
from ..dtypes import Array
from ..egraph.optimize import Options
from ..errors import DeviceError
from ..ir.graph import Graph
from ..ir.interpret import Observer
from ..ir.memory import enough_memory
from ..ir.text import print_graph
from ..kernel.target import CPU_RATES, Rates, Target
from ..plan.plan import Plan
from ..plan.poison import WORD, WORD_BYTES
from ..plan.verify import verify_plan
from .base import Device, DeviceInformation, Program
from .cache import Entry, cache_folder, cached, source_digest
from .calibrate import read_rates
from .cpu_build import Builder
from .cpu_helper import link_here
from .cpu_link import Code, links_here
from .cpu_processor import BASELINE, find_processor
from .executor import executor_text
from .team import Team, aligned_bytes

WIDTHS = ("8", "16")
"""Lanes that can be asked for."""
LARGE_GRAPH = 300
"""Nodes from which there is much to build."""


class CpuDevice(Device):
    """This machine's processor. Compiled code is kept in ``cache``, or else where the settings
    say."""

    def __init__(self, detail: str, cache: Path | str | None = None) -> None:
        if detail not in ("", "baseline", *WIDTHS):
            raise DeviceError(
                f'there is no cpu "{detail}"',
                hint='"cpu" uses all this processor can; "cpu:baseline" what all of its kind can; '
                '"cpu:8" and "cpu:16" say how many lanes vectors have',
            )
        config = read_config()
        self.threads = config.threads
        self.cache = cache_folder(cache)
        self.processor = BASELINE if detail == "baseline" else find_processor(self.cache)
        lanes = int(detail) if detail in WIDTHS else self.processor.lanes
        rates = self._rates() or CPU_RATES
        self.target = Target("cpu", lanes, rates=rates, threads=self.threads)

    def rates_entry(self) -> Entry | None:
        """Where this machine's own rates are kept, if anything is."""
        machine = self.processor.name, self.processor.features
        facts = (*machine, str(self.threads), platform.node())
        return None if self.cache is None else Entry(self.cache, facts, "rates-")

    def _rates(self) -> Rates | None:
        entry = self.rates_entry()
        return None if entry is None else read_rates(entry)

    def information(self) -> DeviceInformation:
        """The processor's name and how many threads are used."""
        name = self.processor.name or "any processor of this kind"
        words = f"{name}, {self.threads} threads, {self.target.lanes} lanes"
        return DeviceInformation("cpu", "cpu", words)

    def compiles_for(self) -> Target:
        """This machine's facts."""
        return self.target

    def compile(self, graph: Graph, options: Options | None = DEFAULT) -> Program:
        """Optimize, lower, plan, and compile a graph, or find what was made of it before."""
        code_model = "small" if links_here() else "jitdefault"
        machine = self.processor.name, self.processor.features, code_model

        def build() -> bytes:
            executor = executor_text(platform.machine(), platform.system())
            much = len(graph) > LARGE_GRAPH
            with Builder(machine, much) as builder:
                builder.add_module(Module(executor, lasting=True))
                compiled = compile_graph(graph, self.target, options, builder.add)
                return msgspec.json.encode(Artifact(compiled.plan, builder.finish()))

        system = platform.system(), platform.machine(), llvmlite.__version__
        key = [source_digest(), *system, *machine, repr(self.target), repr(options)]
        return cached(
            self.cache,
            [*key, print_graph(graph)],
            build,
            lambda content: CpuProgram(self, msgspec.json.decode(content, type=Artifact), graph),
        )


class Artifact(msgspec.Struct, frozen=True):
    """What is kept on disk: a plan, and its kernels' machine code."""

    plan: Plan
    objects: list[bytes]


class CpuProgram(Program):
    """A plan in memory: the arena, the compiled kernels, the threads."""

    def __init__(self, device: CpuDevice, artifact: Artifact, graph: Graph) -> None:
        super().__init__()
        self.plan: Plan = verify_plan(artifact.plan)
        plan = self.plan
        self._graph = graph
        needed_bytes = plan.arena_bytes + device.threads * plan.scratch_bytes
        with enough_memory(graph, needed_bytes):
            self._arena = aligned_bytes(plan.arena_bytes)
        self._views: dict[int, Array] = {}
        for value, data in plan.constants.items():
            self._view(value).view(np.uint8)[:] = np.frombuffer(data, np.uint8)
        code = self._load(artifact.objects)
        table, held = self._dispatch_table(code)
        with enough_memory(graph, needed_bytes):
            self._team = Team(code, table, device.threads, plan.scratch_bytes, (self._arena, held))
        # The team's threads hold the team; the program ends them when nobody holds it any more. Not
        # when the interpreter ends: a step may still run then, in a daemon's thread.
        self._finalizer = weakref.finalize(self, self._team.stop)
        self._finalizer.atexit = False

    # Memory

    def _view(self, value: int) -> Array:
        """A value's place in the arena, flat."""
        if value not in self._views:
            slot, ty = self.plan.slots[value], self.plan.types[value]
            part = self._arena[slot.offset_bytes : slot.offset_bytes + ty.size_bytes()]
            self._views[value] = part.view(ty.dtype.numpy)
        return self._views[value]

    def write(self, name: str, array: Array) -> None:
        """Copy into the leaf's place."""
        value = self.plan.leaves[name]
        self._view(value)[:] = np.asarray(array).reshape(-1)

    def feed(self, name: str, number: float) -> None:
        """Write the number, which happens in every step."""
        self._view(self.plan.leaves[name])[0] = number

    def read(self, name: str) -> Array:
        """A copy of the leaf's place."""
        value = self.plan.leaves[name]
        return self._view(value).reshape(self.plan.types[value].shape).copy()

    def value(self, node_id: int) -> Array:
        """A copy of a root's place."""
        value = self.plan.results[node_id]
        return self._view(value).reshape(self.plan.types[value].shape).copy()

    # Code

    def _load(self, objects: Sequence[bytes]) -> Any:
        """The compiled code: a place for each kernel's name."""
        if links_here():
            return Code(objects)
        kernels = dict.fromkeys(dispatch.kernel for dispatch in self.plan.dispatches)
        return link_here(objects, ["begin", "step", "worker", *kernels])

    def _dispatch_table(self, code: Any) -> tuple[Array, object]:
        """The list the executor walks (kernel, buffers, tasks, barrier), and what it points to."""
        base = self._arena.ctypes.data
        pointers: list[int] = []
        starts: list[int] = []
        lengths = np.asarray([d.length for d in self.plan.dispatches] or [0], np.uint64)
        for dispatch in self.plan.dispatches:
            starts.append(len(pointers))
            values = (*dispatch.reads, *dispatch.writes)
            pointers += [base + self.plan.slots[value].offset_bytes for value in values]
            if dispatch.length:
                pointers.append(lengths.ctypes.data + 8 * len(starts) - 8)
        addresses = np.asarray(pointers or [0], np.uint64)
        table = np.zeros((len(self.plan.dispatches), 4), np.uint64)
        rows = zip(self.plan.dispatches, self.plan.barriers, starts, strict=True)
        for row, (dispatch, barrier, start) in enumerate(rows):
            buffers = addresses.ctypes.data + 8 * start
            table[row] = (code[dispatch.kernel], buffers, dispatch.tasks, barrier)
        return table, (lengths, addresses)

    def run(self, observe: Observer | None = None) -> None:
        """One step: a single native call. To observe it, it is first walked through op by op."""
        if observe is not None:
            self.walk_through(self._graph, observe)
        traced = trace.current()
        if self._poisoned is not None:
            self._team.time_each(self._poison)
        elif traced is None:
            self._team.step()
        else:
            times = self._team.timed_step()
            traced.add_step(trace.DeviceStep("cpu", self.works(), times))

    def _poison(self, number: int) -> None:
        """Fill what dispatch ``number`` may not count on."""
        words = self._arena.view(np.uint32)
        for part in (self._poisoned or [])[number]:
            start = part.offset_bytes // WORD_BYTES
            words[start : start + part.size_bytes // WORD_BYTES] = WORD
        self._team.fill_scratch(WORD)

    def made(self) -> int:
        """As the threads count them."""
        return self._team.steps()

    def time_dispatches(self) -> list[int]:
        """Each dispatch by itself, on all threads."""
        before = self._arena.copy()
        try:
            return self._team.time_each()
        finally:
            self._arena[:] = before

    def close(self) -> None:
        """Stop the threads."""
        self._finalizer()
