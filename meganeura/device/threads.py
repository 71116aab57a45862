"""Threads of this package: they end with the process, and where none can be had, that is told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..errors import DeviceError


def start_thread(target: Callable[..., None], *arguments: Any) -> threading.Thread:
    """A daemon thread that calls ``target``."""
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    try:
        thread.start()
    except (RuntimeError, MemoryError) as error:
        raise DeviceError(
            f"the system starts no more threads: {error}",
            hint="set MEGANEURA_THREADS to fewer, or raise the limit on processes (ulimit -u)",
        ) from None
    return thread
