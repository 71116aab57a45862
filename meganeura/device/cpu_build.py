"""Machine code for kernels, made by LLVM while the rest of the compiler runs.

Helper processes make it, some kernels at a time: one, and where there is much to build a second, so
that two cores are busy.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType

from ..codegen.loops import Kernel
from ..codegen.render.llvm import Rendering
from ..trace import span
from .cpu_helper import Compiler, Helper, compiler_here

BATCH_LETTERS = 50_000
"""Text that is compiled at a time: a few dozen milliseconds of LLVM's time."""
HELPED_BATCHES = 3
"""Batches from which a second helper is worth its start."""
HELPERS = 2


class Builder:
    """Takes kernels one by one; gives their objects in the end. ``machine`` is what LLVM compiles
    for: a processor's name and features, and the code model."""

    def __init__(self, machine: Sequence[str], rendering: Rendering, much: bool) -> None:
        self._machine, self._rendering = machine, rendering
        self._threads = ThreadPoolExecutor(HELPERS, "meganeura-build")
        self._idle: SimpleQueue[Compiler] = SimpleQueue()
        self._helpers: list[Helper] = []
        self._objects: list[Future[bytes]] = []
        for _ in range(HELPERS if much else 1):  # they start while the first passes run
            self._call_helper()

    def add(self, kernel: Kernel) -> None:
        """One more kernel."""
        if self._rendering.add(kernel) > BATCH_LETTERS:
            self.add_text(self._rendering.take())

    def add_text(self, text: str) -> None:
        """A module as it is."""
        self._objects.append(self._threads.submit(self._build, text))
        if len(self._objects) == HELPED_BATCHES and len(self._helpers) < HELPERS:
            self._call_helper()

    def finish(self) -> list[bytes]:
        """All objects."""
        self.add_text(self._rendering.take())
        self.add_text(self._rendering.routines())
        return [future.result() for future in self._objects]

    def _call_helper(self) -> None:
        """Start a helper; where no process can be started, all is built here."""
        try:
            self._helpers.append(Helper(self._machine))
        except OSError:
            self._idle.put(compiler_here(self._machine))
        else:
            self._idle.put(self._helpers[-1])

    def _build(self, text: str) -> bytes:
        worker = self._idle.get()
        try:
            with span("codegen", letters=len(text)):
                return worker.build(text)
        except OSError:  # the helper is lost: what it would have built is built here
            worker = compiler_here(self._machine)
            return worker.build(text)
        finally:
            self._idle.put(worker)

    def __enter__(self) -> Builder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._threads.shutdown(cancel_futures=True)
        for helper in self._helpers:
            helper.close()
