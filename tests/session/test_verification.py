"""``verify=True``: the first step of a plan beside the reference."""

from __future__ import annotations

import re

import numpy as np
import pytest

import meganeura as mg
from meganeura import runner
from meganeura.ops.activation import Relu
from meganeura.verification import relative_error
from tests.helpers.devices import on_all_devices
from tests.train.problems import BATCH, CLASSES, FEATURES, graph


def fed(device: str, **config) -> mg.Session:
    session = mg.build(graph(), mg.SessionConfig(device, **config))
    rng = np.random.default_rng(0)
    session.set_input("x", rng.normal(size=(BATCH, FEATURES)))
    session.set_input("labels", np.eye(CLASSES)[rng.integers(0, CLASSES, BATCH)])
    return session


@on_all_devices
def test_errors_are_small_and_told(device):
    session = fed(device, verify=True)
    session.set_adam(1e-3)
    session.step()
    found = session.verification()
    gradients = {f"gradient of {name}" for name in session.param_names()}
    assert set(found.errors) == {"output 0 (cross_entropy_loss)", *gradients}
    name, error = found.worst()
    # float32 over sums of at most 16 products, in a chain of a dozen ops
    assert 0 < error < 16 * 12 * 6e-8, name
    assert name in str(found)


@on_all_devices
def test_bounds_are_close_and_follow_the_problem(device):
    """Rounding explains no more than a few hundred ε of a small network."""
    session = fed(device, verify=True)
    session.step()
    found = session.verification()
    assert found.errors.keys() == found.bounds.keys() and not found.faults
    for name, bound in found.bounds.items():
        assert max(found.errors[name], 24 * 2**-24) <= bound < 1e-3, name


@pytest.mark.parametrize("by", [1e-3, 1.0])
def test_what_rounding_cannot_explain_is_raised(monkeypatch, by):
    """The kernels against a reference that means something else."""
    session = fed("cpu", verify=True)
    relu = Relu.reference
    monkeypatch.setattr(Relu, "reference", lambda self, x: relu(self, x) * (1 + by))
    with pytest.raises(mg.VerificationError) as caught:
        session.step()
    found = session.verification()
    name, error = found.worst()
    assert f"gradient of fc2.weight {found.faults['gradient of fc2.weight']}" in str(caught.value)
    assert error > found.bounds[name] and name in found.faults
    assert re.search(r"is \S+ at \[\d+, \d+\], and should be \S+ \(\d", str(caught.value))
    assert "at most" in str(caught.value) and caught.value.where.file == __file__
    session.step()  # the plan was compared, and is not again


def test_a_gradient_that_is_noise_is_explained():
    """Before a norm over rows a bias has the gradient 0, of which only rounding is left."""
    g = mg.Graph()
    x = g.input("x", [64, 16])
    y = g.group_norm(
        g.reshape(x, [64, 16, 1]) + g.reshape(g.parameter("b", [1]), [1, 1, 1]),
        g.parameter("w", [16]),
        g.parameter("c", [16]),
        num_groups=1,
    )
    g.set_outputs([g.mean_all(y * y * y)])
    with mg.build(g, mg.SessionConfig("cpu", verify=True)) as session:
        session.set_input("x", np.random.default_rng(0).normal(size=(64, 16)))
        session.step()
        found = session.verification()
        assert found.errors["gradient of b"] > 1e-3 and found.errors["gradient of w"] < 1e-4


def test_attention_with_everything_stays_within_its_bounds():
    """Rotary positions, masks of −∞, shared heads, a table and its gradient."""
    g = mg.Graph()
    cfg = mg.nn.AttentionConfig(32, 4, 2, 8)
    h = mg.nn.Embedding(g, "table", 11, 32)(g.input_u32("ids", [40]))
    h = mg.nn.TransformerBlock(g, "block", mg.nn.TransformerBlockConfig(cfg, 48))(h)
    logits = mg.nn.Linear(g, "head", 32, 11)(h)
    g.set_outputs([g.cross_entropy_loss(logits, g.input_u32("labels", [40])), logits])
    rng = np.random.default_rng(0)
    with mg.build(g, mg.SessionConfig("cpu", verify=True)) as session:
        session.set_input_u32("ids", rng.integers(0, 11, 40))
        session.set_input_u32("labels", rng.integers(0, 11, 40))
        session.step()
        bounds = session.verification().bounds
        assert len(bounds) == 14 and max(bounds.values()) < 1e-2


def test_an_evaluation_is_verified_too():
    session = fed("cpu", verify=True)
    session.evaluate()
    assert list(session.verification().errors) == ["output 0 (cross_entropy_loss)"]


def test_a_step_is_verified_once_for_each_plan(monkeypatch):
    made = []
    init = runner.Expected.__init__
    monkeypatch.setattr(
        runner.Expected, "__init__", lambda self, *args: made.append(1) or init(self, *args)
    )
    session = fed("cpu", verify=True)
    for _ in range(3):
        session.step()
    assert len(made) == 1
    session.set_adam(1e-3)
    session.step()
    session.set_rate(1e-4)
    session.step()
    assert len(made) == 2


def test_verification_changes_nothing():
    plain, verified = fed("cpu"), fed("cpu", verify=True)
    for session in (plain, verified):
        session.set_adam(1e-2)
        for _ in range(3):
            session.step()
    for name in plain.param_names():
        np.testing.assert_array_equal(plain.get_parameter(name), verified.get_parameter(name))


def test_there_is_nothing_to_tell():
    session = fed("cpu")
    session.step()
    with pytest.raises(mg.SessionError, match="nothing was compared"):
        session.verification()


def test_a_wrong_number_shows():
    assert relative_error(np.array([1.0, 2.5]), np.array([1.0, 2.0])) == 0.25
    assert relative_error(np.array([0.5]), np.array([0.0])) == 0.5
    assert np.isnan(relative_error(np.array([np.nan]), np.array([1.0])))
    assert relative_error(np.array([np.nan, -np.inf, 1.0]), np.array([np.nan, -np.inf, 1.0])) == 0
    assert relative_error(np.array([np.inf, 1.0]), np.array([5.0, 1.0])) == np.inf
