"""What a run's folder holds, read for its page.

Only ``config.json`` must be there. Everything else may be missing, cut off or damaged: what is good
is used, and `Record.skipped` says what is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite, nan
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ..errors import FormatError
from ..load.files import as_path, inside, parse_json, read_file
from ..picture.png import png_size

MOST_SAMPLES = 25
"""Pictures that the page shows; of more, some from the whole run."""
_SVG = "{http://www.w3.org/2000/svg}svg"


@dataclass(frozen=True)
class Loss:
    """A line of ``metrics.jsonl`` with a loss."""

    step: int
    loss: float
    seconds: float
    learning_rate: float


@dataclass(frozen=True)
class Sample:
    """A picture, and after which step it was drawn."""

    step: int
    content: bytes
    width: int
    height: int


@dataclass(frozen=True)
class Kernel:
    """All runs of a kernel in one step."""

    label: str
    runs: int
    time_ns: float
    bytes: float
    flops: float


@dataclass
class Record:
    """A run, as far as its folder tells."""

    folder: Path
    config: dict[str, Any]
    losses: list[Loss] = field(default_factory=list)
    validations: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    loss_png: bytes | None = None
    optimize: str | None = None
    graph: bytes | None = None
    timeline: bytes | None = None
    memory: bytes | None = None
    checkpoints: dict[str, int] = field(default_factory=dict)
    """Bytes by name."""
    trace_bytes: int | None = None
    skipped: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        """An entry of the config, as text; a dash if there is none."""
        return as_text(self.config.get(name))

    def total_seconds(self) -> float | None:
        """How long the run trained."""
        return max((loss.seconds for loss in self.losses if isfinite(loss.seconds)), default=None)

    def steps_per_second(self) -> float | None:
        """How fast it was, without the time until the first losses were read: that is mostly
        compilation."""
        timed = [loss for loss in self.losses if isfinite(loss.seconds)]
        if not timed:
            return None
        last = timed[-1]
        started = max(loss.step for loss in timed if loss.seconds <= timed[0].seconds)
        if last.seconds > timed[0].seconds:
            return (last.step - started) / (last.seconds - timed[0].seconds)
        return last.step / last.seconds if last.seconds > 0 else None


def as_text(value: Any) -> str:
    """A value of a JSON file, for a reader."""
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_record(folder: Path | str) -> Record:
    """Read the folder of a run."""
    path = as_path(folder)
    record = Record(path, _read_config(path))
    _read_metrics(record)
    _read_samples(record)
    _read_kernels(record)
    record.loss_png = _content(record, "loss.png", lambda content: png_size(content) is not None)
    record.graph = _content(record, "graph.svg", _is_svg)
    record.timeline = _content(record, "timeline.svg", _is_svg)
    record.memory = _content(record, "memory.svg", _is_svg)
    optimize = _content(record, "optimize.txt")
    record.optimize = None if optimize is None else optimize.decode("utf-8", "replace")
    for file in ("last.safetensors", "best.safetensors"):
        size = _size(path / "checkpoints" / file)
        if size is not None:
            record.checkpoints[file] = size
    record.trace_bytes = _size(path / "trace.pftrace")
    return record


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        raise FormatError(
            f"there is no run in {folder}: config.json is missing",
            hint="name the folder that meganeura train has made",
        )
    try:
        found = parse_json(read_file(path))
    except ValueError as error:
        raise FormatError(f"{path} is damaged: {error}") from None
    if not isinstance(found, dict):
        raise FormatError(f"{path} is damaged: it is not an object with names")
    return found


def _content(
    record: Record, name: str, is_good: Callable[[bytes], bool] | None = None
) -> bytes | None:
    """The bytes of a file, if it is there and good."""
    path = record.folder / name
    if not path.exists():
        return None
    try:
        content = read_file(inside(record.folder, path))
    except FormatError as error:
        record.skipped.append(error.message)
        return None
    if is_good is not None and not is_good(content):
        record.skipped.append(f"{name} is damaged, and not shown")
        return None
    return content


def _is_svg(content: bytes) -> bool:
    try:
        return ElementTree.fromstring(content).tag == _SVG
    except (ElementTree.ParseError, ValueError, LookupError):
        return False


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size if path.is_file() else None
    except OSError:
        return None


def _read_metrics(record: Record) -> None:
    """Losses and validations. Lines behind a step that comes again are of a part of the run that
    was done anew."""
    content = _content(record, "metrics.jsonl")
    bad = []
    for line_number, line in enumerate((content or b"").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            _take(record, parse_json(line))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
            bad.append(line_number)
    if bad:
        lines = "line" if len(bad) == 1 else "lines"
        shown = ", ".join(map(str, bad[:5])) + (", …" if len(bad) > 5 else "")
        record.skipped.append(f"metrics.jsonl: {lines} {shown} cannot be read")


def _take(record: Record, row: dict[str, Any]) -> None:
    step = row["step"]
    if type(step) is not int or not 0 <= step < 2**53:
        raise ValueError("a step is a whole number")
    if "loss" in row:
        seconds, rate = _number(row.get("seconds")), _number(row.get("learning_rate"))
        found = Loss(step, _number(row["loss"]), seconds, rate)
        while record.losses and record.losses[-1].step >= step:
            record.losses.pop()
        record.losses.append(found)
    values = {name: _number(value) for name, value in row.get("validation", {}).items()}
    for name, value in values.items():
        points = record.validations.setdefault(name, [])
        while points and points[-1][0] >= step:
            points.pop()
        points.append((step, value))


def _number(value: Any) -> float:
    """A number; what JSON cannot say is written as null."""
    if value is None:
        return nan
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError("not a number")
    return float(value)


def _read_samples(record: Record) -> None:
    """The latest picture, and earlier ones from all over the run."""
    found: list[tuple[int, Path]] = []
    try:
        for path in (record.folder / "samples").glob("step-*.png"):
            if match := re.fullmatch(r"step-(\d{1,15})\.png", path.name):
                found.append((int(match[1]), path))
    except OSError as error:
        record.skipped.append(f"samples: {error.strerror}")
    found.sort()
    while found and not record.samples:  # the latest may be half written
        _take_sample(record, *found.pop())
    rest = min(len(found), MOST_SAMPLES - 1)
    for i in range(rest):
        _take_sample(record, *found[i * len(found) // rest])
    record.samples.sort(key=lambda sample: sample.step)


def _take_sample(record: Record, step: int, path: Path) -> None:
    name = f"samples/{path.name}"
    content = _content(record, name)
    if content is None:
        return
    size = png_size(content)
    if size is None:
        record.skipped.append(f"{name} is damaged, and not shown")
    else:
        record.samples.append(Sample(step, content, *size))


def _read_kernels(record: Record) -> None:
    content = _content(record, "kernels.json")
    if content is None:
        return
    try:
        for row in parse_json(content):
            numbers = [_number(row[name]) for name in ("time_ns", "bytes", "flops")]
            if not all(0 <= value < 1e18 for value in numbers):
                raise ValueError("numbers of a kernel are finite")
            record.kernels.append(Kernel(str(row["label"]), int(row["runs"]), *numbers))
    except (ValueError, TypeError, KeyError, OverflowError):
        record.skipped.append("kernels.json is damaged, and used as far as it is good")
