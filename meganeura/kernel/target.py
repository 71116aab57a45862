"""What a schedule must know of the machine it writes for."""

from __future__ import annotations

from dataclasses import dataclass

LINE_ELEMENTS = 16
"""Elements of a cache line."""


def filled_up(size: int, width: int) -> int:
    """The next multiple."""
    return -(-size // width) * width


def apart(elements: int) -> int:
    """A distance between rows of so many elements: an odd number of cache lines, so that
    neighbours do not fall into one place of the cache."""
    return (-(-elements // LINE_ELEMENTS) | 1) * LINE_ELEMENTS


@dataclass(frozen=True)
class Target:
    """Facts about a target."""

    kind: str
    lanes: int
    """How many floats one vector holds, or how many invocations work together."""
