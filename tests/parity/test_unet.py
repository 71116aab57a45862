"""The U-Net of the specification, written a second time with PyTorch: the same loss, the same
gradients, and the same losses while Adam trains it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
import pytest

from meganeura.autodiff import differentiate, parameters
from meganeura.ir.interpret import interpret
from meganeura.models.sd_unet import SDUNetConfig
from tests.helpers.unet import (
    CONFIGS,
    COUNTS,
    GOLDEN,
    GOLDEN_STEPS,
    LEARNING_RATE,
    Arrays,
    draw,
    train,
    training_graph,
)
from tests.parity.compare import NEEDS_TORCH, assert_close

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)
torch.set_num_threads(1)
TorchUNet = pytest.importorskip("bench.peers").TorchUNet

pytestmark = [pytest.mark.parity, pytest.mark.parametrize("size", CONFIGS)]

STEPS = 50
"""Steps that PyTorch trains, fewer than are recorded: it is single-threaded here."""


def test_names_and_shapes_are_those_of_the_specification(size: str) -> None:
    shapes = dict(parameter_shapes(CONFIGS[size]))
    found = parameters(training_graph(CONFIGS[size]))
    assert {node.name: node.ty.shape for node in found} == shapes
    assert sum(map(prod, shapes.values())) == COUNTS[size]


def test_loss_and_gradients(size: str) -> None:
    cfg = CONFIGS[size]
    weights, data = draw(cfg)
    graph = differentiate(training_graph(cfg))
    loss, *gradients = interpret(graph, weights | data, np.float64)
    names = [graph.node(i).name for i in graph.gradients()]

    network = TorchUNet(cfg, weights)
    expected = network.loss(data)
    expected.backward()

    assert_close(loss, expected.detach().reshape(1), "the loss")
    assert set(names) == set(weights)
    for name, gradient in zip(names, gradients, strict=True):
        assert_close(gradient, network.weights[name].grad, f"the gradient of {name}")


def test_the_golden_file_holds_what_pytorch_finds(size: str) -> None:
    cfg = CONFIGS[size]
    weights, data = draw(cfg)
    network = TorchUNet(cfg, weights)
    loss = network.loss(data)
    loss.backward()
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))[size]
    assert_close(golden["loss"], loss.detach(), "the loss")
    assert set(golden["gradient_norms"]) == set(weights)
    for name, norm in golden["gradient_norms"].items():
        assert_close(norm, network.weights[name].grad.norm(), f"the gradient norm of {name}")


def test_losses_while_training(size: str) -> None:
    cfg = CONFIGS[size]
    weights, data = draw(cfg)
    expected = torch_losses(TorchUNet(cfg, weights), data)
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))[size]["losses"]
    assert len(golden) == GOLDEN_STEPS[size]
    for step, (ours, theirs) in enumerate(zip(golden[:STEPS], expected, strict=True)):
        assert_close(ours, theirs, f"the loss at step {step}", tolerance=1e-6)
    on_cpu = train(CONFIGS[size], "cpu", STEPS)
    for step, (ours, theirs) in enumerate(zip(on_cpu, expected, strict=True)):
        assert_close(ours, theirs, f"the loss on the CPU at step {step}", tolerance=1e-4)


# PyTorch's


def torch_losses(network: Any, data: Arrays) -> list[float]:
    """The loss before each step."""
    optimizer = torch.optim.Adam(network.weights.values(), lr=LEARNING_RATE)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = network.loss(data)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


Shapes = Iterator[tuple[str, tuple[int, ...]]]


def parameter_shapes(cfg: SDUNetConfig) -> Shapes:
    """Every parameter's name and shape, from the specification's text."""
    channels = [cfg.base_channels * 2**level for level in range(cfg.num_levels)]
    yield "conv_in.weight", (channels[0], cfg.in_channels, 3, 3)
    width = channels[0]
    for level, out in enumerate(channels):
        yield from res_block_shapes(f"encoder.{level}.resblock", width, out)
        if level + 1 < cfg.num_levels:
            yield f"encoder.{level}.downsample.weight", (out, out, 3, 3)
        width = out
    yield from res_block_shapes("middle.resblock", width, width)
    for level, out in reversed(list(enumerate(channels))):
        yield from res_block_shapes(f"decoder.{level}.resblock", width + out, out)
        width = out
    yield from norm_shapes("conv_out.norm", width)
    yield "conv_out.weight", (cfg.in_channels, width, 3, 3)


def res_block_shapes(name: str, width: int, out: int) -> Shapes:
    yield from norm_shapes(f"{name}.norm1", width)
    yield f"{name}.conv1.weight", (out, width, 3, 3)
    yield from norm_shapes(f"{name}.norm2", out)
    yield f"{name}.conv2.weight", (out, out, 3, 3)
    if width != out:
        yield f"{name}.res_conv.weight", (out, width, 1, 1)


def norm_shapes(name: str, channels: int) -> Shapes:
    yield f"{name}.weight", (channels,)
    yield f"{name}.bias", (channels,)
