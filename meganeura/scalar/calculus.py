"""Derivatives of scalar expressions, from the partial derivatives in the table.

`derivative` gives a simplified expression; `product` and `total` are the constructors that keep
it small. Only structural zeros and ones are simplified away, so no rule here can hide a NaN
that the formula itself would give.
"""

from __future__ import annotations

from .expr import Call, Const, Expr, Var, as_expr, where
from .table import SCALAR_OPS

ZERO = Const(0.0)
ONE = Const(1.0)


def derivative(expr: Expr, index: int) -> Expr:
    """d ``expr`` / d ``Var(index)``."""
    match expr:
        case Var(i):
            return ONE if i == index else ZERO
        case Call(op, args):
            result: Expr = ZERO
            for arg, partial in zip(args, SCALAR_OPS[op].partials(expr, *args), strict=True):
                inner = derivative(arg, index)
                if inner != ZERO:
                    result = total(result, product(inner, tidy(as_expr(partial))))
            return result
    return ZERO


def total(x: Expr, y: Expr) -> Expr:
    """``x + y``, simplified."""
    if x == ZERO:
        return y
    if y == ZERO:
        return x
    if isinstance(y, Call) and y.op == "neg":
        return Call("sub", (x, y.args[0]))
    return x + y


def product(x: Expr, y: Expr) -> Expr:
    """``x · y``, simplified. A factor that chooses (`where`) chooses between products: so a
    gradient is exactly zero where the choice says zero, even if it came in as an infinity."""

    def join(inner: Expr) -> Expr:
        """The product with ``inner`` in the place of ``one``."""
        return product(inner, y) if one is x else product(x, inner)

    for one, other in ((x, y), (y, x)):
        match one:
            case Const(0.0):
                return ZERO
            case Const(1.0):
                return other
            case Const(-1.0):
                return other.args[0] if isinstance(other, Call) and other.op == "neg" else -other
            case Call("neg", (inner,)):
                return product(Const(-1.0), join(inner))
            case Call("where", (condition, yes, no)):
                return where(condition, join(yes), join(no))
            case Call("recip", (inner,)):
                return other / inner
    if isinstance(x, Const) and isinstance(y, Const):
        return Const(x.value * y.value)
    return x * y


def tidy(expr: Expr) -> Expr:
    """``expr`` with its products and sums by structural zeros and ones removed."""
    match expr:
        case Call("mul", (x, y)):
            return product(tidy(x), tidy(y))
        case Call("add", (x, y)):
            return total(tidy(x), tidy(y))
        case Call(op, args):
            return Call(op, tuple(tidy(arg) for arg in args))
    return expr
