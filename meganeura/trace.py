"""What happens when: spans, counters and dispatches, recorded while a trace is being taken.

Recording only; the `profiler` starts it, and writes what was recorded to a file. While nothing is
recorded a span costs a fifth of a microsecond. All times are of one clock, which native code reads
too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

MOST = 1_000_000
"""Spans, counters, and dispatches on a thread that are recorded, of each; those that follow are
only counted. A trace of so many dispatches is some 125 MB."""

_clock = getattr(time, "CLOCK_MONOTONIC", None)


def now_ns() -> int:
    """The time, by the clock that the CPU device's native code reads."""
    return time.perf_counter_ns() if _clock is None else time.clock_gettime_ns(_clock)


class Span(NamedTuple):
    """Something that a thread did."""

    thread: str
    name: str
    start_ns: int
    end_ns: int
    arguments: dict[str, Any]


class Count(NamedTuple):
    """A number, from a moment on."""

    name: str
    at_ns: int
    value: float


class Work(NamedTuple):
    """What a dispatch does."""

    label: str
    moved_bytes: int
    flops: int


class DeviceStep(NamedTuple):
    """A step on a device: for each of its threads and each dispatch, when it began and ended, and
    how many tasks it ran."""

    device: str
    works: tuple[Work, ...]
    times: NDArray[np.int64]
    """``[threads, dispatches, 3]``: begin and end in nanoseconds, tasks."""


@dataclass
class Trace:
    """What has been recorded."""

    spans: list[Span] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)
    steps: list[DeviceStep] = field(default_factory=list)
    rows: int = 0
    """Dispatches on threads that are recorded in `steps`."""
    left_out: int = 0
    """Spans, counters and dispatches for which there was no room."""

    def has_room(self, rows: int) -> bool:
        """Whether so many dispatches on threads can be recorded."""
        return self.rows + rows <= MOST

    def add_step(self, step: DeviceStep) -> None:
        """Record a step, if there is room."""
        rows = len(step.works) * len(step.times)
        if self.has_room(rows):
            self.rows += rows
            self.steps.append(step)
        else:
            self.left_out += rows

    def add_span(self, span: Span) -> None:
        """Record a span, if there is room."""
        if len(self.spans) < MOST:
            self.spans.append(span)
        else:
            self.left_out += 1


_state: dict[str, Trace | None] = {"trace": None}
_NOTHING: AbstractContextManager[None] = nullcontext()


def start() -> None:
    """Record from now on, into a new trace."""
    _state["trace"] = Trace()


def stop() -> Trace | None:
    """Record no more; what has been recorded."""
    found, _state["trace"] = _state["trace"], None
    return found


def current() -> Trace | None:
    """The trace that is being taken, if one is."""
    return _state["trace"]


@contextmanager
def apart(trace: Trace | None = None) -> Iterator[Trace]:
    """Record into another trace, or a new one, apart from the one that is being taken."""
    outer, mine = _state["trace"], Trace() if trace is None else trace
    _state["trace"] = mine
    try:
        yield mine
    finally:
        _state["trace"] = outer


class _Span:
    """Records from where it is entered to where it is left."""

    def __init__(self, trace: Trace, name: str, arguments: dict[str, Any]) -> None:
        self._trace, self._name, self._arguments = trace, name, arguments

    def __enter__(self) -> None:
        self._start_ns = now_ns()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        thread = threading.current_thread().name
        found = Span(thread, self._name, self._start_ns, now_ns(), self._arguments)
        self._trace.add_span(found)


def span(name: str, **arguments: Any) -> AbstractContextManager[None]:
    """To be entered while something is done that the trace shall show."""
    trace = _state["trace"]
    return _NOTHING if trace is None else _Span(trace, name, arguments)


def count(name: str, value: float) -> None:
    """A counter's new value."""
    trace = _state["trace"]
    if trace is not None and len(trace.counts) < MOST:
        trace.counts.append(Count(name, now_ns(), float(value)))


@dataclass
class Stopwatch:
    """Runs parts of a work, and notes what each took."""

    times_ns: dict[str, int] = field(default_factory=dict)

    def __call__(self, name: str, part: Callable[[], T]) -> T:
        """What the part gives."""
        start_ns = now_ns()
        with span(name):
            result = part()
        self.times_ns[name] = now_ns() - start_ns
        return result
