"""Ops that move or repeat elements and compute nothing."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

import numpy as np

from ..dtypes import Array
from ..errors import GraphError, ShapeError
from ..ir.graph import Graph, Value
from ..ir.op import Op, Source, op
from ..ir.pointwise import reduce_to
from ..ir.types import Shape, TensorType, broadcast_shapes, normalize_axes
from ..kernel.element import Element, choose, number
from ..kernel.index import Bound, Index, flat, unflat

CHOICE = 8
"""What it costs to see which part of a concatenation, or whether any, an element is in."""


class LayoutOp(Op):
    """An op that only moves elements, of any type."""

    any_dtype: ClassVar[bool] = True
    is_view: ClassVar[bool] = True


@op("reshape")
class Reshape(LayoutOp):
    """The same elements in the same order under another shape."""

    shape: Shape

    def infer(self, x: TensorType) -> TensorType:
        """The new shape, if it has as many elements."""
        result = x.with_shape(self.shape)
        if result.num_elements() != x.num_elements():
            detail = f"{x.num_elements()} ≠ {result.num_elements()} elements"
            self.reject(f"cannot become {list(self.shape)}", x, detail=detail)
        return result

    def element(self, at: list[Index], x: Source) -> Element:
        return x.at(unflat(flat(at, self.shape), x.ty.shape))

    def reference(self, x: Array) -> Array:
        """NumPy's reshape."""
        return x.reshape(self.shape)

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """The gradient in the old shape."""
        return (Reshape(x.shape)(grad),)


@op("permute")
class Permute(LayoutOp):
    """Axes reordered: axis i of the result is axis ``axes[i]`` of the operand."""

    axes: Shape

    def infer(self, x: TensorType) -> TensorType:
        """The sizes in their new order."""
        if sorted(self.axes) != list(range(x.rank())):
            self.reject(f"axes {list(self.axes)} must name each axis once", x)
        return x.with_shape([x.shape[axis] for axis in self.axes])

    def element(self, at: list[Index], x: Source) -> Element:
        return x.at([at[self.axes.index(axis)] for axis in range(len(at))])

    def reference(self, x: Array) -> Array:
        """NumPy's transpose."""
        return x.transpose(self.axes)

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """The gradient with its axes put back."""
        return (Permute(tuple(int(i) for i in np.argsort(self.axes)))(grad),)


@op("broadcast_to")
class BroadcastTo(LayoutOp):
    """Repeated along axes of size 1, and along new leading axes."""

    shape: Shape

    def infer(self, x: TensorType) -> TensorType:
        """The new shape, if the old one broadcasts to it."""
        if broadcast_shapes(x.shape, self.shape) != self.shape:
            self.reject(f"cannot be repeated to {list(self.shape)}", x)
        return x.with_shape(self.shape)

    def element(self, at: list[Index], x: Source) -> Element:
        mine = zip(at[len(at) - x.ty.rank() :], x.ty.shape, strict=True)
        return x.at([Index() if size == 1 else i for i, size in mine])

    def reference(self, x: Array) -> Array:
        """NumPy's broadcast_to."""
        return np.broadcast_to(x, self.shape)

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """The sum over the repeated axes."""
        return (reduce_to(grad, x.ty),)


@op("slice")
class Slice(LayoutOp):
    """The part with ``starts[i] ≤ index < stops[i]`` on each axis i."""

    starts: Shape
    stops: Shape

    def infer(self, x: TensorType) -> TensorType:
        """The sizes of the ranges."""
        if not len(self.starts) == len(self.stops) == x.rank():
            self.reject("starts and stops must name each axis", x)
        for start, stop, size in zip(self.starts, self.stops, x.shape, strict=True):
            if not 0 <= start < stop <= size:
                self.reject(f"the range {start}:{stop} does not fit an axis of size {size}", x)
        return x.with_shape([b - a for a, b in zip(self.starts, self.stops, strict=True)])

    def element(self, at: list[Index], x: Source) -> Element:
        return x.at([i + start for i, start in zip(at, self.starts, strict=True)])

    def reference(self, x: Array) -> Array:
        """NumPy's slicing."""
        ranges = zip(self.starts, self.stops, strict=True)
        return x[tuple(slice(start, stop) for start, stop in ranges)]

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """The gradient, with zeros around it."""
        after = tuple(size - stop for size, stop in zip(x.shape, self.stops, strict=True))
        return (Pad(self.starts, after)(grad),)


