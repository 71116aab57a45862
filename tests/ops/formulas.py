"""Independent formulas for the ops of the table: written element by element or with other NumPy
functions than the ops' own references, so that a mistake would have to be made twice."""

from __future__ import annotations

import math
from itertools import product
from math import prod

import numpy as np

Array = np.ndarray


def conv2d(x, w, stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1) -> Array:
    """Every output as an explicit sum over the window."""
    (n, _c, h, width), (o, cg, kh, kw) = x.shape, w.shape
    (sh, sw), (ph, pw), (dh, dw) = stride, padding, dilation
    oh = (h + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    ow = (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    out = np.zeros((n, o, oh, ow))
    filters = w.reshape(groups, o // groups, cg, kh, kw)
    for y, z, i, j in product(range(oh), range(ow), range(kh), range(kw)):
        row, col = y * sh + i * dh - ph, z * sw + j * dw - pw
        if 0 <= row < h and 0 <= col < width:
            pixel = x[:, :, row, col].reshape(n, groups, 1, cg)
            out[:, :, y, z] += (pixel * filters[..., i, j]).sum(-1).reshape(n, o)
    return out


def conv2d_grad_input(grad, w, size, groups=1, **window) -> Array:
    """The forward map, which is linear in the images, transposed: its columns are what it makes of
    unit images."""
    image = (w.shape[1] * groups, *size)
    units = np.eye(prod(image)).reshape(-1, *image)
    columns = conv2d(units, w, groups=groups, **window)
    return np.einsum("noyx,uoyx->nu", grad, columns).reshape(-1, *image)


def conv2d_grad_weight(x, grad, kernel, groups=1, **window) -> Array:
    """The forward map, which is linear in the kernels, transposed: its columns are what unit
    kernels make of the images, those of each group of its channels."""
    one = (x.shape[1] // groups, *kernel)
    units = np.concatenate([np.eye(prod(one)).reshape(-1, *one)] * groups)
    columns = conv2d(x, units, groups=groups, **window)
    parts = (a.reshape(a.shape[0], groups, -1, *a.shape[2:]) for a in (grad, columns))
    return np.einsum("ngoyx,nguyx->gou", *parts).reshape(-1, *one)


def windows(x, kernel, stride, padding, fill):
    """Yields each output's index with the elements of its window, row by row."""
    n, c, h, w = x.shape
    oh = (h + 2 * padding[0] - kernel[0]) // stride[0] + 1
    ow = (w + 2 * padding[1] - kernel[1]) // stride[1] + 1
    for b, ch, y, z in product(range(n), range(c), range(oh), range(ow)):
        places = [
            (y * stride[0] + i - padding[0], z * stride[1] + j - padding[1])
            for i, j in product(range(kernel[0]), range(kernel[1]))
        ]
        inside = [0 <= r < h and 0 <= q < w for r, q in places]
        values = [x[b, ch, r, q] if ok else fill for (r, q), ok in zip(places, inside, strict=True)]
        yield (b, ch, y, z), (oh, ow), places, values


def pool(x, kernel, stride, padding, combine, fill) -> Array:
    """``combine`` over each window's elements."""
    out = None
    for index, size, _, values in windows(x, kernel, stride, padding, fill):
        out = np.zeros((*x.shape[:2], *size)) if out is None else out
        out[index] = combine(values)
    return out


def max_pool_grad(grad, x, kernel, stride, padding) -> Array:
    """Each output's gradient to the first largest element of its window."""
    out = np.zeros_like(x)
    for index, _, places, values in windows(x, kernel, stride, padding, -math.inf):
        row, col = places[int(np.argmax(values))]
        out[(*index[:2], row, col)] += grad[index]
    return out


def group_norm(x, w, b, groups, eps) -> Array:
    """Image by image, group by group."""
    out = np.empty_like(x)
    size = x.shape[1] // groups
    for n, g in product(range(x.shape[0]), range(groups)):
        part = x[n, g * size : (g + 1) * size]
        normal = (part - part.mean()) / math.sqrt(part.var() + eps)
        for c in range(size):
            out[n, g * size + c] = normal[c] * w[g * size + c] + b[g * size + c]
    return out


def softmax(x) -> Array:
    """Row by row."""
    rows = [np.exp(r) / np.exp(r).sum() for r in x.reshape(-1, x.shape[-1])]
    return np.stack(rows).reshape(x.shape)


def rope(x, theta, head_dim, offset=0, batch=1) -> Array:
    """Pairs as complex numbers, turned."""
    out = np.empty_like(x)
    rows, half = x.shape[0], head_dim // 2
    for r, head, d in product(range(rows), range(x.shape[1] // head_dim), range(half)):
        angle = (r % (rows // batch) + offset) * theta ** (-2 * d / head_dim)
        first = head * head_dim + d
        turned = complex(x[r, first], x[r, first + half]) * complex(
            math.cos(angle), math.sin(angle)
        )
        out[r, first], out[r, first + half] = turned.real, turned.imag
    return out


def attention_rows(q, k, v, heads, kv_heads, dim, batch=1, window=None, causal=False, bias=None):
    """For each query row and head: its weights over the keys, its output, and its LSE."""
    s_q, s_k = q.shape[0] // batch, k.shape[0] // batch
    for b, h, i in product(range(batch), range(heads), range(s_q)):
        kv = h // (heads // kv_heads)
        query = q[b * s_q + i, h * dim : (h + 1) * dim]
        keys = k[b * s_k : (b + 1) * s_k, kv * dim : (kv + 1) * dim]
        scores = keys @ query / math.sqrt(dim)
        if bias is not None:
            scores = scores + np.broadcast_to(bias, (batch, heads, s_q, s_k))[b, h, i]
        j = np.arange(s_k)
        visible = (j <= i if causal else j >= 0) & (j > i - (window or s_k + s_q))
        weights = np.where(visible, np.exp(scores), 0.0)
        values = v[b * s_k : (b + 1) * s_k, kv * dim : (kv + 1) * dim]
        total = weights.sum()
        yield (b, h, i), weights / total, weights @ values / total, math.log(total)


def attention(q, k, v, heads, kv_heads, dim, **form) -> Array:
    """The result, packed with the LSE as the op packs them."""
    batch = form.get("batch", 1)
    s_q = q.shape[0] // batch
    out, lse = np.zeros_like(q), np.zeros((batch, heads, s_q))
    for (b, h, i), _, row, log_total in attention_rows(q, k, v, heads, kv_heads, dim, **form):
        out[b * s_q + i, h * dim : (h + 1) * dim] = row
        lse[b, h, i] = log_total
    return np.concatenate([out.ravel(), lse.ravel()])


def cached_attention(q, k_cache, v_cache, kv_pos, heads, kv_heads, dim, batch=1) -> Array:
    """Attention over the valid rows of each cache alone."""
    valid = int(kv_pos[0]) + 1
    parts = []
    for one, keys, values in zip(
        np.split(q, batch), np.split(k_cache, batch), np.split(v_cache, batch), strict=True
    ):
        packed = attention(one, keys[:valid], values[:valid], heads, kv_heads, dim)
        parts.append(packed[: one.size].reshape(one.shape))
    return np.concatenate(parts)


def slopes(function, x, grad) -> Array:
    """The gradient of ``Σ function(x) · grad`` by central differences, element by element."""
    out = np.zeros_like(x)
    for index in np.ndindex(*x.shape):
        moved = [x.copy(), x.copy()]
        moved[0][index] += 1e-5
        moved[1][index] -= 1e-5
        ends = [(function(m) * grad).sum() for m in moved]
        out[index] = (ends[0] - ends[1]) / 2e-5
    return out
