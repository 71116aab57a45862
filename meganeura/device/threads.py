"""Threads of this package: they end with the process, and where none can be had, that is told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from ..errors import DeviceError

T = TypeVar("T")


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


def uninterrupted(function: Callable[[], T]) -> T:
    """What ``function`` gives. It runs in a thread of its own: Ctrl-C may end the waiting for it,
    but not come between what it does."""
    answer: Future[T] = Future()
    start_thread(answer_by, answer, function)
    return answer.result()


def answer_by(answer: Future[T], function: Callable[[], T]) -> None:
    """Call ``function``; what it gives or raises is the answer."""
    try:
        answer.set_result(function())
    except BaseException as error:  # it is raised where the answer is asked for
        answer.set_exception(error)
