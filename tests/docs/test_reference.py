"""The reference has every public name, and every command."""

from __future__ import annotations

import inspect
import re

import meganeura
from tests.docs.pages import ROOT
from tools import docs_hooks

PAGES = sorted((ROOT / "docs" / "reference").glob("*.md"))


def directives() -> list[str]:
    pages = "".join(docs_hooks.on_page_markdown(p.read_text(encoding="utf-8")) for p in PAGES)
    return re.findall(r"^::: (\S+)$", pages, re.M)


def test_every_public_name_is_shown_once():
    shown = directives()
    assert len(shown) == len(set(shown))
    assert {entry.anchor for entry in docs_hooks.entries()} <= set(shown)


def test_names_are_those_that_users_write():
    paths = {entry.path for entry in docs_hooks.entries()}
    assert {"meganeura.Graph", "meganeura.nn.Linear", "meganeura.train.Validation"} <= paths
    assert {"meganeura.profiler.init", "meganeura.models.sd_unet.build_unet"} <= paths
    assert "meganeura.train.Trainer" not in paths  # it is meganeura.Trainer already
    (value,) = (e for e in docs_hooks.entries() if e.value is meganeura.Value)
    assert value.path == "meganeura.Value" and value.others == ["NodeId"]


def test_all_methods_of_graphs_and_sessions_are_shown():
    pages = "".join(docs_hooks.on_page_markdown(p.read_text(encoding="utf-8")) for p in PAGES)
    for cls in (meganeura.Graph, meganeura.Session):
        for name, _ in inspect.getmembers(cls, callable):
            directive = f"::: meganeura.{cls.__name__}.{name}\n"
            assert name[0] == "_" or directive in pages or f"`{name}` is another name" in pages


def test_every_command_has_its_help():
    text = docs_hooks.commands()
    for command in ("train", "train sd-unet", "sample", "bench", "inspect", "devices"):
        assert f"\n## meganeura {command}\n" in text and f"usage: meganeura {command} " in text
