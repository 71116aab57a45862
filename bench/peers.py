"""The U-Net of `meganeura.models.sd_unet`, written a second time, over the operations of another
library: peers for benchmarks, and what parity tests compare with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from meganeura.models.sd_unet import SDUNetConfig

Arrays = dict[str, np.ndarray]


class Operations(Protocol):
    """What the network needs of a library."""

    def conv(self, x: Any, w: Any, stride: int, padding: int) -> Any: ...
    def norm(self, x: Any, groups: int, scale: Any, shift: Any, eps: float) -> Any: ...
    def silu(self, x: Any) -> Any: ...
    def upsample(self, x: Any) -> Any: ...
    def join(self, x: Any, y: Any) -> Any: ...
    def add(self, x: Any, y: Any) -> Any: ...


def unet(cfg: SDUNetConfig, ops: Operations, weights: dict[str, Any], x: Any) -> Any:
    """The network's prediction for images."""

    def conv(name: str, x: Any, stride: int = 1) -> Any:
        return ops.conv(x, weights[f"{name}.weight"], stride, 1)

    def norm(name: str, x: Any) -> Any:
        scale, shift = weights[f"{name}.weight"], weights[f"{name}.bias"]
        return ops.silu(ops.norm(x, cfg.num_groups, scale, shift, cfg.gn_eps))

    def res_block(name: str, x: Any) -> Any:
        h = conv(f"{name}.conv1", norm(f"{name}.norm1", x))
        h = conv(f"{name}.conv2", norm(f"{name}.norm2", h))
        if x.shape[1] != h.shape[1]:
            x = ops.conv(x, weights[f"{name}.res_conv.weight"], 1, 0)
        return ops.add(x, h)

    deepest = cfg.num_levels - 1
    h = conv("conv_in", x)
    skips = []
    for level in range(deepest + 1):
        h = res_block(f"encoder.{level}.resblock", h)
        skips.append(h)
        if level < deepest:
            h = conv(f"encoder.{level}.downsample", h, stride=2)
    h = res_block("middle.resblock", h)
    for level in range(deepest, -1, -1):
        if level < deepest:
            h = ops.upsample(h)
        h = res_block(f"decoder.{level}.resblock", ops.join(h, skips[level]))
    return conv("conv_out", norm("conv_out.norm", h))


class TorchOperations:
    """PyTorch's."""

    def __init__(self) -> None:
        import torch

        self.torch, self.f = torch, torch.nn.functional
        self.silu = self.f.silu

    def conv(self, x: Any, w: Any, stride: int, padding: int) -> Any:
        return self.f.conv2d(x, w, stride=stride, padding=padding)

    def norm(self, x: Any, groups: int, scale: Any, shift: Any, eps: float) -> Any:
        return self.f.group_norm(x, groups, scale, shift, eps)

    def upsample(self, x: Any) -> Any:
        return self.f.interpolate(x, scale_factor=2, mode="nearest")

    def join(self, x: Any, y: Any) -> Any:
        return self.torch.cat((x, y), dim=1)

    def add(self, x: Any, y: Any) -> Any:
        return x + y


class TorchUNet:
    """The network with PyTorch, its weights by name."""

    def __init__(self, cfg: SDUNetConfig, weights: Arrays, memory_format: Any = None) -> None:
        self.cfg, self.ops = cfg, TorchOperations()
        self.torch = self.ops.torch
        self.memory_format = memory_format or self.torch.contiguous_format
        self.weights = {name: self._parameter(array) for name, array in weights.items()}

    def _parameter(self, array: np.ndarray) -> Any:
        tensor = self.torch.tensor(array)
        if tensor.ndim == 4:
            tensor = tensor.contiguous(memory_format=self.memory_format)
        return tensor.requires_grad_()

    def forward(self, data: Arrays) -> Any:
        """The prediction, flat."""
        images = self.torch.tensor(data["x"]).reshape(self.cfg.input_shape())
        images = images.contiguous(memory_format=self.memory_format)
        return unet(self.cfg, self.ops, self.weights, images).flatten()

    def loss(self, data: Arrays) -> Any:
        """The mean squared error."""
        target = self.torch.tensor(data["target"])
        return self.ops.f.mse_loss(self.forward(data), target)


class JaxOperations:
    """JAX's."""

    def __init__(self) -> None:
        import jax

        self.jax, self.jnp = jax, jax.numpy
        self.silu = jax.nn.silu

    def conv(self, x: Any, w: Any, stride: int, padding: int) -> Any:
        return self.jax.lax.conv(x, w, (stride, stride), [(padding, padding)] * 2)

    def norm(self, x: Any, groups: int, scale: Any, shift: Any, eps: float) -> Any:
        rows = x.reshape(x.shape[0], groups, -1)
        centred = rows - rows.mean(axis=2, keepdims=True)
        variance = (centred * centred).mean(axis=2, keepdims=True)
        normal = (centred * self.jax.lax.rsqrt(variance + eps)).reshape(x.shape)
        return normal * scale[:, None, None] + shift[:, None, None]

    def upsample(self, x: Any) -> Any:
        return x.repeat(2, axis=2).repeat(2, axis=3)

    def join(self, x: Any, y: Any) -> Any:
        return self.jnp.concatenate((x, y), axis=1)

    def add(self, x: Any, y: Any) -> Any:
        return x + y


def jax_steps(
    cfg: SDUNetConfig, weights: Arrays, data: Arrays, learning_rate: float
) -> tuple[Callable[[], float], Callable[[], Any]]:
    """A training step by Adam, which gives the loss, and a forward pass; both compiled by JAX."""
    ops = JaxOperations()
    jax, jnp = ops.jax, ops.jnp
    x, target = jnp.asarray(data["x"]).reshape(cfg.input_shape()), jnp.asarray(data["target"])

    def forward(weights: Any) -> Any:
        return unet(cfg, ops, weights, x).reshape(-1)

    def loss(weights: Any) -> Any:
        difference = forward(weights) - target
        return (difference * difference).mean()

    @jax.jit
    def train(weights: Any, m: Any, v: Any, t: Any) -> Any:
        value, grads = jax.value_and_grad(loss)(weights)
        tree = jax.tree_util.tree_map
        m = tree(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = tree(lambda v, g: 0.999 * v + 0.001 * g * g, v, grads)

        def moved(w: Any, m: Any, v: Any) -> Any:
            root = jnp.sqrt(v / (1 - 0.999**t))
            return w - learning_rate * (m / (1 - 0.9**t)) / (root + 1e-8)

        return value, tree(moved, weights, m, v), m, v

    state: dict[str, Any] = {"weights": {k: jnp.asarray(w) for k, w in weights.items()}, "t": 0}
    state["m"] = state["v"] = {k: jnp.zeros_like(w) for k, w in state["weights"].items()}
    run = jax.jit(forward)

    def step() -> float:
        state["t"] += 1
        value, state["weights"], state["m"], state["v"] = train(
            state["weights"], state["m"], state["v"], jnp.float32(state["t"])
        )
        return float(value)

    return step, lambda: run(state["weights"]).block_until_ready()
