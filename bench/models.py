"""Train steps of whole models, ours beside PyTorch's, by one protocol.

    python -m bench.models [--steps 20] [--compile]

Both sides get the same weights, data, optimizer and threads, in float32. After five warm-up steps,
whose losses must agree to 1e-4, steps are timed in turns, so that noise falls on both alike. A
ratio is PyTorch's best median over ours.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

import meganeura as mg
from bench.torch_unet import TorchUNet
from meganeura.models.mnist import MnistConfig, build_training_graph
from meganeura.models.sd_unet import SDUNetConfig
from tests.helpers.unet import draw, training_graph

WARM_UP, AGREE = 5, 1e-4
LEARNING_RATE = 1e-3
RESULTS = Path(__file__).parent / "results"

Step = Callable[[], float]
"""One step; its loss."""


@dataclass
class Runner:
    """A way to run a workload, and how long its steps took."""

    name: str
    step: Step
    first_seconds: float = 0.0
    losses: list[float] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)

    def warm_up(self) -> None:
        """Five steps, the first of which may compile."""
        start = time.perf_counter()
        self.losses.append(self.step())
        self.first_seconds = time.perf_counter() - start
        self.losses += [self.step() for _ in range(WARM_UP - 1)]

    def timed(self) -> None:
        """One step by the clock."""
        start = time.perf_counter_ns()
        self.step()
        self.times_ms.append((time.perf_counter_ns() - start) / 1e6)


def ours(graph: mg.Graph, weights: dict, data: dict, adam: bool) -> Runner:
    session = mg.build_session(graph, "cpu")
    if adam:
        session.set_adam(LEARNING_RATE)
    else:
        session.set_learning_rate(LEARNING_RATE)
    for name, array in weights.items():
        session.set_parameter(name, array)
    for name, array in data.items():
        session.set_input(name, array)

    def step() -> float:
        session.step()
        return session.read_loss()

    runner = Runner("meganeura", step)
    runner.warm_up()
    return runner


def theirs(name: str, loss: Callable[[], torch.Tensor], weights: list, adam: bool) -> Runner:
    make = torch.optim.Adam if adam else torch.optim.SGD
    optimizer = make(weights, lr=LEARNING_RATE)

    def step() -> float:
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        return value.item()

    runner = Runner(name, step)
    runner.warm_up()
    return runner


def unet(cfg: SDUNetConfig, with_compile: bool) -> list[Runner]:
    weights, data = (
        {name: array.astype(np.float32) for name, array in part.items()} for part in draw(cfg)
    )
    runners = [ours(training_graph(cfg), weights, data, adam=True)]
    for name, memory_format in (
        ("torch eager", torch.contiguous_format),
        ("torch channels_last", torch.channels_last),
    ):
        network = TorchUNet(cfg, weights, memory_format)
        runners.append(
            theirs(name, lambda n=network: n.loss(data), list(network.weights.values()), adam=True)
        )
    if with_compile:
        network = TorchUNet(cfg, weights)
        compiled = torch.compile(lambda n=network: n.loss(data))
        runners.append(
            theirs("torch compiled", compiled, list(network.weights.values()), adam=True)
        )
    return runners


def mnist(adam: bool) -> list[Runner]:
    cfg, rng = MnistConfig(), np.random.default_rng(0)
    g = mg.Graph()
    g.set_outputs([build_training_graph(g, cfg)])
    weights = {
        n.name: (rng.normal(size=n.ty.shape) * 0.05).astype(np.float32)
        for n in g.nodes()
        if n.op.name == "parameter"
    }
    x = rng.uniform(size=(cfg.batch_size, cfg.pixels)).astype(np.float32)
    labels = np.eye(cfg.classes, dtype=np.float32)[rng.integers(0, 10, cfg.batch_size)]
    runners = [ours(g, weights, {"x": x, "labels": labels}, adam)]
    w = {name: torch.tensor(array, requires_grad=True) for name, array in weights.items()}
    inputs, targets = torch.tensor(x), torch.tensor(labels)

    def loss() -> torch.Tensor:
        hidden = torch.relu(inputs @ w["fc1.weight"] + w["fc1.bias"])
        logits = hidden @ w["fc2.weight"] + w["fc2.bias"]
        return torch.nn.functional.cross_entropy(logits, targets)

    return [*runners, theirs("torch eager", loss, list(w.values()), adam)]


def measure(name: str, runners: list[Runner], steps: int) -> list[str]:
    """Steps in turns, and the rows of the table."""
    for _ in range(steps):
        for runner in runners:
            runner.timed()
    mine = statistics.median(runners[0].times_ms)
    best = min(statistics.median(r.times_ms) for r in runners[1:])
    rows = []
    for runner in runners:
        median, least = statistics.median(runner.times_ms), min(runner.times_ms)
        agrees = np.allclose(runner.losses, runners[0].losses, rtol=AGREE)
        ratio = f"{best / mine:.2f}×" if runner is runners[0] else ""
        rows.append(
            f"| {name} | {runner.name} | {median:.2f} | {least:.2f} | {ratio} | "
            f"{runner.first_seconds:.2f} | {'yes' if agrees else 'NO: row void'} |"
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--compile", action="store_true", help="also torch.compile (minutes)")
    arguments = parser.parse_args()
    workloads: dict[str, Callable[[], list[Runner]]] = {
        "SD U-Net tiny, train (Adam)": lambda: unet(SDUNetConfig.tiny(), arguments.compile),
        "SD U-Net small, train (Adam)": lambda: unet(SDUNetConfig.small(), arguments.compile),
        "MLP 784-128-10, train (Adam)": lambda: mnist(adam=True),
        "MLP 784-128-10, train (SGD)": lambda: mnist(adam=False),
    }
    lines = [
        f"{platform.machine()}, {os.cpu_count()} cores, PyTorch {torch.__version__}, "
        f"{torch.get_num_threads()} threads",
        "",
        "| workload | who | median ms | min ms | ratio | first step s | losses agree |",
        "|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for name, make in workloads.items():
        rows = measure(name, make(), arguments.steps)
        print("\n".join(rows), flush=True)
        lines += rows
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "models.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
