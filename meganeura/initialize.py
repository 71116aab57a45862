"""How parameters start.

The start of a parameter depends on the seed, its name and its shape only, never on the order in
which parameters are made. Where the user does not say how, the parameter's use decides: the op
that reads it (through what only moves its elements) knows a scale from a bias from a weight.
"""

from __future__ import annotations

import zlib
from math import sqrt

import numpy as np

from .dtypes import Array
from .errors import GraphError, did_you_mean
from .ir.graph import Graph, Node
from .ir.op import Initial
from .ops.leaf import STARTS, Parameter
from .ops.use import uses


def initial_value(graph: Graph, node: Node, seed: int, how: str | float | None = None) -> Array:
    """The first value of a parameter, in float64.

    ``how`` is one of `STARTS`, or a number to fill it with; else what the parameter itself says,
    else what its use says."""
    usual = usual_start(graph, node)
    if how is None and isinstance(node.op, Parameter):
        how = node.op.start
    if how is None:
        how = usual.how
    if not isinstance(how, str):
        return np.full(node.ty.shape, how)
    if how not in STARTS:
        raise GraphError(
            f'a parameter cannot start as "{how}"', hint=did_you_mean(str(how), STARTS)
        )
    return _draw(node, Initial(how, usual.fan_in), seed)


def usual_start(graph: Graph, node: Node) -> Initial:
    """What the first user with an opinion says."""
    for use in uses(graph, node):
        start = use.user.op.initial(use.operand, *use.types)
        if start is not None:
            return start
    return Initial("uniform", node.ty.shape[0] if node.ty.shape else 1)


def _draw(node: Node, start: Initial, seed: int) -> Array:
    generator = np.random.default_rng([seed, zlib.crc32((node.name or "").encode())])
    scale = 1 / sqrt(start.fan_in)
    match start.how:
        case "zeros":
            return np.zeros(node.ty.shape)
        case "ones":
            return np.ones(node.ty.shape)
        case "uniform":
            return generator.uniform(-scale, scale, node.ty.shape)
    return generator.normal(0.0, scale, node.ty.shape)
