"""Normalization layers."""

from __future__ import annotations

from ..ir.graph import Value
from ..ops import norm
from ..ops.graph import Graph


class RmsNorm:
    """``x / √(mean(x²) + eps) · weight`` on each row. Parameter: ``{name}.weight``."""

    def __init__(self, g: Graph, name: str, dim: int, eps: float = 1e-5) -> None:
        self.op = norm.RmsNorm(eps)
        self.weight = g.parameter(f"{name}.weight", [dim], "ones")

    def forward(self, x: Value) -> Value:
        """The same shape."""
        return self.op(x, self.weight)

    __call__ = forward


class LayerNorm:
    """``(x − mean) / √(var + eps) · weight + bias`` on each row. Parameters: ``{name}.weight``,
    ``{name}.bias``."""

    def __init__(self, g: Graph, name: str, dim: int, eps: float = 1e-5) -> None:
        self.op: norm.NormOp = norm.LayerNorm(eps)
        self.weight = g.parameter(f"{name}.weight", [dim], "ones")
        self.bias = g.parameter(f"{name}.bias", [dim], "zeros")

    def forward(self, x: Value) -> Value:
        """The same shape."""
        return self.op(x, self.weight, self.bias)

    __call__ = forward


class GroupNorm(LayerNorm):
    """Images ``[N, C, …]`` normalized over each group of channels, with a scale and a shift for
    each channel."""

    def __init__(
        self, g: Graph, name: str, num_groups: int, channels: int, eps: float = 1e-5
    ) -> None:
        super().__init__(g, name, channels, eps)
        self.op = norm.GroupNorm(eps, num_groups)
