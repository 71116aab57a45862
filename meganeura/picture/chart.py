"""Line charts as PNG, drawn at twice their size and scaled down, so that lines are smooth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image, ImageDraw, ImageFont

from ..errors import FormatError
from .png import encoded
from .series import Numbers, Series, axes, loss_series, runs, thinned
from .svg import shortened
from .ticks import Axis

PALETTE = ("#2563eb", "#e8590c", "#2b8a3e", "#9c36b5", "#c2255c", "#0b7285", "#846358", "#495057")
_INK, _QUIET, _GRID, _FRAME = "#1f2933", "#5f6b7a", "#e6eaf0", "#9aa5b1"
_SCALE = 2
_LEAST_SIZE = (240, 160)
_MOST_SIZE = 8192
_LONGEST_LABEL = 40
STYLES = ("faint", "line", "dots")
"""From the back to the front."""

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def line_chart(
    series: Sequence[Series],
    title: str,
    x_label: str,
    y_label: str,
    log: bool = False,
    size: tuple[int, int] = (960, 540),
) -> bytes:
    """A chart of some series with round ticks and a legend, as the content of a PNG file.

    With ``log``, y goes by magnitudes, and what is not positive leaves a gap."""
    if not all(least <= side <= _MOST_SIZE for least, side in zip(_LEAST_SIZE, size, strict=True)):
        raise FormatError(f"a chart has {_LEAST_SIZE} to {_MOST_SIZE} pixels a side, got {size}")
    for one in series:
        if one.style not in STYLES:
            raise FormatError(f"a series is drawn as one of {STYLES}, got {one.style!r}")
    canvas = _Canvas(size)
    points = [one.points() for one in series]
    found = axes(points, log, (max(2, size[0] // 120), max(2, size[1] // 80)))
    legend = _legend_rows(canvas, series, size[0] - 120)
    if found is None:
        canvas.text((28, 26), title, 18, _INK, "lm")
        canvas.text((size[0] / 2, size[1] / 2), "nothing to show", 16, _QUIET, "mm")
        return canvas.png()
    frame = _framed(canvas, found, 34 + 20 * len(legend), x_label, y_label)
    canvas.text((frame.left, 26), title, 18, _INK, "lm")
    colours = _coloured(series)
    order = sorted(range(len(series)), key=lambda i: STYLES.index(series[i].style))
    for i in order:
        _draw_series(canvas, frame, series[i].style, colours[i], *points[i])
    for row, members in enumerate(legend):
        _draw_legend(canvas, frame, 46 + 20 * row, [(series[i], colours[i]) for i in members])
    return canvas.png()


def loss_curve(
    steps: ArrayLike, losses: ArrayLike, validation: tuple[ArrayLike, ArrayLike] | None = None
) -> bytes:
    """Losses of a run, light, and their moving average, bold; ``validation`` is steps and losses of
    its own, shown as dots. Losses that span magnitudes are shown by magnitude."""
    series, log = loss_series(steps, losses, validation)
    return line_chart(series, "Loss", "step", "loss", log)


@dataclass(frozen=True)
class _Frame:
    """The part of a picture in which data lies, and the axes that place it."""

    left: float
    top: float
    right: float
    bottom: float
    x: Axis
    y: Axis

    def places(self, x: Numbers, y: Numbers) -> list[tuple[float, float]]:
        """Points of the picture."""
        across = (x - self.x.low) / (self.x.high - self.x.low)
        low, high = self.y.low, self.y.high
        if self.y.is_log:
            low, high, y = np.log10(low), np.log10(high), np.log10(y)
        up = (y - low) / (high - low)
        horizontal = self.left + across * (self.right - self.left)
        vertical = self.bottom - up * (self.bottom - self.top)
        return list(zip(horizontal.tolist(), vertical.tolist(), strict=True))


class _Canvas:
    """A picture under way; coordinates are those of the finished one."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.image = Image.new("RGB", (size[0] * _SCALE, size[1] * _SCALE), "#ffffff")
        self.draw = ImageDraw.Draw(self.image)

    def font(self, size: float) -> Font:
        """The font that Pillow brings along."""
        return ImageFont.load_default(size * _SCALE)

    def text_width(self, text: str, size: float) -> float:
        """How wide a text is."""
        return self.font(size).getlength(text) / _SCALE

    def text(self, at: tuple[float, float], text: str, size: float, ink: str, anchor: str) -> None:
        """Write a text; ``anchor`` as Pillow has it."""
        place = (at[0] * _SCALE, at[1] * _SCALE)
        self.draw.text(place, _one_line(text), fill=ink, font=self.font(size), anchor=anchor)

    def line(self, points: Sequence[tuple[float, float]], ink: str, width: float) -> None:
        """Draw a line through points."""
        flat = [coordinate * _SCALE for point in points for coordinate in point]
        self.draw.line(flat, fill=ink, width=round(width * _SCALE), joint="curve")

    def dot(self, at: tuple[float, float], ink: str, radius: float) -> None:
        """Draw a filled circle with a white edge, so that it stands out from lines."""
        x, y, r = at[0] * _SCALE, at[1] * _SCALE, radius * _SCALE
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill=ink, outline="#ffffff", width=2)

    def box(self, corners: tuple[float, float, float, float], fill: str, edge: str) -> None:
        """Draw a rectangle with round corners."""
        scaled = tuple(side * _SCALE for side in corners)
        self.draw.rounded_rectangle(scaled, radius=6 * _SCALE, fill=fill, outline=edge, width=2)

    def vertical(self, text: str, at: tuple[float, float], size: float, ink: str) -> None:
        """Write a text upwards, centred."""
        text = _one_line(text)
        width, height = (round(side) for side in (self.text_width(text, size) + 8, size * 2))
        strip = Image.new("RGB", (width * _SCALE, height * _SCALE), "#ffffff")
        middle = (width * _SCALE / 2, height * _SCALE / 2)
        ImageDraw.Draw(strip).text(middle, text, fill=ink, font=self.font(size), anchor="mm")
        turned = strip.transpose(Image.Transpose.ROTATE_90)
        place = (
            round(at[0] * _SCALE - turned.width / 2),
            round(at[1] * _SCALE - turned.height / 2),
        )
        self.image.paste(turned, place)

    def png(self) -> bytes:
        """The finished picture."""
        return encoded(self.image.resize(self.size, Image.Resampling.LANCZOS))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _framed(
    canvas: _Canvas, found: tuple[Axis, Axis], top: float, x_label: str, y_label: str
) -> _Frame:
    """Draw grid, ticks and labels; the frame is what they leave."""
    (x, y), size = found, canvas.size
    widest = max((canvas.text_width(label, 13) for label in y.labels), default=0.0)
    frame = _Frame(44 + widest, top, size[0] - 28, size[1] - 62, x, y)
    for tick, label in zip(y.ticks, y.labels, strict=True):
        at = frame.bottom - y.place(tick) * (frame.bottom - frame.top)
        canvas.line([(frame.left, at), (frame.right, at)], _GRID, 1)
        canvas.text((frame.left - 9, at), label, 13, _QUIET, "rm")
    for tick, label in zip(x.ticks, x.labels, strict=True):
        at = frame.left + x.place(tick) * (frame.right - frame.left)
        canvas.line([(at, frame.top), (at, frame.bottom)], _GRID, 1)
        canvas.text((at, frame.bottom + 17), label, 13, _QUIET, "mm")
    corner = (frame.left, frame.bottom)
    canvas.line([(frame.left, frame.top), corner, (frame.right, frame.bottom)], _FRAME, 1)
    canvas.text(((frame.left + frame.right) / 2, size[1] - 22), x_label, 14, _QUIET, "mm")
    canvas.vertical(y_label, (18, (frame.top + frame.bottom) / 2), 14, _QUIET)
    return frame


