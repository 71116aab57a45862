"""Machine code in memory: LLVM's objects put together, without LLVM.

In:  relocatable ELF objects for x86-64.   Out: the address of each symbol.

All sections that are part of a program lie behind each other in one piece of memory, at most 2 GiB
away from each other, so that whatever refers to another place does so by a distance. Functions of
the system may be further away: each has a stub, which jumps to an address behind it. A plan that
was compiled before is then run without LLVM's library, which takes 50 MiB and 30 ms to load.

Format: System V ABI, AMD64 supplement, chapter 4.
Not here: other processors and systems, where LLVM's own linker does it (cpu_llvm.py).
"""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import DeviceError, InternalError
from ..kernel.target import filled_up

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_MAGIC = b"\x7fELF\x02\x01\x01"
_RELOCATABLE, _X86_64 = 1, 62
_SYMBOLS, _RELOCATIONS, _NO_BITS = 2, 4, 8
_ALLOCATED = 2
_LOCAL, _UNDEFINED = 0, 0
_DISTANCES = {2: "<i", 4: "<i", 24: "<q"}
"""Relocations that want the distance to a symbol: R_X86_64_PC32, _PLT32 and _PC64."""
_UNWINDING = ".eh_frame"
"""A section that only those read who go back through calls, which nobody does here."""
_STUB = b"\xff\x25\x02\x00\x00\x00\x90\x90" + bytes(8)
"""``jmp [rip + 2]``, and behind it the address."""


def links_here() -> bool:
    """Whether this machine's objects are what this module knows."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


@dataclass(frozen=True)
class _Section:
    """A section's header, and where it lies in the whole if it is part of the program."""

    name: str
    kind: int
    flags: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int

    @property
    def is_loaded(self) -> bool:
        return bool(self.flags & _ALLOCATED) and self.name != _UNWINDING and self.size > 0


class _Object:
    """An object's sections and symbols."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        magic, kind, machine, *_ = header = _HEADER.unpack_from(content)
        if not magic.startswith(_MAGIC) or (kind, machine) != (_RELOCATABLE, _X86_64):
            raise InternalError("code was compiled for another machine")
        first, count, names = header[6], header[12], header[13]
        rows = [_SECTION.unpack_from(content, first + n * _SECTION.size) for n in range(count)]
        at_names = rows[names][4]
        self.sections = [
            _Section(self._text(at_names + name), kind, flags, offset, size, link, info, alignment)
            for name, kind, flags, _, offset, size, link, info, alignment, _ in rows
        ]

    def _text(self, start: int) -> str:
        return self.content[start : self.content.index(0, start)].decode()

    def part(self, section: _Section) -> bytes:
        """A section's content."""
        if section.kind == _NO_BITS:
            return bytes(section.size)
        return self.content[section.offset : section.offset + section.size]

    def symbols(self) -> list[tuple[str, bool, int, int]]:
        """Each symbol's name, whether others see it, its section, and its place there."""
        table = next(s for s in self.sections if s.kind == _SYMBOLS)
        names = self.sections[table.link].offset
        return [
            (self._text(names + name), info >> 4 != _LOCAL, section, value)
            for name, info, _, section, value, _ in _SYMBOL.iter_unpack(self.part(table))
        ]

    def relocations(self) -> Iterator[tuple[int, int, int, int, int]]:
        """For each place that refers to another: its section and place there, the kind of
        reference, the symbol's number, and what is added."""
        for section in self.sections:
            if section.kind == _RELOCATIONS and self.sections[section.info].is_loaded:
                for place, info, addend in _RELOCATION.iter_unpack(self.part(section)):
                    yield section.info, place, info & 0xFFFFFFFF, info >> 32, addend


class _Image:
    """Sections behind each other, and where names lie in them."""

    def __init__(self, objects: Sequence[bytes]) -> None:
        self.content = bytearray()
        self.stubs: dict[str, int] = {}
        """Where those of the system's functions lie."""
        self._objects = [_Object(content) for content in objects]
        self._places = [
            {n: self._put(found, s) for n, s in enumerate(found.sections) if s.is_loaded}
            for found in self._objects
        ]
        """For each object, where its sections lie."""
        self._symbols = [found.symbols() for found in self._objects]
        self.names = {
            name: places[section] + value
            for symbols, places in zip(self._symbols, self._places, strict=True)
            for name, is_global, section, value in symbols
            if is_global and section in places
        }
        self._connect()

    def _put(self, found: _Object, section: _Section) -> int:
        """A section behind what is there."""
        place = filled_up(len(self.content), max(section.alignment, 1))
        self.content += bytes(place - len(self.content)) + found.part(section)
        return place

    def _connect(self) -> None:
        """Write all distances."""
        for found, places, symbols in zip(self._objects, self._places, self._symbols, strict=True):
            for section, offset, kind, number, addend in found.relocations():
                if kind not in _DISTANCES:
                    raise InternalError(f"compiled code has a relocation of kind {kind}")
                place = places[section] + offset
                name, _, there, value = symbols[number]
                target = places[there] + value if there in places else self._elsewhere(name, there)
                struct.pack_into(_DISTANCES[kind], self.content, place, target + addend - place)

    def _elsewhere(self, name: str, section: int) -> int:
        """Where a symbol of another object lies, or the stub for one of the system."""
        if section != _UNDEFINED:
            raise InternalError(f"compiled code refers to {name} in section {section}")
        if name in self.names:
            return self.names[name]
        if name not in self.stubs:
            self.stubs[name] = filled_up(len(self.content), len(_STUB))
            self.content += bytes(self.stubs[name] - len(self.content)) + _STUB
        return self.stubs[name]


class Code:
    """Code in memory: an address for each name. It stays there as long as this object does."""

    def __init__(self, objects: Sequence[bytes]) -> None:
        image = _Image(objects)
        for name, place in image.stubs.items():
            struct.pack_into("<Q", image.content, place + len(_STUB) - 8, _system_function(name))
        size_bytes = filled_up(len(image.content), mmap.PAGESIZE)
        self._memory = mmap.mmap(-1, size_bytes, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._memory.write(image.content)
        first = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._addresses = {name: first + place for name, place in image.names.items()}
        _let_run(first, size_bytes)

    def __getitem__(self, name: str) -> int:
        return self._addresses[name]


def _let_run(address: int, size_bytes: int) -> None:
    """Let memory be run, and no longer be written."""
    system = ctypes.CDLL(None, use_errno=True)
    allowed = mmap.PROT_READ | mmap.PROT_EXEC
    if system.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size_bytes), allowed):
        raise DeviceError(
            f"compiled code may not be run here: {os.strerror(ctypes.get_errno())}",
            hint='the device "reference" needs no compiled code',
        )


def _system_function(name: str) -> int:
    """The address of a function of the C library."""
    found = getattr(ctypes.CDLL(None), name, None)
    if found is None:
        raise InternalError(f"compiled code calls {name}, which this system does not have")
    return ctypes.cast(found, ctypes.c_void_p).value or 0
