"""The table through everything an op must satisfy."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from meganeura import Graph, GraphError, InternalError, differentiate, interpret
from meganeura.ir.op import REGISTRY
from tests.helpers.gradcheck import check_gradients, feeds_of, leaf
from tests.ops.bad_calls import BAD_CALLS, BadCall
from tests.ops.cases import CASES
from tests.ops.table import Case


def draw(case: Case) -> tuple[list[np.ndarray], np.random.Generator]:
    """The case's operands; the same in every run."""
    rng = np.random.default_rng(zlib.crc32(str(case).encode()))
    return [tensor.draw(rng) for tensor in case.inputs], rng


def graph_of(case: Case, arrays: list[np.ndarray], trainable: bool = False) -> Graph:
    graph = Graph()
    leaves = [leaf(graph, i, a, trainable) for i, a in enumerate(arrays)]
    graph.set_outputs([case.build(graph, *leaves)])
    return graph


@pytest.mark.parametrize("case", CASES, ids=str)
def test_forward_matches_an_independent_formula(case: Case):
    arrays, _ = draw(case)
    graph = graph_of(case, arrays)
    (found,) = interpret(graph, feeds_of(arrays, graph), np.float64)
    expected = np.asarray(case.formula(*arrays))
    assert found.shape == expected.shape == graph.outputs()[0].shape
    np.testing.assert_allclose(found, expected, rtol=case.tolerance, atol=case.tolerance)


@pytest.mark.parametrize("case", [c for c in CASES if not c.refuses_gradient], ids=str)
def test_gradient_matches_central_differences(case: Case):
    arrays, rng = draw(case)
    check_gradients(case.build, arrays, rng)


@pytest.mark.parametrize("case", [c for c in CASES if c.refuses_gradient], ids=str)
def test_refused_gradients_say_so(case: Case):
    arrays, _ = draw(case)
    graph = graph_of(case, arrays, trainable=True)
    graph.set_outputs([graph.sum_all(graph.outputs()[0])])
    with pytest.raises(GraphError, match="has no gradient, and a parameter's gradient needs one"):
        differentiate(graph)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_text_parses_back_to_an_equal_graph(case: Case):
    graph = graph_of(case, draw(case)[0])
    assert Graph.parse(graph.text()) == graph
    assert Graph.parse(graph.text(locations=True)).text() == graph.text()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_float32_is_close_to_float64(case: Case):
    # A smoke test of dtype handling: no op may leave float32, or lose all of its digits.
    arrays, _ = draw(case)
    graph = graph_of(case, arrays)
    (single,) = interpret(graph, feeds_of(arrays, graph), np.float32)
    (double,) = interpret(graph, feeds_of(arrays, graph), np.float64)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, double, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("bad", BAD_CALLS, ids=str)
def test_bad_calls_raise_what_is_wrong(bad: BadCall):
    with pytest.raises(GraphError) as caught:
        bad.call(Graph())
    assert not isinstance(caught.value, InternalError)
    for words in bad.says:
        assert words in str(caught.value)
    assert caught.value.where is not None
    assert caught.value.where.file.endswith("bad_calls.py")


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_every_op_has_a_case_and_a_bad_call(name: str):
    assert any(case.op == name for case in CASES), f"add a line for {name} to tests/ops/cases"
    assert any(bad.op == name for bad in BAD_CALLS), f"add a bad call of {name}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cases_use_the_op_they_name(case: Case):
    graph = graph_of(case, draw(case)[0])
    assert any(node.op.name == case.op for node in graph.nodes()) or case.op == "parameter"
