"""The code of every page runs, and prints what the page shows; its commands can be given.

A block of text right behind one of Python is what that prints; ``…`` stands for anything, on a line
of its own for any lines. Blocks of a page share their names. ``make golden`` records anew what is
shown: read the diff, and put lines that are ``…`` back.
"""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from meganeura import trace
from meganeura.cli import inspect
from tests.docs.pages import PAGES, ROOT, Block, blocks, name
from tools.docs_hooks import parser

ELSEWHERE = {
    "docs/how-to/add-an-op.md": "test_following_the_page_adds_an_op",
    "docs/how-to/add-a-rule.md": "test_following_the_page_adds_a_rule",
}
"""Pages whose blocks belong into files of the package, and are put there by a test of their own."""
SHOWN_ONLY = {"docs/how-to/add-a-device.md": 1, "docs/how-to/load-weights.md": 1}
"""How many blocks of a page cannot run; each says why."""
MAKE_TARGETS = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
NOT_OURS = {"pip", "git", "cd", "."}


def pages_with(kind: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, kind)]


@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_a_page_shows_what_its_code_prints(page: Path, tmp_path, monkeypatch, request):
    if name(page) in ELSEWHERE:
        tests = (ROOT / "tests" / "docs" / "test_docs.py").read_text(encoding="utf-8")
        assert f"def {ELSEWHERE[name(page)]}(" in tests
        return
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEGANEURA_DEVICE", "cpu")
    monkeypatch.setenv("MEGANEURA_THREADS", "2")  # and what a page sets is undone
    wrong = []
    try:
        for code, printed, shown in run(page):
            if shown is not None and not matches(printed, shown.text):
                wrong.append((code, printed, shown))
    finally:
        trace.stop()
    if request.config.getoption("--update-golden"):
        record(page, wrong)
        return
    for code, printed, shown in wrong:
        assert merged(printed, shown.text) == shown.text, f"{name(page)}:{code.line}"


def run(page: Path) -> Iterator[tuple[Block, str, Block | None]]:
    """Each block of code, what it prints, and the block that shows it."""
    namespace = {"__name__": "__main__"}
    found = blocks(page, "python", "text")
    for block, following in zip(found, [*found[1:], None], strict=True):
        if block.kind == "text" or block.reason is not None:
            continue
        code = "\n" * (block.line - 1) + block.text
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, page.name, "exec"), namespace)
        between = "" if following is None else page.read_text("utf-8")[block.end : following.start]
        shown = following if re.fullmatch(r"```\n+```text\n", between) else None
        yield block, printed.getvalue(), shown


def matches(printed: str, shown: str) -> bool:
    lines = [
        "(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n"
        for line in shown.splitlines()
    ]
    return re.fullmatch("".join(lines), printed.rstrip("\n") + "\n") is not None


def merged(printed: str, shown: str) -> str:
    """What is printed, with the ``…`` within lines as they are shown."""
    loose = [line for line in shown.splitlines() if "…" in line and line != "…"]
    lines = printed.rstrip().splitlines()
    found = [next((word for word in loose if matches(line, word)), line) for line in lines]
    return "\n".join([*found, ""])


def record(page: Path, wrong: list[tuple[Block, str, Block]]) -> None:
    content = page.read_text(encoding="utf-8")
    for _, printed, shown in reversed(wrong):
        content = f"{content[: shown.start]}{merged(printed, shown.text)}{content[shown.end :]}"
    page.write_text(content, encoding="utf-8")


def test_blocks_that_are_only_shown_are_few():
    counts = {name(p): sum(b.reason is not None for b in blocks(p, "python")) for p in PAGES}
    assert {page: count for page, count in counts.items() if count} == SHOWN_ONLY


def test_what_stands_for_anything():
    assert matches("a 1.5\nb\nc\n", "a …\nb\nc") and matches("a\nb\nc\nd\n", "a\n…\nd")
    assert matches("a\nd\n", "a\n…\nd") and matches("a\n", "a\n…")
    assert not matches("a 1\nb", "a …") and not matches("a", "b") and not matches("a\nb", "a")


@pytest.mark.parametrize("page", pages_with("sh"), ids=name)
def test_commands_can_be_given(page: Path):
    for block in blocks(page, "sh"):
        for line in block.text.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            while words and re.match(r"[A-Z_]+=", words[0]):
                words.pop(0)
            if words:
                check_command(words, line)


def check_command(words: list[str], line: str) -> None:
    command, *arguments = words
    if command == "meganeura":
        given = parser().parse_args(arguments)  # what it refuses ends the test
        assert getattr(given, "stage", "graph") in inspect.STAGES, line
        assert getattr(given, "model", "mnist") in inspect.MODELS, line
    elif command == "make":
        assert set(arguments) <= MAKE_TARGETS, line
    elif command == "python":
        assert arguments[0] == "-m" or (ROOT / arguments[0]).is_file(), line
    else:
        assert command in NOT_OURS, f"no test knows what this is: {line}"
