"""PyTorch's form of ops that are not one call there, in the shapes that ours have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity.compare import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)
F = torch.nn.functional


def scalar(loss: Any) -> Any:
    """PyTorch's ``[]`` as our ``[1]``."""
    return loss.reshape(1)


def choose(condition: Any, a: Any, b: Any) -> Any:
    return torch.where(condition != 0, a, b)


def binary_cross_entropy(p: Any, t: Any) -> Any:
    # PyTorch's own clamps the logarithm instead of the probability.
    p = p.clamp(1e-7, 1 - 1e-7)
    return scalar(-(t * p.log() + (1 - t) * (1 - p).log()).mean())


def weighted_cross_entropy(x: Any, w: Any) -> Any:
    return scalar(-(w * x.log_softmax(-1)).sum() / x.shape[0])


def attended(q: Any, k: Any, v: Any, head_dim: int, batch: int, mask: Any = None) -> Any:
    """PyTorch's attention on rows of heads; ``mask`` is added to the scores."""

    def by_head(x: Any) -> Any:
        return x.reshape(batch, -1, x.shape[1] // head_dim, head_dim).transpose(1, 2)

    out = F.scaled_dot_product_attention(
        by_head(q), by_head(k), by_head(v), attn_mask=mask, enable_gqa=True
    )
    return out.transpose(1, 2).reshape(q.shape)


def rotated(x: Any, start: Any = 0, *, theta: float, head_dim: int, batch: int = 1) -> Any:
    """Rotary embedding as HuggingFace's ``apply_rotary_pos_emb`` writes it."""
    rows = x.shape[0] // batch
    heads = x.reshape(batch, rows, -1, head_dim)
    frequency = 1.0 / theta ** (torch.arange(0, head_dim, 2, dtype=x.dtype) / head_dim)
    angle = torch.outer(torch.arange(rows, dtype=x.dtype) + start, frequency)
    angle = torch.cat((angle, angle), dim=-1)[:, None, :]  # [rows, 1, head_dim]
    first, second = heads.chunk(2, dim=-1)
    turned = torch.cat((-second, first), dim=-1)
    return (heads * angle.cos() + turned * angle.sin()).reshape(x.shape)


def doubled(x: Any) -> Any:
    return F.interpolate(x, scale_factor=2, mode="nearest")
