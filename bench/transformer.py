"""A transformer block of SmolLM2-135M's shape: ours, and the same with PyTorch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch.nn import functional as f

import meganeura as mg
from meganeura.nn.attention import AttentionConfig, TransformerBlock, TransformerBlockConfig

BLOCK = TransformerBlockConfig(AttentionConfig(576, 9, 3, 64), 1536)
SEQUENCE = 128

Arrays = dict[str, np.ndarray]


def block_graph(train: bool) -> mg.Graph:
    """The block; to train it, with the mean squared error by ``target``."""
    g = mg.Graph()
    shape = (SEQUENCE, BLOCK.attention.dim)
    y = TransformerBlock(g, "block", BLOCK)(g.input("x", shape))
    g.set_outputs([g.mse_loss(y, g.input("target", shape)) if train else y])
    return g


def block_data(graph: mg.Graph) -> tuple[Arrays, Arrays]:
    """Weights, and inputs."""
    rng = np.random.default_rng(0)
    weights, inputs = {}, {}
    for node in graph.nodes():
        drawn = rng.normal(size=node.ty.shape).astype(np.float32)
        if node.op.name == "parameter":
            weights[node.name] = np.ones_like(drawn) if drawn.ndim == 1 else drawn * 0.05
        elif node.op.name == "input":
            inputs[node.name] = drawn
    return weights, inputs


def torch_block(weights: dict[str, torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
    """The block with PyTorch."""
    cfg = BLOCK.attention
    half = cfg.head_dim // 2
    rates = cfg.rope_theta ** (-torch.arange(half) / half)
    angles = torch.outer(torch.arange(SEQUENCE), rates)
    cos, sin = angles.cos(), angles.sin()

    def heads(x: torch.Tensor, count: int) -> torch.Tensor:
        return x.view(SEQUENCE, count, cfg.head_dim).transpose(0, 1)

    def turned(x: torch.Tensor) -> torch.Tensor:
        a, b = x[..., :half], x[..., half:]
        return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)

    def by(x: torch.Tensor, name: str) -> torch.Tensor:
        return x @ weights[f"block.{name}.weight"]

    def norm(x: torch.Tensor, name: str) -> torch.Tensor:
        return f.rms_norm(x, (cfg.dim,), weights[f"block.{name}.weight"], BLOCK.norm_eps)

    def forward(x: torch.Tensor) -> torch.Tensor:
        h = norm(x, "input_layernorm")
        q = turned(heads(by(h, "self_attn.q_proj"), cfg.num_heads))
        k = turned(heads(by(h, "self_attn.k_proj"), cfg.num_kv_heads))
        v = heads(by(h, "self_attn.v_proj"), cfg.num_kv_heads)
        attended = f.scaled_dot_product_attention(
            q[None], k[None], v[None], is_causal=True, enable_gqa=True
        )
        joined = attended[0].transpose(0, 1).reshape(SEQUENCE, cfg.num_heads * cfg.head_dim)
        x = x + by(joined, "self_attn.o_proj")
        h = norm(x, "post_attention_layernorm")
        gated = f.silu(by(h, "mlp.gate_proj")) * by(h, "mlp.up_proj")
        return x + by(gated, "mlp.down_proj")

    return forward
