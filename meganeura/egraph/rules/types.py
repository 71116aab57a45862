"""The types of what rules write, for the rules that ask. They also hold the engine to it: two
types of one class stop the run."""

from __future__ import annotations

from collections.abc import Iterator

from ...arguments import field_types
from ...ir.op import REGISTRY
from ...ir.pointwise import PointwiseOp
from ..encode import constructor
from ..rule import NUMBER, Rule
from .layout import ONE_AXIS, RANKS, each, looked_up

ELEMENT = "(= d (vec-get (type x) 0))"
"""The element type, with which a type begins."""


def _type(name: str, term: str, ty: str, *facts: str) -> Rule:
    return Rule(f"types/{name}", (f"(= e {term})", *facts), (f"(set (type e) {ty})",))


def _pointwise() -> Iterator[Rule]:
    """Operands of one type have it in common; a number takes the other's."""
    for op in REGISTRY.values():
        if not issubclass(op, PointwiseOp):
            continue
        names = [f"x{i}" for i in range(len(op.operands))]
        term = f"({constructor(op, len(names))} {' '.join(_fields(op) + names)})"
        equal = [f"(= t (type {name}))" for name in names]
        yield _type(op.name, term, "t", *equal)
        if len(names) == 2:
            for number, other in (names, names[::-1]):
                facts = (f"(= t (type {other}))", f"(= {NUMBER} (type {number}))")
                yield _type(f"{op.name}-{number}-is-a-number", term, "t", *facts)


def _fields(op: type) -> list[str]:
    return [f"a{i}" for i in range(len(field_types(op)))]


def _layout() -> Iterator[Rule]:
    for op in ("Reshape", "BroadcastTo"):
        yield _type(op.lower(), f"({op} s x)", "(vec-append (vec-of d) s)", ELEMENT)
    sizes = f"(= s {looked_up('(vec-remove (type x) 0)', 'a')})"
    yield _type("permute", "(Permute a x)", "(vec-append (vec-of d) s)", ELEMENT, sizes)
    both = "(+ (vec-get (type x) (+ k 1)) (vec-get (type y) (+ k 1)))"
    yield _type(
        "concat", "(Concat2 k x y)", "(vec-set t (+ k 1) n)", f"(= n {both})", "(= t (type x))"
    )
    for rank in RANKS:
        sizes = each("(- (vec-get b #) (vec-get a #))", rank).removeprefix("(vec-of ")
        facts = (f"(= (vec-length a) {rank})", ELEMENT)
        yield _type(f"slice-{rank}d", "(Slice a b x)", f"(vec-of d {sizes}", *facts)


def _reductions() -> Iterator[Rule]:
    """Along one axis."""
    facts = ("(= t (type x))", *ONE_AXIS)
    yield _type("sum-kept", "(Sum a true x)", "(vec-set t (+ k 1) 1)", *facts)
    yield _type("sum-dropped", "(Sum a false x)", "(vec-remove t (+ k 1))", *facts)


RULES: tuple[Rule, ...] = (
    *_pointwise(),
    *_layout(),
    *_reductions(),
    _type(
        "matmul",
        "(Matmul a b)",
        "(vec-of 0 m n)",
        "(= m (vec-get (type a) 1))",
        "(= n (vec-get (type b) 2))",
        "(= 3 (vec-length (type a)))",
        "(= 3 (vec-length (type b)))",
    ),
    _type("full", "(Full c t)", "t"),
)
