"""Uses of a value: as which operand, and with which axes."""

from __future__ import annotations

from meganeura import Graph
from meganeura.initialize import usual_start
from meganeura.ir.op import Initial
from meganeura.ops.use import uses


def found(g: Graph, name: str) -> list[tuple[str, str, tuple[int, ...] | None]]:
    return [(u.user.op.name, u.operand, u.axes) for u in uses(g, g.leaf(name).node)]


def test_a_value_may_be_used_in_many_ways():
    g = Graph()
    x, w = g.input("x", [3, 3]), g.parameter("w", [3, 3])
    x @ w, w.T @ x, w * w, g.relu(g.reshape(w, [9]))
    assert sorted(found(g, "w"), key=str) == [
        ("matmul", "a", (1, 0)),
        ("matmul", "b", (0, 1)),
        ("mul", "x", (0, 1)),
        ("mul", "y", (0, 1)),
        ("relu", "x", None),
    ]


def test_axes_are_followed_through_what_moves_them():
    g = Graph()
    w = g.parameter("w", [2, 3, 4])
    g.relu(g.stop_gradient(g.permute(g.slice(w, [0, 0, 0], [1, 3, 4]), [2, 0, 1])))
    g.abs(g.permute(g.permute(w, [2, 0, 1]), [1, 2, 0]))
    assert sorted(found(g, "w")) == [("abs", "x", (0, 1, 2)), ("relu", "x", (2, 0, 1))]


def test_a_value_that_nothing_reads_has_no_use():
    g = Graph()
    g.parameter("w", [2])
    assert found(g, "w") == []


def test_a_frozen_or_sliced_parameter_starts_as_any_other():
    g = Graph()
    x, w, b = g.input("x", [5, 7]), g.parameter("w", [7, 4]), g.parameter("b", [4])
    (x @ g.slice(w, [0, 0], [7, 2])) + g.slice(g.stop_gradient(b), [0], [2])
    assert usual_start(g, w.node) == Initial("uniform", 7)
    assert usual_start(g, b.node) == Initial("zeros")
