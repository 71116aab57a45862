"""The page of a run: one HTML file that shows its folder, and needs nothing else.

Pictures are part of the file. It forbids itself to load anything or to run any script but its own,
whatever names and texts of the folder may contain.
"""

from __future__ import annotations

import base64
import hashlib
import shlex
from collections.abc import Callable, Iterable
from math import isfinite, isnan
from pathlib import Path
from typing import Any

from ..load.files import write_atomically
from ..picture.plot import draw_lines, draw_losses
from ..picture.series import Series
from ..picture.svg import escape
from ..picture.ticks import bytes_label, short
from .page_reading import Kernel, Loss, Record, Sample, as_text, read_record
from .page_style import SCRIPT, STYLE

PAGE = "report.html"
MOST_KERNELS = 400
"""Rows of the table of kernels."""


def build_page(folder: Path | str) -> str:
    """The page of the run in a folder, as HTML."""
    record = read_record(folder)
    sections: tuple[Callable[[Record], str], ...] = (
        _skipped,
        _losses,
        _samples,
        _settings,
        _timeline,
        _kernels,
        _optimize,
        _graph,
        _memory,
        _trace,
        _resume,
    )
    body = "\n".join(section(record) for section in sections)
    title = escape(f"{record.text('model')} · {record.folder.resolve().name}")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{title}</title>\n<style>{STYLE}</style>\n'
        f"</head>\n<body>\n<main>\n{_header(record)}\n{body}\n</main>\n"
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def write_page(folder: Path | str) -> Path:
    """Write the page into the folder, whole or not at all, and tell where it is."""
    path = Path(folder) / PAGE
    write_atomically(path, build_page(folder).encode("utf-8"))
    return path


def _policy() -> str:
    """What the page may load: pictures that are in it, its styles, and this one script."""
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    return (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; form-action 'none'; base-uri 'none'"
    )


def _section(title: str, content: str, kind: str = "") -> str:
    attribute = f' class="{kind}"' if kind else ""
    return f"<section{attribute}><h2>{escape(title)}</h2>{content}</section>"


def _missing(title: str, words: str) -> str:
    return _section(title, f'<p class="quiet">{escape(words)}</p>')


def _image(content: bytes, kind: str, label: str, attributes: str = "") -> str:
    data = base64.b64encode(content).decode()
    return f'<img {attributes} alt="{escape(label)}" src="data:image/{kind};base64,{data}">'


def _header(record: Record) -> str:
    started = record.text("started").replace("T", " ")
    about = f"started {started} · Meganeura {record.text('version')} · {record.text('device')}"
    numbers = "".join(
        f"<div><span>{escape(name)}</span><b>{escape(value)}</b><span>{escape(more)}</span></div>"
        for name, value, more in _key_numbers(record)
    )
    folder = f'<small class="quiet">{escape(record.folder.resolve().name)}</small>'
    return (
        f"<header><h1>{escape(record.text('model'))} {folder}</h1>"
        f'<p class="quiet">{escape(about)}</p></header>'
        f'<div class="numbers">{numbers}</div>'
    )


def _key_numbers(record: Record) -> Iterable[tuple[str, str, str]]:
    """Name, number, and a remark."""
    losses = record.losses
    if losses:
        best = min((loss for loss in losses if isfinite(loss.loss)), key=_by_loss, default=None)
        yield "final loss", short(losses[-1].loss) if not isnan(losses[-1].loss) else "NaN", ""
        if best is not None:
            yield "lowest loss", short(best.loss), f"at step {best.step:,}"
        yield "steps", f"{losses[-1].step:,}", ""
    for name, points in record.validations.items():
        yield f"validation {name}", short(points[-1][1]), f"at step {points[-1][0]:,}"
    seconds, speed = record.total_seconds(), record.steps_per_second()
    if seconds is not None:
        yield "time", _duration(seconds), "" if speed is None else f"{short(speed, 3)} steps/s"
    parameters = record.config.get("parameters")
    if isinstance(parameters, int):
        yield "parameters", f"{parameters:,}", ""


def _by_loss(loss: Loss) -> float:
    return loss.loss


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min"


def _skipped(record: Record) -> str:
    if not record.skipped:
        return ""
    rows = "".join(f"<li>{escape(line)}</li>" for line in record.skipped)
    return _section("Not everything could be read", f"<ul>{rows}</ul>", "note")


def _losses(record: Record) -> str:
    if not record.losses:
        if record.loss_png is not None:
            return _section("Loss", _image(record.loss_png, "png", "loss by step"))
        return _missing("Loss", "There are no losses yet.")
    steps = [loss.step for loss in record.losses]
    losses = [loss.loss for loss in record.losses]
    validation = record.validations.get("loss")
    held_out = None
    if validation:
        held_out = ([step for step, _ in validation], [value for _, value in validation])
    chart = f'<div class="chart">{draw_losses(steps, losses, held_out)}</div>'
    others = [
        _small_chart(name, points) for name, points in record.validations.items() if name != "loss"
    ]
    rates = [(loss.step, loss.learning_rate) for loss in record.losses]
    if len({rate for _, rate in rates if not isnan(rate)}) > 1:
        others.append(_small_chart("learning rate", rates))
    rest = f'<div class="charts">{"".join(others)}</div>' if others else ""
    lost = sum(not isfinite(value) for value in losses)
    note = f'<p class="quiet small">{lost:,} losses are not finite.</p>' if lost else ""
    return _section("Loss", chart + rest + note)


