"""Identities of arithmetic. ``(Full c t)`` is the number c everywhere; operands broadcast, so what
drops one must see that the other has the result's type already.

What the rules may change of a result is decided in docs/decisions/0022. Left out is what is not so
for infinities and NaN: x · 0 = 0, x / x = 1, x − x = 0. A rule that works out a number does so only
among normal float32 numbers, and zero: what overflows on a device shall do so where the user wrote
it, and nowhere else."""

from __future__ import annotations

from ..rule import NUMBER, SAME, Rule, rewrite

LEAST, MOST = 2.0**-126, float(2**128 - 2**104)
"""The smallest normal and the largest float32 number."""


def normal(*values: str) -> tuple[str, ...]:
    """Facts: these are normal float32 numbers."""
    bounds = ((f"(<= {LEAST!r} (abs {v}))", f"(<= (abs {v}) {MOST!r})") for v in values)
    return tuple(fact for both in bounds for fact in both)


def ordinary(*values: str) -> tuple[str, ...]:
    """Facts: these are zero, or normal float32 numbers. The smaller of a size and the smallest
    normal number is then 0 or 1 of that number, and nothing between."""
    shares = ((v, f"(/ (min (abs {v}) {LEAST!r}) {LEAST!r})") for v in values)
    bounds = ((f"(= 0.0 (* {q} (- 1.0 {q})))", f"(<= (abs {v}) {MOST!r})") for v, q in shares)
    return tuple(fact for both in bounds for fact in both)


def told(value: str, neutral: float, *operands: tuple[str, str]) -> tuple[str, ...]:
    """Facts: for each pair, the value differs from the first unless the second is neutral. A number
    that vanishes beside another, as 1e-30 beside 1, would make a value equal to itself with it, and
    so with ever more of it."""
    return tuple(
        f"(<= (abs (- {other} {neutral})) (* 1e300 (abs (- {value} {mine}))))"
        for mine, other in operands
    )


def _negation() -> tuple[Rule, ...]:
    """Signs move out of products and sums, and there cancel. Without the rule of equal negatives
    a value that is its own negative would have ever new ones. Not exact are those that may change
    the sign of a zero."""
    return (
        Rule(
            "algebra/equal-negatives",
            ("(= e (Neg x))", "(= e (Neg y))", "(!= x y)"),
            ("(union x y)",),
        ),
        rewrite("algebra/double-negation", "(Neg (Neg x))", "x"),
        rewrite("algebra/times-minus-one", "(Mul x (Full -1.0 t))", "(Neg x)", SAME),
        rewrite("algebra/zero-minus", "(Sub (Full 0.0 t) x)", "(Neg x)", SAME, exact=False),
        rewrite("algebra/plus-negative", "(Add x (Neg y))", "(Sub x y)"),
        rewrite("algebra/minus-negative", "(Sub x (Neg y))", "(Add x y)"),
        rewrite("algebra/negative-difference", "(Neg (Sub x y))", "(Sub y x)", exact=False),
        rewrite("algebra/two-negatives", "(Mul (Neg x) (Neg y))", "(Mul x y)"),
        rewrite("algebra/times-negative", "(Mul (Neg x) y)", "(Neg (Mul x y))"),
        rewrite("algebra/over-negative", "(Div x (Neg y))", "(Neg (Div x y))"),
        rewrite("algebra/negative-over", "(Div (Neg x) y)", "(Neg (Div x y))"),
        rewrite(
            "algebra/negative-scaled",
            "(Neg (Mul x (Full a t)))",
            "(Mul x (Full (neg a) t))",
            "(!= a 0.0)",
        ),
        rewrite(
            "algebra/sum-of-negative",
            "(Sum axes keep (Neg x))",
            "(Neg (Sum axes keep x))",
            exact=False,
        ),
        rewrite("algebra/absolute-of-negative", "(Abs (Neg x))", "(Abs x)"),
        rewrite("algebra/absolute-twice", "(Abs (Abs x))", "(Abs x)"),
    )


