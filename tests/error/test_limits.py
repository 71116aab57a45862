"""Mistakes that once went through: positions beyond what floats tell apart, updates of what is no
leaf, layers of what is no graph."""

from __future__ import annotations

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
