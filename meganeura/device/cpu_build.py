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
from hashlib import sha256
from queue import Empty, SimpleQueue
from threading import Event
from types import TracebackType

from ..codegen.loops import Kernel
from ..codegen.render.llvm import Module, Rendering
from ..trace import span
from .cpu_helper import Compiler, Helper, compiler_here
from .threads import answer_by, start_thread

HELPED_LETTERS = 100_000
"""Text from which a second helper is worth its start."""
HELPERS = 2
KEEP_SECONDS = 5.0
"""How long a helper waits for the next build."""

Machine = tuple[str, ...]
"""What LLVM compiles for: a processor's name and features, and the code model."""
Tasks = SimpleQueue[tuple[Module, Future[bytes]] | None]
"""Modules to compile; None makes a thread look whether it is over."""
LOOK_SECONDS = 0.5
"""After so long it looks by itself."""

_lasting: dict[tuple[Machine, bytes], Future[bytes]] = {}
"""Objects of modules that many builds have, by the digests of their texts: some 8 KB each."""


class Builder:
    """Takes kernels one by one; gives their objects in the end."""

    def __init__(self, machine: Machine, much: bool) -> None:
        self._machine, self._much = machine, much
        self._rendering = Rendering()
        self._tasks: Tasks = SimpleQueue()
        self._helped = self._letters = 0
        self._objects: list[Future[bytes]] = []
        self.is_over = False

    def add(self, kernel: Kernel) -> None:
        """One more kernel."""
        for module in self._rendering.add(kernel):
            self.add_module(module)

    def add_module(self, module: Module) -> None:
        """A module as it is; the object of one that many builds have is kept."""
        key = self._machine, sha256(module.text.encode()).digest()
        known = _lasting.get(key)
        if known is not None and known.done() and known.exception() is None:
            self._objects.append(known)
            return
        self._objects.append(Future())
        self._tasks.put((module, self._objects[-1]))
        if module.lasting:
            _lasting[key] = self._objects[-1]
        self._letters += len(module.text)
        if self._letters > HELPED_LETTERS and self._helped < HELPERS:
            self._call_helper()

    def finish(self) -> list[bytes]:
        """All objects."""
        for module in self._rendering.rest():
            self.add_module(module)
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
            module, future = task
            answer_by(future, partial(worker.build, module))
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

    def build(self, module: Module) -> bytes:
        """Machine code for a module."""
        with span("codegen", letters=len(module.text)):
            if self._helper is not None:
                try:
                    return self._helper.build(module)
                except OSError:
                    self.close()
            self._here = self._here or compiler_here(self._machine)
            return self._here.build(module.text, module.reduces_strength)

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
