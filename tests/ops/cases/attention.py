"""Rotary embeddings and attention."""

from __future__ import annotations

from typing import Any

import numpy as np

from meganeura.ops.attention import Attention, AttentionGrad, AttentionGradBias
from tests.ops import formulas as f
from tests.ops.table import add, emit, u32

add("rope", "", [(5, 8)], lambda g, x: g.rope(x, 100.0, 4), lambda x: f.rope(x, 100.0, 4))
add(
    "rope",
    "offset",
    [(6, 4)],
    lambda g, x: g.rope_with_offset(x, 100.0, 3, 4, batch=2),
    lambda x: f.rope(x, 100.0, 4, 3, 2),
)
add(
    "rope",
    "dynamic",
    [(3, 6), u32(1, limit=9)],
    lambda g, x, o: g.rope_dynamic_offset(x, 100.0, o, 2),
    lambda x, o: f.rope(x, 100.0, 2, int(o[0])),
)

FORMS: dict[str, tuple[int, int, dict[str, Any], tuple[int, ...] | None]] = {
    "full": (5, 5, {}, None),
    "causal": (5, 5, {"causal": True}, None),
    "cross": (3, 7, {}, None),
    "one-row": (1, 1, {"causal": True}, None),
    "window": (7, 7, {"causal": True, "window": 3}, None),
    "batch": (6, 6, {"causal": True, "batch": 2}, None),
    "bias": (4, 6, {"batch": 2}, (4, 2, 3)),
    "bias-matrix": (3, 3, {"causal": True}, (3, 3)),
}
for label, (s_q, s_k, form, bias) in FORMS.items():
    heads = (4, 2, 3)
    operands = [(s_q, 12), (s_k, 6), (s_k, 6)] + ([bias] if bias else [])

    def packed(q, k, v, bias=None, form=form, heads=heads):
        return f.attention(q, k, v, *heads, bias=bias, **form)

    def grads(grad, out, *xs, packed=packed):
        # `out` is whatever the case drew, so it is computed anew: the op trusts its caller.
        def of(i):
            return lambda m: packed(*xs[:i], m, *xs[i + 1 :])

        return [f.slopes(of(i), x, grad) for i, x in enumerate(xs)]

    def backward(make, form=form, heads=heads):
        def build(g, grad, *xs):
            return g.emit(make(*heads, **form), grad, g.emit(Attention(*heads, **form), *xs), *xs)

        return build

    add("attention", label, operands, emit(Attention(*heads, **form)), packed)
    size = s_q * 12 + s_q * 4
    add(
        "attention_grad",
        label,
        [(size,), *operands],
        backward(AttentionGrad),
        lambda grad, *xs, grads=grads: np.concatenate(
            [d.ravel() for d in grads(grad, None, *xs)[:3]]
        ),
        tolerance=1e-7,
        forward_on_devices=label != "full",
    )
    if bias:
        add(
            "attention_grad_bias",
            label,
            [(size,), *operands],
            backward(AttentionGradBias),
            lambda grad, *xs, grads=grads: grads(grad, None, *xs)[3],
            tolerance=1e-7,
            forward_on_devices=label != "bias",
        )
add(
    "attention",
    "twice",
    [(4, 6)],
    lambda g, x: g.causal_attention(x, x, x, 2, 2, 3),
    lambda x: f.attention(x, x, x, 2, 2, 3, causal=True)[:24].reshape(4, 6),
)
for batch in (1, 2):
    add(
        "cached_attention",
        f"batch{batch}",
        [(batch, 12), (5 * batch, 6), (5 * batch, 6), u32(1, limit=5)],
        lambda g, q, k, v, p, batch=batch: g.cached_attention(q, k, v, p, 4, 2, 3, batch=batch),
        lambda q, k, v, p, batch=batch: f.cached_attention(q, k, v, p, 4, 2, 3, batch),
        refuses_gradient=True,
    )
