"""Our own exp, log, tanh, sigmoid, erf, sin and cos as compiled code computes them."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import Graph, build_inference_session
from meganeura.scalar.approximate import APPROXIMATIONS
from meganeura.scalar.evaluate import evaluate
from tests.helpers.ulp import check_error, sweep

DEVICES = ["cpu", "cpu:baseline"]
NORMAL, DENORMAL = 2.0**-126, 2.0**-149
_ENDS = [0.0, np.inf, NORMAL, DENORMAL, 3e38]
SPECIAL = np.array([np.nan, *_ENDS, *(-end for end in _ENDS)], np.float32)


def run(name: str, device: str, x: np.ndarray, length: int) -> np.ndarray:
    """A graph of the one op, on a device, with as many values in a step as ``length`` says."""
    g = Graph()
    g.set_outputs([getattr(g, name)(g.input("x", [length]))])
    found = []
    with build_inference_session(g, device) as session:
        for part in x.reshape(-1, length):
            session.set_input("x", part)
            session.step()
            found.append(session.read_output())
    return np.concatenate(found)


def check(name: str, x: np.ndarray, found: np.ndarray) -> None:
    """Errors are small, and what is not finite is what it is in NumPy."""
    check_error(name, x, found)
    with np.errstate(all="ignore"):
        expected = evaluate(APPROXIMATIONS[name], [x])
    for kind in (np.isnan, np.isposinf, np.isneginf):
        differs = kind(found) != kind(expected)
        assert not differs.any(), f"{name}({x[differs][:8]}) = {found[differs][:8]}"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", APPROXIMATIONS)
def test_vectors_hold_the_limits(name, device):
    x = np.concatenate([SPECIAL, sweep(name)])
    check(name, x, run(name, device, x, x.size))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", APPROXIMATIONS)
def test_values_too_few_for_a_vector_hold_the_limits(name, device):
    x = np.concatenate([SPECIAL, sweep(name, 1000)])
    few = 3
    x = x[: x.size // few * few]
    check(name, x, run(name, device, x, few))


@pytest.mark.parametrize("device", DEVICES)
def test_what_is_out_of_range_is_zero_or_nan_rather_than_noise(device):
    low = np.array([-86.99, -87.5, -100.0, -1e30, -np.inf], np.float32)
    assert not run("exp", device, low, low.size).any()
    far = np.array([1.7e6, -1.7e6, 1e7, 3e38, -np.inf], np.float32)
    for name in ("sin", "cos"):
        assert np.isnan(run(name, device, far, far.size)).all()
