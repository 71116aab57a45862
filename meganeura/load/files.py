"""Reading and replacing files, with errors that name the file.

Writing goes to a temporary file beside the target, which is flushed to disk and then renamed over
it, so a crash at any moment leaves either the old file or the new one.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from ..arguments import require
from ..errors import FormatError


def as_path(path: str | os.PathLike[str]) -> Path:
    """A path, if it is one."""
    return Path(require(path, str | os.PathLike, "the path of a file", FormatError))


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace the file at ``path`` by ``content``, whole or not at all."""
    path = as_path(path)
    try:
        temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
        try:
            with temporary.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _sync_folder(path.parent)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot write {path}: {_reason(error)}") from None


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, where the system lets a folder be flushed."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file."""
    try:
        return as_path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read {path}: {_reason(error)}") from None


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
