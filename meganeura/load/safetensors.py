"""Safetensors files, read strictly, and written with a checksum.

A file is the length of its header (8 bytes), the header (JSON: each tensor's type, shape and place)
and the tensors' elements. All that the header says is checked when a file is opened: no two tensors
share a byte, and no byte belongs to none. Elements are read when they are asked for, but a file
with a checksum is read whole at once: it covers the elements and all that the header says.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ..arguments import checked, checked_methods, narrowed, shown
from ..dtypes import Array
from ..errors import FormatError, did_you_mean
from ..ir.types import Shape
from .files import OpenFile, as_path, parse_object, quoted, write_atomically

LENGTH_BYTES = 8
MAX_HEADER_BYTES = 100_000_000
"""The limit of the format's own implementation."""
MAX_RANK = 64
"""The most axes that an array of NumPy has."""
METADATA = "__metadata__"
CHECKSUM = "meganeura_checksum"
"""The name of the checksum in a file's metadata; other programs' have names of their own."""
ALIGNMENT_BYTES = 8
FIELDS = ("dtype", "shape", "data_offsets")

FLOATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
"""The NumPy types of what can be a parameter; BF16 is the upper half of a float32."""
OTHERS = {
    **{"I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "<i1"},
    **{"U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "<u1", "BOOL": "<u1"},
    **{"F8_E4M3": "<u1", "F8_E5M2": "<u1", "F8_E8M0": "<u1", "C64": "<c8"},
}
"""The NumPy types of what cannot; of floats that NumPy does not know, their bits."""
TYPES = {name: np.dtype(code) for name, code in {**FLOATS, **OTHERS}.items()}
WRITTEN = {TYPES[name]: name for name in ("F64", "F32", "F16", "I64", "I32", "U32", "U8")}
"""The names of NumPy's types that are written."""


@dataclass(frozen=True)
class Entry:
    """Where a tensor lies, and how its elements are to be read."""

    path: Path
    content: OpenFile
    dtype: str
    shape: Shape
    start: int
    stop: int
    """Bytes of the file."""

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.shape)}"

    def read(self) -> Array:
        """The elements as they are stored; BF16 as float32."""
        array: Array = np.empty(self.shape, TYPES[self.dtype])
        self.content.read_into(self.start, array.reshape(-1).view(np.uint8).data)
        if self.dtype == "BF16":
            array = array.astype(np.uint32)
            array <<= 16
            array = array.view(np.float32)
        return array


