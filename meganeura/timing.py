"""How long parts of a work take."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Stopwatch:
    """Runs parts of a work, and notes what each took."""

    times_ns: dict[str, int] = field(default_factory=dict)

    def __call__(self, name: str, part: Callable[[], T]) -> T:
        """What the part gives."""
        start = time.perf_counter_ns()
        result = part()
        self.times_ns[name] = time.perf_counter_ns() - start
        return result
