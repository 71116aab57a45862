"""The compiler: every pass in order, one line each.

A graph comes in with its gradients and updates; a plan and its kernels go out. Each pass is timed,
and its result checked where there is a checker.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from .codegen.loops import Buffer, Kernel
from .codegen.schedule.choose import schedule
from .codegen.schedule.common import TASK_ELEMENTS
from .dtypes import DType
from .ir.graph import Graph
from .ir.verify import verify
from .kernel.archetype import Archetype
from .kernel.target import Target
from .plan.lower import Lowered, expand, lower, read_roots
from .plan.memory import plan_memory
from .plan.pack import pack
from .plan.plan import Dispatch, Plan
from .plan.share import share
from .plan.verify import verify_plan

T = TypeVar("T")


@dataclass
class Compiled:
    """What the passes made of a graph."""

    expanded: Graph
    lowered: Lowered
    plan: Plan
    kernels: list[Kernel]
    kernel_of: list[int]
    """For each dispatch, which kernel it runs."""
    kernels_key: str
    """What the kernels' code depends on, besides the target and this package."""
    results: dict[int, int]
    """For each value that is read after a step, where the plan keeps it."""
    times_ns: dict[str, int] = field(default_factory=dict)


def compile_graph(graph: Graph, target: Target) -> Compiled:
    """All passes from a graph to kernels."""
    times: dict[str, int] = {}

    def timed(name: str, work: Callable[[], T]) -> T:
        start = time.perf_counter_ns()
        result = work()
        times[name] = time.perf_counter_ns() - start
        return result

    expanded = timed("expand", lambda: verify(expand(graph), "expand"))
    lowered = timed("lower", lambda: lower(expanded))
    packed = timed("pack", lambda: pack(lowered, target))
    shared = timed("share", lambda: share(packed))
    plan = timed("plan", lambda: verify_plan(plan_memory(shared)))
    kernels, kernel_of = timed("schedule", lambda: schedule_plan(plan, target))
    roots = zip(read_roots(graph), read_roots(expanded), strict=True)
    results = {mine.id: shared.results[new.id] for mine, new in roots}
    first = {number: plan.dispatches[i] for i, number in reversed(list(enumerate(kernel_of)))}
    key = "\n".join(
        f"{kernel.name} {kernel.buffers} {first[number].archetype!r}"
        for number, kernel in enumerate(kernels)
    )
    return Compiled(expanded, shared, plan, kernels, kernel_of, key, results, times)


def schedule_plan(plan: Plan, target: Target) -> tuple[list[Kernel], list[int]]:
    """The distinct kernels of a plan, and which one each dispatch runs."""
    kernels: list[Kernel] = []
    kernel_of: list[int] = []
    known: dict[tuple[Archetype, tuple[bool, ...]], int] = {}
    for dispatch in plan.dispatches:
        whole = tuple(plan.types[v].dtype is DType.U32 for v in dispatch.reads)
        key = (dispatch.archetype, whole)
        if key not in known:
            known[key] = len(kernels)
            kernels.append(_kernel(f"k{len(kernels)}", plan, dispatch, whole, target))
        kernel_of.append(known[key])
    return kernels, kernel_of


def _kernel(
    name: str, plan: Plan, dispatch: Dispatch, whole: tuple[bool, ...], target: Target
) -> Kernel:
    operands = [
        Buffer("operand", plan.types[value].num_elements(), is_u32)
        for value, is_u32 in zip(dispatch.reads, whole, strict=True)
    ]
    op = dispatch.label.partition("[")[0]
    return schedule(f"{name}_{op}", dispatch.archetype, operands, target)


def tasks_of(dispatch: Dispatch, kernel: Kernel) -> int:
    """How many tasks a dispatch has; a stream's depend on its length."""
    return -(-dispatch.length // TASK_ELEMENTS) if dispatch.length else kernel.tasks
