"""The scalar operators: one row each, with its meaning, its partial derivatives and its cost.

A row's name is also the name of the graph op that applies the operator to whole tensors, so a
derivative made of these operators can be written into a graph (ir/pointwise.py).

Comparisons give 1.0 or 0.0. A derivative at a kink follows what users of other frameworks
expect: `abs` has 0 at 0; equal arguments of `maximum` and `minimum` share the gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dtypes import Array
from .expr import Call, Expr, cos, equal, exp, greater, log, power, recip, sign, sin, where

Partials = tuple[Expr | float, ...]


@dataclass(frozen=True)
class ScalarOp:
    """An operator on scalars.

    ``partials(out, *args)`` gives the derivative by each argument; ``out`` is the operator's own
    result, so that `tanh` need not be computed again for its derivative. ``cost`` is in adds.
    """

    arity: int
    numpy: Callable[..., Array]
    partials: Callable[..., Partials]
    cost: int


def _comparison(compare: Callable[..., Any]) -> Callable[..., Array]:
    def evaluate(x: Array, y: Array) -> Array:
        result: Array = compare(x, y).astype(np.result_type(x, y))
        return result

    return evaluate


def _sigmoid(x: Any) -> Array:
    # e^-|x| never overflows; the two halves are the same function written around zero.
    e = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1 / (1 + e), e / (1 + e)))


_erf_elements = np.frompyfunc(math.erf, 1, 1)


def _erf(x: Any) -> Array:
    return np.asarray(_erf_elements(x), dtype=np.asarray(x).dtype)


def _where(condition: Any, x: Any, y: Any) -> Array:
    chosen: Array = np.where(np.asarray(condition) != 0, x, y)
    return chosen


def _pow_partials(out: Expr, x: Expr, y: Expr) -> Partials:
    # Chosen where a product would be 0 · ∞: x⁰ is constant, and 0ʸ does not move with y.
    by_x = where(equal(y, 0.0), 0.0, y * power(x, y - 1))
    return by_x, where(equal(x, 0.0), 0.0, out * log(x))


def _share(x: Expr, y: Expr) -> Expr:
    """1 where x > y, 1/2 where they are equal, else 0."""
    return (greater(x, y) + (1 - greater(y, x))) * 0.5


_TWO_BY_SQRT_PI = 2.0 / math.sqrt(math.pi)

SCALAR_OPS: dict[str, ScalarOp] = {
    "add": ScalarOp(2, np.add, lambda out, x, y: (1, 1), 1),
    "sub": ScalarOp(2, np.subtract, lambda out, x, y: (1, -1), 1),
    "mul": ScalarOp(2, np.multiply, lambda out, x, y: (y, x), 1),
    "div": ScalarOp(2, np.divide, lambda out, x, y: (recip(y), -(out / y)), 5),
    "neg": ScalarOp(1, np.negative, lambda out, x: (-1,), 1),
    "abs": ScalarOp(1, np.abs, lambda out, x: (sign(x),), 1),
    "sign": ScalarOp(1, np.sign, lambda out, x: (0,), 2),
    "exp": ScalarOp(1, np.exp, lambda out, x: (out,), 10),
    "log": ScalarOp(1, np.log, lambda out, x: (recip(x),), 12),
    "sqrt": ScalarOp(1, np.sqrt, lambda out, x: (0.5 / out,), 6),
    "rsqrt": ScalarOp(1, lambda x: 1 / np.sqrt(x), lambda out, x: (-0.5 * (out / x),), 8),
    "recip": ScalarOp(1, lambda x: 1 / x, lambda out, x: (-(out * out),), 5),
    "sin": ScalarOp(1, np.sin, lambda out, x: (cos(x),), 15),
    "cos": ScalarOp(1, np.cos, lambda out, x: (-sin(x),), 15),
    "tanh": ScalarOp(1, np.tanh, lambda out, x: (1 - out * out,), 14),
    "sigmoid": ScalarOp(1, _sigmoid, lambda out, x: (out * (1 - out),), 14),
    "erf": ScalarOp(1, _erf, lambda out, x: (_TWO_BY_SQRT_PI * exp(-(x * x)),), 20),
    "pow": ScalarOp(2, np.power, _pow_partials, 25),
    "maximum": ScalarOp(2, np.maximum, lambda out, x, y: (_share(x, y), _share(y, x)), 1),
    "minimum": ScalarOp(2, np.minimum, lambda out, x, y: (_share(y, x), _share(x, y)), 1),
    "greater": ScalarOp(2, _comparison(np.greater), lambda out, x, y: (0, 0), 1),
    "greater_equal": ScalarOp(2, _comparison(np.greater_equal), lambda out, x, y: (0, 0), 1),
    "equal": ScalarOp(2, _comparison(np.equal), lambda out, x, y: (0, 0), 1),
    "where": ScalarOp(3, _where, lambda out, c, x, y: (0, where(c, 1, 0), where(c, 0, 1)), 1),
}


def cost(expr: Expr) -> int:
    """What an expression costs, in adds."""
    if not isinstance(expr, Call):
        return 0
    return SCALAR_OPS[expr.op].cost + sum(cost(arg) for arg in expr.args)
