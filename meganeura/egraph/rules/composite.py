"""What is one op under a name of its own, found when it is written out."""

from __future__ import annotations

from ..rule import Rule, rewrite

NUMBER = "(vec-of 0)"
"""The type of a single number."""

DEFINITION = Rule("composite/definition", (), ())
"""An op that is given by a definition equals it. It has no pattern: a definition depends on types,
so saturation writes it beside each such op of the graph."""

RULES: tuple[Rule, ...] = (
    DEFINITION,
    rewrite("composite/silu", "(Mul x (Sigmoid x))", "(Silu x)"),
    rewrite("composite/swiglu", "(Mul (Silu x) y)", "(Swiglu x y)"),
    rewrite(
        "composite/sigmoid",
        f"(Recip (Add (Exp (Neg x)) (Full 1.0 {NUMBER})))",
        "(Sigmoid x)",
        exact=False,
    ),
    rewrite(
        "composite/softmax",
        "(Div y (Sum a true y))",
        "(Softmax x)",
        "(= y (Exp (Sub x (Max a true x))))",
        "(= a (vec-of 1))",
        "(= 3 (vec-length (type x)))",
        exact=False,
    ),
    rewrite(
        "composite/rms-norm",
        "(Mul (Mul x (Rsqrt (Add (Mul (Sum a true (Mul x x)) (Full c s)) (Full eps t)))) w)",
        "(RmsNorm eps x w)",
        "(= a (vec-of (- (vec-length (type x)) 2)))",
        "(= 2 (vec-length (type w)))",
        "(= n (vec-get (type x) (- (vec-length (type x)) 1)))",
        "(= n (vec-get (type w) 1))",
        "(<= 3 (vec-length (type x)))",
        "(= c (/ 1.0 (to-f64 n)))",
        "(> eps 0.0)",
        exact=False,
    ),
)
