"""Leaves: data that enters a graph, and the two ops that pass a value on unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import narrowed, shown
from ..dtypes import Array, DType
from ..errors import GraphError, ShapeError, did_you_mean
from ..ir.graph import Graph, Value
from ..ir.op import Op, Source, op
from ..ir.types import TensorType, as_shape
from ..kernel.element import Element, number, test
from ..kernel.index import Bound, Index

STARTS = ("zeros", "ones", "uniform", "normal")
"""How a parameter may start; the last two are scaled by fan-in."""


LAYOUTS = ("plain", "linear")
"""How a parameter lies in a file of weights: as in the graph, or transposed (a linear weight is
``[in, out]`` in a graph and ``[out, in]`` in HuggingFace's files)."""


class LeafOp(Op):
    """An op without operands; its type is one of its attributes."""

    ty: TensorType

    def infer(self) -> TensorType:
        """The declared type."""
        return self.ty


@op("input")
class Input(LeafOp):
    """Data fed before a step."""

    label: str
    ty: TensorType


@op("parameter")
class Parameter(LeafOp):
    """A trainable value, kept between steps."""

    label: str
    ty: TensorType
    start: str | None = None
    layout: str | None = None

    def infer(self) -> TensorType:
        """The declared type, if it fits the layout."""
        if self.layout is not None and self.layout not in LAYOUTS:
            raise GraphError(
                f'parameter: "{self.label}" cannot have the layout "{self.layout}"',
                hint=did_you_mean(self.layout, LAYOUTS),
            )
        if self.layout == "linear" and self.ty.rank() != 2:
            raise ShapeError(
                f'parameter: "{self.label}" is {self.ty}; a linear weight is a matrix [in, out]',
                hint='leave out layout="linear"',
            )
        return self.ty


@op("state")
class State(LeafOp):
    """A value that is kept between steps and not trained: a cache, an optimizer's moment."""

    label: str
    ty: TensorType


@op("constant")
class Constant(LeafOp):
    """A fixed tensor, little-endian in row-major order."""

    data: bytes
    ty: TensorType
    differentiable: ClassVar[bool] = False

    def infer(self) -> TensorType:
        """The declared type, if the data fills it."""
        if len(self.data) != self.ty.size_bytes():
            found = len(self.data) // self.ty.dtype.size_bytes()
            raise ShapeError(
                f"constant: {found} values given for {self.ty}, which has {self.ty.num_elements()}"
            )
        return self.ty

    def reference(self) -> Array:
        """The data."""
        return np.frombuffer(self.data, self.ty.dtype.numpy).reshape(self.ty.shape)


@op("full")
class Full(LeafOp):
    """The same number everywhere. It is not rounded until it is used."""

    value: float
    ty: TensorType
    differentiable: ClassVar[bool] = False
    is_view: ClassVar[bool] = True

    def __eq__(self, other: object) -> bool:
        """As it is written: −0 is not 0, and a NaN is a NaN."""
        return isinstance(other, Full) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, TensorType]:
        return repr(self.value), self.ty

    def element(self, at: list[Index], *sources: Source) -> Element:
        """The number."""
        return number(self.value)

    def reference(self) -> Array:
        """The number in the declared shape."""
        return np.full(self.ty.shape, self.value)


@op("band")
class Band(LeafOp):
    """1 where ``-below ≤ column − row ≤ above``, else 0: the pattern of an attention mask."""

    below: int
    above: int
    ty: TensorType
    differentiable: ClassVar[bool] = False
    is_view: ClassVar[bool] = True

    def infer(self) -> TensorType:
        """A matrix of f32."""
        if self.ty.rank() != 2:
            raise ShapeError(f"band: a mask is a matrix, not {self.ty}")
        return self.ty

    def element(self, at: list[Index], *sources: Source) -> Element:
        """A bound on the distance from the diagonal."""
        return test(Bound(at[1] - at[0], -self.below, self.above + 1))

    def reference(self) -> Array:
        """Compare each column's number with its row's."""
        rows, columns = self.ty.shape
        offset = np.arange(columns)[None, :] - np.arange(rows)[:, None]
        return ((offset >= -self.below) & (offset <= self.above)).astype(np.float32)


class IdentityOp(Op):
    """An op that gives its operand unchanged."""

    any_dtype: ClassVar[bool] = True
    is_view: ClassVar[bool] = True

    def infer(self, x: TensorType) -> TensorType:
        """The operand's type."""
        return x

    def element(self, at: list[Index], x: Source) -> Element:
        """The operand's."""
        return x.at(at)

    def reference(self, x: Array) -> Array:
        """The operand."""
        return x


@op("alias")
class Alias(IdentityOp):
    """Another name for a value. Autodiff gives each operand of a definition its own, so that a
    value used in two positions gets a gradient for each."""

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """The gradient passes through."""
        return (grad,)


@op("stop_gradient")
class StopGradient(IdentityOp):
    """The value, as a constant to differentiation."""

    differentiable: ClassVar[bool] = False


