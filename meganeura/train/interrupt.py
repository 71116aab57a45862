"""Ctrl-C, noted: a run ends between two steps, never within one."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self

STOPS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """While it is entered, the first signal to stop is noted in ``asked``; a second one stops at
    once. Only the main thread gets signals; elsewhere nothing is noted."""

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, Any] = {}

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._note) for number in STOPS}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            # None: it was set by other than Python, and cannot be set from here.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
