"""The compiler: every pass in order, one line each.

A graph comes in with its gradients and updates; a plan and its kernels go out. Each pass is timed,
and its result checked where there is a checker.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from .codegen.loops import Buffer, Kernel
from .codegen.schedule.choose import schedule
from .codegen.verify import verify_kernel
from .dtypes import DType
from .egraph.optimize import Optimized, Options, optimize
from .ir.expand import expand
from .ir.graph import Graph
from .ir.types import TensorType
from .ir.verify import verify
from .kernel.archetype import Archetype
from .kernel.target import Target
from .kernel.work import flops
from .plan.limit import limit_operands
from .plan.lower import Computation, Lowered, lower, read_roots
from .plan.memory import Launch, plan_memory
from .plan.pack import pack
from .plan.plan import Plan
from .plan.share import share
from .plan.verify import verify_plan
from .trace import Stopwatch

Found = Callable[[Kernel], None]
DEFAULT = Options()


@dataclass
class Compiled:
    """What the passes made of a graph."""

    expanded: Graph
    optimized: Optimized[Graph]
    lowered: Lowered
    kernels: list[Kernel]
    kernel_of: list[int]
    """For each dispatch, which kernel it runs."""
    plan: Plan
    times_ns: dict[str, int] = field(default_factory=dict)

    def comments(self) -> dict[str, str]:
        """For each kernel what it computes, as its first use shows it."""
        found: dict[str, str] = {}
        for computation, number in zip(self.lowered.computations, self.kernel_of, strict=True):
            words = f"{computation.label} = {computation.archetype}"
            found.setdefault(self.kernels[number].name, words)
        return found


def compile_graph(
    graph: Graph,
    target: Target,
    options: Options | None = DEFAULT,
    found: Found = lambda kernel: None,
) -> Compiled:
    """All passes from a graph to a plan, optimized as the options say, or without any not at all.
    ``found`` is told of each kernel at once, so that its code can be made while the other passes
    run."""
    with _without_collection():
        return _compile(graph, target, options, found)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Nearly all that the passes make is alive until they end: to look for garbage meanwhile takes
    a fifth of their time, and finds none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _compile(graph: Graph, target: Target, options: Options | None, found: Found) -> Compiled:
    timed = Stopwatch()
    expanded = timed("expand", lambda: verify(expand(graph), "expand"))
    chosen = timed("optimize", lambda: optimize(expanded, target, options))
    lowered = timed("lower", lambda: _for_roots_of(graph, _lower(chosen)))
    packed = timed("pack", lambda: pack(lowered, target))
    limited = timed("limit", lambda: limit_operands(packed, target.most_operands))
    shared = timed("share", lambda: share(limited, target))
    kernels, kernel_of = timed("schedule", lambda: schedule_all(shared, target, found))
    pairs = zip(shared.computations, kernel_of, strict=True)
    launches = [_launch(c, kernels[k], target) for c, k in pairs]
    plan = timed("plan", lambda: verify_plan(plan_memory(shared, launches, target.alignment_bytes)))
    return Compiled(expanded, chosen, shared, kernels, kernel_of, plan, timed.times_ns)


def _lower(chosen: Optimized[Graph]) -> Lowered:
    return lower(chosen.graph, chosen.stored, chosen.costs_ns)


def _for_roots_of(graph: Graph, lowered: Lowered) -> Lowered:
    """With results by the roots of the graph before it was expanded."""
    roots = zip(read_roots(graph), read_roots(lowered.graph), strict=True)
    return replace(lowered, results={old.id: lowered.results[new.id] for old, new in roots})


def schedule_all(lowered: Lowered, target: Target, found: Found) -> tuple[list[Kernel], list[int]]:
    """The distinct kernels, and which one each computation runs."""
    kernels: list[Kernel] = []
    kernel_of: list[int] = []
    known: dict[tuple[Archetype, tuple[bool, ...]], int] = {}
    types = lowered.types()
    for computation in lowered.computations:
        whole = tuple(types[v].dtype is DType.U32 for v in computation.reads)
        key = (computation.archetype, whole)
        if key not in known:
            known[key] = len(kernels)
            kernel = _kernel(f"k{len(kernels)}", computation, types, target)
            kernels.append(verify_kernel(kernel, target.idle_lanes))
            found(kernel)
        kernel_of.append(known[key])
    return kernels, kernel_of


def _kernel(
    name: str, computation: Computation, types: dict[int, TensorType], target: Target
) -> Kernel:
    operands = [
        Buffer("operand", types[value].num_elements(), types[value].dtype is DType.U32)
        for value in computation.reads
    ]
    op = computation.label.partition("[")[0]
    return schedule(f"{name}_{op}", computation.archetype, operands, target)


def _launch(computation: Computation, kernel: Kernel, target: Target) -> Launch:
    """A kernel's tasks are its own, a stream's depend on its length."""
    length = computation.length
    tasks = -(-length // target.task_elements) if length else kernel.tasks
    work = flops(computation.archetype, length)
    return Launch(kernel.name, tasks, kernel.scratch_bytes, work)
