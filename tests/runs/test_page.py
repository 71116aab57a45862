"""The page of a run: complete, alone, and not to be broken by what lies in the folder."""

from __future__ import annotations

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from meganeura import Graph
from meganeura.errors import FormatError
from meganeura.models import mnist
from meganeura.picture import draw_graph, loss_curve, sample_grid
from meganeura.runs.page import build_page, write_page
from meganeura.runs.page_reading import MOST_SAMPLES, read_record

CONFIG = {
    "model": "sd-unet",
    "device": "cpu (cpu): a processor",
    "parameters": 1323200,
    "started": "2026-11-18T03:00:00",
    "settings": {"learning_rate": 0.002, "data": None, "device": "auto", "trace": True},
    "version": "0.1.0",
}
KERNELS = [
    {"label": "conv2d[4, 32, 32, 32]", "runs": 3, "time_ns": 3_000_000, "bytes": 6e6, "flops": 9e6},
    {"label": "add[64]", "runs": 1, "time_ns": 1_000_000, "bytes": 2e6, "flops": 0},
]
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def line(step: int, **more: object) -> str:
    row = {"step": step, "epoch": 0, "loss": 1 / step, "learning_rate": 0.1, "seconds": 2.0 * step}
    return json.dumps({**row, **more}) + "\n"


def grid() -> bytes:
    return sample_grid(np.random.default_rng(0).normal(size=(4, 1, 8, 8)))


def picture() -> str:
    graph = Graph()
    graph.set_outputs([mnist.build_training_graph(graph, mnist.MnistConfig())])
    return draw_graph(graph)


@pytest.fixture
def run(tmp_path) -> Path:
    """A complete run."""
    folder = tmp_path / "first run"
    (folder / "samples").mkdir(parents=True)
    (folder / "checkpoints").mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    lines = [line(step) for step in range(1, 101)]
    lines.insert(50, json.dumps({"step": 50, "validation": {"accuracy": 0.5, "loss": 0.4}}) + "\n")
    lines.append(json.dumps({"step": 100, "validation": {"accuracy": 0.95, "loss": 0.2}}) + "\n")
    (folder / "metrics.jsonl").write_text("".join(lines))
    (folder / "loss.png").write_bytes(loss_curve([1, 2], [3, 4]))
    for step in (50, 100):
        (folder / f"samples/step-{step:06}.png").write_bytes(grid())
    (folder / "checkpoints/last.safetensors").write_bytes(bytes(5_300_000))
    (folder / "checkpoints/best.safetensors").write_bytes(bytes(100))
    (folder / "optimize.txt").write_text("nodes 5 < 9\n")
    (folder / "kernels.json").write_text(json.dumps(KERNELS))
    (folder / "graph.svg").write_text(picture())
    (folder / "memory.svg").write_text(picture())
    (folder / "trace.pftrace").write_bytes(bytes(10))
    return folder


class Page(HTMLParser):
    """What a browser would see: the text, the attributes, and whether tags are in order."""

    VOID = {"meta", "link", "img", "br"}

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def check_alone(html: str) -> Page:
    """A page that loads nothing, and has no script but its own."""
    page = Page(html)
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name)
        if name in ("src", "srcset", "data", "action", "poster", "background"):
            assert value.startswith("data:image/"), (tag, name, value[:40])
        if name in ("href", "xlink:href"):
            assert value.startswith(("#", "data:,")), value[:40]
        assert name == "src" or "://" not in value, (tag, name, value[:60])
    assert html.count("<script") == 1 and "@import" not in html and "url(" not in html
    assert "Content-Security-Policy" in html and "default-src 'none'" in html
    return page


def test_a_complete_run_is_shown_on_a_page_of_its_own(run):
    page = check_alone(build_page(run))
    for words in [
        "sd-unet", "first run", "2026-11-18 03:00:00", "a processor", "0.0100", "at step 100",
        "1,323,200", "3 min 20 s", "0.500 steps/s", "validation accuracy 0.9500", "learning_rate",
        "0.002", "conv2d[4, 32, 32, 32]", "3,000.0", "75.0%", "nodes 5 < 9", "ui.perfetto.dev",
        "meganeura train sd-unet --resume '", "last.safetensors (5.3 MB)", "step 50",
    ]:  # fmt: skip
        assert words in page.text, words
    assert "Not everything" not in page.text
    images = [value for tag, name, value in page.attributes if tag == "img" and name == "src"]
    assert [value.split(";")[0].split("/")[1] for value in images] == ["png"] * 2 + ["svg+xml"] * 2
    assert base64.b64decode(images[0].partition(",")[2]) == grid()


