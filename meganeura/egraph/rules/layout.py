"""Ops that only move elements: two of them as one, one that moves nothing, and one after the other
the other way round. What is left of them is no kernel: readers find elements where they lie.

Where a vector has no such place ``vec-get`` does not match, but ``vec-set`` and ``vec-remove`` stop
the engine, whatever other facts say: what is set must be worked out from what was there."""

from __future__ import annotations

from collections.abc import Iterator

from ..rule import NUMBER, SAME, Rule, rewrite

RANKS = range(1, 7)

ONE_AXIS = ("(= 1 (vec-length a))", "(= k (vec-get a 0))")
"""Of several axes ``a``, k is the only one."""

AXIS_OF_X = "(= z (vec-get (type x) (+ k 1)))"
"""The size of x along axis k: a type begins with the element type."""


def each(form: str, rank: int) -> str:
    """A vector with one entry for each axis: ``#`` is its number."""
    return f"(vec-of {' '.join(form.replace('#', str(axis)) for axis in range(rank))})"


def looked_up(vector: str, places: str) -> str:
    """For each of ``places`` what the vector has there."""
    return f'(unstable-vec-map (unstable-fn "vec-get" {vector}) {places})'


def _nothing() -> Iterator[Rule]:
    """Ops that leave everything where it is. What is constant to differentiation is not so any
    more when its gradient is written."""
    yield rewrite("layout/reshape-nothing", "(Reshape s x)", "x", SAME)
    yield rewrite("layout/slice-nothing", "(Slice a b x)", "x", SAME)
    yield rewrite("layout/pad-nothing", "(Pad a b x)", "x", SAME)
    yield rewrite("layout/broadcast-nothing", "(BroadcastTo s x)", "x", SAME)
    identity = "(= a (vec-range (vec-length a)))"
    yield rewrite("layout/permute-nothing", "(Permute a x)", "x", identity)
    yield rewrite("layout/alias", "(Alias x)", "x")
    yield rewrite("layout/stop-gradient", "(StopGradient x)", "x")


def _twice() -> Iterator[Rule]:
    """Two of a kind are one."""
    yield rewrite("layout/reshape-twice", "(Reshape s (Reshape t x))", "(Reshape s x)")
    yield rewrite(
        "layout/broadcast-twice", "(BroadcastTo s (BroadcastTo t x))", "(BroadcastTo s x)"
    )
    both = f"(Permute {looked_up('b', 'a')} x)"
    yield rewrite("layout/permute-twice", "(Permute a (Permute b x))", both)
    for rank in RANKS:
        starts = each("(+ (vec-get a #) (vec-get c #))", rank)
        stops = each("(+ (vec-get b #) (vec-get c #))", rank)
        yield rewrite(
            f"layout/slice-twice-{rank}d",
            "(Slice a b (Slice c d x))",
            f"(Slice {starts} {stops} x)",
            f"(= (vec-length a) {rank})",
        )


def _numbers() -> Iterator[Rule]:
    """The same number everywhere is so in any shape, and a single one broadcasts by itself."""
    for name, term in (
        ("reshaped", "(Reshape s (Full c t))"),
        ("repeated", "(BroadcastTo s (Full c t))"),
        ("permuted", "(Permute a (Full c t))"),
        ("sliced", "(Slice a b (Full c t))"),
    ):
        yield rewrite(f"layout/{name}-number", term, "(Full c u)", "(= u (type e))")
    for op in ("Add", "Sub", "Mul", "Div"):
        yield rewrite(
            f"layout/number-in-{op.lower()}",
            f"({op} x (Full c t))",
            f"({op} x (Full c {NUMBER}))",
            SAME,
            f"(!= t {NUMBER})",
        )


def _parts() -> Iterator[Rule]:
    """A slice that lies within one of two parts; two slices that meet; what is padded and cut
    again; and two values with zeros where the other lies, which are the gradients of a split."""
    of_two = "(Slice a b (Concat2 k x y))"
    yield rewrite(
        "layout/slice-of-first", of_two, "(Slice a b x)", AXIS_OF_X, "(<= (vec-get b k) z)"
    )
    moved = (f"(vec-set {which} k (- (vec-get {which} k) z))" for which in "ab")
    yield rewrite(
        "layout/slice-of-second",
        of_two,
        f"(Slice {' '.join(moved)} y)",
        AXIS_OF_X,
        "(>= (vec-get a k) z)",
    )
    yield rewrite(
        "layout/concat-of-slices",
        "(Concat2 k (Slice a b x) (Slice c d x))",
        "(Slice a d x)",
        "(= c (vec-set a k (vec-get b k)))",
        "(= d (vec-set b k (vec-get d k)))",
    )
    yield rewrite("layout/slice-of-padded", "(Slice a b (Pad a c x))", "x", SAME)
    for axis in range(4):
        yield rewrite(
            f"layout/padded-side-by-side-axis-{axis}",
            "(Add (Pad a b x) (Pad c d y))",
            f"(Concat2 {axis} x y)",
            f"(= 0 (vec-get a {axis}))",
            f"(= m (vec-get (type x) {axis + 1}))",
            f"(= m (vec-get c {axis}))",
            f"(= n (vec-get (type y) {axis + 1}))",
            f"(= (type e) (vec-set (type x) {axis + 1} (+ m n)))",
            f"(= (type e) (vec-set (type y) {axis + 1} (+ m n)))",
            exact=False,  # −0 + 0 is 0
        )


