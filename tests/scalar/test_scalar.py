"""Scalar expressions: every operator's derivatives, and the simplifications."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura.ir.op import REGISTRY
from meganeura.ir.pointwise import PointwiseOp
from meganeura.ops.graph import Graph  # noqa: F401  (declares the ops)
from meganeura.scalar.calculus import ONE, ZERO, derivative, product, total
from meganeura.scalar.evaluate import evaluate
from meganeura.scalar.expr import Call, Const, Var, substitute, variables, where
from meganeura.scalar.table import SCALAR_OPS


@pytest.mark.parametrize("name", sorted(SCALAR_OPS))
def test_partial_derivatives_match_central_differences(name):
    arity = SCALAR_OPS[name].arity
    rng = np.random.default_rng(1)
    xs = [rng.uniform(0.3, 2.0, 50) for _ in range(arity)]
    expr = Call(name, variables(arity))
    for i in range(arity):
        ends = [evaluate(expr, [*xs[:i], xs[i] + h, *xs[i + 1 :]]) for h in (1e-6, -1e-6)]
        slope = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose(evaluate(derivative(expr, i), xs), slope, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("name", sorted(SCALAR_OPS))
def test_every_operator_is_an_op_of_the_same_name_and_meaning(name):
    """Derivatives are written into graphs by these names."""
    op = REGISTRY[name]()
    assert isinstance(op, PointwiseOp)
    assert op.formula(*variables(SCALAR_OPS[name].arity)) == Call(
        name, variables(SCALAR_OPS[name].arity)
    )


def test_simplification():
    x, y = variables(2)
    assert product(ONE, x) == x and product(x, ZERO) == ZERO
    assert product(Const(-1.0), x) == -x and product(-x, -y) == x * y
    assert product(x, where(y, 1.0, 0.0)) == where(y, x, 0.0)
    assert total(ZERO, x) == x and total(x, -y) == x - y
    assert product(Const(2.0), Const(3.0)) == Const(6.0)
    assert derivative(x * 3 + y, 1) == ONE


def test_substitute_and_text():
    x, y = variables(2)
    assert substitute(x / y, [y, x]) == y / x
    assert str(1 - x * 2) == "sub(1.0, mul(x0, 2.0))"
    assert Var(0) != Var(1)


def test_evaluation_keeps_the_precision_of_its_inputs():
    (x,) = variables(1)
    for dtype in (np.float32, np.float64):
        assert evaluate(x * 0.1 + 2, [np.ones(3, dtype)]).dtype == dtype


def test_sigmoid_is_stable_at_both_ends():
    found = evaluate(Call("sigmoid", variables(1)), [np.array([-1000.0, 0.0, 1000.0])])
    np.testing.assert_array_equal(found, [0.0, 0.5, 1.0])
