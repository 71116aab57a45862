"""How far a device's float32 result may be from the float64 reference on the same inputs.

The bound here is `meganeura.rounding.allowed`, relative to the largest number met on the way (where
terms cancel, the result is smaller than the error of its terms): every op may do a few more
roundings, a transcendental one a few ulp.
"""

from __future__ import annotations

import numpy as np

from meganeura import Graph, Node
from meganeura.ir.interpret import check_feeds, evaluate
from meganeura.rounding import EPSILON as EPSILON
from meganeura.rounding import ROUNDINGS as ROUNDINGS
from meganeura.rounding import allowed as allowed
from meganeura.rounding import growth_by_tiles as growth_by_tiles


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
