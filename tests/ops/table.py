"""What a row of the table is, and the words rows are written with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from meganeura import Value
from meganeura.ir.op import Op


@dataclass(frozen=True)
class Tensor:
    """An operand to draw: normal floats, floats in a range, or indices below a limit."""

    shape: tuple[int, ...]
    low: float | None = None
    high: float = 2.0
    limit: int | None = None

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        if self.limit is not None:
            return rng.integers(0, self.limit, self.shape).astype(np.uint32)
        if self.low is not None:
            return rng.uniform(self.low, self.high, self.shape)
        return rng.normal(size=self.shape)


@dataclass(frozen=True)
class Case:
    """One use of an op."""

    op: str
    id: str
    inputs: tuple[Tensor, ...]
    build: Callable[..., Value]
    formula: Callable[..., Any]
    tolerance: float = 1e-11
    refuses_gradient: bool = False
    """Whether differentiating through it is an error, as the specification says."""
    forward_on_devices: bool = False
    """Whether devices only compute it forward: its gradient is made of many ops of other rows."""

    @property
    def trains(self) -> bool:
        """Whether devices compute its gradient."""
        return not (self.refuses_gradient or self.forward_on_devices)

    def __str__(self) -> str:
        return f"{self.op}-{self.id}"


CASES: list[Case] = []


def add(op: str, id: str, inputs, build, formula, **options) -> None:
    """Add a row; a bare shape stands for a tensor of normal floats."""
    tensors = tuple(t if isinstance(t, Tensor) else Tensor(t) for t in inputs)
    CASES.append(Case(op, id, tensors, build, formula, **options))


def emit(op: Op) -> Callable[..., Value]:
    """A builder that emits an op no graph method emits by itself."""
    return lambda g, *values: g.emit(op, *values)


def positive(*shape: int) -> Tensor:
    return Tensor(shape, 0.2)


def u32(*shape: int, limit: int) -> Tensor:
    return Tensor(shape, limit=limit)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
