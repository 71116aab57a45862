"""All settings from the environment, read in one place.

| variable           | meaning                                             | default |
|--------------------|-----------------------------------------------------|---------|
| `MEGANEURA_DEVICE` | the device that `"auto"` stands for                 | `auto`  |
| `MEGANEURA_THREADS` | threads of the CPU device                          | all cores |
| `MEGANEURA_CACHE`  | folder of compiled code; `off` keeps none           | the user's cache |
| `MEGANEURA_TRACE`  | file for a Perfetto trace of the run                | no trace |
| `MEGANEURA_PORTABLE` | `1`: only limits and features that every GPU has   | all that the GPU has |
| `MEGANEURA_POISON` | `1`: memory that a kernel may not count on holds NaN (slow) | as it is |
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from .errors import DeviceError


@dataclass(frozen=True)
class Config:
    """What the environment asks for."""

    device: str = "auto"
    threads: int = 1
    cache: Path | None = None
    portable: bool = False
    poison: bool = False


def read_config() -> Config:
    """The settings as they are in the environment now."""
    return Config(
        device=os.environ.get("MEGANEURA_DEVICE") or "auto",
        threads=_threads(os.environ.get("MEGANEURA_THREADS")),
        cache=_cache(os.environ.get("MEGANEURA_CACHE"), os.environ.get("XDG_CACHE_HOME")),
        portable=os.environ.get("MEGANEURA_PORTABLE") == "1",
        poison=os.environ.get("MEGANEURA_POISON") == "1",
    )


def trace_path() -> str | None:
    """The file for a trace, if one is asked for."""
    return os.environ.get("MEGANEURA_TRACE") or None


def _cache(setting: str | None, home: str | None) -> Path | None:
    if setting == "off":
        return None
    if setting:
        return Path(setting)
    return (Path(home) if home else Path.home() / ".cache") / "meganeura"


def _threads(setting: str | None) -> int:
    if setting:
        if not setting.isdecimal() or int(setting) < 1:
            raise DeviceError(f"MEGANEURA_THREADS must be a whole number above 0, got {setting!r}")
        return int(setting)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
