"""The types of what rules write, for the rules that ask. They also hold the engine to it: two
types of one class stop the run."""

from __future__ import annotations

from collections.abc import Iterator

from ...arguments import field_types
from ...ir.op import REGISTRY
from ...ir.pointwise import PointwiseOp
from ..encode import constructor
from ..rule import Rule
from .layout import RANKS, each

NUMBER = "(vec-of 0)"


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
    for rank in RANKS:
        sizes = each("(- (vec-get b #) (vec-get a #))", rank).removeprefix("(vec-of ")
        facts = (f"(= (vec-length a) {rank})", "(= d (vec-get (type x) 0))")
        yield _type(f"slice-{rank}d", "(Slice a b x)", f"(vec-of d {sizes}", *facts)


RULES: tuple[Rule, ...] = (
    *_pointwise(),
    *_layout(),
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
