"""Kill −9 at random moments: there is always a checkpoint that loads, and a run that is resumed
gives the losses of one that was never stopped, to the bit.

The runs save after every second step, so that half of the kills hit a save. They are forked from
one process, which has imported the package.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from meganeura.load.checkpoint import read_checkpoint
from tests.conftest import SEED

KILLS = 11
"""For each of five runs: 55 in all."""
SETTINGS = [
    "--epochs",
    "2",
    "--batch-size",
    "32",
    "--hidden",
    "16",
    "--checkpoint-interval",
    "2",
    "--log-interval",
    "1",
]
STEPS = 2 * 187

SERVER = """
import json, os, sys
import meganeura.cli.train
from meganeura.cli.main import main
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(main(["train", "mnist", *json.loads(line)]))
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Server:
    """Runs the command line in a process of its own, each time it is told to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def start(self, *arguments: str) -> int:
        """The number of the process."""
        print(json.dumps(arguments), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())

    def exit_code(self) -> int:
        """What the last process ended with."""
        return int(self.process.stdout.readline())


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        yield Server(process)
        process.communicate("")


def losses(folder: Path) -> list[tuple[int, float]]:
    """Steps and losses; a last line that was cut off is no line."""
    rows = []
    for line in (folder / "metrics.jsonl").read_text().splitlines(keepends=True):
        if line.endswith("\n"):
            row = json.loads(line)
            if "loss" in row:
                rows.append((row["step"], row["loss"]))
    return rows


@pytest.fixture(scope="module")
def uninterrupted(server: Server, tmp_path_factory) -> list[tuple[int, float]]:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    server.start("--out", str(folder), *SETTINGS)
    assert server.exit_code() == 0
    return losses(folder)


def start_and_kill(server: Server, arguments: list[str], folder: Path, rng: random.Random) -> None:
    """Start a run; once it trains, let it live a little, and kill it."""
    before = size(folder)
    process = server.start(*arguments)
    limit = time.monotonic() + 120
    while size(folder) == before and time.monotonic() < limit:
        os.kill(process, 0)  # raises if it has ended by itself
        time.sleep(0.002)
    time.sleep(rng.uniform(0, 0.05))
    os.kill(process, signal.SIGKILL)
    assert server.exit_code() == -signal.SIGKILL


def size(folder: Path) -> int:
    metrics = folder / "metrics.jsonl"
    return metrics.stat().st_size if metrics.is_file() else 0


@pytest.mark.parametrize("run", range(5))
def test_a_run_survives_being_killed(run, server: Server, uninterrupted, tmp_path):
    assert len(uninterrupted) == STEPS
    rng = random.Random(f"{os.environ[SEED]} {run}")
    folder = tmp_path / "run"
    start_and_kill(server, ["--out", str(folder), *SETTINGS], folder, rng)
    for _ in range(KILLS - 1):
        check_folder(folder)
        start_and_kill(server, ["--resume", str(folder)], folder, rng)
    check_folder(folder)
    server.start("--resume", str(folder))
    assert server.exit_code() == 0
    assert losses(folder) == uninterrupted
    assert not list(folder.rglob("*.tmp"))


def check_folder(folder: Path) -> None:
    for path in (folder / "checkpoints").glob("*.safetensors"):
        tensors, description = read_checkpoint(path)
        assert tensors and description["extra"]["trainer"]["position"]["step"] > 0
