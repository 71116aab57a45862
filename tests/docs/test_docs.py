"""The documents are true: their code runs, their links exist, and the page on adding an op adds
one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from meganeura import TensorType
from meganeura.egraph.rule import rewrite
from meganeura.egraph.saturate import saturate
from meganeura.ir.op import REGISTRY
from tests.docs.pages import words
from tests.egraph.instances import Instance, real
from tests.egraph.proof import check_classes, drawn
from tests.helpers.gradcheck import check_gradients
from tools.readme_tables import with_tables

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def test_the_readmes_code_trains(capsys, tmp_path, monkeypatch):
    (code,) = blocks(ROOT / "README.md")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    first, last = map(float, re.findall(r"\d\.\d+", capsys.readouterr().out))
    assert first > 0.5 and last < 0.2


def test_following_the_page_adds_an_op():
    """Each block goes where the page says: the class and the method into the file of activations,
    the line into the table."""
    declare, method, line = blocks(ROOT / "docs" / "how-to" / "add-an-op.md")
    source = (ROOT / "meganeura" / "ops" / "activation.py").read_text(encoding="utf-8")
    source = re.sub(r'@op\("(\w+)"\)', r'@op("page_\1")', source)  # the names are taken
    mixin = source.index("class ActivationMethods")
    indented = "\n".join("    " + row for row in method.splitlines())
    source = f"{source[:mixin]}{declare}\n\n{source[mixin:]}\n{indented}\n"
    added = set(REGISTRY)
    try:
        namespace = {"__name__": "meganeura.ops.page", "__package__": "meganeura.ops"}
        exec(compile(source, "activation.py", "exec"), namespace)
        cases = []
        exec(line, {"add": lambda *case: cases.append(case), "np": np})
        ((name, _, (shape,), build, formula),) = cases
        assert name in REGISTRY
        graph_class = namespace["ActivationMethods"]
        rng = np.random.default_rng(0)
        x = rng.normal(size=shape)
        graph = graph_class()
        op = build(graph, graph.emit(REGISTRY["input"]("x", _f32(shape)))).node.op
        np.testing.assert_allclose(op.reference(x), formula(x), rtol=1e-12)
        np.testing.assert_allclose(op.reference(np.array([1000.0])), [1000.0])
        check_gradients(lambda g, v: g.emit(op, v), [x], rng)
    finally:
        for extra in set(REGISTRY) - added:
            del REGISTRY[extra]


def _f32(shape):
    return TensorType.f32(shape)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path):
    for target in re.findall(r"\]\(([^)#]+)\)", words(page)):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_example_trains():
    command = [sys.executable, "examples/mnist.py", "--epochs", "1"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    right = re.search(r"([\d.]+)% of 1000 test images are told right", result.stdout)
    assert float(right.group(1)) > 80


def test_the_example_says_what_is_wrong():
    command = [sys.executable, "examples/mnist.py", "--device", "abacus"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode != 0 and "abacus" in result.stderr
    assert "Traceback" not in result.stderr


def test_following_the_page_adds_a_rule():
    """The rule of the page is proved on the page's instance, as every rule is."""
    rule, instance = blocks(ROOT / "docs" / "how-to" / "add-a-rule.md")
    words = {"rewrite": rewrite, "real": real}
    added = eval(rule, words)
    exec(instance, words)
    name, build = words["instance"]
    assert name == added.name
    found = saturate(Instance(name, build).graph(), [added])
    assert found.fired[name] > 0
    check_classes(found.whole, drawn(found.whole))


def test_the_readme_has_the_tables_that_benchmarks_wrote():
    results = [path.read_text(encoding="utf-8") for path in (ROOT / "bench/results").glob("*.md")]
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert with_tables(page, results) == page, "python tools/readme_tables.py puts them there"
    assert with_tables("| a |\n| 1 |\n", ["| a |\n| 2 |\n"]) == "| a |\n| 2 |\n"
