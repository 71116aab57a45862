"""Compiled plans and code on disk, by what they were compiled from.

A file is a line with a digest of what follows it, then the content. A file that does not match its
digest is ignored and written anew. Files are replaced whole, so two processes may write at once. A
folder that cannot be written to only costs time.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from ..config import read_config
from ..errors import FormatError
from ..load.files import read_file, write_atomically

MOST_FILES = 512
_DIGEST_LETTERS = 64


def cache_folder(chosen: Path | str | None) -> Path | None:
    """Where compiled code is kept: the folder that was chosen, or else the settings'."""
    return read_config().cache if chosen is None else Path(chosen)


def cached(folder: Path | None, key: Sequence[str], build: Callable[[], bytes]) -> bytes:
    """The bytes that ``build`` makes for ``key``, from disk if they are there."""
    if folder is None:
        return build()
    name = hashlib.sha256("\0".join(key).encode()).hexdigest()
    path = folder / f"{name}.json"
    found = read_kept(path)
    if found is not None:
        return found
    content = build()
    if keep(path, content):
        with contextlib.suppress(OSError):  # another process may be forgetting the same
            _forget_oldest(folder)
    return content


def keep(path: Path, content: bytes) -> bool:
    """Write a file with its digest; whether it could be written."""
    with contextlib.suppress(OSError, ValueError, FormatError):  # ValueError: a path of no system
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, _digest(content) + b"\n" + content)
        return True
    return False


@cache
def source_digest() -> str:
    """A digest of this package's own text: other code generators make other code."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for path in sorted(package.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def read_kept(path: Path) -> bytes | None:
    """A file's content, if the file is there and whole."""
    try:
        file = read_file(path)
    except FormatError:
        return None
    digest, content = file[:_DIGEST_LETTERS], file[_DIGEST_LETTERS + 1 :]
    return content if digest == _digest(content) else None


def _forget_oldest(folder: Path) -> None:
    """Only of our own files: others may lie in a folder that the user chose."""
    ours = folder.glob("[0-9a-f]" * _DIGEST_LETTERS + ".json")
    files = sorted(ours, key=lambda path: path.stat().st_mtime)
    for path in files[:-MOST_FILES]:
        path.unlink(missing_ok=True)
