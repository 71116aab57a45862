"""A step over time: what each thread of a device ran, and where it waited.

In:  a step as a trace records it (trace.py).   Out: the content of an SVG file.
"""

from __future__ import annotations

from ..trace import DeviceStep
from .svg import colours, document, legend, number, text, title
from .ticks import Axis, linear_axis

KINDS = {
    "forward": "convolutions and products",
    "input": "gradients by inputs",
    "weight": "gradients by weights",
    "pack": "packing",
    "update": "optimizer",
    "sums": "sums and norms",
    "other": "elementwise",
}
_KIND_OF = {
    "forward": "conv2d matmul attention",
    "input": "conv2d_grad_input attention_grad",
    "weight": "conv2d_grad_weight",
    "pack": "pack",
    "update": "adam_step",
    "sums": "sum mean max group_norm layer_norm rms_norm softmax log_softmax",
}
_KINDS = {name: kind for kind, names in _KIND_OF.items() for name in names.split()}
_LIGHT = {
    "page": "#ffffff", "ink": "#1f2933", "quiet": "#5f6b7a", "line": "#dde2e8", "wait": "#f1f3f5",
    "forward": "#3b74d8", "input": "#7d52c7", "weight": "#2f9e50", "pack": "#9aa5b1",
    "update": "#d6408f", "sums": "#14899a", "other": "#e0a526",
}  # fmt: skip
_DARK = {
    "page": "#14181d", "ink": "#e4e8ed", "quiet": "#97a3b1", "line": "#2b323a", "wait": "#1d2228",
    "forward": "#5f93ee", "input": "#a283e0", "weight": "#49b86d", "pack": "#6b7682",
    "update": "#e673ae", "sums": "#35aebf", "other": "#d6a136",
}  # fmt: skip
_WIDTH, _LEFT, _RIGHT, _TOP, _ROW, _GAP = 1200.0, 84.0, 24.0, 84.0, 44.0, 10.0


def kind_of(label: str) -> str:
    """Which of `KINDS` a dispatch is, by its label."""
    return _KINDS.get(label.partition("[")[0].partition("+")[0], "other")


def draw_timeline(step: DeviceStep) -> str:
    """One row for each thread, a bar for each dispatch that it had a part of."""
    began, ended = int(step.times[:, :, 0].min()), int(step.times[:, :, 1].max())
    axis = linear_axis(0.0, max(ended - began, 1) / 1e6, count=10)
    height = _TOP + len(step.times) * (_ROW + _GAP) + 40
    parts = [text(_LEFT, 30, f"One step on {step.device}", "head", "start"), _caption(step)]
    swatches, _ = legend(list(KINDS.items()), _LEFT, 72)
    parts += [swatches, *_axis(axis, height)]
    for thread in range(len(step.times)):
        parts += _row(step, thread, began, axis)
    label = f"a step of {len(step.works)} dispatches over time"
    return document(_WIDTH, height, _style(), parts, label)


def _style() -> str:
    bars = "".join(f".{kind}{{fill:var(--{kind})}}" for kind in KINDS)
    return (
        f"{colours(_LIGHT, _DARK)}.page{{fill:var(--page)}}.wait{{fill:var(--wait)}}"
        ".head{font-size:18px;font-weight:600;fill:var(--ink)}"
        ".quiet{font-size:12px;fill:var(--quiet)}"
        f".line{{stroke:var(--line)}}{bars}"
    )


def _caption(step: DeviceStep) -> str:
    whole = int(step.times[:, :, 1].max() - step.times[:, :, 0].min())
    busy = int((step.times[:, :, 1] - step.times[:, :, 0]).sum()) / (whole * len(step.times))
    words = f"{len(step.works)} dispatches in {whole / 1e6:.2f} ms"
    if len(step.times) > 1:
        words += f"; threads wait for each other {1 - busy:.1%} of the time"
    return text(_LEFT, 50, words, "quiet", "start")


def _x(axis: Axis, ms: float) -> float:
    return _LEFT + axis.place(ms) * (_WIDTH - _LEFT - _RIGHT)


def _axis(axis: Axis, height: float) -> list[str]:
    bottom, parts = height - 34, []
    for tick, label in zip(axis.ticks, axis.labels, strict=True):
        x = number(_x(axis, tick))
        ends = f'x1="{x}" x2="{x}" y1="{_TOP:g}" y2="{bottom:g}"'
        parts.append(f'<line class="line" {ends}/>')
        parts.append(text(_x(axis, tick), bottom + 18, f"{label} ms", "quiet"))
    return parts


def _row(step: DeviceStep, thread: int, began: int, axis: Axis) -> list[str]:
    y = _TOP + thread * (_ROW + _GAP)
    end = _x(axis, (int(step.times[:, :, 1].max()) - began) / 1e6)
    place = f'x="{_LEFT:g}" y="{y:g}" width="{number(end - _LEFT)}" height="{_ROW:g}"'
    parts = [
        text(_LEFT - 10, y + _ROW / 2 + 4, f"thread {thread}", "quiet", "end"),
        f'<rect class="wait" {place}/>',
    ]
    for work, (start, stop, tasks) in zip(step.works, step.times[thread].tolist(), strict=True):
        if tasks:
            left, right = _x(axis, (start - began) / 1e6), _x(axis, (stop - began) / 1e6)
            place = f'x="{number(left)}" y="{y:g}" width="{number(right - left)}"'
            told = f"{work.label}\n{(stop - start) / 1e3:.1f} µs, {tasks} tasks"
            parts.append(
                f'<rect class="{kind_of(work.label)}" {place} height="{_ROW:g}">'
                f"{title(told)}</rect>"
            )
    return parts
