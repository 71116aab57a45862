"""Safetensors files that are damaged in hundreds of ways."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Iterator

import numpy as np

from tests.load.builders import pack, unpack

CUTS, FLIPS = 80, 200
HUGE = 10**30

ENTRIES = [
    *(None, 5, "F32", [], {}, True),
    *({"dtype": d} for d in ("F33", "f32", "", None, 32, ["F32"], "F64", "F16", "U8", "I32")),
    *({"shape": s} for s in (None, 6, "6", [-1], [6.0], [True], ["6"], [None], [[6]], {}, [HUGE])),
    *({"shape": s} for s in ([1] * 65, [0], [HUGE, 0], [7, 7, 7], [6, 0, 2**62])),
    *({"data_offsets": o} for o in (None, 0, [], [0], [0, 1, 2], [-1, 3], [0.0, 4.0], ["0", "4"])),
    *({"data_offsets": o} for o in ([0, HUGE], [HUGE, HUGE], [4, 0], [True, 4], [0, 0], {})),
    *({"extra": 1}, {"dtype": "BOOL", "shape": []}),
]
"""What may stand in the place of a tensor's description, or of parts of it."""


def damaged(good: bytes) -> Iterator[tuple[str, bytes]]:
    """Files that no one may believe, made from one that is whole; each with what was done to it.

    The file's metadata is left as it is: it may say anything."""
    header, data = unpack(good)
    metadata = header.pop("__metadata__", None)
    rest = {} if metadata is None else {"__metadata__": metadata}
    good = pack({**header, **rest}, data)
    yield from _cut(good)
    yield from _flipped(good, len(json.dumps(header)) - 1)
    for name in header:
        yield from _redescribed(header, rest, data, name)
    yield from _rearranged(header, rest, data)
    yield from _other_text(header, rest, data)
    yield from _no_safetensors(good)


def _cut(good: bytes) -> Iterator[tuple[str, bytes]]:
    rng = np.random.default_rng(21)
    end = len(good) - len(unpack(good)[1])
    for length in [*range(10), end - 1, end, end + 1, len(good) - 1]:
        yield f"cut at byte {length}", good[:length]
    for length in rng.choice(np.arange(10, len(good)), CUTS, replace=False):
        yield f"cut at byte {length}", good[:length]


def _flipped(good: bytes, length: int) -> Iterator[tuple[str, bytes]]:
    """One bit is another in the length of the header or in what it says of tensors."""
    rng = np.random.default_rng(22)
    places = [(byte, bit) for byte in range(8) for bit in range(8)]
    places += zip(rng.integers(8, 8 + length, FLIPS), rng.integers(8, size=FLIPS), strict=True)
    for byte, bit in places:
        changed = bytearray(good)
        changed[byte] ^= 1 << int(bit)
        yield f"bit {bit} of byte {byte} flipped", bytes(changed)


def _redescribed(header: dict, rest: dict, data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """One tensor is said to be what it is not."""
    for change in ENTRIES:
        described = {**header[name], **change} if isinstance(change, dict) and change else change
        if described != header[name]:
            yield f"{name} as {change}", pack({**header, name: described, **rest}, data)
    for field in header[name]:
        less = {f: value for f, value in header[name].items() if f != field}
        yield f"{name} without {field}", pack({**header, name: less, **rest}, data)
    for shift in (-8, -4, -1, 1, 4, 8):
        moved = [offset + shift for offset in header[name]["data_offsets"]]
        changed = {**header[name], "data_offsets": moved}
        yield f"{name} moved by {shift}", pack({**header, name: changed, **rest}, data)


def _rearranged(header: dict, rest: dict, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Every tensor may be right by itself, but not all of them together."""
    for name, entry in header.items():
        others = {n: e for n, e in header.items() if n != name}
        yield f"no {name}", pack({**others, **rest}, data)
        yield f"{name} by another name", pack({**others, name + "2": entry, **rest}, data)
        yield f"{name} twice", pack({**header, name + "2": entry, **rest}, data)
        for other in others:
            overlapping = {**header, name: header[other]}
            yield f"{name} where {other} is", pack({**overlapping, **rest}, data)
    for count in (1, 4, 4096):
        yield f"{count} bytes more", pack({**header, **rest}, data + bytes(count))
        yield f"{count} bytes before", pack({**header, **rest}, bytes(count) + data)


def _other_text(header: dict, rest: dict, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The header is not JSON, or not in the right form."""
    text = json.dumps({**header, **rest})
    first = next(iter(header))
    again = json.dumps({first: header[first]})[1:-1]
    yield "a name twice", pack(f"{text[:-1]}, {again}}}".encode(), data)
    yield (
        "a field twice",
        pack(text.replace('"shape"', '"dtype": "F32", "shape"', 1).encode(), data),
    )
    yield "a NaN", pack(text.replace('"F32"', "NaN", 1).encode(), data)
    yield "an infinity", pack(text.replace('"F32"', "-Infinity", 1).encode(), data)
    yield "a comma too many", pack((text[:-1] + ",}").encode(), data)
    yield "a space before", pack(b" " + text.encode(), data)
    yield "a mark before", pack(b"\xef\xbb\xbf" + text.encode(), data)
    yield "a zero behind", pack(text.encode() + b"\0", data)
    yield "two objects", pack(text.encode() + b"{}", data)
    yield "in a list", pack(f"[{text}]".encode(), data)
    yield "UTF-16", pack(text.encode("utf-16"), data)
    yield "not UTF-8", pack(text.replace(first, first + "\xff").encode("latin-1"), data)
    yield "half a letter", pack({**header, "\ud800": header[first], **rest}, data)
    for form in ("", "{", "}", "null", "true", "0", '"text"', "[]", "{]", "[" * 100_000, "{,}"):
        yield f"{form[:9]} for a header", pack(form.encode(), data)
    yield "nested too deeply", pack(b'{"t":' * 100_000, data)
    for metadata in (None, [], "pt", {"a": 1}, {"a": None}, {"a": {}}):
        yield f"{metadata} for metadata", pack({**header, "__metadata__": metadata}, data)


def _no_safetensors(good: bytes) -> Iterator[tuple[str, bytes]]:
    rng = np.random.default_rng(23)
    yield "text", b"these are not the weights you are looking for\n" * 9
    yield "a page of the web", b"<!DOCTYPE html><html><body>404</body></html>" * 9
    yield "a pointer to a large file", b"version https://git-lfs.github.com/spec/v1\noid sha256:"
    yield "zeros", bytes(500)
    yield "ones", b"\xff" * 500
    yield "packed", gzip.compress(good)
    yield "a pickle", pickle.dumps({"t": [1.0, 2.0]})
    for length in range(20, 400, 20):
        yield f"{length} random bytes", rng.bytes(length)
    for length in (0, 1, len(good), 10**8, 10**8 + 1, 2**31, 2**63, 2**64 - 1):
        yield f"a header of {length} bytes", length.to_bytes(8, "little") + good[8:]