def _neutral() -> tuple[Rule, ...]:
    """Numbers that change nothing."""
    return (
        rewrite("algebra/times-one", "(Mul x (Full 1.0 t))", "x", SAME),
        rewrite("algebra/plus-zero", "(Add x (Full 0.0 t))", "x", SAME, exact=False),
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
            *normal("a", "(/ 1.0 a)"),
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
    two, both = "(Full a s) (Full b t)", (("a", "b"), ("b", "a"))
    no_nan = ("(<= a inf)", "(<= b inf)")  # as the engine orders numbers, NaN is the largest

    def exact(name: str, term: str, value: str, *when: str) -> Rule:
        facts = ("(= u (type e))", *when)
        return rewrite(f"algebra/fold-{name}", term, f"(Full {value} u)", *facts)

    def fold(name: str, term: str, value: str, *when: str) -> Rule:
        operands = ("a", "b") if "b" in value else ("a",)
        facts = ("(= u (type e))", *when, *ordinary(*operands, value))
        return rewrite(f"algebra/fold-{name}", term, f"(Full {value} u)", *facts, exact=False)

    return (
        # Other patterns look for numbers in the last place only; encoding puts them there.
        rewrite("algebra/number-plus", "(Add (Full a t) x)", "(Add x (Full a t))"),
        rewrite("algebra/number-times", "(Mul (Full a t) x)", "(Mul x (Full a t))"),
        fold("add", f"(Add {two})", "(+ a b)", *told("(+ a b)", 0.0, *both)),
        fold("sub", f"(Sub {two})", "(- a b)", *told("(- a b)", 0.0, ("a", "b"))),
        fold("mul", f"(Mul {two})", "(* a b)", *told("(* a b)", 1.0, *both)),
        fold("div", f"(Div {two})", "(/ a b)", "(!= b 0.0)", *told("(/ a b)", 1.0, ("a", "b"))),
        exact("maximum", f"(Maximum {two})", "(max a b)", *no_nan),
        exact("minimum", f"(Minimum {two})", "(min a b)", *no_nan),
        fold("power", f"(Pow {two})", "(^ a b)", "(> a 0.0)"),
        exact("negation", "(Neg (Full a t))", "(neg a)", "(!= a 0.0)"),
        exact("absolute", "(Abs (Full a t))", "(abs a)"),
        fold("reciprocal", "(Recip (Full a t))", "(/ 1.0 a)", "(!= a 0.0)"),
        fold("root", "(Sqrt (Full a t))", "(^ a 0.5)", "(>= a 0.0)"),
        fold("one-over-root", "(Rsqrt (Full a t))", "(^ a -0.5)", "(> a 0.0)"),
        rewrite(
            "algebra/scale-twice",
            "(Mul (Mul x (Full a s)) (Full b t))",
            f"(Mul x (Full (* a b) {NUMBER}))",
            SAME,
            *normal("a", "b", "(* a b)"),
            *told("(* a b)", 1.0, *both),
            exact=False,
        ),
        rewrite(
            "algebra/shift-twice",
            "(Add (Add x (Full a s)) (Full b t))",
            f"(Add x (Full (+ a b) {NUMBER}))",
            SAME,
            *ordinary("a", "b", "(+ a b)"),
            *told("(+ a b)", 0.0, *both),
            exact=False,
        ),
        rewrite(
            "algebra/sum-of-scaled",
            f"(Sum axes keep (Mul x (Full a {NUMBER})))",
            f"(Mul (Sum axes keep x) (Full a {NUMBER}))",
            "(<= 1.0 (abs a))",  # by a smaller one the sum would be larger than it was
            exact=False,
        ),
    )


RULES: tuple[Rule, ...] = (*_negation(), *_neutral(), *_powers(), *_numbers())
