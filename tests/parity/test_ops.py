"""Every graph method that PyTorch can express: the same values and the same gradients.

One table. A case gives PyTorch's form of an op and what its operands are drawn from; the test
compares the results, and the gradients of a randomly weighted sum of them, so that no op can get
away with ignoring the gradient that comes in. Sizes are odd and differ, so that exchanged axes
cannot go unnoticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from meganeura.autodiff import differentiate
from meganeura.ir.interpret import interpret
from meganeura.ops.graph import Graph
from meganeura.ops.leaf import LeafMethods
from tests.parity import torch_forms as forms
from tests.parity.cases import (
    BROADCAST,
    Case,
    Draw,
    alike,
    below,
    bits,
    cases,
    exactly,
    mask,
    normal,
    positive,
    ties,
    uniform,
)
from tests.parity.compare import NEEDS_TORCH, assert_close

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)
torch.set_num_threads(1)
F = torch.nn.functional
pytestmark = pytest.mark.parity


WIDE = [normal(9, scale=300.0)]
"""A sample on which a careless exponential overflows."""

POINTWISE = [
    *cases("add", torch.add, *alike(2, normal), *BROADCAST),
    *cases("sub", torch.sub, *alike(2, normal), *BROADCAST),
    *cases("mul", torch.mul, *alike(2, normal), *BROADCAST),
    *cases("div", torch.div, *alike(2, positive), *BROADCAST),
    *cases("pow", torch.pow, *alike(2, positive), [positive(3, 1, 5), normal(7, 1)]),
    *cases("pow", lambda x: x**3, *alike(1, normal, ties), y=3.0),
    *cases("pow", lambda x: 2.5**x, *alike(1, normal), ours=lambda g, x: g.pow(2.5, x)),
    *cases("maximum", torch.maximum, *alike(2, normal, ties), *BROADCAST),
    *cases("minimum", torch.minimum, *alike(2, normal, ties), *BROADCAST),
    *cases("greater", lambda a, b: (a > b).double(), *alike(2, normal, ties), *BROADCAST),
    *cases("greater_equal", lambda a, b: (a >= b).double(), *alike(2, ties), *BROADCAST),
    *cases("equal", lambda a, b: (a == b).double(), *alike(2, ties), *BROADCAST),
    *cases("where", forms.choose, *alike(3, ties), [ties(5, 7), normal(5, 1), normal(7)]),
    *cases("bias_add", torch.add, [normal(5, 7), normal(7)], [normal(1, 3), normal(3)]),
    *cases("broadcast_add", torch.add, [normal(5, 7), normal(1, 7)], [normal(1, 3), normal(1, 3)]),
    *cases("relu", torch.relu, *alike(1, normal, ties)),
    *cases("abs", torch.abs, *alike(1, normal, ties)),
    *cases("sign", torch.sign, *alike(1, normal, ties)),
    *cases("neg", torch.neg, *alike(1, normal)),
    *cases("exp", torch.exp, *alike(1, normal)),
    *cases("log", torch.log, *alike(1, positive)),
    *cases("recip", torch.reciprocal, *alike(1, positive)),
    *cases("sqrt", torch.sqrt, *alike(1, positive)),
    *cases("rsqrt", torch.rsqrt, *alike(1, positive)),
    *cases("sin", torch.sin, *alike(1, normal)),
    *cases("cos", torch.cos, *alike(1, normal)),
    *cases("erf", torch.erf, *alike(1, normal)),
    *cases("sigmoid", torch.sigmoid, *alike(1, normal), WIDE),
    *cases("tanh", torch.tanh, *alike(1, normal), WIDE),
    *cases("silu", F.silu, *alike(1, normal), WIDE),
    *cases("gelu", lambda x: F.gelu(x, approximate="tanh"), *alike(1, normal), WIDE),
    *cases("gelu_erf", F.gelu, *alike(1, normal), WIDE),
    *cases("swiglu", lambda gate, up: F.silu(gate) * up, *alike(2, normal)),
    *cases("swiglu", lambda x: F.silu(x) * x, [normal(5, 7)], ours=lambda g, x: g.swiglu(x, x)),
    *cases(
        "stop_gradient",
        lambda x: x * x.detach(),
        *alike(1, normal),
        ours=lambda g, x: g.mul(x, g.stop_gradient(x)),
    ),
]

CUBES = ([normal(3, 5, 7)], [ties(3, 5, 7)])

REDUCTIONS = [
    *cases("sum_all", lambda x: forms.scalar(x.sum()), *alike(1, normal)),
    *cases("mean_all", lambda x: forms.scalar(x.mean()), *alike(1, normal)),
    *cases("sum", torch.sum, *alike(1, normal)),
    *cases("sum", lambda x: x.sum(1), *CUBES, axes=1),
    *cases("sum", lambda x: x.sum((0, 2), keepdim=True), *CUBES, axes=(-1, 0), keep=True),
    *cases("mean", torch.mean, *alike(1, normal)),
    *cases("mean", lambda x: x.mean(0), *CUBES, axes=0),
    *cases("mean", lambda x: x.mean((1, 2), keepdim=True), *CUBES, axes=[2, 1], keep=True),
    *cases("max", torch.amax, *alike(1, normal, ties)),
    *cases("max", lambda x: x.amax((0, 2)), *CUBES, axes=(0, 2)),
    *cases("max", lambda x: x.amax(1, keepdim=True), *CUBES, axes=-2, keep=True),
]


ROWS = ([normal(5, 7)], [ties(3, 9)], [normal(5, 1)], [normal(3, 5, 7)], [normal(5, 7, scale=500)])

LOSSES = [
    *cases("softmax", lambda x: x.softmax(-1), *ROWS, [mask(5, 7)]),
    *cases("log_softmax", lambda x: x.log_softmax(-1), *ROWS),
    *cases(
        "cross_entropy_loss",
        forms.weighted_cross_entropy,
        [normal(5, 7), normal(5, 7)],
        [normal(3, 9, scale=300.0), positive(3, 9)],
    ),
    *cases(
        "cross_entropy_loss",
        lambda x, classes: forms.scalar(F.cross_entropy(x, classes)),
        [normal(5, 7), below(7, 5)],
        [normal(9, 3, scale=300.0), below(3, 9)],
    ),
    *cases(
        "bce_loss",
        forms.binary_cross_entropy,
        [uniform(0.0, 1.0, 5, 7), uniform(0.0, 1.0, 5, 7)],
        [uniform(-0.5, 1.5, 31), uniform(0.0, 1.0, 31)],
        [bits(9), bits(9)],
    ),
    *cases("mse_loss", lambda p, t: forms.scalar(F.mse_loss(p, t)), *alike(2, normal)),
    *cases("l1_loss", lambda p, t: forms.scalar(F.l1_loss(p, t)), *alike(2, normal, ties)),
    *cases(
        "a sum of losses",
        lambda x, w, c: forms.weighted_cross_entropy(x, w) + c * F.mse_loss(x, w),
        [normal(5, 7), normal(5, 7), normal(1)],
        ours=lambda g, x, w, c: g.add(g.cross_entropy_loss(x, w), g.mul(c, g.mse_loss(x, w))),
    ),
]

NORMS = [
    *cases(
        "rms_norm",
        lambda x, w: F.rms_norm(x, w.shape, w, 1e-6),
        [normal(5, 7), normal(7)],
        [normal(1, 31, scale=1e-3), normal(31)],
        eps=1e-6,
    ),
    *cases(
        "layer_norm",
        lambda x, w, b: F.layer_norm(x, w.shape, w, b, 1e-5),
        [normal(5, 7), normal(7), normal(7)],
        [uniform(1000.0, 1001.0, 3, 31), normal(31), normal(31)],
        eps=1e-5,
    ),
    *cases(
        "layer_norm",
        lambda x, w: F.layer_norm(x, w.shape, w, w, 1e-5),
        [normal(5, 7), normal(7)],
        ours=lambda g, x, w: g.layer_norm(x, w, w, 1e-5),
    ),
    *cases(
        "group_norm",
        lambda x, w, b: F.group_norm(x.reshape(3, 6, 5, 7), 2, w, b, 1e-5).flatten(),
        [normal(3 * 6 * 5 * 7), normal(6), normal(6)],
        [uniform(100.0, 101.0, 3 * 6 * 5 * 7), normal(6), normal(6)],
        ours=lambda g, x, w, b: g.group_norm(x, w, b, 3, 6, 5 * 7, 2, 1e-5),
    ),
    *cases(
        "group_norm",
        lambda x, w, b: F.group_norm(x, 3, w, b, 1e-3),
        [normal(1, 9, 3, 5), normal(9), normal(9)],
        [normal(2, 3, 5, 1), normal(3), normal(3)],
        num_groups=3,
        eps=1e-3,
    ),
]


def attention(
    name: str,
    heads: tuple[int, int, int],
    seq: tuple[int, int],
    *,
    batch: int = 1,
    bias: Draw | None = None,
    sees: int | None = None,
    **options: Any,
) -> list[Case]:
    """An attention form. ``heads`` are query heads, key/value heads and their size; ``sees``
    limits a query to that many positions, the last of them its own."""
    num_heads, kv_heads, head_dim = heads
    unseen = torch.zeros(seq, dtype=torch.float64)
    if sees is not None:
        distance = torch.arange(seq[0])[:, None] - torch.arange(seq[1])[None, :]
        unseen = unseen.masked_fill((distance < 0) | (distance >= sees), -torch.inf)

    def ours(g: Graph, q: Any, k: Any, v: Any, bias: Any = None) -> Any:
        return getattr(g, name)(q, k, v, *heads, batch=batch, bias=bias, **options)

    def theirs(q: Any, k: Any, v: Any, bias: Any = 0.0) -> Any:
        return forms.attended(q, k, v, head_dim, batch, unseen + bias)

    kv = normal(batch * seq[1], kv_heads * head_dim)
    operands = [normal(batch * seq[0], num_heads * head_dim), kv, kv]
    return cases(name, theirs, operands if bias is None else [*operands, bias], ours=ours)


ATTENTION = [
    *attention("causal_attention", (3, 3, 5), (7, 7), sees=7),
    *attention("causal_attention", (6, 2, 5), (9, 9), sees=9),
    *attention("causal_attention", (3, 1, 7), (5, 5), batch=3, sees=5),
    *attention("causal_attention", (6, 3, 5), (7, 7), batch=3, sees=7, bias=normal(3, 1, 7, 7)),
    *attention("full_attention", (3, 3, 5), (7, 7)),
    *attention("full_attention", (6, 2, 5), (9, 9)),
    *attention("full_attention", (4, 2, 3), (7, 7), batch=3, bias=mask(3, 1, 1, 7)),
    *attention("full_attention", (4, 2, 3), (5, 5), batch=3, bias=normal(4, 5, 5)),
    *attention("cross_attention", (3, 3, 5), (7, 11)),
    *attention("cross_attention", (6, 2, 5), (9, 3)),
    *attention("cross_attention", (4, 2, 3), (5, 7), batch=3, bias=normal(3, 4, 1, 7)),
    *attention("cross_attention", (6, 3, 5), (1, 9), bias=normal(9)),
    *attention("multi_head_attn", (3, 3, 5), (7, 7), is_cross=False),
    *attention("multi_head_attn", (6, 2, 5), (9, 5), is_cross=True),
    *attention("multi_head_attn", (6, 3, 5), (3, 5), batch=3, bias=normal(6, 3, 5), is_cross=True),
    *attention("sliding_window_attention", (3, 3, 5), (11, 11), sees=3, window=3),
    *attention("sliding_window_attention", (6, 2, 5), (9, 9), sees=2, window=2),
    *attention("sliding_window_attention", (4, 2, 3), (7, 7), batch=3, sees=5, window=5),
    *attention(
        "sliding_window_attention", (3, 1, 5), (5, 5), sees=99, window=99, bias=normal(5, 5)
    ),
    *cases(
        "full_attention",
        lambda x: forms.attended(x, x, x, 5, 3),
        [normal(3 * 7, 15)],
        ours=lambda g, x: g.full_attention(x, x, x, 3, 3, 5, batch=3),
    ),
]


def rope(x: Draw, *, theta: float, head_dim: int, start: int, batch: int) -> list[Case]:
    """The three forms; the first counts from 0."""
    options: Any = {"head_dim": head_dim, "theta": theta}
    several = {"batch": batch} if batch > 1 else {}

    def theirs(x: Any, offset: Any = 0) -> Any:
        return forms.rotated(x, offset, **options, batch=batch)

    return [
        *cases("rope", theirs, [x], **options, **several),
        *cases(
            "rope_with_offset",
            lambda x: theirs(x, start),
            [x],
            ours=lambda g, x: g.rope_with_offset(x, theta, start, head_dim, **several),
        ),
        *cases(
            "rope_dynamic_offset",
            theirs,
            [x, exactly(start)],
            ours=lambda g, x, at: g.rope_dynamic_offset(x, theta, at, head_dim, **several),
        ),
    ]


ROPE = [
    *rope(normal(7, 18), theta=10000.0, head_dim=6, start=13, batch=1),
    *rope(normal(1, 10), theta=10000.0, head_dim=10, start=1001, batch=1),
    *rope(normal(3 * 5, 10), theta=500.0, head_dim=2, start=5, batch=3),
]


def decoding(
    heads: tuple[int, int, int], max_seq: int, position: int, batch: int = 1
) -> list[Case]:
    """A query against caches after a row of each was replaced. The caches are read by their old
    handles: `cache_write` replaces a row whether or not its result is used."""
    num_heads, kv_heads, head_dim = heads

    def ours(g: Graph, q: Any, k: Any, v: Any, new_k: Any, new_v: Any, pos: Any) -> Any:
        g.cache_write(new_k, k, pos, batch=batch)
        g.cache_write(new_v, v, pos, batch=batch)
        return g.cached_attention(q, k, v, pos, *heads, batch=batch)

    def theirs(q: Any, k: Any, v: Any, new_k: Any, new_v: Any, pos: Any) -> Any:
        def rows(cache: Any, new: Any) -> Any:
            parts = cache.clone().reshape(batch, max_seq, -1)
            parts[:, position] = new
            return parts[:, : position + 1].flatten(0, 1)

        return forms.attended(q, rows(k, new_k), rows(v, new_v), head_dim, batch)

    cache, new = normal(batch * max_seq, kv_heads * head_dim), normal(batch, kv_heads * head_dim)
    operands = [normal(batch, num_heads * head_dim), cache, cache, new, new, exactly(position)]
    return cases("cached_attention", theirs, operands, ours=ours, gradient=False)


INDEXED = [
    *cases(
        "embedding",
        F.embedding,
        [below(11, 7), normal(11, 5)],
        [below(3, 31), normal(3, 1)],
        [below(5, 3, 7), normal(5, 9)],
    ),
    *cases(
        "scatter_add",
        lambda i, src: torch.zeros(5, src.shape[1], dtype=src.dtype).index_add(0, i, src),
        [below(5, 3), normal(3, 7)],
        [below(5, 31), normal(31, 3)],
        vocab_size=5,
    ),
    *cases("one_hot", lambda i: F.one_hot(i, 7).double(), [below(7, 5)], [below(7, 3, 5)], depth=7),
    *cases(
        "cache_write",
        lambda new, cache, position: cache.index_copy(0, position, new),
        *([normal(1, 5), normal(9, 5), exactly(position)] for position in (0, 3, 8)),
        gradient=False,
    ),
    *decoding((3, 3, 5), 9, 0),
    *decoding((6, 2, 5), 9, 8),
    *decoding((6, 3, 7), 11, 5),
    *decoding((4, 2, 3), 7, 4, batch=3),
]


def flat_conv(
    x: tuple[int, int, int, int], w: tuple[int, int, int], stride: int, padding: int
) -> list[Case]:
    """The seeds' form: flat operands, all sizes given."""
    kernels = (w[0], x[1], *w[1:])
    return cases(
        "conv2d",
        lambda a, b: F.conv2d(a.reshape(x), b.reshape(kernels), None, stride, padding).flatten(),
        [normal(prod(x)), normal(prod(kernels))],
        ours=lambda g, a, b: g.conv2d(a, b, *x, *w, stride, padding),
    )


