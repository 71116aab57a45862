"""Docstrings as Markdown, for the reference: an extension of griffe, which reads the package for
mkdocs (see mkdocs.yml).

Examples become blocks of code. A name between single backticks becomes a link, if it is public.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import griffe

from tools.docs_hooks import GROUPED, Entry, entries

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.M)
"""Lines from a prompt to an empty line."""
NAME = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)`(?!`)")
FENCED = re.compile(r"(^```.*?^```$)", re.M | re.S)


class Docstrings(griffe.Extension):
    """Rewrites every docstring that is read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of what was read."""
        if obj.docstring is not None:
            owner = obj if obj.is_class else obj.parent
            path = owner.path if owner is not None and owner.is_class else ""
            obj.docstring.value = markdown(obj.docstring.value, path)


def markdown(text: str, owner: str) -> str:
    """A docstring as Markdown; names are looked for in the class ``owner`` first."""
    text = re.sub(r"^::\n|(?<=:):$", "", text, flags=re.M)
    text = EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
    parts = FENCED.split(text)
    return "".join(part if part.startswith("```") else linked(part, owner) for part in parts)


def linked(text: str, owner: str) -> str:
    """A text in which public names are links."""

    def link(found: re.Match[str]) -> str:
        anchor = anchor_of(found[1], owner)
        return found[0] if anchor is None else f"[`{found[1]}`][{anchor}]"

    return NAME.sub(link, text)


@cache
def public() -> dict[str, Entry]:
    """Public names without their modules."""
    return {entry.path.rpartition(".")[2]: entry for entry in entries()}


def anchor_of(name: str, owner: str) -> str | None:
    """Where the reference has a name, if it has."""
    for entry in public().values():
        bases = entry.value.__mro__ if isinstance(entry.value, type) else ()
        is_owner = any(f"{base.__module__}.{base.__qualname__}" == owner for base in bases)
        if is_owner and is_shown(entry, name):
            return f"{entry.anchor}.{name}"
    first, _, rest = name.partition(".")
    entry = public().get(first)
    if entry is None or not rest:
        return None if entry is None else entry.anchor
    return f"{entry.anchor}.{rest}" if is_shown(entry, rest) else None


def is_shown(entry: Entry, member: str) -> bool:
    """Whether the reference has a method of a class."""
    is_grouped = entry.path.rpartition(".")[2] in GROUPED
    has = hasattr(entry.value, member) if is_grouped else member in vars(entry.value)
    method = getattr(entry.value, member, None)
    return has and member[0] != "_" and callable(method) and bool(method.__doc__)
