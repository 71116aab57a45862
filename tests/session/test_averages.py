"""Running averages of parameters: by their formula, and on their way to other sessions."""

from __future__ import annotations

import numpy as np
import pytest

import meganeura as mg
from tests.session.builders import BIAS, WEIGHT, make_session, parameters, same_bits, train


def averaged(updates: int = 4, **options: object) -> mg.Session:
    session = make_session("cpu", **options)
    session.set_averaging(0.8)
    session.set_learning_rate(0.1)
    train(session, range(updates))
    return session


def averages(session: mg.Session) -> dict[str, np.ndarray]:
    return {name: session.get_average(name) for name in (WEIGHT, BIAS)}


def test_the_first_updates_weigh_more():
    session = make_session("reference:float64")
    session.set_averaging(0.8)
    session.set_learning_rate(0.1)
    expected = None
    for n in range(60):
        train(session, [n])
        value = session.get_parameter(WEIGHT)
        rate = 1 - min(0.8, n / (n + 10))
        expected = value if expected is None else expected + rate * (value - expected)
    np.testing.assert_allclose(session.get_average(WEIGHT), expected, rtol=1e-12)
    assert "1 − min(decay, n / (n + 10))" in mg.Session.set_averaging.__doc__


def test_there_is_no_average_without_averaging():
    session = make_session("cpu")
    session.set_learning_rate(0.1)
    train(session, [0])
    with pytest.raises(mg.SessionError, match="no running averages"):
        session.get_average(WEIGHT)
    with pytest.raises(mg.SessionError, match="no running averages"):
        session.save_weights("w", averages=True)
    session.set_averaging(0.5)
    assert (session.get_average(WEIGHT) == session.get_parameter(WEIGHT)).all()
    session.set_averaging(None)
    with pytest.raises(mg.SessionError, match=r"set_averaging\(decay\)"):
        session.get_average(WEIGHT)
    with pytest.raises(mg.SessionError, match="no running averages"):
        make_session("cpu", training=False).get_average(WEIGHT)


def test_averages_are_saved_as_weights(tmp_path):
    session = averaged()
    session.save_weights(tmp_path / "w", averages=True)
    other = make_session("cpu", training=False)
    other.load_weights(tmp_path / "w")
    assert same_bits(parameters(other), averages(session))
    assert not same_bits(parameters(other), parameters(session))


def test_an_inference_session_says_which_weights_of_a_checkpoint_it_takes(tmp_path):
    session = averaged()
    session.save_checkpoint(tmp_path / "c", {"epoch": 1})
    other = make_session("cpu", training=False)
    before = parameters(other)
    with pytest.raises(mg.SessionError, match="averages=True") as caught:
        other.load_checkpoint(tmp_path / "c")
    assert "parameters and their running averages" in str(caught.value)
    assert same_bits(parameters(other), before)
    assert other.load_checkpoint(tmp_path / "c", averages=True) == {"epoch": 1}
    assert same_bits(parameters(other), averages(session))
    other.load_checkpoint(tmp_path / "c", averages=False)
    assert same_bits(parameters(other), parameters(session))


def test_averages_that_are_not_there_are_refused(tmp_path):
    session = make_session("cpu")
    session.set_learning_rate(0.1)
    train(session, [0])
    session.save_checkpoint(tmp_path / "c")
    other = make_session("cpu", training=False)
    with pytest.raises(mg.FormatError, match="has no running averages"):
        other.load_checkpoint(tmp_path / "c", averages=True)
    other.load_checkpoint(tmp_path / "c")
    assert same_bits(parameters(other), parameters(session))


def test_before_the_first_update_an_average_is_the_parameter(tmp_path):
    session = averaged(0)
    session.save_checkpoint(tmp_path / "c")
    other = make_session("cpu", training=False, seed=9)
    other.load_checkpoint(tmp_path / "c", averages=True)
    assert same_bits(parameters(other), parameters(session))


def test_a_training_session_takes_both(tmp_path):
    session = averaged()
    session.save_checkpoint(tmp_path / "c")
    other = make_session("cpu")
    with pytest.raises(mg.SessionError, match="takes both"):
        other.load_checkpoint(tmp_path / "c", averages=True)
    other.load_checkpoint(tmp_path / "c")
    assert same_bits(averages(other), averages(session))
    assert same_bits(parameters(other), parameters(session))
