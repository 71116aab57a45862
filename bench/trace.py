"""What a trace costs, how much of a step it explains, and how long threads wait for each other.

    python -m bench.trace

Steps with a trace and without one, in turns: of the U-Net (tiny, Adam), and of a small network with
short steps.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable

import numpy as np

import meganeura as mg
from bench.turns import Runner, Table, in_turns, write_results
from meganeura import trace
from meganeura.models.mnist import MnistConfig, build_training_graph
from meganeura.models.sd_unet import SDUNetConfig
from meganeura.profiler.perfetto import bounds
from tests.helpers.unet import training_graph

STEPS = 90


def session_for(graph: mg.Graph) -> mg.Session:
    """A session with random data, trained by Adam."""
    session = mg.build_session(graph, "cpu")
    session.set_adam(1e-3)
    rng = np.random.default_rng(0)
    for node in graph.nodes():
        if node.op.name == "input":
            session.set_input(str(node.name), rng.random(node.ty.shape))
    session.step()
    return session


def traced(session: mg.Session, found: trace.Trace) -> Callable[[], None]:
    """A step with a trace."""

    def step() -> None:
        with trace.apart(found):
            session.step()

    return step


def covered(span: trace.Span, step: trace.DeviceStep) -> float:
    """The part of a step that dispatches explain."""
    starts, ends = bounds(step.times)
    return float((ends - starts).sum()) / (span.end_ns - span.start_ns)


def idle(step: trace.DeviceStep) -> float:
    """The part of a step in which a thread waits for another."""
    times = step.times
    whole = (times[:, :, 1].max() - times[:, :, 0].min()) * len(times)
    return 1 - float((times[:, :, 1] - times[:, :, 0]).sum()) / whole


def main() -> None:
    mnist = mg.Graph()
    mnist.set_outputs([build_training_graph(mnist, MnistConfig())])
    models = {
        "SD U-Net tiny, train (Adam)": training_graph(SDUNetConfig.tiny()),
        "MLP 784-128-10, train (Adam)": mnist,
    }
    table = Table("workload", "ms", "ms with a trace", "overhead", "covered", "threads wait")
    for name, graph in models.items():
        session, found = session_for(graph), trace.Trace()
        plain, watched = Runner("plain", session.step), Runner("traced", traced(session, found))
        in_turns([plain, watched], STEPS)
        share = statistics.median(map(covered, found.spans, found.steps))
        waiting = statistics.median(map(idle, found.steps))
        overhead = watched.median() / plain.median() - 1
        table.row(
            name,
            f"{plain.median():.2f}",
            f"{watched.median():.2f}",
            f"{overhead:.1%}",
            f"{share:.1%}",
            f"{waiting:.1%}",
        )
    write_results("trace", ["\n".join(table.lines)])


if __name__ == "__main__":
    main()
