"""Scalar expressions: the maths of one element, as an immutable value.

A pointwise op is one such expression over its inputs. It is evaluated by scalar/evaluate.py,
differentiated by scalar/calculus.py and printed by every code generator, so a formula is
written once. The operators there are, and what each means, is scalar/table.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar


class Expr:
    """A scalar expression: a `Const`, a `Var` or a `Call`."""

    def __add__(self, other: Expr | float) -> Expr:
        return Call("add", (self, as_expr(other)))

    def __radd__(self, other: float) -> Expr:
        return Call("add", (as_expr(other), self))

    def __sub__(self, other: Expr | float) -> Expr:
        return Call("sub", (self, as_expr(other)))

    def __rsub__(self, other: float) -> Expr:
        return Call("sub", (as_expr(other), self))

    def __mul__(self, other: Expr | float) -> Expr:
        return Call("mul", (self, as_expr(other)))

    def __rmul__(self, other: float) -> Expr:
        return Call("mul", (as_expr(other), self))

    def __truediv__(self, other: Expr | float) -> Expr:
        return Call("div", (self, as_expr(other)))

    def __rtruediv__(self, other: float) -> Expr:
        return Call("div", (as_expr(other), self))

    def __neg__(self) -> Expr:
        return Call("neg", (self,))


@dataclass(frozen=True, eq=False)
class Const(Expr):
    """A number. Two are equal if they are written alike: 0 is not −0, and a NaN is a NaN."""

    value: float

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class Var(Expr):
    """The element of input number ``index``."""

    index: int

    def __str__(self) -> str:
        return f"x{self.index}"


@dataclass(frozen=True, eq=False, repr=False)
class Call(Expr):
    """An operator of `SCALAR_OPS` applied to expressions.

    Expressions share their parts, so that one of a hundred operators can be a tree of 2¹⁰⁰: nothing
    may walk them as trees. `parts` and `fold` meet each part once."""

    op: str
    args: tuple[Expr, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.op, self.args)))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined,no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Call) and (self is other or _are_equal(self, other))

    def __str__(self) -> str:
        return printed(self, str)

    __repr__ = __str__


def _are_equal(one: Call, other: Call) -> bool:
    """Whether two calls are built alike; each pair of parts is compared once."""
    pending, seen = [(one, other)], set[tuple[int, int]]()
    while pending:
        a, b = pending.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        seen.add((id(a), id(b)))
        if hash(a) != hash(b) or a.op != b.op or len(a.args) != len(b.args):
            return False
        for x, y in zip(a.args, b.args, strict=True):
            if isinstance(x, Call) and isinstance(y, Call):
                pending.append((x, y))
            elif x != y:
                return False
    return True


def operands(expr: Expr) -> tuple[Expr, ...]:
    """What an expression is made of directly."""
    return expr.args if isinstance(expr, Call) else ()


@lru_cache(maxsize=4096)
def parts(expr: Expr, inner: Callable[[Expr], Sequence[Expr]] = operands) -> tuple[Expr, ...]:
    """All parts of an expression, each once and after its own, the whole last."""
    done: dict[Expr, None] = {}
    pending = [expr]
    while pending:
        missing = [part for part in inner(pending[-1]) if part not in done]
        if missing:
            pending += missing[::-1]
        else:
            done.setdefault(pending.pop())
    return tuple(done)


R = TypeVar("R")


def fold(expr: Expr, visit: Callable[[Expr, Sequence[R]], R]) -> R:
    """What ``visit`` makes of an expression, given what it has made of its operands."""
    done: dict[Expr, R] = {}
    for part in parts(expr):
        done[part] = visit(part, [done[operand] for operand in operands(part)])
    return done[expr]


LONG_TEXT = 400
"""Letters from which on a part that occurs twice has a name in print."""


def printed(expr: Expr, name: Callable[[Expr], str]) -> str:
    """An expression as text, given what variables and numbers are called."""
    uses = Counter(part for whole in parts(expr) for part in operands(whole))
    lines: list[str] = []

    def text(part: Expr, inner: Sequence[str]) -> str:
        if not isinstance(part, Call):
            return name(part)
        found = f"{part.op}({', '.join(inner)})"
        if len(found) < LONG_TEXT or uses[part] < 2:
            return found
        lines.append(f"t{len(lines)} = {found}")
        return f"t{len(lines) - 1}"

    whole = fold(expr, text)
    return "; ".join([*lines, whole])


def as_expr(value: Expr | float) -> Expr:
    """A number as a `Const`; an expression as it is."""
    return value if isinstance(value, Expr) else Const(float(value))


def variables(count: int) -> tuple[Expr, ...]:
    """The variables ``x0 … x(count-1)``."""
    return tuple(Var(i) for i in range(count))


def substitute(expr: Expr, values: Sequence[Expr] | Mapping[int, Expr]) -> Expr:
    """``expr`` with each ``Var(i)`` replaced by ``values[i]``."""

    def replaced(part: Expr, inner: Sequence[Expr]) -> Expr:
        match part:
            case Var(index):
                return values[index]
            case Call(op, _):
                return Call(op, tuple(inner))
        return part

    return fold(expr, replaced)


def _operator(name: str) -> Callable[..., Expr]:
    def apply(*args: Expr | float) -> Expr:
        return Call(name, tuple(as_expr(arg) for arg in args))

    apply.__name__ = name
    return apply


exp = _operator("exp")
log = _operator("log")
sqrt = _operator("sqrt")
rsqrt = _operator("rsqrt")
recip = _operator("recip")
sin = _operator("sin")
cos = _operator("cos")
tanh = _operator("tanh")
sigmoid = _operator("sigmoid")
erf = _operator("erf")
absolute = _operator("abs")
sign = _operator("sign")
power = _operator("pow")
maximum = _operator("maximum")
minimum = _operator("minimum")
greater = _operator("greater")
greater_equal = _operator("greater_equal")
equal = _operator("equal")
where = _operator("where")
