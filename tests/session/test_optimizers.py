"""Optimizers against the same rules in plain NumPy, in float64."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import Adam, AdamW, MeganeuraError, Momentum, Optimizer, Sgd
from meganeura.device.reference import ReferenceDevice
from tests.session.builders import BIAS, WEIGHT, make_session, parameters, same_bits, train
from tests.session.rules import assert_close, expected, gradients, started

OPTIMIZERS = [
    Sgd(0.1),
    Momentum(0.05),
    Momentum(0.05, momentum=0.5, nesterov=True),
    Adam(0.02),
    Adam(0.02, beta1=0.5, beta2=0.9, eps=1e-3),
    AdamW(0.02),
    AdamW(0.02, beta1=0.8, weight_decay=0.3),
]


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=repr)
def test_ten_steps_follow_the_formula(optimizer):
    session, start = started(optimizer)
    train(session, range(10))
    assert_close(session, expected(start, optimizer, range(10)))


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=repr)
def test_multipliers_clipping_and_accumulation_combine(optimizer):
    session, start = started(optimizer)
    session.set_lr_multiplier(BIAS, 3.0)
    session.set_gradient_clipping(0.2)
    session.set_gradient_accumulation(3)
    train(session, range(10))
    options = {"factors": {BIAS: 3.0}, "clip": 0.2, "accumulate": 3}
    assert_close(session, expected(start, optimizer, range(10), **options))


@pytest.mark.parametrize(
    ("call", "optimizer"),
    [
        (lambda s: s.set_learning_rate(0.1), Sgd(0.1)),
        (lambda s: s.set_adam(0.1), Adam(0.1, 0.9, 0.999, 1e-8)),
        (lambda s: s.set_adam(0.1, 0.8, 0.9, 1e-4), Adam(0.1, 0.8, 0.9, 1e-4)),
        (lambda s: s.set_optimizer(Optimizer.sgd(0.1)), Sgd(0.1)),
        (lambda s: s.set_optimizer(Optimizer.adam(0.1)), Adam(0.1)),
    ],
)
def test_short_forms_set_the_same_optimizers(call, optimizer):
    session = make_session()
    start = parameters(session)
    call(session)
    train(session, range(4))
    assert_close(session, expected(start, optimizer, range(4)))


def test_without_an_optimizer_there_are_gradients_and_no_change():
    session = make_session()
    start = parameters(session)
    train(session, range(3))
    np.testing.assert_allclose(session.read_param_grad(WEIGHT), gradients(start, 2)[WEIGHT])
    assert same_bits(parameters(session), start)


# Learning rates


@pytest.mark.parametrize(
    ("multipliers", "factors"),
    [
        ({"": 2.0}, {WEIGHT: 2.0, BIAS: 2.0}),
        ({"layer.": 0.5}, {WEIGHT: 0.5, BIAS: 0.5}),
        ({"layer.": 0.5, WEIGHT: 4.0}, {WEIGHT: 4.0, BIAS: 0.5}),
        ({WEIGHT: 4.0, "": 3.0, "layer.": 0.5}, {WEIGHT: 4.0, BIAS: 0.5}),
        ({"layer.w": 0.0}, {WEIGHT: 0.0, BIAS: 1.0}),
        ({"layer.": 0.5, "layer.b": 1.0}, {WEIGHT: 0.5, BIAS: 1.0}),
    ],
)
@pytest.mark.parametrize("optimizer", [Sgd(0.1), AdamW(0.1)], ids=repr)
def test_the_longest_prefix_says_the_multiplier(optimizer, multipliers, factors):
    session, start = started(optimizer)
    for prefix, factor in multipliers.items():
        session.set_lr_multiplier(prefix, factor)
    train(session, range(4))
    assert_close(session, expected(start, optimizer, range(4), factors))


def test_multipliers_given_before_the_optimizer_hold_until_cleared():
    session = make_session()
    session.set_lr_multiplier(WEIGHT, 0.0)
    session.set_learning_rate(0.1)
    start = parameters(session)
    train(session, [0])
    assert (session.get_parameter(WEIGHT) == start[WEIGHT]).all()
    session.clear_lr_multipliers()
    start = parameters(session)
    train(session, [1])
    assert_close(session, expected(start, Sgd(0.1), [1]))


@pytest.fixture
def compilations(monkeypatch):
    """How often a graph was compiled so far."""
    compiled, compile_graph = [], ReferenceDevice.compile

    def counting(self, graph, *options):
        compiled.append(graph)
        return compile_graph(self, graph)

    monkeypatch.setattr(ReferenceDevice, "compile", counting)
    return compiled


@pytest.mark.parametrize("kind", [Sgd, Momentum, Adam, AdamW])
def test_a_schedule_of_learning_rates_does_not_recompile(compilations, kind):
    session, _ = started(kind(0.1))
    train(session, [0])
    count = len(compilations)
    for number in range(1, 5):
        session.set_optimizer(kind(0.1 / number))
        train(session, [number])
    assert len(compilations) == count


def test_each_step_uses_the_learning_rate_set_last():
    session, wanted = started(Sgd(9.0))
    for number, rate in enumerate([0.1, 0.05, 0.0, 0.2]):
        session.set_learning_rate(rate)
        train(session, [number])
        wanted = expected(wanted, Sgd(rate), [number])
    assert_close(session, wanted)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.set_adam(0.1, beta1=0.5),
        lambda s: s.set_learning_rate(0.1),
        lambda s: s.set_gradient_clipping(1.0),
        lambda s: s.set_lr_multiplier(WEIGHT, 2.0),
    ],
)
def test_a_change_of_the_rule_recompiles_once_and_only_when_a_step_needs_it(compilations, change):
    session, _ = started(Adam(0.1))
    train(session, [0])
    count = len(compilations)
    change(session)
    assert len(compilations) == count
    train(session, range(3))
    assert len(compilations) == count + 1


def test_moments_survive_a_change_of_options():
    session, start = started(Adam(0.1))
    train(session, range(3))
    session.set_gradient_clipping(1e9)  # never reached
    session.set_lr_multiplier(WEIGHT, 1.0)
    train(session, range(3, 6))
    assert_close(session, expected(start, Adam(0.1), range(6)))


def test_an_optimizer_that_comes_later_starts_from_nothing():
    session, _ = started(Sgd(0.1))
    train(session, range(5))
    between = parameters(session)
    session.set_adam(0.1)
    train(session, range(5, 8))
    assert_close(session, expected(between, Adam(0.1), range(5, 8)))


# Mistakes

NONSENSE = {
    "negative lr": lambda: Sgd(-0.1),
    "nan lr": lambda: Sgd(float("nan")),
    "infinite lr": lambda: Sgd(float("inf")),
    "lr beyond float32": lambda: Sgd(1e39),
    "lr in words": lambda: Sgd("0.1"),
    "negative momentum": lambda: Momentum(0.1, momentum=-1.0),
    "negative eps": lambda: Adam(0.1, eps=-1e-8),
    "beta1 = 1": lambda: Adam(0.1, beta1=1.0),
    "beta2 = 1": lambda: Adam(0.1, beta2=1.0),
    "beta2 > 1": lambda: Adam(0.1, beta2=1.5),
    "nan weight decay": lambda: AdamW(0.1, weight_decay=float("nan")),
    "no optimizer": lambda: make_session().set_optimizer(None),
    "an optimizer's name": lambda: make_session().set_optimizer("adam"),
    "an optimizer's class": lambda: make_session().set_optimizer(Adam),
    "the base class": lambda: make_session().set_optimizer(Optimizer(0.1)),
    "clip to 0": lambda: make_session().set_gradient_clipping(0.0),
    "clip to nan": lambda: make_session().set_gradient_clipping(float("nan")),
    "clip to a word": lambda: make_session().set_gradient_clipping("1"),
    "accumulate 0": lambda: make_session().set_gradient_accumulation(0),
    "accumulate 2.5": lambda: make_session().set_gradient_accumulation(2.5),
    "accumulate None": lambda: make_session().set_gradient_accumulation(None),
    "multiply by nan": lambda: make_session().set_lr_multiplier(WEIGHT, float("nan")),
    "multiply by a word": lambda: make_session().set_lr_multiplier(WEIGHT, "2x"),
    "a prefix that is a number": lambda: make_session().set_lr_multiplier(5, 2.0),
}


@pytest.mark.parametrize("make", NONSENSE.values(), ids=NONSENSE)
def test_what_makes_no_sense_is_refused_where_it_is_said(make):
    with pytest.raises(MeganeuraError) as caught:
        make()
    assert caught.value.where.file == __file__


def test_numpy_numbers_are_learning_rates_too():
    session, start = started(Sgd(np.float32(0.125)))
    session.set_lr_multiplier(WEIGHT, np.float32(2))
    train(session, [0])
    assert_close(session, expected(start, Sgd(0.125), [0], {WEIGHT: 2.0}))
