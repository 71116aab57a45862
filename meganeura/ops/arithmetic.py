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
        """``a + b`` on each pair of elements: the operator ``+``.

        Operands are F32 (else `DTypeError`) and broadcast by NumPy's rule: sizes are equal or 1,
        counted from the last axis (else `ShapeError`). A float is a number; a bare int is refused
        (`GraphError`), for it could mean a node, but is a number beside the operator. A gradient is
        summed over what was broadcast.

        >>> g.add(g.input("x", [4, 3]), g.input("row", [3])).shape
        (4, 3)
        """
        return self.emit(Add(), a, b)

    def sub(self, a: Value | float, b: Value | float) -> Value:
        """``a − b`` on each pair of elements: the operator ``-``. Operands as for `add`.

        >>> g.sub(1.0, g.input("x", [4, 3])).shape
        (4, 3)
        """
        return self.emit(Sub(), a, b)

    def mul(self, a: Value | float, b: Value | float) -> Value:
        """``a · b`` on each pair of elements: the operator ``*``. Operands as for `add`.

        >>> g.mul(g.input("x", [4, 1]), g.input("y", [3])).shape
        (4, 3)
        """
        return self.emit(Mul(), a, b)

    def div(self, a: Value | float, b: Value | float) -> Value:
        """``a / b`` on each pair of elements: the operator ``/``. Operands as for `add`.

        Division by zero gives an infinity or a NaN, as floats do, and no error.

        >>> g.set_outputs([g.div(g.constant([1.0, -3.0]), 2.0)])
        >>> mg.interpret(g, {})
        [array([ 0.5, -1.5], dtype=float32)]
        """
        return self.emit(Div(), a, b)

    def neg(self, x: Value) -> Value:
        """``−x``: the operator ``-`` before a value.

        >>> g.set_outputs([g.neg(g.constant([1.0, -2.0]))])
        >>> mg.interpret(g, {})
        [array([-1.,  2.], dtype=float32)]
        """
        return self.emit(Neg(), x)

    def abs(self, x: Value) -> Value:
        """``|x|``, with gradient 0 at 0.

        >>> g.set_outputs([g.abs(g.constant([1.0, -2.0]))])
        >>> mg.interpret(g, {})
        [array([1., 2.], dtype=float32)]
        """
        return self.emit(Abs(), x)

    def sign(self, x: Value) -> Value:
        """−1, 0 or 1, by the sign of ``x``; no gradient.

        >>> g.set_outputs([g.sign(g.constant([-3.0, 0.0, 2.0]))])
        >>> mg.interpret(g, {})
        [array([-1.,  0.,  1.], dtype=float32)]
        """
        return self.emit(Sign(), x)

    def exp(self, x: Value) -> Value:
        """``eˣ``; infinite above about 88.72.

        >>> g.set_outputs([g.exp(g.constant([0.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([1.   , 2.718], dtype=float32)
        """
        return self.emit(Exp(), x)

    def log(self, x: Value) -> Value:
        """``ln x``, the natural logarithm; −∞ at 0 and NaN below.

        >>> g.set_outputs([g.log(g.constant([1.0, 10.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([0.   , 2.303], dtype=float32)
        """
        return self.emit(Log(), x)

    def sqrt(self, x: Value) -> Value:
        """``√x``; NaN below 0. The gradient at 0 is infinite.

        >>> g.set_outputs([g.sqrt(g.constant([4.0, 9.0]))])
        >>> mg.interpret(g, {})
        [array([2., 3.], dtype=float32)]
        """
        return self.emit(Sqrt(), x)

    def rsqrt(self, x: Value) -> Value:
        """``1 / √x``; infinite at 0 and NaN below.

        >>> g.set_outputs([g.rsqrt(g.constant([4.0, 16.0]))])
        >>> mg.interpret(g, {})
        [array([0.5 , 0.25], dtype=float32)]
        """
        return self.emit(Rsqrt(), x)

    def recip(self, x: Value) -> Value:
        """``1 / x``; infinite at 0.

        >>> g.set_outputs([g.recip(g.constant([2.0, -4.0]))])
        >>> mg.interpret(g, {})
        [array([ 0.5 , -0.25], dtype=float32)]
        """
        return self.emit(Recip(), x)

    def sin(self, x: Value) -> Value:
        """``sin x``, x in radians.

        >>> g.set_outputs([g.sin(g.constant([0.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([0.   , 0.841], dtype=float32)
        """
        return self.emit(Sin(), x)

    def cos(self, x: Value) -> Value:
        """``cos x``, x in radians.

        >>> g.set_outputs([g.cos(g.constant([0.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([1.  , 0.54], dtype=float32)
        """
        return self.emit(Cos(), x)

    def erf(self, x: Value) -> Value:
        """The error function, ``2/√π ∫₀ˣ e^(−t²) dt``.

        >>> g.set_outputs([g.erf(g.constant([0.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([0.   , 0.843], dtype=float32)
        """
        return self.emit(Erf(), x)

    def pow(self, x: Value | float, y: Value | float) -> Value:
        """``xʸ`` on each pair of elements: the operator ``**``. Operands as for `add`.

        Of a negative x it is NaN unless y is whole, and its gradient by y is always NaN. The
        gradient by x is 0 where y is 0, the gradient by y 0 where x is 0.

        >>> g.set_outputs([g.pow(g.constant([2.0, -3.0]), 2.0)])
        >>> mg.interpret(g, {})
        [array([4., 9.], dtype=float32)]
        """
        return self.emit(Pow(), x, y)

    def maximum(self, a: Value | float, b: Value | float) -> Value:
        """The larger of each two elements; equal ones share the gradient. Operands as for `add`.

        >>> g.set_outputs([g.maximum(g.constant([-1.0, 2.0]), 0.5)])
        >>> mg.interpret(g, {})
        [array([0.5, 2. ], dtype=float32)]
        """
        return self.emit(Maximum(), a, b)

    def minimum(self, a: Value | float, b: Value | float) -> Value:
        """The smaller of each two elements; equal ones share the gradient. Operands as for `add`.

        >>> g.set_outputs([g.minimum(g.constant([-1.0, 2.0]), 0.5)])
        >>> mg.interpret(g, {})
        [array([-1. ,  0.5], dtype=float32)]
        """
        return self.emit(Minimum(), a, b)

    def greater(self, a: Value | float, b: Value | float) -> Value:
        """1 where a > b, else 0, in F32; no gradient. Operands as for `add`.

        >>> g.set_outputs([g.greater(g.constant([1.0, 2.0, 3.0]), 2.0)])
        >>> mg.interpret(g, {})
        [array([0., 0., 1.], dtype=float32)]
        """
        return self.emit(Greater(), a, b)

    def greater_equal(self, a: Value | float, b: Value | float) -> Value:
        """1 where a ≥ b, else 0, in F32; no gradient. Operands as for `add`.

        >>> g.set_outputs([g.greater_equal(g.constant([1.0, 2.0, 3.0]), 2.0)])
        >>> mg.interpret(g, {})
        [array([0., 1., 1.], dtype=float32)]
        """
        return self.emit(GreaterEqual(), a, b)

    def equal(self, a: Value | float, b: Value | float) -> Value:
        """1 where a = b, else 0, in F32; no gradient. Operands as for `add`.

        >>> g.set_outputs([g.equal(g.constant([1.0, 2.0, 3.0]), 2.0)])
        >>> mg.interpret(g, {})
        [array([0., 1., 0.], dtype=float32)]
        """
        return self.emit(Equal(), a, b)

    def where(self, condition: Value, a: Value | float, b: Value | float) -> Value:
        """a where the condition is not zero, else b. All three are F32 and broadcast, as for `add`.

        Each element's gradient goes to the one that was chosen, the other's is 0; the condition has
        none.

        >>> x = g.constant([-1.0, 4.0])
        >>> g.set_outputs([g.where(g.greater(x, 0.0), g.sqrt(x), 0.0)])
        >>> mg.interpret(g, {})
        [array([0., 2.], dtype=float32)]
        """
        return self.emit(Where(), condition, a, b)

    def bias_add(self, a: Value, b: Value) -> Value:
        """``a[i, j] + b[j]``: a bias ``b[N]`` added to each row of ``a[M, N]``.

        Other shapes are a `ShapeError`, where `add` would broadcast. The gradient of ``b`` is that
        of the rows added up.

        >>> g.bias_add(g.input("x", [32, 10]), g.parameter("b", [10])).shape
        (32, 10)
        """
        return self._add_rows("bias_add", a, b, TensorType.f32(a.shape[-1:]))

    def broadcast_add(self, a: Value, b: Value) -> Value:
        """``a[i, j] + b[0, j]``: a row ``b[1, N]`` added to each row of ``a[M, N]``.

        `bias_add` for a bias that is kept as a row; it refuses the same.

        >>> g.broadcast_add(g.input("x", [32, 10]), g.parameter("b", [1, 10])).shape
        (32, 10)
        """
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
