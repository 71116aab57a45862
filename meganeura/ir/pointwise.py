"""Ops given by a scalar formula: shape, meaning and gradient all follow from it."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from ..dtypes import Array
from ..errors import InternalError
from ..kernel.element import Element, apply
from ..kernel.index import Index
from ..scalar.calculus import ZERO, derivative, product
from ..scalar.evaluate import evaluate
from ..scalar.expr import Call, Const, Expr, Var, variables
from ..scalar.table import cost
from .graph import Value
from .op import REGISTRY, Initial, Op, Source
from .types import TensorType, broadcast_axes, broadcast_shapes


class PointwiseOp(Op):
    """An op that applies a scalar formula to each element, broadcasting its operands."""

    declared_by: ClassVar[str] = "formula"

    def formula(self, *args: Any, **kwargs: Any) -> Expr:
        """The result for one element, given the operands' elements."""
        raise InternalError(f"{self.name} has no formula")

    def infer(self, *types: TensorType) -> TensorType:
        """NumPy's broadcasting rule."""
        shape = broadcast_shapes(*(ty.shape for ty in types))
        if shape is None:
            self.reject(
                "shapes do not broadcast",
                *types,
                hint="sizes must be equal or 1, counted from the last axis; see g.reshape",
            )
        return TensorType.f32(shape)

    def reference(self, *inputs: Array) -> Array:
        """The formula over whole arrays."""
        return evaluate(self.formula(*variables(len(inputs))), inputs)

    def element(self, at: list[Index], *sources: Source) -> Element:
        """The formula over the operands' elements, of which a size of 1 is broadcast."""
        operands = []
        for source in sources:
            mine = at[len(at) - source.ty.rank() :]
            sizes = zip(mine, source.ty.shape, strict=True)
            operands.append(source.at([Index() if size == 1 else i for i, size in sizes]))
        return apply(self.formula, *operands)

    def vjp(self, grad: Value, out: Value, *inputs: Value) -> tuple[Value | None, ...]:
        """``grad · ∂formula/∂xᵢ`` as nodes, summed over the axes that were broadcast."""
        values = {e: v for e, v in zip(variables(len(inputs)), inputs, strict=True)}
        values[Var(len(inputs))] = grad
        values[self.formula(*variables(len(inputs)))] = out
        partials = gradient_formulas(self, len(inputs))
        return tuple(
            None if partial == ZERO else reduce_to(write(partial, values, grad), x.ty)
            for partial, x in zip(partials, inputs, strict=True)
        )

    def inlines(self, number: int) -> bool:
        """All operands."""
        return True

    def operations(self, arity: int) -> int:
        """Those of the formula."""
        return _operations(self, arity)

    def initial(self, operand: str, *types: TensorType) -> Initial | None:
        """A vector, or what is broadcast, is a bias under addition, a scale under
        multiplication."""
        mine = types[self.operand_names(len(types)).index(operand)]
        is_vector = sum(size > 1 for size in mine.shape) <= 1
        if mine.shape == self.infer(*types).shape and not is_vector:
            return None
        return {"add": Initial("zeros"), "sub": Initial("zeros"), "mul": Initial("ones")}.get(
            self.name
        )


def can_be_inlined(op: Op) -> bool:
    """Whether users can compute an op's elements as they read them."""
    return op.is_view or isinstance(op, PointwiseOp)


@cache
def _operations(op: PointwiseOp, arity: int) -> int:
    return cost(op.formula(*variables(arity)))


@cache
def gradient_formulas(op: PointwiseOp, arity: int) -> tuple[Expr, ...]:
    """For each operand: the incoming gradient (``Var(arity)``) times the partial derivative."""
    formula = op.formula(*variables(arity))
    return tuple(product(Var(arity), derivative(formula, i)) for i in range(arity))


def write(expr: Expr, values: dict[Expr, Value], like: Value) -> Value:
    """``expr`` as nodes: each scalar operator is the op of the same name."""
    if expr not in values:
        match expr:
            case Const(value):
                values[expr] = like.graph.number(value)
            case Call(name, args):
                operands = [write(arg, values, like) for arg in args]
                values[expr] = REGISTRY[name]()(*operands)
    return values[expr]


def reduce_to(value: Value, ty: TensorType) -> Value:
    """``value`` summed over the axes along which ``ty`` was broadcast to its shape."""
    axes = broadcast_axes(ty.shape, value.shape)
    if axes:
        value = REGISTRY["sum"](axes, False)(value)  # type: ignore[call-arg]
    if value.shape != ty.shape:
        value = REGISTRY["reshape"](ty.shape)(value)  # type: ignore[call-arg]
    return value
