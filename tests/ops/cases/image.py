"""Convolution and pooling."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from meganeura.ops.conv import Conv2d, Conv2dGradInput, Conv2dGradWeight
from meganeura.ops.pool import MaxPool2dGrad, MaxPool2dIndex
from tests.ops import formulas as f
from tests.ops.table import add, emit

CONVS: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "3x3": ((2, 3, 5, 4), (4, 3, 3, 3), {"padding": (1, 1)}),
    "1x1": ((1, 5, 3, 3), (2, 5, 1, 1), {}),
    "stride2": ((2, 2, 7, 6), (3, 2, 3, 3), {"stride": (2, 2), "padding": (1, 1)}),
    "uneven": ((1, 2, 6, 5), (2, 2, 3, 2), {"stride": (2, 1), "padding": (0, 1)}),
    "dilated": ((1, 2, 7, 7), (2, 2, 3, 3), {"dilation": (2, 3), "padding": (2, 3)}),
    "groups": ((2, 4, 4, 5), (6, 2, 3, 3), {"groups": 2, "padding": (1, 1)}),
    "depthwise": ((1, 3, 5, 5), (3, 1, 3, 3), {"groups": 3, "stride": (2, 2)}),
    "leftover": ((1, 1, 6, 6), (1, 1, 3, 3), {"stride": (2, 2)}),
}
for label, (x, w, window) in CONVS.items():
    out = f.conv2d(np.zeros(x), np.zeros(w), **window).shape
    add(
        "conv2d",
        label,
        [x, w],
        lambda g, x, w, window=window: g.conv2d(x, w, **window),
        lambda x, w, window=window: f.conv2d(x, w, **window),
    )
    add(
        "conv2d_grad_input",
        label,
        [out, w],
        emit(Conv2dGradInput(**window, size=x[2:])),
        lambda g, w, window=window, size=x[2:]: f.conv2d_grad_input(g, w, size, **window),
    )
    add(
        "conv2d_grad_weight",
        label,
        [x, out],
        emit(Conv2dGradWeight(**window, kernel=w[2:])),
        lambda x, g, window=window, kernel=w[2:]: f.conv2d_grad_weight(x, g, kernel, **window),
    )
TILED: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, int]]] = {
    "whole": ((2, 3, 8, 8), (4, 3, 3, 3), (1, 1)),
    "odd": ((1, 5, 9, 7), (3, 5, 3, 3), (2, 0)),
    "long": ((1, 2, 4, 40), (7, 2, 3, 3), (1, 1)),
}
for label, (x, w, padding) in TILED.items():
    out = f.conv2d(np.zeros(x), np.zeros(w), padding=padding).shape
    for tile in (2, 4):
        add(
            "conv2d",
            f"{label}-by-{tile}",
            [x, w],
            emit(Conv2d(padding=padding, tile=tile)),
            lambda x, w, padding=padding: f.conv2d(x, w, padding=padding),
        )
        add(
            "conv2d_grad_input",
            f"{label}-by-{tile}",
            [out, w],
            emit(Conv2dGradInput(padding=padding, tile=tile, size=x[2:])),
            lambda g, w, padding=padding, size=x[2:]: f.conv2d_grad_input(
                g, w, size, padding=padding
            ),
        )
        add(
            "conv2d_grad_weight",
            f"{label}-by-{tile}",
            [x, out],
            emit(Conv2dGradWeight(padding=padding, tile=tile, kernel=(3, 3))),
            lambda x, g, padding=padding: f.conv2d_grad_weight(x, g, (3, 3), padding=padding),
        )
add(
    "conv2d",
    "flat-bias",
    [(2 * 3 * 4 * 5,), (2 * 3 * 9,), (2,)],
    lambda g, x, w, b: g.conv2d(x, w, 2, 3, 4, 5, 2, 3, 3, 1, 1, bias=b),
    lambda x, w, b: (
        f.conv2d(x.reshape(2, 3, 4, 5), w.reshape(2, 3, 3, 3), padding=(1, 1)) + b[:, None, None]
    ).ravel(),
)
POOLS = {
    "2x2": ((2, 3, 4, 6), (2, 2), (2, 2), (0, 0)),
    "overlap": ((1, 2, 7, 5), (3, 3), (2, 2), (1, 1)),
    "uneven": ((1, 1, 5, 6), (3, 2), (1, 2), (1, 0)),
}
for label, (x, kernel, stride, padding) in POOLS.items():
    sizes = (kernel, stride, padding)
    out = f.pool(np.zeros(x), *sizes, max, 0.0).shape
    add(
        "max_pool_2d",
        label,
        [x],
        lambda g, x, sizes=sizes: g.max_pool_2d(x, *sizes),
        lambda x, sizes=sizes: f.pool(x, *sizes, max, -math.inf),
    )
    add(
        "max_pool_2d_index",
        label,
        [x],
        emit(MaxPool2dIndex(*sizes)),
        lambda x, sizes=sizes: f.pool(x, *sizes, np.argmax, -math.inf),
    )
    add(
        "max_pool_2d_grad",
        label,
        [out, x],
        lambda g, grad, x, sizes=sizes, size=x[2:]: g.emit(
            MaxPool2dGrad(*sizes, size), grad, g.emit(MaxPool2dIndex(*sizes), x)
        ),
        lambda g, x, sizes=sizes: f.max_pool_grad(g, x, *sizes),
        refuses_gradient=True,
    )
    add(
        "avg_pool_2d",
        label,
        [x],
        lambda g, x, sizes=sizes: g.avg_pool_2d(x, *sizes),
        lambda x, sizes=sizes: f.pool(x, *sizes, lambda v: sum(v) / len(v), 0.0),
    )
add(
    "mean",
    "global_avg_pool",
    [(2, 3, 4, 5)],
    lambda g, x: g.global_avg_pool(x),
    lambda x: np.einsum("nchw->nc", x) / 20,
)
add(
    "upsample_2x",
    "",
    [(2, 3, 1, 5)],
    lambda g, x: g.upsample_2x(x),
    lambda x: np.kron(x, np.ones((2, 2))),
)
add(
    "upsample_2x",
    "flat",
    [(12,)],
    lambda g, x: g.upsample_2x(x, 1, 2, 3, 2),
    lambda x: np.kron(x.reshape(2, 3, 2), np.ones((1, 2, 2))).ravel(),
)
