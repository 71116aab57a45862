"""What the documentation site takes from the package: hooks that mkdocs calls (see mkdocs.yml).

A page says by a comment where something is generated:

    <!-- names: meganeura.session meganeura.builders -->   public names that these modules define
    <!-- table of names -->                                every public name, with its first words
    <!-- commands -->                                      the help of every command
    <!-- walkthrough -->                                   docs/walkthrough.py, and what it prints
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT))  # for the package, and for what mkdocs loads besides
log = logging.getLogger("mkdocs.docs_hooks")

MODULES = (
    "meganeura",
    "meganeura.nn",
    "meganeura.models.mnist",
    "meganeura.models.sd_unet",
    "meganeura.train",
    "meganeura.profiler",
)
"""What users import from; a name of two of them is shown as the first one's."""
GROUPED = ("Graph", "Session")
"""Classes with so many methods that these are shown in groups."""


# Public names


@dataclass
class Entry:
    """A public class or function."""

    path: str
    """Where a user finds it."""
    value: Any
    others: list[str]
    """Its other names."""

    @property
    def anchor(self) -> str:
        """Its place on its page."""
        name = getattr(self.value, "__name__", "")
        is_named_so = self.path.rpartition(".")[2] == name
        return self.path if is_named_so else f"{self.value.__module__}.{name}"

    def words(self) -> str:
        """The first sentence of its docstring."""
        first = (inspect.getdoc(self.value) or "").split("\n\n")[0].replace("\n", " ")
        return re.split(r"(?<=\.) ", first)[0].replace("|", "\\|")


def is_public(module: ModuleType, name: str, value: Any) -> bool:
    """Whether a module defines a name, or passes it on by ``import … as``."""
    if name.startswith("_") or inspect.ismodule(value):
        return False
    is_own = getattr(value, "__module__", None) == module.__name__
    return is_own or f" as {name}\n" in inspect.getsource(module)


@cache
def entries() -> tuple[Entry, ...]:
    """Every public name, each object once."""
    found: dict[int, Entry] = {}
    for path in MODULES:
        module = import_module(path)
        for name, value in vars(module).items():
            if not is_public(module, name, value):
                continue
            entry = found.setdefault(id(value), Entry(f"{path}.{name}", value, []))
            if entry.path.rpartition(".")[2] == name:
                continue
            if name == value.__name__:
                entry.path, name = f"{path}.{name}", entry.path.rpartition(".")[2]
            entry.others.append(name)
    return tuple(found.values())


def defined_in(module: str) -> list[Entry]:
    """The public names that a module or its parts define, in their order."""
    parts = (e for e in entries() if f"{e.value.__module__}.".startswith(f"{module}."))
    return sorted(parts, key=lambda e: (e.value.__module__, source(e.value)[1]))


@cache
def source(value: Any) -> tuple[list[str], int]:
    """The lines of a class or function, and the number of the first."""
    return inspect.getsourcelines(inspect.unwrap(value))


def names(modules: str) -> str:
    """What the modules define, as directives of mkdocstrings."""
    return "\n\n".join(shown(entry) for module in modules.split() for entry in defined_in(module))


def shown(entry: Entry) -> str:
    """The directive for a name."""
    name = entry.path.rpartition(".")[2]
    others = "".join(f"\n\nAlso called `{other}`." for other in entry.others)
    if name in GROUPED:
        return directive(entry.anchor, name, members="false") + others + methods(entry)
    return directive(entry.anchor, name) + others


def directive(path: str, heading: str, **options: str) -> str:
    """A directive of mkdocstrings."""
    lines = [f"::: {path}", "    options:", f"      heading: {heading}"]
    return "\n".join([*lines, *(f"      {key}: {value}" for key, value in options.items())])


def methods(entry: Entry) -> str:
    """The methods of a class, in groups: those of each base, and of a class with headings in its
    source those under each of them."""
    groups: dict[str, dict[Any, list[str]]] = {}
    for cls in entry.value.__mro__[:-1]:
        for name, method in vars(cls).items():
            if not name.startswith("_") and callable(getattr(cls, name)):
                group = groups.setdefault(title(cls, method), {})
                group.setdefault(method, []).append(name)
    parts = []
    for heading, group in groups.items():
        parts.append(f"\n\n## {heading}")
        for first, *others in group.values():
            options = {"heading_level": "3", "toc_label": first}
            parts.append(directive(f"{entry.anchor}.{first}", first, **options))
            parts += [f"`{other}` is another name for it." for other in others]
    return "\n\n".join(parts)


def title(cls: type, method: Any) -> str:
    """The heading for a method: the comment above its part of the class, or what the docstring of
    the class says it has."""
    function = inspect.unwrap(getattr(method, "__func__", method))
    lines, first = source(cls)
    above = lines[: function.__code__.co_firstlineno - first]
    headings = re.findall(r"\n\n    # ([^\n]+)\n\n", "".join(above))
    if headings:
        return str(headings[-1])
    words = re.match(r"(?:The g|G)raph methods? (?:for |that |on )?([^.,:]+)", cls.__doc__ or "")
    return words[1].capitalize() if words else "As a whole"


