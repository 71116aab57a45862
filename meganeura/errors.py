"""Every exception Meganeura raises, and how its message is put together.

A message reads: the op and the rule that was broken, with the types as the text form prints
them; then the line of the user's code that led there; then a likely remedy::

    ShapeError: matmul: inner dimensions differ: a is f32[32, 784], b is f32[128, 10] (784 ≠ 128)
      made at examples/mnist.py:14
      hint: b looks transposed; write x @ w.T

The line is found when the error is made, so no caller has to pass it along.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

_NOT_THE_USER = {__name__.partition(".")[0], "dataclasses", "contextlib", "numpy"}
"""Packages whose lines are never the user's: our own, and what calls us back."""


@dataclass(frozen=True)
class Location:
    """A line of the user's code."""

    file: str
    line: int

    def __str__(self) -> str:
        try:
            shown = os.path.relpath(self.file)
        except ValueError:  # another drive
            shown = self.file
        return f"{self.file if shown.startswith('..') else shown}:{self.line}"


def caller() -> Location | None:
    """The innermost line outside this package: where the user called in."""
    # Modules are told by name, not by file: code that dataclasses generate has no file.
    frame = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__package__") or frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in _NOT_THE_USER:
            return Location(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back  # type: ignore[assignment]
    return None


class MeganeuraError(Exception):
    """What all errors of this package are: one rule broken, a place, and a remedy."""

    def __init__(
        self, message: str, *, hint: str | None = None, where: Location | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.where = where or caller()

    def __str__(self) -> str:
        lines = [self.message]
        if self.where is not None:
            lines.append(f"  made at {self.where}")
        if self.hint is not None:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class GraphError(MeganeuraError):
    """A graph was built wrong: an attribute, a name, a handle, a use that makes no sense."""


class ShapeError(GraphError):
    """Shapes do not fit the op."""


class DTypeError(GraphError):
    """Element types do not fit the op."""


class HandleError(GraphError, TypeError):
    """A handle to a node was used as if it were its value."""


class CompileError(MeganeuraError):
    """A valid graph that cannot be compiled for the target."""


class DeviceError(MeganeuraError):
    """A device is missing, was lost, or cannot do what was asked."""


class SessionError(MeganeuraError):
    """A session was used wrongly: an unknown name, wrong data, a step before its inputs."""


class NonFiniteError(SessionError):
    """A NaN or an infinity appeared in a step."""


class VerificationError(SessionError):
    """A plan's result is further from the reference than rounding can explain."""


class FormatError(MeganeuraError):
    """A file or text from outside is damaged, or is not what it claims to be."""


class InternalError(MeganeuraError):
    """A bug in Meganeura. ``text`` (a stage's text form) is kept in a file the message names."""

    def __init__(self, message: str, *, text: str | None = None) -> None:
        message = f"internal error: {message}; this is a bug in Meganeura, please report it"
        if text is not None:
            with tempfile.NamedTemporaryFile(
                "w", suffix=".txt", prefix="meganeura-", delete=False, encoding="utf-8"
            ) as dump:
                dump.write(text)
            message += f" with {dump.name}"
        super().__init__(message)


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """A remedy for a mistyped name: the nearest ones, or the first few there are."""
    near = get_close_matches(name, known, n=3)
    if near:
        return "did you mean " + " or ".join(f'"{n}"' for n in near) + "?"
    if not known:
        return "there are none"
    shown = ", ".join(f'"{n}"' for n in known[:8])
    return f"there are: {shown}" + (", …" if len(known) > 8 else "")
