"""Identities of arithmetic. ``(Full c t)`` is the number c everywhere; operands broadcast, so what
drops one must see that the other has the result's type already.

Left out is what is not so for infinities and NaN: x · 0 = 0, x / x = 1, x − x = 0."""

from __future__ import annotations

from ..rule import NUMBER, SAME, Rule, rewrite


def _negation() -> tuple[Rule, ...]:
    """Signs move out of products and sums, and there cancel. Without the rule of equal negatives
    a value that is its own negative would have ever new ones."""
    return (
        Rule(
            "algebra/equal-negatives",
            ("(= e (Neg x))", "(= e (Neg y))", "(!= x y)"),
            ("(union x y)",),
        ),
        rewrite("algebra/double-negation", "(Neg (Neg x))", "x"),
        rewrite("algebra/times-minus-one", "(Mul x (Full -1.0 t))", "(Neg x)", SAME),
        rewrite("algebra/zero-minus", "(Sub (Full 0.0 t) x)", "(Neg x)", SAME),
        rewrite("algebra/plus-negative", "(Add x (Neg y))", "(Sub x y)"),
        rewrite("algebra/minus-negative", "(Sub x (Neg y))", "(Add x y)"),
        rewrite("algebra/negative-difference", "(Neg (Sub x y))", "(Sub y x)"),
        rewrite("algebra/two-negatives", "(Mul (Neg x) (Neg y))", "(Mul x y)"),
        rewrite("algebra/times-negative", "(Mul (Neg x) y)", "(Neg (Mul x y))"),
        rewrite("algebra/over-negative", "(Div x (Neg y))", "(Neg (Div x y))"),
        rewrite("algebra/negative-over", "(Div (Neg x) y)", "(Neg (Div x y))"),
        rewrite("algebra/negative-scaled", "(Neg (Mul x (Full a t)))", "(Mul x (Full (neg a) t))"),
        rewrite("algebra/sum-of-negative", "(Sum axes keep (Neg x))", "(Neg (Sum axes keep x))"),
        rewrite("algebra/absolute-of-negative", "(Abs (Neg x))", "(Abs x)"),
        rewrite("algebra/absolute-twice", "(Abs (Abs x))", "(Abs x)"),
    )


def _neutral() -> tuple[Rule, ...]:
    """Numbers that change nothing."""
    return (
        rewrite("algebra/times-one", "(Mul x (Full 1.0 t))", "x", SAME),
        rewrite("algebra/plus-zero", "(Add x (Full 0.0 t))", "x", SAME),
        rewrite("algebra/minus-zero", "(Sub x (Full 0.0 t))", "x", SAME),
        rewrite("algebra/over-one", "(Div x (Full 1.0 t))", "x", SAME),
        rewrite("algebra/power-one", "(Pow x (Full 1.0 t))", "x", SAME, exact=False),
    )


def _powers() -> tuple[Rule, ...]:
    """Quotients, roots and powers as what is cheapest. A quotient is rounded once, a product with
    a reciprocal twice."""
    return (
        rewrite("algebra/one-over", "(Div (Full 1.0 t) x)", "(Recip x)", SAME),
        rewrite("algebra/reciprocal-twice", "(Recip (Recip x))", "x", exact=False),
        rewrite("algebra/times-reciprocal", "(Mul x (Recip y))", "(Div x y)", exact=False),
        rewrite("algebra/over-reciprocal", "(Div x (Recip y))", "(Mul x y)", exact=False),
        rewrite(
            "algebra/over-number",
            "(Div x (Full a t))",
            "(Mul x (Full (/ 1.0 a) t))",
            "(!= a 0.0)",
            exact=False,
        ),
        rewrite("algebra/power-two", "(Pow x (Full 2.0 t))", "(Mul x x)", SAME, exact=False),
        rewrite("algebra/power-half", "(Pow x (Full 0.5 t))", "(Sqrt x)", SAME, exact=False),
        rewrite("algebra/power-minus-one", "(Pow x (Full -1.0 t))", "(Recip x)", SAME, exact=False),
        rewrite("algebra/one-over-root", "(Recip (Sqrt x))", "(Rsqrt x)", exact=False),
        rewrite("algebra/over-root", "(Div x (Sqrt y))", "(Mul x (Rsqrt y))", exact=False),
    )


def _numbers() -> tuple[Rule, ...]:
    """Numbers are worked out in double precision, so a result of two is rounded once less. The
    engine has no other functions of them."""
    typed = "(= u (type e))"
    two = "(Full a s) (Full b t)"
    positive = "(> a 0.0)"

    def fold(name: str, term: str, value: str, *when: str, exact: bool = False) -> Rule:
        facts = (typed, *when)
        return rewrite(f"algebra/fold-{name}", term, f"(Full {value} u)", *facts, exact=exact)

    return (
        # Other patterns look for numbers in the last place only; encoding puts them there.
        rewrite("algebra/number-plus", "(Add (Full a t) x)", "(Add x (Full a t))"),
        rewrite("algebra/number-times", "(Mul (Full a t) x)", "(Mul x (Full a t))"),
        fold("add", f"(Add {two})", "(+ a b)"),
        fold("sub", f"(Sub {two})", "(- a b)"),
        fold("mul", f"(Mul {two})", "(* a b)"),
        fold("div", f"(Div {two})", "(/ a b)", "(!= b 0.0)"),
        fold("maximum", f"(Maximum {two})", "(max a b)", exact=True),
        fold("minimum", f"(Minimum {two})", "(min a b)", exact=True),
        fold("power", f"(Pow {two})", "(^ a b)", positive),
        fold("negation", "(Neg (Full a t))", "(neg a)", exact=True),
        fold("absolute", "(Abs (Full a t))", "(abs a)", exact=True),
        fold("reciprocal", "(Recip (Full a t))", "(/ 1.0 a)", "(!= a 0.0)"),
        fold("root", "(Sqrt (Full a t))", "(^ a 0.5)", "(>= a 0.0)"),
        fold("one-over-root", "(Rsqrt (Full a t))", "(^ a -0.5)", positive),
        rewrite(
            "algebra/scale-twice",
            "(Mul (Mul x (Full a s)) (Full b t))",
            f"(Mul x (Full (* a b) {NUMBER}))",
            SAME,
            exact=False,
        ),
        rewrite(
            "algebra/shift-twice",
            "(Add (Add x (Full a s)) (Full b t))",
            f"(Add x (Full (+ a b) {NUMBER}))",
            SAME,
            exact=False,
        ),
        rewrite(
            "algebra/sum-of-scaled",
            f"(Sum axes keep (Mul x (Full a {NUMBER})))",
            f"(Mul (Sum axes keep x) (Full a {NUMBER}))",
            exact=False,
        ),
    )


RULES: tuple[Rule, ...] = (*_negation(), *_neutral(), *_powers(), *_numbers())
