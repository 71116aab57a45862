"""``meganeura train``, ``sample``, ``report`` and ``bench``, as a user runs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from meganeura import FormatError, SessionError
from meganeura.cli.main import main
from meganeura.runs.folder import RunFolder
from meganeura.runs.mnist import MnistJob, MnistSettings
from meganeura.runs.unet import UnetSettings
from meganeura.train.progress import Progress
from tests.helpers.devices import needs_gpu

SMALL = [
    f"--{name}={value}"
    for name, value in {
        "batch-size": 2,
        "base-channels": 8,
        "levels": 2,
        "groups": 4,
        "samples": 4,
        "sample-steps": 2,
        "log-interval": 2,
        "checkpoint-interval": 4,
        "sample-interval": 4,
        "warmup": 2,
    }.items()
]


def train(folder: Path, *more: str) -> int:
    return main(["train", "sd-unet", "--out", str(folder), *SMALL, *more])


def rows(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "first"
    assert train(folder, "--steps", "10", "--trace", "--verify") == 0
    return folder


def test_a_run_leaves_everything_in_its_folder(trained):
    found = {p.relative_to(trained).as_posix() for p in trained.rglob("*") if p.is_file()}
    assert found == {
        "config.json", "metrics.jsonl", "loss.png", "optimize.txt", "kernels.json", "graph.svg",
        "memory.svg", "timeline.svg", "trace.pftrace", "report.html",
        "checkpoints/last.safetensors",
        "checkpoints/best.safetensors", "samples/step-000004.png", "samples/step-000008.png",
        "samples/step-000010.png",
    }  # fmt: skip
    steps = [row for row in rows(trained) if "loss" in row]
    assert [row["step"] for row in steps] == list(range(1, 11))
    assert all(np.isfinite(row["loss"]) for row in steps)
    assert [row["step"] for row in rows(trained) if "validation" in row] == [4, 8, 10]
    config = json.loads((trained / "config.json").read_text())
    assert config["model"] == "sd-unet" and config["settings"]["batch_size"] == 2
    with Image.open(trained / "samples/step-000010.png") as grid:
        assert grid.width > 64 and grid.height > 64
    table = json.loads((trained / "kernels.json").read_text())
    assert sum(row["runs"] for row in table) > 50 and all(row["bytes"] > 0 for row in table)


def test_a_run_says_where_things_are(tmp_path, capsys):
    assert train(tmp_path / "run", "--steps", "2", "--verify") == 0
    out = capsys.readouterr().out
    assert f"samples: {tmp_path / 'run' / 'samples' / 'step-000002.png'}" in out
    assert "report.html" in out and "relative error" in out and "stopped" not in out


def test_samples_are_drawn_by_a_trained_network(trained, tmp_path, capsys):
    out = tmp_path / "grid.png"
    arguments = ["sample", str(trained), "--count", "6", "--steps", "2", "--out", str(out)]
    assert main(arguments) == 0
    first = out.read_bytes()
    assert main(arguments) == 1
    assert "exists, and is not overwritten" in capsys.readouterr().err
    assert main([*arguments, "--force"]) == 0
    assert out.read_bytes() == first
    assert main([*arguments, "--force", "--seed", "2", "--checkpoint", "best"]) == 0
    assert out.read_bytes() != first


def test_the_page_is_built_anew(trained, capsys):
    before = (trained / "report.html").read_text()
    (trained / "report.html").unlink()
    assert main(["report", str(trained)]) == 0
    assert (trained / "report.html").read_text() == before


def test_nothing_is_overwritten(trained, capsys):
    before = (trained / "metrics.jsonl").read_bytes()
    assert train(trained, "--steps", "2") == 1
    assert "is not empty" in capsys.readouterr().err
    assert main(["train", "sd-unet", "--resume", str(trained), "--steps", "50"]) == 1
    assert "keeps its settings" in capsys.readouterr().err
    assert main(["train", "sd-unet", "--resume", str(trained)]) == 1
    assert "10 were made already" in capsys.readouterr().err
    assert (trained / "metrics.jsonl").read_bytes() == before


def test_ctrl_c_saves_and_says_how_to_resume(tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    settings = ["--steps", "40", "--sample-interval", "40"]
    assert train(whole, *settings) == 0
    arguments = ["train", "sd-unet", "--out", str(cut), *SMALL, *settings]
    command = [sys.executable, "-m", "meganeura", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    limit = time.monotonic() + 120
    while not (cut / "metrics.jsonl").is_file() or not (cut / "metrics.jsonl").stat().st_size:
        assert time.monotonic() < limit and process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 130
    stopped = int(re.search(r"stopped after step (\d+); go on with: (.*)", out).group(1))
    assert 0 < stopped < 40
    assert f"meganeura train sd-unet --resume {cut}" in out
    assert main(["train", "sd-unet", "--resume", str(cut)]) == 0
    losses = [[(r["step"], r["loss"]) for r in rows(f) if "loss" in r] for f in (whole, cut)]
    assert losses[0] == losses[1]


def test_digits_are_told(tmp_path, capsys):
    assert main(["train", "mnist", "--epochs", "12", "--out", str(tmp_path / "run")]) == 0
    found = re.findall(r"accuracy (\d\.\d+)", capsys.readouterr().out)
    assert float(found[-1]) >= 0.95


def test_own_pictures(tmp_path, capsys):
    pictures = tmp_path / "pictures"
    (pictures / "more").mkdir(parents=True)
    rng = np.random.default_rng(0)
    for i in range(9):
        pixels = rng.integers(0, 255, (20 + i, 30, 3), np.uint8)
        Image.fromarray(pixels).save(pictures / ("more" if i % 2 else "") / f"{i}.png")
    arguments = ["--data", str(pictures), "--channels", "3", "--resolution", "16", "--steps", "2"]
    assert train(tmp_path / "run", *arguments) == 0
    with Image.open(tmp_path / "run" / "samples" / "step-000002.png") as grid:
        assert grid.mode == "RGB"
    (pictures / "bad.png").write_bytes(b"\x89PNG no picture")
    assert train(tmp_path / "other", *arguments) == 1
    assert "bad.png is not a picture" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("train sd-unet --resume nowhere", "cannot read"),
        ("train sd-unet --data nowhere", "cannot read"),
        ("train sd-unet --steps 0", "steps must be at least 1"),
        ("train sd-unet --batch-size 0", "batch_size must be at least 1"),
        ("train sd-unet --levels 9", "cannot be halved"),
        ("train sd-unet --resolution 16", "do not fit"),
        ("train sd-unet --channels 3", "the digits are grey"),
        ("train sd-unet --learning-rate -1", "learning_rate must be at least 0"),
        ("train sd-unet --average 2", "average"),
        ("train sd-unet --device tpu", "tpu"),
        ("train sd-unet --out text", "cannot be a run's folder"),
        ("train mnist --data .", "cannot read"),
        ("train mnist --epochs 0", "epochs must be at least 1"),
        ("sample nowhere", "cannot read"),
        ("sample text", "cannot read"),
        ("sample . --count 0", "--count must be from 1 to 10,000"),
        ("sample . --out text", "exists"),
        ("report nowhere", "nowhere"),
        ("bench sd-unet-train --steps 0", "--steps must be at least 1"),
    ],
)
def test_mistakes_are_one_line_and_leave_nothing(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("some text\n")
    assert main(arguments.split()) == 1
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1, error
    assert os.listdir() == ["text"]


def test_a_damaged_run(trained, tmp_path, capsys):
    """Each damage is one line; the folder stays as it is."""
    whole = (trained / "checkpoints/last.safetensors").read_bytes()
    for name, content in (
        ("config.json", b"{"),
        ("config.json", b'{"model": "mnist", "settings": {}}'),
        ("config.json", b'{"model": "sd-unet", "settings": {"steps": "many"}}'),
        ("checkpoints/last.safetensors", b"no tensors"),
        ("checkpoints/last.safetensors", whole[:999]),
    ):
        run = tmp_path / "run"
        subprocess.run(["cp", "-r", str(trained), str(run)], check=True)
        (run / name).write_bytes(content)
        before = {p: p.read_bytes() for p in run.rglob("*") if p.is_file()}
        assert main(["train", "sd-unet", "--resume", str(run)]) == 1
        assert main(["sample", str(run), "--out", str(tmp_path / "x.png")]) == 1
        errors = capsys.readouterr().err
        assert errors.count("\n") == 2, errors
        assert {p: p.read_bytes() for p in run.rglob("*") if p.is_file()} == before
        subprocess.run(["rm", "-r", str(run)], check=True)


WRONG_SETTINGS = {
    "steps": (1e30, 2**31, 0, -1, True, "9", None, 1.5),
    "seed": (2**70, -1, 0.0),
    "learning_rate": (-1, 1e30, "fast"),
    "average": (1.5, -0.1),
    "trace": (1, "yes"),
    "momentum": (0.9,),
}


@pytest.mark.parametrize("name", WRONG_SETTINGS)
def test_wrong_settings_of_a_run_are_refused(name, tmp_path, capsys):
    folder = RunFolder(tmp_path)
    good = {"model": "sd-unet", "settings": asdict(UnetSettings())}
    for value in WRONG_SETTINGS[name]:
        settings = {**good["settings"], name: value}
        folder.write("config.json", json.dumps({**good, "settings": settings}))
        with pytest.raises(FormatError, match=name) as caught:
            folder.read_settings("sd-unet", UnetSettings)
        assert str(tmp_path / "config.json") in caught.value.message, value
    folder.write("config.json", json.dumps(good))
    assert folder.read_settings("sd-unet", UnetSettings) == UnetSettings()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"model": "sd-unet", "settings": {}, "extra": 1}', '"?extra'),
        ('{"model": "sd-unet", "settings": {}, "settings": {}}', "twice"),
        ('{"model": "sd-unet", "settings": {"learning_rate": NaN}}', "NaN"),
        ('{"model": "sd-unet"}', "no settings"),
        ('{"model": "sd-unet", "settings": []}', "no settings"),
        ('{"model": 5, "settings": {}}', "no model"),
        ("[]", "not a JSON object"),
    ],
)
def test_a_wrong_description_of_a_run_is_refused(text, words, tmp_path):
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(FormatError, match=words):
        RunFolder(tmp_path).read_settings("sd-unet", UnetSettings)


def test_pipes_in_a_run_are_not_waited_for(trained, tmp_path, capsys):
    files = [path.relative_to(trained) for path in trained.rglob("*") if path.is_file()]
    runs = [tmp_path / str(number) for number in range(len(files))]
    for run, name in zip(runs, files, strict=True):
        shutil.copytree(trained, run)
        (run / name).unlink()
        os.mkfifo(run / name)
    code = "import sys; from meganeura.cli.main import main\n"
    code += "sys.exit(str([main(['report', run]) for run in sys.argv[1:]]))"
    found = subprocess.run(
        [sys.executable, "-c", code, *map(str, runs)], capture_output=True, text=True, timeout=60
    )
    *errors, codes = found.stderr.splitlines()
    # The page is written, and no pipe is written over.
    assert codes == str([int(name.name in ("config.json", "report.html")) for name in files])
    assert len(errors) == 2
    run = tmp_path / "run"
    shutil.copytree(trained, run)
    for path in (run / "metrics.jsonl", run / "checkpoints" / "last.safetensors"):
        path.unlink()
        os.mkfifo(path)
    assert main(["train", "sd-unet", "--resume", str(run)]) == 1
    assert "last.safetensors: it is not a regular file" in capsys.readouterr().err
    with pytest.raises(FormatError, match=r"metrics.jsonl: it is not a regular file"):
        RunFolder(run).truncate_metrics(1)


def test_lines_that_are_none_are_forgotten(tmp_path):
    run = RunFolder(tmp_path)
    good = [b'{"step": 1, "loss": 2.0}\n', b'{"step": 2, "loss": 1.0}\n']
    bad = [b"[" * 100_000 + b"\n", b'{"step": 1}', b"\xff\n", b"[]\n", b'{"step": 3}\n']
    run.metrics.write_bytes(b"".join([*good, *(line.strip() + b"\n" for line in bad), b'{"step"']))
    run.truncate_metrics(2)
    assert run.metrics.read_bytes() == b"".join([*good, b'{"step": 1}\n'])


def test_bench(capsys):
    assert main(["bench", "sd-unet-train", "--steps", "2", "--device", "cpu"]) == 0
    out = capsys.readouterr().out
    assert "1,326,080 parameters, batch 4" in out and re.search(r"step +[\d.]+ ms", out)


def test_two_runs_never_share_a_folder(tmp_path):
    settings = MnistSettings(epochs=1)
    first, second = (RunFolder.named(tmp_path / "run", "mnist") for _ in range(2))
    MnistJob(settings, first).folder.make(is_new=True)
    with pytest.raises(SessionError, match="another run has just begun"):
        MnistJob(settings, second).start()


def test_a_trace_is_not_lost(tmp_path, capsys):
    run = tmp_path / "run"
    assert train(run, "--steps", "2", "--trace") == 0
    before = (run / "trace.pftrace").read_bytes()
    assert main(["train", "sd-unet", "--resume", str(run)]) == 1
    assert (run / "trace.pftrace").read_bytes() == before


def test_a_reader_that_has_seen_enough(tmp_path):
    run = tmp_path / "run"
    command = f"{sys.executable} -m meganeura train mnist --epochs 1 --out {run} | head -n 1"
    subprocess.run(command, shell=True, check=True, timeout=120)
    assert (run / "report.html").is_file()


@needs_gpu
def test_a_gpu_that_tells_no_times(tmp_path, monkeypatch):
    monkeypatch.setenv("MEGANEURA_PORTABLE", "1")
    run = tmp_path / "run"
    assert main(["train", "mnist", "--device", "gpu", "--epochs", "1", "--out", str(run)]) == 0
    assert (run / "report.html").is_file() and not (run / "kernels.json").exists()


def test_a_mistaken_setting_is_one_line():
    env = {**os.environ, "MEGANEURA_THREADS": "abc"}
    command = [sys.executable, "-m", "meganeura", "devices"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "MEGANEURA_THREADS" in done.stderr


def test_ctrl_c_before_the_first_step(tmp_path, monkeypatch, capsys):
    """While it compiles, say: nothing is lost, and nothing goes wrong."""
    stop = Progress.on_start

    def stopped(*arguments):
        stop(*arguments)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "on_start", stopped)
    run = tmp_path / "run"
    assert train(run, "--steps", "4", "--verify") == 130
    assert "stopped after step 0; go on with" in capsys.readouterr().out
    monkeypatch.undo()
    assert main(["train", "sd-unet", "--resume", str(run)]) == 0
    assert [row["step"] for row in rows(run) if "loss" in row] == [1, 2, 3, 4]
