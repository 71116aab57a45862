"""New values of leaves in place of the old ones, by kernels of products too."""

from __future__ import annotations

import numpy as np
import pytest

import meganeura as mg
from tests.helpers.devices import on_all_devices


def trained(device: str, rows: int, rule: mg.Optimizer, steps: int = 3) -> mg.Session:
    g = mg.Graph()
    x, y = g.input("x", [rows, 40]), g.input("y", [rows, 24])
    w = g.parameter("w", [40, 24])
    g.set_outputs([g.mse_loss(g.matmul(x, w), y)])
    session = mg.build_session(g, device)
    session.set_optimizer(rule)
    rng = np.random.default_rng(0)
    session.set_parameter("w", rng.normal(size=(40, 24)))
    session.set_input("x", rng.normal(size=(rows, 40)))
    session.set_input("y", rng.normal(size=(rows, 24)))
    for _ in range(steps):
        session.step()
    return session


@pytest.mark.parametrize("rows", [3, 100, 5000])
@pytest.mark.parametrize("rule", [mg.Sgd(0.3), mg.Momentum(0.1), mg.Adam(0.01)])
@on_all_devices
def test_weights_are_what_the_reference_says(device, rows, rule):
    """With 5000 rows a sum is formed in parts, which are kept where its result will be."""
    found, expected = trained(device, rows, rule), trained("reference:float64", rows, rule)
    for read in ("get_parameter", "read_param_grad"):
        a, b = (getattr(session, read)("w") for session in (found, expected))
        # Three steps, each with sums of so many products, and a chain of eight ops in float32.
        np.testing.assert_allclose(a, b, atol=3 * 6e-8 * np.sqrt(rows) * 8 * abs(b).max())


def test_a_product_writes_over_the_weights_that_it_trains():
    with trained("cpu", 100, mg.Sgd(0.3)) as session:
        plan = session.plan()
        slot = plan.slots[plan.leaves["w"]]
        writers = [d.label for d in plan.dispatches if any(plan.slots[v] == slot for v in d.writes)]
    assert len(writers) == 1 and writers[0].startswith("matmul[40, 24]")
