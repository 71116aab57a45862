"""Kill −9 at random moments: there is always a checkpoint that loads, and a run that is resumed
gives the losses of one that was never stopped, to the bit.

The runs save after every second step, so that half of the kills hit a save.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from meganeura.load.checkpoint import read_checkpoint
from tests.conftest import SEED

KILLS = 11
"""For each of five runs: 55 in all."""
SETTINGS = [
    "--epochs",
    "5",
    "--batch-size",
    "32",
    "--hidden",
    "16",
    "--checkpoint-interval",
    "2",
    "--log-interval",
    "1",
]
STEPS = 5 * 187


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "meganeura", "train", "mnist", *arguments]


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
def uninterrupted(tmp_path_factory) -> list[tuple[int, float]]:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    arguments = command("--out", str(folder), *SETTINGS)
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, timeout=300)
    return losses(folder)


def start_and_kill(arguments: list[str], folder: Path, rng: random.Random) -> None:
    """Start a run; once it trains, let it live a little, and kill it."""
    before = size(folder)
    process = subprocess.Popen(
        command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    limit = time.monotonic() + 120
    while size(folder) == before and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.002)
    time.sleep(rng.uniform(0, 0.05))
    os.kill(process.pid, signal.SIGKILL)
    _, errors = process.communicate()
    assert process.returncode == -signal.SIGKILL, errors.decode()


def size(folder: Path) -> int:
    metrics = folder / "metrics.jsonl"
    return metrics.stat().st_size if metrics.is_file() else 0


@pytest.mark.parametrize("run", range(5))
def test_a_run_survives_being_killed(run, uninterrupted, tmp_path):
    assert len(uninterrupted) == STEPS
    rng = random.Random(f"{os.environ[SEED]} {run}")
    folder = tmp_path / "run"
    start_and_kill(["--out", str(folder), *SETTINGS], folder, rng)
    for _ in range(KILLS - 1):
        check_folder(folder)
        start_and_kill(["--resume", str(folder)], folder, rng)
    check_folder(folder)
    resumed = subprocess.run(
        command("--resume", str(folder)), capture_output=True, text=True, timeout=300
    )
    assert resumed.returncode == 0, resumed.stderr
    assert losses(folder) == uninterrupted
    assert not list(folder.rglob("*.tmp"))


def check_folder(folder: Path) -> None:
    for path in (folder / "checkpoints").glob("*.safetensors"):
        tensors, description = read_checkpoint(path)
        assert tensors and description["extra"]["trainer"]["position"]["step"] > 0
