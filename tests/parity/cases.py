"""A case of the table in test_ops.py, and what its operands are drawn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meganeura.ops.graph import Graph

Draw = Callable[[np.random.Generator], NDArray[Any]]
"""Floats become parameters of the graph, whole numbers U32 inputs."""


@dataclass(frozen=True)
class Case:
    """One use of a graph method. ``gradient`` is false for methods that have none."""

    name: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    operands: Sequence[Draw]
    gradient: bool = True


def cases(
    name: str,
    theirs: Callable[..., Any],
    *samples: Sequence[Draw],
    ours: Callable[..., Any] | None = None,
    gradient: bool = True,
    **options: Any,
) -> list[Case]:
    """A case for each sample. Ours is the method of that name, called with the options."""

    def method(g: Graph, *operands: Any) -> Any:
        return getattr(g, name)(*operands, **options)

    return [Case(name, ours or method, theirs, operands, gradient) for operands in samples]


def normal(*shape: int, scale: float = 1.0) -> Draw:
    return lambda rng: np.asarray(scale * rng.standard_normal(shape))


def uniform(low: float, high: float, *shape: int) -> Draw:
    return lambda rng: np.asarray(rng.uniform(low, high, shape))


def positive(*shape: int) -> Draw:
    return uniform(0.3, 3.0, *shape)


def ties(*shape: int) -> Draw:
    """Few different values: zeros, and many that are equal."""
    return lambda rng: np.asarray(rng.integers(-2, 3, shape), np.float64)


def bits(*shape: int) -> Draw:
    """Zeros and ones."""
    return lambda rng: np.asarray(rng.integers(0, 2, shape), np.float64)


def mask(*shape: int) -> Draw:
    """Zeros, and −∞ at some places of each row but the first."""

    def draw(rng: np.random.Generator) -> NDArray[Any]:
        result = np.where(rng.random(shape) < 0.4, -np.inf, 0.0)
        result[..., 0] = 0.0
        return result

    return draw


def below(limit: int, *shape: int) -> Draw:
    return lambda rng: rng.integers(0, limit, shape, np.uint32)


def exactly(number: int) -> Draw:
    return lambda rng: np.array([number], np.uint32)


def alike(count: int, *draws: Callable[..., Draw]) -> list[list[Draw]]:
    """Samples of ``count`` operands of one shape, for a few shapes of different rank."""
    return [[draw(*s)] * count for draw in draws for s in ((7,), (5, 3), (3, 1, 5))]


BROADCAST = (
    [normal(3, 1, 5), positive(7, 1)],
    [normal(3, 5), positive(5)],
    [normal(1), positive(3, 5)],
    [normal(3, 7), positive()],
)
"""Samples of two operands of which one or both are repeated."""
