"""``meganeura inspect``: the text of any stage of a model, or a picture of it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from ..autodiff import differentiate
from ..builders import build_session
from ..codegen.render.llvm import render_kernels
from ..codegen.render.wgsl import render_module
from ..compiler import Compiled, compile_graph
from ..errors import FormatError, GraphError, did_you_mean
from ..ir.graph import Value
from ..ir.text import print_graph
from ..kernel.target import GPU, Target
from ..load.files import write_atomically
from ..models import mnist, sd_unet
from ..ops.graph import Graph
from ..picture.graph import draw_graph
from ..picture.memory import draw_memory
from ..plan.plan import Plan
from ..report import CPU
from ..runs.record import kernel_table
from ..session import Session
from ..update import Adam, append_update

MODELS: dict[str, Callable[[Graph], Value]] = {
    "mnist": lambda g: mnist.build_training_graph(g, mnist.MnistConfig()),
    "sd-unet": lambda g: sd_unet.build_training_graph(g, sd_unet.SDUNetConfig.tiny()),
    "sd-unet-small": lambda g: sd_unet.build_training_graph(g, sd_unet.SDUNetConfig.small()),
}


def _updated(g: Graph) -> Graph:
    return append_update(differentiate(g), Adam(1e-3))


def _compiled(g: Graph, target: Target = CPU) -> Compiled:
    return compile_graph(_updated(g), target)


def _wgsl(g: Graph) -> str:
    compiled = _compiled(g, GPU)
    comments = compiled.comments()
    return "\n\n".join(render_module(k, GPU, comments[k.name]) for k in compiled.kernels)


def _times(compiled: Compiled) -> str:
    rows = [f"{name:<10}{ns / 1e6:>10.1f} ms\n" for name, ns in compiled.times_ns.items()]
    return "".join(rows)


def _optimized(g: Graph) -> str:
    """The graph that is lowered; nodes that are not stored are marked."""
    chosen = _compiled(g).optimized
    written = {value for values in (chosen.stored or {}).values() for value in values}
    lines = print_graph(chosen.graph).splitlines(keepends=True)
    for node in chosen.graph.nodes():
        if node.inputs and node.id not in written:
            lines[node.id] = f"{lines[node.id].rstrip():<90}  # where it is read\n"
    return "".join(lines)


def _computations(g: Graph) -> str:
    computations = _compiled(g).lowered.computations
    return "".join(
        f"{', '.join(f'v{v}' for v in c.writes)} = {c.label}: {c.archetype}\n" for c in computations
    )


@contextmanager
def _trained(g: Graph) -> Iterator[Session]:
    """A session that has made a step of Adam on zeros."""
    with build_session(g) as session:
        session.set_adam(1e-3)
        for node in g.nodes():
            if node.op.name == "input":
                session.set_input(str(node.name), np.zeros(node.ty.shape, node.ty.dtype.numpy))
        session.step()
        yield session


def _report(g: Graph) -> str:
    """What optimization does to a step of Adam."""
    with build_session(g) as session:
        session.set_adam(1e-3)
        return str(session.report())


TIMINGS = 15
"""Times that each dispatch is timed; the shortest counts."""


def _cost(g: Graph) -> str:
    """A step of Adam, dispatch by dispatch: what each was taken to cost, and what it takes. A copy
    counts with the dispatch that reads it."""
    with _trained(g) as session:
        found = np.min([session.time_dispatches() for _ in range(TIMINGS)], axis=0)
        steps = []
        for _ in range(TIMINGS):
            start = time.perf_counter_ns()
            session.step()
            session.wait()
            steps.append(time.perf_counter_ns() - start)
        head, plan = f"{session.device_information()}\n\n", session.plan()
    rows = costs(plan, [int(ns) for ns in found])
    lines = [f"{'dispatch':<72}{'runs':>6}{'cost µs':>12}{'took µs':>12}{'ratio':>8}"]
    for label, runs, cost_ns, took_ns in [*rows, _all(rows)]:
        ratio = f"{cost_ns / took_ns:.2f}" if took_ns else ""
        lines.append(
            f"{label[:71]:<72}{runs:>6}{cost_ns / 1e3:>12.1f}{took_ns / 1e3:>12.1f}{ratio:>8}"
        )
    step = sorted(steps)[len(steps) // 2]
    lines.append(f"a whole step: {step / 1e6:.2f} ms (median of {TIMINGS})")
    return head + "\n".join(lines) + "\n"


Row = tuple[str, int, float, int]
"""A label, how often it runs, what that was taken to cost, and what it took."""


def costs(plan: Plan, took_ns: list[int]) -> list[Row]:
    """Dispatches by label, those that cost most first; copies with those that read them."""
    copied: dict[int, int] = {}
    rows: dict[str, Row] = {}
    for dispatch, ns in zip(plan.dispatches, took_ns, strict=True):
        ns += sum(copied.pop(value, 0) for value in dispatch.reads)
        if dispatch.cost_ns == 0.0:
            copied[dispatch.writes[0]] = ns
            continue
        _, runs, cost, took = rows.get(dispatch.label, ("", 0, 0.0, 0))
        rows[dispatch.label] = (dispatch.label, runs + 1, cost + dispatch.cost_ns, took + ns)
    return sorted(rows.values(), key=lambda row: -row[2])


def _all(rows: list[Row]) -> Row:
    return (
        "all",
        sum(runs for _, runs, _, _ in rows),
        sum(cost for _, _, cost, _ in rows),
        sum(took for _, _, _, took in rows),
    )


def _dispatches(g: Graph) -> str:
    """A step of Adam, dispatch by dispatch: kinds of them by the time they take."""
    with _trained(g) as session:
        rows = kernel_table(session)
        head = f"{session.device_information()}\n\n"
    total = max(1.0, sum(row.time_ns for row in rows))
    lines = [f"{'dispatch':<48}{'runs':>6}{'µs':>12}{'share':>8}"]
    for row in rows:
        share = row.time_ns / total
        lines.append(f"{row.label:<48}{row.runs:>6}{row.time_ns / 1e3:>12.1f}{share:>8.1%}")
    lines.append(f"{'all':<48}{sum(row.runs for row in rows):>6}{total / 1e3:>12.1f}")
    return head + "\n".join(lines) + "\n"


STAGES: dict[str, Callable[[Graph], str]] = {
    "graph": lambda g: g.text(),
    "gradient": lambda g: differentiate(g).text(),
    "update": lambda g: _updated(g).text(),
    "expanded": lambda g: print_graph(_compiled(g).expanded),
    "optimized": _optimized,
    "kernels": _computations,
    "plan": lambda g: str(_compiled(g).plan),
    "loops": lambda g: "\n\n".join(map(str, _compiled(g).kernels)) + "\n",
    "times": lambda g: _times(_compiled(g)),
    "source": lambda g: render_kernels(_compiled(g).kernels),
    "wgsl": _wgsl,
    "dispatches": _dispatches,
    "cost": _cost,
    "rules": _report,
}


def _memory(g: Graph) -> str:
    inputs = [str(node.name) for node in g.nodes() if node.op.name == "input"]
    return draw_memory(_compiled(g).plan, inputs)


PICTURES: dict[str, Callable[[Graph], str]] = {
    "graph": draw_graph,
    "gradient": lambda g: draw_graph(differentiate(g)),
    "update": lambda g: draw_graph(_updated(g)),
    "optimized": lambda g: draw_graph(_compiled(g).optimized.graph),
    "plan": _memory,
}
"""Stages that can be drawn: graphs, and the memory of a plan over time."""


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser(
        "inspect",
        help="print a stage of a model as text, or draw it",
        epilog="example: meganeura inspect --stage gradient sd-unet; "
        "with --picture gradient.svg it is drawn",
    )
    parser.add_argument("model", help=", ".join(MODELS))
    parser.add_argument("--stage", default="graph", help=", ".join(STAGES))
    parser.add_argument(
        "--picture", metavar="FILE.svg", help=f"draw the stage instead: {', '.join(PICTURES)}"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the stage, or draw it."""
    if arguments.model not in MODELS:
        raise GraphError(
            f"there is no model {arguments.model!r}: {did_you_mean(arguments.model, list(MODELS))}"
        )
    if arguments.stage not in STAGES:
        raise GraphError(
            f"there is no stage {arguments.stage!r}: {did_you_mean(arguments.stage, list(STAGES))}"
        )
    if arguments.picture is not None:
        _check_picture(arguments.stage, arguments.picture)
    graph = Graph()
    graph.set_outputs([MODELS[arguments.model](graph)])
    if arguments.picture is None:
        print(STAGES[arguments.stage](graph), end="")
    else:
        write_atomically(arguments.picture, PICTURES[arguments.stage](graph).encode())
        print(arguments.picture)


def _check_picture(stage: str, path: str) -> None:
    if stage not in PICTURES:
        raise GraphError(f"the stage {stage!r} is not drawn; these are: {', '.join(PICTURES)}")
    if not path.lower().endswith(".svg"):
        raise FormatError(f"a picture is SVG, so its name ends in .svg, not {path!r}")
