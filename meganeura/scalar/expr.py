"""Scalar expressions: the maths of one element, as an immutable value.

A pointwise op is one such expression over its inputs. It is evaluated by scalar/evaluate.py,
differentiated by scalar/calculus.py and printed by every code generator, so a formula is
written once. The operators there are, and what each means, is scalar/table.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


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


@dataclass(frozen=True)
class Const(Expr):
    """A number."""

    value: float

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class Var(Expr):
    """The element of input number ``index``."""

    index: int

    def __str__(self) -> str:
        return f"x{self.index}"


@dataclass(frozen=True)
class Call(Expr):
    """An operator of `SCALAR_OPS` applied to expressions."""

    op: str
    args: tuple[Expr, ...]

    def __post_init__(self) -> None:
        # Expressions share their parts; hashing each part once keeps look-ups linear.
        object.__setattr__(self, "_hash", hash((self.op, self.args)))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined,no-any-return]

    def __str__(self) -> str:
        return f"{self.op}({', '.join(map(str, self.args))})"


def as_expr(value: Expr | float) -> Expr:
    """A number as a `Const`; an expression as it is."""
    return value if isinstance(value, Expr) else Const(float(value))


def variables(count: int) -> tuple[Expr, ...]:
    """The variables ``x0 … x(count-1)``."""
    return tuple(Var(i) for i in range(count))


def substitute(expr: Expr, values: Sequence[Expr]) -> Expr:
    """``expr`` with each ``Var(i)`` replaced by ``values[i]``."""
    match expr:
        case Var(index):
            return values[index]
        case Call(op, args):
            return Call(op, tuple(substitute(arg, values) for arg in args))
    return expr


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
