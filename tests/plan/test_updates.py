"""Leaves that are replaced after a step: all from the values before it, in whatever order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from meganeura import Graph, SessionConfig, Value, build

A = np.arange(9.0, dtype=np.float32).reshape(3, 3)
B = -A

NEW: dict[str, tuple[Callable[[Value, Value], Value], Callable[[Value, Value], Value]]] = {
    "b := old a": (lambda a, b: a * 2.0 + 1.0, lambda a, b: a),
    "swapped": (lambda a, b: b, lambda a, b: a),
    "turned": (lambda a, b: a + b, lambda a, b: a.T),
    "each of both": (lambda a, b: a + b, lambda a, b: a - b),
}


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("is_turned", [True, False])
@pytest.mark.parametrize("name", NEW)
def test_updates_see_the_values_before_the_step(name: str, is_turned: bool, optimize: bool):
    g = Graph()
    a, b = g.parameter("a", (3, 3)), g.parameter("b", (3, 3))
    g.set_outputs([g.sum_all(a)])
    new_a, new_b = (make(a, b) for make in NEW[name])
    pairs = [(a, new_a), (b, new_b)]
    for leaf, value in reversed(pairs) if is_turned else pairs:
        g.set_update(leaf, value)
    with build(g, SessionConfig("cpu", training=False, optimize=optimize)) as session:
        session.set_parameter("a", A)
        session.set_parameter("b", B)
        session.step()
        found = session.get_parameter("a"), session.get_parameter("b")
    expected = (make(A, B) for make in NEW[name])
    for ours, reference in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, reference)
