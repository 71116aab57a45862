"""Machine code for kernels, made by LLVM while the rest of the compiler runs.

Helper processes make it, some kernels at a time: one, and where there is much to build a second, so
that two cores are busy. After a build they wait for the next one, and end if none comes soon: a
helper takes longer to start than a small graph takes to compile. Only threads of this module start,
ask and end them: Ctrl-C only ever comes to the main thread, so it cannot come between and leave a
process behind.
"""

from __future__ import annotations

import os
import weakref
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event
from types import TracebackType

from ..codegen.loops import Kernel
from ..codegen.render.llvm import Rendering
from ..trace import span
from .cpu_helper import Compiler, Helper, compiler_here
from .threads import answer_by, start_thread

BATCH_LETTERS = 50_000
"""Text that is compiled at a time: a few dozen milliseconds of LLVM's time."""
HELPED_BATCHES = 3
"""Batches from which a second helper is worth its start."""
HELPERS = 2
KEEP_SECONDS = 5.0
"""How long a helper waits for the next build."""

Machine = tuple[str, ...]
"""What LLVM compiles for: a processor's name and features, and the code model."""
Tasks = SimpleQueue[tuple[str, Future[bytes]] | None]
"""Modules to compile; None makes a thread look whether it is over."""
LOOK_SECONDS = 0.5
"""After so long it looks by itself."""

_lasting: dict[tuple[Machine, str], Future[bytes]] = {}


class Builder:
    """Takes kernels one by one; gives their objects in the end."""

    def __init__(self, machine: Machine, rendering: Rendering, much: bool) -> None:
        self._machine, self._rendering, self._much = machine, rendering, much
        self._tasks: Tasks = SimpleQueue()
        self._helped = 0
        self._objects: list[Future[bytes]] = []
        self.is_over = False

    def add(self, kernel: Kernel) -> None:
        """One more kernel."""
        if self._rendering.add(kernel) > BATCH_LETTERS:
            self.add_text(self._rendering.take())

    def add_lasting(self, text: str) -> None:
        """A module that many builds have: its object is kept."""
        key = self._machine, text
        known = _lasting.get(key)
        if known is not None and known.done() and known.exception() is None:
            self._objects.append(known)
        else:
            self.add_text(text)
            _lasting[key] = self._objects[-1]

    def add_text(self, text: str) -> None:
        """A module as it is."""
        self._objects.append(Future())
        self._tasks.put((text, self._objects[-1]))
        if len(self._objects) == HELPED_BATCHES and self._helped < HELPERS:
            self._call_helper()

    def finish(self) -> list[bytes]:
        """All objects."""
        self.add_text(self._rendering.take())
        self.add_lasting(self._rendering.routines())
        return [future.result() for future in self._objects]

    def _call_helper(self) -> None:
        start_thread(_work, self._machine, self._tasks, weakref.ref(self))
        self._helped += 1

    def __enter__(self) -> Builder:
        for _ in range(HELPERS if self._much else 1):  # they start while the first passes run
            self._call_helper()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.is_over = True
        for _ in range(self._helped):
            self._tasks.put(None)


def _is_over(builder: weakref.ref[Builder]) -> bool:
    """Whether nobody waits for objects any more. Ctrl-C may come at any moment, also before the
    builder is entered or while it is left; then it is over when nobody has it."""
    found = builder()
    return found is None or found.is_over


def _work(machine: Machine, tasks: Tasks, builder: weakref.ref[Builder]) -> None:
    """A thread: one module after another, then a while in which the helper may be taken over."""
    worker = _Worker(machine)
    try:
        while not _is_over(builder):
            task = None
            with suppress(Empty):
                task = tasks.get(timeout=LOOK_SECONDS)
            if task is None or _is_over(builder):
                continue
            text, future = task
            answer_by(future, partial(worker.build, text))
        worker.wait_for_the_next()
    finally:
        worker.close()


class _Worker:
    """A helper; where no process can be started, or the helper is lost, this process."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._here: Compiler | None = None
        self._helper: Helper | None = _take(machine)
        if self._helper is None:
            with suppress(OSError):
                self._helper = Helper(machine)

    def build(self, text: str) -> bytes:
        """Machine code for a module."""
        with span("codegen", letters=len(text)):
            if self._helper is not None:
                try:
                    return self._helper.build(text)
                except OSError:
                    self.close()
            self._here = self._here or compiler_here(self._machine)
            return self._here.build(text)

    def wait_for_the_next(self) -> None:
        """Until another build takes the helper, or for a while."""
        waiting = [other for other in _waiting if other.machine == self._machine]
        if self._helper is None or len(waiting) >= HELPERS:
            return
        ours = _Waiting(self._machine, os.getpid(), self._helper)
        _waiting.append(ours)
        ours.taken.wait(KEEP_SECONDS)
        try:
            _waiting.remove(ours)
        except ValueError:  # it is another's now
            self._helper = None

    def close(self) -> None:
        """End the helper."""
        if self._helper is not None:
            self._helper.close()
            self._helper = None


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A helper between two builds, with the process that started it: in a forked one it must not
    be asked."""

    machine: Machine
    process: int
    helper: Helper
    taken: Event = field(default_factory=Event)


_waiting: list[_Waiting] = []
"""Taken from by whoever can remove an entry, which is one thread only."""


def _take(machine: Machine) -> Helper | None:
    """A helper that waits, if there is one."""
    for other in tuple(_waiting):
        if (other.machine, other.process) == (machine, os.getpid()):
            with suppress(ValueError):
                _waiting.remove(other)
                other.taken.set()
                if other.helper.is_alive():
                    return other.helper
                other.helper.close()
    return None
