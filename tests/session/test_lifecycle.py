"""How a session is built, on what device, what it occupies, and how it ends."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import (
    DeviceError,
    Graph,
    SessionConfig,
    SessionError,
    Sgd,
    build_inference_session,
    build_session,
)
from tests.session.builders import (
    BIAS,
    WEIGHT,
    batch,
    least_squares,
    make_session,
    parameters,
    same_bits,
    train,
)

# Inference


def test_an_inference_session_gives_the_same_outputs():
    training, inference = make_session(), make_session(training=False)
    assert train(training, [0]) == train(inference, [0])


OPTIMIZERS = {
    "set_learning_rate": lambda s: s.set_learning_rate(0.1),
    "set_adam": lambda s: s.set_adam(0.1),
    "set_optimizer": lambda s: s.set_optimizer(Sgd(0.1)),
}


@pytest.mark.parametrize("call", OPTIMIZERS.values(), ids=OPTIMIZERS)
def test_an_inference_session_refuses_optimizers(call):
    with pytest.raises(SessionError, match="inference session"):
        call(build_inference_session(least_squares(), "reference"))


def test_an_inference_session_has_no_gradients():
    session = build_inference_session(least_squares(), "reference")
    train(session, [0])
    assert not session.has_param_grad(WEIGHT)
    with pytest.raises(SessionError, match="no gradient"):
        session.read_param_grad(WEIGHT)


# Devices


def test_the_reference_device_describes_itself_and_its_precision():
    for name, precision in {"reference": "float32", "reference:float64": "float64"}.items():
        information = make_session(name).device_information()
        assert information.kind == "reference" and precision in str(information)


@pytest.mark.parametrize(
    ("environment", "asked", "precision"),
    [
        ("reference:float64", "auto", "float64"),
        ("reference:float32", "auto", "float32"),
        ("reference:float64", "reference", "float32"),
        ("no such device", "reference", "float32"),
    ],
)
def test_the_environment_says_what_auto_is(monkeypatch, environment, asked, precision):
    monkeypatch.setenv("MEGANEURA_DEVICE", environment)
    assert precision in build_session(least_squares(), asked).device_information().description


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch):
    monkeypatch.setenv("MEGANEURA_DEVICE", "")
    build_session(least_squares()).close()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("abacus", ['no device "abacus"', "there are"]),
        ("referense", ['did you mean "reference"?']),
        ("reference:float16", ["float16", "reference:float64"]),
        ("", ['no device ""']),
    ],
)
def test_an_unknown_device_is_refused_with_those_there_are(monkeypatch, name, says):
    with pytest.raises(DeviceError) as caught:
        build_session(least_squares(), name)
    assert all(part in str(caught.value) for part in says)
    monkeypatch.setenv("MEGANEURA_DEVICE", name or "?")
    with pytest.raises(DeviceError):
        build_session(least_squares())


def test_an_unknown_way_to_treat_nonfinite_values_is_refused():
    with pytest.raises(SessionError, match="nonfinite"):
        SessionConfig(nonfinite="ignore")


# Memory


def test_memory_is_counted_by_what_it_is_for():
    session = make_session("reference")
    train(session, [0])
    summary = session.memory_summary()
    assert summary.parameter_bytes == 4 * (6 + 2)
    assert summary.input_bytes == 4 * (24 + 16)
    assert summary.state_bytes == 0 and summary.value_bytes > 0
    parts = (summary.parameter_bytes, summary.input_bytes, summary.value_bytes)
    assert summary.total_bytes() == sum(parts)
    assert "parameters" in str(summary) and "total" in str(summary)


def test_memory_counts_an_optimizers_states_as_soon_as_it_is_set():
    session = make_session("reference")
    session.set_adam(0.1)
    assert session.memory_summary().state_bytes == 2 * 4 * (6 + 2)


# Independence


def test_a_session_keeps_the_graph_as_it_was_built_from():
    g = least_squares()
    with build_session(g, "reference") as session:
        g.set_outputs([g.sum_all(g.parameter("later", [5]))])
        assert session.param_names() == [WEIGHT, BIAS] and session.num_outputs() == 2
        train(session, [0])


def test_two_sessions_of_one_graph_share_nothing():
    g = least_squares()
    with build_session(g, "reference") as a, build_session(g, "reference") as b:
        before = parameters(b)
        a.set_learning_rate(0.5)
        train(a, range(3))
        assert same_bits(parameters(b), before) and not same_bits(parameters(a), before)


# The end

AFTER_CLOSE = {
    "step": lambda s: s.step(),
    "set_input": lambda s: s.set_input("x", batch(0)["x"]),
    "set_parameter": lambda s: s.set_parameter(BIAS, [0, 0]),
    "get_parameter": lambda s: s.get_parameter(BIAS),
    "initialize": lambda s: s.initialize(BIAS),
    "read_loss": lambda s: s.read_loss(),
    "read_outputs": lambda s: s.read_outputs(),
    "read_param_grad": lambda s: s.read_param_grad(BIAS),
    "read_all_param_norms": lambda s: s.read_all_param_norms(),
    "memory_summary": lambda s: s.memory_summary(),
    "graph": lambda s: s.graph(),
    "plan": lambda s: s.plan(),
    "save_checkpoint": lambda s: s.save_checkpoint("never-written"),
    "step_with_a_new_optimizer": lambda s: (s.set_adam(0.1), s.step()),
}


@pytest.mark.parametrize("call", AFTER_CLOSE.values(), ids=AFTER_CLOSE)
def test_a_closed_session_says_so(call):
    with make_session() as session:
        train(session, [0])
    with pytest.raises(SessionError, match="closed"):
        call(session)


def test_close_may_be_called_twice_and_the_context_manager_gives_the_session():
    session = make_session()
    with session as entered:
        assert entered is session
    session.close()


def test_leaving_by_an_exception_closes_and_does_not_hide_it():
    with pytest.raises(KeyError), make_session() as session:
        raise KeyError("mine")
    with pytest.raises(SessionError, match="closed"):
        session.step()


# Determinism


def test_the_same_graph_and_seed_give_the_same_bits():
    runs = []
    for _ in range(2):
        session = make_session("reference", seed=5)
        session.set_adam(0.01)
        losses = train(session, range(5))
        runs.append((losses, parameters(session)))
    assert runs[0][0] == runs[1][0] and same_bits(runs[0][1], runs[1][1])
    assert np.isfinite(runs[0][0]).all()


@pytest.mark.parametrize("layout", ["fortran", "reversed"])
def test_how_data_lies_in_memory_does_not_change_a_bit(layout):
    data = np.random.default_rng(1).normal(size=(129, 65))
    same = np.asfortranarray(data) if layout == "fortran" else data[::-1].copy()[::-1]
    g = Graph()
    x, w = g.input("x", data.shape), g.parameter("w", data.shape)
    g.set_outputs([g.sum_all(x * w), g.sum(w), g.sum(x, 0), x.T @ w])
    found = []
    for array in (data, same):
        with build_inference_session(g, "reference") as session:
            session.set_input("x", array)
            session.set_parameter("w", array)
            session.step()
            found.append([output.tobytes() for output in session.read_outputs()])
    assert found[0] == found[1]


@pytest.mark.parametrize(("name", "size"), [("b", 5), ("c", 4)])
def test_a_snapshot_of_another_session_changes_nothing(name: str, size: int):
    def made(name: str, size: int):
        g = Graph()
        weights = g.parameter("a", [3, 3]) @ g.parameter(name, [3, size])
        g.set_outputs([g.mean_all(g.input("x", [2, 3]) @ weights)])
        return build_session(g, "cpu")

    with made("b", 4) as ours, made(name, size) as other:
        other.set_parameter("a", np.full((3, 3), 7.0))
        before = ours.get_parameter("a")
        with pytest.raises(SessionError, match="of another session"):
            ours.restore(other.snapshot())
        np.testing.assert_array_equal(ours.get_parameter("a"), before)
