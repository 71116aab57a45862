"""Machine code for kernels, made by LLVM while the rest of the compiler runs.

LLVM works on another thread, on some kernels at a time: it lets go of Python meanwhile.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

import llvmlite.binding as llvm

from ..codegen.loops import Kernel
from ..codegen.render.llvm import Rendering

BATCH_LETTERS = 50_000
"""Text that is compiled at a time: a few dozen milliseconds of LLVM's time."""


def build_object(text: str, machine: llvm.TargetMachine) -> bytes:
    """Machine code for an LLVM module.

    What LLVM's own pipeline would find, the renderer has done: values are computed outside of the
    loops that do not change them, lanes are vectors, what should be unrolled is. Only registers are
    left to be made of variables; see docs/decisions."""
    module = llvm.parse_assembly(text)
    module.verify()
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    code: bytes = machine.emit_object(module)
    return code


class Builder:
    """Takes kernels one by one; gives their objects in the end."""

    def __init__(self, machine: llvm.TargetMachine, lanes: int, start: str) -> None:
        self._machine = machine
        self._rendering = Rendering(lanes)
        self._worker = ThreadPoolExecutor(1, "meganeura-build")
        self._objects: list[Future[bytes]] = []
        self._submit(start)

    def add(self, kernel: Kernel) -> None:
        """One more kernel."""
        if self._rendering.add(kernel) > BATCH_LETTERS:
            self._submit(self._rendering.take())

    def finish(self) -> list[bytes]:
        """All objects."""
        self._submit(self._rendering.take())
        self._submit(self._rendering.routines())
        return [future.result() for future in self._objects]

    def _submit(self, text: str) -> None:
        self._objects.append(self._worker.submit(build_object, text, self._machine))

    def __enter__(self) -> Builder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._worker.shutdown(cancel_futures=True)
