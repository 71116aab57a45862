"""Products that share a factor, as one product; and one product over parts, as a sum of several."""

from __future__ import annotations

from ..rule import Rule, rewrite

COLUMNS = "(vec-get (type {}) 2)"
ROWS = "(vec-get (type {}) 1)"
MATRIX = "(= 3 (vec-length (type {})))"
"""Element type, rows, columns."""


def _side_by_side() -> Rule:
    """Two projections of one input: one product with both weights, and a part of it for each."""
    both = "(Matmul x (Concat2 1 v w))"
    rows, first, second = ROWS.format("x"), COLUMNS.format("v"), COLUMNS.format("w")
    return Rule(
        "merge/projections",
        (
            "(= a (Matmul x v))",
            "(= b (Matmul x w))",
            "(= v (Parameter lv tv sv))",
            "(= w (Parameter lw tw sw))",
            "(!= v w)",
            MATRIX.format("v"),
            MATRIX.format("w"),
            MATRIX.format("x"),
            f"(= m {rows})",
            f"(= p {first})",
            f"(= q {second})",
        ),
        (
            f"(let both {both})",
            "(union a (Slice (vec-of 0 0) (vec-of m p) both))",
            "(union b (Slice (vec-of 0 p) (vec-of m (+ p q)) both))",
        ),
    )


RULES: tuple[Rule, ...] = (
    _side_by_side(),
    rewrite(
        "merge/matmul-over-parts",
        "(Matmul (Concat2 1 a b) w)",
        "(Add (Matmul a (Slice (vec-of 0 0) (vec-of p n) w))"
        " (Matmul b (Slice (vec-of p 0) (vec-of k n) w)))",
        MATRIX.format("w"),
        f"(= p {COLUMNS.format('a')})",
        f"(= k {ROWS.format('w')})",
        f"(= n {COLUMNS.format('w')})",
        exact=False,
    ),
    rewrite(
        "merge/convolution-over-parts",
        "(Conv2d s p d 1 (Concat2 1 a b) w)",
        "(Add (Conv2d s p d 1 a (Slice (vec-of 0 0 0 0) (vec-of o m i j) w))"
        " (Conv2d s p d 1 b (Slice (vec-of 0 m 0 0) (vec-of o c i j) w)))",
        "(= m (vec-get (type a) 2))",
        "(= o (vec-get (type w) 1))",
        "(= c (vec-get (type w) 2))",
        "(= i (vec-get (type w) 3))",
        "(= j (vec-get (type w) 4))",
        exact=False,
    ),
)