def test_the_page_is_written_whole(run):
    before = set(run.iterdir())
    path = write_page(run)
    assert path == run / "report.html" and set(run.iterdir()) - before == {path}
    assert path.read_text(encoding="utf-8") == build_page(run)
    assert write_page(str(run)) == path


def test_a_run_that_has_only_begun_is_shown(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model": "mnist"}))
    page = check_alone(build_page(tmp_path))
    for words in ["no losses yet", "no samples", "not timed", "no graph.svg", "not traced"]:
        assert words in page.text
    assert "Not everything" not in page.text and "--resume" not in page.text


def test_a_loss_picture_stands_in_for_missing_numbers(run):
    (run / "metrics.jsonl").unlink()
    page = check_alone(build_page(run))
    assert ("img", "alt", "loss by step") in page.attributes


@pytest.mark.parametrize(
    "content", [None, b"", b"{", b"[1]", b'{"model": "x"', b"\xff\xfe", b"[" * 100_000]
)
def test_without_a_good_config_there_is_no_page(run, content):
    (run / "config.json").unlink()
    if content is not None:
        (run / "config.json").write_bytes(content)
    with pytest.raises(FormatError, match=r"config\.json"):
        build_page(run)
    with pytest.raises(FormatError):
        write_page(run)
    assert not (run / "report.html").exists()


def test_a_folder_that_is_not_there_has_no_page(tmp_path):
    with pytest.raises(FormatError, match="no run in"):
        build_page(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"model": None, "settings": None, "parameters": None},
        {"model": ["x"], "settings": [1, 2], "parameters": "many", "started": 5, "device": {}},
        {"settings": {"deep": {"a": [1, {"b": None}]}, "": ""}},
    ],
)
def test_odd_configs_are_shown_as_they_are(run, config):
    (run / "config.json").write_text(json.dumps(config))
    check_alone(build_page(run))


@pytest.mark.parametrize(
    "bad",
    [
        '{"step": 101, "ep',
        "\x00\x00\x00",
        "[]",
        "7",
        '{"loss": 1}',
        '{"step": "101", "loss": 1}',
        '{"step": 101, "loss": "low"}',
        '{"step": 1e3, "loss": 1}',
        '{"step": -5, "loss": 1}',
        '{"step": 101, "validation": 5}',
        '{"step": 101, "validation": {"a": "b"}}',
        "[" * 50_000,
        '{"step": 1' + "0" * 5000 + ', "loss": 1}',
    ],
)
def test_bad_lines_are_passed_over_and_told(run, bad):
    path = run / "metrics.jsonl"
    path.write_text(path.read_text() + bad)
    page = check_alone(build_page(run))
    assert "metrics.jsonl: line 103 cannot be read" in page.text
    assert "0.0100" in page.text, "the good lines are used"


def test_bytes_that_are_no_text_are_passed_over(run):
    path = run / "metrics.jsonl"
    path.write_bytes(b"\xff\xfe\n" * 9 + path.read_bytes())
    assert "metrics.jsonl: lines 1, 2, 3, 4, 5, … cannot be read" in Page(build_page(run)).text


def test_losses_that_are_not_numbers_leave_gaps(run):
    with (run / "metrics.jsonl").open("a") as file:
        file.write(line(101, loss=float("nan")) + line(102, loss=None) + line(103, loss=1e999))
    page = check_alone(build_page(run))
    assert "3 losses are not finite" in page.text and "Not everything" not in page.text
    assert "nan" not in page.text.lower().replace("nan ", "")


def test_steps_that_were_done_anew_count_once(run):
    with (run / "metrics.jsonl").open("a") as file:
        file.write(line(81, loss=0.7) + line(82, loss=0.6))
        file.write(json.dumps({"step": 82, "validation": {"accuracy": 0.6}}) + "\n")
    record = read_record(run)
    assert [loss.step for loss in record.losses] == [*range(1, 83)]
    assert record.losses[-1].loss == 0.6
    assert record.validations["accuracy"] == [(50, 0.5), (82, 0.6)]


