"""Values at the ends of float32, on devices: optimization makes no overflow, and no underflow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import meganeura as mg
from meganeura import Graph, SessionConfig, Value

CASES: dict[str, tuple[Callable[[Graph, Value], Value], float, float]] = {
    "0 scaled up twice": (lambda g, x: x * 1e30 * 1e30, 0.0, 0.0),
    "scaled down twice": (lambda g, x: x * 1e-30 * 1e-30, 1e30, 1e-30),
    "0 over a denormal": (lambda g, x: x / 1e-39, 0.0, 0.0),
    "by a denormal": (lambda g, x: x * 1e-39, 1e20, 1e-19),
    "shifted twice": (lambda g, x: x + 3e38 + 3e38, -3e38, 3e38),
    "a sum of small parts": (lambda g, x: g.sum(x * 1e-10, 0, keep=True), 3e38, 1.2e29),
    "a mean": (lambda g, x: g.mean(x * 0.5, 0, keep=True), 1.5e38, 7.5e37),
    "scaled by a product": (lambda g, x: x * (g.number(1e30) * g.number(1e-30)), 1e38, 1e38),
    "over minus zero": (lambda g, x: x / -0.0, 1.0, -np.inf),
    "over zeros": (lambda g, x: x / 0.0 + x / -0.0, 1.0, np.nan),
    "plus minus zero": (lambda g, x: 1.0 / (x + -0.0), -0.0, -np.inf),
}
OPTIONS = ({}, {"optimize": False}, {"exact": True}, {"optimize": ("algebra",)})


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("name", CASES)
def test_the_ends_of_float32_are_kept(name: str, device: str, options: dict[str, object]):
    build, value, expected = CASES[name]
    g = Graph()
    g.set_outputs([build(g, g.input("x", (4,)))])
    with mg.build(g, SessionConfig(device, training=False, **options)) as session:
        session.set_input("x", np.full(4, value))
        session.step()
        found = session.read_outputs()[0]
    np.testing.assert_allclose(found, np.full(found.shape, expected), rtol=1e-6)


def test_exactly_every_bit_is_kept():
    g = Graph()
    x = g.input("x", (4,))
    g.set_outputs([1.0 / (x + 0.0), 1.0 / (0.0 - x), 1.0 / -(x - x), 1.0 / (x * -0.0)])

    def bits(**options: object) -> list[bytes]:
        with mg.build(g, SessionConfig("cpu", training=False, **options)) as session:
            session.set_input("x", np.array([0.0, -0.0, 3.0, -3.0]))
            session.step()
            return [output.tobytes() for output in session.read_outputs()]

    assert bits(exact=True) == bits(optimize=False)