@op("pad")
class Pad(LayoutOp):
    """With ``before[i]`` zeros in front of axis i and ``after[i]`` behind it."""

    before: Shape
    after: Shape

    def infer(self, x: TensorType) -> TensorType:
        """The sizes with their margins."""
        if not len(self.before) == len(self.after) == x.rank():
            self.reject("before and after must name each axis", x)
        if min((*self.before, *self.after), default=0) < 0:
            self.reject("margins cannot be negative", x)
        sizes = zip(self.before, x.shape, self.after, strict=True)
        return x.with_shape([sum(parts) for parts in sizes])

    def operations(self, arity: int) -> int:
        return CHOICE

    def element(self, at: list[Index], x: Source) -> Element:
        inner = [i - before for i, before in zip(at, self.before, strict=True)]
        result = x.at(inner)
        for i, size in zip(inner, x.ty.shape, strict=True):
            result = result.within(Bound(i, 0, size))
        return result

    def reference(self, x: Array) -> Array:
        """NumPy's pad, which refuses a scalar."""
        return np.pad(x, tuple(zip(self.before, self.after, strict=True))) if x.ndim else x

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """The gradient without its margins."""
        ends = zip(self.before, x.shape, strict=True)
        return (Slice(self.before, tuple(a + size for a, size in ends))(grad),)


@op("concat")
class Concat(LayoutOp):
    """Values one after another along an axis."""

    axis: int

    def infer(self, *parts: TensorType) -> TensorType:
        """The sizes along the axis added up."""
        first = parts[0].shape
        if not 0 <= self.axis < len(first):
            self.reject(f"there is no axis {self.axis}", *parts)
        others = {(*p.shape[: self.axis], *p.shape[self.axis + 1 :]) for p in parts}
        if len(others) > 1 or len({p.rank() for p in parts}) > 1:
            self.reject(f"sizes may differ only along axis {self.axis}", *parts)
        size = sum(p.shape[self.axis] for p in parts)
        return parts[0].with_shape((*first[: self.axis], size, *first[self.axis + 1 :]))

    def operations(self, arity: int) -> int:
        return CHOICE * (arity - 1)

    def element(self, at: list[Index], *parts: Source) -> Element:
        """Each part where it lies, and nothing read of it elsewhere."""
        result, start = number(0.0), 0
        for part in parts:
            size = part.ty.shape[self.axis]
            bound = Bound(at[self.axis], start, start + size)
            inside = [i - start if axis == self.axis else i for axis, i in enumerate(at)]
            result = choose(bound, part.at(inside), result)
            start += size
        return result

    def reference(self, *parts: Array) -> Array:
        """NumPy's concatenate."""
        return np.concatenate(parts, axis=self.axis)

    def vjp(self, grad: Value, out: Value, *parts: Value) -> tuple[Value, ...]:
        """Each part's piece of the gradient."""
        sizes = [p.shape[self.axis] for p in parts]
        return tuple(split(grad, self.axis, sizes))


def reshape(x: Value, shape: Shape) -> Value:
    """``x`` under another shape; itself if it has that shape."""
    return x if x.shape == shape else Reshape(shape)(x)


def split(x: Value, axis: int, sizes: Sequence[int]) -> list[Value]:
    """Consecutive pieces of ``x`` along an axis."""
    pieces, start = [], 0
    for size in sizes:
        starts, stops = [0] * len(x.shape), list(x.shape)
        starts[axis], stops[axis] = start, start + size
        pieces.append(Slice(tuple(starts), tuple(stops))(x))
        start += size
    return pieces