def test_speed_is_that_of_steps_whose_times_are_known(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    times = [(1, 9.0), (2, 9.0), (3, 10.0), (4, 10.0), (5, 11.0), (6, 11.0)]
    lines = [line(step, seconds=seconds) for step, seconds in times]
    (tmp_path / "metrics.jsonl").write_text("".join(lines))
    record = read_record(tmp_path)
    assert record.total_seconds() == 11.0 and record.steps_per_second() == 2.0
    (tmp_path / "metrics.jsonl").write_text(line(4, seconds=2.0))
    assert read_record(tmp_path).steps_per_second() == 2.0
    (tmp_path / "metrics.jsonl").write_text(line(4, seconds=None))
    assert read_record(tmp_path).steps_per_second() is None
    check_alone(build_page(tmp_path))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("samples/step-000100.png", b"\x89PNG\r\n\x1a\n"),
        ("samples/step-000100.png", b""),
        ("graph.svg", b"<svg"),
        ("graph.svg", b"<html></html>"),
        ("memory.svg", b"\xff\xfe"),
        ("kernels.json", b"[{"),
        ("kernels.json", b'{"label": 1}'),
        ("kernels.json", b'[{"label": "x", "runs": 1, "time_ns": null, "bytes": 1, "flops": 1}]'),
        ("kernels.json", b'[{"label": "x", "runs": 1, "time_ns": -1, "bytes": 1, "flops": 1}]'),
    ],
)
def test_damaged_files_are_left_out_and_told(run, name, content):
    (run / name).write_bytes(content)
    page = check_alone(build_page(run))
    assert f"{name} is damaged" in page.text


def test_files_that_cannot_be_read_are_told(run):
    for name in ("metrics.jsonl", "optimize.txt", "kernels.json"):
        (run / name).unlink()
        (run / name).mkdir()
    page = check_alone(build_page(run))
    assert page.text.count("cannot read") == 3


def test_the_latest_good_sample_is_the_large_one(run):
    whole = grid()
    (run / "samples/step-000150.png").write_bytes(whole[: len(whole) // 2])
    record = read_record(run)
    assert [sample.step for sample in record.samples] == [50, 100]
    assert record.skipped == ["samples/step-000150.png is damaged, and not shown"]


def test_many_samples_are_shown_from_all_over_the_run(run):
    content = grid()
    for step in range(1000):
        (run / f"samples/step-{step:06}.png").write_bytes(content)
    (run / "samples/step-x.png").write_bytes(content)
    steps = [sample.step for sample in read_record(run).samples]
    assert len(steps) == MOST_SAMPLES and steps[0] == 0 and steps[-1] == 999
    assert np.diff(steps).max() < 60


def test_everything_is_escaped(tmp_path):
    folder = tmp_path / "<b>&'\"run"
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "checkpoints/last.safetensors").write_bytes(b"")
    config = {name: EVIL for name in ("model", "device", "started", "version")}
    settings = {EVIL: EVIL, "list": [EVIL]}
    (folder / "config.json").write_text(json.dumps({**config, "settings": settings}))
    (folder / "optimize.txt").write_text(EVIL)
    rows = [{**KERNELS[0], "label": EVIL}]
    (folder / "kernels.json").write_text(json.dumps(rows))
    (folder / "metrics.jsonl").write_text(
        line(1) + json.dumps({"step": 1, "validation": {EVIL: 0.5}}) + "\n"
    )
    (folder / "graph.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(3)</script></svg>'
    )
    html = build_page(folder)
    page = check_alone(html)
    assert "alert(3)" not in html, "a picture's script is inside of a picture"
    assert page.text.count("</script><script>alert(1)</script>") >= 8


def test_the_only_script_is_the_one_the_page_allows(run):
    html = build_page(run)
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.S)
    assert script.isascii() and "http" not in script
    assert re.search(r"script-src 'sha256-[\w+/]{43}='", html)


def test_what_links_out_of_the_folder_is_not_shown(tmp_path):
    (tmp_path / "secret").write_text("do not tell")
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "config.json").write_text('{"model": "mnist"}')
    (folder / "optimize.txt").symlink_to(tmp_path / "secret")
    record = read_record(folder)
    assert record.optimize is None
    assert any("outside of" in words for words in record.skipped)
