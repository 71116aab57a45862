"""What a trainer tells while it trains, and who listens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import SessionError
from ..session import Session


@dataclass(frozen=True)
class StepMetrics:
    """One step."""

    step: int
    """Steps made so far, this one included."""
    epoch: int
    loss: float
    learning_rate: float
    seconds: float
    """Since training began, without the time between runs. Losses are read from the device now and
    then, so steps that are read together have the same time."""


@dataclass(frozen=True)
class EpochStats:
    """One epoch, or the part of it that was trained."""

    epoch: int
    avg_loss: float
    steps: int


@dataclass(frozen=True)
class Validation:
    """What a validation found, by name."""

    step: int
    values: Mapping[str, float]


@dataclass
class TrainHistory:
    """All that a call of `Trainer.train` did."""

    epochs: list[EpochStats] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    """Of every step."""
    validations: list[Validation] = field(default_factory=list)
    interrupted: bool = False
    """Whether it was stopped by Ctrl-C or a signal before its end."""

    def final_loss(self) -> float:
        """The average loss of the last epoch."""
        if not self.epochs:
            raise SessionError("no epoch was trained")
        return self.epochs[-1].avg_loss


class MetricCallback:
    """Listens to a trainer; each method does nothing unless it is overridden."""

    def on_start(self, session: Session, done: int, total: int) -> None:
        """Training begins, with ``done`` of ``total`` steps already made."""

    def on_step(self, metrics: StepMetrics) -> None:
        """A step's loss is known: every step is told, in order, a few at a time."""

    def on_epoch(self, stats: EpochStats) -> None:
        """An epoch has ended."""

    def on_validation(self, validation: Validation) -> None:
        """A validation was made."""

    def on_checkpoint(self, path: Path, step: int) -> None:
        """A checkpoint was written."""

    def on_end(self, history: TrainHistory) -> None:
        """Training has ended, or was interrupted, or has failed."""


class LossHistory(MetricCallback):
    """Keeps every loss."""

    def __init__(self) -> None:
        self.losses: list[float] = []

    def on_step(self, metrics: StepMetrics) -> None:
        """Keep it."""
        self.losses.append(metrics.loss)
