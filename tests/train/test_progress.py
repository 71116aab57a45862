"""What a run shows: lines in a file, a bar on a terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys

from meganeura.train import progress
from meganeura.train.progress import display
from tests.train.problems import loader, trainer


def test_plain_lines(monkeypatch, capsys):
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    trainer(progress=True, log_interval=5).train(loader(), epochs=2)
    lines = capsys.readouterr().out.splitlines()
    assert re.match(r"[\d,]+ parameters on cpu", lines[0])
    assert re.match(r"compiled; \d+ MiB", next(line for line in lines if "MiB" in line))
    shown = [line for line in lines if line.startswith("step ") and "loss" in line]
    assert len(shown) == 4
    pattern = r"step 20/20  loss \d+\.\d{4}  lr 5\.00e-03  [\d.]+ steps/s  0:00 left"
    assert re.fullmatch(pattern, shown[-1])
    assert any(line.startswith("epoch 2: mean loss") for line in lines)


def test_lines_are_not_too_many():
    stream = io.StringIO()
    lines = progress.Lines(stream)
    for step in range(1, 1001):
        lines.update(step, 1000, "loss 1")
    assert stream.getvalue() == "step 1000/1000  loss 1\n"


def test_a_bar_on_a_terminal():
    code = (
        "from tests.train.problems import trainer, loader\n"
        "trainer(progress=True, log_interval=1).train(loader(), epochs=3)\n"
    )
    master, slave = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30"}
    process = subprocess.Popen([sys.executable, "-c", code], stdout=slave, env=env)
    os.close(slave)
    shown = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(master)
    assert process.wait(timeout=120) == 0
    text = shown.decode()
    assert "30/30" in text and "━" in text and "steps/s" in text and "parameters on cpu" in text


def test_without_a_stream_there_is_nothing_to_write():
    shown = display(None)
    shown.line("words")
    shown.update(1, 1, "words")
    shown.close()
