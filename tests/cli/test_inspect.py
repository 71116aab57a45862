"""``meganeura inspect``."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest

from meganeura import Graph
from meganeura.cli.main import main


@pytest.mark.parametrize("model", ["mnist", "sd-unet", "sd-unet-small"])
@pytest.mark.parametrize("stage", ["graph", "gradient", "update"])
def test_stages_print_as_text_that_parses(model, stage, capsys):
    assert main(["inspect", "--stage", stage, model]) == 0
    text = capsys.readouterr().out
    graph = Graph.parse(text)
    assert graph.text() == text
    assert bool(graph.gradients()) == (stage != "graph")
    assert bool(graph.updates()) == (stage == "update")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["inspect", "mnits"], "there is no model 'mnits': did you mean \"mnist\"?"),
        (["inspect", "--stage", "grad", "mnist"], "there is no stage 'grad'"),
        (
            ["inspect", "--stage", "loops", "--picture", "x.svg", "mnist"],
            "the stage 'loops' is not drawn; these are: graph, gradient,",
        ),
        (["inspect", "--picture", "x.png", "mnist"], "its name ends in .svg, not 'x.png'"),
        (["inspect", "--picture", "nowhere/x.svg", "mnist"], "cannot write nowhere/x.svg"),
    ],
)
def test_mistakes_are_one_line(arguments, words, capsys):
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


@pytest.mark.parametrize("stage", ["graph", "gradient", "update", "optimized", "plan"])
def test_stages_are_drawn(stage, tmp_path, capsys):
    path = tmp_path / "picture.svg"
    assert main(["inspect", "--stage", stage, "--picture", str(path), "mnist"]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    drawn = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    words = " ".join(drawn.itertext())
    assert "fc1.weight" in words
    assert ("adam_step" in words) == (stage in ("update", "optimized", "plan"))
    assert [p.name for p in tmp_path.iterdir()] == ["picture.svg"]


def test_costs_are_shown_beside_what_was_measured(capsys):
    assert main(["inspect", "--stage", "cost", "mnist"]) == 0
    text = capsys.readouterr().out
    (row,) = [line for line in text.splitlines() if line.startswith("all")]
    assert float(row.split()[2]) > 0 and float(row.split()[3]) > 0


def test_rules_that_fired_are_counted(capsys):
    assert main(["inspect", "--stage", "rules", "mnist"]) == 0
    assert "e-nodes (saturated)" in capsys.readouterr().out


def test_the_package_runs_as_a_module():
    command = [sys.executable, "-m", "meganeura", "inspect", "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "example: meganeura inspect" in result.stdout
