"""A U-Net in the manner of Stable Diffusion 1.5 (Rombach et al. 2022), without attention.

Encoder levels of one residual block and a strided convolution, a middle block, decoder levels of
upsampling, the encoder's skip, and a block. Inputs ``x`` and ``target`` are flat NCHW tensors.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import GraphError
from ..ir.graph import Value
from ..nn import Conv2d, GroupNorm
from ..ops.graph import Graph


@dataclass(frozen=True)
class SDUNetConfig:
    """The sizes of a U-Net."""

    batch_size: int
    in_channels: int
    """Channels of the input and of the output; 4 for the latents of Stable Diffusion."""
    base_channels: int
    """Channels at the first level; each level has twice the channels of the one before."""
    num_levels: int
    resolution: int
    """Height and width of the input; each level but the last halves it."""
    num_groups: int
    gn_eps: float

    def __post_init__(self) -> None:
        if self.num_levels < 1 or self.resolution % 2 ** (self.num_levels - 1):
            raise GraphError(
                f"SDUNetConfig: resolution {self.resolution} cannot be halved at each of "
                f"{self.num_levels} levels"
            )

    @staticmethod
    def tiny() -> SDUNetConfig:
        """1,326,080 parameters, batch 4: for benchmarks."""
        return SDUNetConfig(4, 4, 32, 3, 32, 8, 1e-5)

    @staticmethod
    def small() -> SDUNetConfig:
        """5,294,080 parameters, batch 2."""
        return SDUNetConfig(2, 4, 64, 3, 32, 16, 1e-5)

    def channels(self, level: int) -> int:
        """Channels at a level."""
        return self.base_channels << level

    def input_shape(self) -> tuple[int, int, int, int]:
        """The images' shape, NCHW."""
        return (self.batch_size, self.in_channels, self.resolution, self.resolution)


def build_unet(g: Graph, cfg: SDUNetConfig) -> Value:
    """The network from the input ``x`` to its prediction, flat like ``x``."""
    shape = cfg.input_shape()
    flat = [cfg.batch_size * cfg.in_channels * cfg.resolution**2]
    x = g.reshape(g.input("x", flat), shape)
    h = _conv(g, "conv_in", cfg.in_channels, cfg.base_channels)(x)
    skips = []
    last = cfg.num_levels - 1
    for level in range(cfg.num_levels):
        previous = cfg.channels(max(level - 1, 0))
        h = _res_block(g, f"encoder.{level}.resblock", cfg, h, previous, cfg.channels(level))
        skips.append(h)
        if level != last:
            channels = cfg.channels(level)
            h = _conv(g, f"encoder.{level}.downsample", channels, channels, stride=2)(h)
    h = _res_block(g, "middle.resblock", cfg, h, cfg.channels(last), cfg.channels(last))
    for level in reversed(range(cfg.num_levels)):
        below = cfg.channels(min(level + 1, last))
        if level != last:
            h = g.upsample_2x(h)
        h = g.concat(h, skips[level])
        joined = below + cfg.channels(level)
        h = _res_block(g, f"decoder.{level}.resblock", cfg, h, joined, cfg.channels(level))
    h = g.silu(_norm(g, "conv_out.norm", cfg, cfg.base_channels)(h))
    return g.reshape(_conv(g, "conv_out", cfg.base_channels, cfg.in_channels)(h), flat)


def build_training_graph(g: Graph, cfg: SDUNetConfig) -> Value:
    """The mean squared error between the prediction for ``x`` and the input ``target``."""
    prediction = build_unet(g, cfg)
    return g.mse_loss(prediction, g.input("target", prediction.shape))


def _conv(
    g: Graph, name: str, in_channels: int, out_channels: int, kernel: int = 3, stride: int = 1
) -> Conv2d:
    padding = kernel // 2
    return Conv2d(g, name, in_channels, out_channels, kernel, stride, padding, bias=False)


def _norm(g: Graph, name: str, cfg: SDUNetConfig, channels: int) -> GroupNorm:
    return GroupNorm(g, name, cfg.num_groups, channels, cfg.gn_eps)


def _res_block(
    g: Graph, name: str, cfg: SDUNetConfig, x: Value, in_channels: int, out_channels: int
) -> Value:
    """Twice norm, SiLU, convolution; plus the input, through a 1×1 convolution if it must widen."""
    h = g.silu(_norm(g, f"{name}.norm1", cfg, in_channels)(x))
    h = _conv(g, f"{name}.conv1", in_channels, out_channels)(h)
    h = g.silu(_norm(g, f"{name}.norm2", cfg, out_channels)(h))
    h = _conv(g, f"{name}.conv2", out_channels, out_channels)(h)
    if in_channels != out_channels:
        x = _conv(g, f"{name}.res_conv", in_channels, out_channels, kernel=1)(x)
    return h + x
