"""One small mistake after another: each is refused at once, by an error that names the op, the
types and this file's line."""

from __future__ import annotations

import re

import numpy as np
import pytest

from meganeura import DTypeError, Graph, GraphError, InternalError, ShapeError, TensorType
from tests.error.leaves import Leaves

NAN, INF = float("nan"), float("inf")
HEADS = {"num_heads": 2, "num_kv_heads": 1, "head_dim": 6}

X, TALL, U4, IMAGE = "f32[4, 6]", "f32[6, 4]", "u32[4]", "f32[2, 4, 5, 5]"

SHAPES = [
    (lambda n: n.g.matmul(n.x, n.y), "matmul", X, "6 ≠ 4", "hint: b looks transposed"),
    (lambda n: n.x @ n.y, "matmul", X, "inner dimensions"),
    (lambda n: n.g.matmul_at(n.x, n.tall), "matmul", TALL),
    (lambda n: n.g.matmul_bt(n.x, n.tall), "matmul", TALL),
    (lambda n: n.g.add(n.x, n.tall), "add", X, TALL, "broadcast"),
    (lambda n: n.x * n.tall, "mul", X, TALL),
    (lambda n: n.tall - n.x, "sub", X, TALL),
    (lambda n: n.x / n.tall, "div", X, TALL),
    (lambda n: n.x**n.tall, "pow", X, TALL),
    (lambda n: n.g.greater(n.x, n.tall), "greater", X, TALL),
    (lambda n: n.g.where(n.x, n.tall, n.tall), "where", X, TALL),
    (lambda n: n.g.swiglu(n.x, n.tall), "swiglu", X, TALL),
    (lambda n: n.g.bias_add(n.x, n.channel), "bias_add", X, "f32[4]"),
    (lambda n: n.g.bias_add(n.x, n.row), "bias_add", X, "f32[1, 6]"),
    (lambda n: n.g.broadcast_add(n.x, n.vector), "broadcast_add", X, "f32[6]"),
    (lambda n: n.g.mse_loss(n.x, n.tall), "mse_loss", X, TALL),
    (lambda n: n.g.mse_loss(n.x, n.row), "mse_loss", X, "f32[1, 6]"),
    (lambda n: n.g.l1_loss(n.x, n.vector), "l1_loss", X, "f32[6]"),
    (lambda n: n.g.bce_loss(n.x, n.vector), "bce_loss", X, "f32[6]"),
    (lambda n: n.g.cross_entropy_loss(n.x, n.tall), "cross_entropy_loss", X, TALL),
    (lambda n: n.g.cross_entropy_loss(n.tall, n.tokens), "cross_entropy_loss", TALL, U4),
    (lambda n: n.g.rms_norm(n.x, n.channel), "rms_norm", X, "f32[4]"),
    (lambda n: n.g.layer_norm(n.x, n.vector, n.channel), "layer_norm", X, "f32[4]"),
    (lambda n: n.g.scatter_add(n.tokens, n.tall, 9), "scatter_add", TALL, U4),
    (lambda n: n.g.conv2d(n.image, n.tall), "conv2d", TALL),
    (lambda n: n.g.conv2d(n.kernel, n.kernel), "conv2d", "f32[8, 4, 3, 3]", "groups") if 0 else
    (lambda n: n.g.conv2d(n.image, n.kernel, groups=2), "conv2d", IMAGE, "groups"),
    (lambda n: n.g.conv2d(n.image, n.kernel, dilation=3), "conv2d", IMAGE, "larger than"),
    (lambda n: n.g.conv2d(n.image, n.kernel, in_channels=3), "conv2d", "in_channels", IMAGE),
    (lambda n: n.g.conv2d(n.flat, n.kernel), "conv2d", "f32[200]", "must be given"),
    (lambda n: n.g.conv2d(n.flat, n.kernel, 2, 4, 5, 6), "conv2d", "f32[200]", "240"),
    (lambda n: n.g.conv2d(n.image, n.kernel, bias=n.channel), "conv2d", "f32[4]"),
    (lambda n: n.g.group_norm(n.image, n.vector, n.vector), "group_norm", IMAGE, "f32[6]"),
    (lambda n: n.g.concat(n.image, n.kernel), "concat", IMAGE),
    (lambda n: n.g.concat(n.image, n.flat, 2, 4, 4, 25), "concat", IMAGE, "f32[200]"),
    (lambda n: n.g.split_a(n.image, channels_a=4), "split_a", IMAGE, "4 channels"),
    (lambda n: n.g.split_b(n.image), "split_b", IMAGE, "channels_a"),
    (lambda n: n.g.upsample_2x(n.flat), "upsample_2x", "f32[200]", "in_h"),
    (lambda n: n.g.max_pool_2d(n.image, 6), "max_pool_2d", IMAGE, "6×6"),
    (lambda n: n.g.avg_pool_2d(n.image, 2, padding=2), "avg_pool_2d", IMAGE, "half"),
    (lambda n: n.g.reshape(n.x, [5, 5]), "reshape", X, "24 ≠ 25"),
    (lambda n: n.g.reshape(n.x, [5, -1]), "reshape", X),
    (lambda n: n.g.reshape(n.x, [-1, -1]), "-1"),
    (lambda n: n.g.broadcast_to(n.x, [4, 7]), "broadcast_to", X),
    (lambda n: n.g.broadcast_to(n.x, [6]), "broadcast_to", X),
    (lambda n: n.g.permute(n.x, [0, 0]), "permute", X),
    (lambda n: n.g.permute(n.x, [0, 2]), "permute", X),
    (lambda n: n.g.transpose(n.x, 0, 2), "transpose", "axis 2"),
    (lambda n: n.g.slice(n.x, [0, 0], [5, 6]), "slice", X, "0:5"),
    (lambda n: n.g.slice(n.x, [2, 0], [2, 6]), "slice", X, "2:2"),
    (lambda n: n.g.slice(n.x, [0], [1]), "slice", X),
    (lambda n: n.x[4], "f32[4, 6]", "4"),
    (lambda n: n.x[0, 0, 0], "f32[4, 6]", "3 indices"),
    (lambda n: n.x[3:1], "slice", X),
    (lambda n: n.x[::2], "f32[4, 6]", "step"),
    (lambda n: n.g.pad(n.x, [0], [0]), "pad", X),
    (lambda n: n.g.pad(n.x, [-1, 0], [0, 0]), "pad", X, "negative"),
    (lambda n: n.g.concatenate([n.x, n.tall]), "concat", X, TALL),
    (lambda n: n.g.concatenate([]), "concatenate"),
    (lambda n: n.g.concatenate([n.x], axis=2), "concatenate", "axis 2"),
    (lambda n: n.g.sum(n.x, 2), "sum", "axis 2"),
    (lambda n: n.g.mean(n.x, [0, -2]), "mean", "twice"),
    (lambda n: n.g.max(n.x, []), "max", X),
    (lambda n: n.g.constant([1, 2, 3], [2]), "constant", "3 values", "f32[2]"),
    (lambda n: n.g.constant([], [1]), "constant", "0 values"),
    (lambda n: n.g.rope(n.x, 1e4, 4), "rope", X, "multiple of head_dim"),
    (lambda n: n.g.rope(n.x, 1e4, 2, batch=3), "rope", X, "batch (3)"),
    (lambda n: n.g.rope_dynamic_offset(n.x, 1e4, n.tokens, 6), "rope", U4, "single number"),
    (lambda n: n.g.causal_attention(n.x, n.x, n.x, **HEADS), "attention", X, "[seq, 12]"),
    (lambda n: n.g.causal_attention(n.queries, n.x, n.table, **HEADS), "attention", "f32[9, 6]"),
    (lambda n: n.g.causal_attention(n.queries, n.cache, n.cache, **HEADS), "attention", "same"),
    (lambda n: n.g.full_attention(n.queries, n.cache, n.cache, **HEADS), "attention", "length"),
    (lambda n: n.g.cross_attention(n.queries, n.x, n.x, **HEADS, bias=n.tall), "attention", TALL),
    (lambda n: n.g.cache_write(n.x, n.cache, n.pos), "cache_write", X, "f32[8, 6]"),
    (lambda n: n.g.cache_write(n.row, n.cache, n.tokens), "cache_write", U4, "single"),
    (lambda n: n.g.cache_write(n.row, n.cache, n.pos, batch=3), "cache_write", "batch"),
    (lambda n: n.g.cached_attention(n.queries, n.cache, n.cache, n.pos, **HEADS), "one row"),
]  # fmt: skip