def conv(
    x: tuple[int, ...], w: tuple[int, ...], *, bias: bool = False, **options: Any
) -> list[Case]:
    """The shaped form; ``options`` are spelled as PyTorch's."""
    operands = [normal(*x), normal(*w), normal(w[0])]
    return cases(
        "conv2d",
        lambda a, b, c=None: F.conv2d(a, b, c, **options),
        operands if bias else operands[:2],
        ours=lambda g, a, b, c=None: g.conv2d(a, b, bias=c, **options),
    )


def pools(*sizes: Any) -> list[Case]:
    """Both kinds of pooling, by (kernel, stride, padding)."""
    images = ([normal(3, 2, 9, 7)], [ties(1, 3, 7, 11)])
    options = dict(zip(("kernel", "stride", "padding"), sizes, strict=False))
    return [
        *cases("max_pool_2d", lambda x: F.max_pool2d(x, *sizes), *images, **options),
        *cases("avg_pool_2d", lambda x: F.avg_pool2d(x, *sizes), *images, **options),
    ]


IMAGES = [
    *flat_conv((3, 2, 7, 5), (5, 3, 3), 1, 0),
    *flat_conv((2, 3, 9, 7), (4, 3, 3), 1, 1),
    *flat_conv((2, 3, 9, 8), (5, 3, 3), 2, 1),
    *flat_conv((1, 5, 7, 7), (3, 1, 1), 1, 0),
    *flat_conv((2, 1, 11, 6), (3, 5, 2), 3, 2),
    *conv((3, 5, 7, 9), (3, 5, 3, 1), bias=True, stride=1, padding=1),
    *conv((2, 3, 9, 8), (5, 3, 3, 2), stride=(2, 1), padding=(0, 3)),
    *conv((2, 3, 11, 9), (4, 3, 3, 3), bias=True, dilation=2, padding=2),
    *conv((2, 3, 11, 12), (4, 3, 2, 3), dilation=(3, 1), stride=(1, 3)),
    *conv((3, 6, 5, 7), (9, 2, 3, 3), bias=True, groups=3, padding=1),
    *conv((2, 5, 7, 8), (10, 1, 3, 3), groups=5, stride=2),
    *conv((2, 4, 9, 7), (6, 2, 3, 2), bias=True, groups=2, dilation=2, stride=2, padding=(1, 2)),
    *pools(2),
    *pools(3, 2, 1),
    *pools((3, 2), (1, 3), (1, 0)),
    *cases("global_avg_pool", lambda x: x.mean((2, 3)), [normal(3, 5, 7, 9)]),
    *cases("upsample_2x", forms.doubled, [normal(3, 5, 7, 1)]),
    *cases(
        "upsample_2x",
        lambda x: forms.doubled(x.reshape(3, 5, 7, 9)).flatten(),
        [normal(3 * 5 * 7 * 9)],
        ours=lambda g, x: g.upsample_2x(x, 3, 5, 7, 9),
    ),
    *cases("concat", lambda *ab: torch.cat(ab, 1), [normal(3, 1, 5, 7), normal(3, 4, 5, 7)]),
    *cases(
        "concat",
        lambda a, b: torch.cat((a.reshape(3, 2, 7), b.reshape(3, 5, 7)), 1).flatten(),
        [normal(3 * 2 * 7), normal(3 * 5 * 7)],
        ours=lambda g, a, b: g.concat(a, b, 3, 2, 5, 7),
    ),
    *cases("split_a", lambda x: x[:, :2], [normal(3, 5, 7, 3)], channels_a=2),
    *cases("split_b", lambda x: x[:, 3:], [normal(3, 5, 7, 3)], channels_b=2),
    *cases(
        "split_a",
        lambda x: x.reshape(3, 7, 9)[:, :2].flatten(),
        [normal(3 * 7 * 9)],
        ours=lambda g, x: g.split_a(x, 3, 2, 5, 9),
    ),
    *cases(
        "split_b",
        lambda x: x.reshape(3, 7, 9)[:, 2:].flatten(),
        [normal(3 * 7 * 9)],
        ours=lambda g, x: g.split_b(x, 3, 2, 5, 9),
    ),
]

