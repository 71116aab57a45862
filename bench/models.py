"""Times each stage from building a model to one training step; medians and minima.

python bench/models.py [--device reference] [--steps 20]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

import meganeura as mg
from meganeura.models import mnist, sd_unet

WARM_UP = 2


def timed(work: Callable[[], object], repeats: int) -> tuple[float, float]:
    """The median and the minimum time of ``work``, in milliseconds, after warming up."""
    times = []
    for i in range(WARM_UP + repeats):
        start = time.perf_counter_ns()
        work()
        if i >= WARM_UP:
            times.append((time.perf_counter_ns() - start) / 1e6)
    return statistics.median(times), min(times)


def training_graph(build: Callable[[mg.Graph], mg.Value]) -> mg.Graph:
    g = mg.Graph()
    g.set_outputs([build(g)])
    return g


def feed(session: mg.Session, graph: mg.Graph) -> None:
    """Normal noise into every input."""
    rng = np.random.default_rng(0)
    for node in graph.nodes():
        if node.op.name == "input":
            session.set_input(node.name, rng.normal(size=node.ty.shape))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", default="auto")
    parser.add_argument("--steps", type=int, default=5)
    arguments = parser.parse_args()
    models: dict[str, Callable[[mg.Graph], mg.Value]] = {
        "mnist": lambda g: mnist.build_training_graph(g, mnist.MnistConfig()),
        "sd-unet tiny": lambda g: sd_unet.build_training_graph(g, sd_unet.SDUNetConfig.tiny()),
        "sd-unet small": lambda g: sd_unet.build_training_graph(g, sd_unet.SDUNetConfig.small()),
    }
    print(f"{'':<16}{'stage':<16}{'median ms':>12}{'min ms':>12}")
    for name, build in models.items():
        graph = training_graph(build)
        gradient = mg.differentiate(graph)
        with mg.build_session(graph, arguments.device) as session:
            session.set_adam(1e-3)
            feed(session, graph)
            stages: dict[str, Callable[[], object]] = {
                "build": lambda build=build: training_graph(build),
                "differentiate": lambda graph=graph: mg.differentiate(graph),
                "update": lambda gradient=gradient: mg.append_update(gradient, mg.Adam(1e-3)),
                "step (Adam)": session.step,
            }
            for stage, work in stages.items():
                median, least = timed(work, arguments.steps)
                print(f"{name:<16}{stage:<16}{median:>12.2f}{least:>12.2f}", flush=True)


if __name__ == "__main__":
    main()
