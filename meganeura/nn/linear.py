"""Linear layers and lookup tables."""

from __future__ import annotations

from ..ir.graph import Value
from ..ops import index
from ..ops.graph import Graph


class Linear:
    """``x · weight + bias`` on the last axis; the weight is ``[in, out]``.

    Parameters: ``{name}.weight`` and, with ``bias``, ``{name}.bias``."""

    def __init__(
        self, g: Graph, name: str, in_features: int, out_features: int, bias: bool = True
    ) -> None:
        self.weight = g.parameter(f"{name}.weight", [in_features, out_features])
        self.bias = g.parameter(f"{name}.bias", [out_features], "zeros") if bias else None

    def forward(self, x: Value) -> Value:
        """``[…, in]`` gives ``[…, out]``."""
        y = x @ self.weight
        return y if self.bias is None else y + self.bias

    __call__ = forward


class Embedding:
    """Rows of ``{name}.weight``, ``[vocab, dim]``, by index."""

    def __init__(self, g: Graph, name: str, vocab_size: int, dim: int) -> None:
        self.weight = g.parameter(f"{name}.weight", [vocab_size, dim], "normal")

    def forward(self, indices: Value) -> Value:
        """U32 ``[seq]`` gives ``[seq, dim]``."""
        return index.Embedding()(indices, self.weight)

    __call__ = forward
