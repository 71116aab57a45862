"""One small mistake after another: each is refused at once, by an error that names the op, the
types and this file's line."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import DTypeError, GraphError, InternalError, ShapeError, TensorType
from tests.error.leaves import Leaves

NAN, INF = float("nan"), float("inf")
HEADS = {"num_heads": 2, "num_kv_heads": 1, "head_dim": 6}

X, TALL, U4, IMAGE = "f32[4, 6]", "f32[6, 4]", "u32[4]", "f32[2, 4, 5, 5]"

SHAPES = [
    (lambda n: n.g.matmul(n.x, n.y), "matmul", X, "6 ≠ 4", "hint: b looks transposed"),
    (lambda n: n.x @ n.y, "matmul", X, "inner dimensions"),
    (lambda n: n.g.matmul_at(n.x, n.tall), "matmul_at", X, TALL),
    (lambda n: n.g.matmul_bt(n.x, n.tall), "matmul_bt", X, TALL),
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
    (lambda n: n.g.cross_entropy_loss(n.tall, n.tokens), "cross_entropy", TALL, U4),
    (lambda n: n.g.rms_norm(n.x, n.channel), "rms_norm", X, "f32[4]"),
    (lambda n: n.g.layer_norm(n.x, n.vector, n.channel), "layer_norm", X, "f32[4]"),
    (lambda n: n.g.scatter_add(n.tokens, n.tall, 9), "scatter_add", TALL, U4),
    (lambda n: n.g.conv2d(n.image, n.tall), "conv2d", TALL),
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
    (lambda n: n.x[3:1], "slice", X),
    (lambda n: n.g.pad(n.x, [0], [0]), "pad", X),
    (lambda n: n.g.pad(n.x, [-1, 0], [0, 0]), "pad", X, "negative"),
    (lambda n: n.g.concatenate([n.x, n.tall]), "concat", X, TALL),
    (lambda n: n.g.concatenate([n.x], axis=2), "concatenate", "axis 2"),
    (lambda n: n.g.sum(n.x, 2), "sum", "axis 2"),
    (lambda n: n.g.mean(n.x, [0, -2]), "mean", "twice"),
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
]

RANKS = [
    (lambda n: n.g.matmul(n.vector, n.tall), "matmul", "f32[6]", TALL, "matrices"),
    (lambda n: n.g.matmul_at(n.vector, n.x), "matmul_at", "f32[6]"),
    (lambda n: n.g.matmul_bt(n.x, n.vector), "matmul_bt", "f32[6]"),
    (lambda n: n.x @ 2.0, "matmul", X, "f32[]"),
    (lambda n: n.g.bias_add(n.image, n.vector), "bias_add", IMAGE),
    (lambda n: n.g.softmax(n.vector), "softmax", "f32[6]", "reshape"),
    (lambda n: n.g.log_softmax(n.vector), "log_softmax", "f32[6]"),
    (lambda n: n.g.cross_entropy_loss(n.vector, n.vector), "cross_entropy_loss", "f32[6]"),
    (lambda n: n.g.rms_norm(n.vector, n.vector), "rms_norm", "f32[6]"),
    (lambda n: n.g.layer_norm(n.vector, n.vector, n.vector), "layer_norm", "f32[6]"),
    (lambda n: n.g.group_norm(n.vector, n.vector, n.vector), "group_norm", "f32[6]"),
    (lambda n: n.g.embedding(n.tokens, n.vector), "embedding", U4, "f32[6]"),
    (lambda n: n.g.conv2d(n.x, n.kernel), "conv2d", X),
    (lambda n: n.g.max_pool_2d(n.x, 2), "max_pool_2d", X),
    (lambda n: n.g.global_avg_pool(n.x), "global_avg_pool", X),
    (lambda n: n.g.upsample_2x(n.x), "upsample_2x", X),
    (lambda n: n.g.rope(n.vector, 1e4, 6), "rope", "f32[6]"),
    (lambda n: n.g.transpose(n.vector), "transpose", "rank 1"),
    (lambda n: n.g.cache_write(n.row, n.vector, n.pos), "cache_write", "f32[6]"),
]

DTYPES = [
    (lambda n: n.g.add(n.x, n.tokens), "add", X, U4, "must be f32"),
    (lambda n: n.g.relu(n.tokens), "relu", U4),
    (lambda n: n.tokens + 1.0, "add", U4),
    (lambda n: n.g.matmul(n.x, n.g.reshape(n.tokens, [4, 1])), "matmul", "u32[4, 1]"),
    (lambda n: n.g.embedding(n.channel, n.table), "embedding", "f32[4]", "g.input_u32"),
    (lambda n: n.g.embedding(n.tokens, n.g.input_u32("t2", [9, 6])), "embedding", "u32[9, 6]"),
    (lambda n: n.g.scatter_add(n.channel, n.x, 9), "scatter_add", "must be u32"),
    (lambda n: n.g.one_hot(n.channel, 4), "one_hot", "f32[4]"),
    (lambda n: n.g.softmax(n.g.reshape(n.tokens, [2, 2])), "softmax", "u32[2, 2]"),
    (lambda n: n.g.sum_all(n.tokens), "sum", U4),
    (lambda n: n.g.bias_add(n.x, n.g.input_u32("b", [6])), "bias_add", "u32[6]"),
    (lambda n: n.g.conv2d(n.image, n.kernel, bias=n.g.input_u32("b", [8])), "conv2d", "u32"),
    (lambda n: n.g.concatenate([n.tokens, n.channel]), "concat", U4, "f32[4]"),
    (lambda n: n.g.rope_dynamic_offset(n.x, 1e4, n.g.scalar(1), 6), "rope", "f32[1]"),
    (lambda n: n.g.cache_write(n.row, n.cache, n.g.scalar(0)), "cache_write", "f32[1]"),
    (lambda n: n.g.mse_loss(n.tokens, n.tokens), "mse_loss", U4),
]

LEAVES = [
    (lambda n: n.g.input("x", [1]), "input", 'already a leaf named "x"'),
    (lambda n: n.g.parameter("x", [1]), "parameter", '"x"', "tests/error"),
    (lambda n: n.g.state("table", [1]), "state", '"table"'),
    (lambda n: n.g.input("", [1]), "name", "''"),
    (lambda n: n.g.input(None, [1]), "name", "None"),
    (lambda n: n.g.input(5, [1]), "name", "5"),
    (lambda n: n.g.parameter(b"w", [1]), "name", "b'w'"),
    (lambda n: n.g.parameter("@m/w", [1]), "@m/w", "reserved"),
    (lambda n: n.g.input("new", [-1]), "at least 1", "[-1]"),
    (lambda n: n.g.input("new", [3, 0]), "at least 1", "[3, 0]"),
    (lambda n: n.g.input_u32("new", [-2]), "at least 1", "[-2]"),
    (lambda n: n.g.parameter("new", [-2]), "at least 1"),
    (lambda n: n.g.state("new", [0]), "at least 1"),
    (lambda n: n.g.input("new", [2.0]), "whole numbers", "2.0"),
    (lambda n: n.g.input("new", "23"), "whole numbers", "'23'"),
    (lambda n: n.g.input("new", None), "whole numbers", "None"),
    (lambda n: n.g.input("new", [True, 2]), "whole numbers", "True"),
    (lambda n: n.g.parameter("new", [2], 7), "parameter", "start", "7"),
    (lambda n: n.g.constant("words"), "constant", "numbers"),
    (lambda n: n.g.constant([[1, 2], [3]]), "constant", "numbers"),
    (lambda n: n.g.constant(None, [1]), "constant", "numbers"),
    (lambda n: n.g.constant([1j]), "constant", "numbers"),
    (lambda n: n.g.constant([]), "at least 1"),
    (lambda n: n.g.scalar("1"), "scalar", "'1'"),
    (lambda n: TensorType((2,), "f32"), "DType", "'f32'"),
    (lambda n: n.g.set_outputs([]), "set_outputs"),
    (lambda n: n.g.set_outputs([99]), "no node 99"),
    (lambda n: n.g.set_outputs([n.alien]), "another graph", X),
    (lambda n: n.g.node(-1), "no node -1"),
    (lambda n: n.g.value("x"), "no node 'x'"),
    (lambda n: n.g.add(n.x, n.alien), "another graph", X),
    (lambda n: n.alien + n.x, "another graph", X),
    (lambda n: n.g.relu(n.alien), "another graph"),
    (lambda n: n.g.conv2d(n.alien, n.kernel), "another graph"),
    (lambda n: n.g.causal_attention(n.queries, n.alien, n.alien, **HEADS), "another graph"),
    (lambda n: n.g.cache_write(n.row, n.alien, n.pos), "another graph"),
    (lambda n: n.g.concatenate([n.x, n.alien]), "another graph"),
]

PARTS = [
    (lambda n: n.x[4], "f32[4, 6]", "4"),
    (lambda n: n.x[0, 0, 0], "f32[4, 6]", "3 indices"),
    (lambda n: n.x[::2], "f32[4, 6]", "step"),
    (lambda n: n.g.concatenate([]), "concatenate"),
    (lambda n: n.x[-5], X, "-5"),
    (lambda n: n.x[1.5], X, "1.5"),
    (lambda n: n.x["a"], X, "'a'"),
    (lambda n: n.x["a":], X, "'a'"),
    (lambda n: n.x[None], X, "None"),
    (lambda n: n.x[[0, 1]], X, "[0, 1]"),
    (lambda n: n.x[n.y], X),
    (lambda n: n.x[n.y :], X),
    (lambda n: n.x[True], X, "True"),
    (lambda n: n.g.number(1.0)[0], "f32[]"),
    (lambda n: list(n.x), "iterate", "x[i]"),
    (lambda n: [*n.x], "iterate"),
    (lambda n: np.asarray(n.x), "not an array", "read_output"),
    (lambda n: n.g.constant(n.x), "constant"),
    (lambda n: 1 if n.x else 0, "truth value", "g.where"),
    (lambda n: n.x and n.y, "truth value"),
    (lambda n: not n.x, "truth value"),
    (lambda n: n.x < 0.5, "g.greater"),
    (lambda n: n.x > 0.5, "g.greater"),
]

TOO_LARGE = ("-1e+39", "does not fit in float32", "3.4e+38")
ATTRIBUTES = [
    (lambda n: n.g.scalar(-1e39), *TOO_LARGE),
    (lambda n: n.g.full(-1e39, [2]), *TOO_LARGE),
    (lambda n: n.g.constant([0.0, -1e39]), *TOO_LARGE, "at [1]"),
    (lambda n: n.x * -1e39, *TOO_LARGE),
    (lambda n: n.x + -(10**39), *TOO_LARGE),
    (lambda n: n.g.maximum(n.x, -1e39), *TOO_LARGE),
    *(
        (lambda n, eps=eps: n.g.rms_norm(n.x, n.vector, eps), "rms_norm", "eps")
        for eps in (0.0, -1e-5, NAN, INF, "1", None, True)
    ),
    (lambda n: n.g.layer_norm(n.x, n.vector, n.vector, 0), "layer_norm", "eps", "1e-5"),
    (lambda n: n.g.group_norm(n.image, n.channel, n.channel, eps=-1), "group_norm", "eps"),
    *(
        (lambda n, k=k: n.g.group_norm(n.image, n.channel, n.channel, num_groups=k), "num_groups")
        for k in (3, 0, -1, 8, 2.0, True, "2")
    ),
    (lambda n: n.g.conv2d(n.image, n.kernel, stride=0), "conv2d", "stride", IMAGE),
    (lambda n: n.g.conv2d(n.image, n.kernel, stride=True), "conv2d", "stride", "True"),
    (lambda n: n.g.conv2d(n.image, n.kernel, stride=(1.5, 1)), "conv2d", "stride", "1.5"),
    (lambda n: n.g.conv2d(n.image, n.kernel, stride="11"), "conv2d", "stride", "'11'"),
    (lambda n: n.g.conv2d(n.image, n.kernel, padding=-1), "conv2d", "padding"),
    (lambda n: n.g.conv2d(n.image, n.kernel, padding=(1, 2, 3)), "conv2d", "padding"),
    (lambda n: n.g.conv2d(n.image, n.kernel, dilation=0), "conv2d", "dilation"),
    (lambda n: n.g.conv2d(n.image, n.kernel, groups=0), "conv2d", "groups"),
    (lambda n: n.g.max_pool_2d(n.image, 0), "max_pool_2d", IMAGE),
    (lambda n: n.g.avg_pool_2d(n.image, -1), "avg_pool_2d", IMAGE),
    (lambda n: n.g.scatter_add(n.tokens, n.x, 0), "scatter_add", "vocab_size"),
    (lambda n: n.g.scatter_add(n.tokens, n.x, -3), "scatter_add", "-3"),
    (lambda n: n.g.one_hot(n.tokens, 0), "one_hot", U4),
    (lambda n: n.g.one_hot(n.tokens, True), "one_hot", "depth", "True"),
    (lambda n: n.g.rope(n.x, 0.0, 6), "rope", "theta"),
    (lambda n: n.g.rope(n.x, NAN, 6), "rope", "theta"),
    (lambda n: n.g.rope(n.x, INF, 6), "rope", "theta"),
    (lambda n: n.g.rope(n.x, 1e4, 3), "rope", "head_dim", "even"),
    (lambda n: n.g.rope(n.x, 1e4, 0), "rope", "head_dim"),
    (lambda n: n.g.rope_with_offset(n.x, 1e4, -1, 6), "rope", "offset"),
    (lambda n: n.g.rope(n.x, 1e4, 6, batch=0), "rope", "batch"),
    (lambda n: n.g.causal_attention(n.queries, n.x, n.x, 2, 0, 6), "attention", "positive"),
    (lambda n: n.g.causal_attention(n.queries, n.x, n.x, 3, 2, 4), "num_kv_heads (2)"),
    (lambda n: n.g.causal_attention(n.queries, n.x, n.x, **HEADS, batch=3), "batch (3)"),
    (lambda n: n.g.sliding_window_attention(n.queries, n.x, n.x, 2, 1, 6, 0), "window (0)"),
    (lambda n: n.g.cache_write(n.row, n.cache, n.pos, batch=0), "cache_write", "batch"),
]

KINDS = [(SHAPES, ShapeError), (RANKS, ShapeError), (DTYPES, DTypeError)]
KINDS += [(LEAVES, GraphError), (PARTS, GraphError), (ATTRIBUTES, GraphError)]
TABLE = [
    pytest.param(build, kind, says, id=f"{says[0]}-{i}")
    for table, kind in KINDS
    for i, (build, *says) in enumerate(table)
]


@pytest.mark.parametrize(("build", "kind", "says"), TABLE)
def test_a_mistake_is_refused_with_the_op_the_types_and_the_line(build, kind, says):
    leaves = Leaves()
    with pytest.raises(kind) as caught:
        build(leaves)
    error = caught.value
    assert not isinstance(error, InternalError)
    missing = [part for part in says if part not in str(error)]
    assert not missing, f"{missing} not in: {error}"
    assert error.where.file == __file__
    assert 0 <= error.where.line - build.__code__.co_firstlineno <= 3