def _coloured(series: Sequence[Series]) -> list[str]:
    """A faint line has the colour, mixed with white, of the line that is next."""
    colours, used = [], 0
    for one in series:
        colour = PALETTE[used % len(PALETTE)]
        if one.style == "faint":
            colours.append(_lightened(colour))
        else:
            colours.append(colour)
            used += 1
    return colours


def _lightened(colour: str) -> str:
    channels = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(c + (255 - c) * 0.68):02x}" for c in channels)


def _draw_series(
    canvas: _Canvas, frame: _Frame, style: str, colour: str, x: Numbers, y: Numbers
) -> None:
    if frame.y.is_log:
        y = np.where(y > 0, y, np.nan)
    width = int(frame.right - frame.left)
    x, y = thinned(x, y, 4 * width)
    thickness = {"faint": 1.0, "line": 2.5, "dots": 0.0}[style]
    for run_x, run_y in runs(x, y):
        places = frame.places(run_x, run_y)
        if style == "dots":
            for place in places:
                canvas.dot(place, colour, 4.5)
        elif len(places) == 1:
            canvas.dot(places[0], colour, 1.5 + thickness)
        else:
            canvas.line(places, colour, thickness)


def _legend_rows(canvas: _Canvas, series: Sequence[Series], most: float) -> list[list[int]]:
    """Which series stand beside each other in the legend."""
    rows: list[list[int]] = [[]]
    room = most
    for i, one in enumerate(series):
        width = _entry_width(canvas, one)
        if rows[-1] and width > room:
            rows.append([])
            room = most
        rows[-1].append(i)
        room -= width
    return rows


def _entry_width(canvas: _Canvas, one: Series) -> float:
    return canvas.text_width(shortened(_one_line(one.label), _LONGEST_LABEL), 13) + 42


def _draw_legend(
    canvas: _Canvas, frame: _Frame, y: float, entries: Sequence[tuple[Series, str]]
) -> None:
    """Names of series beside what they are drawn with, at the right."""
    x = frame.right + 18 - sum(_entry_width(canvas, one) for one, _ in entries)
    for one, colour in entries:
        if one.style == "dots":
            canvas.dot((x + 9, y), colour, 4.5)
        else:
            canvas.line([(x, y), (x + 18, y)], colour, 3)
        label = shortened(_one_line(one.label), _LONGEST_LABEL)
        canvas.text((x + 24, y), label, 13, _QUIET, "lm")
        x += _entry_width(canvas, one)
