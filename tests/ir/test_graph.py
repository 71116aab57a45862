"""Graphs: handles, roots, toposort, the place where a node was made."""

from __future__ import annotations

import math

import numpy as np
import pytest

from meganeura import (
    DType,
    Graph,
    GraphError,
    HandleError,
    InternalError,
    NodeId,
    TensorType,
    interpret,
)
from meganeura.ir.verify import verify
from meganeura.ops.arithmetic import Add


def test_types():
    ty = TensorType.f32([32, 784])
    assert (ty.num_elements(), ty.size_bytes(), ty.rank()) == (25088, 100352, 2)
    assert (DType.F32.size_bytes(), DType.U32.size_bytes()) == (4, 4)
    assert str(TensorType((2,), DType.U32)) == "u32[2]"
    assert TensorType.f32([4, 3]).rank() == 2


def test_handles_are_numbers_of_their_graph():
    g, other = Graph(), Graph()
    a, b = g.input("a", [2]), g.input("b", [2])
    assert isinstance(a, NodeId)
    assert a == 0 and b == 1 and hash(b) == hash(1)
    assert sorted([b, a], key=int) == [a, b] and np.arange(3)[b] == 1 and np.int64(1) == b
    assert {0: "first"}[a] == "first" and g.nodes()[b].name == "b" and int(b) == 1
    assert g.node(1) is g.node(b)
    foreign = other.input("a", [2])
    assert a != foreign
    with pytest.raises(GraphError, match="belongs to another graph"):
        g.add(a, foreign)


def test_operators_write_nodes():
    g = Graph()
    x, w = g.input("x", [2, 3]), g.input("w", [3, 2])
    y = 1 - (x @ w + 0.5) * 2 / 4 - (-(x @ w)) ** 2
    y = abs(np.float32(2) * y + np.float64(1))
    g.set_outputs([y, x.T, x[1], x[:, 1:], x[0, 2]])
    data = {"x": np.arange(6.0).reshape(2, 3), "w": np.ones((3, 2))}
    p = data["x"] @ data["w"]
    found = interpret(g, data, np.float64)
    expected = abs(2 * (1 - (p + 0.5) * 2 / 4 - p**2) + 1)
    for a, b in zip(
        found,
        [expected, data["x"].T, data["x"][1], data["x"][:, 1:], data["x"][0, 2]],
        strict=True,
    ):
        np.testing.assert_allclose(a, b)


NUMBERS = {
    "float": float,
    "complex": complex,
    "math.sqrt": math.sqrt,
    "math.floor": math.floor,
    "math.trunc": math.trunc,
    "round": round,
    "bool": bool,
    "max": lambda y: max(y, 0),
    "min of nodes": lambda y: min(y, y + 1.0),
    "y > 0": lambda y: y > 0,
    "y <= 0.5": lambda y: y <= 0.5,
    "a NumPy number < y": lambda y: np.float32(0) < y,
    "sorted": lambda y: sorted([y, y]),
    "a format": lambda y: f"{y:.4f}",
    "percent": lambda y: "%.4f" % y,  # noqa: UP031
    "np.sqrt": np.sqrt,
    "np.maximum": lambda y: np.maximum(y, 0),
    "np.sum": np.sum,
    "np.mean": np.mean,
    "np.asarray": np.asarray,
    "np.float32": np.float32,
    "np.stack": lambda y: np.stack([y, y]),
    "an array of nodes": lambda y: np.array([y, y]),
    "an array @ y": lambda y: np.ones((3, 2)) @ y,
    "in place": lambda y: np.add(np.ones(2), y, out=np.ones(2)),
}


@pytest.mark.parametrize("use", NUMBERS.values(), ids=NUMBERS)
def test_a_handle_is_not_a_number(use):
    g = Graph()
    y = g.relu(g.input("x", [2, 3]))
    before = len(g)
    with pytest.raises(HandleError) as caught:
        use(y)
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, GraphError)
    assert caught.value.hint and caught.value.where.file == __file__
    assert len(g) <= before + 2  # none but those of the test's own arithmetic


