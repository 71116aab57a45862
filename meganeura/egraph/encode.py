"""Ops as terms of the e-graph, and terms as ops again.

An op is a constructor that takes its attributes and then its operands: ``(Reshape s x)``. Its
sorts come from the dataclass's fields, so no attribute can be lost. A number, a truth or a string
is itself; a list of numbers is a vector; a type is the vector of its element type and sizes; what
rules need not look into is a number in a table. An op with any number of operands is a constructor
for each number: ``(Concat2 axis a b)``.
"""

from __future__ import annotations

import math
import typing
from collections.abc import Sequence
from functools import cache
from typing import Any

from ..arguments import field_types
from ..dtypes import DType
from ..ir.op import REGISTRY, Op
from ..ir.types import TensorType
from .engine import LOAD, RULES, Engine, Terms

DTYPES = list(DType)
SORTS = {bool: "bool", int: "i64", float: "f64", str: "String", TensorType: "Ints"}

MINUS_ZERO = -math.ulp(0.0)
"""What −0 is to the engine, which takes two numbers for one if they compare as equal. It is −0 as a
float32, and no rule looks for it."""

PRELUDE = f"""
(sort Ints (Vec i64))
(sort Places (UnstableFn (i64) i64))
(sort T)
(function type (T) Ints :no-merge)
(ruleset {RULES})
(ruleset {LOAD})
"""


def constructor(op: type[Op], arity: int) -> str:
    """The name of an op's constructor."""
    varies = op.optional > 0 or any(name.startswith("*") for name in op.operands)
    return f"{op.__name__}{arity}" if varies else op.__name__


def sort_of(hint: Any) -> str | None:
    """The sort of an attribute; None for one that is kept in the table."""
    if typing.get_origin(hint) is tuple and set(typing.get_args(hint)) <= {int, Ellipsis}:
        return "Ints"
    return SORTS.get(hint)


def declaration(op: type[Op], arity: int) -> str:
    """The constructor of an op with so many operands."""
    sorts = [sort_of(hint) or "i64" for hint in field_types(op).values()]
    return f"(constructor {constructor(op, arity)} ({' '.join(sorts + ['T'] * arity)}) T)"


@cache
def writable() -> dict[str, tuple[type[Op], int]]:
    """The ops that rules can write, by the names of their constructors: of those that take any
    number of operands, the form with two."""
    pairs = []
    for op in REGISTRY.values():
        fixed = [name for name in op.operands if not name.startswith("*")]
        takes_any = len(fixed) < len(op.operands) or op.optional
        pairs.append((op, 2 if takes_any else len(fixed)))
    return {constructor(*pair): pair for pair in pairs}


class Encoder:
    """Terms of ops; attributes that rules do not look into are kept here."""

    def __init__(self) -> None:
        self.terms = Terms()
        self.table: list[Any] = []
        self.vectors: list[Any] = []
        """Actions that name every vector that terms speak of: there are few, used often."""
        self._places: dict[Any, int] = {}
        self._names: dict[tuple[int, ...], Any] = {}

    def term(self, op: Op, inputs: Sequence[Any]) -> Any:
        """An op over terms."""
        hints = field_types(type(op))
        fields = [self._attribute(getattr(op, name), hints[name]) for name in hints]
        return self.terms.call(constructor(type(op), len(inputs)), *fields, *inputs)

    def type(self, ty: TensorType) -> Any:
        """A type as a vector."""
        return self.numbers((DTYPES.index(ty.dtype), *ty.shape))

    def numbers(self, values: tuple[int, ...]) -> Any:
        """A vector, by its name."""
        if values not in self._names:
            name = f"v{len(self._names)}"
            vector = self.terms.call("vec-of", *map(self.terms.literal, values))
            self.vectors.append(self.terms.let(name, vector))
            self._names[values] = self.terms.var(name)
        return self._names[values]

    def _attribute(self, value: Any, hint: Any) -> Any:
        if hint is TensorType:
            return self.type(value)
        sort = sort_of(hint)
        if sort == "Ints":
            return self.numbers(value)
        if sort == "f64" and value == 0.0 and math.copysign(1.0, value) < 0:
            return self.terms.literal(MINUS_ZERO)
        if sort is None:
            return self.terms.literal(self._place(value))
        return self.terms.literal(value)

    def _place(self, value: Any) -> int:
        if value not in self._places:
            self._places[value] = len(self.table)
            self.table.append(value)
        return self._places[value]


class Decoder:
    """Ops of rows of the frozen e-graph."""

    def __init__(self, engine: Engine, table: Sequence[Any]) -> None:
        self.egraph, self.table = engine.egraph, table
        self._known: dict[tuple[Any, ...], Any] = {}

    def op(self, cls: type[Op], values: Sequence[Any]) -> Op:
        """An op by the values of its attributes."""
        key = (cls, *values)
        if key not in self._known:
            pairs = zip(field_types(cls).items(), values, strict=True)
            self._known[key] = cls(
                **{name: self._attribute(value, hint) for (name, hint), value in pairs}
            )
        op: Op = self._known[key]
        return op

    def type(self, value: Any) -> TensorType:
        """A vector as a type."""
        dtype, *shape = self.numbers(value)
        return TensorType(tuple(shape), DTYPES[dtype])

    def numbers(self, value: Any) -> tuple[int, ...]:
        """A vector."""
        if value not in self._known:
            vector = self.egraph.value_to_vec(value)
            self._known[value] = tuple(self.egraph.value_to_i64(item) for item in vector)
        numbers: tuple[int, ...] = self._known[value]
        return numbers

    def _float(self, value: Any) -> float:
        number: float = self.egraph.value_to_f64(value)
        return -0.0 if number == MINUS_ZERO else number

    def _attribute(self, value: Any, hint: Any) -> Any:
        if hint is TensorType:
            return self.type(value)
        readers = {
            "i64": self.egraph.value_to_i64,
            "f64": self._float,
            "bool": self.egraph.value_to_bool,
            "String": self.egraph.value_to_string,
            "Ints": self.numbers,
            None: lambda place: self.table[self.egraph.value_to_i64(place)],
        }
        return readers[sort_of(hint)](value)
