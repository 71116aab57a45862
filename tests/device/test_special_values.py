"""NaN, infinities, signed zeros, the largest numbers: every device gives what the reference does.

Not asked for: the sign of a zero that sine, tanh, and sums with 0 give, and of the larger of two
zeros."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from meganeura import Graph, SessionConfig, Value
from tests.helpers.devices import on_all_devices
from tests.helpers.sessions import results

NAN, INF = np.nan, np.inf
A = np.array([NAN, INF, -INF, -0.0, 0.0, 1.0, 3e38, -3e38, 1e30, 2.5], np.float32)
B = np.array([0.0, 0.0, NAN, 0.0, -0.0, NAN, 3e38, -3e38, -1e30, INF], np.float32)
C = np.array([NAN, 0.0, 1.0, -0.0, 2.0, INF, 0.0, 0.0, 1e-30, -INF], np.float32)

Build = Callable[[Graph, Value, Value, Value], Value]
CASES: dict[str, Build] = {
    "a * b": lambda g, a, b, c: a * b,
    "a * 0": lambda g, a, b, c: a * 0.0,
    "a * -0": lambda g, a, b, c: a * -0.0,
    "underflow": lambda g, a, b, c: a * (g.full(1e-30, [10]) * g.full(1e-30, [10])),
    "a - a": lambda g, a, b, c: a - a,
    "a - b": lambda g, a, b, c: a - b,
    "a + b": lambda g, a, b, c: a + b,
    "a / b": lambda g, a, b, c: a / b,
    "a / a": lambda g, a, b, c: a / a,
    "where": lambda g, a, b, c: g.where(c, a * 1.5, b),
    "greater": lambda g, a, b, c: g.greater(a, b),
    "relu": lambda g, a, b, c: g.relu(a),
    "abs": lambda g, a, b, c: g.abs(a),
    "neg": lambda g, a, b, c: g.neg(a),
    "sqrt": lambda g, a, b, c: g.sqrt(a),
    "sqrt squared": lambda g, a, b, c: g.sqrt(a) * g.sqrt(a),
    "mask": lambda g, a, b, c: g.greater(b, b) * g.log(a),
    "a + b - a": lambda g, a, b, c: (a + b) - a,
    "a·b + a·c": lambda g, a, b, c: a * b + a * c,
    "least - most": lambda g, a, b, c: g.minimum(b, b) - g.maximum(b, b),
    "maximum of sums": lambda g, a, b, c: g.maximum(-b, a + b),
    "a + 3e38 + 3e38": lambda g, a, b, c: (a + 3e38) + 3e38,
    "overflow": lambda g, a, b, c: a + g.full(1.0, [10]) / g.full(1e-39, [10]),
    "exp": lambda g, a, b, c: g.exp(a),
    "sin": lambda g, a, b, c: g.sin(g.where(g.equal(a, 0.0), 1.0, a)),
    "cos": lambda g, a, b, c: g.cos(a),
    "log": lambda g, a, b, c: g.log(a),
    "sigmoid": lambda g, a, b, c: g.sigmoid(a),
    "silu": lambda g, a, b, c: g.silu(a),
    "a sum": lambda g, a, b, c: g.sum_all(a * c),
    "a maximum": lambda g, a, b, c: g.max(a, 0),
    "softmax": lambda g, a, b, c: g.softmax(g.reshape(a, [1, 10])),
    "a product by zero": lambda g, a, b, c: g.reshape(a, [5, 2]) @ g.constant([0.0, 0.0], [2, 1]),
    "a convolution by zero": lambda g, a, b, c: (
        g.conv2d(g.reshape(a, [1, 1, 10, 1]), g.constant([0.0], [1, 1, 1, 1])) + 1.0
    ),
    "a product": lambda g, a, b, c: g.reshape(a, [1, 10]) @ g.reshape(b, [10, 1]),
}


@on_all_devices
@pytest.mark.parametrize("name", CASES)
def test_special_values(name: str, device: str):
    graph = Graph()
    graph.set_outputs([CASES[name](graph, *(graph.input(leaf, [10]) for leaf in "abc"))])
    found, expected = (
        results(graph, SessionConfig(on, training=False), {"a": A, "b": B, "c": C})[0][0]
        for on in (device, "reference")
    )
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    numbers = ~np.isnan(expected)  # the sign of a NaN means nothing
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))
