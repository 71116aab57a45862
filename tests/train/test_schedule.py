from __future__ import annotations

import math

import pytest

import meganeura as mg


def test_constant():
    assert [mg.Constant().factor(i) for i in (0, 5, 10**9)] == [1.0, 1.0, 1.0]


def test_cosine_goes_down_half_a_wave_and_stays():
    schedule = mg.Cosine(100, final=0.1)
    assert schedule.factor(0) == 1.0
    assert schedule.factor(50) == pytest.approx(0.55)
    assert schedule.factor(25) == pytest.approx(0.1 + 0.9 * (1 + math.cos(math.pi / 4)) / 2)
    assert schedule.factor(100) == schedule.factor(10**6) == pytest.approx(0.1)


def test_warmup_rises_evenly_under_what_follows():
    schedule = mg.Warmup(4, mg.Cosine(8))
    rising = [0.25, 0.5, 0.75, 1.0, 1.0, 1.0]
    assert [schedule.factor(i) for i in range(6)] == [
        part * mg.Cosine(8).factor(i) for i, part in enumerate(rising)
    ]
    assert mg.Warmup(0).factor(0) == 1.0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: mg.Cosine(0), "at least 1 step"),
        (lambda: mg.Cosine(10, final=2.0), "from 0 to 1"),
        (lambda: mg.Cosine("10"), "whole number"),
        (lambda: mg.Warmup(-1), "negative"),
        (lambda: mg.Warmup(1, then=3), "Schedule"),
        (lambda: mg.Schedule().factor(0), "no schedule itself"),
    ],
)
def test_what_is_no_schedule(make, words):
    with pytest.raises(mg.SessionError, match=words):
        make()
