"""Machine code for kernels, made by LLVM while the rest of the compiler runs.

Helper processes make it, some kernels at a time: one, and where there is much to build a second, so
that two cores are busy. Each belongs to a thread that starts it, asks it and ends it: Ctrl-C only
ever comes to the main thread, so it cannot come between and leave a process behind.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
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

Tasks = SimpleQueue[tuple[str, Future[bytes]] | None]
"""Modules to compile; None makes a thread look whether it is over."""
LOOK_SECONDS = 0.5
"""After so long it looks by itself."""


class Builder:
    """Takes kernels one by one; gives their objects in the end. ``machine`` is what LLVM compiles
    for: a processor's name and features, and the code model."""

    def __init__(self, machine: Sequence[str], rendering: Rendering, much: bool) -> None:
        self._machine, self._rendering, self._much = machine, rendering, much
        self._tasks: Tasks = SimpleQueue()
        self._threads: list[Thread] = []
        self._objects: list[Future[bytes]] = []
        self.is_over = False

    def add(self, kernel: Kernel) -> None:
        """One more kernel."""
        if self._rendering.add(kernel) > BATCH_LETTERS:
            self.add_text(self._rendering.take())

    def add_text(self, text: str) -> None:
        """A module as it is."""
        self._objects.append(Future())
        self._tasks.put((text, self._objects[-1]))
        if len(self._objects) == HELPED_BATCHES and len(self._threads) < HELPERS:
            self._call_helper()

    def finish(self) -> list[bytes]:
        """All objects."""
        self.add_text(self._rendering.take())
        self.add_text(self._rendering.routines())
        return [future.result() for future in self._objects]

    def _call_helper(self) -> None:
        self._threads.append(start_thread(_work, self._machine, self._tasks, weakref.ref(self)))

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
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()


def _is_over(builder: weakref.ref[Builder]) -> bool:
    """Whether nobody waits for objects any more. Ctrl-C may come at any moment, also before the
    builder is entered or while it is left; then it is over when nobody has it."""
    found = builder()
    return found is None or found.is_over


def _work(machine: Sequence[str], tasks: Tasks, builder: weakref.ref[Builder]) -> None:
    """A thread: one module after another."""
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
    finally:
        worker.close()


class _Worker:
    """A helper; where no process can be started, or the helper is lost, this process."""

    def __init__(self, machine: Sequence[str]) -> None:
        self._machine = machine
        self._here: Compiler | None = None
        self._helper: Helper | None = None
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

    def close(self) -> None:
        """End the helper."""
        if self._helper is not None:
            self._helper.close()
            self._helper = None
