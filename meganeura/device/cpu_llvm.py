"""Machine code from LLVM IR, here or in a helper process.

LLVM compiles one module at a time in a process, so a second core helps only through a second
process. This file is what that process runs, by its path: it imports nothing of the package, and
starts in the time llvmlite takes to load. Messages on its pipes are their length in eight bytes,
then themselves: first the processor's name and features, then modules in and objects out.
"""

from __future__ import annotations

import subprocess
import sys
from typing import IO

import llvmlite.binding as llvm


def create_machine(cpu: str, features: str) -> llvm.TargetMachine:
    """LLVM's view of a processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=3, reloc="pic", codemodel="jitdefault", jit=True
    )


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


class Here:
    """Builds objects in this process."""

    def __init__(self, machine: llvm.TargetMachine) -> None:
        self._machine = machine

    def build(self, text: str) -> bytes:
        """Machine code for a module."""
        return build_object(text, self._machine)


class Helper:
    """Builds objects in another process. Whatever goes wrong there is an OSError."""

    def __init__(self, cpu: str, features: str) -> None:
        command = [sys.executable or "python3", "-P", __file__]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )
        self._first = [cpu, features]
        """What it is told before the first module."""

    def build(self, text: str) -> bytes:
        """Machine code for a module."""
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise ConnectionError("the helper process has no pipes")
        for message in (*self._first, text):
            _send(requests, message.encode())
        self._first = []
        if code := _receive(answers):
            return code
        raise ConnectionError("the helper process has stopped")

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(len(message).to_bytes(8, "little") + message)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    """A message; nothing where the other side has stopped."""
    size = int.from_bytes(pipe.read(8), "little")
    message = pipe.read(size)
    return message if len(message) == size else b""


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Build objects until nobody asks any more."""
    cpu, features = _receive(requests).decode(), _receive(requests).decode()
    machine = create_machine(cpu, features)
    while text := _receive(requests):
        _send(answers, build_object(text.decode(), machine))


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
