"""Reductions over axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np

from ..dtypes import Array
from ..ir.composite import CompositeOp
from ..ir.graph import Graph, Value
from ..ir.op import Op, Source, op
from ..ir.types import Shape, TensorType, normalize_axes
from ..kernel.archetype import Archetype, Reduction, Result, Stage, places
from ..kernel.element import held
from .arithmetic import Equal
from .layout import BroadcastTo, reshape


@dataclass(frozen=True)
class ReduceOp(Op):
    """An op that combines the elements along some axes."""

    axes: Shape
    keep: bool = False
    goes_on: ClassVar[bool] = True

    def inlines(self, number: int) -> bool:
        return True

    def infer(self, x: TensorType) -> TensorType:
        """The shape without the axes, or with size 1 there if they are kept."""
        if self.axes != normalize_axes(self.axes, x.rank(), self.name) or not self.axes:
            self.reject(f"axes {list(self.axes)} must be rising and name at least one", x)
        return x.with_shape(reduced_shape(x.shape, self.axes, self.keep))

    def lower(self, out: TensorType, x: Source) -> Archetype:
        kept = [axis for axis in range(x.ty.rank()) if axis not in self.axes]
        rows = places(tuple(x.ty.shape[axis] for axis in kept))
        columns = places(tuple(x.ty.shape[axis] for axis in self.axes), "r")
        at = dict(zip((*kept, *self.axes), (*rows, *columns), strict=True))
        element = x.at([at[axis] for axis in range(x.ty.rank())])
        return Reduction(
            tuple(x.ty.shape[axis] for axis in kept),
            tuple(x.ty.shape[axis] for axis in self.axes),
            (Stage(self.name, element),),
            (Result(held("s0")),),
        )

    def row_length(self, x: TensorType) -> int:
        """How long the rows are that are combined whole, if they are the last axes; else 0."""
        first = x.rank() - len(self.axes)
        return prod(x.shape[first:]) if self.axes == tuple(range(first, x.rank())) else 0

    def spread(self, value: Value, x: Value) -> Value:
        """A reduced value, repeated along the axes to the shape it was reduced from."""
        kept = reshape(value, reduced_shape(x.shape, self.axes, True))
        return BroadcastTo(x.shape)(kept)


def reduced_shape(shape: Shape, axes: Shape, keep: bool) -> Shape:
    """``shape`` after a reduction over ``axes``."""
    if keep:
        return tuple(1 if i in axes else size for i, size in enumerate(shape))
    return tuple(size for i, size in enumerate(shape) if i not in axes)


@op("sum")
class Sum(ReduceOp):
    """The sum along axes."""

    def reference(self, x: Array) -> Array:
        """NumPy's sum."""
        return np.asarray(np.sum(x, axis=self.axes, keepdims=self.keep))

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """Each element gets the sum's gradient."""
        return (self.spread(grad, x),)


@op("max")
class Max(ReduceOp):
    """The largest element along axes; equal ones share the gradient."""

    def reference(self, x: Array) -> Array:
        """NumPy's maximum."""
        return np.asarray(np.max(x, axis=self.axes, keepdims=self.keep))

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """The gradient, shared by the elements equal to the maximum."""
        chosen = Equal()(x, self.spread(out, x))
        return (chosen * self.spread(grad / Sum(self.axes, self.keep)(chosen), x),)


@op("mean")
class Mean(CompositeOp):
    """The mean along axes."""

    axes: Shape
    keep: bool = False

    def check(self, x: TensorType) -> None:
        """The rule of `sum`."""
        Sum(self.axes, self.keep).infer(x)

    def define(self, x: Value) -> Value:
        """The sum over the number of elements."""
        count = prod(x.shape[axis] for axis in self.axes)
        return Sum(self.axes, self.keep)(x) * (1 / count)


class ReduceMethods(Graph):
    """Graph methods that reduce."""

    def sum(self, x: Value, axes: int | Sequence[int] | None = None, keep: bool = False) -> Value:
        """``Σ x`` along ``axes``: one axis, a list of them, or all if not given.

        Negative axes count from the end. The result is without those axes (so ``[]`` if all are
        summed), or with size 1 there if ``keep``. An axis that is not there, or named twice, is a
        `ShapeError`.

        >>> x = g.input("x", [2, 3, 4])
        >>> g.sum(x, [0, -1]).shape, g.sum(x, 1, keep=True).shape, g.sum(x).shape
        ((3,), (2, 1, 4), ())
        """
        return self._reduce(Sum, x, axes, keep)

    def mean(self, x: Value, axes: int | Sequence[int] | None = None, keep: bool = False) -> Value:
        """``Σ x / n`` along ``axes``, where n elements are added up; axes and shapes as for `sum`.

        >>> g.set_outputs([g.mean(g.constant([[1.0, 2.0], [3.0, 6.0]]), axes=1)])
        >>> mg.interpret(g, {})
        [array([1.5, 4.5], dtype=float32)]
        """
        return self._reduce(Mean, x, axes, keep)

    def max(self, x: Value, axes: int | Sequence[int] | None = None, keep: bool = False) -> Value:
        """The largest element along ``axes``; axes and shapes as for `sum`.

        Elements that are equally largest share the gradient.

        >>> g.set_outputs([g.max(g.constant([[1.0, 2.0], [3.0, 6.0]]), axes=0)])
        >>> mg.interpret(g, {})
        [array([3., 6.], dtype=float32)]
        """
        return self._reduce(Max, x, axes, keep)

    def sum_all(self, x: Value) -> Value:
        """The sum of all elements, in shape ``[1]``, which can be a loss.

        >>> g.sum_all(g.input("x", [4, 3])).shape
        (1,)
        """
        return self.emit(Sum((0,), True), flatten(x))

    def mean_all(self, x: Value) -> Value:
        """The mean of all elements, in shape ``[1]``, which can be a loss.

        >>> g.mean_all(g.input("x", [4, 3])).shape
        (1,)
        """
        return self.emit(Mean((0,), True), flatten(x))

    def _reduce(
        self,
        op: type[Sum] | type[Mean] | type[Max],
        x: Value,
        axes: int | Sequence[int] | None,
        keep: bool,
    ) -> Value:
        chosen = normalize_axes(axes, x.ty.rank(), op.name)
        return self.emit(op(chosen, keep), x) if chosen else x


def flatten(x: Value) -> Value:
    """``x`` in one dimension."""
    return reshape(x, (x.ty.num_elements(),))
