"""How far a run is: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path
from typing import IO, Protocol

from ..session import Session
from .callbacks import EpochStats, MetricCallback, StepMetrics, TrainHistory, Validation

LINE_SECONDS = 2.0
"""Plain lines come no faster than this."""
SMOOTH = 0.9
"""How much of the shown loss stays when a new one comes."""


class Display(Protocol):
    """Where progress is shown."""

    def update(self, done: int, total: int, words: str) -> None:
        """Show how far the run is."""
        ...

    def line(self, words: str) -> None:
        """Show a line that stays."""
        ...

    def close(self) -> None:
        """Nothing follows."""
        ...


class Lines:
    """Plain lines, for files and pipes."""

    def __init__(self, stream: IO[str] | None) -> None:
        self._stream = stream
        """Where somebody reads them."""
        self._shown = time.monotonic()

    def update(self, done: int, total: int, words: str) -> None:
        """A line, if the last one is old enough."""
        if done == total or time.monotonic() - self._shown >= LINE_SECONDS:
            self.line(f"step {done}/{total}  {words}")

    def line(self, words: str) -> None:
        """Write it. If the reader has gone (head, less), the run goes on without one."""
        self._shown = time.monotonic()
        if self._stream is not None:
            try:
                self._stream.write(f"{words}\n")
                self._stream.flush()
            except BrokenPipeError:
                self._stream = None

    def close(self) -> None:
        """Nothing is open."""


def display(stream: IO[str] | None) -> Display:
    """A bar where there is a terminal, else lines, which nobody reads if there is no stream."""
    if stream is None or not stream.isatty():
        return Lines(stream)
    # rich takes a tenth of a second to import, which only who sees it shall wait for.
    shown: Display = import_module(f"{__package__}.terminal").Bar(stream)
    return shown


class Progress(MetricCallback):
    """Shows steps, loss, rate, the time that is left, device and memory."""

    def __init__(self, log_interval: int, stream: IO[str] | None = None) -> None:
        self._interval, self._stream = log_interval, stream
        self._display: Display | None = None
        self._done = self._first = self._total = 0
        self._loss: float | None = None
        self._latest: StepMetrics | None = None

    def on_start(self, session: Session, done: int, total: int) -> None:
        """Say what is trained where; compile, which is what takes long at first."""
        self._display = display(self._stream or sys.stdout)
        self._done, self._first, self._total = done, done, total
        parameters = session.num_parameters()
        device = session.device_information()
        self._display.line(f"{parameters:,} parameters on {device}")
        self._display.update(done, total, "compiling …")
        memory = session.memory_summary().total_bytes()
        self._display.line(f"compiled; {memory / 2**20:.0f} MiB of memory")
        self._loss, self._began = None, time.monotonic()

    def on_step(self, metrics: StepMetrics) -> None:
        """Count it; show it when losses are looked at."""
        self._done, loss = metrics.step, metrics.loss
        self._loss = loss if self._loss is None else SMOOTH * self._loss + (1 - SMOOTH) * loss
        self._latest = metrics
        if metrics.step % self._interval == 0 or metrics.step == self._total:
            self._show()

    def _show(self) -> None:
        if self._display is not None and self._latest is not None:
            self._display.update(self._done, self._total, self._words(self._latest))

    def _words(self, metrics: StepMetrics) -> str:
        seconds = max(time.monotonic() - self._began, 1e-9)
        rate = (self._done - self._first) / seconds
        left = round((self._total - self._done) / rate)
        return (
            f"loss {self._loss:.4f}  lr {metrics.learning_rate:.2e}  {rate:.1f} steps/s  "
            f"{left // 60}:{left % 60:02d} left"
        )

    def on_epoch(self, stats: EpochStats) -> None:
        """A line for each."""
        words = f"epoch {stats.epoch + 1}: mean loss {stats.avg_loss:.4f} of {stats.steps} steps"
        self._line(words)

    def on_validation(self, validation: Validation) -> None:
        """A line for each."""
        found = ", ".join(f"{name} {value:.4f}" for name, value in validation.values.items())
        if found:
            self._line(f"step {validation.step}: {found}")

    def on_checkpoint(self, path: Path, step: int) -> None:
        """Only the files tell."""

    def on_end(self, history: TrainHistory) -> None:
        """Close the bar."""
        if self._display is not None:
            self._display.close()
            self._display = None

    def _line(self, words: str) -> None:
        if self._display is not None:
            self._display.line(words)
