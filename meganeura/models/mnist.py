"""A two-layer network for handwritten digits: 784 pixels, a hidden layer, ten classes."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.graph import Value
from ..ops.graph import Graph


@dataclass(frozen=True)
class MnistConfig:
    """The sizes of the network."""

    batch_size: int = 32
    pixels: int = 784
    hidden: int = 128
    classes: int = 10


def build_network(g: Graph, cfg: MnistConfig) -> Value:
    """The logits ``[batch, classes]`` for the input ``x[batch, pixels]``."""
    x = g.input("x", [cfg.batch_size, cfg.pixels])
    w1 = g.parameter("fc1.weight", [cfg.pixels, cfg.hidden], layout="linear")
    b1 = g.parameter("fc1.bias", [cfg.hidden])
    w2 = g.parameter("fc2.weight", [cfg.hidden, cfg.classes], layout="linear")
    b2 = g.parameter("fc2.bias", [cfg.classes])
    hidden = g.relu(g.bias_add(g.matmul(x, w1), b1))
    return g.bias_add(g.matmul(hidden, w2), b2)


def build_training_graph(g: Graph, cfg: MnistConfig) -> Value:
    """The cross-entropy between the logits for ``x`` and the one-hot input ``labels``."""
    logits = build_network(g, cfg)
    return g.cross_entropy_loss(logits, g.input("labels", logits.shape))
