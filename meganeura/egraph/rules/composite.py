"""What is one op under a name of its own, found when it is written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ir.composite import CompositeOp
from ...ir.expand import expanded_definition
from ...ir.graph import Graph, Node
from ..rule import SAME, Fragment, Rule, rewrite


def _definitions(graph: Graph, nodes: Sequence[Node]) -> Iterator[Fragment]:
    """An op that is given by a definition equals it. A definition depends on the operands' types,
    which no pattern says."""
    for node in nodes:
        if isinstance(node.op, CompositeOp):
            types = tuple(graph.node(i).ty for i in node.inputs)
            yield Fragment(expanded_definition(node.op, types), node.inputs, (node.id,))


LAST_AXIS = (
    "(= a (vec-of (- (vec-length (type x)) 2)))",
    "(<= 3 (vec-length (type x)))",
)
"""``a`` is the last axis of x, which has two at least."""

MEAN = (
    *LAST_AXIS,
    "(= n (vec-get (type x) (- (vec-length (type x)) 1)))",
    "(= c (/ 1.0 (to-f64 n)))",
)
"""``n`` is the length of x's rows, ``c`` what makes their sums means."""

RULES: tuple[Rule, ...] = (
    Rule("composite/definition", exact=False, find=_definitions),
    rewrite("composite/silu", "(Mul x (Sigmoid x))", "(Silu x)"),
    rewrite("composite/swiglu", "(Mul (Silu x) y)", "(Swiglu x y)"),
    rewrite(
        "composite/sigmoid",
        "(Recip (Add (Exp (Neg x)) (Full 1.0 t)))",
        "(Sigmoid x)",
        SAME,
        exact=False,
    ),
    rewrite(
        "composite/softmax",
        "(Div y (Sum a true y))",
        "(Softmax x)",
        "(= y (Exp (Sub x (Max a true x))))",
        *LAST_AXIS,
        exact=False,
    ),
    rewrite(
        "composite/log-softmax",
        "(Sub y (Log (Sum a true (Exp y))))",
        "(LogSoftmax x)",
        "(= y (Sub x (Max a true x)))",
        *LAST_AXIS,
        exact=False,
    ),
    rewrite(
        "composite/rms-norm",
        "(Mul (Mul x (Rsqrt (Add (Mul (Sum a true (Mul x x)) (Full c s)) (Full eps t)))) w)",
        "(RmsNorm eps x w)",
        *MEAN,
        SAME,
        "(= (type w) (vec-of 0 n))",
        "(> eps 0.0)",
        exact=False,
    ),
    rewrite(  # The rest of a layer norm is the other norm.
        "composite/layer-norm",
        "(Add (RmsNorm eps (Sub x (Mul (Sum a true x) (Full c s))) w) b)",
        "(LayerNorm eps x w b)",
        *MEAN,
        SAME,
        "(value-eq (type w) (type b))",
        exact=False,
    ),
)
