"""LLVM in other processes, so that its library need not be loaded into this one (cpu_llvm.py).

LLVM compiles one module at a time in a process: two helpers keep two cores busy. Where no process
can be started, or one says what it should not, LLVM is loaded here after all.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from ..codegen.render.llvm import Module
from .threads import uninterrupted

SECONDS = 30
"""How long a helper may take to tell what it knows."""
_SCRIPT = str(Path(__file__).with_name("cpu_llvm.py"))


def _command(*arguments: str) -> list[str]:
    """What a helper is started by; it sees no module of ours by chance."""
    return [sys.executable or "python3", "-P", _SCRIPT, *arguments]


def _llvm() -> Any:
    """LLVM in this process."""
    return import_module(".cpu_llvm", __package__)


class Compiler(Protocol):
    """What makes machine code of a module."""

    def build(self, text: str, reduces_strength: bool = True) -> bytes:
        """Machine code for a module."""


class Helper:
    """Builds objects in another process. Whatever goes wrong there is an OSError."""

    def __init__(self, machine: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            _command("build", str(os.getpid()), *machine),
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
        )

    def build(self, module: Module) -> bytes:
        """Machine code for a module."""
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise ConnectionError("the helper process has no pipes")
        requests.write(json.dumps((module.text, module.reduces_strength)).encode() + b"\n")
        requests.flush()
        try:  # what else is printed there, by a user's own start-up code, is no answer
            return base64.b64decode(json.loads(answers.readline())["object"], validate=True)
        except (ValueError, KeyError, TypeError) as error:
            raise ConnectionError(
                "the helper process has stopped, or said something else"
            ) from error

    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def compiler_here(machine: Sequence[str]) -> Compiler:
    """Builds objects in this process."""
    found: Compiler = _llvm().Compiler(*machine)
    return found


def link_here(objects: Sequence[bytes], names: Sequence[str]) -> Any:
    """Objects in memory, by LLVM's own linker: an address for each name."""
    return _llvm().link(objects, names)


def _ask_for_facts() -> bytes:
    helper = subprocess.run(
        _command("facts"), stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
    )
    return helper.stdout


def processor_facts() -> dict[str, str]:
    """What LLVM knows of this machine's processor."""
    try:
        return dict(json.loads(uninterrupted(_ask_for_facts)))
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return dict(_llvm().facts())
