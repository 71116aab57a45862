"""The U-Net with given weights and data, the same for the golden file and for PyTorch."""

from __future__ import annotations

from math import prod
from pathlib import Path

import numpy as np

from meganeura import Graph, build_session
from meganeura.autodiff import parameters
from meganeura.models.sd_unet import SDUNetConfig, build_training_graph

CONFIGS = {"tiny": SDUNetConfig.tiny(), "small": SDUNetConfig.small()}
COUNTS = {"tiny": 1_326_080, "small": 5_294_080}

GOLDEN_STEPS, LEARNING_RATE = {"tiny": 200, "small": 50}, 3e-4
"""With 1e-3 the larger one is chaotic: PyTorch in float32 then leaves its float64 by 2e-3."""
GOLDEN = Path(__file__).parents[1] / "golden" / "sd_unet.json"

Arrays = dict[str, np.ndarray]


def training_graph(cfg: SDUNetConfig) -> Graph:
    """The graph with its loss as output."""
    g = Graph()
    g.set_outputs([build_training_graph(g, cfg)])
    return g


def train(cfg: SDUNetConfig, device: str, steps: int) -> list[float]:
    """The loss before each of some steps by Adam."""
    weights, data = draw(cfg)
    losses = []
    with build_session(training_graph(cfg), device) as session:
        for name, array in weights.items():
            session.set_parameter(name, array)
        for name, array in data.items():
            session.set_input(name, array)
        session.set_adam(LEARNING_RATE)
        for _ in range(steps):
            session.step()
            losses.append(session.read_loss())
    return losses


def draw(cfg: SDUNetConfig) -> tuple[Arrays, Arrays]:
    """Weights, and the two inputs. Scales and shifts are not left at one and zero."""
    rng = np.random.default_rng(0)
    weights = {}
    for node in parameters(training_graph(cfg)):
        shape, name = node.ty.shape, node.name or ""
        around = 1.0 if "norm" in name and name.endswith("weight") else 0.0
        deviation = 0.1 if len(shape) == 1 else prod(shape[1:]) ** -0.5
        weights[name] = around + deviation * rng.standard_normal(shape)
    size = prod(cfg.input_shape())
    return weights, {name: rng.standard_normal(size) for name in ("x", "target")}
