"""How long each dispatch takes, on devices that tell."""

from __future__ import annotations

import pytest

from meganeura import DeviceError, build_session
from meganeura.models.sd_unet import SDUNetConfig
from tests.helpers.devices import needs_gpu
from tests.helpers.sessions import feed
from tests.helpers.unet import draw, training_graph

CONFIG = SDUNetConfig(1, 2, 8, 2, 8, 4, 1e-5)


def losses(device: str, timed: bool) -> list[float]:
    """The losses of some steps by Adam; between two of them dispatches are timed, or not."""
    found = []
    graph = training_graph(CONFIG)
    weights, data = draw(CONFIG)
    with build_session(graph, device) as session:
        session.set_adam(1e-2)
        feed(session, graph, weights | data)
        for i in range(4):
            session.step()
            session.wait()
            if i == 1 and timed:
                times = session.time_dispatches()
                assert len(times) == len(session.plan().dispatches)
                assert min(times) >= 0 and sum(times) > 0
            found.append(session.read_loss())
    return found


@pytest.mark.parametrize("device", ["cpu", pytest.param("gpu", marks=needs_gpu)])
def test_timing_changes_nothing(device):
    assert losses(device, timed=True) == losses(device, timed=False)


def test_a_device_that_does_not_tell_says_so():
    graph = training_graph(CONFIG)
    with build_session(graph, "reference") as session, pytest.raises(DeviceError, match="how long"):
        session.time_dispatches()
