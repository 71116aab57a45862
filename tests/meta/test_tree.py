"""The tree itself: lengths, words that do not belong, settings that are documented."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import meganeura
from meganeura.ir.op import REGISTRY
from meganeura.scalar.table import SCALAR_OPS

ROOT = Path(__file__).parents[2]
CEILING = 500


def tracked(*patterns: str) -> list[Path]:
    """Files git knows, or will know; every file where there is no git."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "--", *patterns]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        names = listed.stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        names = [str(p.relative_to(ROOT)) for pattern in patterns for p in ROOT.rglob(pattern)]
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("path", tracked("*.py"), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_files_are_short(path: Path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= CEILING, f"{lines} lines: split it"


def test_every_scalar_operator_is_an_op():
    assert set(SCALAR_OPS) <= set(REGISTRY)


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_every_op_says_what_it_is(name: str):
    cls = REGISTRY[name]
    assert cls.__doc__ and not cls.__doc__.startswith(cls.__name__ + "("), "write a docstring"
    assert cls.operands is not None and cls.name == name


@pytest.mark.parametrize("name", [n for n in dir(meganeura.Graph) if not n.startswith("_")])
def test_every_graph_method_is_documented(name: str):
    assert getattr(meganeura.Graph, name).__doc__


def test_every_setting_is_documented():
    source = (ROOT / "meganeura" / "config.py").read_text(encoding="utf-8")
    names = set(re.findall(r"MEGANEURA_\w+", source))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in names:
        assert name in readme, f"{name} is not in the README"
