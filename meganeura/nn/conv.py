"""Convolution layers."""

from __future__ import annotations

from ..arguments import checked_methods
from ..errors import GraphError, ShapeError
from ..ir.graph import Value
from ..ops.conv import Conv2d as Conv2dOp
from ..ops.conv import add_bias
from ..ops.graph import Graph
from ..ops.image import Pair, pair


@checked_methods(GraphError)
class Conv2d:
    """Convolution of ``[N, C, H, W]`` images, as `Graph.conv2d` says.

    ``kernel``, ``stride``, ``padding`` and ``dilation`` are one number or a pair (h, w).
    Parameters: ``{name}.weight`` (``[out, in/groups, kH, kW]``), which starts uniform within
    ±1/√(in/groups·kH·kW), and, with ``bias``, ``{name}.bias`` (``[out]``), which starts at zero.
    Channels that do not divide into ``groups`` are a `ShapeError`, and so are flat images.

    >>> conv = mg.nn.Conv2d(g, "conv_in", 3, 16, kernel=3, stride=2, padding=1)
    >>> conv(g.input("x", [8, 3, 32, 32])).shape
    (8, 16, 16, 16)
    """

    def __init__(
        self,
        g: Graph,
        name: str,
        in_channels: int,
        out_channels: int,
        kernel: Pair,
        stride: Pair = 1,
        padding: Pair = 0,
        bias: bool = True,
        groups: int = 1,
        dilation: Pair = 1,
    ) -> None:
        self.op = Conv2dOp(
            pair(stride, f"{name}: stride"),
            pair(padding, f"{name}: padding"),
            pair(dilation, f"{name}: dilation"),
            groups,
        )
        if groups < 1 or in_channels % groups or out_channels % groups:
            raise ShapeError(
                f"{name}: {in_channels} and {out_channels} channels do not divide into "
                f"{groups} groups"
            )
        shape = [out_channels, in_channels // groups, *pair(kernel, f"{name}: kernel")]
        self.weight = g.parameter(f"{name}.weight", shape)
        self.bias = g.parameter(f"{name}.bias", [out_channels], "zeros") if bias else None

    def forward(self, x: Value) -> Value:
        """``[N, in, H, W]`` gives ``[N, out, outH, outW]``."""
        y = self.op(x, self.weight)
        return y if self.bias is None else add_bias(y, self.bias)

    __call__ = forward
