"""One use at a time, in the process that made it: for classes whose calls must not overlap.

A call that overlaps another (from a second thread, from a signal handler or a finalizer that
interrupts it) would see half of what the other does, and so would a forked process, which lacks the
threads and the device. Such a call is refused. The class keeps a `Use` in ``_use``.
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from .errors import MeganeuraError

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")

_process = object()
"""Stands for this process: another one in a forked child."""


def _after_fork() -> None:
    global _process
    _process = object()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Use:
    """Whether an object is in use, and what process it belongs to."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process = _process


def exclusive_methods(
    kind: type[MeganeuraError], ends: Sequence[str]
) -> Callable[[type[T]], type[T]]:
    """Let the public methods of a class run one at a time, in one process. Those that ``ends``
    names have nothing to release in a forked process, and do nothing there."""

    def decorate(cls: type[T]) -> type[T]:
        done: dict[Any, Any] = {}  # two names for one method stay so
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and (name in ends or not name.startswith("_")):
                if method not in done:
                    done[method] = _exclusive(method, cls.__name__.lower(), kind, name in ends)
                setattr(cls, name, done[method])
        return cls

    return decorate


def _exclusive(
    method: Callable[Concatenate[S, P], R], what: str, kind: type[MeganeuraError], ends: bool
) -> Callable[Concatenate[S, P], R | None]:
    own = inspect.unwrap(method).__globals__

    @wraps(method)
    def call(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R | None:
        use: Use = self._use  # type: ignore[attr-defined]
        if use.process is not _process:
            if ends:
                return None
            raise kind(
                f"{method.__name__}: this {what} belongs to the process that was forked",
                hint=f'build a {what} in the process that uses it, or start processes by "spawn"',
            )
        if use.lock.locked():
            # Its own methods call each other; whoever calls them holds the lock.
            if sys._getframe(1).f_globals is own:
                return method(self, *args, **kwargs)
            raise kind(
                f"{method.__name__}: this {what} is in use, by another thread or by what a "
                "signal handler or finalizer interrupted",
                hint=f"give each thread a {what} of its own, or share a lock around every use",
            )
        # A Ctrl-C cannot come between the locking and the block; a thread that is late by less
        # than a moment waits here.
        with use.lock:
            return method(self, *args, **kwargs)

    return call
