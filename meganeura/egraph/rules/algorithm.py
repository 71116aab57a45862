"""Several algorithms for one op: convolutions by tiles (kernel/winograd.py), products of few rows
as sums by themselves. They differ in what they take and in how they round; which is cheapest
depends on sizes and machine."""

from __future__ import annotations

from collections.abc import Iterator

from ..rule import Rule, rewrite

SQUARE = ("(= 3 (vec-get (type w) 3))", "(= 3 (vec-get (type w) 4))")
"""Windows of 3×3."""
NARROW = ("(<= (vec-get p 0) 2)", "(<= (vec-get p 1) 2)")
"""Margins that are narrower than the window."""
ONE = "(vec-of 1 1)"
FEW_ROWS = 8
"""Rows of a product that may as well be sums by themselves."""


def _by_tiles() -> Iterator[Rule]:
    for tile in (2, 4):
        yield rewrite(
            f"algorithm/conv2d-by-{tile}",
            f"(Conv2d {ONE} p {ONE} 1 0 x w)",
            f"(Conv2d {ONE} p {ONE} 1 {tile} x w)",
            *SQUARE,
            *NARROW,
            exact=False,
        )
        yield rewrite(
            f"algorithm/conv2d-grad-input-by-{tile}",
            f"(Conv2dGradInput {ONE} p {ONE} 1 0 s g w)",
            f"(Conv2dGradInput {ONE} p {ONE} 1 {tile} s g w)",
            *SQUARE,
            *NARROW,
            exact=False,
        )
        yield rewrite(
            f"algorithm/conv2d-grad-weight-by-{tile}",
            f"(Conv2dGradWeight {ONE} p {ONE} 1 0 (vec-of 3 3) x g)",
            f"(Conv2dGradWeight {ONE} p {ONE} 1 {tile} (vec-of 3 3) x g)",
            *NARROW,
            exact=False,
        )


RULES: tuple[Rule, ...] = (
    *_by_tiles(),
    rewrite(
        "algorithm/matmul-by-sums",
        "(Matmul a b)",
        "(MatmulBySums a b)",
        "(= 3 (vec-length (type a)))",
        "(= 3 (vec-length (type b)))",
        f"(<= (vec-get (type a) 1) {FEW_ROWS})",
        exact=False,
    ),
)
