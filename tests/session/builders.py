"""Small graphs and sessions that the tests of sessions share."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from meganeura import Graph, Session, SessionConfig, build

ROWS, FEATURES, TARGETS = 8, 3, 2
WEIGHT, BIAS = "layer.weight", "layer.bias"


def least_squares() -> Graph:
    """The mean squared error of ``x · layer.weight + layer.bias``, and the prediction."""
    g = Graph()
    x, y = g.input("x", [ROWS, FEATURES]), g.input("y", [ROWS, TARGETS])
    weight = g.parameter(WEIGHT, [FEATURES, TARGETS], layout="linear")
    bias = g.parameter(BIAS, [TARGETS])
    prediction = g.bias_add(x @ weight, bias)
    g.set_outputs([g.mse_loss(prediction, y), prediction])
    return g


def make_session(device: str = "reference:float64", **config: object) -> Session:
    """A session for `least_squares`."""
    return build(least_squares(), SessionConfig(device=device, **config))  # type: ignore[arg-type]


def batch(number: int) -> dict[str, np.ndarray]:
    """The data of one step."""
    rng = np.random.default_rng([7, number])
    return {"x": rng.normal(size=(ROWS, FEATURES)), "y": rng.normal(size=(ROWS, TARGETS))}


def train(session: Session, numbers: Iterable[int]) -> list[float]:
    """One step on each of the numbered batches; the losses."""
    losses = []
    for number in numbers:
        for name, array in batch(number).items():
            session.set_input(name, array)
        session.step()
        losses.append(session.read_loss())
    return losses


def parameters(session: Session) -> dict[str, np.ndarray]:
    """All parameters by name."""
    return {name: session.get_parameter(name) for name in session.param_names()}


def same_bits(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    """Whether two sets of parameters are equal to the last bit (a NaN equals itself)."""
    return a.keys() == b.keys() and all(a[n].tobytes() == b[n].tobytes() for n in a)
