"""Arithmetic on elements: one op for each scalar operator, with NumPy's broadcasting."""

from __future__ import annotations

from typing import ClassVar

from ..errors import DTypeError, ShapeError
from ..ir.graph import Graph, Value
from ..ir.op import op
from ..ir.pointwise import PointwiseOp
from ..ir.types import TensorType
from ..scalar import expr
from ..scalar.expr import Expr


@op("add")
class Add(PointwiseOp):
    """``x + y``."""

    def formula(self, x: Expr, y: Expr) -> Expr:
        return x + y


@op("sub")
class Sub(PointwiseOp):
    """``x − y``."""

    def formula(self, x: Expr, y: Expr) -> Expr:
        return x - y


@op("mul")
class Mul(PointwiseOp):
    """``x · y``."""

    def formula(self, x: Expr, y: Expr) -> Expr:
        return x * y


@op("div")
class Div(PointwiseOp):
    """``x / y``."""

    def formula(self, x: Expr, y: Expr) -> Expr:
        return x / y


@op("neg")
class Neg(PointwiseOp):
    """``−x``."""

    def formula(self, x: Expr) -> Expr:
        return -x


@op("abs")
class Abs(PointwiseOp):
    """``|x|``; its gradient at 0 is 0."""

    def formula(self, x: Expr) -> Expr:
        return expr.absolute(x)


@op("sign")
class Sign(PointwiseOp):
    """−1, 0 or 1."""

    differentiable: ClassVar[bool] = False

    def formula(self, x: Expr) -> Expr:
        return expr.sign(x)


@op("exp")
class Exp(PointwiseOp):
    """``eˣ``."""

    def formula(self, x: Expr) -> Expr:
        return expr.exp(x)


@op("log")
class Log(PointwiseOp):
    """The natural logarithm."""

    def formula(self, x: Expr) -> Expr:
        return expr.log(x)


@op("sqrt")
class Sqrt(PointwiseOp):
    """``√x``."""

    def formula(self, x: Expr) -> Expr:
        return expr.sqrt(x)


@op("rsqrt")
class Rsqrt(PointwiseOp):
    """``1 / √x``."""

    def formula(self, x: Expr) -> Expr:
        return expr.rsqrt(x)


@op("recip")
class Recip(PointwiseOp):
    """``1 / x``."""

    def formula(self, x: Expr) -> Expr:
        return expr.recip(x)


@op("sin")
class Sin(PointwiseOp):
    """``sin x``."""

    def formula(self, x: Expr) -> Expr:
        return expr.sin(x)


@op("cos")
class Cos(PointwiseOp):
    """``cos x``."""

    def formula(self, x: Expr) -> Expr:
        return expr.cos(x)


@op("erf")
class Erf(PointwiseOp):
    """The error function, ``2/√π ∫₀ˣ e^(−t²) dt``."""

    def formula(self, x: Expr) -> Expr:
        return expr.erf(x)


@op("pow")
class Pow(PointwiseOp):
    """``xʸ``."""

    def formula(self, x: Expr, y: Expr) -> Expr:
        return expr.power(x, y)


@op("maximum")
class Maximum(PointwiseOp):
    """The larger of two; equal ones share the gradient."""

    def formula(self, x: Expr, y: Expr) -> Expr:
        return expr.maximum(x, y)


@op("minimum")
class Minimum(PointwiseOp):
    """The smaller of two; equal ones share the gradient."""

    def formula(self, x: Expr, y: Expr) -> Expr:
        return expr.minimum(x, y)


@op("greater")
class Greater(PointwiseOp):
    """1 where x > y, else 0."""

    differentiable: ClassVar[bool] = False

    def formula(self, x: Expr, y: Expr) -> Expr:
        return expr.greater(x, y)


@op("greater_equal")
class GreaterEqual(PointwiseOp):
    """1 where x ≥ y, else 0."""

    differentiable: ClassVar[bool] = False

    def formula(self, x: Expr, y: Expr) -> Expr:
        return expr.greater_equal(x, y)


@op("equal")
class Equal(PointwiseOp):
    """1 where x = y, else 0."""

    differentiable: ClassVar[bool] = False

    def formula(self, x: Expr, y: Expr) -> Expr:
        return expr.equal(x, y)


