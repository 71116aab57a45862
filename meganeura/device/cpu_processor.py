"""This machine's processor, asked for once and kept on disk."""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path

import llvmlite
import msgspec

from .cache import Entry
from .cpu_helper import processor_facts

HALVED = ("znver4",)
"""Processors that take two turns for an instruction of sixteen lanes."""
_CPU_INFO = Path("/proc/cpuinfo")
_STEADY = ("vendor", "cpu family", "model", "stepping", "flags", "CPU ", "Features")
"""How the lines begin that tell what a processor is, and not how it is at the moment."""


class Processor(msgspec.Struct, frozen=True):
    """A processor, as LLVM knows it."""

    name: str
    features: str

    @property
    def lanes(self) -> int:
        """Lanes of the widest vectors that are worth it."""
        if "+avx512f," in self.features and self.name not in HALVED:
            return 16
        return 8 if "+avx," in self.features else 4


BASELINE = Processor("", "")
"""What all processors of a kind can do."""


@cache
def find_processor(folder: Path | None) -> Processor:
    """This machine's processor; what is known of it is kept in ``folder``, if the system tells what
    it is."""
    lines = _cpu_info()
    facts = llvmlite.__version__, platform.system(), platform.machine(), *lines
    entry = Entry(folder, facts, "processor-") if folder and lines else None
    content = None if entry is None else entry.read()
    try:
        return msgspec.json.decode(content or b"", type=Processor)
    except msgspec.DecodeError:  # it is asked for, again
        found = msgspec.convert(processor_facts(), Processor)
    if entry is not None:
        entry.write(msgspec.json.encode(found))
    return found


def _cpu_info() -> list[str]:
    """What Linux tells of the processor's cores; nothing on other systems."""
    try:
        text = _CPU_INFO.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return list(dict.fromkeys(line for line in text.splitlines() if line.startswith(_STEADY)))
