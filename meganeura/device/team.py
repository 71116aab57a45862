"""The threads that walk a plan's list of dispatches, and the memory they walk in.

The caller is one of them; the others sleep between steps. They hold on to everything they touch: a
thread that outlived its memory would walk in somebody else's.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dtypes import Array
from ..trace import now_ns
from .executor import CONTROL, LINE_BYTES, TIME_NUMBERS, offset_bytes
from .threads import start_thread

JOIN_SECONDS = 1
"""How long the end of threads that were stopped is waited for. They touch nothing of others'; and a
finalizer may have interrupted what lets them end."""
_BEGIN = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_STEP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_WORKER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)


class Team:
    """Threads for one list of dispatches; ``held`` is what the list points to.

    A row of the list is a kernel, its buffers, its tasks, and whether there is a barrier before."""

    def __init__(
        self, code: Any, rows: Array, threads: int, scratch_bytes: int, held: object
    ) -> None:
        self._rows, self._held = rows, (code, held)
        self._scratch = [aligned_bytes(scratch_bytes + LINE_BYTES) for _ in range(threads)]
        self._control = aligned_bytes(len(CONTROL) * LINE_BYTES)
        self._claims = aligned_bytes(threads * max(len(rows), 1) * 8)
        self._set("claims", self._claims.ctypes.data)
        idle = aligned_bytes(threads * LINE_BYTES)
        self._set("idle", idle.ctypes.data)
        self._idle = idle.view(np.uint64)[LINE_BYTES // 8 :: LINE_BYTES // 8]
        """The last step that each other thread is through with."""
        self._times = np.zeros((threads, len(rows), TIME_NUMBERS), np.int64)
        """What threads note; those that are late do so after the step, too."""
        self._begin = _BEGIN(code["begin"])
        self._step, self._worker = _STEP(code["step"]), _WORKER(code["worker"])
        self._at_control, self._at_scratch = (
            part.ctypes.data for part in (self._control, self._scratch[0])
        )
        self._sleepers, self._steps = self._field("sleepers"), self._field("step")
        self._process, self._cpu = os.getpid(), _current_cpu()
        self._threads: list[threading.Thread] = []
        self._set("threads", threads)
        self._take(rows)
        try:
            for number in range(1, threads):
                self._threads.append(start_thread(self._work, number))
        except BaseException:
            self.stop()
            raise

    def step(self) -> None:
        """Run the list once; the calling thread takes part."""
        if self._sleepers[0] and self._cpu is not None:
            self._wake_apart(self._cpu)
        else:
            self._step(self._at_control, self._at_scratch)

    def steps(self) -> int:
        """How often the list was run."""
        return int(self._steps[0])

    def timed_step(self) -> NDArray[np.int64]:
        """Run the list once; for each thread and dispatch when it began and ended, and the tasks
        it ran. Where it ran none, it may be late: then it began and ended with the step."""
        self._times[:] = 0
        self._set("times", self._times.ctypes.data)
        try:
            self.step()
        finally:
            self._set("times", 0)
        times = self._times.copy()
        times[times[:, :, 2] == 0, :2] = now_ns()
        return times

    def time_each(self, before: Callable[[int], object] | None = None) -> list[int]:
        """Nanoseconds that each dispatch of the list takes, run as a list of its own: with the
        call and the waiting for each other, a few microseconds. ``before`` each of them something
        may be done."""
        times = []
        try:
            for number in range(len(self._rows)):
                self._take(self._rows[number : number + 1])
                if before is not None:
                    before(number)
                start = time.perf_counter_ns()
                self.step()
                times.append(time.perf_counter_ns() - start)
        finally:
            self._take(self._rows)
        return times

    def fill_scratch(self, word: int) -> None:
        """Fill the scratch of all threads, between two steps."""
        for scratch in self._scratch:
            scratch[: len(scratch) // 4 * 4].view(np.uint32)[:] = word

    def _take(self, rows: Array) -> None:
        """Let the threads walk these rows from now on, with all counters at zero."""
        self._settle()
        tasks, barriers = rows[:, 2], rows[:, 3] != 0
        table = rows.copy()
        ends = np.append(np.flatnonzero(barriers[1:]), len(rows) - 1)  # the last of each group
        groups = np.cumsum(np.append(False, barriers[1:]))
        if len(rows):
            table[:, 3] = np.cumsum(tasks)[ends][groups]
        self._table = table
        self._set("dispatches", table.ctypes.data)
        self._set("count", len(table))
        self._set("first", self.steps())
        self._set("completed", 0)
        self._claims[:] = 0

    def _settle(self) -> None:
        """Wait until the other threads, of which some may be late, are idle."""
        while self._threads and (self._idle != self._steps[0]).any():
            time.sleep(0)

    def _wake_apart(self, cpu: Callable[[], int]) -> None:
        """A step for which sleeping threads wake on other cores than the caller's: there they would
        wait for each other in turns until the system noticed."""
        allowed = os.sched_getaffinity(0)
        others = allowed - {cpu()}
        enough = len(others) >= len(self._threads)
        self._restrict(others if enough else allowed)
        try:
            self._step(self._at_control, self._at_scratch)
        finally:
            self._restrict(allowed)

    def _restrict(self, cores: set[int]) -> None:
        try:
            for thread in self._threads:
                os.sched_setaffinity(thread.native_id or 0, cores)
        except OSError:  # not allowed here: the system will notice by itself
            self._cpu = None

    def stop(self) -> None:
        """End the other threads. A forked process has none of them."""
        if self._threads and os.getpid() == self._process:
            self._set("stop", 1)
            self._begin(self._at_control)
            for thread in self._threads:
                thread.join(JOIN_SECONDS)
        self._threads = []

    def _work(self, number: int) -> None:
        self._worker(self._control.ctypes.data, number, self._scratch[number].ctypes.data)

    def _field(self, name: str) -> Array:
        start = offset_bytes(name)
        return self._control[start : start + 8].view(np.uint64)

    def _set(self, field: str, value: int) -> None:
        self._field(field)[0] = value


def _current_cpu() -> Callable[[], int] | None:
    """What tells the core a thread runs on, if this system tells."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    found: Callable[[], int] | None = getattr(ctypes.CDLL(None), "sched_getcpu", None)
    return found


def aligned_bytes(size: int) -> Array:
    """Zeroed memory that starts on a cache line."""
    if size > sys.maxsize - LINE_BYTES:  # to NumPy a wrong argument, like any other
        raise MemoryError
    raw = np.zeros(size + LINE_BYTES, np.uint8)
    start = -raw.ctypes.data % LINE_BYTES
    return raw[start : start + size]
