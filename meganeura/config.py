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

MOST_THREADS = 1024
"""More are a mistake: there are few machines with so many cores."""


@dataclass(frozen=True)
class Config:
    """What the environment asks for."""

    device: str = "auto"
    threads: int = 1
    cache: Path | None = None
    private: Path | None = None
    """The user's own folder of settings, where the key of the cache is; None: there is no home."""
    portable: bool = False
    poison: bool = False


def read_config() -> Config:
    """The settings as they are in the environment now."""
    return Config(
        device=os.environ.get("MEGANEURA_DEVICE") or "auto",
        threads=_threads(os.environ.get("MEGANEURA_THREADS")),
        cache=_cache(os.environ.get("MEGANEURA_CACHE"), os.environ.get("XDG_CACHE_HOME")),
        private=_home_folder(os.environ.get("XDG_CONFIG_HOME"), ".config"),
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
    return _home_folder(home, ".cache")


def _home_folder(setting: str | None, name: str) -> Path | None:
    """This package's folder in one of the user's: the one that is set, or ``name`` in the home."""
    if setting and os.path.isabs(setting):  # others are to be ignored, says the XDG specification
        return Path(setting) / "meganeura"
    try:
        home = Path.home()
    except RuntimeError:  # no HOME, and a user whom the system does not know
        return None
    return home / name / "meganeura" if home.is_absolute() else None


def _threads(setting: str | None) -> int:
    if setting:
        # Not longer than the limit: int() refuses thousands of digits by an error of its own.
        if not (setting.isdecimal() and len(setting) < 9 and 1 <= int(setting) <= MOST_THREADS):
            raise DeviceError(
                f"MEGANEURA_THREADS must be a whole number from 1 to {MOST_THREADS}, "
                f"got {setting[:20]!r}",
                hint="more threads than cores only wait for each other; unset it to use all cores",
            )
        return int(setting)
    return min(_cores(), MOST_THREADS)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