def table_of_names() -> str:
    """Every public name, with the page that has it."""
    pages = {
        entry.path: page.name
        for page in sorted((DOCS / "reference").glob("*.md"))
        for modules in re.findall(r"<!-- names: (.+?) -->", page.read_text(encoding="utf-8"))
        for module in modules.split()
        for entry in defined_in(module)
    }
    parts = []
    for module in MODULES:
        parts.append(f"\n## {short(module)}\n\n| name | what it is |\n|---|---|")
        for entry in entries():
            if entry.path.rpartition(".")[0] == module:
                link = f"{pages[entry.path]}#{entry.anchor}"
                parts.append(f"| [`{short(entry.path)}`]({link}) | {entry.words()} |")
    return "\n".join(parts)


def short(path: str) -> str:
    """A name as users write it."""
    return re.sub("^meganeura", "mg", path)


# Commands


def parser() -> argparse.ArgumentParser:
    """The parser of the ``meganeura`` command."""
    found: argparse.ArgumentParser = import_module("meganeura.cli.main").build_parser()
    return found


def command_parsers(of: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A command and all below it."""
    yield of
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from command_parsers(below)


def commands() -> str:
    """The help of every command."""
    with mock.patch.dict(os.environ, COLUMNS="96", NO_COLOR="1"):
        helps = [(p.prog, p.format_help()) for p in command_parsers(parser())]
    return "\n\n".join(f"## {name}\n\n```text\n{text}```" for name, text in helps)


# The walkthrough


def walkthrough() -> str:
    """The script, stage by stage: what it says, its code, and what that prints."""
    path = DOCS / "walkthrough.py"
    source = path.read_text(encoding="utf-8")
    lines, namespace = source.splitlines(), {"__name__": "__main__", "__file__": str(path)}
    parts: list[str] = []
    body = ast.parse(source).body
    starts = [i for i, node in enumerate(body) if is_stage(node)]

    def run(nodes: list[ast.stmt]) -> str:
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(ast.Module(nodes, []), str(path), "exec"), namespace)
        return printed.getvalue().strip("\n")

    run(body[: starts[0]])
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        parts.append(run([body[start]]))
        code = lines[body[start].end_lineno : body[end - 1].end_lineno]
        parts.append("\n".join(["```python", *"\n".join(code).strip().splitlines(), "```"]))
        parts.append(f"```text\n{run(body[start + 1 : end])}\n```")
    return "\n\n".join(parts)


def is_stage(node: ast.stmt) -> bool:
    """Whether a statement of the walkthrough begins a stage."""
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and getattr(call.func, "id", "") == "stage"


# What mkdocs calls

GENERATED: dict[str, Callable[..., str]] = {
    r"<!-- names: (.+?) -->": names,
    r"<!-- (table of names) -->": lambda _: table_of_names(),
    r"<!-- (commands) -->": lambda _: commands(),
    r"<!-- (walkthrough) -->": lambda _: walkthrough(),
}
ASSET = re.compile(r'<(?:script|link|img|iframe|source)\b[^>]*(?:src|href)="((?:https?:)?//[^"]+)')


def on_config(config: Any) -> Any:
    """Put the pages of a folder where the navigation has the folder with a star."""
    config["nav"] = [expanded(part) for part in config["nav"]]
    return config


def expanded(part: Any) -> Any:
    """A part of the navigation without stars."""
    if not isinstance(part, dict):
        return part
    return {
        title: [
            page
            for entry in entries
            for page in (
                sorted(p.relative_to(DOCS).as_posix() for p in DOCS.glob(entry))
                if isinstance(entry, str) and "*" in entry
                else [entry]
            )
        ]
        if isinstance(entries, list)
        else entries
        for title, entries in part.items()
    }


def on_page_markdown(markdown: str, page: Any = None, **_: Any) -> str:
    """Put what is generated in place of the comments; name what is not on the site."""
    for comment, generate in GENERATED.items():
        markdown = re.sub(comment, lambda found, make=generate: make(found[1]), markdown)
    folder = DOCS if page is None else (DOCS / page.file.src_uri).parent
    return re.sub(
        r"\[([^\]]+)\]\((\.\./[^)#]+)\)", lambda link: as_site_has(link, folder), markdown
    )


def as_site_has(link: re.Match[str], folder: Path) -> str:
    """A link, or where it leads out of the documents, its words and the file's name."""
    path = (folder / link[2]).resolve()
    if path.is_relative_to(DOCS) or not path.exists():
        return link[0]
    return f"{link[1]} (`{path.relative_to(ROOT).as_posix()}`)"


def on_post_build(config: Any) -> None:
    """Warn of what a page would fetch from elsewhere."""
    for page in Path(config["site_dir"]).rglob("*.html"):
        for address in ASSET.findall(page.read_text(encoding="utf-8")):
            log.warning("%s fetches %s", page.name, address)
