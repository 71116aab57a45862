"""Line charts as SVG, to stand in a page: what lies under the mouse is written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from .series import Numbers, Series, axes, loss_series, runs, thinned
from .svg import escape, number, text, text_width
from .ticks import Axis, short

_LEFT, _TOP, _RIGHT, _BOTTOM = 64.0, 34.0, 16.0, 44.0
_STOPS = 160
"""Places at which the mouse is told numbers."""
_COLOURS = 6

STYLE = (
    ".plot{display:block;width:100%;height:auto}"
    ".plot{--c0:#2563eb;--c1:#e8590c;--c2:#2b8a3e;--c3:#9c36b5;--c4:#c2255c;--c5:#0b7285;"
    "--plot-ink:#1f2933;--plot-quiet:#5f6b7a;--plot-grid:#e6eaf0;--plot-page:#ffffff}"
    "@media (prefers-color-scheme:dark){.plot{--c0:#6f9bff;--c1:#ff9248;--c2:#51cf66;--c3:#da77f2;"
    "--c4:#f06595;--c5:#3bc9db;--plot-ink:#e4e8ed;--plot-quiet:#97a3b1;--plot-grid:#2a313a;"
    "--plot-page:#1a1f25}}"
    ".plot text{font-size:12px;fill:var(--plot-quiet)}.plot .tip text{fill:var(--plot-ink)}"
    ".plot .grid{stroke:var(--plot-grid);fill:none}"
    ".plot .line{fill:none;stroke-width:2.2;stroke-linejoin:round}"
    ".plot .faint{fill:none;stroke-width:1;opacity:.35;stroke-linejoin:round}"
    ".plot .dot{stroke:var(--plot-page);stroke-width:1.5}"
    ".plot .tip{opacity:0;pointer-events:none}.plot .stop:hover .tip{opacity:1}"
    ".plot .stop rect{fill:transparent}.plot .cross{stroke:var(--plot-quiet);stroke-dasharray:3 3}"
)
"""What a page must have in its style sheet for its charts."""


def draw_lines(
    series: Sequence[Series],
    x_label: str,
    y_label: str,
    log: bool = False,
    size: tuple[int, int] = (960, 360),
) -> str:
    """Some series as an ``<svg>`` element for a page that has `STYLE` in its style sheet."""
    points = [one.points() for one in series]
    head = f'<svg class="plot" viewBox="0 0 {size[0]} {size[1]}" role="img"'
    label = f'aria-label="{escape(f"{y_label} by {x_label}")}"'
    found = axes(points, log, (max(2, size[0] // 120), max(2, size[1] // 70)))
    if found is None:
        nothing = text(size[0] / 2, size[1] / 2, "nothing to show", "quiet")
        return f"{head} {label}>{nothing}</svg>"
    frame = _Frame(found[0], found[1], *size)
    colours = _coloured(series)
    parts = [*frame.grid(x_label, y_label)]
    for one, colour, (x, y) in zip(series, colours, points, strict=True):
        shown = np.where(y > 0, y, np.nan) if log else y
        parts += _drawn(frame, one.style, colour, *thinned(x, shown, 2 * size[0]))
    parts += _legend(frame, series, colours)
    parts += _stops(frame, series, points, x_label)
    return f"{head} {label}>{''.join(parts)}</svg>"


def draw_losses(
    steps: ArrayLike, losses: ArrayLike, validation: tuple[ArrayLike, ArrayLike] | None = None
) -> str:
    """The losses of a run, their moving average, and dots for ``validation`` (steps and losses)."""
    series, log = loss_series(steps, losses, validation)
    return draw_lines(series, "step", "loss", log)


@dataclass(frozen=True)
class _Frame:
    """The part of the picture in which data lies."""

    horizontal: Axis
    vertical: Axis
    width: float
    height: float

    def x(self, value: float) -> float:
        """Where a number lies across."""
        return _LEFT + self.horizontal.place(value) * (self.width - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        """Where a number lies upwards."""
        bottom = self.height - _BOTTOM
        return bottom - self.vertical.place(value) * (bottom - _TOP)

    def grid(self, x_label: str, y_label: str) -> list[str]:
        """Lines, numbers and names of both axes."""
        right, bottom = self.width - _RIGHT, self.height - _BOTTOM
        parts = []
        for tick, label in zip(self.vertical.ticks, self.vertical.labels, strict=True):
            y = self.y(tick)
            parts.append(f'<path class="grid" d="M{_LEFT} {number(y)}H{right}"/>')
            parts.append(text(_LEFT - 8, y + 4, label, "quiet", "end"))
        for tick, label in zip(self.horizontal.ticks, self.horizontal.labels, strict=True):
            x = self.x(tick)
            parts.append(f'<path class="grid" d="M{number(x)} {_TOP}V{bottom}"/>')
            parts.append(text(x, bottom + 17, label, "quiet"))
        parts.append(text((_LEFT + right) / 2, self.height - 8, x_label, "quiet"))
        parts.append(text(_LEFT - 8, 20, y_label, "quiet", "end"))
        return parts


def _coloured(series: Sequence[Series]) -> list[str]:
    """A variable of the style sheet for each series; a faint one has that of the next."""
    colours, used = [], 0
    for one in series:
        colours.append(f"var(--c{used % _COLOURS})")
        used += one.style != "faint"
    return colours


def _drawn(frame: _Frame, style: str, colour: str, x: Numbers, y: Numbers) -> list[str]:
    parts = []
    for run_x, run_y in runs(x, y):
        places = [
            f"{number(frame.x(a))} {number(frame.y(b))}"
            for a, b in zip(run_x.tolist(), run_y.tolist(), strict=True)
        ]
        if style == "dots" or len(places) == 1:
            for place in places:
                across, down = place.split()
                parts.append(
                    f'<circle class="dot" fill="{colour}" cx="{across}" cy="{down}" r="4"/>'
                )
        else:
            path = "M" + "L".join(places)
            parts.append(f'<path class="{style}" stroke="{colour}" d="{path}"/>')
    return parts


def _legend(frame: _Frame, series: Sequence[Series], colours: Sequence[str]) -> list[str]:
    parts = []
    x = frame.width - _RIGHT
    for one, colour in reversed(list(zip(series, colours, strict=True))):
        x -= text_width(one.label, 12)
        parts.append(text(x, 20, one.label, "quiet", "start"))
        x -= 24
        if one.style == "dots":
            parts.append(f'<circle fill="{colour}" cx="{number(x + 9)}" cy="16" r="4"/>')
        else:
            line = f"M{number(x)} 16h18"
            parts.append(f'<path class="{one.style}" stroke="{colour}" d="{line}"/>')
        x -= 14
    return parts


def _stops(
    frame: _Frame, series: Sequence[Series], points: Sequence[tuple[Numbers, Numbers]], x_label: str
) -> list[str]:
    """Strips from side to side; that under the mouse shows the nearest numbers of each series."""
    everywhere = np.unique(np.concatenate([x for x, _ in points]))
    if len(everywhere) > _STOPS:
        wanted = np.linspace(everywhere[0], everywhere[-1], _STOPS)
        everywhere = everywhere[np.unique(np.searchsorted(everywhere, wanted))]
    places = [frame.x(value) for value in everywhere.tolist()]
    edges = [_LEFT, *((a + b) / 2 for a, b in pairwise(places)), frame.width - _RIGHT]
    parts = []
    top, bottom = number(_TOP), number(frame.height - _BOTTOM)
    room = f'y="{top}" height="{number(frame.height - _BOTTOM - _TOP)}"'
    for value, x, left, right in zip(
        everywhere.tolist(), places, edges[:-1], edges[1:], strict=True
    ):
        words = [f"{x_label} {short(value, 6)}"]
        for one, (xs, ys) in zip(series, points, strict=True):
            found = ys[xs == value]
            if len(found) and found[-1] == found[-1]:
                words.append(f"{one.label} {short(float(found[-1]))}")
        words_at = text(_LEFT + 8, 20, " · ".join(words), "quiet", "start")
        cross = f'<path class="cross" d="M{number(x)} {top}V{bottom}"/>'
        strip = f'<rect x="{number(left)}" {room} width="{number(max(0.5, right - left))}"/>'
        parts.append(f'<g class="stop">{strip}<g class="tip">{cross}{words_at}</g></g>')
    return parts
