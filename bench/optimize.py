"""What optimization gains: the same models as they are and optimized, in turns.

    python -m bench.optimize [--steps 41]

For each model: the time of a training step (Adam), dispatches, bytes moved and arena before and
after; how well costs predict a step; and how long optimization takes. Then ablations of the U-Net:
with each group of rules left out, and with none. Then a transformer of the shape of SmolLM2-135M,
at several depths: how optimization takes longer as graphs grow.
"""

from __future__ import annotations

import argparse

import numpy as np

import meganeura as mg
from bench.transformer import BLOCK, SEQUENCE, block_graph
from bench.turns import Runner, Table, in_turns, machine, write_results
from meganeura.egraph.rules import GROUPS
from meganeura.models import mnist, sd_unet
from meganeura.nn.attention import TransformerBlock

VOCABULARY = 49152
LAYERS = (4, 8, 16, 30)


def transformer(layers: int, vocabulary: int) -> mg.Graph:
    """A language model's training."""
    g = mg.Graph()
    tokens, labels = g.input_u32("tokens", (SEQUENCE,)), g.input_u32("labels", (SEQUENCE,))
    x = mg.nn.Embedding(g, "embed", vocabulary, 576)(tokens)
    for i in range(layers):
        x = TransformerBlock(g, f"layers.{i}", BLOCK)(x)
    logits = mg.nn.Linear(g, "head", 576, vocabulary, bias=False)(mg.nn.RmsNorm(g, "norm", 576)(x))
    g.set_outputs([g.cross_entropy_loss(logits, labels)])
    return g


def unet(cfg: sd_unet.SDUNetConfig) -> mg.Graph:
    g = mg.Graph()
    g.set_outputs([sd_unet.build_training_graph(g, cfg)])
    return g


def mlp() -> mg.Graph:
    g = mg.Graph()
    g.set_outputs([mnist.build_training_graph(g, mnist.MnistConfig())])
    return g


MODELS = {
    "SD U-Net tiny": lambda: unet(sd_unet.SDUNetConfig.tiny()),
    "SD U-Net small": lambda: unet(sd_unet.SDUNetConfig.small()),
    "MLP 784-128-10": mlp,
    "transformer block": lambda: block_graph(train=True),
}


def session(graph: mg.Graph, **options) -> mg.Session:
    """A session that trains on random data."""
    made = mg.build(graph, mg.SessionConfig("cpu", **options))
    made.set_adam(1e-4)
    rng = np.random.default_rng(0)
    for node in graph.nodes():
        if node.op.name == "input" and node.ty.dtype is mg.DType.U32:
            made.set_input_u32(node.name, rng.integers(0, VOCABULARY, node.ty.shape))
        elif node.op.name == "input":
            made.set_input(node.name, rng.uniform(size=node.ty.shape))
    for _ in range(5):
        made.step()
    return made


def compare(table: Table, name: str, graph: mg.Graph, steps: int) -> None:
    """A row: before and after."""
    before, after = session(graph, optimize=False), session(graph)
    runners = [Runner("before", before.step), Runner("after", after.step)]
    in_turns(runners, steps)
    slow, fast = (runner.median() for runner in runners)
    found = after.report()
    phases = {phase: ns / 1e6 for phase, ns in found.times_ns.items()}
    took = sum(phases[phase] for phase in ("saturate", "candidates", "extract"))
    table.row(
        name,
        f"{slow:.2f} / {fast:.2f}",
        f"{slow / fast:.2f}×",
        f"{found.cost_ns / 1e6:.2f}",
        f"{found.before.kernels} / {found.after.kernels}",
        f"{found.before.moved_bytes / 1e6:.0f} / {found.after.moved_bytes / 1e6:.0f}",
        f"{found.before.arena_bytes / 1e6:.1f} / {found.after.arena_bytes / 1e6:.1f}",
        f"{phases['saturate']:.0f} + {phases['candidates']:.0f} + {phases['extract']:.0f} = "
        f"{took:.0f}",
        f"{found.gap:.3%}",
    )
    for made in (before, after):
        made.close()


def ablate(table: Table, steps: int) -> None:
    """The U-Net with groups of rules left out."""
    graph = MODELS["SD U-Net tiny"]()
    ways = {"all rules": {}, "exact": {"exact": True}}
    ways |= {
        f"without {group}": {"optimize": tuple(g for g in GROUPS if g != group)} for group in GROUPS
    }
    ways |= {"kernels only": {"optimize": ()}, "not optimized": {"optimize": False}}
    sessions = {name: session(graph, **options) for name, options in ways.items()}
    runners = [Runner(name, made.step) for name, made in sessions.items()]
    in_turns(runners, steps)
    for runner in runners:
        plan = sessions[runner.name].plan()
        table.row(runner.name, f"{runner.median():.2f}", len(plan.dispatches))
    for made in sessions.values():
        made.close()


def grow(table: Table) -> None:
    """Optimization of deeper and deeper networks."""
    for layers in LAYERS:
        _, found = mg.compile_training_graph(transformer(layers, VOCABULARY))
        phases = {phase: ns / 1e6 for phase, ns in found.times_ns.items()}
        optimizing = [phases[phase] for phase in ("saturate", "candidates", "extract")]
        table.row(
            layers,
            found.nodes_before,
            *(f"{ms:.0f}" for ms in optimizing),
            f"{sum(optimizing):.0f}",
            f"{sum(phases.values()):.0f}",
            f"{found.before.kernels} / {found.after.kernels}",
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=41)
    steps = parser.parse_args().steps
    print(machine(), flush=True)
    models = Table(
        "model, training step (Adam)",
        "ms before / after",
        "gain",
        "predicted ms",
        "dispatches",
        "MB moved",
        "arena MB",
        "saturation + candidates + extraction ms",
        "gap",
    )
    for name, make in MODELS.items():
        compare(models, name, make(), steps)
    ablations = Table("SD U-Net tiny", "ms a step", "dispatches")
    ablate(ablations, steps)
    growth = Table(
        "layers", "nodes", "saturate ms", "candidates ms", "extract ms", "sum", "all", "dispatches"
    )
    grow(growth)
    tables = (models, ablations, growth)
    write_results("optimize", ["\n".join(table.lines) for table in tables])


if __name__ == "__main__":
    main()
