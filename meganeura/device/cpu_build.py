"""Machine code for kernels, made by LLVM while the rest of the compiler runs.

LLVM works on other threads, on some kernels at a time: it lets go of Python meanwhile. Where there
is much to build, one of those threads has it built by a helper process, so that two cores are busy.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType

import llvmlite.binding as llvm

from ..codegen.loops import Kernel
from ..codegen.render.llvm import Rendering
from ..trace import span
from .cpu_llvm import Helper, Here

BATCH_LETTERS = 50_000
"""Text that is compiled at a time: a few dozen milliseconds of LLVM's time."""
HELPED_BATCHES = 3
"""Batches from which a helper is worth its start."""


class Builder:
    """Takes kernels one by one; gives their objects in the end."""

    def __init__(self, machine: llvm.TargetMachine, cpu: str, features: str, much: bool) -> None:
        self._facts = cpu, features
        self._rendering = Rendering()
        self._threads = ThreadPoolExecutor(2, "meganeura-build")
        self._idle: SimpleQueue[Here | Helper] = SimpleQueue()
        self._idle.put(Here(machine))
        self._helper: Helper | None = None
        self._objects: list[Future[bytes]] = []
        if much:  # the helper starts while the first passes run
            self._call_helper()

    def add(self, kernel: Kernel) -> None:
        """One more kernel."""
        if self._rendering.add(kernel) > BATCH_LETTERS:
            self.add_text(self._rendering.take())

    def add_text(self, text: str) -> None:
        """A module as it is."""
        self._objects.append(self._threads.submit(self._build, text))
        if len(self._objects) == HELPED_BATCHES and self._helper is None:
            self._call_helper()

    def finish(self) -> list[bytes]:
        """All objects."""
        self.add_text(self._rendering.take())
        self.add_text(self._rendering.routines())
        return [future.result() for future in self._objects]

    def _call_helper(self) -> None:
        """Start the helper; where no process can be started, all is built here."""
        try:
            self._helper = Helper(*self._facts)
        except OSError:
            return
        self._idle.put(self._helper)

    def _build(self, text: str) -> bytes:
        while True:
            worker = self._idle.get()
            try:
                with span("codegen", letters=len(text)):
                    code = worker.build(text)
            except OSError:  # the helper is lost, and not asked again
                continue
            except BaseException:
                self._idle.put(worker)
                raise
            self._idle.put(worker)
            return code

    def __enter__(self) -> Builder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._threads.shutdown(cancel_futures=True)
        if self._helper is not None:
            self._helper.close()
