"""Ctrl-C, noted: what must not be cut in two ends first."""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence
from types import FrameType, TracebackType
from typing import Any, Self

STOPS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """While it is entered, the first signal to stop is noted in ``asked``; a second one stops at
    once. Only the main thread gets signals; elsewhere nothing is noted."""

    def __init__(self, signals: Sequence[signal.Signals] = STOPS) -> None:
        self.asked = False
        self._signals = signals
        self._before: dict[signal.Signals, Any] = {}

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._note) for number in self._signals}
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


class Whole:
    """While it is entered, Ctrl-C waits: a native step cannot be stopped, and what is noted of it
    must be, too. Where somebody else handles Ctrl-C already, nothing is done, which is quick."""

    def __init__(self) -> None:
        self._interrupt: Interrupt | None = None

    def __enter__(self) -> None:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._interrupt = Interrupt((signal.SIGINT,)).__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._interrupt is not None:
            self._interrupt.__exit__(kind, error, traceback)
            if self._interrupt.asked and error is None:
                raise KeyboardInterrupt