class LayoutMethods(Graph):
    """Graph methods that move elements, of F32 and U32 alike."""

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        """The same elements, in row-major order, under another shape.

        One size may be −1, and is worked out. Another number of elements is a `ShapeError`.

        >>> g.reshape(g.input("x", [4, 6]), [8, -1]).shape
        (8, 3)
        """
        sizes = list(shape)
        if sizes.count(-1) == 1:
            rest = prod(size for size in sizes if size != -1)
            if rest < 1 or x.ty.num_elements() % rest:
                raise ShapeError(f"reshape: {x.ty} cannot become {sizes}")
            sizes[sizes.index(-1)] = x.ty.num_elements() // rest
        return self.emit(Reshape(tuple(sizes)), x)

    def transpose(self, x: Value, axis0: int = -2, axis1: int = -1) -> Value:
        """Two axes exchanged; without arguments the last two, as ``x.T`` does.

        Negative axes count from the end; one that is not there is a `ShapeError`.

        >>> g.transpose(g.input("x", [2, 3, 4]), 0, 1).shape
        (3, 2, 4)
        """
        rank = x.ty.rank()
        (a,), (b,) = (normalize_axes(axis, rank, "transpose") for axis in (axis0, axis1))
        axes = list(range(rank))
        axes[a], axes[b] = b, a
        return self.emit(Permute(tuple(axes)), x)

    def permute(self, x: Value, axes: Sequence[int]) -> Value:
        """Axes reordered: axis i of the result is axis ``axes[i]`` of ``x``.

        Each axis is named once, negative from the end, else it is a `ShapeError`.

        >>> g.permute(g.input("images", [8, 3, 32, 48]), [0, 2, 3, 1]).shape
        (8, 32, 48, 3)
        """
        rank = x.ty.rank()
        return self.emit(Permute(tuple(a + rank if a < 0 else a for a in axes)), x)

    def broadcast_to(self, x: Value, shape: Sequence[int]) -> Value:
        """``x`` repeated to a shape by NumPy's rule.

        Axes of size 1, and first axes that ``x`` does not have, are repeated. A shape that ``x``
        does not broadcast to is a `ShapeError`. The gradient is summed over what was repeated.

        >>> g.broadcast_to(g.input("x", [3, 1]), [2, 3, 4]).shape
        (2, 3, 4)
        """
        return self.emit(BroadcastTo(tuple(shape)), x)

    def slice(self, x: Value, starts: Sequence[int], stops: Sequence[int]) -> Value:
        """The part with ``starts[i] ≤ index < stops[i]`` on each axis i; also written ``x[2:5]``.

        Every axis has a range of at least one element inside its size, else it is a `ShapeError`;
        numbers from the end are for ``x[…]`` only. The gradient is 0 outside the part.

        >>> g.slice(g.input("x", [4, 6]), [1, 0], [4, 2]).shape
        (3, 2)
        """
        return self.emit(Slice(tuple(starts), tuple(stops)), x)

    def pad(self, x: Value, before: Sequence[int], after: Sequence[int]) -> Value:
        """``x`` with zeros around it: ``before[i]`` in front of axis i and ``after[i]`` behind it.

        Both name every axis, and none is negative, else it is a `ShapeError`.

        >>> g.pad(g.input("x", [4, 6]), [0, 1], [2, 1]).shape
        (6, 8)
        """
        return self.emit(Pad(tuple(before), tuple(after)), x)

    def concatenate(self, parts: Sequence[Value], axis: int = 0) -> Value:
        """Values one after another along an axis, negative from the end.

        All other sizes are equal (`ShapeError`), and so are element types (`DTypeError`); an empty
        list is a `GraphError`. `concat` is for two images by channel.

        >>> g.concatenate([g.input("a", [2, 3]), g.input("b", [2, 5])], axis=1).shape
        (2, 8)
        """
        if not parts:
            raise GraphError("concatenate: parts must be a list of at least one value")
        axis = normalize_axes(axis, parts[0].ty.rank(), "concatenate")[0]
        return self.emit(Concat(axis), *parts)
