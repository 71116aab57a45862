"""What reads too many operands is cut into parts that do not, and gives the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from meganeura import Graph, Value, interpret
from meganeura.compiler import compile_graph
from meganeura.kernel.target import GPU
from tests.codegen.test_oracle import run_plan


def behind_each_other(g: Graph, count: int) -> Value:
    """Tensors behind one another: whoever reads them reads them all."""
    return g.concatenate([g.input(f"x{i}", (2, 3)) for i in range(count)], 0)


def one_after_another(g: Graph, value: Value) -> Value:
    """What goes on with a value, and reads a tensor at each step."""
    for i in range(12):
        value = g.tanh(value * g.input(f"x{i}", value.shape))
    return value


def twice_at_other_places(g: Graph) -> Value:
    """What reads eight tensors, and all of them again elsewhere."""
    value = g.pad(one_after_another(g, g.input("x", (50,))), [1], [7])
    return value[:29] + value[29:]


def an_image(g: Graph) -> Value:
    return g.conv2d(g.input("x", [1, 2, 5, 5]), g.input("w", [3, 2, 3, 3]), padding=1)


GRAPHS: dict[str, Callable[[Graph], Value]] = {
    "pointwise": lambda g: g.tanh(behind_each_other(g, 14)),
    "copy": lambda g: behind_each_other(g, 30),
    "sum": lambda g: g.sum(behind_each_other(g, 9), 0),
    "norm": lambda g: g.softmax(behind_each_other(g, 12)),
    "product": lambda g: behind_each_other(g, 9) @ g.transpose(behind_each_other_too(g)),
    "at two places": twice_at_other_places,
    "after a product": lambda g: one_after_another(g, an_image(g)),
    "after a norm": lambda g: one_after_another(g, g.softmax(g.input("x", (4, 7)))),
    "after a sum": lambda g: one_after_another(g, g.sum_all(g.input("x", (7,)))),
    "within a norm": lambda g: (
        g.input("x", (4, 7)) - one_after_another(g, g.sum(g.input("x'", (4, 7)), 1, True))
    ),
    "as many as there may be": lambda g: g.tanh(behind_each_other(g, 7)),
}


def behind_each_other_too(g: Graph) -> Value:
    return g.concatenate([g.input(f"y{i}", (1, 3)) for i in range(8)], 0)


@pytest.mark.parametrize("name", GRAPHS)
def test_no_kernel_has_more_operands_than_there_may_be(name: str):
    graph = Graph()
    graph.set_outputs([GRAPHS[name](graph)])
    rng = np.random.default_rng(0)
    leaves = [node for node in graph.nodes() if node.name is not None]
    feeds = {str(node.name): rng.normal(size=node.ty.shape) for node in leaves}
    compiled = compile_graph(graph, GPU)
    most = max(len(dispatch.reads) for dispatch in compiled.plan.dispatches)
    assert most <= (GPU.most_operands or 0)
    values = run_plan(compiled, feeds)
    found = values[compiled.plan.results[graph.outputs()[0].id]]
    (expected,) = interpret(graph, feeds, np.float64)
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-10, atol=1e-10)


def test_what_fits_is_left_alone():
    graph = Graph()
    graph.set_outputs([GRAPHS["as many as there may be"](graph)])
    assert len(compile_graph(graph, GPU).plan.dispatches) == 1
