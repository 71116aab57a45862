"""Reductions, layout, indices and matrix products."""

from __future__ import annotations

import numpy as np

from meganeura.ops.index import Prefix
from meganeura.ops.matmul import MatmulBySums
from tests.ops.table import add, emit, u32

for axes, keep in [((0,), False), ((1,), True), ((0, 2), False), ((0, 1, 2), False)]:

    def shaped(r, axes=axes, keep=keep):
        return np.expand_dims(r, axes) if keep else r

    label = f"axes{''.join(map(str, axes))}{'-keep' if keep else ''}"
    add(
        "sum",
        label,
        [(3, 2, 5)],
        lambda g, x, axes=axes, keep=keep: g.sum(x, axes, keep),
        lambda x, axes=axes, shaped=shaped: shaped(np.add.reduce(x, axes)),
    )
    add(
        "mean",
        label,
        [(3, 2, 5)],
        lambda g, x, axes=axes, keep=keep: g.mean(x, axes, keep),
        lambda x, axes=axes, shaped=shaped: shaped(np.average(x, axes)),
    )
    add(
        "max",
        label,
        [(3, 2, 5)],
        lambda g, x, axes=axes, keep=keep: g.max(x, axes, keep),
        lambda x, axes=axes, shaped=shaped: shaped(-np.min(-x, axes)),
    )
add("sum", "all", [(3, 7)], lambda g, x: g.sum_all(x), lambda x: np.array([np.sum(x)]))
add("mean", "all", [(3, 7)], lambda g, x: g.mean_all(x), lambda x: np.array([np.sum(x) / 21]))
add("reshape", "", [(3, 4)], lambda g, x: g.reshape(x, [2, -1]), lambda x: x.ravel().reshape(2, 6))
add("reshape", "scalar", [(1, 1)], lambda g, x: g.reshape(x, []), lambda x: x[0, 0])
add(
    "reshape",
    "u32",
    [u32(2, 3, limit=4)],
    lambda g, x: g.one_hot(g.reshape(x, [6]), 4),
    lambda x: np.eye(4)[x.ravel()],
)
add(
    "permute",
    "",
    [(2, 3, 5)],
    lambda g, x: g.permute(x, [2, 0, -2]),
    lambda x: np.moveaxis(x, 2, 0),
)
add("permute", "transpose", [(2, 3, 1)], lambda g, x: g.transpose(x), lambda x: x.swapaxes(1, 2))
add(
    "broadcast_to",
    "",
    [(3, 1)],
    lambda g, x: g.broadcast_to(x, [2, 3, 4]),
    lambda x: np.stack([np.tile(x, (1, 4))] * 2),
)
add("slice", "", [(5, 4)], lambda g, x: g.slice(x, [1, 0], [4, 2]), lambda x: x[1:4, :2])
add("slice", "index", [(5, 4, 2)], lambda g, x: x[-1, 1:3], lambda x: x[4, 1:3])
add(
    "slice",
    "u32",
    [u32(5, limit=4)],
    lambda g, x: g.one_hot(x[1:3], 4),
    lambda x: np.eye(4)[x[1:3]],
)
add(
    "pad",
    "",
    [(2, 3)],
    lambda g, x: g.pad(x, [1, 0], [0, 2]),
    lambda x: np.block([[np.zeros((1, 5))], [x, np.zeros((2, 2))]]),
)
add("pad", "scalar", [()], lambda g, x: g.pad(x, [], []), lambda x: x)
add(
    "concat",
    "three",
    [(2, 1, 3), (2, 4, 3), (2, 2, 3)],
    lambda g, *p: g.concatenate(p, axis=1),
    lambda *p: np.hstack(p),
)
add(
    "concat",
    "twice",
    [(2, 3)],
    lambda g, x: g.concatenate([x, x]),
    lambda x: np.vstack([x, x]),
)
add(
    "concat",
    "channels",
    [(24,), (12,)],
    lambda g, a, b: g.concat(a, b, 2, 4, 2, 3),
    lambda a, b: np.hstack([a.reshape(2, -1), b.reshape(2, -1)]).ravel(),
)
add(
    "slice",
    "split",
    [(36,)],
    lambda g, x: g.split_a(x, 2, 4, 2, 3) * 2.0 + g.sum_all(g.split_b(x, 2, 4, 2, 3)),
    lambda x: x.reshape(2, 18)[:, :12].ravel() * 2 + x.reshape(2, 18)[:, 12:].sum(),
)


add(
    "embedding",
    "",
    [u32(6, limit=4), (4, 3)],
    lambda g, i, t: g.embedding(i, t),
    lambda i, t: np.eye(4)[i] @ t,
)
for count in (1, 33):  # the last index lies at a fixed place
    add(
        "embedding",
        f"padded-{count}",
        [u32(count, limit=7), (2, 1)],
        lambda g, i, t: g.embedding(i, g.pad(t, [3, 0], [2, 0])),
        lambda i, t: np.vstack([np.zeros((3, 1)), t, np.zeros((2, 1))])[i],
    )
add(
    "scatter_add",
    "",
    [u32(7, limit=4), (7, 3)],
    lambda g, i, s: g.scatter_add(i, s, 4),
    lambda i, s: np.eye(4)[i].T @ s,
)
add("one_hot", "", [u32(3, 2, limit=5)], lambda g, i: g.one_hot(i, 5), lambda i: np.eye(5)[i])

add(
    "prefix",
    "",
    [u32(1, limit=6), (6,)],
    lambda g, last, x: x * g.emit(Prefix(6), last),
    lambda last, x: np.where(np.arange(6) <= last[0], x, 0.0),
)


def written(new, cache, pos, batch=1):
    out = cache.copy().reshape(batch, -1, cache.shape[1])
    for b in range(batch):
        out[b, pos[0]] = new[b]
    return out.reshape(cache.shape)


add(
    "cache_write",
    "",
    [(1, 3), (5, 3), u32(1, limit=5)],
    lambda g, n, c, p: g.cache_write(n, g.stop_gradient(c), p),
    written,
    refuses_gradient=True,
)
add(
    "cache_write",
    "batch",
    [(2, 3), (8, 3), u32(1, limit=4)],
    lambda g, n, c, p: g.cache_write(n, g.stop_gradient(c), p, batch=2),
    lambda n, c, p: written(n, c, p, 2),
    refuses_gradient=True,
)


MATMULS = {
    "odd": ((3, 5), (5, 7)),
    "row": ((1, 5), (5, 3)),
    "column": ((4, 3), (3, 1)),
    "ones": ((1, 1), (1, 1)),
    "batch": ((2, 3, 4), (2, 4, 5)),
    "broadcast": ((2, 1, 3, 4), (3, 4, 2)),
    "shared": ((3, 4), (2, 4, 5)),
}
for label, shapes in MATMULS.items():
    add(
        "matmul",
        label,
        shapes,
        lambda g, a, b: g.matmul(a, b),
        lambda a, b: np.einsum("...mk,...kn->...mn", a, b),
    )
    add(
        "matmul_by_sums",
        label,
        shapes,
        emit(MatmulBySums()),
        lambda a, b: np.einsum("...mk,...kn->...mn", a, b),
    )
add("matmul", "twice", [(3, 3)], lambda g, a: a @ a, lambda a: np.linalg.matrix_power(a, 2))
add("matmul", "at", [(5, 3), (5, 2)], lambda g, a, b: g.matmul_at(a, b), lambda a, b: a.T @ b)
add("matmul", "bt", [(3, 5), (2, 5)], lambda g, a, b: g.matmul_bt(a, b), lambda a, b: a @ b.T)
