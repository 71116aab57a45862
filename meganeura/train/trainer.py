"""The trainer: batches into a session, step after step, watched, saved and resumed.

The device is not waited for in every step: losses stay there until ``log_interval`` of them are
read together. Where a run stands is an epoch, a batch and a step; batches depend on their number
only, so a run that was stopped goes on with the same bits.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from ..arguments import checked_methods, shown
from ..data.batches import Batch, Batches, DataLoader
from ..dtypes import Array
from ..errors import FormatError, NonFiniteError, SessionError, did_you_mean
from ..load.files import make_folder
from ..session import Session, Snapshot
from ..trace import count, span
from .callbacks import EpochStats, MetricCallback, StepMetrics, TrainHistory, Validation
from .config import Position, TrainConfig
from .interrupt import Interrupt
from .progress import Progress

LAST, BEST = "last.safetensors", "best.safetensors"
SNAPSHOT_INTERVAL = 100
"""Steps between two copies of everything that persists, kept to find where a NaN came from."""

Validate = Callable[[Session], Mapping[str, float]] | Batches


@checked_methods(SessionError)
class Trainer:
    """Trains a session. ``validate`` is batches to `evaluate` now and then, which gives a ``loss``,
    or a function of the session, which gives numbers by name and must not make a step (that would
    train). They are told to the callbacks and may choose the best checkpoint."""

    def __init__(
        self,
        session: Session,
        config: TrainConfig | None = None,
        callbacks: Sequence[MetricCallback] = (),
        validate: Validate | None = None,
    ) -> None:
        self.session, self.config = session, config or TrainConfig()
        progress = [Progress(self.config.log_interval)] if self.config.progress else []
        self.callbacks: list[MetricCallback] = [*callbacks, *progress]
        self.position = Position()
        self._validate = validate
        self._history = TrainHistory()
        self._interrupt = Interrupt()
        self._snapshot: tuple[Position, Snapshot] | None = None
        self._unread: list[tuple[Position, float]] = []
        """For each loss not yet read, where the run stood before its step, and its rate."""
        self._since = time.perf_counter()
        self._data: tuple[Batches | None, dict[str, Any]] = None, {}
        session.set_gradient_clipping(self.config.clip_norm)
        session.set_gradient_accumulation(self.config.accumulate)
        session.set_averaging(self.config.average)
        session.set_optimizer(self.config.optimizer)
        session.noted_losses()  # what another trainer may have left

    # Running

    def train(
        self, loader: Batches, epochs: int | None = None, *, steps: int | None = None
    ) -> TrainHistory:
        """Train until ``epochs`` epochs or ``steps`` steps have been made in all, with those made
        before a resumption. Ctrl-C ends it after the present step, with a checkpoint."""
        if (epochs is None) == (steps is None):
            raise SessionError("train: give epochs or steps, one of them")
        total = steps if steps is not None else (epochs or 0) * loader.num_batches
        if total <= self.position.step:
            raise SessionError(
                f"train: {total} steps are asked for, and {self.position.step} were made already",
                hint="epochs and steps count from the beginning of training",
            )
        return self._train(loader, total)

    def train_epoch(self, loader: Batches, epoch: int) -> EpochStats:
        """Train one epoch, or the rest of it if it is the one under way."""
        if epoch < 0:
            raise SessionError(f"epochs count from 0, got {epoch}")
        if epoch != self.position.epoch:
            self.position = self.position.at_epoch(epoch)
        left = loader.num_batches - self.position.batch
        return self._train(loader, self.position.step + left).epochs[-1]

    def evaluate(self, loader: Batches, *, output: int = 0) -> float:
        """The mean of an output (the loss, if not told otherwise) over a loader's first epoch,
        without training: see `Session.evaluate`.

        An output that is one number is the mean of a whole batch. A batch that is partly filled up
        is then refused, because its other rows would count too. An output with a row for each of
        the batch's is averaged over the real rows exactly."""
        if isinstance(loader, DataLoader) and loader.partial is None and loader.left_out:
            raise SessionError(
                f"the loader leaves out {loader.left_out} of {loader.num_samples} samples",
                hint='evaluate with shuffle=False, or say partial="drop"',
            )
        total = weights = 0.0
        for batch in loader.batches(0):
            self._set_inputs(batch)
            self.session.evaluate()
            mean, weight = _mean_of_rows(batch, self.session.read_output(output), output)
            total, weights = total + weight * mean, weights + weight
        if not weights:
            raise SessionError("the loader gives no batches to evaluate")
        return total / weights

    def _train(self, loader: Batches, total: int) -> TrainHistory:
        """Steps until there are ``total``, or it is asked to stop."""
        if self.position.batch >= loader.num_batches:
            raise SessionError(
                f"training stands at batch {self.position.batch} of an epoch, and this loader has "
                f"{loader.num_batches}",
                hint="go on with the loader that it was begun with, or with train_epoch",
            )
        self._describe(loader)
        if self.config.checkpoints is not None:
            make_folder(self.config.checkpoints)
        self._forget_unread()
        history = self._history = TrainHistory()
        self._since = time.perf_counter() - self.position.seconds
        try:
            with Interrupt() as self._interrupt:
                self._tell("on_start", self.session, self.position.step, total)
                while self.position.step < total and not self._interrupt.asked:
                    self._epoch(loader, total)
                history.interrupted = self.position.step < total
                self._save(LAST)
        finally:
            self._tell("on_end", history)
        return history

    def _forget_unread(self) -> None:
        """Losses that an error left unread, and the snapshot before them: what follows may be other
        batches."""
        self.session.noted_losses()
        self._unread, self._snapshot = [], None

    def _epoch(self, loader: Batches, total: int) -> None:
        """An epoch from the present batch on, or what of it there is before step ``total``."""
        epoch, before = self.position.epoch, self.position.step
        with span("train_epoch", epoch=epoch):
            for batch in loader.batches(epoch, self.position.batch):
                self._step(loader, batch)
                is_last = self.position.step >= total or self._interrupt.asked
                self._look(loader, epoch, is_last)
                if is_last:
                    break
        if self.position.step == before:
            raise SessionError(
                f"the loader promises {loader.num_batches} batches, and gives none from "
                f"{self.position.batch} on"
            )

    def _step(self, loader: Batches, batch: Mapping[str, Array]) -> None:
        if self._snapshot is None:
            self._snapshot = self.position, self.session.snapshot()
        rate = self._feed(batch, self.position.step)
        self.session.step()
        self.session.note_loss()
        self._unread.append((self.position, rate))
        self.position = self.position.after_step(loader.num_batches)

    def _set_inputs(self, batch: Mapping[str, Array]) -> None:
        names = {"x": self.config.data_input, "labels": self.config.label_input}
        for name, array in batch.items():
            self.session.set_input(names.get(name, name), array)

    def _feed(self, batch: Mapping[str, Array], step: int) -> float:
        """Give the session a batch and its learning rate."""
        self._set_inputs(batch)
        rate = self.config.rate(step)
        self.session.set_rate(rate)
        return rate

    def _look(self, loader: Batches, epoch: int, is_last: bool) -> None:
        """After a step: read losses, validate and save, each when it is due."""
        ends = self.position.epoch > epoch
        stops = is_last and not self._interrupt.asked
        validates = self._validate is not None and (
            stops or self._is_due(self.config.validate_interval, ends)
        )
        saves = self._is_due(self.config.checkpoint_interval, ends)
        if is_last or ends or validates or saves or self._is_due(self.config.log_interval, False):
            self._read_losses(loader)
        if ends or is_last:
            self._end_epoch(epoch, ends)
        if validates:
            self._make_validation()
        if saves and not is_last:  # the last one is saved when training ends
            self._save(LAST)

    def _end_epoch(self, epoch: int, is_whole: bool) -> None:
        """Tell of an epoch, or of the part of it that was trained."""
        position = self.position
        stats = EpochStats(epoch, position.loss_sum / position.loss_count, position.loss_count)
        self._history.epochs.append(stats)
        self._tell("on_epoch", stats)
        if is_whole:
            self.position = replace(position, loss_sum=0.0, loss_count=0)
            if self._validate is None:
                self._keep_best({"loss": stats.avg_loss})

    def _is_due(self, interval: int, ends: bool) -> bool:
        return self.position.step % interval == 0 if interval else ends

    def _read_losses(self, loader: Batches) -> None:
        losses = self.session.noted_losses()
        self.position = replace(self.position, seconds=time.perf_counter() - self._since)
        unread, self._unread = self._unread, []
        for (before, rate), loss in zip(unread, losses, strict=True):
            if not isfinite(loss):
                self._find_nonfinite(loader, before, loss)
            self.position = self.position.with_loss(loss)
            self._history.losses.append(loss)
            count("loss", loss)
            step, seconds = before.step + 1, self.position.seconds
            self._tell("on_step", StepMetrics(step, before.epoch, loss, rate, seconds))
        taken = self.position.step if self._snapshot is None else self._snapshot[0].step
        if self.position.step - taken >= SNAPSHOT_INTERVAL:
            self._snapshot = None

    def _find_nonfinite(self, loader: Batches, bad: Position, loss: float) -> None:
        """Go back to where all was well, and make the steps again, the last two of them watched op
        by op. Training then stands before the step that fails."""
        if self._snapshot is not None:
            self.position, snapshot = self._snapshot
            self._snapshot = None
            self.session.restore(snapshot)
            while self.position.step <= bad.step:
                at = self.position
                self._feed(next(loader.batches(at.epoch, at.batch)), at.step)
                if at.step >= bad.step - 1:
                    self.session.step_checked()
                else:
                    self.session.step()
                self.position = at.after_step(loader.num_batches)
        raise NonFiniteError(f"step {bad.step}: the loss is {loss}")

    def _make_validation(self) -> None:
        if self._validate is None:
            return
        before = self.session.num_steps()
        with span("validate"):
            values = (
                {"loss": self.evaluate(self._validate)}
                if isinstance(self._validate, Batches)
                else self._validate(self.session)
            )
        if self.session.num_steps() != before:
            raise SessionError(
                "validate has made a step, which trains on what it should only look at",
                hint="run session.evaluate() instead of session.step()",
            )
        if not isinstance(values, Mapping):
            raise SessionError(f"validate must give numbers by name, got {shown(values)}")
        validation = Validation(self.position.step, dict(values))
        self._history.validations.append(validation)
        for name, value in values.items():
            count(name, value)
        self._tell("on_validation", validation)
        self._keep_best(values)

    def _tell(self, method: str, *arguments: Any) -> None:
        for callback in self.callbacks:
            getattr(callback, method)(*arguments)

    def _describe(self, loader: Batches) -> None:
        """Remember what the batches depend on, which takes a look at all data."""
        if self._data[0] is not loader:
            self._data = loader, loader.description()

    # Checkpoints

    def _keep_best(self, values: Mapping[str, float]) -> None:
        name, best = self.config.best or "loss", self.position.best
        if name not in values:
            if self.config.best is not None and values:
                hint = did_you_mean(name, list(values))
                raise SessionError(f'the validation gives no "{name}": {hint}')
            return
        value, sign = float(values[name]), 1 if self.config.best_is == "lowest" else -1
        if isfinite(value) and (best is None or sign * value < sign * best):
            self.position = replace(self.position, best=value)
            self._save(BEST)

    def _save(self, name: str) -> None:
        if self.config.checkpoints is not None:
            self.save(Path(self.config.checkpoints) / name)

    def save(self, path: Path | str) -> None:
        """Write a checkpoint: the session with its optimizer, and where training stands."""
        with span("save"):
            extra = {
                "position": asdict(self.position),
                "config": self.config.determines(),
                "data": self._data[1],
            }
            self.session.save_checkpoint(path, {"trainer": extra})
        self._tell("on_checkpoint", Path(path), self.position.step)

    def resume(self, path: Path | str, loader: Batches) -> None:
        """Go on where a checkpoint of `save` was written, to the same bits. Data or settings other
        than those it was trained with are refused; nothing changes then."""
        self._describe(loader)
        before = self.session.snapshot()
        extra = self.session.load_checkpoint(path).get("trainer")
        try:
            position = self._checked_position(path, extra)
        except FormatError:
            self.session.restore(before)
            raise
        self.position = position
        self._forget_unread()

    def _checked_position(self, path: Path | str, extra: Any) -> Position:
        if not isinstance(extra, dict):
            raise FormatError(
                f"{path} was not written by a trainer", hint="Session.load_checkpoint reads it"
            )
        try:
            position = Position.from_json(extra["position"])
            was = {**extra["config"], **extra["data"]}
        except (KeyError, TypeError, FormatError):
            raise FormatError(f"{path}: where training stood is damaged") from None
        now = json.loads(json.dumps({**self.config.determines(), **self._data[1]}))
        others = [
            f"{name} was {was.get(name)}, is {now.get(name)}"
            for name in {**was, **now}
            if was.get(name) != now.get(name)
        ]
        if others:
            raise FormatError(
                f"{path} comes from another training: {'; '.join(others)}",
                hint="load_checkpoint takes over the parameters alone",
            )
        return position


def _mean_of_rows(batch: Mapping[str, Array], values: Array, output: int) -> tuple[float, float]:
    """The mean of an output over a batch's samples, and the share of its rows that these are."""
    if not isinstance(batch, Batch) or batch.real_rows == batch.rows:
        return float(np.mean(values, dtype=np.float64)), 1.0
    if values.ndim == 0 or len(values) != batch.rows:
        raise SessionError(
            f"{batch.rows - batch.real_rows} of {batch.rows} rows of the last batch only fill it "
            f"up, and output {output} has the shape {list(values.shape)}: they would count too",
            hint='use a batch_size that divides the samples, say partial="drop" to leave the rest '
            "out, or evaluate an output with a row for each sample: evaluate(loader, output=1)",
        )
    mean = np.mean(values[: batch.real_rows], dtype=np.float64)
    return float(mean), batch.real_rows / batch.rows