def _small_chart(name: str, points: list[tuple[int, float]]) -> str:
    series = Series(name, [step for step, _ in points], [value for _, value in points])
    return f'<div class="chart">{draw_lines([series], "step", "", size=(480, 240))}</div>'


def _samples(record: Record) -> str:
    if not record.samples:
        return _missing("Samples", "This run has drawn no samples.")
    *earlier, latest = record.samples
    size = f'class="latest" width="{latest.width}" height="{latest.height}"'
    label = f"samples after step {latest.step:,}"
    large = f"<figure>{_image(latest.content, 'png', label, size)}"
    large += f"<figcaption>step {latest.step:,}</figcaption></figure>"
    strip = "".join(map(_earlier, earlier))
    return _section("Samples", large + (f'<div class="strip">{strip}</div>' if strip else ""))


def _earlier(sample: Sample) -> str:
    image = _image(sample.content, "png", f"samples after step {sample.step:,}")
    return f"<figure>{image}<figcaption>step {sample.step:,}</figcaption></figure>"


def _settings(record: Record) -> str:
    settings: Any = record.config.get("settings")
    if not isinstance(settings, dict) or not settings:
        return _missing("Settings", "The run does not say what it was started with.")
    rows = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(as_text(value))}</dd></div>"
        for name, value in settings.items()
    )
    return _section("Settings", f'<dl class="settings">{rows}</dl>')


_COLUMNS = ("runs", "µs", "share", "MB", "GB/s", "GFLOP/s")


def _kernels(record: Record) -> str:
    if not record.kernels:
        return _missing("Kernels of one step", "Kernels were not timed.")
    total = sum(kernel.time_ns for kernel in record.kernels) or 1.0
    heads = "".join(f'<th class="n">{name}</th>' for name in _COLUMNS)
    shown = sorted(record.kernels, key=lambda kernel: -kernel.time_ns)
    longest = shown[0].time_ns or 1.0
    rows = "".join(_kernel(kernel, total, longest) for kernel in shown[:MOST_KERNELS])
    runs = sum(kernel.runs for kernel in record.kernels)
    words = f"{runs:,} runs of {len(shown):,} kinds, {total / 1e6:,.2f} ms one after another."
    if len(shown) > MOST_KERNELS:
        words += f" Those that take longest are shown: {MOST_KERNELS}."
    table = (
        f'<table class="sortable"><thead><tr><th>kernel</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
    return _section(
        "Kernels of one step",
        f'<p class="quiet small">{words}</p><div class="scroll">{table}</div>',
    )


def _kernel(kernel: Kernel, total: float, longest: float) -> str:
    share = kernel.time_ns / total
    time = max(kernel.time_ns, 1e-9)
    bar = f'<i><i style="width:{kernel.time_ns / longest:.1%}"></i></i>'
    cells = (
        (kernel.runs, f"{kernel.runs:,}"),
        (kernel.time_ns, f"{kernel.time_ns / 1e3:,.1f}"),
        (share, f'<span class="share">{bar}{share:.1%}</span>'),
        (kernel.bytes, f"{kernel.bytes / 1e6:,.2f}"),
        (kernel.bytes / time, f"{kernel.bytes / time:,.1f}"),
        (kernel.flops / time, f"{kernel.flops / time:,.1f}"),
    )
    numbers = "".join(f'<td class="n" data-v="{value!r}">{shown}</td>' for value, shown in cells)
    label = escape(kernel.label)
    return f'<tr><td data-v="{label}"><code>{label}</code></td>{numbers}</tr>'


def _optimize(record: Record) -> str:
    if record.optimize is None:
        return _missing("Optimization", "There is no report of what optimization did.")
    return _section("Optimization", f"<pre>{escape(record.optimize)}</pre>")


def _graph(record: Record) -> str:
    return _picture("Graph", record.graph, "graph.svg", "natural")


def _timeline(record: Record) -> str:
    return _picture("One step over time", record.timeline, "timeline.svg", "")


def _memory(record: Record) -> str:
    return _picture("Memory over one step", record.memory, "memory.svg", "")


def _picture(title: str, content: bytes | None, name: str, kind: str) -> str:
    """A picture that scrolls, and can fill the window. As an image, it can run no script."""
    if content is None:
        return _missing(title, f"There is no {name}.")
    bar = f'<div class="bar"><h2>{escape(title)}</h2><button type="button">Enlarge</button></div>'
    image = _image(content, "svg+xml", title)
    words = f"Opened by itself, {name} tells more of what the mouse is on."
    return (
        f'<section class="picture {kind}">{bar}<div class="scroll" tabindex="0">{image}</div>'
        f'<p class="quiet small">{words}</p></section>'
    )


def _trace(record: Record) -> str:
    if record.trace_bytes is None:
        return _missing("Trace", "The run was not traced. To trace one, train with --trace.")
    words = (
        f"trace.pftrace ({bytes_label(record.trace_bytes)}) shows what ran when. Open "
        "ui.perfetto.dev in a browser and drop the file onto it: it is read there, not sent away."
    )
    return _section("Trace", f"<p>{escape(words)}</p>")


def _resume(record: Record) -> str:
    if "last.safetensors" not in record.checkpoints:
        return _missing("Go on", "There is no checkpoint to go on from.")
    model = shlex.quote(record.text("model"))
    folder = shlex.quote(str(record.folder))
    kept = ", ".join(f"{name} ({bytes_label(size)})" for name, size in record.checkpoints.items())
    return _section(
        "Go on",
        f'<pre class="command">meganeura train {escape(model)} --resume {escape(folder)}</pre>'
        f'<p class="quiet small">Checkpoints: {escape(kept)}.</p>',
    )
