"""Learning-rate schedules: a factor for each step, known before training begins.

A schedule is data, so a checkpoint can hold it; the rate is a number that is fed, so nothing is
compiled when it changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, pi

from ..arguments import fit_fields
from ..errors import SessionError


@dataclass(frozen=True)
class Schedule:
    """The learning rate of each step, as a part of the full one."""

    def __post_init__(self) -> None:
        fit_fields(self, type(self).__name__, SessionError)

    def factor(self, step: int) -> float:
        """The factor of step ``step`` (from 0)."""
        raise SessionError("Schedule is no schedule itself: use Constant, Cosine or Warmup")


@dataclass(frozen=True)
class Constant(Schedule):
    """The full learning rate in every step."""

    def factor(self, step: int) -> float:
        """One."""
        return 1.0


@dataclass(frozen=True)
class Cosine(Schedule):
    """From the full rate down to ``final`` of it in ``steps`` steps, along half a cosine
    (Loshchilov & Hutter 2016); there it stays."""

    steps: int
    final: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.steps < 1:
            raise SessionError(f"Cosine: there must be at least 1 step, got {self.steps}")
        if not 0 <= self.final <= 1:
            raise SessionError(f"Cosine: final is a part of the rate, from 0 to 1: {self.final}")

    def factor(self, step: int) -> float:
        """``final + (1 − final)·(1 + cos(π·step/steps))/2``."""
        done = min(step / self.steps, 1.0)
        return self.final + (1 - self.final) * (1 + cos(pi * done)) / 2


@dataclass(frozen=True)
class Warmup(Schedule):
    """In ``steps`` steps from nothing to the full rate, in even steps; ``then`` sets the pace
    meanwhile and afterwards, and counts from the first step on."""

    steps: int
    then: Schedule = field(default_factory=Constant)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.steps < 0:
            raise SessionError(f"Warmup: steps must not be negative, got {self.steps}")

    def factor(self, step: int) -> float:
        """``min(1, (step + 1)/steps)`` of what `then` says."""
        rising = min(1.0, (step + 1) / self.steps) if self.steps else 1.0
        return rising * self.then.factor(step)
