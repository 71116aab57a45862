"""Reading and replacing files, with errors that name the file and, where there is one, the byte.

Writing goes to a temporary file beside the target, which is flushed to disk and then renamed over
it, so a crash at any moment leaves either the old file or the new one. Only regular files are read:
a pipe would wait for its writer, and a device has no end.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import stat
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import IO, Any

from ..arguments import require
from ..errors import FormatError

LONGEST_NAME = 160
"""Letters of a name that messages show."""
PART_BYTES = 4 << 20
"""What is read of a file at a time."""
DEEPEST = 64
"""Arrays and objects within each other, at most."""
_TEMPORARY = re.compile(r"\..+\.\d+-[0-9a-f]{8}\.tmp", re.DOTALL)
# A string need not end: each letter is then looked at once, whatever a hostile file holds.
_BRACKETS_AND_STRINGS = re.compile(r'[\[{\]}]|"(?:[^"\\]|\\.)*"?', re.DOTALL)


def as_path(path: str | os.PathLike[str]) -> Path:
    """A path, if it is one."""
    return Path(require(path, str | os.PathLike, "the path of a file", FormatError))


def write_atomically(
    path: str | os.PathLike[str], *content: bytes | memoryview, mode: int = 0o666
) -> None:
    """Replace the file at ``path`` by all of ``content``, whole or not at all. ``mode`` is the new
    file's, as far as the process's umask allows. A link is replaced, not what it leads to; a device
    or a pipe is left alone."""
    path = as_path(path)
    try:
        _check_replaceable(path)
        temporary = _write_beside(path, content, mode)
        try:
            os.replace(temporary, path)
        except BaseException:
            _remove(temporary)
            raise
        _sync_folder(path.parent)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot write {path}: {_reason(error)}") from None


def _check_replaceable(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        kind = os.lstat(path).st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISLNK(kind) or stat.S_ISDIR(kind)):
            raise ValueError("it is a device or a pipe, not a file")


def write_new(path: Path, content: bytes, mode: int) -> None:
    """Make a file, whole, unless there is one. Of processes that do so at once, one makes it."""
    temporary = _write_beside(path, [content], mode)
    try:
        os.link(temporary, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links: the last of those at once makes it
        os.replace(temporary, path)
    finally:
        _remove(temporary)
    _sync_folder(path.parent)


def _write_beside(path: Path, content: Iterable[bytes | memoryview], mode: int) -> Path:
    """A temporary file beside ``path``, flushed to disk."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _flag("O_BINARY")
    try:
        with open(os.open(temporary, flags, mode), "wb") as file:
            for part in content:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        _remove(temporary)
        raise
    return temporary


def is_temporary(name: str) -> bool:
    """Whether a name is that of a file under way, of this process or of one that was killed."""
    return _TEMPORARY.fullmatch(name) is not None


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _flag(name: str) -> int:
    """A flag of `os.open`, where the system has it."""
    return int(getattr(os, name, 0))


NO_SYMLINK = _flag("O_NOFOLLOW")
"""For `open_regular`: the path itself must not be a symbolic link."""


def open_regular(path: Path, flags: int = 0) -> IO[bytes]:
    """A regular file, open for reading. Nothing else is waited for, or read."""
    # What is opened is looked at, not what the path names before: that may be another by then.
    flags |= os.O_RDONLY | _flag("O_NONBLOCK") | _flag("O_NOCTTY") | _flag("O_BINARY")
    descriptor = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("it is not a regular file")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder, and those it lies in, if they are not there."""
    try:
        as_path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot make the folder {path}: {_reason(error)}") from None


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
        with open_regular(as_path(path)) as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read {path}: {_reason(error)}") from None


class OpenFile:
    """A regular file of which parts are read. Not mapped into memory: to look at what another
    program has cut off meanwhile would end the process."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = as_path(path)
        self._lock = Lock()
        try:
            self._file = open_regular(self.path)
            weakref.finalize(self, self._file.close)
            self.size = os.fstat(self._file.fileno()).st_size
        except (OSError, ValueError) as error:
            raise FormatError(f"cannot read {path}: {_reason(error)}") from None

    def read_into(self, start: int, into: memoryview) -> None:
        """Fill memory with the bytes from ``start`` on."""
        try:
            with self._lock:
                self._file.seek(start)
                count = self._file.readinto(into)  # type: ignore[attr-defined]
        except OSError as error:
            raise FormatError(f"cannot read {self.path}: {_reason(error)}") from None
        if count < len(into):
            raise FormatError(f"{self.path} was shortened while it was read")

    def read(self, start: int, stop: int) -> bytes:
        """The bytes from ``start`` to ``stop``, as far as there are any."""
        content = bytearray(max(0, min(stop, self.size) - start))
        self.read_into(start, memoryview(content))
        return bytes(content)

    def parts(self, start: int) -> Iterator[memoryview]:
        """All from ``start`` on, some at a time: each is good until the next is asked for."""
        buffer = bytearray(min(PART_BYTES, max(0, self.size - start)))
        while start < self.size:
            part = memoryview(buffer)[: self.size - start]
            self.read_into(start, part)
            yield part
            start += len(part)


def inside(folder: Path, path: Path) -> Path:
    """A path in a folder, if what it leads to is in the folder too: data that was unpacked or
    copied may have links to anywhere."""
    try:
        there = path.resolve(strict=True)
        is_inside = there.is_relative_to(folder.resolve(strict=True))
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links in a cycle
        raise FormatError(f"cannot read {path}: {_reason(error)}") from None
    if not is_inside:
        raise FormatError(
            f"{path} is a link to {there}, which is outside of {folder}",
            hint="put a copy into the folder, or name the folder that the link leads to",
        )
    return path


def quoted(name: str) -> str:
    """A name from a file in a message: on one line, and of a length to be read."""
    text = repr(name)
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def list_folder(path: str | os.PathLike[str]) -> list[str]:
    """The names of what is in a folder and not hidden, sorted."""
    try:
        return sorted(name for name in os.listdir(as_path(path)) if not name.startswith("."))
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read {path}: {_reason(error)}") from None


def parse_json(text: str | bytes, **hooks: Any) -> Any:
    """What JSON says; any fault is a ValueError. Deeply nested text is one: the parser would go
    down until Python's stack ends, and other code that happens to run there would fail."""
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    depth = 0
    for found in _BRACKETS_AND_STRINGS.finditer(text):
        mark = found[0]
        depth += (mark in "[{") - (mark in "]}")
        if depth > DEEPEST:
            raise ValueError("it is nested too deeply")
    return json.loads(text, **hooks)


def parse_object(content: bytes, what: str, start: int = 0) -> dict[str, Any]:
    """A JSON object that is ``what``, as the standard has it: in UTF-8, no name twice, no NaN.

    ``start`` is where in its file the text begins; an error says at which byte it is."""
    try:
        found = parse_json(
            content.decode("utf-8"), object_pairs_hook=_object, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise FormatError(f"{what} is not text at byte {start + error.start}") from None
    except json.JSONDecodeError as error:
        at = start + len(error.doc[: error.pos].encode("utf-8"))
        raise FormatError(f"{what} is not JSON at byte {at}: {error.msg}") from None
    except ValueError as error:
        raise FormatError(f"{what} is not JSON of use: {error}") from None
    if not isinstance(found, dict):
        raise FormatError(f"{what} is not a JSON object, but a {type(found).__name__}")
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the name {quoted(name)} comes twice")
        found[name] = value
    return found


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
