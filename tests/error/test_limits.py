"""Mistakes that once went through: positions beyond what floats tell apart, updates of what is no
leaf, layers of what is no graph."""

from __future__ import annotations

import numpy as np
import pytest

import meganeura as mg


def test_rotary_positions_are_whole_numbers_that_floats_tell_apart():
    g = mg.Graph()
    offset = g.input_u32("offset", [1])
    g.set_outputs([g.rope_dynamic_offset(g.input("x", [4, 8]), 10000.0, offset, 8)])
    session = mg.build_inference_session(g, "cpu")
    session.set_input_u32("offset", [2**24 - 5])
    with pytest.raises(mg.GraphError, match="start out of range"):
        session.set_input_u32("offset", [2**24 - 4])


def test_an_update_is_of_a_leaf_of_this_graph():
    g, other = mg.Graph(), mg.Graph()
    w, stranger = g.parameter("w", [2]), other.parameter("w", [2])
    with pytest.raises(mg.GraphError, match="another graph"):
        g.set_update(w, stranger)
    with pytest.raises(mg.GraphError, match="is no leaf"):
        g.set_update(g.relu(w), w)


def test_layers_are_held_to_their_annotations():
    g = mg.Graph()
    with pytest.raises(mg.GraphError, match="Linear: missing a required argument"):
        mg.nn.Linear("fc", 3, 4)
    with pytest.raises(mg.GraphError, match="in_features must be a whole number"):
        mg.nn.Linear(g, "fc", 3.5, 4)


SIDE = 2**20
"""Of a square of 4 TiB."""


def outer_sum() -> mg.Graph:
    g = mg.Graph()
    square = g.input("x", [SIDE, 1]) + g.input("y", [1, SIDE])
    g.set_outputs([g.relu(square)])
    return g


@pytest.fixture
def small_memory():
    """An address space that has no room for it, also where the system promises more than it has."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (2**40, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.usefixtures("small_memory")
@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_values_that_no_memory_holds_are_told(device):
    with mg.build_inference_session(outer_sum(), device) as session:
        for name in "xy":
            session.set_input(name, np.zeros(SIDE, np.float32))
        with pytest.raises(mg.DeviceError) as caught:
            session.step()
    told = str(caught.value)
    size = 4 * SIDE**2
    assert "there is no memory for the " in told and f"({size:,} bytes)" in told
    assert f"f32[{SIDE}, {SIDE}]" in told and __file__.rpartition("/")[2] in told
    assert "hint: make the batch smaller" in told
