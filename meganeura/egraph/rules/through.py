"""Ops that only move elements, moved through pointwise ops to meet others of their kind.

A kernel reads through views anyway, so a move by itself gains nothing: each rule here is one after
which two views cancel, or a part is found in what it was put together from. All are exact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...arguments import field_types
from ...ir.op import REGISTRY
from ...ir.pointwise import PointwiseOp
from ..rule import COMMUTING, NUMBER, SAME, Rule, rewrite
from .layout import looked_up

POINTWISE = [op for op in REGISTRY.values() if issubclass(op, PointwiseOp) and not field_types(op)]
UNARY = [op for op in POINTWISE if len(op.operands) == 1]
BINARY = [op for op in POINTWISE if len(op.operands) == 2]


@dataclass(frozen=True)
class View:
    """A kind of view: one, one beneath it, and one of another operand."""

    outer: str
    inner: str
    other: str
    undone: tuple[str, ...] = ()
    """What besides the types must be so for the first two together to move nothing."""
    alike: tuple[str, ...] = ()
    """And what for the third to be as the second."""


VIEWS = {
    # Of equal types before and after, all are: what is as large then as it was is not repeated.
    "reshape": View("(Reshape s {})", "(Reshape t {})", "(Reshape u {})"),
    "permute": View(
        "(Permute a {})",
        "(Permute b {})",
        "(Permute c {})",
        (f"(= (vec-range (vec-length a)) {looked_up('b', 'a')})",),
        ("(value-eq b c)",),
    ),
}
PARTS = {"concat": "(Concat2 k x y)", "slice": "(Slice c d x)"}
"""Values of which a slice may be less than it seems."""


def _unary() -> Iterator[Rule]:
    for op in UNARY:
        apply = f"({op.__name__} {{}})"
        for name, view in VIEWS.items():
            yield rewrite(
                f"layout/{name}-through-{op.name}",
                view.outer.format(apply.format(view.inner.format("x"))),
                apply.format("x"),
                SAME,
                *view.undone,
            )
        for part, term in PARTS.items():
            yield rewrite(
                f"layout/slice-of-{part}-through-{op.name}",
                f"(Slice a b {apply.format(term)})",
                apply.format(f"(Slice a b {term})"),
            )


def _binary() -> Iterator[Rule]:
    number = f"(Full v {NUMBER})"
    for op in BINARY:
        apply = f"({op.__name__} {{}} {{}})"
        for name, view in VIEWS.items():
            inner = view.inner.format("x")
            yield rewrite(
                f"layout/{name}-through-{op.name}",
                view.outer.format(apply.format(inner, view.other.format("y"))),
                apply.format("x", "y"),
                SAME,
                "(value-eq (type e) (type y))",
                *view.undone,
                *view.alike,
            )
            yield rewrite(
                f"layout/{name}-through-{op.name}-number",
                view.outer.format(apply.format(inner, number)),
                apply.format("x", number),
                SAME,
                *view.undone,
            )
        yield rewrite(
            f"layout/slice-of-concats-through-{op.name}",
            f"(Slice a b {apply.format('p', 'q')})",
            apply.format("(Slice a b p)", "(Slice a b q)"),
            "(= p (Concat2 k x y))",
            "(= q (Concat2 l v w))",
            "(value-eq (type p) (type q))",
        )
        yield from _absorbed(op.name, apply, op.__name__ in COMMUTING)


def _absorbed(name: str, apply: str, commutes: bool) -> Iterator[Rule]:
    """What broadcasts anyway need not be repeated before."""
    repeated = "(BroadcastTo s y)"
    yield rewrite(
        f"layout/repeated-in-{name}", apply.format("x", repeated), apply.format("x", "y"), SAME
    )
    if not commutes:
        yield rewrite(
            f"layout/{name}-of-repeated",
            apply.format(repeated, "x"),
            apply.format("y", "x"),
            SAME,
        )


RULES: tuple[Rule, ...] = (*_unary(), *_binary())