MATRICES = [
    *cases(
        "matmul",
        torch.matmul,
        [normal(5, 7), normal(7, 3)],
        [normal(1, 9), normal(9, 1)],
        [normal(2, 3, 5, 7), normal(2, 3, 7, 9)],
        [normal(3, 5, 7), normal(7, 9)],
        [normal(5, 7), normal(3, 7, 9)],
        [normal(2, 1, 5, 7), normal(3, 7, 1)],
    ),
    *cases("matmul_at", lambda a, b: a.mT @ b, [normal(7, 5), normal(7, 3)]),
    *cases("matmul_bt", lambda a, b: a @ b.mT, [normal(5, 7), normal(3, 7)]),
    *cases("matmul_at", lambda a, b: a.mT @ b, [normal(3, 7, 5), normal(3, 7, 9)]),
    *cases("matmul_bt", lambda a, b: a @ b.mT, [normal(3, 5, 7), normal(9, 7)]),
    *cases("matmul", lambda x: x @ x, [normal(7, 7)], ours=lambda g, x: g.matmul(x, x)),
]

LAYOUT = [
    *cases("reshape", lambda x: x.reshape(7, 15), *CUBES, shape=[7, -1]),
    *cases("transpose", lambda x: x.mT, *CUBES),
    *cases("transpose", lambda x: x.transpose(0, 2), *CUBES, axis0=0, axis1=-1),
    *cases("permute", lambda x: x.permute(2, 0, 1), *CUBES, axes=(2, 0, -2)),
    *cases("slice", lambda x: x[1:3, :, 4:5], *CUBES, starts=(1, 0, 4), stops=(3, 5, 5)),
    *cases("slice", lambda x: x[2, 1:4], *CUBES, ours=lambda g, x: x[2, 1:4]),
    *cases(
        "pad", lambda x: F.pad(x, (0, 4, 3, 0, 1, 2)), *CUBES, before=(1, 3, 0), after=(2, 0, 4)
    ),
    *cases(
        "broadcast_to",
        lambda x: x.broadcast_to((3, 5, 7)),
        *([normal(5, 1)], [normal(3, 1, 7)], [normal(7)], [normal()]),
        shape=(3, 5, 7),
    ),
    *cases(
        "concatenate",
        lambda *parts: torch.cat(parts, 1),
        [normal(3, 5, 7), normal(3, 1, 7), normal(3, 2, 7)],
        ours=lambda g, *parts: g.concatenate(parts, axis=-2),
    ),
]

