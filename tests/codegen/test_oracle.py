"""Schedules against the oracle: each case's kernels run as loop IR in Python, strictly in bounds,
and give what the reference gives. A wrong number on a device is then the renderer's."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

from meganeura import Graph, interpret
from meganeura.codegen.interpret import run
from meganeura.compiler import Compiled, compile_graph
from meganeura.kernel.target import GPU, Target
from tests.helpers.gradcheck import feeds_of, leaf
from tests.ops.cases import CASES
from tests.ops.table import Case

TARGETS = {"cpu": Target("cpu", lanes=4), "gpu": GPU}


def one_for_each_op() -> list[Case]:
    """The oracle is slow: of each op the case with the fewest elements, and all of `concat`."""
    smallest: dict[str, Case] = {}
    for case in sorted(CASES, key=lambda c: -sum(prod(t.shape) for t in c.inputs)):
        if case.op not in ("attention_grad_bias", "cached_attention"):
            smallest[case.op] = case
    return [*smallest.values(), *(c for c in CASES if c.op in ("concat", "pad", "max_pool_2d"))]


def run_plan(compiled: Compiled, feeds: dict[str, np.ndarray]) -> dict[int, np.ndarray]:
    """Every dispatch through the interpreter, each value in an array of its own."""
    plan = compiled.plan
    values = {v: np.zeros(ty.num_elements()) for v, ty in plan.types.items()}
    for name, v in plan.leaves.items():
        values[v] = np.array(feeds[name], np.float64).ravel()
    for v, data in plan.constants.items():
        values[v] = np.frombuffer(data, plan.types[v].dtype.numpy).astype(np.float64)
    for number, dispatch in enumerate(plan.dispatches):
        kernel = compiled.kernels[compiled.kernel_of[number]]
        buffers = [values[v] for v in (*dispatch.reads, *dispatch.writes)]
        rest = kernel.buffers[len(buffers) :]
        buffers += [
            np.array([dispatch.length]) if b.kind == "length" else np.full(b.elements, np.nan)
            for b in rest
        ]
        run(kernel, buffers, dispatch.tasks)
    return values


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", one_for_each_op(), ids=str)
def test_loops_give_what_the_reference_gives(case: Case, target: str):
    rng = np.random.default_rng(5)
    arrays = [tensor.draw(rng) for tensor in case.inputs]
    graph = Graph()
    leaves = [leaf(graph, i, a, trainable=False) for i, a in enumerate(arrays)]
    graph.set_outputs([case.build(graph, *leaves)])
    feeds = feeds_of(arrays, graph)
    compiled = compile_graph(graph, TARGETS[target])
    values = run_plan(compiled, feeds)
    found = values[compiled.plan.results[graph.outputs()[0].id]]
    (expected,) = interpret(graph, feeds, np.float64)
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-10, atol=1e-10)
