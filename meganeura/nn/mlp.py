"""Feed-forward blocks of transformers."""

from __future__ import annotations

from ..arguments import checked_methods
from ..errors import GraphError, did_you_mean
from ..ir.graph import Value
from ..ir.op import REGISTRY
from ..ops.activation import Swiglu
from ..ops.graph import Graph
from .linear import Linear

ACTIVATIONS = ("relu", "gelu", "gelu_erf", "silu", "tanh", "sigmoid")


@checked_methods(GraphError)
class SwiGluFfn:
    """``down(silu(gate(x)) · up(x))``, from ``dim`` to ``hidden`` and back (Shazeer 2020).

    Parameters: ``{name}.{gate,up,down}_proj.weight``, without biases, as in Llama.

    >>> mg.nn.SwiGluFfn(g, "mlp", dim=64, hidden=172)(g.input("x", [10, 64])).shape
    (10, 64)
    """

    def __init__(self, g: Graph, name: str, dim: int, hidden: int) -> None:
        self.gate_proj = Linear(g, f"{name}.gate_proj", dim, hidden, bias=False)
        self.up_proj = Linear(g, f"{name}.up_proj", dim, hidden, bias=False)
        self.down_proj = Linear(g, f"{name}.down_proj", hidden, dim, bias=False)

    def forward(self, x: Value) -> Value:
        """``[…, dim]`` gives the same shape."""
        return self.down_proj(Swiglu()(self.gate_proj(x), self.up_proj(x)))

    __call__ = forward


@checked_methods(GraphError)
class Mlp:
    """``fc2(activation(fc1(x)))``, from ``dim`` to ``hidden`` to ``out``.

    ``activation`` is ``"relu"``, ``"gelu"``, ``"gelu_erf"``, ``"silu"``, ``"tanh"`` or
    ``"sigmoid"``, else it is a `GraphError`. Parameters: ``{name}.fc{1,2}.{weight,bias}``.

    >>> mg.nn.Mlp(g, "mlp", 64, 256, 64, activation="gelu")(g.input("x", [10, 64])).shape
    (10, 64)
    """

    def __init__(
        self, g: Graph, name: str, dim: int, hidden: int, out: int, activation: str = "relu"
    ) -> None:
        if activation not in ACTIVATIONS:
            raise GraphError(
                f"Mlp: there is no activation {activation!r}",
                hint=did_you_mean(str(activation), ACTIVATIONS),
            )
        self.fc1 = Linear(g, f"{name}.fc1", dim, hidden)
        self.fc2 = Linear(g, f"{name}.fc2", hidden, out)
        self.activation = REGISTRY[activation]()

    def forward(self, x: Value) -> Value:
        """``[…, dim]`` gives ``[…, out]``."""
        return self.fc2(self.activation(self.fc1(x)))

    __call__ = forward
