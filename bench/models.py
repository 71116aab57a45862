"""Steps of whole models, ours beside PyTorch's and JAX's, by one protocol.

    python -m bench.models [--steps 21] [--compile] [--only tiny]

All sides get the same weights, data, optimizer and threads, in float32. After five warm-up steps,
whose results must agree to 1e-4, steps are timed in turns, so that noise falls on all alike. The
ratio is PyTorch's best median over ours. The first step is that of a session whose kernels are not
on disk, then of one that finds them there.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

import meganeura as mg
from bench.onnx_peer import onnx_forward
from bench.peers import TorchUNet, jax_steps
from bench.transformer import block_data, block_graph, torch_block
from bench.turns import Runner, Table, in_turns, machine, write_results
from meganeura.models.mnist import MnistConfig, build_training_graph
from meganeura.models.sd_unet import SDUNetConfig, build_unet
from tests.helpers.unet import draw, training_graph

WARM_UP, AGREE = 5, 1e-4
LEARNING_RATE = 1e-3
BATCHES = (4, 8, 16, 32)


@dataclass
class ModelRunner(Runner):
    """A runner whose steps give a number that must agree with others'."""

    first_seconds: list[float] = field(default_factory=list)
    results: list[float] = field(default_factory=list)

    def warm_up(self) -> ModelRunner:
        """Five steps, the first of which may compile."""
        start = time.perf_counter()
        self.results.append(self.step())
        self.first_seconds.append(time.perf_counter() - start)
        self.results += [self.step() for _ in range(WARM_UP - 1)]
        return self


def ours(graph: mg.Graph, weights: dict, data: dict, rule: str) -> ModelRunner:
    """A session: trained by Adam or SGD, or only run."""

    def build() -> Callable[[], float]:
        make = mg.build_inference_session if rule == "forward" else mg.build_session
        session = make(graph, "cpu")
        if rule == "Adam":
            session.set_adam(LEARNING_RATE)
        elif rule == "SGD":
            session.set_learning_rate(LEARNING_RATE)
        for name, array in weights.items():
            session.set_parameter(name, array)
        for name, array in data.items():
            session.set_input(name, array)

        def step() -> float:
            session.step()
            return session.read_loss() if rule != "forward" else 0.0

        def checked() -> float:
            step()
            return float(np.abs(session.read_output()).mean())

        return checked if rule == "forward" else step

    with tempfile.TemporaryDirectory() as folder:
        os.environ["MEGANEURA_CACHE"] = folder
        seconds = []
        for _ in range(2):
            start = time.perf_counter()
            step = build()
            result = step()
            seconds.append(time.perf_counter() - start)
        del os.environ["MEGANEURA_CACHE"]
    runner = ModelRunner("meganeura", step, first_seconds=seconds, results=[result])
    runner.results += [step() for _ in range(WARM_UP - 1)]
    return runner


def torch_runner(
    name: str, loss: Callable[[], torch.Tensor], weights: list, rule: str
) -> ModelRunner:
    """PyTorch's step; with the rule `forward`, `loss` is the prediction."""
    if rule == "forward":

        def forward() -> float:
            with torch.no_grad():
                return loss().abs().mean().item()

        return ModelRunner(name, forward).warm_up()
    make = torch.optim.Adam if rule == "Adam" else torch.optim.SGD
    optimizer = make(weights, lr=LEARNING_RATE)

    def step() -> float:
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        return value.item()

    return ModelRunner(name, step).warm_up()


def unet(
    cfg: SDUNetConfig, rule: str, with_compile: bool, with_others: bool = True
) -> list[ModelRunner]:
    """The U-Net in all libraries, or ours and PyTorch's."""
    weights, data = (
        {name: array.astype(np.float32) for name, array in part.items()} for part in draw(cfg)
    )
    if rule == "forward":
        graph, inputs = mg.Graph(), {"x": data["x"]}
        graph.set_outputs([build_unet(graph, cfg)])
    else:
        graph, inputs = training_graph(cfg), data
    runners = [ours(graph, weights, inputs, rule)]
    networks = {
        "PyTorch eager": TorchUNet(cfg, weights),
        "PyTorch channels_last": TorchUNet(cfg, weights, torch.channels_last),
    }
    if with_compile:
        networks["PyTorch compiled"] = TorchUNet(cfg, weights)
    for name, network in networks.items():
        run = network.forward if rule == "forward" else network.loss
        call: Any = lambda run=run: run(data)  # noqa: E731
        call = torch.compile(call) if name == "PyTorch compiled" else call
        runners.append(torch_runner(name, call, list(network.weights.values()), rule))
    if not with_others:
        return runners
    train, forward = jax_steps(cfg, weights, data, LEARNING_RATE)
    step = train if rule == "Adam" else lambda: float(np.abs(forward()).mean())
    runners.append(ModelRunner("JAX jit", step).warm_up())
    if rule == "forward":
        run = onnx_forward(cfg, weights, data, torch.get_num_threads())
        checked = lambda: float(np.abs(run()).mean())  # noqa: E731
        runners.append(ModelRunner("ONNX Runtime", checked).warm_up())
    return runners


