"""The recorder: writes what a trainer tells into the run's folder."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import IO

import numpy as np

from .. import trace
from ..errors import FormatError
from ..ops.graph import Graph
from ..picture.chart import loss_curve
from ..picture.graph import draw_graph
from ..picture.memory import draw_memory
from ..picture.timeline import draw_timeline
from ..session import Session
from ..train.callbacks import MetricCallback, StepMetrics, TrainHistory, Validation
from .folder import RunFolder
from .page import write_page
from .page_reading import Kernel, read_record

DRAW_SECONDS = 10.0
"""The curve of losses is not drawn more often: it takes a tenth of a second."""
TIMINGS = 5
"""Times that each dispatch is timed; the shortest counts."""


class Recorder(MetricCallback):
    """Appends to ``metrics.jsonl`` step by step; draws the loss at each validation; at the end
    writes everything that the run's page shows."""

    def __init__(self, folder: RunFolder, graph: Graph) -> None:
        self._folder, self._graph = folder, graph
        self._file: IO[str] | None = None
        self._session: Session | None = None
        self._drawn = time.monotonic()
        self._has_run = False

    def on_start(self, session: Session, done: int, total: int) -> None:
        """Go on behind the step from which the run is resumed."""
        self._session = session
        self._folder.truncate_metrics(done)
        try:
            self._file = self._folder.metrics.open("a", encoding="utf-8", buffering=1)
        except OSError as error:
            raise FormatError(f"cannot write {self._folder.metrics}: {error.strerror}") from None

    def on_step(self, metrics: StepMetrics) -> None:
        """A line."""
        self._has_run = True
        self._append(asdict(metrics))

    def on_validation(self, validation: Validation) -> None:
        """A line, and now and then the curve up to here."""
        self._append({"step": validation.step, "validation": dict(validation.values)})
        if time.monotonic() - self._drawn >= DRAW_SECONDS:
            self.draw_loss()

    def _append(self, row: dict[str, object]) -> None:
        if self._file is not None:
            try:
                self._file.write(json.dumps(row) + "\n")
            except OSError as error:
                self._file = None
                raise FormatError(
                    f"cannot write {self._folder.metrics}: {error.strerror}"
                ) from None

    def draw_loss(self) -> None:
        """Draw all losses so far."""
        self._drawn = time.monotonic()
        record = read_record(self._folder.path)
        if record.losses:
            steps, losses = zip(*((row.step, row.loss) for row in record.losses), strict=True)
            validated = record.validations.get("loss", [])
            at = [step for step, _ in validated]
            validation = (at, [loss for _, loss in validated]) if validated else None
            self._folder.write("loss.png", loss_curve(steps, losses, validation))

    def on_end(self, history: TrainHistory) -> None:
        """Close the file of numbers; what needs the session follows in `finish`."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def finish(self) -> None:
        """Write what the page shows: curve, graph, memory, kernels, optimization; and the page. A
        run that was stopped before its first step has nothing to be timed."""
        session = self._session
        self.draw_loss()
        self._folder.write("graph.svg", draw_graph(self._graph))
        has_plan = session is not None and session.device_information().kind != "reference"
        if session is not None and has_plan and self._has_run:
            self._folder.write("memory.svg", draw_memory(session.plan()))
            self._folder.write("optimize.txt", str(session.report()))
            timeline = traced_step(session)
            if timeline is not None:  # else the device does not tell how long its parts take
                self._folder.write("timeline.svg", draw_timeline(timeline))
                self._folder.write(
                    "kernels.json", json.dumps([asdict(row) for row in kernel_table(session)])
                )
        write_page(self._folder.path)


def traced_step(session: Session) -> trace.DeviceStep | None:
    """The shortest of a few steps as a trace records it, if the device tells. The session is put
    back as it was."""
    before = session.snapshot()
    with trace.apart() as recorded:
        for _ in range(TIMINGS):
            session.step()
    session.restore(before)
    return min(recorded.steps, key=lambda step: np.ptp(step.times[:, :, :2]), default=None)


def kernel_table(session: Session) -> list[Kernel]:
    """Dispatches of a step by label: how often each runs, its time, bytes and operations; those
    that take longest first."""
    plan = session.plan()
    times = np.min([session.time_dispatches() for _ in range(TIMINGS)], axis=0)
    rows: dict[str, Kernel] = {}
    for dispatch, ns in zip(plan.dispatches, times, strict=True):
        row = rows.get(dispatch.label, Kernel(dispatch.label, 0, 0, 0, 0))
        rows[dispatch.label] = Kernel(
            dispatch.label,
            row.runs + 1,
            row.time_ns + int(ns),
            row.bytes + plan.dispatch_bytes(dispatch),
            row.flops + dispatch.flops,
        )
    return sorted(rows.values(), key=lambda row: -row.time_ns)
