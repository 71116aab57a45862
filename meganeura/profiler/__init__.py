"""Perfetto traces: when what ran, on the host and on the device.

``MEGANEURA_TRACE=trace.pftrace`` writes one of any run. In code::

    profiler.init()
    …
    profiler.save("trace.pftrace")

Open the file at ui.perfetto.dev, which reads it in the browser and sends it nowhere.
"""

from __future__ import annotations

import atexit
import os
import sys
from importlib import import_module

from .. import trace
from ..arguments import checked
from ..config import trace_path
from ..errors import MeganeuraError, SessionError
from ..load.files import write_atomically


def init() -> None:
    """Record from now on; what was recorded before is forgotten."""
    trace.start()


@checked
def save(path: str | os.PathLike[str]) -> None:
    """Write what was recorded since `init` to a file, whole or not at all; recording ends."""
    recorded = trace.current()
    if recorded is None:
        raise SessionError("nothing was recorded", hint="call profiler.init() first")
    write(recorded, path)
    trace.stop()


def write(recorded: trace.Trace, path: str | os.PathLike[str]) -> None:
    """Write a trace to a file, whole or not at all."""
    # Perfetto's package takes a tenth of a second to import, which only who saves shall wait for.
    perfetto = import_module(f"{__name__}.perfetto")
    write_atomically(path, perfetto.encode(recorded))


def _save_at_exit(path: str) -> None:
    if trace.current() is not None:
        try:
            save(path)
        except MeganeuraError as error:
            sys.stderr.write(f"meganeura: {error.message}\n")


def _follow_settings() -> None:
    path = trace_path()
    if path is not None:
        init()
        atexit.register(_save_at_exit, path)


_follow_settings()
