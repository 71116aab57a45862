"""Norms, softmax and losses."""

from __future__ import annotations

import math

import numpy as np

from tests.ops import formulas as f
from tests.ops.table import Tensor, add, positive, u32

add(
    "rms_norm",
    "",
    [(3, 7), (7,)],
    lambda g, x, w: g.rms_norm(x, w, 1e-3),
    lambda x, w: x / np.sqrt(np.average(x**2, 1, keepdims=True) + 1e-3) * w,
)
add(
    "rms_norm",
    "twice",
    [(1, 5)],
    lambda g, x: g.rms_norm(x, g.reshape(x, [5]), 1e-3),
    lambda x: x * x / np.sqrt(np.average(x**2) + 1e-3),
)
add(
    "layer_norm",
    "",
    [(3, 7), (7,), (7,)],
    lambda g, x, w, b: g.layer_norm(x, w, b, 1e-3),
    lambda x, w, b: np.stack([(r - r.mean()) / np.sqrt(r.var() + 1e-3) for r in x]) * w + b,
)
add(
    "layer_norm",
    "same-vector",
    [(2, 3, 4), (4,)],
    lambda g, x, w: g.layer_norm(x, w, w, 1e-3),
    lambda x, w: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-3) * w + w,
)
add(
    "group_norm",
    "images",
    [(2, 6, 3, 5), (6,), (6,)],
    lambda g, x, w, b: g.group_norm(x, w, b, num_groups=3, eps=1e-3),
    lambda x, w, b: f.group_norm(x, w, b, 3, 1e-3),
)
add(
    "group_norm",
    "flat",
    [(2 * 4 * 3,), (4,), (4,)],
    lambda g, x, w, b: g.group_norm(x, w, b, 2, 4, 3, 2, 1e-3),
    lambda x, w, b: f.group_norm(x.reshape(2, 4, 3), w, b, 2, 1e-3).ravel(),
)
for label, shape in {"matrix": (3, 5), "row": (1, 7), "column": (4, 1), "cube": (2, 3, 4)}.items():
    add("softmax", label, [shape], lambda g, x: g.softmax(x), f.softmax)
    add(
        "log_softmax", label, [shape], lambda g, x: g.log_softmax(x), lambda x: np.log(f.softmax(x))
    )


def cross_entropy(logits, labels):
    return np.array([-(labels * np.log(f.softmax(logits))).sum() / len(logits)])


add(
    "cross_entropy_loss",
    "weights",
    [(5, 3), positive(5, 3)],
    lambda g, x, t: g.cross_entropy_loss(x, t),
    cross_entropy,
)
add(
    "cross_entropy_classes",
    "",
    [(5, 3), u32(5, limit=3)],
    lambda g, x, t: g.cross_entropy_loss(x, t),
    lambda x, t: cross_entropy(x, np.eye(3)[t]),
)
add(
    "cross_entropy_loss",
    "twice",
    [(2, 3)],
    lambda g, x: g.cross_entropy_loss(x, x),
    lambda x: cross_entropy(x, x),
)
probability = Tensor((3, 4), 0.1, 0.9)
add(
    "bce_loss",
    "",
    [probability, probability],
    lambda g, p, t: g.bce_loss(p, t),
    lambda p, t: np.array([-np.average(t * np.log(p) + (1 - t) * np.log(1 - p))]),
)
add(
    "bce_loss",
    "clamped",
    [Tensor((5,), -3.0, -1.0), Tensor((5,), 0.0, 1.0)],
    lambda g, p, t: g.bce_loss(p, t),
    lambda p, t: np.array([-np.average(t * math.log(1e-7) + (1 - t) * math.log(1 - 1e-7))]),
)
add(
    "mse_loss",
    "",
    [(3, 4), (3, 4)],
    lambda g, p, t: g.mse_loss(p, t),
    lambda p, t: np.array([np.average((p - t) ** 2)]),
)
add(
    "l1_loss",
    "",
    [(7,), (7,)],
    lambda g, p, t: g.l1_loss(p, t),
    lambda p, t: np.array([np.average(np.maximum(p - t, t - p))]),
)
