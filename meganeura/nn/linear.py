"""Linear layers and lookup tables."""

from __future__ import annotations

from ..arguments import checked_methods
from ..errors import GraphError
from ..ir.graph import Value
from ..ops import index
from ..ops.graph import Graph


@checked_methods(GraphError)
class Linear:
    """``x · weight + bias`` on the last axis: ``[…, in]`` gives ``[…, out]``.

    The weight is ``[in, out]``, HuggingFace's transposed; ``x`` has two axes or more, of which the
    last is ``in_features`` (`ShapeError`). Parameters: ``{name}.weight``, which starts uniform
    within ±1/√in, and, with ``bias``, ``{name}.bias``, which starts at zero.

    >>> fc = mg.nn.Linear(g, "fc", 784, 10)
    >>> fc(g.input("x", [32, 784])).shape, fc.weight.name
    ((32, 10), 'fc.weight')
    """

    def __init__(
        self, g: Graph, name: str, in_features: int, out_features: int, bias: bool = True
    ) -> None:
        shape = [in_features, out_features]
        self.weight = g.parameter(f"{name}.weight", shape, layout="linear")
        self.bias = g.parameter(f"{name}.bias", [out_features], "zeros") if bias else None

    def forward(self, x: Value) -> Value:
        """``[…, in]`` gives ``[…, out]``."""
        y = x @ self.weight
        return y if self.bias is None else y + self.bias

    __call__ = forward


@checked_methods(GraphError)
class Embedding:
    """Rows of ``{name}.weight``, ``[vocab, dim]``, by index: U32 ``[seq]`` gives ``[seq, dim]``.

    The weight starts normal with deviation 1/√dim. An index from ``vocab_size`` on is refused when
    it is fed (`GraphError`).

    >>> tokens = mg.nn.Embedding(g, "model.embed_tokens", vocab_size=1000, dim=64)
    >>> tokens(g.input_u32("ids", [12])).shape
    (12, 64)
    """

    def __init__(self, g: Graph, name: str, vocab_size: int, dim: int) -> None:
        self.weight = g.parameter(f"{name}.weight", [vocab_size, dim], "normal", "plain")

    def forward(self, indices: Value) -> Value:
        """U32 ``[…]`` gives ``[…, dim]``."""
        return index.Embedding()(indices, self.weight)

    __call__ = forward
