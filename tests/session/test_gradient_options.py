"""Clipping of gradients, and their accumulation over steps."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import AdamW, Graph, GraphError, Momentum, Sgd, build_session
from tests.session.builders import BIAS, make_session, parameters, same_bits, train
from tests.session.rules import assert_close, expected, gradients, started

# Clipping


@pytest.mark.parametrize("clip", [0.01, 0.3, 1e6])
def test_gradients_are_scaled_down_to_a_common_norm(clip):
    session, start = started(Sgd(1.0))
    session.set_gradient_clipping(clip)
    train(session, [0])
    assert_close(session, expected(start, Sgd(1.0), [0], clip=clip))
    moved = np.sqrt(sum(((parameters(session)[n] - start[n]) ** 2).sum() for n in start))
    assert moved <= clip * (1 + 1e-9)
    np.testing.assert_allclose(session.read_param_grad(BIAS), gradients(start, 0)[BIAS])


def test_clipping_can_be_taken_back():
    session, start = started(Sgd(0.1))
    session.set_gradient_clipping(1e-9)
    session.set_gradient_clipping(None)
    train(session, range(3))
    assert_close(session, expected(start, Sgd(0.1), range(3)))


# Accumulation


@pytest.mark.parametrize("optimizer", [Sgd(0.1), Momentum(0.1), AdamW(0.1)], ids=repr)
def test_parameters_change_in_every_kth_step_only(optimizer):
    session, start = started(optimizer)
    session.set_gradient_accumulation(3)
    seen = []
    for number in range(7):
        before = parameters(session)
        train(session, [number])
        seen.append(not same_bits(parameters(session), before))
    assert seen == [False, False, True, False, False, True, False]
    assert_close(session, expected(start, optimizer, range(7), accumulate=3))


@pytest.mark.parametrize("steps_before", [1, 2, 3])
def test_accumulation_counts_from_when_it_was_asked_for(steps_before):
    session = make_session()
    start = parameters(session)
    train(session, range(steps_before))
    session.set_learning_rate(0.1)
    session.set_gradient_accumulation(2)
    train(session, [10, 11])
    assert_close(session, expected(start, Sgd(0.1), [10, 11], accumulate=2))


def test_a_new_accumulation_forgets_what_the_old_one_gathered():
    session, start = started(Sgd(0.1))
    session.set_gradient_accumulation(4)
    train(session, range(1))
    session.set_gradient_accumulation(2)
    train(session, [10, 11])
    assert_close(session, expected(start, Sgd(0.1), [10, 11], accumulate=2))


@pytest.mark.parametrize("factor", [1e300, -1.0, float("inf")])
def test_a_multiplier_that_float32_cannot_hold_is_refused_at_once(factor):
    g = Graph()
    g.set_outputs([g.mean_all(g.parameter("w", [3]))])
    with build_session(g, "reference") as session:
        session.set_learning_rate(0.1)
        with pytest.raises(GraphError, match='the multiplier of "w"'):
            session.set_lr_multiplier("w", factor)
        session.step()
