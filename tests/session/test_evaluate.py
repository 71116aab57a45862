"""Evaluation: forward only, on the present parameters, with nothing changed by it."""

from __future__ import annotations

import numpy as np
import pytest

import meganeura as mg
from tests.helpers.devices import on_all_devices

DATA = np.random.default_rng(0).normal(size=(3, 4, 3)).astype(np.float32)


def graph() -> mg.Graph:
    """A network with a state that counts steps; the loss, and each row's part of it."""
    g = mg.Graph()
    x, count = g.input("x", [4, 3]), g.state("count", [1])
    g.set_update(count, count + 1.0)
    y = mg.nn.Linear(g, "fc", 3, 2)(x) + count
    g.set_outputs([g.mean_all(y * y), g.mean(y * y, axes=1)])
    return g


def trained(device: str, looks: bool) -> mg.Session:
    """A session after some steps, between which it was evaluated or not."""
    session = mg.build_session(graph(), device, seed=3)
    session.set_averaging(0.9)
    session.set_gradient_accumulation(2)
    session.set_adam(0.05)
    for step in range(5):
        if looks:
            session.set_input("x", 2 * DATA[(step + 1) % 3])
            session.evaluate()
            session.read_outputs()
        session.set_input("x", DATA[step % 3])
        session.step()
    if looks:
        session.evaluate()
    return session


@on_all_devices
def test_evaluation_changes_nothing(device):
    """Parameters, moments, averages, states, gathered gradients and counts, to the bit."""
    plain, looked = (trained(device, looks).snapshot() for looks in (False, True))
    assert plain.counts == looked.counts and plain.counts.steps == 5
    assert plain.leaves.keys() == looked.leaves.keys() and len(plain.leaves) > 8
    for name, array in plain.leaves.items():
        np.testing.assert_array_equal(array, looked.leaves[name], err_msg=name)


@on_all_devices
def test_it_gives_what_a_step_would(device):
    session = trained(device, False)
    session.set_input("x", DATA[0])
    session.evaluate()
    found = session.read_outputs()
    weight, bias = (session.get_parameter(f"fc.{n}").astype("f8") for n in ("weight", "bias"))
    y = DATA[0] @ weight + bias + session.get_state("count")
    np.testing.assert_allclose(found[1], np.mean(y * y, axis=1), rtol=1e-5)
    assert session.read_loss() == pytest.approx(np.mean(y * y), rel=1e-5)
    session.step()
    np.testing.assert_allclose(session.read_output(1), found[1], rtol=1e-5)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_it_sees_every_change_of_a_leaf(device):
    session = mg.build_session(graph(), device)
    session.set_input("x", DATA[0])
    seen = []

    def look() -> None:
        session.evaluate()
        seen.append(session.read_loss())

    look()
    start = session.snapshot()
    for change in (
        lambda: session.set_parameter("fc.bias", [1.0, 2.0]),
        lambda: session.set_input("x", DATA[1]),
        lambda: session.set_state("count", [7.0]),
        lambda: (session.set_learning_rate(0.1), session.step()),
        lambda: session.initialize("fc.weight", 0.5),
        lambda: session.restore(start),
    ):
        change()
        look()
    assert len(set(seen)) == len(seen)
    session.set_input("x", DATA[0])
    look()
    assert seen[-1] == seen[0]


def test_gradients_and_noted_losses_are_those_of_steps():
    session = trained("cpu", False)
    session.step()
    gradient, loss = session.read_param_grad("fc.weight"), session.read_loss()
    session.note_loss()
    session.set_input("x", 3 * DATA[0])
    session.evaluate()
    assert session.read_loss() != loss
    np.testing.assert_array_equal(session.read_param_grad("fc.weight"), gradient)
    assert session.noted_losses() == [loss]


def test_a_session_may_be_evaluated_before_any_step():
    session = mg.build_session(graph(), "cpu")
    with pytest.raises(mg.SessionError, match='"x" was never set'):
        session.evaluate()
    session.set_input("x", DATA[0])
    session.evaluate()
    assert session.read_loss() > 0 and session.num_steps() == 0
    with pytest.raises(mg.SessionError, match="no results yet"):
        session.read_param_grad("fc.weight")
    session.close()
    with pytest.raises(mg.SessionError, match="closed"):
        session.evaluate()


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_an_inference_session_keeps_its_cache(device):
    g = mg.Graph()
    cache = g.state("cache", [4, 2])
    written = g.cache_write(g.input("row", [1, 2]), cache, g.input_u32("pos", [1]))
    g.set_outputs([g.sum_all(written)])
    with mg.build_inference_session(g, device) as session:
        session.set_input("row", [1.0, 2.0])
        session.set_input_u32("pos", [1])
        session.evaluate()
        assert session.read_loss() == 3.0 and not session.get_state("cache").any()
        session.step()
        session.set_input_u32("pos", [2])
        session.evaluate()
        assert session.read_loss() == 6.0
        assert session.get_state("cache").sum() == 3.0


def test_what_is_not_finite_is_found_in_an_evaluation_too():
    session = mg.build(graph(), mg.SessionConfig("cpu", nonfinite="raise"))
    session.set_input("x", np.full((4, 3), np.nan))
    with pytest.raises(mg.NonFiniteError, match='input "x"'):
        session.evaluate()
