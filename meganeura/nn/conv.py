"""Convolution layers."""

from __future__ import annotations

from ..errors import ShapeError
from ..ir.graph import Value
from ..ops.conv import Conv2d as Conv2dOp
from ..ops.conv import add_bias
from ..ops.graph import Graph
from ..ops.image import Pair, pair


class Conv2d:
    """Convolution of ``[N, C, H, W]`` images. Parameters: ``{name}.weight``
    (``[out, in/groups, kH, kW]``) and, with ``bias``, ``{name}.bias``."""

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
