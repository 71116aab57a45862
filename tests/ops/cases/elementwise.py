"""Leaves, arithmetic and activations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from meganeura.ops.leaf import Alias, Band
from tests.ops.table import Tensor, add, emit, positive, sigmoid, u32

add("input", "", [(3, 5)], lambda g, x: x, lambda x: x)
add("input", "u32", [u32(4, limit=9)], lambda g, x: g.one_hot(x, 9), lambda x: np.eye(9)[x])
add("parameter", "scalar", [()], lambda g, x: x, lambda x: x)
add(
    "state",
    "",
    [(2, 3)],
    lambda g, x: x + g.stop_gradient(g.state("kept", [2, 3])) * 0.0,
    lambda x: x,
)
add(
    "constant",
    "",
    [(2, 3)],
    lambda g, x: x * g.constant([1, 2, 3, 4, 5, 0.5], [2, 3]),
    lambda x: x * [[1, 2, 3], [4, 5, 0.5]],
)
add(
    "constant",
    "large",
    [(50,)],
    lambda g, x: x * g.constant(np.arange(50)),
    lambda x: x * np.arange(50),
)
add("full", "scalar", [(4,)], lambda g, x: x * g.scalar(0.1), lambda x: x * 0.1)
add("full", "number", [()], lambda g, x: x * 0.1 + 2, lambda x: x * 0.1 + 2)
add(
    "band",
    "",
    [(3, 4)],
    lambda g, x: x * g.emit(Band(1, 0, x.ty)),
    lambda x: x * [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]],
)
add("alias", "", [(3,)], emit(Alias()), lambda x: x)
add(
    "stop_gradient",
    "",
    [(3,)],
    lambda g, x: x * g.stop_gradient(g.sign(x)),
    lambda x: np.abs(x),
)


UNARY: dict[str, tuple[Tensor | None, Callable[..., Any]]] = {
    "neg": (None, lambda x: 0 - x),
    "abs": (None, lambda x: np.maximum(x, -x)),
    "sign": (None, lambda x: (x > 0) * 1.0 - (x < 0)),
    "exp": (None, lambda x: np.e**x),
    "log": (positive(3, 5), lambda x: np.log2(x) * math.log(2)),
    "sqrt": (positive(3, 5), lambda x: x**0.5),
    "rsqrt": (positive(3, 5), lambda x: x**-0.5),
    "recip": (positive(3, 5), lambda x: x**-1),
    "sin": (None, lambda x: np.exp(1j * x).imag),
    "cos": (None, lambda x: np.exp(1j * x).real),
    "erf": (None, np.vectorize(math.erf)),
    "relu": (None, lambda x: x * (x > 0)),
    "sigmoid": (None, sigmoid),
    "tanh": (None, lambda x: np.sinh(x) / np.cosh(x)),
    "silu": (None, lambda x: x * sigmoid(x)),
    "gelu": (
        None,
        lambda x: x * sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)),
    ),
    "gelu_erf": (None, lambda x: x * np.vectorize(math.erfc)(-x / math.sqrt(2)) / 2),
}
for name, (domain, formula) in UNARY.items():
    one = domain or Tensor((3, 5))
    add(name, "matrix", [one], lambda g, x, name=name: getattr(g, name)(x), formula)
    add(
        name,
        "single",
        [Tensor((1,), one.low)],
        lambda g, x, name=name: getattr(g, name)(x),
        formula,
    )

BINARY: dict[str, tuple[bool, Callable[..., Any]]] = {
    "add": (False, lambda x, y: x - -y),
    "sub": (False, lambda x, y: x + -y),
    "mul": (False, lambda x, y: x / (1 / y)),
    "div": (True, lambda x, y: x * y**-1),
    "pow": (True, lambda x, y: np.exp(y * np.log(x))),
    "maximum": (False, lambda x, y: np.where(x > y, x, y)),
    "minimum": (False, lambda x, y: np.where(x > y, y, x)),
    "greater": (False, lambda x, y: (x - y > 0) * 1.0),
    "greater_equal": (False, lambda x, y: (x - y >= 0) * 1.0),
    "equal": (False, lambda x, y: (x - y == 0) * 1.0),
    "swiglu": (False, lambda x, y: x * sigmoid(x) * y),
}
SHAPES = {
    "same": ((3, 5), (3, 5)),
    "row": ((3, 5), (5,)),
    "column": ((3, 1), (3, 5)),
    "outer": ((7, 1, 2), (1, 3, 1)),
    "scalar": ((), (2, 3)),
    "one": ((1,), (4, 1)),
}
for name, (needs_positive, formula) in BINARY.items():
    for label, (a, b) in SHAPES.items():
        pair = [Tensor(a, 0.2), Tensor(b, 0.2)] if needs_positive else [a, b]
        add(name, label, pair, lambda g, x, y, name=name: getattr(g, name)(x, y), formula)
    twice = positive(2, 3) if needs_positive else Tensor((2, 3))
    if name not in ("maximum", "minimum"):
        add(
            name,
            "twice",
            [twice],
            lambda g, x, name=name: getattr(g, name)(x, x),
            lambda x, formula=formula, name=name: formula(x, x),
        )
add(
    "where",
    "",
    [(3, 5), (5,), (3, 1)],
    lambda g, c, x, y: g.where(g.greater(c, 0.0), x, y),
    lambda c, x, y: np.stack([np.where(c[i] > 0, x, y[i]) for i in range(3)]),
)
add("add", "bias_add", [(4, 3), (3,)], lambda g, a, b: g.bias_add(a, b), lambda a, b: a + b)
add(
    "add",
    "broadcast_add",
    [(4, 3), (1, 3)],
    lambda g, a, b: g.broadcast_add(a, b),
    lambda a, b: a + b,
)
