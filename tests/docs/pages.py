"""The blocks of the documents' pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(
    r"^(?:<!-- shown only: (?P<reason>[^\n]+) -->\n+)?```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.M | re.S,
)


@dataclass(frozen=True)
class Block:
    """What stands between two fences."""

    kind: str
    text: str
    reason: str | None
    """Why it is only shown."""
    line: int
    """Of its first line, from 1."""
    start: int
    end: int
    """Its place on the page."""


def blocks(page: Path, *kinds: str) -> list[Block]:
    """The blocks of a page, of some kinds."""
    content = page.read_text(encoding="utf-8")
    return [
        Block(
            found["kind"],
            found["text"],
            found["reason"],
            content.count("\n", 0, found.start("text")) + 1,
            found.start("text"),
            found.end("text"),
        )
        for found in FENCE.finditer(content)
        if found["kind"] in kinds
    ]


def words(page: Path) -> str:
    """A page without its blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def name(page: Path) -> str:
    """A page as tests call it."""
    return page.relative_to(ROOT).as_posix()
