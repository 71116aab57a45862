"""Sizes at which kernels take another way: odd ends, blocks of channels, packed operands, several
parts of a sequence. Forward and gradient against the float64 reference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from meganeura import Graph, SessionConfig, Value
from tests.helpers.devices import on_all_devices
from tests.helpers.together import Trial, check_together, longest

Build = Callable[..., Value]
Shapes = list[tuple[int, ...]]


def matmul(*shapes: tuple[int, ...]) -> tuple[Build, Shapes]:
    return lambda g, a, b: a @ b, list(shapes)


def conv(x: tuple[int, ...], w: tuple[int, ...], **window: int) -> tuple[Build, Shapes]:
    return lambda g, x, w: g.conv2d(x, w, **window), [x, w]


def attention(
    heads: int, groups: int, queries: int, keys: int, dim: int, **form: object
) -> tuple[Build, Shapes]:
    def built(g: Graph, q: Value, k: Value, v: Value) -> Value:
        if "window" in form:
            return g.sliding_window_attention(q, k, v, heads, groups, dim, form["window"])
        if form.get("causal"):
            return g.causal_attention(q, k, v, heads, groups, dim)
        return g.cross_attention(q, k, v, heads, groups, dim)

    return built, [(queries, heads * dim), (keys, groups * dim), (keys, groups * dim)]


CASES: dict[str, tuple[Build, Shapes]] = {
    "one row": matmul((1, 70), (70, 45)),
    "two rows": matmul((2, 9), (9, 130)),
    "rows that do not fill a block": matmul((23, 17), (17, 50)),
    "more terms than are summed at once": matmul((7, 900), (900, 19)),
    "many rows": matmul((130, 8), (8, 33)),
    "weights packed in blocks": matmul((20, 520), (520, 530)),
    "kernels packed in blocks": conv((1, 60, 24, 24), (7, 60, 3, 3), padding=1),
    "turned, with many terms": (lambda g, a, b: a.T @ b, [(70, 40), (70, 24)]),
    "both turned": (lambda g, a, b: a.T @ b.T, [(70, 20), (24, 70)]),
    "a batch": matmul((3, 5, 40), (3, 40, 17)),
    "a batch by one matrix": matmul((3, 5, 40), (40, 17)),
    "one matrix by a batch": matmul((5, 40), (3, 40, 17)),
    "a batch that broadcasts": matmul((2, 1, 5, 8), (3, 8, 9)),
    "a 5×5 window on 40 channels": conv((1, 40, 9, 9), (16, 40, 5, 5), padding=2),
    "400 channels": conv((1, 400, 4, 5), (3, 400, 3, 3), padding=1),
    "rows in pairs": conv((2, 3, 6, 8), (7, 3, 3, 3), padding=1),
    "three vectors": conv((1, 2, 3, 24), (5, 2, 3, 3), padding=1),
    "groups and strides": conv((2, 12, 9, 11), (8, 6, 3, 2), groups=2, stride=2, padding=1),
    "one channel a group": conv((1, 20, 7, 16), (20, 1, 3, 3), groups=20, padding=1),
    "one vector of tiles": conv((1, 19, 8, 8), (21, 19, 3, 3), padding=1),
    "a block of tiles": conv((3, 20, 8, 8), (13, 20, 3, 3), padding=1),
    "tiles in several tasks": conv((2, 70, 32, 32), (9, 70, 3, 3), padding=1),
    "tiles that are summed in two parts": conv((4, 7, 32, 32), (18, 7, 3, 3), padding=1),
    "one tap and a stride": conv((2, 3, 8, 10), (5, 3, 1, 1), stride=2),
    "one tap on one channel": (lambda g, x: g.avg_pool_2d(x, 1, 2), [(1, 1, 2, 16)]),
    "one tap a group": conv((2, 20, 6, 17), (20, 1, 1, 1), groups=20, stride=2),
    "one tap, channels last": (
        lambda g, x, w: g.permute(g.conv2d(x, w, stride=2), [0, 2, 3, 1]),
        [(1, 20, 12, 14), (40, 20, 1, 1)],
    ),
    "one tap and a stride of three": conv((3, 5, 12, 35), (7, 5, 1, 1), stride=3),
    "a stride of two": conv((2, 12, 16, 20), (10, 12, 3, 3), stride=2, padding=1),
    "a stride of three": conv((1, 3, 13, 29), (4, 3, 3, 5), stride=3, padding=2),
    "dilation": conv((1, 5, 12, 17), (13, 5, 3, 3), dilation=2, padding=2),
    "two parts of keys": attention(2, 1, 7, 560, 8),
    "two parts of queries": attention(2, 2, 560, 6, 8),
    "a long causal sequence": attention(2, 1, 530, 530, 8, causal=True),
    "a long window": attention(1, 1, 530, 530, 4, window=37),
    "odd vectors": attention(3, 1, 13, 21, 5),
    "whole vectors": attention(2, 2, 32, 32, 16, causal=True),
    "long rows": (lambda g, x: g.softmax(x), [(5, 1029)]),
    "rows of whole vectors": (lambda g, x: g.log_softmax(x), [(3, 512)]),
    "norm of long rows": (lambda g, x, w, b: g.layer_norm(x, w, b), [(4, 1000), (1000,), (1000,)]),
    "mean squares": (lambda g, x, w: g.rms_norm(x, w), [(4, 264), (264,)]),
    "sums across": (lambda g, x: g.sum(x, 0), [(9, 77)]),
    "sums across in the middle": (lambda g, x: g.sum(x, 1), [(3, 9, 45)]),
    "a turned copy": (lambda g, x: g.permute(x, [2, 0, 1]) * 2.0, [(5, 9, 700)]),
    **{  # the first lanes of a vector lie in the margin, and are zero on both sides: 0 / 0 is not 0
        f"margin of {size} quotients": (
            lambda g, x, y: g.pad(g.div(x, y), [2], [0]),
            [(size,), (size,)],
        )
        for size in (2, 6, 14)
    },
    "a sum over margins": (  # some vectors of a row lie in a margin, whatever block they are of
        lambda g, x, y: g.sum(
            g.reshape(
                g.pad(g.slice(x, [0, 0, 1, 0], [1, 4, 4, 1]), [1, 1, 2, 2], [0, 0, 2, 1]) * y, [280]
            ),
            0,
            True,
        ),
        [(1, 5, 6, 3), (2, 5, 7, 4)],
    ),
    "more elements than a task": (lambda g, x: g.tanh(x) * x, [(3, 8195)]),
}


TOGETHER = 4
"""Cases that are compiled as one graph."""
PARTS = [list(CASES)[i : i + TOGETHER] for i in range(0, len(CASES), TOGETHER)]


@on_all_devices
@pytest.mark.parametrize("names", PARTS, ids=lambda names: "+".join(names).replace(" ", "_"))
def test_forward_and_gradient_match_the_reference(names: list[str], device: str):
    check_together({name: trial(*CASES[name]) for name in names}, SessionConfig(device))


def trial(build_value, shapes) -> Trial:
    rng = np.random.default_rng(0)
    graph = Graph()
    values = [graph.parameter(f"p{i}", shape) for i, shape in enumerate(shapes)]
    out = build_value(graph, *values)
    graph.set_outputs([graph.sum_all(out * graph.input("weights", out.shape)), out])
    feeds = {f"p{i}": rng.normal(size=shape) for i, shape in enumerate(shapes)}
    feeds["weights"] = rng.normal(size=out.shape)
    feeds = {key: array.astype(np.float32) for key, array in feeds.items()}
    return Trial(graph, feeds, longest([feeds[f"p{i}"] for i in range(len(shapes))]))
