"""Random graphs over all ops and layouts on every kind of device, against derived bounds: some
that are always the same, and some of this run's seed. ``make fuzz`` runs as many as there is time
for."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from meganeura.codegen.schedule.stage import StagedRows
from meganeura.egraph import optimize
from meganeura.egraph.rule import rewrite
from meganeura.egraph.rules import ALL
from tests.conftest import SEED
from tests.fuzz.check import VARIANTS, alone, checked, described, reduced
from tests.fuzz.templates import make
from tests.helpers.devices import needs_gpu

TOGETHER, TURNS = 12, 3
OF_GPUS = 5
CPUS = [name for name in VARIANTS if name.startswith("cpu")]
GPUS = [pytest.param(n, marks=needs_gpu) for n in VARIANTS if n.startswith("gpu")]


def is_fixed(turn: int) -> bool:
    return turn < TURNS // 2


def seeds_of(turn: int, count: int) -> tuple[int, ...]:
    """The first turns are the same in every run, the others follow the run's seed."""
    first = 0 if is_fixed(turn) else int(os.environ[SEED]) % 2**31
    return tuple(range(first + turn * count, first + (turn + 1) * count))


def verify(name: str, seeds: tuple[int, ...], turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second and third turn with NaN in all stale memory."""
    training = turn % 2 == 0
    made, config = make(seeds, training, finite=name.startswith("gpu")), VARIANTS[name]
    monkeypatch.setenv("MEGANEURA_POISON", "1" if turn in (1, 2) else "0")
    outcome = checked(made, config)
    if outcome.wrong:
        worst = (alone(made, config) or [made])[0]
        pytest.fail(described(reduced(worst, config, 20), config))
    if is_fixed(turn):  # others may by chance have a large graph of which little is known
        assert outcome.compared > outcome.unknown


@pytest.mark.parametrize("turn", range(TURNS))
@pytest.mark.parametrize("name", CPUS)
def test_random_graphs_on_the_cpu(name: str, turn: int, monkeypatch):
    offset = 1000 * CPUS.index(name)
    verify(name, tuple(s + offset for s in seeds_of(turn, TOGETHER)), turn, monkeypatch)


@pytest.mark.parametrize("turn", range(TURNS))
@pytest.mark.parametrize("name", GPUS)
def test_random_graphs_on_a_gpu(name: str, turn: int, monkeypatch):
    verify(name, tuple(s + 50_000 for s in seeds_of(turn, OF_GPUS)), turn, monkeypatch)


PLANTED = {
    "a wrong rule": (
        optimize,
        "ALL",
        (*ALL, rewrite("algebra/planted", "(Abs (Sub x y))", "(Sub x y)")),
    ),
    "a rule without its condition": (
        optimize,
        "ALL",
        (*ALL, rewrite("algebra/planted", "(Add x (Full a t))", "x")),
    ),
    "margins that are not zeroed": (StagedRows, "_zeros", lambda *_: []),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path):
    """Within so many graphs as every run of the tests makes for one device."""
    monkeypatch.setattr(*PLANTED[fault])
    monkeypatch.setenv("MEGANEURA_POISON", "1")
    config = replace(VARIANTS["cpu"], cache=tmp_path)
    starts = reversed(range(0, 8 * TOGETHER, TOGETHER))  # the rarest is met in the last but one
    turns = (tuple(range(start, start + TOGETHER)) for start in starts)
    assert any(checked(make(seeds, True), config).wrong for seeds in turns)


def test_a_failure_is_cut_down(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """To the ops at fault, with the same failure, and its reproducer can be parsed."""
    planted = rewrite("algebra/planted", "(Sub x y)", "(Add x y)")
    monkeypatch.setattr(optimize, "ALL", (*ALL, planted))
    config = replace(VARIANTS["cpu"], cache=tmp_path)
    batches = (make(tuple(range(i, i + 6)), True) for i in range(0, 100, 6))
    failing = next(m for m in batches if checked(m, config).wrong)
    first = alone(failing, config)[0]
    less = reduced(first, config)
    assert checked(less, config).wrong
    assert len(less.graph) < len(first.graph) and len(less.graph) <= 8
    assert str(first.seeds[0]) in described(less, config)
