"""Matrix multiplication. A transposed operand is a `permute` of it, not another op."""

from __future__ import annotations

from math import prod
from typing import ClassVar

from ..dtypes import Array
from ..errors import ShapeError
from ..ir.graph import Graph, Value
from ..ir.op import Initial, Op, Source, op
from ..ir.pointwise import reduce_to
from ..ir.types import Shape, TensorType, broadcast_shapes
from ..kernel.archetype import Archetype, Reduction, Result, Stage, places
from ..kernel.conv import ROW, Convolution, Window, at, image_axes, weight_axes
from ..kernel.element import Element, apply, held
from ..kernel.index import Index, unflat
from .contraction import matrix_product

FEW_ROWS = 2
"""Rows for which b is read so seldom that rearranging it does not pay."""
STAGED_PRODUCTS, BY_SUMS_PRODUCTS = 2, 2
"""What it takes to stage a number of b, and to form a product of a sum by itself, as products of
large matrices."""


@op("matmul")
class Matmul(Op):
    """``c[…, m, n] = Σ_k a[…, m, k] · b[…, k, n]``; leading axes broadcast."""

    goes_on: ClassVar[bool] = True
    beside: ClassVar[float] = 2.0
    """What is read beside the factors comes late, but in rows as long as a block of sums."""

    def infer(self, a: TensorType, b: TensorType) -> TensorType:
        """``[…, m, n]``, if the inner sizes agree."""
        if a.rank() < 2 or b.rank() < 2:
            self.reject("operands must be matrices", a, b, hint="g.reshape a vector to [1, n]")
        (m, k), (k2, n) = a.shape[-2:], b.shape[-2:]
        if k != k2:
            hint = None
            if k == n:
                hint = "b looks transposed; write a @ b.T, or g.matmul_bt(a, b)"
            elif m == k2:
                hint = "a looks transposed; write a.T @ b, or g.matmul_at(a, b)"
            self.reject("inner dimensions differ", a, b, detail=f"{k} ≠ {k2}", hint=hint)
        batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
        if batch is None:
            self.reject("leading axes do not broadcast", a, b)
        return TensorType.f32((*batch, m, n))

    def initial(self, operand: str, *types: TensorType) -> Initial:
        """A weight is scaled by the number of products that are added up."""
        return Initial("uniform", types[0].shape[-1])

    def lower(self, out: TensorType, a: Source, b: Source) -> Archetype:
        """A matrix product is a convolution with kernels of one tap: the rows of a are filters, the
        rows of b channels, and its columns pixels, in rows as long as a block of sums. A batch of
        b is a batch of images; if there is one b, the batch of a is more rows."""
        *batch, m, n = out.shape
        k, images = a.ty.shape[-1], prod(b.ty.shape[:-2])
        if prod(out.shape[:-1]) <= FEW_ROWS:
            return self._sums(out, a, b)
        if images == 1:
            return self._product(a, b, (), (prod(batch) * m, k, n), out.shape)
        return self._product(a, b, tuple(batch), (m, k, n), out.shape)

    def _sums(self, out: TensorType, a: Source, b: Source) -> Archetype:
        """So few rows that b is read about once: as sums, without rearranging it."""
        *batch, m, n = places(out.shape)
        (k,) = places(a.ty.shape[-1:], "r")
        term = apply(lambda x, y: x * y, _at(a, batch, m, k), _at(b, batch, k, n))
        return Reduction(out.shape, a.ty.shape[-1:], (Stage("sum", term),), (Result(held("s0")),))

    def _product(
        self, a: Source, b: Source, batch: Shape, sizes: tuple[int, int, int], out: Shape
    ) -> Archetype:
        m, k, n = sizes
        size = (-(-n // ROW), ROW) if n > ROW else (1, n)
        sets = prod(batch) if prod(a.ty.shape[:-2]) > 1 else 1
        image, channel, row, column = at(image_axes((prod(batch), k, *size)))
        s, o, c, _, _ = at(weight_axes((m, k, 1, 1), sets))
        rows = [*unflat(s, batch), o] if batch else unflat(o, out[:-1])
        weight = _at(a, rows[:-1], rows[-1], c)
        pixel = _at(b, unflat(image, batch), channel, row * size[1] + column)
        window = Window(size, size, (1, 1), (1, 1), (1, 1), (0, 0))
        pixels = n if n < prod(size) else 0
        return Convolution(prod(batch), k, m, window, pixel, weight, sets, pixels)

    def products(self, out: TensorType, a: TensorType, b: TensorType) -> int:
        """Those of the sums, and what it takes to stage b."""
        if prod(out.shape[:-1]) <= FEW_ROWS:
            return BY_SUMS_PRODUCTS * out.num_elements() * a.shape[-1]
        return out.num_elements() * a.shape[-1] + STAGED_PRODUCTS * b.num_elements()

    def reference(self, a: Array, b: Array) -> Array:
        """All the sums of products."""
        return matrix_product(a, b)

    def vjp(self, grad: Value, out: Value, a: Value, b: Value) -> tuple[Value, Value]:
        """``grad · bᵀ`` and ``aᵀ · grad``."""
        return reduce_to(grad @ b.T, a.ty), reduce_to(a.T @ grad, b.ty)


@op("matmul_by_sums")
class MatmulBySums(Matmul):
    """`matmul` with each element as a sum of its own: an algorithm for few rows."""

    def lower(self, out: TensorType, a: Source, b: Source) -> Archetype:
        return self._sums(out, a, b)

    def products(self, out: TensorType, a: TensorType, b: TensorType) -> int:
        return BY_SUMS_PRODUCTS * out.num_elements() * a.shape[-1]


def _at(source: Source, batch: list[Index], row: Index, column: Index) -> Element:
    """An element of one of a batch of matrices; a batch size of 1 is broadcast."""
    sizes = source.ty.shape[:-2]
    before: list[Index] = []
    for i, size in enumerate(reversed(sizes), 1):
        before.insert(0, Index() if size == 1 else batch[-i])
    return source.at([*before, row, column])


class MatmulMethods(Graph):
    """Graph methods for matrix multiplication."""

    def matmul(self, a: Value, b: Value) -> Value:
        """``c[…, m, n] = Σ_k a[…, m, k] · b[…, k, n]``: the operator ``@``.

        ``[M, K]`` by ``[K, N]`` gives ``[M, N]``. Leading axes are batches and broadcast by NumPy's
        rule. Vectors, and inner sizes that differ, are a `ShapeError`.

        >>> g.matmul(g.input("x", [8, 32, 784]), g.parameter("w", [784, 10])).shape
        (8, 32, 10)
        """
        return self.emit(Matmul(), a, b)

    def matmul_at(self, a: Value, b: Value) -> Value:
        """``aᵀ · b``: ``[K, M]`` by ``[K, N]`` gives ``[M, N]``; batches as for `matmul`.

        >>> g.matmul_at(g.input("a", [5, 2]), g.input("b", [5, 3])).shape
        (2, 3)
        """
        self._check_inner("matmul_at", a, b, -2)
        return self.emit(Matmul(), a.T, b)

    def matmul_bt(self, a: Value, b: Value) -> Value:
        """``a · bᵀ``: ``[M, K]`` by ``[N, K]`` gives ``[M, N]``; batches as for `matmul`.

        >>> g.matmul_bt(g.input("a", [2, 5]), g.input("b", [3, 5])).shape
        (2, 3)
        """
        self._check_inner("matmul_bt", a, b, -1)
        return self.emit(Matmul(), a, b.T)

    def _check_inner(self, name: str, a: Value, b: Value, axis: int) -> None:
        """Both operands have the inner size on the same axis; say so in the types as given."""
        rule = None
        if a.ty.rank() < 2 or b.ty.rank() < 2:
            rule = "operands must be matrices"
        elif a.shape[axis] != b.shape[axis]:
            rule = "inner dimensions differ"
        if rule is not None:
            raise ShapeError(f"{name}: {rule}: a is {a.ty}, b is {b.ty}")
