"""Our own exp, log, tanh, sigmoid, erf, sin, cos and pow as compiled code computes them."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import Graph, build_inference_session
from meganeura.scalar.approximate import APPROXIMATIONS
from meganeura.scalar.evaluate import evaluate
from tests.helpers.devices import CPUS, on_all_devices
from tests.helpers.ulp import check_error, sweep
from tests.scalar.powers import check_powers, random_pairs, special_pairs

OF_ONE_ARGUMENT = [name for name in APPROXIMATIONS if name != "pow"]
NORMAL, DENORMAL = 2.0**-126, 2.0**-149
_ENDS = [0.0, np.inf, NORMAL, DENORMAL, 3e38]
SPECIAL = np.array([np.nan, *_ENDS, *(-end for end in _ENDS)], np.float32)


def run(name: str, device: str, length: int, *arrays: np.ndarray) -> np.ndarray:
    """A graph of the one op, on a device, with as many values in a step as ``length`` says."""
    g = Graph()
    inputs = [g.input(f"x{i}", [length]) for i in range(len(arrays))]
    g.set_outputs([getattr(g, name)(*inputs)])
    found = []
    with build_inference_session(g, device) as session:
        for parts in zip(*(array.reshape(-1, length) for array in arrays), strict=True):
            for i, part in enumerate(parts):
                session.set_input(f"x{i}", part)
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


@on_all_devices
@pytest.mark.parametrize("name", OF_ONE_ARGUMENT)
def test_vectors_hold_the_limits(name, device):
    x = np.concatenate([SPECIAL, sweep(name)])
    check(name, x, run(name, device, x.size, x))


@pytest.mark.parametrize("device", CPUS)
@pytest.mark.parametrize("name", OF_ONE_ARGUMENT)
def test_values_too_few_for_a_vector_hold_the_limits(name, device):
    x = np.concatenate([SPECIAL, sweep(name, 1000)])
    few = 3
    x = x[: x.size // few * few]
    check(name, x, run(name, device, few, x))


@on_all_devices
def test_what_is_out_of_range_is_zero_rather_than_noise(device):
    low = np.array([-86.99, -87.5, -100.0, -1e30, -np.inf], np.float32)
    assert not run("exp", device, low.size, low).any()


@on_all_devices
def test_powers_are_as_in_numpy(device):
    x, y = np.concatenate([special_pairs(), random_pairs()], axis=1)
    check_powers(x, y, run("pow", device, x.size, x, y))


@pytest.mark.parametrize("device", CPUS)
def test_powers_too_few_for_a_vector_are_as_in_numpy(device):
    x, y = np.concatenate([special_pairs(), random_pairs(500)], axis=1)
    few = 3
    x, y = (values[: values.size // few * few] for values in (x, y))
    check_powers(x, y, run("pow", device, few, x, y))