def test_a_node_knows_the_users_line():
    g = Graph()
    x = g.input("x", [2])
    y = g.silu(x)  # this line
    assert y.node.where is not None
    assert y.node.where.file == __file__
    with open(__file__, encoding="utf-8") as source:
        assert "# this line" in source.readlines()[y.node.where.line - 1]


def test_toposort_drops_dead_nodes_and_keeps_order():
    g = Graph()
    x = g.input("x", [2])
    dead = g.exp(x)
    g.relu(dead)
    y = g.tanh(x)
    g.set_outputs([y])
    compact = g.toposort()
    assert [n.op.name for n in compact.nodes()] == ["input", "tanh"]
    assert [n.id for n in compact.nodes()] == [0, 1]
    assert all(i < n.id for n in compact.nodes() for i in n.inputs)
    assert len(g) == 4  # the original is untouched


def test_an_output_may_also_be_an_intermediate_and_be_named_twice():
    g = Graph()
    x = g.input("x", [2])
    y = g.exp(x)
    g.set_outputs([g.log(y), y, y])
    outs = interpret(g.toposort(), {"x": [1.0, 2.0]})
    np.testing.assert_array_equal(outs[1], outs[2])


def test_verify_catches_a_node_of_the_wrong_type(tmp_path):
    g = Graph()
    x = g.input("x", [2])
    g.append(Add(), [x.id, x.id], TensorType.f32([3]), None)
    with pytest.raises(InternalError, match=r"it is f32\[3\] and should be f32\[2\]") as caught:
        verify(g, "a test")
    assert "report it with" in str(caught.value)


@pytest.mark.parametrize(
    ("feeds", "words"),
    [
        ({}, "was given no data"),
        ({"x": [1, 2, 3]}, "the data has shape [3]"),
        ({"x": ["a", "b"]}, "elements of type"),
        ({"x": [1, 2], "y": 1}, "no leaf named 'y'"),
        ({"x": [[1], [2, 3]]}, "not a regular array"),
        ({"x": [1j, 2]}, "complex"),
    ],
)
def test_interpret_checks_what_it_is_fed(feeds, words):
    g = Graph()
    g.set_outputs([g.relu(g.input("x", [2]))])
    with pytest.raises(GraphError) as caught:
        interpret(g, feeds)
    assert words in str(caught.value)


def test_indices_out_of_range_are_caught_before_anything_runs():
    g = Graph()
    tokens = g.input_u32("tokens", [2, 2])
    flat = g.reshape(tokens, [4])
    g.set_outputs([g.embedding(flat[1:], g.parameter("table", [5, 2]))])
    table = np.zeros((5, 2))
    with pytest.raises(GraphError, match=r'embedding: indices out of range: "tokens" holds 5'):
        interpret(g, {"tokens": [[0, 1], [5, 2]], "table": table})
    with pytest.raises(GraphError, match="must be whole numbers"):
        interpret(g, {"tokens": [[0, 1], [-1, 2]], "table": table})


def test_a_cache_is_read_as_it_was_last_written():
    g = Graph()
    cache, pos = g.state("cache", [2, 1]), g.input_u32("pos", [1])
    before = g.sum_all(cache)
    first = g.cache_write(g.full(1.0, (1, 1)), cache, pos)
    middle = g.sum_all(cache)
    g.cache_write(g.full(2.0, (1, 1)), first, pos)
    after = g.sum_all(cache) + g.sum_all(first)
    g.set_outputs([before, middle, after])
    outs = interpret(g, {"cache": np.zeros((2, 1)), "pos": [1]})
    assert [float(o[0]) for o in outs] == [0.0, 1.0, 4.0]
    assert list(g.updates()) == [cache.id] and len(g.updates()) == 1


def test_a_number_that_no_float_holds():
    g = Graph()
    with pytest.raises(GraphError, match="an operand must be a handle"):
        g.input("x", [2]) * 10**400
