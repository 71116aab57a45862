"""Self-attention and the transformer block, in the shape of Llama-like models."""

from __future__ import annotations

from dataclasses import dataclass

from ..arguments import checked_methods
from ..errors import GraphError
from ..ir.graph import Value
from ..ops.attention import Attention
from ..ops.graph import Graph
from ..ops.rope import Rope
from .linear import Linear
from .mlp import SwiGluFfn
from .norm import RmsNorm


@dataclass(frozen=True)
class AttentionConfig:
    """The sizes of a self-attention layer.

    ``dim`` is the width of its rows; ``num_heads`` query heads share ``num_kv_heads`` key/value
    heads of ``head_dim`` (even) columns each; ``rope_theta`` is the base of the rotary positions;
    the rows are ``batch`` sequences one after another.

    >>> mg.nn.AttentionConfig(dim=64, num_heads=4, num_kv_heads=2, head_dim=16).rope_theta
    10000.0
    """

    dim: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    rope_theta: float = 10000.0
    batch: int = 1


@checked_methods(GraphError)
class CausalSelfAttention:
    """``o(causal_attention(rope(q(x)), rope(k(x)), v(x)))``: attention with rotary positions.

    ``[batch·seq, dim]`` gives the same shape. Parameters: ``{name}.{q,k,v,o}_proj.weight``, without
    biases, as in Llama. `Graph.causal_attention` says how heads are shared, and what of the sizes
    is refused when the layer is called.

    >>> cfg = mg.nn.AttentionConfig(dim=64, num_heads=4, num_kv_heads=2, head_dim=16)
    >>> mg.nn.CausalSelfAttention(g, "layers.0.self_attn", cfg)(g.input("x", [10, 64])).shape
    (10, 64)
    """

    def __init__(self, g: Graph, name: str, cfg: AttentionConfig) -> None:
        width, kv_width = cfg.num_heads * cfg.head_dim, cfg.num_kv_heads * cfg.head_dim
        self.q_proj = Linear(g, f"{name}.q_proj", cfg.dim, width, bias=False)
        self.k_proj = Linear(g, f"{name}.k_proj", cfg.dim, kv_width, bias=False)
        self.v_proj = Linear(g, f"{name}.v_proj", cfg.dim, kv_width, bias=False)
        self.o_proj = Linear(g, f"{name}.o_proj", width, cfg.dim, bias=False)
        self.rope = Rope(cfg.rope_theta, cfg.head_dim, batch=cfg.batch)
        self.attention = Attention(
            cfg.num_heads, cfg.num_kv_heads, cfg.head_dim, cfg.batch, causal=True
        )

    def forward(self, x: Value) -> Value:
        """``[batch·seq, dim]`` gives the same shape."""
        q, k = self.rope(self.q_proj(x)), self.rope(self.k_proj(x))
        packed = self.attention(q, k, self.v_proj(x))
        return self.o_proj(self.attention.result(packed, q))

    __call__ = forward


@dataclass(frozen=True)
class TransformerBlockConfig:
    """The sizes of a transformer block: its attention, the hidden width of its MLP, the norms' eps.

    >>> attention = mg.nn.AttentionConfig(dim=64, num_heads=4, num_kv_heads=2, head_dim=16)
    >>> mg.nn.TransformerBlockConfig(attention, ffn_hidden=172).norm_eps
    1e-05
    """

    attention: AttentionConfig
    ffn_hidden: int
    norm_eps: float = 1e-5


@checked_methods(GraphError)
class TransformerBlock:
    """``x + attention(norm(x))``, then ``x + mlp(norm(x))``: Llama's block (Touvron et al. 2023).

    The norms are `RmsNorm`, the MLP is `SwiGluFfn`; ``[batch·seq, dim]`` gives the same shape.
    Parameters: ``{name}.input_layernorm``, ``.self_attn``, ``.post_attention_layernorm``, ``.mlp``.

    >>> attention = mg.nn.AttentionConfig(dim=64, num_heads=4, num_kv_heads=2, head_dim=16)
    >>> block = mg.nn.TransformerBlock(g, "layers.0", mg.nn.TransformerBlockConfig(attention, 172))
    >>> block(g.input("x", [10, 64])).shape
    (10, 64)
    """

    def __init__(self, g: Graph, name: str, cfg: TransformerBlockConfig) -> None:
        dim = cfg.attention.dim
        self.input_layernorm = RmsNorm(g, f"{name}.input_layernorm", dim, cfg.norm_eps)
        self.self_attn = CausalSelfAttention(g, f"{name}.self_attn", cfg.attention)
        self.post_attention_layernorm = RmsNorm(
            g, f"{name}.post_attention_layernorm", dim, cfg.norm_eps
        )
        self.mlp = SwiGluFfn(g, f"{name}.mlp", dim, cfg.ffn_hidden)

    def forward(self, x: Value) -> Value:
        """``[batch·seq, dim]`` gives the same shape."""
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

    __call__ = forward
