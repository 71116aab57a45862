"""What was compiled or measured, kept on disk by what it depends on.

A cache may lie where others write too: an entry is believed only if a code over all of it, made
with the user's own key (cache_key.py), fits, and if it names the whole of what it is asked for.
Names of files depend on the key as well, so users of one folder do not meet. An entry that is
missing, damaged or not the user's is made anew; a folder that cannot be written to only costs time.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from ..config import read_config
from ..errors import DeviceError, FormatError
from ..load.files import NO_SYMLINK, open_regular, write_atomically
from .cache_key import is_own, user_key

MOST_FILES = 512
MOST_BYTES = 1 << 30
"""Of an entry; larger ones are neither written nor read."""
_DIGEST_CHARACTERS = 64

T = TypeVar("T")


def cache_folder(chosen: Path | str | None) -> Path | None:
    """Where compiled code is kept: the folder that was chosen, or else the settings'."""
    return read_config().cache if chosen is None else Path(chosen)


@dataclass(frozen=True)
class Entry:
    """A place in a cache folder for what depends on ``key``, of a ``kind``.

    A file is two lines, a code over all that follows it and a digest of the key, then the
    content."""

    folder: Path
    key: tuple[str, ...]
    kind: str = ""

    def path(self) -> Path | None:
        """The file; None where there is no user's key."""
        name = self._code(b"name", self._digest())
        return None if name is None else self.folder / f"{self.kind}{name.decode()}.json"

    def read(self) -> bytes | None:
        """The content, if it is there, whole, of this key and the user's own."""
        path = self.path()
        found = None if path is None else _read_own(path)
        if found is None:
            return None
        code, rest = found[:_DIGEST_CHARACTERS], found[_DIGEST_CHARACTERS:]
        if not hmac.compare_digest(code, self._code(b"entry", rest) or b""):
            return None
        names = b"\n" + self._digest() + b"\n"
        return rest[len(names) :] if rest.startswith(names) else None

    def write(self, content: bytes) -> bool:
        """Keep ``content``; whether it could be."""
        path = self.path()
        rest = b"\n" + self._digest() + b"\n" + content
        code = self._code(b"entry", rest)
        if path is None or code is None or len(code) + len(rest) > MOST_BYTES:
            return False
        with contextlib.suppress(OSError, ValueError, FormatError):  # ValueError: no path at all
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, code, rest, mode=0o600)
            return True
        return False

    def _digest(self) -> bytes:
        text = json.dumps([self.kind, *self.key])
        return hashlib.sha256(text.encode()).hexdigest().encode()

    def _code(self, purpose: bytes, content: bytes) -> bytes | None:
        """An authentication code over ``content`` by the user's key, if there is one."""
        folder = read_config().private
        key = None if folder is None else user_key(folder)
        if key is None:
            return None
        code = hmac.new(key, purpose + b"\n", "sha256")
        code.update(content)
        return code.hexdigest().encode()


def cached(
    folder: Path | None, key: Sequence[str], build: Callable[[], bytes], load: Callable[[bytes], T]
) -> T:
    """What ``load`` makes of the bytes kept for ``key``, which ``build`` makes if they are not
    there or are not what ``load`` wants."""
    entry = None if folder is None else Entry(folder, tuple(key))
    content = None if entry is None else entry.read()
    if content is not None:
        try:
            return load(content)
        except DeviceError:  # the machine's fault, whatever was built
            raise
        except Exception:  # whatever is wrong with it: it is built anew
            content = None
    content = build()
    loaded = load(content)
    if entry is not None and entry.write(content):
        with contextlib.suppress(OSError):  # another process may be forgetting the same
            _forget_oldest(entry.folder)
    return loaded


@cache
def source_digest() -> str:
    """A digest of this package's own text: other code generators make other code."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for path in sorted(package.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _read_own(path: Path) -> bytes | None:
    """The bytes of a file of this user's that nobody else may write to."""
    with contextlib.suppress(OSError, ValueError), open_regular(path, NO_SYMLINK) as file:
        status = os.fstat(file.fileno())
        if is_own(status) and status.st_size <= MOST_BYTES:
            return file.read(status.st_size)
    return None


def _forget_oldest(folder: Path) -> None:
    """Only of this user's own plans: other files may lie in the folder, and other users' plans."""
    plans = folder.glob("[0-9a-f]" * _DIGEST_CHARACTERS + ".json")
    found = [(path, path.lstat()) for path in plans]
    ours = [(s.st_mtime, path) for path, s in found if is_own(s) and stat.S_ISREG(s.st_mode)]
    for _, path in sorted(ours)[:-MOST_FILES]:
        path.unlink(missing_ok=True)
