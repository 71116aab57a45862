"""Identities of arithmetic. ``(Full c t)`` is the number c everywhere; operands broadcast, so what
drops one must see that the other has the result's type already."""

from __future__ import annotations

from ..rule import Rule, rewrite

SAME = "(= (type e) (type x))"
TYPED = "(= u (type e))"

RULES: tuple[Rule, ...] = (
    rewrite("algebra/double-negation", "(Neg (Neg x))", "x"),
    rewrite("algebra/times-one", "(Mul x (Full 1.0 t))", "x", SAME),
    rewrite("algebra/plus-zero", "(Add x (Full 0.0 t))", "x", SAME),
    rewrite("algebra/minus-zero", "(Sub x (Full 0.0 t))", "x", SAME),
    rewrite("algebra/over-one", "(Div x (Full 1.0 t))", "x", SAME),
    rewrite("algebra/times-minus-one", "(Mul x (Full -1.0 t))", "(Neg x)", SAME),
    rewrite("algebra/plus-negative", "(Add x (Neg y))", "(Sub x y)"),
    rewrite("algebra/minus-negative", "(Sub x (Neg y))", "(Add x y)"),
    rewrite("algebra/two-negatives", "(Mul (Neg x) (Neg y))", "(Mul x y)"),
    # Numbers are worked out in double precision, so a product of two is rounded once less.
    rewrite("algebra/fold-add", "(Add (Full a s) (Full b t))", "(Full (+ a b) u)", TYPED),
    rewrite("algebra/fold-sub", "(Sub (Full a s) (Full b t))", "(Full (- a b) u)", TYPED),
    rewrite("algebra/fold-mul", "(Mul (Full a s) (Full b t))", "(Full (* a b) u)", TYPED),
    rewrite("algebra/fold-neg", "(Neg (Full a t))", "(Full (* -1.0 a) t)"),
    rewrite(
        "algebra/scale-twice",
        "(Mul (Mul x (Full a s)) (Full b t))",
        "(Mul x (Full (* a b) (vec-of 0)))",
        SAME,
        exact=False,
    ),
    rewrite(
        "algebra/sum-of-scaled",
        "(Sum axes keep (Mul x (Full a (vec-of 0))))",
        "(Mul (Sum axes keep x) (Full a (vec-of 0)))",
        exact=False,
    ),
    rewrite("algebra/sum-of-negative", "(Sum axes keep (Neg x))", "(Neg (Sum axes keep x))"),
    rewrite("algebra/one-over-root", "(Recip (Sqrt x))", "(Rsqrt x)", exact=False),
    rewrite("algebra/over-root", "(Div x (Sqrt y))", "(Mul x (Rsqrt y))", exact=False),
)
