"""Mistakes with sessions, files and sizes: refused by an error of ours on the user's line."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import (
    Graph,
    InternalError,
    MeganeuraError,
    MnistDataset,
    Session,
    SessionConfig,
    append_update,
    build,
    build_inference_session,
    build_session,
    build_session_cached,
    differentiate,
    interpret,
)
from tests.session.builders import WEIGHT, least_squares, make_session, train


def ready(**config: object) -> Session:
    session = make_session(**config)
    train(session, [0])
    return session


def graph_of(make) -> Graph:
    """A graph whose only output is the sum of ``make(g)``."""
    g = Graph()
    g.set_outputs([g.sum_all(make(g))])
    return g


MISTAKES = {
    # Names
    "a name that is a list": lambda: ready().set_input(["x"], [0]),
    "a name that is a dictionary": lambda: ready().get_parameter({}),
    "a name that is a number": lambda: ready().set_parameter(0, [0]),
    "no name": lambda: ready().set_input(None, [0]),
    "a handle for a name": lambda: ready().set_input(least_squares().leaf("x"), [0]),
    # Results
    "an output by name": lambda: ready().read_output("loss"),
    "no output": lambda: ready().read_output(None),
    "a fractional output": lambda: ready().read_output(0.5),
    # Building
    "no graph": lambda: build_session(None),
    "text for a graph": lambda: build_session("x @ w"),
    "a class for a graph": lambda: build_inference_session(Graph),
    "no configuration": lambda: build(least_squares(), None),
    "a device for a configuration": lambda: build(least_squares(), "reference"),
    "no device": lambda: build_session(least_squares(), None),
    "a number for a device": lambda: build_session(least_squares(), 0),
    "no folder": lambda: build_session_cached(least_squares(), None),
    "a number for a folder": lambda: build_session_cached(least_squares(), 0),
    "a list for a folder": lambda: build_session_cached(least_squares(), ["cache"]),
    "no graph, but a folder": lambda: build_session_cached(None, "cache"),
    "a folder left out": lambda: build_session_cached(least_squares()),
    "a truth for a cache": lambda: SessionConfig(cache=True),
    "training that is a word": lambda: SessionConfig(training="no"),
    "differentiate nothing": lambda: differentiate(None),
    "differentiate without outputs": lambda: differentiate(Graph()),
    "update without gradients": lambda: append_update(least_squares(), "adam"),
    "update by a word": lambda: append_update(differentiate(least_squares()), "adam"),
    # Interpreting
    "interpret without data": lambda: interpret(least_squares(), {}),
    "interpret with None": lambda: interpret(least_squares(), None),
    "interpret an unknown name": lambda: interpret(least_squares(), {"z": 0}),
    "interpret with a number for a name": lambda: interpret(least_squares(), {0: 0}),
    # Files
    "save nowhere": lambda: ready().save_checkpoint(None),
    "save to a number's place": lambda: ready().save_checkpoint(1.5),
    "save to a name with a zero byte": lambda: ready().save_checkpoint("a\0b"),
    "load nothing": lambda: ready().load_checkpoint(None),
    "load a number": lambda: ready().load_checkpoint(1.5),
    "load a name with a zero byte": lambda: ready().load_checkpoint("a\0b"),
    "digits from nowhere": lambda: MnistDataset.load(None, None),
    "digits from a name with a zero byte": lambda: MnistDataset.load_gz("a\0b", "a\0b"),
    # Sizes that no machine has
    "a huge parameter": lambda: build_session(graph_of(lambda g: g.parameter("w", [10**15]))),
    "a parameter beyond counting": lambda: build_session(
        graph_of(lambda g: g.parameter("w", [10**30]))
    ),
    "a parameter of many axes": lambda: build_session(
        graph_of(lambda g: g.parameter("w", [1] * 70))
    ),
    "a huge value": lambda: build_session(
        graph_of(lambda g: g.broadcast_to(g.parameter("w", [1]), [10**30]))
    ).step(),
    # Data
    "data of another size": lambda: ready().set_input("x", np.zeros(5)),
    "data without a number": lambda: ready().set_parameter(WEIGHT, object()),
}


@pytest.mark.parametrize("make", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_refused_on_the_users_line(make):
    with pytest.raises(MeganeuraError) as caught:
        make()
    assert not isinstance(caught.value, InternalError)
    assert caught.value.where.file == __file__


@pytest.mark.parametrize(
    ("make", "shape", "data", "bound"),
    [
        (lambda g, i: g.embedding(i, g.parameter("t", [5, 2])), [3], [0, 5, 1], 4),
        (lambda g, i: g.scatter_add(i, g.parameter("s", [3, 2]), 4), [3], [9, 0, 1], 3),
        (lambda g, i: g.one_hot(i, 7), [3], [0, 0, 7], 6),
        (lambda g, i: g.cross_entropy_loss(g.parameter("l", [3, 4]), i), [3], [0, 1, 4], 3),
        (lambda g, i: g.cache_write(g.input("n", [1, 2]), g.state("c", [6, 2]), i), [1], [6], 5),
        (lambda g, i: g.one_hot(g.reshape(i, [2, 2])[0], 5), [4], [5, 0, 0, 0], 4),
    ],
)
def test_an_index_out_of_range_is_refused_when_it_is_given(make, shape, data, bound):
    g = Graph()
    indices = g.input_u32("indices", shape)
    used = make(g, indices)
    g.set_outputs([g.sum_all(used)])
    with build_inference_session(g, "reference") as session:
        with pytest.raises(MeganeuraError) as caught:
            session.set_input_u32("indices", data)
        session.set_input_u32("indices", np.minimum(data, bound))
    message = str(caught.value)
    assert f'"indices" holds {max(data)}, valid are 0 to {bound}' in message
    assert caught.value.where.file == __file__
    assert f"{__file__.rpartition('/')[2]}:{used.node.where.line}" in message


def test_every_error_prints_its_place_and_its_hint():
    with pytest.raises(MeganeuraError) as caught:
        Graph().set_outputs([])
    lines = str(caught.value).splitlines()
    assert lines[0] == caught.value.message
    assert "test_session_arguments.py" in lines[1] and lines[2].startswith("  hint: ")


def test_an_index_of_a_dead_node_limits_nothing():
    g = Graph()
    tokens = g.input_u32("tokens", [1])
    g.embedding(tokens, g.parameter("t", [2, 2]))
    g.set_outputs([g.sum_all(g.parameter("w", [2]))])
    with build_session(g, "reference") as session:
        session.set_input_u32("tokens", [9])
        session.step()