def transformer_block(rule: str, with_compile: bool) -> list[ModelRunner]:
    """A block of a language model."""
    graph = block_graph(train=rule != "forward")
    weights, inputs = block_data(graph)
    runners = [ours(graph, weights, inputs, rule)]
    data = {name: torch.tensor(array) for name, array in inputs.items()}
    for name in ("PyTorch eager", *(["PyTorch compiled"] if with_compile else [])):
        w = {key: torch.tensor(array, requires_grad=True) for key, array in weights.items()}
        forward = torch_block(w)

        def run(forward: Any = forward) -> torch.Tensor:
            y = forward(data["x"])
            return y if rule == "forward" else torch.nn.functional.mse_loss(y, data["target"])

        call: Any = torch.compile(run) if name == "PyTorch compiled" else run
        runners.append(torch_runner(name, call, list(w.values()), rule))
    return runners


def mnist(rule: str) -> list[ModelRunner]:
    """A small classifier: most of a step is not arithmetic."""
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
    runners = [ours(g, weights, {"x": x, "labels": labels}, rule)]
    w = {name: torch.tensor(array, requires_grad=True) for name, array in weights.items()}
    inputs, targets = torch.tensor(x), torch.tensor(labels)

    def loss() -> torch.Tensor:
        hidden = torch.relu(inputs @ w["fc1.weight"] + w["fc1.bias"])
        logits = hidden @ w["fc2.weight"] + w["fc2.bias"]
        return torch.nn.functional.cross_entropy(logits, targets)

    return [*runners, torch_runner("PyTorch eager", loss, list(w.values()), rule)]


def measure(table: Table, name: str, runners: list[ModelRunner], steps: int) -> None:
    """Steps in turns, and the rows of the table."""
    in_turns(runners, steps)
    best = min(r.median() for r in runners[1:] if r.name.startswith("PyTorch"))
    for runner in runners:
        agrees = np.allclose(runner.results, runners[0].results, rtol=AGREE)
        ratio = f"{best / runner.median():.2f}×" if runner is runners[0] else ""
        first = " / ".join(f"{seconds:.2f}" for seconds in runner.first_seconds)
        times = (f"{runner.median():.2f}", f"{min(runner.times_ms):.2f}")
        table.row(name, runner.name, *times, ratio, first, "yes" if agrees else "NO: row void")


def grow(table: Table, cfg: SDUNetConfig, steps: int) -> None:
    """Steps of larger and larger batches, in turns."""
    runners = []
    for n in BATCHES:
        weights, data = draw(replace(cfg, batch_size=n))
        made = ours(training_graph(replace(cfg, batch_size=n)), weights, data, "Adam")
        runners.append(replace(made, name=f"batch {n}"))
    in_turns(runners, steps)
    times = [runner.median() for runner in runners]
    for i, runner in enumerate(runners):
        beside = f"{times[i] / times[i - 1]:.2f}×" if i else ""
        table.row(runner.name, f"{times[i]:.2f}", beside)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=21)
    parser.add_argument("--only", default="", help="workloads with this in their names")
    parser.add_argument("--compile", action="store_true", help="also torch.compile (minutes)")
    arguments = parser.parse_args()
    tiny, small, compiled = SDUNetConfig.tiny(), SDUNetConfig.small(), arguments.compile
    workloads: dict[str, Callable[[], list[ModelRunner]]] = {
        "SD U-Net tiny, train (Adam)": lambda: unet(tiny, "Adam", compiled),
        "SD U-Net tiny, forward": lambda: unet(tiny, "forward", compiled),
        "SD U-Net small, train (Adam)": lambda: unet(small, "Adam", compiled),
        "SD U-Net small, forward": lambda: unet(small, "forward", compiled),
        **{
            f"SD U-Net tiny, batch {n}, {words}": lambda n=n, rule=rule: unet(
                replace(tiny, batch_size=n), rule, False, with_others=False
            )
            for n in (1, 16)
            for rule, words in (("Adam", "train (Adam)"), ("forward", "forward"))
        },
        "transformer block, train (Adam)": lambda: transformer_block("Adam", compiled),
        "transformer block, forward": lambda: transformer_block("forward", compiled),
        "MLP 784-128-10, train (Adam)": lambda: mnist("Adam"),
        "MLP 784-128-10, train (SGD)": lambda: mnist("SGD"),
    }
    print(machine(), f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads", flush=True)
    table = Table("workload", "who", "median ms", "min ms", "ratio", "first step s", "agree")
    for name, make in workloads.items():
        if arguments.only in name:
            measure(table, name, make(), arguments.steps)
    print(flush=True)
    growth = Table("SD U-Net tiny, train (Adam)", "median ms", "beside half the batch")
    if arguments.only in "growth":
        grow(growth, tiny, arguments.steps)
    if not arguments.only:
        write_results("models", ["\n".join(part.lines) for part in (table, growth)])


if __name__ == "__main__":
    main()
