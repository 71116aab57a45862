"""The U-Net of `meganeura.models.sd_unet`, written a second time with PyTorch: a peer for
benchmarks, and what parity tests compare with."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from meganeura.models.sd_unet import SDUNetConfig

F = torch.nn.functional
Arrays = dict[str, np.ndarray]


class TorchUNet:
    """Section 6 of the specification, with weights by name."""

    def __init__(self, cfg: SDUNetConfig, weights: Arrays, memory_format: Any = None) -> None:
        self.cfg = cfg
        self.memory_format = memory_format or torch.contiguous_format
        self.weights = {name: self._parameter(array) for name, array in weights.items()}

    def _parameter(self, array: np.ndarray) -> Any:
        tensor = torch.tensor(array)
        if tensor.ndim == 4:
            tensor = tensor.contiguous(memory_format=self.memory_format)
        return tensor.requires_grad_()

    def loss(self, data: Arrays) -> Any:
        x, target = (torch.tensor(data[name]) for name in ("x", "target"))
        cfg = self.cfg
        images = x.reshape(cfg.batch_size, cfg.in_channels, cfg.resolution, cfg.resolution)
        images = images.contiguous(memory_format=self.memory_format)
        return F.mse_loss(self.forward(images).flatten(), target)

    def forward(self, x: Any) -> Any:
        deepest = self.cfg.num_levels - 1
        h = self.conv("conv_in", x)
        skips = []
        for level in range(deepest + 1):
            h = self.res_block(f"encoder.{level}.resblock", h)
            skips.append(h)
            if level < deepest:
                h = self.conv(f"encoder.{level}.downsample", h, stride=2)
        h = self.res_block("middle.resblock", h)
        for level in range(deepest, -1, -1):
            if level < deepest:
                h = F.interpolate(h, scale_factor=2, mode="nearest")
            h = self.res_block(f"decoder.{level}.resblock", torch.cat((h, skips[level]), dim=1))
        return self.conv("conv_out", F.silu(self.norm("conv_out.norm", h)))

    def res_block(self, name: str, x: Any) -> Any:
        h = self.conv(f"{name}.conv1", F.silu(self.norm(f"{name}.norm1", x)))
        h = self.conv(f"{name}.conv2", F.silu(self.norm(f"{name}.norm2", h)))
        if x.shape[1] != h.shape[1]:
            x = F.conv2d(x, self.weights[f"{name}.res_conv.weight"])
        return x + h

    def conv(self, name: str, x: Any, stride: int = 1) -> Any:
        return F.conv2d(x, self.weights[f"{name}.weight"], stride=stride, padding=1)

    def norm(self, name: str, x: Any) -> Any:
        scale, shift = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return F.group_norm(x, self.cfg.num_groups, scale, shift, self.cfg.gn_eps)
