"""What a schedule must know of the machine it writes for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """Facts about a target."""

    kind: str
    lanes: int
    """How many floats one vector holds, or how many invocations work together."""
