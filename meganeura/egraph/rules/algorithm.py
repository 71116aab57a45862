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


def _by_phases() -> Rule:
    """The gradient of a stride of two by its images. An even row of them met the middle taps of a
    row of outputs, an odd one the last of that row and the first of the next: so each of four
    phases of the images is a convolution with windows of 2×2, and all four are one with four times
    the filters. As it was there were zeros between the gradients' rows and columns, and as many
    products with nothing."""
    padded = "(Pad (vec-of 0 0 0 0) (vec-of 0 0 1 1) g)"
    taps = "(Reshape (vec-of o c 2 2 2 2) (Pad (vec-of 0 0 1 1) (vec-of 0 0 0 0) w))"
    kernels = f"(Reshape (vec-of o (* 4 c) 2 2) (Permute (vec-of 0 3 5 1 2 4) {taps}))"
    phases = f"(Conv2dGradInput {ONE} {ONE} {ONE} 1 0 (vec-of h v) {padded} {kernels})"
    apart = f"(Permute (vec-of 0 3 4 1 5 2) (Reshape (vec-of n 2 2 c h v) {phases}))"
    return rewrite(
        "algorithm/conv2d-grad-input-by-phases",
        f"(Conv2dGradInput (vec-of 2 2) {ONE} {ONE} 1 0 s g w)",
        f"(Reshape (vec-of n c (* 2 h) (* 2 v)) {apart})",
        *SQUARE,
        "(= n (vec-get (type g) 1))",
        "(= o (vec-get (type g) 2))",
        "(= h (vec-get (type g) 3))",
        "(= v (vec-get (type g) 4))",
        "(= c (vec-get (type w) 2))",
        "(= s (vec-of (* 2 h) (* 2 v)))",
        exact=False,
    )


RULES: tuple[Rule, ...] = (
    *_by_tiles(),
    _by_phases(),
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
