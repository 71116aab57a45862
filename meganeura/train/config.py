"""How a session is trained, and where a run stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..arguments import fit_fields
from ..errors import FormatError, SessionError
from ..update import Adam, Optimizer
from .schedule import Constant, Schedule


@dataclass(frozen=True)
class TrainConfig:
    """How a session is trained."""

    optimizer: Optimizer = field(default_factory=lambda: Adam(1e-3))
    learning_rate: float | None = None
    """The full learning rate; None: the optimizer's."""
    log_interval: int = 10
    """Steps between two looks at the losses."""
    data_input: str = "x"
    """The input that a batch's ``x`` is for."""
    label_input: str = "labels"
    """The input that a batch's ``labels`` are for; what else is in a batch has its input's name."""
    schedule: Schedule = field(default_factory=Constant)
    clip_norm: float | None = None
    accumulate: int = 1
    average: float | None = None
    """How much of the weights' running average stays in an update: after n of them
    ``min(average, n / (n + 10))``, so that its start is soon forgotten; None: none is kept."""
    checkpoints: Path | str | None = None
    """The folder for ``last.safetensors`` and ``best.safetensors``; None: none are written."""
    checkpoint_interval: int = 0
    """Steps between two checkpoints; 0: one after each epoch."""
    validate_interval: int = 0
    """Steps between two validations; 0: one after each epoch."""
    best: str | None = None
    """What the best checkpoint is best in: a value of the validation. None: its ``loss``, if it has
    one, or without a validation the epoch's."""
    best_is: str = "lowest"
    progress: bool = True
    """Whether the run shows how far it is: a bar on a terminal, lines elsewhere."""

    def __post_init__(self) -> None:
        fit_fields(self, "TrainConfig", SessionError)
        if self.log_interval < 1:
            raise SessionError(f"log_interval must be at least 1, got {self.log_interval}")
        if self.checkpoint_interval < 0 or self.validate_interval < 0:
            raise SessionError("an interval must not be negative")
        if self.best_is not in ("lowest", "highest"):
            raise SessionError(f'best_is must be "lowest" or "highest", not {self.best_is!r}')

    def rate(self, step: int) -> float:
        """The learning rate of step ``step`` (from 0)."""
        full = self.optimizer.lr if self.learning_rate is None else self.learning_rate
        return full * self.schedule.factor(step)

    def determines(self) -> dict[str, str]:
        """What the course of training depends on, in words."""
        names = "optimizer learning_rate schedule clip_norm accumulate average"
        return {name: repr(getattr(self, name)) for name in names.split()}


@dataclass(frozen=True)
class Position:
    """Where a run stands."""

    epoch: int = 0
    batch: int = 0
    """The next one."""
    step: int = 0
    """Steps made."""
    seconds: float = 0.0
    best: float | None = None
    loss_sum: float = 0.0
    """Of the epoch under way, as far as it was read."""
    loss_count: int = 0

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Position:
        """A position from a checkpoint, checked."""
        found = Position(**data)
        fit_fields(found, "position", FormatError)
        if min(found.epoch, found.batch, found.step, found.seconds, found.loss_count) < 0:
            raise FormatError("a position must not be negative")
        return found

    def after_step(self, num_batches: int) -> Position:
        """The position once a batch is done."""
        ends = self.batch + 1 == num_batches
        epoch, batch = (self.epoch + 1, 0) if ends else (self.epoch, self.batch + 1)
        return replace(self, epoch=epoch, batch=batch, step=self.step + 1)

    def at_epoch(self, epoch: int) -> Position:
        """The position at the beginning of an epoch."""
        return replace(self, epoch=epoch, batch=0, loss_sum=0.0, loss_count=0)

    def with_loss(self, loss: float) -> Position:
        """The position with one more loss of the epoch under way."""
        return replace(self, loss_sum=self.loss_sum + loss, loss_count=self.loss_count + 1)
