"""What optimization has done to a graph, as a table.

In:  a graph compiled twice: as it is, and optimized.   Out: an `OptimizeReport`.
"""

from __future__ import annotations

from dataclasses import dataclass

from .arguments import checked
from .autodiff import differentiate
from .compiler import Compiled, compile_graph
from .egraph.optimize import Options
from .ir.graph import Graph
from .kernel.target import Target
from .plan.plan import Plan

ExecutionPlan = Plan

CPU = Target("cpu", lanes=8)
"""A processor with vectors of eight floats."""
MOST_RULES = 12
"""Rules that the printed table names."""


@dataclass(frozen=True)
class Size:
    """How large a plan is."""

    kernels: int
    """Dispatches of a step."""
    moved_bytes: int
    """What they read and write."""
    arena_bytes: int


@dataclass(frozen=True)
class OptimizeReport:
    """What optimization has done, and how long it took."""

    nodes_before: int
    nodes_after: int
    classes: int
    e_nodes: int
    candidates: int
    rules: dict[str, int]
    """How often each rule matched, of those that did."""
    before: Size
    after: Size
    cost_ns: float
    """What a step is taken to cost."""
    gap: float
    """How much cheaper the best choice could be, as a part of that; 0 if this is the best."""
    is_complete: bool
    """Whether no rule had anything to add."""
    times_ns: dict[str, int]
    """What each phase took."""

    def __str__(self) -> str:
        rows = [
            ("nodes", f"{self.nodes_before:,}", f"{self.nodes_after:,}"),
            ("kernels", f"{self.before.kernels:,}", f"{self.after.kernels:,}"),
            ("bytes moved", f"{self.before.moved_bytes:,}", f"{self.after.moved_bytes:,}"),
            ("arena bytes", f"{self.before.arena_bytes:,}", f"{self.after.arena_bytes:,}"),
        ]
        lines = [f"{'':<14}{'before':>16}{'after':>16}"]
        lines += [f"{name:<14}{before:>16}{after:>16}" for name, before, after in rows]
        state = "saturated" if self.is_complete else "not saturated"
        best = "optimal" if self.gap < 1e-6 else f"within {self.gap:.3%} of the best"
        lines.append(f"{self.classes:,} classes, {self.e_nodes:,} e-nodes ({state})")
        lines.append(f"{self.candidates:,} candidates; {self.cost_ns / 1e6:.2f} ms a step, {best}")
        times = (f"{name} {ns / 1e6:.0f} ms" for name, ns in self.times_ns.items())
        lines.append(f"took: {', '.join(times)}")
        most = sorted(self.rules.items(), key=lambda item: (-item[1], item[0]))
        lines += [f"{name:<40}{count:>6}" for name, count in most[:MOST_RULES]]
        if len(most) > MOST_RULES:
            lines.append(f"and {len(most) - MOST_RULES} rules more")
        return "\n".join(lines) + "\n"


def report(graph: Graph, target: Target, options: Options) -> tuple[Compiled, OptimizeReport]:
    """A graph with its gradients and updates, compiled, and what optimization did to it."""
    after, before = compile_graph(graph, target, options), compile_graph(graph, target, None)
    facts = after.optimized.facts
    phases = {name: after.times_ns[name] for name in ("expand", "lower", "schedule", "plan")}
    return after, OptimizeReport(
        facts.nodes,
        len(after.optimized.graph),
        facts.classes,
        facts.e_nodes,
        facts.candidates,
        facts.fired,
        _size(before.plan),
        _size(after.plan),
        facts.cost_ns,
        facts.gap,
        facts.is_complete,
        facts.times_ns | phases,
    )


def _size(plan: Plan) -> Size:
    return Size(len(plan.dispatches), plan.moved_bytes(), plan.arena_bytes)


@checked
def compile_training_graph(graph: Graph) -> tuple[ExecutionPlan, OptimizeReport]:
    """The plan of a graph with its gradients, for a processor of this kind, and what optimization
    did to it. Nothing is made ready to run."""
    compiled, found = report(differentiate(graph), CPU, Options())
    return compiled.plan, found
