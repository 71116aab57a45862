"""What a session does for its user: inputs in, steps, results out."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import (
    DTypeError,
    Graph,
    GraphError,
    Session,
    SessionError,
    ShapeError,
    build_inference_session,
    build_session,
)
from tests.session.builders import (
    BIAS,
    FEATURES,
    ROWS,
    TARGETS,
    WEIGHT,
    batch,
    make_session,
    parameters,
    train,
)


def indexed() -> Graph:
    """Rows of a table by U32 index, next to an input that nothing uses."""
    g = Graph()
    g.input("unused", [2])
    rows = g.embedding(g.input_u32("tokens", [3]), g.parameter("table", [5, 2]))
    g.set_outputs([g.sum_all(rows)])
    return g


# Inputs and parameters


@pytest.mark.parametrize("shape", [(ROWS, FEATURES), (ROWS * FEATURES,)], ids=["shaped", "flat"])
def test_data_may_be_shaped_or_flat(shape):
    session = make_session()
    data = batch(0)
    session.set_input("x", data["x"].reshape(shape))
    session.set_input("y", data["y"])
    session.step()
    expected = data["x"] @ session.get_parameter(WEIGHT) + session.get_parameter(BIAS)
    np.testing.assert_allclose(session.read_output(1), expected, rtol=1e-12)


ZEROS = np.zeros(ROWS * FEATURES)


@pytest.mark.parametrize(
    ("data", "kind", "says"),
    [
        (np.zeros(ROWS * FEATURES - 1), ShapeError, "[23]"),
        (np.zeros((FEATURES, ROWS)), ShapeError, "[3, 8]"),
        (np.zeros((ROWS, FEATURES, 1)), ShapeError, "[8, 3, 1]"),
        (0.0, ShapeError, "[]"),
        ([[1.0], [1.0, 2.0]], ShapeError, "regular"),
        (ZEROS.astype(complex), DTypeError, "complex"),
        (["a"] * 24, DTypeError, "<U1"),
        ([None] * 24, DTypeError, "object"),
        (None, DTypeError, "object"),
        ([10**30] * 24, DTypeError, "object"),
        (ZEROS.astype("datetime64[s]"), DTypeError, "datetime64"),
    ],
)
def test_data_that_does_not_fit_is_refused_and_changes_nothing(data, kind, says):
    session = make_session()
    losses = train(session, [0])
    with pytest.raises(kind) as caught:
        session.set_input("x", data)
    assert 'input "x"' in str(caught.value) and says in str(caught.value)
    session.step()
    assert session.read_loss() == losses[0]


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float16, np.float32, np.float64])
def test_any_real_number_type_is_taken_as_f32_data(dtype):
    session = make_session("reference")
    session.set_parameter(WEIGHT, np.ones((FEATURES, TARGETS), dtype))
    found = session.get_parameter(WEIGHT)
    assert found.dtype == np.float32 and (found == 1).all()


def test_a_number_too_large_for_f32_is_refused_and_an_infinity_is_not():
    session = make_session("reference")
    before = session.get_parameter(BIAS)
    with pytest.raises(DTypeError, match=r"-1e\+301 at \[1\] does not fit in float32.* 3.4e\+38"):
        session.set_parameter(BIAS, [1e300, -1e301])
    assert (session.get_parameter(BIAS) == before).all()
    session.set_parameter(BIAS, [np.inf, -np.inf])
    assert session.get_parameter(BIAS).tolist() == [np.inf, -np.inf]
    exact = make_session("reference:float64")
    exact.set_parameter(BIAS, [1e300, -1e300])
    assert exact.get_parameter(BIAS).tolist() == [1e300, -1e300]


def test_data_in_float32_is_not_looked_at(monkeypatch):
    """Nothing is paid for the check where nothing is cast."""
    session, data = make_session("reference"), batch(0)
    monkeypatch.setattr(np, "isinf", lambda array: pytest.fail("looked at"))
    for name, array in data.items():
        session.set_input(name, array.astype(np.float32))


def test_an_input_is_copied_and_stays_until_given_anew():
    session = make_session()
    data = batch(0)
    for name, array in data.items():
        session.set_input(name, array)
    data["x"][:] = np.nan
    session.step()
    first = session.read_loss()
    session.step()
    assert np.isfinite(first) and session.read_loss() == first


@pytest.mark.parametrize("setter", ["set_input", "set_input_u32"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.uint32])
def test_whole_numbers_of_any_type_are_indices(setter, dtype):
    session = build_session(indexed(), "reference")
    session.set_parameter("table", np.arange(10))
    getattr(session, setter)("tokens", np.array([0, 4, 4], dtype))
    session.step()
    assert session.read_loss() == 1 + 17 + 17


@pytest.mark.parametrize(
    ("name", "data", "kind", "says"),
    [
        ("tokens", [0.0, 1.0, 2.0], DTypeError, "whole numbers"),
        ("tokens", [True, False, True], DTypeError, "whole numbers"),
        ("tokens", [-1, 0, 0], DTypeError, "whole numbers"),
        ("tokens", [2**32, 0, 0], DTypeError, "whole numbers"),
        ("tokens", [0, 5, 0], GraphError, 'indices out of range: "tokens" holds 5'),
        ("tokens", [0, 0], ShapeError, "u32[3]"),
        ("unused", [0, 0], DTypeError, "use set_input"),
    ],
)
def test_bad_indices_are_refused_before_anything_runs(name, data, kind, says):
    session = build_session(indexed(), "reference")
    with pytest.raises(kind) as caught:
        session.set_input_u32(name, data)
    assert says in str(caught.value)


def test_inputs_nothing_uses_are_accepted_and_not_required():
    with build_session(indexed(), "reference") as session:
        session.set_input_u32("tokens", [0, 1, 2])
        session.step()
        session.set_input("unused", [1.0, 2.0])
        session.step()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda s: s.set_input("xx", ZEROS), ["input 'xx'", 'did you mean "x"?']),
        (lambda s: s.set_input(WEIGHT, ZEROS), [f"input '{WEIGHT}'"]),
        (lambda s: s.set_input_u32("nothing", [1]), ['there are: "x", "y"']),
        (lambda s: s.set_parameter("layer.weigth", 0), ["parameter", f'"{WEIGHT}"']),
        (lambda s: s.get_parameter("x"), ["parameter 'x'"]),
        (lambda s: s.param_size("bias"), ["parameter 'bias'", f'"{BIAS}"']),
        (lambda s: s.has_param_grad("bias"), ["parameter 'bias'"]),
        (lambda s: s.read_param_grad("bias"), ["parameter 'bias'"]),
        (lambda s: s.initialize("bias"), ["parameter 'bias'"]),
        (lambda s: s.set_state("cache", 0), ["state 'cache'", "there are none"]),
        (lambda s: s.get_state("cache"), ["state 'cache'"]),
        (lambda s: s.set_lr_multiplier("layers.", 2.0), ["layers.", "begins with"]),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_ones(call, says):
    with pytest.raises(SessionError) as caught:
        call(make_session())
    assert all(part in str(caught.value) for part in says), str(caught.value)
    assert caught.value.where.file == __file__


def test_parameters_are_listed_in_order_with_their_sizes():
    session = make_session()
    assert session.param_names() == [WEIGHT, BIAS]
    assert [session.param_size(name) for name in session.param_names()] == [6, 2]


def test_a_parameter_reads_back_in_its_declared_shape_and_as_a_copy():
    session = make_session("reference")
    session.set_parameter(WEIGHT, np.arange(6))
    found = session.get_parameter(WEIGHT)
    assert found.dtype == np.float32 and found.tolist() == [[0, 1], [2, 3], [4, 5]]
    found[:] = 9
    assert session.get_parameter(WEIGHT)[0, 0] == 0


@pytest.mark.parametrize(("alias", "name"), [("read_param", "get_parameter"), ("run", "step")])
def test_aliases_are_the_same_method(alias, name):
    assert getattr(Session, alias) is getattr(Session, name)


# Steps and results


def test_a_step_before_every_input_is_set_names_the_missing_one():
    session = make_session()
    session.set_input("x", batch(0)["x"])
    with pytest.raises(SessionError, match='input "y" was never set'):
        session.step()


RESULTS = {
    "read_loss": lambda s: s.read_loss(),
    "read_output": lambda s: s.read_output(),
    "read_outputs": lambda s: s.read_outputs(),
    "read_param_grad": lambda s: s.read_param_grad(BIAS),
    "read_all_param_grad_norms": lambda s: s.read_all_param_grad_norms(),
}


@pytest.mark.parametrize("read", RESULTS.values(), ids=RESULTS)
def test_results_before_a_step_are_an_error(read):
    with pytest.raises(SessionError, match="no results yet"):
        read(make_session())


def test_outputs_come_in_their_declared_shapes():
    session = make_session()
    (loss,) = train(session, [0])
    assert session.num_outputs() == 2
    assert [o.shape for o in session.read_outputs()] == [(1,), (ROWS, TARGETS)]
    assert session.read_loss() == loss == session.read_output()[0] == session.read_outputs()[0][0]
    session.wait()


@pytest.mark.parametrize("i", [2, -1])
def test_there_is_no_output_beyond_those_set(i):
    session = make_session()
    train(session, [0])
    with pytest.raises(SessionError, match=f"no output {i}: the graph has 2"):
        session.read_output(i)


def test_a_first_output_of_many_elements_is_no_loss():
    g = Graph()
    g.set_outputs([g.relu(g.input("x", [2, 2]))])
    with build_inference_session(g, "reference") as session:
        session.set_input("x", [1, 2, 3, 4])
        session.step()
        with pytest.raises(SessionError, match="no loss"):
            session.read_loss()
    with pytest.raises(GraphError, match="one element"):
        build_session(g, "reference")


def test_a_graph_without_outputs_makes_no_session():
    with pytest.raises(GraphError, match="no outputs"):
        build_session(Graph())


def test_gradients_and_norms_are_those_of_the_formula():
    session = make_session()
    train(session, [3])
    x, y = batch(3).values()
    off = 2 * (x @ session.get_parameter(WEIGHT) + session.get_parameter(BIAS) - y) / y.size
    expected = {WEIGHT: x.T @ off, BIAS: off.sum(axis=0)}
    for name, gradient in expected.items():
        assert session.has_param_grad(name)
        np.testing.assert_allclose(session.read_param_grad(name), gradient, rtol=1e-12)
    norms = [(session.read_all_param_grad_norms(), expected)]
    norms += [(session.read_all_param_norms(), parameters(session))]
    for found, arrays in norms:
        lengths = {name: np.sqrt((a**2).sum()) for name, a in arrays.items()}
        assert found == pytest.approx(lengths, rel=1e-12)


def test_a_parameter_the_loss_does_not_reach_has_a_gradient_of_zeros():
    g = Graph()
    g.parameter("idle", [2, 2])
    g.set_outputs([g.sum_all(g.parameter("used", [3]))])
    with build_session(g, "reference") as session:
        session.set_learning_rate(1.0)
        before = session.get_parameter("idle")
        session.step()
        assert session.has_param_grad("idle") and not session.read_param_grad("idle").any()
        assert (session.get_parameter("idle") == before).all()


INSPECTIONS = {
    "nothing": lambda s, path: None,
    "memory_summary": lambda s, path: s.memory_summary(),
    "graph": lambda s, path: s.graph(),
    "save_checkpoint": lambda s, path: s.save_checkpoint(path / "c"),
}


@pytest.mark.parametrize("inspect", INSPECTIONS.values(), ids=INSPECTIONS)
def test_results_survive_an_optimizer_change_and_inspection(inspect, tmp_path):
    session = make_session()
    losses = train(session, [0])
    gradient = session.read_param_grad(WEIGHT)
    session.set_adam(0.1)
    inspect(session, tmp_path)
    assert session.read_loss() == losses[0]
    assert (session.read_param_grad(WEIGHT) == gradient).all()
