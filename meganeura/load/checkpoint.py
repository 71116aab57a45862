"""Checkpoints: one safetensors file with named tensors and a description in JSON.

Writing goes to a temporary file beside the target, which is flushed to disk and then renamed over
it, so a crash at any moment leaves either the old file or the new one. Reading checks the whole
file and returns plain arrays; who asked for them compares names and shapes before using any.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ..dtypes import Array
from ..errors import FormatError

FORMAT = "meganeura-checkpoint"
VERSION = 1


def write_checkpoint(
    path: str | os.PathLike[str], tensors: Mapping[str, Array], description: Mapping[str, Any]
) -> None:
    """Write tensors and a description to ``path``, whole or not at all."""
    # safetensors writes a non-contiguous array's memory as it lies, silently transposed.
    contiguous = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    meta = {"format": FORMAT, "version": str(VERSION), "description": json.dumps(description)}
    write_atomically(Path(path), save(contiguous, meta))


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file at ``path`` by ``content``, whole or not at all."""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise FormatError(f"cannot write {path}: {error.strerror or error}") from None


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, where the system lets a folder be flushed."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_checkpoint(path: str | os.PathLike[str]) -> tuple[dict[str, Array], dict[str, Any]]:
    """The tensors and the description in a checkpoint."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        tensors = load(content)
    except (SafetensorError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise FormatError(f"{path} is not a whole safetensors file: {error}") from None
    header_bytes = int.from_bytes(content[:8], "little")
    meta = json.loads(content[8 : 8 + header_bytes]).get("__metadata__") or {}
    if meta.get("format") != FORMAT:
        raise FormatError(f"{path} is a safetensors file, but not a checkpoint")
    if meta.get("version") != str(VERSION):
        raise FormatError(
            f"{path} has version {meta.get('version')}, this program reads version {VERSION}"
        )
    try:
        description = json.loads(meta["description"])
    except (KeyError, ValueError, RecursionError):
        raise FormatError(f"{path}: the description is damaged") from None
    if not isinstance(description, dict):
        raise FormatError(f"{path}: the description is damaged")
    return tensors, description
