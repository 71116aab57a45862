"""Ops that only move elements: two of them as one, one that moves nothing, and one after the other
the other way round. What is left of them is no kernel: readers find elements where they lie."""

from __future__ import annotations

from collections.abc import Iterator

from ..rule import Rule, rewrite

RANKS = range(1, 6)


def each(form: str, rank: int) -> str:
    """A vector with one entry for each axis: ``#`` is its number."""
    return f"(vec-of {' '.join(form.replace('#', str(axis)) for axis in range(rank))})"


def _by_rank() -> Iterator[Rule]:
    for rank in RANKS:
        has_rank = f"(= (vec-length a) {rank})"
        yield rewrite(
            f"layout/permute-twice-{rank}d",
            "(Permute a (Permute b x))",
            f"(Permute {each('(vec-get b (vec-get a #))', rank)} x)",
            has_rank,
        )
        yield rewrite(f"layout/permute-nothing-{rank}d", f"(Permute {each('#', rank)} x)", "x")
        starts = each("(+ (vec-get a #) (vec-get c #))", rank)
        stops = each("(+ (vec-get b #) (vec-get c #))", rank)
        yield rewrite(
            f"layout/slice-twice-{rank}d",
            "(Slice a b (Slice c d x))",
            f"(Slice {starts} {stops} x)",
            has_rank,
        )
        for axis in range(rank):
            yield from _of_concat(rank, axis)


def _of_concat(rank: int, axis: int) -> Iterator[Rule]:
    """A slice that lies within one of two parts; two slices that meet."""
    size = f"(= z (vec-get (type x) {axis + 1}))"
    name = f"{rank}d-axis-{axis}"
    has_rank = f"(= (vec-length a) {rank})"
    yield rewrite(
        f"layout/slice-of-first-{name}",
        f"(Slice a b (Concat2 {axis} x y))",
        "(Slice a b x)",
        has_rank,
        size,
        f"(<= (vec-get b {axis}) z)",
    )
    back = [f"(- (vec-get {{0}} {i}) {'z' if i == axis else 0})" for i in range(rank)]
    starts, stops = (f"(vec-of {' '.join(back)})".format(which) for which in "ab")
    yield rewrite(
        f"layout/slice-of-second-{name}",
        f"(Slice a b (Concat2 {axis} x y))",
        f"(Slice {starts} {stops} y)",
        has_rank,
        size,
        f"(>= (vec-get a {axis}) z)",
    )
    others = [i for i in range(rank) if i != axis]
    equal = [f"(= (vec-get {u} {i}) (vec-get {v} {i}))" for i in others for u, v in ("ac", "bd")]
    yield rewrite(
        f"layout/concat-of-slices-{name}",
        f"(Concat2 {axis} (Slice a b x) (Slice c d x))",
        "(Slice a d x)",
        has_rank,
        *equal,
        f"(= (vec-get b {axis}) (vec-get c {axis}))",
    )


RULES: tuple[Rule, ...] = (
    rewrite("layout/reshape-twice", "(Reshape s (Reshape t x))", "(Reshape s x)"),
    rewrite("layout/reshape-nothing", "(Reshape s x)", "x", "(= (type e) (type x))"),
    rewrite("layout/slice-nothing", "(Slice a b x)", "x", "(= (type e) (type x))"),
    rewrite("layout/broadcast-nothing", "(BroadcastTo s x)", "x", "(= (type e) (type x))"),
    rewrite("layout/broadcast-twice", "(BroadcastTo s (BroadcastTo t x))", "(BroadcastTo s x)"),
    rewrite(
        "layout/permuted-product",
        "(Permute (vec-of 1 0) (Matmul a b))",
        "(Matmul (Permute (vec-of 1 0) b) (Permute (vec-of 1 0) a))",
    ),
    *_by_rank(),
)
