"""What benchmarks share: runners timed in turns, so that noise falls on all alike, and tables."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


@dataclass
class Runner:
    """A way to run a workload, and how long its steps took."""

    name: str
    step: Callable[[], Any]
    result: Any = None
    """What a step computed, where others must agree with it."""
    times_ms: list[float] = field(default_factory=list)

    def timed(self) -> None:
        """One step by the clock."""
        start = time.perf_counter_ns()
        self.step()
        self.times_ms.append((time.perf_counter_ns() - start) / 1e6)

    def median(self) -> float:
        """The median time of a step, in milliseconds."""
        return statistics.median(self.times_ms)


SETTLE_SECONDS = 0.15
"""Other libraries' threads spin for a while when their work is done; they must not spin into the
next runner's turn."""
A_TURN = 3


def in_turns(runners: Sequence[Runner], steps: int) -> None:
    """Steps of all runners by the clock, a few at a time in turns. The first step of a turn wakes
    threads and warms caches; it does not count."""
    for _ in range(-(-steps // A_TURN)):
        for runner in runners:
            time.sleep(SETTLE_SECONDS)
            runner.step()
            for _ in range(A_TURN):
                runner.timed()


def machine() -> str:
    """The machine, in a few words."""
    names = [
        line.partition(":")[2].strip()
        for line in _lines("/proc/cpuinfo")
        if line.startswith("model name")
    ]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, cwd=RESULTS.parent, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


class Table:
    """Rows printed as they come, and kept as Markdown."""

    def __init__(self, *columns: str) -> None:
        self.lines: list[str] = []
        self.row(*columns)
        self.row(*("---" for _ in columns))

    def row(self, *cells: object) -> None:
        """One more row."""
        line = f"| {' | '.join(map(str, cells))} |"
        print(line, flush=True)
        self.lines.append(line)


def write_results(name: str, parts: Sequence[str]) -> None:
    """A Markdown file among the results."""
    RESULTS.mkdir(exist_ok=True)
    text = "\n\n".join([f"{machine()}, commit {_commit()}", *parts]) + "\n"
    (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")