@op("where")
class Where(PointwiseOp):
    """x where the condition is not zero, else y."""

    def formula(self, condition: Expr, x: Expr, y: Expr) -> Expr:
        return expr.where(condition, x, y)


class ArithmeticMethods(Graph):
    """Graph methods for arithmetic. Operands broadcast; a float among them is a number."""

    def add(self, a: Value | float, b: Value | float) -> Value:
        """``a + b``."""
        return self.emit(Add(), a, b)

    def sub(self, a: Value | float, b: Value | float) -> Value:
        """``a − b``."""
        return self.emit(Sub(), a, b)

    def mul(self, a: Value | float, b: Value | float) -> Value:
        """``a · b``."""
        return self.emit(Mul(), a, b)

    def div(self, a: Value | float, b: Value | float) -> Value:
        """``a / b``."""
        return self.emit(Div(), a, b)

    def neg(self, x: Value) -> Value:
        """``−x``."""
        return self.emit(Neg(), x)

    def abs(self, x: Value) -> Value:
        """``|x|``, with gradient 0 at 0."""
        return self.emit(Abs(), x)

    def sign(self, x: Value) -> Value:
        """−1, 0 or 1; no gradient."""
        return self.emit(Sign(), x)

    def exp(self, x: Value) -> Value:
        """``eˣ``."""
        return self.emit(Exp(), x)

    def log(self, x: Value) -> Value:
        """The natural logarithm."""
        return self.emit(Log(), x)

    def sqrt(self, x: Value) -> Value:
        """``√x``."""
        return self.emit(Sqrt(), x)

    def rsqrt(self, x: Value) -> Value:
        """``1 / √x``."""
        return self.emit(Rsqrt(), x)

    def recip(self, x: Value) -> Value:
        """``1 / x``."""
        return self.emit(Recip(), x)

    def sin(self, x: Value) -> Value:
        """``sin x``, x in radians."""
        return self.emit(Sin(), x)

    def cos(self, x: Value) -> Value:
        """``cos x``, x in radians."""
        return self.emit(Cos(), x)

    def erf(self, x: Value) -> Value:
        """The error function."""
        return self.emit(Erf(), x)

    def pow(self, x: Value | float, y: Value | float) -> Value:
        """``xʸ``."""
        return self.emit(Pow(), x, y)

    def maximum(self, a: Value | float, b: Value | float) -> Value:
        """The larger of two; equal ones share the gradient."""
        return self.emit(Maximum(), a, b)

    def minimum(self, a: Value | float, b: Value | float) -> Value:
        """The smaller of two; equal ones share the gradient."""
        return self.emit(Minimum(), a, b)

    def greater(self, a: Value | float, b: Value | float) -> Value:
        """1 where a > b, else 0; no gradient."""
        return self.emit(Greater(), a, b)

    def greater_equal(self, a: Value | float, b: Value | float) -> Value:
        """1 where a ≥ b, else 0; no gradient."""
        return self.emit(GreaterEqual(), a, b)

    def equal(self, a: Value | float, b: Value | float) -> Value:
        """1 where a = b, else 0; no gradient."""
        return self.emit(Equal(), a, b)

    def where(self, condition: Value, a: Value | float, b: Value | float) -> Value:
        """a where the condition is not zero, else b."""
        return self.emit(Where(), condition, a, b)

    def bias_add(self, a: Value, b: Value) -> Value:
        """A bias ``b[N]`` added to each row of ``a[M, N]``."""
        return self._add_rows("bias_add", a, b, TensorType.f32(a.shape[-1:]))

    def broadcast_add(self, a: Value, b: Value) -> Value:
        """A row ``b[1, N]`` added to each row of ``a[M, N]``."""
        row = TensorType.f32((1, *a.shape[-1:]))
        return self._add_rows("broadcast_add", a, b, row)

    def _add_rows(self, name: str, a: Value, b: Value, row: TensorType) -> Value:
        if not a.dtype is b.dtype is row.dtype:
            raise DTypeError(f"{name}: operands must be f32: a is {a.ty}, b is {b.ty}")
        if a.ty.rank() != 2 or b.shape != row.shape:
            raise ShapeError(
                f"{name}: a must be [M, N] and b {list(row.shape)}: a is {a.ty}, b is {b.ty}",
                hint="g.add broadcasts other shapes",
            )
        return self.emit(Add(), a, b)
