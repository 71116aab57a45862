"""Training steps on a machine that other programs keep busy.

    python -m bench.busy [--rounds 6] [--seconds 1.5]

Steps of the U-Net (tiny, Adam) while 0, 1, 2, 4 processes beside ours do nothing but compute, in
turns. Of the machine's cores our threads' fair share is that of as many processes.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bench.trace import session_for
from bench.turns import Table, write_results
from meganeura.config import read_config
from meganeura.models.sd_unet import SDUNetConfig
from tests.helpers.unet import training_graph

LOADS = (0, 1, 2, 4)
SETTLE_SECONDS = 0.3
"""How long the system takes to spread processes over cores."""


@contextmanager
def busy_processes(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes that compute without end when they are let go on; they are stopped at first."""
    command = [sys.executable, "-c", "while True: pass"]
    made = [subprocess.Popen(command) for _ in range(count)]
    try:
        for process in made:
            process.send_signal(signal.SIGSTOP)
        yield made
    finally:
        for process in made:
            process.kill()
            process.wait()


def rate_beside(
    others: list[subprocess.Popen[bytes]], step: Callable[[], None], seconds: float
) -> float:
    """Steps a second while these processes compute."""
    for process in others:
        process.send_signal(signal.SIGCONT)
    try:
        start = time.perf_counter()
        while time.perf_counter() < start + SETTLE_SECONDS:
            step()
        count, start = 0, time.perf_counter()
        while time.perf_counter() < start + seconds:
            step()
            count += 1
        return count / (time.perf_counter() - start)
    finally:
        for process in others:
            process.send_signal(signal.SIGSTOP)


def fair_share(threads: int, others: int, cores: int) -> float:
    """What of the quiet rate is ours if all get the same."""
    return min(1.0, cores / (threads + others))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=1.5)
    options = parser.parse_args()
    session = session_for(training_graph(SDUNetConfig.tiny()))
    rates: dict[int, list[float]] = {load: [] for load in LOADS}
    with busy_processes(max(LOADS)) as others:
        for _ in range(options.rounds):
            for load in LOADS:
                rates[load].append(rate_beside(others[:load], session.step, options.seconds))
    table = Table("busy processes", "steps/s", "of the quiet rate", "fair share")
    quiet = statistics.median(rates[0])
    for load, found in rates.items():
        rate = statistics.median(found)
        fair = fair_share(read_config().threads, load, os.cpu_count() or 1)
        table.row(load, f"{rate:.1f}", f"{rate / quiet:.0%}", f"{fair:.0%}")
    write_results("busy", ["\n".join(table.lines)])


if __name__ == "__main__":
    main()
