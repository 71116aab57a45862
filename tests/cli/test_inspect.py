"""``meganeura inspect``."""

from __future__ import annotations

import subprocess
import sys

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
    ],
)
def test_mistakes_are_one_line(arguments, words, capsys):
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


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
