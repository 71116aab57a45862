"""How far a device's float32 result may be from the float64 reference on the same inputs.

A sum of n products in float32, in any order, errs by at most n·ε times the sum of magnitudes; in
practice rounding errors have random signs and it errs like √n·ε. The bound here is a small multiple
of that, relative to the largest number met on the way (where terms cancel, the result is smaller
than the error of its terms): every op may do a few more roundings, a transcendental one a few ulp.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from meganeura import Graph, Node
from meganeura.ir.interpret import check_feeds, evaluate
from meganeura.kernel.winograd import INPUTS, OUTPUTS, TAPS, WEIGHTS, points

EPSILON = 2.0**-24
"""Half the distance from 1 to the next float32: the error of one rounding."""

ROUNDINGS = 24
"""Roundings of an op's own, besides those of its sum: the longest formula has about ten, of which
some are of functions good to 2 ulp."""


def allowed(largest: float, length: int, growth: float = 1.0) -> float:
    """The largest absolute error of a computation with sums of ``length`` terms, in which the
    largest number is ``largest`` and errors grow by a factor on the way."""
    return EPSILON * (ROUNDINGS + 4 * math.sqrt(length)) * largest * growth


@cache
def growth_by_tiles(tile: int) -> float:
    """By how much a convolution by tiles errs more than one that forms each sum by itself: random
    errors of the products at each point, as they reach the output they reach most, beside those of
    the taps. Along one axis an output is ``Σ A[y, p] (Σ G[p, i] g[i]) (Σ B[p, k] d[k])``; along
    two the errors' ratio is the square of that along one, so no root is taken."""
    a, g, b = (
        np.array(formula([np.eye(size)[i] for i in range(size)])) ** 2
        for formula, size in (
            (OUTPUTS[tile], points(tile)),
            (WEIGHTS[tile], TAPS),
            (INPUTS[tile], points(tile)),
        )
    )
    return float((a @ (g.sum(1) * b.sum(1))).max() / TAPS)


def growth(graph: Graph) -> float:
    """By how much errors may grow in a graph, if an optimizer may choose its algorithms."""
    convolutions = ("conv2d", "conv2d_grad_input", "conv2d_grad_weight")
    if any(node.op.name in convolutions for node in graph.nodes()):
        return growth_by_tiles(4)
    return 1.0


def largest_met(graph: Graph, leaves: dict[str, np.ndarray]) -> float:
    """The largest finite magnitude of any value of a run."""
    most = [0.0]

    def look(node: Node, array: np.ndarray) -> None:
        finite = np.abs(array[np.isfinite(array)])
        most[0] = max(most[0], float(finite.max()) if finite.size else 0.0)

    evaluate(graph, check_feeds(graph, leaves, np.float64), np.float64, look)
    return most[0]
