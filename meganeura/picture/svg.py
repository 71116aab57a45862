"""Pieces of SVG: escaped text, numbers, a whole document.

What is drawn carries names that users chose. Everything that is not markup goes through `escape`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape as escape_html

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
"""Fonts that are there; a picture fetches none."""

_WIDTH = 0.6
"""How wide a character is taken to be, in parts of its size: a little more than most fonts need."""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: object) -> str:
    """Text that may stand between tags and in quotes. Characters that XML does not have become a
    replacement mark."""
    return escape_html(_NOT_XML.sub("\ufffd", str(text)))


def number(value: float) -> str:
    """A coordinate, to a hundredth, without needless zeros."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown in ("-0", "") else shown


def text_width(text: str, size: float) -> float:
    """About how wide a text is."""
    return len(text) * size * _WIDTH


def shortened(text: str, most: int) -> str:
    """A text of at most ``most`` characters: names differ at both ends, so the middle goes."""
    if len(text) <= most:
        return text
    head = (most - 1) // 2
    return f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"


def text(x: float, y: float, content: object, kind: str, anchor: str = "middle") -> str:
    """A line of text; ``kind`` is its class."""
    place = f'x="{number(x)}" y="{number(y)}"'
    return f'<text class="{kind}" text-anchor="{anchor}" {place}>{escape(content)}</text>'


def title(content: object) -> str:
    """What is shown when the mouse rests on the element around it."""
    return f"<title>{escape(content)}</title>"


def colours(light: dict[str, str], dark: dict[str, str]) -> str:
    """A style sheet's variables, by day and by night."""
    day = "".join(f"--{name}:{value};" for name, value in light.items())
    night = "".join(f"--{name}:{value};" for name, value in dark.items())
    return f"svg{{{day}}}@media (prefers-color-scheme:dark){{svg{{{night}}}}}"


def legend(entries: Sequence[tuple[str, str]], x: float, y: float) -> tuple[str, float]:
    """Swatches with words, in a row: each a class and its word. Also where the row ends."""
    parts = []
    for kind, word in entries:
        place = f'x="{number(x)}" y="{number(y - 10)}"'
        parts.append(f'<rect class="{kind}" {place} width="12" height="12" rx="3"/>')
        parts.append(text(x + 18, y, word, "quiet", "start"))
        x += 18 + text_width(word, 12) + 16
    return "".join(parts), x


def document(width: float, height: float, style: str, parts: Iterable[str], label: str) -> str:
    """A whole SVG file; ``label`` says what it shows to those who cannot see it."""
    size = f'width="{number(width)}" height="{number(height)}"'
    box = f'viewBox="0 0 {number(width)} {number(height)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img"'
    rules = f"text{{font-family:{FONT}}}{style}"
    body = "\n".join(parts)
    return (
        f'{head} aria-label="{escape(label)}">\n<style>{rules}</style>\n'
        f'<rect class="page" width="100%" height="100%"/>\n{body}\n</svg>\n'
    )
