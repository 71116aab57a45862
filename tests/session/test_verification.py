"""``verify=True``: the first step of a plan beside the reference."""

from __future__ import annotations

import numpy as np
import pytest

import meganeura as mg
from meganeura import runner
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