@checked_methods(FormatError)
class Tensors:
    """The tensors of a safetensors file, or of several that belong together, by name.

    Files stay open as long as this lives."""

    def __init__(
        self, path: Path, entries: Mapping[str, Entry], metadata: Mapping[str, str]
    ) -> None:
        self.path, self.metadata = path, dict(metadata)
        self._entries = dict(entries)

    def names(self) -> list[str]:
        """The tensors' names."""
        return list(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def entry(self, name: str) -> Entry:
        """Where a tensor lies."""
        if name not in self._entries:
            hint = did_you_mean(name, self.names())
            raise FormatError(f"{self.path} has no tensor {quoted(name)}", hint=hint)
        return self._entries[name]

    def shape(self, name: str) -> Shape:
        """The shape of a tensor."""
        return self.entry(name).shape

    def dtype(self, name: str) -> str:
        """The type of a tensor's elements, in the format's words: ``"F32"``, ``"BF16"``."""
        return self.entry(name).dtype

    def stored(self, name: str) -> Array:
        """A tensor in the type it is stored in; BF16 as float32."""
        return self.entry(name).read()

    def array(self, name: str, *, finite: bool = False) -> Array:
        """A tensor of floats, as float32. Doubles are rounded, and refused if float32 cannot hold
        them; the others come out exactly.

        A NaN or an infinity is data like any other, unless ``finite`` asks to refuse it. Whole
        numbers are refused: nothing says what they would mean as floats."""
        entry = self.entry(name)
        where = f"{entry.path}: tensor {quoted(name)}"
        if entry.dtype not in FLOATS:
            raise FormatError(f"{where} is {entry}, not of floats")
        array = narrowed(entry.read(), np.float32, where, FormatError)
        if finite and not np.isfinite(array).all():
            count = int(np.count_nonzero(~np.isfinite(array)))
            raise FormatError(f"{where}: {count} of {array.size} elements are not finite")
        return array


@checked
def open_tensors(path: str | os.PathLike[str]) -> Tensors:
    """The tensors of one safetensors file, whose header is checked in full."""
    path = as_path(path)
    content = OpenFile(path)
    begin = _header_end(path, content)
    header = parse_object(content.read(LENGTH_BYTES, begin), f"{path}: the header", LENGTH_BYTES)
    metadata = header.pop(METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
        raise FormatError(f"{path}: {METADATA} does not give a string for each name")
    entries = {name: _entry(path, content, begin, name, given) for name, given in header.items()}
    _check_places(path, entries, begin, content.size)
    if CHECKSUM in metadata:
        _check_sum(path, content, begin, {**header, METADATA: metadata})
    return Tensors(path, entries, metadata)


def _header_end(path: Path, content: OpenFile) -> int:
    """The byte at which the tensors begin."""
    size = content.size
    if size < LENGTH_BYTES:
        raise FormatError(f"{path} is no safetensors file: it ends at byte {size}, in its first 8")
    length = int.from_bytes(content.read(0, LENGTH_BYTES), "little")
    if length > MAX_HEADER_BYTES:
        raise FormatError(f"{path} is no safetensors file: at byte 0, its header has {length:,}")
    if LENGTH_BYTES + length > size:
        raise FormatError(
            f"{path} is no whole safetensors file: its header goes to byte "
            f"{LENGTH_BYTES + length:,}, the file to {size:,}"
        )
    if content.read(LENGTH_BYTES, LENGTH_BYTES + min(length, 1)) != b"{":
        raise FormatError(f"{path} is no safetensors file: there is no {{ at byte {LENGTH_BYTES}")
    return LENGTH_BYTES + length


def _entry(path: Path, content: OpenFile, begin: int, name: str, given: Any) -> Entry:
    """What the header says of one tensor, checked by itself."""
    where = f"{path}: tensor {quoted(name)}"
    if not _is_text(name):
        raise FormatError(f"{where} has a name that is not valid text")
    if not isinstance(given, dict) or given.keys() != set(FIELDS):
        raise FormatError(f"{where} is not described by {', '.join(FIELDS)}")
    dtype, shape, offsets = (given[field] for field in FIELDS)
    if not isinstance(dtype, str) or dtype not in TYPES:
        raise FormatError(f"{where} has elements of type {shown(dtype)}, which is not known")
    if not _are_sizes(shape) or len(shape) > MAX_RANK:
        raise FormatError(f"{where} has the shape {shown(shape)}")
    if not _are_sizes(offsets) or len(offsets) != 2:
        raise FormatError(f"{where} has the offsets {shown(offsets)}")
    start, stop = (begin + offset for offset in offsets)
    if not start <= stop <= content.size:
        raise FormatError(
            f"{where} goes from byte {start:,} to {stop:,}, the file to {content.size:,}"
        )
    itemsize = TYPES[dtype].itemsize
    if prod(shape) * itemsize != stop - start:
        raise FormatError(f"{where} has {stop - start:,} bytes for {dtype}{shown(shape)}")
    if prod(size for size in shape if size) * itemsize >= 2**63:  # it has no elements
        raise FormatError(f"{where} has the shape {shown(shape)}, too large for an array")
    return Entry(path, content, dtype, tuple(shape), start, stop)


def _are_sizes(given: Any) -> bool:
    # Not isinstance: a truth value is an int to Python.
    return isinstance(given, list) and all(
        type(size) is int and 0 <= size < 2**63 for size in given
    )


def _check_places(path: Path, entries: Mapping[str, Entry], begin: int, end: int) -> None:
    """Tensors lie one behind another, from the header's end to the file's."""
    position = begin
    for name, entry in sorted(entries.items(), key=lambda e: (e[1].start, e[1].stop)):
        if entry.start < position:
            raise FormatError(
                f"{path}: tensor {quoted(name)} begins at byte {entry.start:,}, inside another one"
            )
        if entry.start > position:
            raise FormatError(
                f"{path}: bytes {position:,} to {entry.start:,}, before tensor {quoted(name)}, "
                "belong to none"
            )
        position = entry.stop
    if position != end:
        raise FormatError(f"{path}: bytes {position:,} to {end:,}, the last, belong to no tensor")


def _check_sum(path: Path, content: OpenFile, begin: int, header: Mapping[str, Any]) -> None:
    if checksum(header, content.parts(begin)) != header[METADATA][CHECKSUM]:
        raise FormatError(
            f"{path} is damaged, or was changed by another program: its checksum does not fit",
            hint=f"take another copy; who changes tensors must drop {CHECKSUM} from the metadata",
        )


def checksum(header: Mapping[str, Any], data: Iterable[memoryview]) -> str:
    """A digest of all that a header says, but for the checksum in it, and of the elements."""
    metadata = {k: v for k, v in header.get(METADATA, {}).items() if k != CHECKSUM}
    digest = hashlib.sha256(json.dumps({**header, METADATA: metadata}, sort_keys=True).encode())
    for part in data:
        digest.update(part)
    return f"sha256:{digest.hexdigest()}"


def write_tensors(
    path: str | os.PathLike[str], tensors: Mapping[str, Array], metadata: Mapping[str, str]
) -> None:
    """Write tensors and metadata to one file, with a checksum, whole or not at all."""
    header: dict[str, Any] = {METADATA: dict(metadata)}
    data: list[memoryview] = []
    end = 0
    # The widest elements first, so that all lie at multiples of their size.
    for name, given in sorted(tensors.items(), key=lambda item: (-item[1].itemsize, item[0])):
        if name == METADATA or not _is_text(name):
            raise FormatError(f"cannot write {path}: no tensor can be named {quoted(name)}")
        array = np.asarray(given, order="C")
        places = [end, end := end + array.nbytes]
        header[name] = {
            "dtype": WRITTEN[array.dtype],
            "shape": list(array.shape),
            "data_offsets": places,
        }
        data.append(array.reshape(-1).view(np.uint8).data)
    header[METADATA][CHECKSUM] = checksum(header, data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT_BYTES)
    write_atomically(path, len(text).to_bytes(LENGTH_BYTES, "little"), text, *data)


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
