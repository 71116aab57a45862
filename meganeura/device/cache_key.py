"""A key of the user's own, by which a cache's entries are known to be the user's.

It is 32 random bytes in a file that only the user may read, in a folder that only the user may
write. Who cannot read it can neither make an entry that is believed nor guess an entry's name.

Windows has no owner or mode to look at: there the profile's own protection must do.
"""

from __future__ import annotations

import os
import secrets
import warnings
from functools import cache
from pathlib import Path

from ..load.files import NO_SYMLINK, open_regular, write_new

NAME = "cache.key"
KEY_BYTES = 32
_READABLE, _WRITABLE = 0o044, 0o022
"""By others than the owner."""
_HAS_OWNERS = hasattr(os, "geteuid")


def is_own(status: os.stat_result) -> bool:
    """Whether a file or folder is this user's, and nobody else may write to it."""
    return _is_mine(status) and not _lets_others(status, _WRITABLE)


def _is_mine(status: os.stat_result) -> bool:
    return not _HAS_OWNERS or status.st_uid == os.geteuid()


def _lets_others(status: os.stat_result, do: int) -> bool:
    return _HAS_OWNERS and bool(status.st_mode & do)


@cache
def user_key(folder: Path) -> bytes | None:
    """The key in ``folder``, made if there is none; None, and one warning, if none can be had."""
    try:
        return _found(folder)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        warnings.warn(
            f"compiled plans are not kept: the key {folder / NAME} cannot be used: {reason}; let "
            "XDG_CONFIG_HOME name a folder of your own, or set MEGANEURA_CACHE=off",
            stacklevel=2,
        )
        return None


def _found(folder: Path) -> bytes:
    # Nothing is made in another user's home, as root would who kept HOME.
    place = next(path for path in (folder, *folder.parents) if path.exists())
    if not _is_mine(place.stat()):
        raise ValueError(f"{place} is another user's")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_own(folder.stat()):
        raise ValueError("others may write to its folder")
    path = folder / NAME
    try:
        key = _read(path)
    except FileNotFoundError:
        key = None
    else:
        if key is None:  # what others may have seen or changed is worth nothing
            path.unlink(missing_ok=True)
    if key is None:
        write_new(path, secrets.token_bytes(KEY_BYTES), 0o600)
        key = _read(path)  # another process may have been quicker
    if key is None:
        raise ValueError("this file system does not keep it from others")
    return key


def _read(path: Path) -> bytes | None:
    """The key in a file of this user's; None if it is no key, or others could read or write it."""
    with open_regular(path, NO_SYMLINK) as file:
        status = os.fstat(file.fileno())
        if not _is_mine(status):
            raise ValueError("it is another user's")
        if _lets_others(status, _READABLE | _WRITABLE):
            return None
        key = file.read(KEY_BYTES + 1)
    return key if len(key) == KEY_BYTES else None
