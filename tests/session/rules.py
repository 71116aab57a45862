"""The optimizers' rules, clipping and accumulation in plain NumPy, in float64."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict

import numpy as np

from meganeura import Adam, AdamW, Momentum, Optimizer, Session, Sgd
from tests.session.builders import BIAS, WEIGHT, batch, make_session, parameters

Tensors = dict[str, np.ndarray]
Rule = Callable[..., np.ndarray]


def sgd(p, g, state, t, *, lr):
    return p - lr * g


def momentum(p, g, state, t, *, lr, momentum, nesterov):
    state["v"] = momentum * state.get("v", 0.0) + g
    return p - lr * (g + momentum * state["v"] if nesterov else state["v"])


def adam(p, g, state, t, *, lr, beta1, beta2, eps, weight_decay=0.0):
    state["m"] = beta1 * state.get("m", 0.0) + (1 - beta1) * g
    state["v"] = beta2 * state.get("v", 0.0) + (1 - beta2) * g**2
    m, v = state["m"] / (1 - beta1**t), state["v"] / (1 - beta2**t)
    return p * (1 - lr * weight_decay) - lr * m / (np.sqrt(v) + eps)


RULES: dict[type[Optimizer], Rule] = {Sgd: sgd, Momentum: momentum, Adam: adam, AdamW: adam}


def gradients(p: Tensors, number: int) -> Tensors:
    x, y = batch(number).values()
    off = 2 * (x @ p[WEIGHT] + p[BIAS] - y) / y.size
    return {WEIGHT: x.T @ off, BIAS: off.sum(axis=0)}


def expected(
    p: Tensors,
    optimizer: Optimizer,
    numbers: Iterable[int],
    factors: dict[str, float] | None = None,
    clip: float = np.inf,
    accumulate: int = 1,
) -> Tensors:
    """The parameters after training from ``p``, in NumPy."""
    states: dict[str, dict] = {name: {} for name in p}
    numbers = list(numbers)
    for t, start in enumerate(range(0, len(numbers) - accumulate + 1, accumulate), start=1):
        several = [gradients(p, n) for n in numbers[start : start + accumulate]]
        mean = {name: sum(g[name] for g in several) / accumulate for name in p}
        norm = np.sqrt(sum((g**2).sum() for g in mean.values()))
        scale = min(1.0, clip / (norm + 1e-6))
        for name, g in mean.items():
            numbers_of = asdict(optimizer)
            numbers_of["lr"] *= (factors or {}).get(name, 1.0)
            rule = RULES[type(optimizer)]
            p = {**p, name: rule(p[name], g * scale, states[name], t, **numbers_of)}
    return p


def assert_close(session: Session, wanted: Tensors) -> None:
    for name, array in wanted.items():
        np.testing.assert_allclose(session.get_parameter(name), array, rtol=1e-12, atol=1e-15)


def started(optimizer: Optimizer) -> tuple[Session, Tensors]:
    """A session with an optimizer, and where its parameters start."""
    session = make_session()
    session.set_optimizer(optimizer)
    return session, parameters(session)