TABLE = [
    *(POINTWISE + REDUCTIONS + LOSSES + NORMS + ATTENTION),
    *(ROPE + INDEXED + IMAGES + MATRICES + LAYOUT),
]


@pytest.mark.parametrize("case", TABLE, ids=[case.name for case in TABLE])
def test_value_and_gradients(case: Case) -> None:
    rng = np.random.default_rng(crc32(case.name.encode()))
    data = [draw(rng) for draw in case.operands]
    tensors = [torch.tensor(a if a.dtype == np.float64 else a.astype(np.int64)) for a in data]
    floats = [x.requires_grad_(case.gradient) for x in tensors if x.is_floating_point()]
    result = case.theirs(*tensors)
    weights = rng.standard_normal(result.shape)

    value, gradients = ours(case, data, weights)
    assert_close(value, result.detach(), "the value")
    if case.gradient and floats:
        # The second term has no effect; it is for results that no gradient leads from (greater).
        loss = (result * torch.tensor(weights)).sum() + 0.0 * sum(x.sum() for x in floats)
        for i, (mine, other) in enumerate(
            zip(gradients, torch.autograd.grad(loss, floats), strict=True)
        ):
            assert_close(mine, other, f"the gradient of float operand {i}")


def ours(case: Case, data: Sequence[Any], weights: Any) -> tuple[Any, list[Any]]:
    """The case's result, and the gradients of its weighted sum by each float operand."""
    g = Graph()
    leaves = [
        (g.parameter if a.dtype == np.float64 else g.input_u32)(f"x{i}", a.shape)
        for i, a in enumerate(data)
    ]
    out = case.ours(g, *leaves)
    g.set_outputs([g.sum_all(g.mul(out, g.input("weights", weights.shape))), out])
    feeds = {leaf.name: a for leaf, a in zip(leaves, data, strict=True)} | {"weights": weights}
    graph = differentiate(g) if case.gradient else g
    _, value, *gradients = interpret(graph, feeds, np.float64)
    return value, gradients


def test_every_method_has_a_case() -> None:
    families = [family for family in Graph.__bases__ if family is not LeafMethods]
    methods = {name for f in families for name in vars(f) if not name.startswith("_")}
    assert methods - {case.name for case in TABLE} == set()
