"""Gradients against central differences, in float64, with the output weighted at random.

The random weights make an op that ignores its incoming gradient fail. One random direction for
each input keeps the cost independent of its size.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from meganeura import Graph, Value, differentiate, interpret

STEP = 1e-5
"""Balances the truncation error, ~STEP², against rounding, ~1e-16/STEP."""


def check_gradients(
    build: Callable[..., Value],
    arrays: list[np.ndarray],
    rng: np.random.Generator,
    tolerance: float = 1e-6,
) -> None:
    """Compare the gradient of each float array with the slope along a random direction."""
    graph = Graph()
    values = [leaf(graph, i, a, trainable=True) for i, a in enumerate(arrays)]
    out = build(graph, *values)
    weights = graph.input("weights", out.shape)
    graph.set_outputs([graph.sum_all(out * weights)])
    differentiated = differentiate(graph)

    feeds = feeds_of(arrays, graph) | {"weights": rng.normal(size=out.shape)}
    loss, *gradients = interpret(differentiated, feeds, np.float64)
    floats = [i for i, a in enumerate(arrays) if a.dtype.kind == "f"]
    assert len(gradients) == len(floats)
    for i, gradient in zip(floats, gradients, strict=True):
        direction = rng.normal(size=arrays[i].shape)
        ends = []
        for sign in (1, -1):
            moved = {**feeds, f"x{i}": arrays[i] + sign * STEP * direction}
            ends.append(float(interpret(graph, moved, np.float64)[0][0]))
        slope = (ends[0] - ends[1]) / (2 * STEP)
        found = float((gradient * direction).sum())
        # The slope itself is only known to the rounding of the two losses it is made from.
        rounding = 1e-15 * max(abs(ends[0]), abs(ends[1]), abs(float(loss[0]))) / STEP
        scale = max(abs(slope), abs(found))
        assert abs(slope - found) <= tolerance * scale + 10 * rounding, (
            f"input {i}: slope {slope}, gradient {found}"
        )


def feeds_of(arrays: list[np.ndarray], graph: Graph) -> dict[str, np.ndarray]:
    """The arrays by the names `leaf` gives them; states of the graph start at zero."""
    states = [node for node in graph.nodes() if node.op.name == "state"]
    zeros = {node.name: np.zeros(node.ty.shape) for node in states}
    return zeros | {f"x{i}": a for i, a in enumerate(arrays)}


def leaf(graph: Graph, i: int, array: np.ndarray, trainable: bool) -> Value:
    """A leaf named ``x{i}`` for an array: indices are inputs, floats parameters if wanted."""
    if array.dtype.kind == "u":
        return graph.input_u32(f"x{i}", array.shape)
    make = graph.parameter if trainable else graph.input
    return make(f"x{i}", array.shape)
