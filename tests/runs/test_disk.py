"""A run whose disk is full or may not be written: one line, and what was saved stays."""

from __future__ import annotations

import subprocess

import pytest

from meganeura.cli.main import main
from meganeura.load.checkpoint import read_checkpoint
from tests.helpers.disk import small_disk

TRAIN = [
    "train",
    "mnist",
    "--epochs",
    "2",
    "--hidden",
    "16",
    "--checkpoint-interval",
    "50",
    "--out",
]
"""Checkpoints of 150 KiB; a run has two, and while it saves a third."""


@pytest.mark.parametrize("size", ["64k", "200k", "350k", "420k", "480k", "520k", "560k"])
def test_a_disk_that_fills_up(size, tmp_path, capsys):
    with small_disk(tmp_path / "disk", size) as disk:
        assert main([*TRAIN, str(disk / "run")]) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and "No space left" in error
        assert not list(disk.rglob("*.tmp"))
        for path in disk.rglob("*.safetensors"):
            read_checkpoint(path)
        assert size == "64k" or list(disk.rglob("last.safetensors"))


def test_a_disk_that_may_not_be_written(tmp_path, capsys):
    with small_disk(tmp_path / "disk", "1m") as disk:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True, timeout=10)
        assert main([*TRAIN, str(disk / "run")]) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and "Read-only" in error
