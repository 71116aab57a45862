"""How much rounding may change what a graph gives in float32.

A sum of n products in float32, in any order, errs by at most n·ε times the sum of magnitudes; in
practice rounding errors have random signs and it errs like √n·ε. Each node is allowed a small
multiple of that. How errors grow on the way to a result depends on the graph and its data, so it is
tried: a run in double precision, in which each node errs by as much as it may, at random.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from .dtypes import Array
from .ir.composite import CompositeOp
from .ir.graph import Node
from .ir.op import Op
from .ir.pointwise import PointwiseOp
from .kernel.winograd import INPUTS, OUTPUTS, TAPS, WEIGHTS, points
from .ops.arithmetic import Add, Cos, Sin, Sub
from .ops.conv import ConvOp
from .ops.index import CacheWrite, Embedding, OneHot, Prefix, ScatterAdd
from .ops.leaf import LeafOp
from .ops.matmul import Matmul
from .ops.pool import MaxPool2d, MaxPool2dGrad, MaxPool2dIndex
from .ops.reduce import Max, Sum
from .ops.rope import Rope
from .scalar.expr import Call, variables

EPSILON = 2.0**-24
"""Half the distance from 1 to the next float32: the error of one rounding."""
ROUNDINGS = 24
"""Roundings of an op's own, besides those of its sum: the longest formula has about ten, of which
some are of functions good to 2 ulp."""
LARGEST_TILE = 4
"""Of Winograd's algorithm, as an optimizer may choose it."""

EXACT = (LeafOp, Max, MaxPool2d, MaxPool2dIndex, Embedding, OneHot, Prefix, CacheWrite)
"""Ops that only choose among numbers."""
SUMS = (Sum, Matmul, ConvOp, ScatterAdd, MaxPool2dGrad)
"""Ops whose results are sums of products of their operands."""


def allowed(largest: Any, length: float, growth: float = 1.0) -> Any:
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


class Disturbed:
    """Computes nodes as `ir.interpret.evaluate` asks, each with a random error of the size that
    float32 may make of it. Equal seeds give equal errors."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def __call__(self, node: Node, inputs: list[Array]) -> Array:
        """The node's value, with its error."""
        if isinstance(node.op, CompositeOp):
            return node.op.computed(self, *inputs)
        result: Array = np.asarray(node.op.reference(*inputs))
        error = error_size(node.op, inputs, result)
        if error is None:
            return result
        noise = error * self._rng.uniform(-1.0, 1.0, result.shape)
        return result + np.where(np.isfinite(noise), noise, 0.0)


def error_size(op: Op, inputs: list[Array], result: Array) -> Array | float | None:
    """The error that float32 may make of each element of a node's value; None: it makes none."""
    if result.dtype.kind != "f" or op.is_view or isinstance(op, EXACT):
        return None
    if isinstance(op, PointwiseOp):
        found: Array = allowed(_magnitude(op, inputs, result), 0)
        return found
    if isinstance(op, SUMS):
        growth = growth_by_tiles(LARGEST_TILE) if isinstance(op, ConvOp) else 1.0
        squares = op.reference(*(a * a if a.dtype.kind == "f" else a for a in inputs))
        # Partial sums are as large as the result, or as terms of random signs make them.
        found = allowed(np.abs(result) + np.sqrt(squares), _terms(op, inputs, result), growth)
        return found
    largest = float(np.max(np.abs(result)))
    if isinstance(op, Rope):  # an angle is a rounded position, times a rounded frequency
        start = float(inputs[1].ravel()[0]) if len(inputs) > 1 else 0.0
        largest *= 1 + op.offset + result.shape[0] / op.batch + start
    return float(allowed(largest, 0))


def _magnitude(op: PointwiseOp, inputs: list[Array], result: Array) -> Array:
    """What the roundings of a formula are relative to: its result if it is one operator, else the
    largest number that it may subtract from another."""
    formula = op.formula(*variables(len(inputs)))
    is_one = isinstance(formula, Call) and not any(isinstance(a, Call) for a in formula.args)
    magnitude: Array = np.abs(result)
    if is_one and not isinstance(op, (Add, Sub, Sin, Cos)):
        return magnitude
    for each in inputs:
        magnitude = np.maximum(magnitude, np.where(np.isfinite(each), np.abs(each), 0))
    return magnitude


def _terms(op: Op, inputs: list[Array], result: Array) -> float:
    """About how many products an element is the sum of."""
    sizes = [each.size for each in inputs if each.dtype.kind == "f"]
    if isinstance(op, Sum):
        return sizes[0] / result.size
    if len(sizes) == 1:  # rows that are added where they belong: at most all to one
        return float(len(inputs[-1]))
    return math.sqrt(sizes[0] * sizes[1] / result.size)  # exact for a product of two matrices
