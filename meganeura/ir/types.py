"""Tensor types: a shape and an element type, and how shapes combine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ..arguments import require, shown
from ..dtypes import DType
from ..errors import GraphError, ShapeError

Shape = tuple[int, ...]

MOST_AXES = 16
MOST_ELEMENTS = 2**40
"""4 TiB of floats: what is larger is a mistake, not a tensor."""


@dataclass(frozen=True)
class TensorType:
    """The type of a value: its shape, outermost dimension first, and its element type.

    Every size is at least 1; ``shape=()`` is a single element.
    """

    shape: Shape
    dtype: DType = DType.F32

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", as_shape(self.shape))
        if not isinstance(self.dtype, DType):
            raise GraphError(f"a tensor's dtype must be a DType, got {shown(self.dtype)}")

    @staticmethod
    def f32(shape: Sequence[int]) -> TensorType:
        """A type of 32-bit floats."""
        return TensorType(as_shape(shape), DType.F32)

    def num_elements(self) -> int:
        """The product of the sizes."""
        return prod(self.shape)

    def size_bytes(self) -> int:
        """Bytes of all elements."""
        return self.num_elements() * self.dtype.size_bytes()

    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def with_shape(self, shape: Sequence[int]) -> TensorType:
        """The same element type in another shape."""
        return TensorType(as_shape(shape), self.dtype)

    def __str__(self) -> str:
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"


def as_shape(shape: Sequence[int] | int) -> Shape:
    """A shape from anything that lists sizes; a bare size is a shape of one dimension."""
    result = as_integers(shape, "a shape")
    if any(size < 1 for size in result):
        raise ShapeError(
            f"every size of a shape must be at least 1, got {list(result)}",
            hint="a tensor without elements holds nothing to compute",
        )
    if len(result) > MOST_AXES or prod(result) > MOST_ELEMENTS:
        raise ShapeError(
            f"a shape has at most {MOST_AXES} axes and {MOST_ELEMENTS} elements, got {list(result)}"
        )
    return result


def as_integers(values: Sequence[int] | int, what: str) -> tuple[int, ...]:
    """Whole numbers, from one of them or from a list of them."""
    if type(values) is tuple and all(type(value) is int for value in values):
        return values  # as our own passes give them, thousands of times
    numbers: int | tuple[int, ...] = require(values, int | tuple[int, ...], what)
    return (numbers,) if isinstance(numbers, int) else numbers


def broadcast_shapes(*shapes: Shape) -> Shape | None:
    """The common shape by NumPy's rule, or None where there is none."""
    rank = max(map(len, shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for axis, size in enumerate(shape, start=rank - len(shape)):
            if size != 1:
                if result[axis] not in (1, size):
                    return None
                result[axis] = size
    return tuple(result)


def broadcast_axes(shape: Shape, target: Shape) -> Shape:
    """The axes of ``target`` along which ``shape`` is repeated."""
    extra = len(target) - len(shape)
    return tuple(
        axis
        for axis, size in enumerate(target)
        if axis < extra or (shape[axis - extra] == 1 and size != 1)
    )


def normalize_axes(axes: int | Sequence[int] | None, rank: int, op: str) -> Shape:
    """Sorted axes in 0..rank-1 from NumPy's forms: None for all, negative from the end."""
    if axes is None:
        return tuple(range(rank))
    given = as_integers(axes, f"{op}: axes")
    for axis in given:
        if not -rank <= axis < rank:
            raise ShapeError(f"{op}: axis {axis} is out of range for a value of rank {rank}")
    result = tuple(sorted(axis % rank for axis in given))
    if len(set(result)) != len(result):
        raise ShapeError(f"{op}: an axis is named twice in {list(given)}")
    return result
