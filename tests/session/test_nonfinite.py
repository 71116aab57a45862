"""``nonfinite="raise"``: the first NaN or infinity stops the step and is traced to its line."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import Graph, NonFiniteError, Session, SessionConfig, build
from tests.session.builders import WEIGHT, batch, make_session, parameters, same_bits, train

GOOD = [1.0, 2.0]


def session_for(op, nonfinite: str = "raise"):
    """A session whose loss goes through ``op(g, x · w)``, and the node that ``op`` made."""
    g = Graph()
    made = op(g, g.input("x", [2]) * g.parameter("w", [2], "ones"))
    g.set_outputs([g.sum_all(made)])
    session = build(g, SessionConfig("reference", nonfinite=nonfinite))
    session.set_adam(0.01)
    return session, made.node


def step(session: Session, data) -> None:
    session.set_input("x", data)
    session.step()


CASES = {
    "log": (lambda g, x: g.log(x), [1.0, -1.0], "nan", 1),
    "recip": (lambda g, x: g.recip(x), [0.0, 1.0], "inf", 1),
    "exp": (lambda g, x: g.exp(x), [200.0, 200.0], "inf", 2),
    "div": (lambda g, x: g.div(1.0, x), [2.0, 0.0], "inf", 1),
    "sqrt": (lambda g, x: g.sqrt(x), [-4.0, 1.0], "nan", 1),
}


@pytest.mark.parametrize("name", CASES)
def test_the_error_names_the_op_the_line_the_step_and_the_value(name):
    op, data, value, count = CASES[name]
    session, node = session_for(op)
    step(session, GOOD)
    step(session, GOOD)
    with pytest.raises(NonFiniteError) as caught:
        step(session, data)
    error = caught.value
    assert error.where == node.where and error.where.file == __file__
    for part in ("step 2", f"{name} (%", f"gives {value}", f"({count} of 2 elements"):
        assert part in str(error)


def test_a_gradient_that_overflows_is_traced_to_the_forward_line():
    session, node = session_for(lambda g, x: g.sqrt(x))
    with pytest.raises(NonFiniteError) as caught:
        step(session, [0.0, 1.0])  # √0 is finite, its slope is not
    assert caught.value.where == node.where


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_bad_data_is_named_by_its_input(bad):
    session, _ = session_for(lambda g, x: g.relu(x))
    with pytest.raises(NonFiniteError, match=f'input "x" .* gives {bad}'):
        step(session, [1.0, bad])


def test_after_it_nothing_has_changed_and_training_goes_on_as_if_it_had_not_been():
    broken, whole = make_session("reference", nonfinite="raise"), make_session("reference")
    for session in (broken, whole):
        session.set_adam(0.01)
        session.set_gradient_accumulation(2)
        train(session, range(3))
    before = parameters(broken)
    broken.set_input("x", np.full_like(batch(0)["x"], np.nan))
    with pytest.raises(NonFiniteError):
        broken.step()
    assert same_bits(parameters(broken), before)
    assert train(broken, range(3, 8)) == train(whole, range(3, 8))
    assert same_bits(parameters(broken), parameters(whole))


def test_a_bad_parameter_is_named():
    session = make_session(nonfinite="raise")
    session.set_parameter(WEIGHT, np.full(6, np.inf))
    with pytest.raises(NonFiniteError, match=f'parameter "{WEIGHT}"'):
        train(session, [0])


def test_an_update_that_overflows_changes_nothing():
    session = make_session("reference", nonfinite="raise")
    session.set_learning_rate(3e38)
    before = parameters(session)
    session.set_input("x", 1e3 * batch(0)["x"])
    session.set_input("y", batch(0)["y"])
    with pytest.raises(NonFiniteError):
        session.step()
    assert same_bits(parameters(session), before)


def test_a_mask_of_minus_infinities_inside_an_op_is_no_mistake():
    g = Graph()
    q = g.parameter("q", [3, 4])
    g.set_outputs([g.mean_all(g.causal_attention(q, q, q, 2, 2, 2))])
    with build(g, SessionConfig("reference", nonfinite="raise")) as session:
        session.set_learning_rate(0.1)
        session.step()
        assert np.isfinite(session.read_loss())


def test_by_default_nothing_is_raised_and_no_warning_given():
    session, _ = session_for(CASES["log"][0], nonfinite="allow")
    step(session, [1.0, -1.0])
    assert np.isnan(session.read_loss())


def test_the_cpu_device_names_the_node_too():
    g = Graph()
    w = g.parameter("w", [2])
    root = g.sqrt(w)
    g.set_outputs([g.sum_all(root)])
    with build(g, SessionConfig("cpu", nonfinite="raise")) as session:
        session.set_learning_rate(0.1)
        session.set_parameter("w", [1.0, 4.0])
        session.step()
        session.set_parameter("w", [-1.0, 4.0])
        with pytest.raises(NonFiniteError, match=r"step 1: sqrt .* gives nan") as caught:
            session.step()
        assert caught.value.where == root.node.where
        np.testing.assert_array_equal(session.get_parameter("w"), [-1.0, 4.0])
