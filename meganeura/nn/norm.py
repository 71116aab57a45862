"""Normalization layers."""

from __future__ import annotations

from ..arguments import checked_methods
from ..errors import GraphError
from ..ir.graph import Value
from ..ops import norm
from ..ops.graph import Graph


@checked_methods(GraphError)
class RmsNorm:
    """``x / √(mean(x²) + eps) · weight`` on each row of ``x[…, dim]`` (Zhang & Sennrich 2019).

    Parameter: ``{name}.weight``, ``[dim]``, which starts at one. `Graph.rms_norm` says what is
    refused.

    >>> mg.nn.RmsNorm(g, "norm", 64)(g.input("x", [32, 64])).shape
    (32, 64)
    """

    def __init__(self, g: Graph, name: str, dim: int, eps: float = 1e-5) -> None:
        self.op = norm.RmsNorm(eps)
        self.weight = g.parameter(f"{name}.weight", [dim], "ones")

    def forward(self, x: Value) -> Value:
        """``[…, dim]`` gives the same shape."""
        return self.op(x, self.weight)

    __call__ = forward


@checked_methods(GraphError)
class LayerNorm:
    """``(x − mean) / √(var + eps) · weight + bias`` on each row of ``x[…, dim]`` (Ba et al. 2016).

    Parameters: ``{name}.weight``, which starts at one, and ``{name}.bias``, which starts at zero,
    both ``[dim]``. `Graph.layer_norm` says what is refused.

    >>> mg.nn.LayerNorm(g, "norm", 64)(g.input("x", [32, 64])).shape
    (32, 64)
    """

    def __init__(self, g: Graph, name: str, dim: int, eps: float = 1e-5) -> None:
        self.op: norm.NormOp = norm.LayerNorm(eps)
        self.weight = g.parameter(f"{name}.weight", [dim], "ones")
        self.bias = g.parameter(f"{name}.bias", [dim], "zeros")

    def forward(self, x: Value) -> Value:
        """The same shape."""
        return self.op(x, self.weight, self.bias)

    __call__ = forward


@checked_methods(GraphError)
class GroupNorm(LayerNorm):
    """``(x − mean) / √(var + eps) · weight + bias``, by groups of channels (Wu & He 2018).

    Images are ``[N, C, …]``; mean and variance are of an image's group. Parameters:
    ``{name}.weight``, which starts at one, and ``{name}.bias``, which starts at zero, both ``[C]``.
    ``num_groups`` divides ``channels``, else calling it is a `ShapeError`.

    >>> mg.nn.GroupNorm(g, "norm", num_groups=8, channels=32)(g.input("x", [4, 32, 8, 8])).shape
    (4, 32, 8, 8)
    """

    def __init__(
        self, g: Graph, name: str, num_groups: int, channels: int, eps: float = 1e-5
    ) -> None:
        super().__init__(g, name, channels, eps)
        self.op = norm.GroupNorm(eps, num_groups)