class LeafMethods(Graph):
    """Graph methods that make leaves."""

    def input(self, name: str, shape: Sequence[int]) -> Value:
        """An F32 tensor that is fed before each step, under its name.

        A name is unique in its graph, not empty, and does not begin with ``@`` (`GraphError`);
        sizes are at least 1 (`ShapeError`). It is not trained.

        >>> g.input("x", [32, 784])
        %0: f32[32, 784]
        """
        return self.emit(Input(_checked(name), TensorType.f32(shape)))

    def input_u32(self, name: str, shape: Sequence[int]) -> Value:
        """A U32 tensor that is fed before each step: token ids, positions, class labels.

        Ops that look up by index read it, and so do those that only move elements; arithmetic
        refuses it (`DTypeError`). Data with an index out of range is refused before a step runs.

        >>> g.one_hot(g.input_u32("labels", [32]), 10).shape
        (32, 10)
        """
        return self.emit(Input(_checked(name), TensorType(as_shape(shape), DType.U32)))

    def parameter(
        self,
        name: str,
        shape: Sequence[int],
        start: str | None = None,
        layout: str | None = None,
    ) -> Value:
        """A trainable F32 tensor: what losses are differentiated by, and what an optimizer moves.

        ``start`` says how it begins: ``"zeros"``, ``"ones"``, ``"uniform"`` (within ±1/√fan-in) or
        ``"normal"`` (with deviation 1/√fan-in); without it, how it is used decides (a norm's scale
        is ones, a bias zeros, a weight uniform). Another word is a `GraphError`. Names as for
        `input`.

        ``layout`` says how it lies in HuggingFace's files of weights: ``"linear"``, a matrix
        ``[in, out]`` that is ``[out, in]`` there, as `nn.Linear` declares; or ``"plain"``, as in
        the graph. Undeclared is plain too, but a square matrix of another's file is then refused:
        its shape cannot tell.

        >>> g.parameter("fc.weight", [784, 10], layout="linear")
        %0: f32[784, 10]
        """
        if start is not None and start not in STARTS:
            raise GraphError(
                f'parameter: "{name}" cannot start as "{start}"', hint=did_you_mean(start, STARTS)
            )
        return self.emit(Parameter(_checked(name), TensorType.f32(shape), start, layout))

    def state(self, name: str, shape: Sequence[int]) -> Value:
        """An F32 tensor that starts at zero and is kept between steps without being trained.

        It holds a cache, say: `cache_write` and `set_update` say what replaces it after a step.
        Names as for `input`.

        >>> g.state("k_cache", [128, 64])
        %0: f32[128, 64]
        """
        return self.emit(State(_checked(name), TensorType.f32(shape)))

    def constant(self, data: ArrayLike, shape: Sequence[int] | None = None) -> Value:
        """A fixed F32 tensor, of anything that `numpy.asarray` makes numbers of.

        ``shape`` takes the data in row-major order, which must fill it (`ShapeError`); without it
        the tensor has the data's shape. What is not numbers is a `GraphError`, and so is a finite
        number that F32 cannot hold.

        >>> g.constant([1, 2, 3, 4], [2, 2])
        %0: f32[2, 2]
        """
        array = _as_floats(data)
        ty = TensorType.f32(array.shape if shape is None else shape)
        return self.emit(Constant(array.tobytes(), ty))

    def scalar(self, value: float) -> Value:
        """A fixed number, as a tensor of shape ``[1]``, which is a loss's shape too.

        >>> loss = g.mse_loss(g.input("x", [8]), g.input("target", [8]))
        >>> g.mul(g.scalar(0.5), loss).shape
        (1,)
        """
        return self.full(value, (1,))

    def stop_gradient(self, x: Value) -> Value:
        """``x`` unchanged, of any element type, as a constant to differentiation.

        >>> w = g.parameter("w", [1])
        >>> g.set_outputs([w * g.stop_gradient(w)])
        >>> mg.interpret(mg.differentiate(g), {"w": [3.0]})  # w², then its gradient: w, not 2w
        [array([9.], dtype=float32), array([3.], dtype=float32)]
        """
        return self.emit(StopGradient(), x)


def _as_floats(data: Any) -> Array:
    """``data`` as little-endian float32."""
    try:
        array = np.asarray(None if isinstance(data, Value) else data)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "fiub":
        raise GraphError(f"constant: the data is not an array of numbers: {shown(data)}")
    return narrowed(array, "<f4", "constant")


def _checked(name: str) -> str:
    if not name:
        raise GraphError("a leaf's name must be a non-empty string, got ''")
    if name.startswith("@") or name == "__metadata__":
        raise GraphError(f'the name "{name}" is reserved: choose another, not beginning with @')
    if not name.isprintable() and any("\ud800" <= letter <= "\udfff" for letter in name):
        raise GraphError(f"the name {name!r} is not valid text")
    return name