def _sums() -> Iterator[Rule]:
    """A reduction that keeps its axes as size 1 is one that does not, under another shape; of what
    was flattened it is one along several axes; and a sum of what was repeated is a product."""
    for op in ("Sum", "Max"):
        # One form that is not there would be another kernel for the same.
        for name, one, other in (("kept", "true", "false"), ("dropped", "false", "true")):
            yield Rule(
                f"layout/{op.lower()}-{name}",
                (
                    f"(= e ({op} a {one} x))",
                    f"(= f (Reshape s ({op} a {other} x)))",
                    "(value-eq (type e) (type f))",
                ),
                ("(union e f)",),
            )
    yield rewrite(
        "layout/sum-of-flattened",
        "(Sum a false (Reshape s x))",
        "(Sum (vec-of k (+ k 1)) false x)",
        *ONE_AXIS,
        "(= (vec-length s) (+ k 1))",
        "(= (type e) (vec-pop (vec-pop (type x))))",
        exact=False,
    )
    repeated = (
        *ONE_AXIS,
        "(= r (BroadcastTo s x))",
        "(= one (vec-get (type x) (+ k 1)))",
        "(= one 1)",
        "(= (type r) (vec-set (type x) (+ k 1) (* one (vec-get s k))))",
        "(= n (to-f64 (vec-get s k)))",
    )
    scaled = f"(Mul x (Full n {NUMBER}))"
    one_axis = "(Sum a {} r)"
    yield rewrite(
        "layout/sum-of-repeated-kept", one_axis.format("true"), scaled, *repeated, exact=False
    )
    yield rewrite(
        "layout/sum-of-repeated-dropped",
        one_axis.format("false"),
        f"(Reshape s2 {scaled})",
        *repeated,
        "(= s2 (vec-remove (type e) 0))",
        exact=False,
    )
    yield rewrite(
        "layout/sum-of-repeated-whole",
        "(Sum (vec-of 0) false (BroadcastTo s x))",
        scaled,
        SAME,
        "(= (vec-length s) (vec-length (type x)))",
        "(= n (to-f64 (vec-get s 0)))",
        exact=False,
    )


def _products() -> Iterator[Rule]:
    """A transposed product is one of the transposed factors, turned round."""
    for rank, axes in ((2, "1 0"), (3, "0 2 1"), (4, "0 1 3 2")):
        ranks = [f"(= {rank + 1} (vec-length (type {x})))" for x in "ab"]
        yield rewrite(
            f"layout/permuted-product-{rank}d",
            "(Permute p (Matmul a b))",
            "(Matmul (Permute p b) (Permute p a))",
            f"(value-eq p (vec-of {axes}))",
            *ranks,
        )
        yield rewrite(
            f"layout/product-of-permuted-{rank}d",
            "(Matmul (Permute p b) (Permute q a))",
            "(Permute p (Matmul a b))",
            f"(value-eq p (vec-of {axes}))",
            "(value-eq p q)",
            *ranks,
        )


def _vectors() -> Iterator[Rule]:
    """A row or a column is transposed by its shape alone."""
    rank = "(= 3 (vec-length (type x)))"
    for name, axis in (("row", 1), ("column", 2)):
        yield rewrite(
            f"layout/permuted-{name}",
            "(Permute (vec-of 1 0) x)",
            "(Reshape (vec-of m n) x)",
            f"(= 1 (vec-get (type x) {axis}))",
            "(= m (vec-get (type x) 2))",
            "(= n (vec-get (type x) 1))",
            rank,
        )


RULES: tuple[Rule, ...] = (
    *_nothing(),
    *_twice(),
    *_numbers(),
    *_parts(),
    *_sums(),
    *_products(),
    *_vectors(),
)
