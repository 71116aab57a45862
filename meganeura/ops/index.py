"""Ops that look rows up, or write them, by index."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..dtypes import Array
from ..errors import GraphError, ShapeError
from ..ir.graph import Graph, Value
from ..ir.op import Initial, Op, Source, op
from ..ir.types import TensorType
from ..kernel.archetype import Archetype, Scatter, places
from ..kernel.element import Element, as_index, choose, test
from ..kernel.index import Bound, Index, unflat


@op("embedding")
class Embedding(Op):
    """Row ``indices[i]`` of the table, for each i."""

    u32_operands: ClassVar[frozenset[str]] = frozenset({"indices"})

    def infer(self, indices: TensorType, table: TensorType) -> TensorType:
        """The indices' shape, then the row's size."""
        if table.rank() != 2:
            self.reject("the table must be [vocab, dim]", indices, table)
        return TensorType.f32((*indices.shape, table.shape[1]))

    def index_limits(self, indices: TensorType, table: TensorType) -> dict[str, int]:
        """An index names a row."""
        return {"indices": table.shape[0]}

    def initial(self, operand: str, *types: TensorType) -> Initial:
        """A table's rows start with unit length on average."""
        return Initial("normal", types[1].shape[1])

    def element(self, at: list[Index], indices: Source, table: Source) -> Element:
        row = as_index(indices.at(at[:-1]), table.ty.shape[0])
        return table.at([row, at[-1]])

    def reference(self, indices: Any, table: Array) -> Array:
        """NumPy's indexing by an array."""
        result: Array = table[indices]
        return result

    def vjp(self, grad: Value, out: Value, indices: Value, table: Value) -> tuple[None, Value]:
        """Each row of the table gets the sum of the gradients of its uses."""
        return None, ScatterAdd(table.shape[0])(indices, grad)


@op("scatter_add")
class ScatterAdd(Op):
    """``out[indices[i]] += src[i]``, from zeros, in rising i."""

    vocab_size: int
    u32_operands: ClassVar[frozenset[str]] = frozenset({"indices"})

    def infer(self, indices: TensorType, src: TensorType) -> TensorType:
        """A table of ``vocab_size`` rows."""
        if src.shape[:-1] != indices.shape or not indices.shape:
            self.reject("src must have one row for each index", indices, src)
        if self.vocab_size < 1:
            self.reject(f"vocab_size must be positive, got {self.vocab_size}", indices, src)
        return TensorType.f32((self.vocab_size, src.shape[-1]))

    def index_limits(self, indices: TensorType, src: TensorType) -> dict[str, int]:
        """An index names a row of the result."""
        return {"indices": self.vocab_size}

    def lower(self, out: TensorType, indices: Source, src: Source) -> Archetype:
        rows, columns = indices.ty.num_elements(), out.shape[1]
        (row,), (column,) = places((rows,), "r"), places((columns,))
        place = unflat(row, indices.ty.shape)
        element = src.at([*place, column])
        return Scatter(self.vocab_size, rows, columns, indices.at(place), element)

    def reference(self, indices: Any, src: Array) -> Array:
        """NumPy's unbuffered addition, one row after another."""
        result = np.zeros((self.vocab_size, src.shape[-1]), src.dtype)
        np.add.at(result, indices, src)
        return result

    def vjp(self, grad: Value, out: Value, indices: Value, src: Value) -> tuple[None, Value]:
        """Each row gets the gradient of where it went."""
        return None, Embedding()(indices, grad)


@op("one_hot")
class OneHot(Op):
    """Rows of zeros with a 1 at each index."""

    depth: int
    u32_operands: ClassVar[frozenset[str]] = frozenset({"indices"})
    differentiable: ClassVar[bool] = False

    def infer(self, indices: TensorType) -> TensorType:
        """The indices' shape, then ``depth``."""
        if self.depth < 1:
            self.reject(f"depth must be positive, got {self.depth}", indices)
        return TensorType.f32((*indices.shape, self.depth))

    def index_limits(self, indices: TensorType) -> dict[str, int]:
        """An index names a place in the row."""
        return {"indices": self.depth}

    def element(self, at: list[Index], indices: Source) -> Element:
        here = as_index(indices.at(at[:-1]), self.depth)
        return test(Bound(here - at[-1], 0, 1))

    def reference(self, indices: Any) -> Array:
        """Compare each place's number with the index."""
        result: Array = (np.arange(self.depth) == indices[..., None]).astype(np.float32)
        return result


@op("prefix")
class Prefix(Op):
    """1 at the places up to and including ``last[0]``, then 0."""

    size: int
    u32_operands: ClassVar[frozenset[str]] = frozenset({"last"})
    differentiable: ClassVar[bool] = False

    def infer(self, last: TensorType) -> TensorType:
        """A vector."""
        if last.num_elements() != 1 or self.size < 1:
            self.reject(f"last must be a single number, below a positive size ({self.size})", last)
        return TensorType.f32((self.size,))

    def index_limits(self, last: TensorType) -> dict[str, int]:
        """The last place is a place."""
        return {"last": self.size}

    def element(self, at: list[Index], last: Source) -> Element:
        end = as_index(last.at([Index()] * last.ty.rank()), self.size)
        return test(Bound(end - at[0], 0, self.size))

    def reference(self, last: Any) -> Array:
        """Compare each place's number with the last."""
        result: Array = (np.arange(self.size) <= last.ravel()[0]).astype(np.float32)
        return result


class NoGradientOp(Op):
    """An op of inference that training must not need a gradient through."""

    def vjp(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Refused: the op reads a cache that earlier steps wrote."""
        raise GraphError(
            f"{self.name} has no gradient, and a parameter's gradient needs one through it",
            hint="train with causal_attention, or cut the path with g.stop_gradient",
        )


@op("cache_write")
class CacheWrite(NoGradientOp):
    """The cache with row ``kv_pos[0]`` of each of its ``batch`` parts replaced."""

    batch: int = 1
    u32_operands: ClassVar[frozenset[str]] = frozenset({"kv_pos"})

    def infer(self, new_kv: TensorType, cache: TensorType, kv_pos: TensorType) -> TensorType:
        """The cache's type."""
        types = (new_kv, cache, kv_pos)
        if cache.rank() != 2 or self.batch < 1 or cache.shape[0] % self.batch:
            self.reject("the cache must be [batch · max_seq, dim]", *types)
        if new_kv.shape != (self.batch, cache.shape[1]):
            self.reject(f"new_kv must be [{self.batch}, {cache.shape[1]}]", *types)
        if kv_pos.num_elements() != 1:
            self.reject("kv_pos must be a single number", *types)
        return cache

    def index_limits(
        self, new_kv: TensorType, cache: TensorType, kv_pos: TensorType
    ) -> dict[str, int]:
        """The position names a row of each part."""
        return {"kv_pos": cache.shape[0] // self.batch}

    def element(self, at: list[Index], new_kv: Source, cache: Source, kv_pos: Source) -> Element:
        rows = cache.ty.shape[0] // self.batch
        position = as_index(kv_pos.at([Index()] * kv_pos.ty.rank()), rows)
        is_row = Bound(at[0] % rows - position, 0, 1)
        return choose(is_row, new_kv.at([at[0] // rows, at[1]]), cache.at(at))

    def reference(self, new_kv: Array, cache: Array, kv_pos: Any) -> Array:
        """A copy with the rows replaced."""
        result = cache.reshape(self.batch, -1, cache.shape[1]).copy()
        result[:, int(kv_pos.ravel()[0])] = new_kv
        return result.reshape(cache.shape)


class IndexMethods(Graph):
    """Graph methods that work by index. Indices are U32."""

    def embedding(self, indices: Value, table: Value) -> Value:
        """``out[i] = table[indices[i]]``: rows of a table by index.

        ``indices`` is U32 of any shape, ``table`` is ``[vocab, dim]``; the result has the indices'
        shape and then dim. Only the table has a gradient, a `scatter_add`. An index from vocab on
        is refused when it is fed (`GraphError`).

        >>> g.embedding(g.input_u32("ids", [5]), g.parameter("table", [100, 16])).shape
        (5, 16)
        """
        return self.emit(Embedding(), indices, table)

    def scatter_add(self, indices: Value, src: Value, vocab_size: int) -> Value:
        """``out[indices[i]] += src[i]`` into ``vocab_size`` rows of zeros, in rising i.

        ``indices`` is U32 ``[seq]``, ``src`` is ``[seq, dim]``, the result ``[vocab_size, dim]``;
        rows for one index add up, always in the same order. Only ``src`` has a gradient, an
        `embedding`. An index from ``vocab_size`` on is refused when it is fed (`GraphError`).

        >>> g.set_outputs([g.scatter_add(g.input_u32("i", [3]), g.constant([[1], [2], [4]]), 2)])
        >>> mg.interpret(g, {"i": [1, 0, 1]})[0].tolist()
        [[2.0], [5.0]]
        """
        return self.emit(ScatterAdd(vocab_size), indices, src)

    def one_hot(self, indices: Value, depth: int) -> Value:
        """``out[i, j] = 1`` where ``j = indices[i]``, else 0: U32 ``[…]`` gives F32 ``[…, depth]``.

        It has no gradient. An index from ``depth`` on is refused when it is fed (`GraphError`).

        >>> g.set_outputs([g.one_hot(g.input_u32("i", [2]), 3)])
        >>> mg.interpret(g, {"i": [2, 0]})[0].tolist()
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
        """
        return self.emit(OneHot(depth), indices)

    def cache_write(self, new_kv: Value, cache: Value, kv_pos: Value, batch: int = 1) -> Value:
        """Replace row ``kv_pos[0]`` of ``cache[max_seq, dim]`` by ``new_kv[1, dim]``.

        From here on every handle of the cache means the cache with that row written, and a cache
        that is a leaf (``g.state``) keeps it for the next step, whether or not the result of this
        call is used.

        ``kv_pos`` is one U32 number below max_seq, else refused when it is fed (`GraphError`). With
        ``batch=B`` the cache is B caches one after another, ``[B·max_seq, dim]``, and ``new_kv``
        has a row for each, ``[B, dim]``. It has no gradient: a parameter's gradient that needs one
        through it is a `GraphError`.

        >>> cache, at = g.state("k_cache", [16, 8]), g.input_u32("at", [1])
        >>> g.cache_write(g.input("k", [1, 8]), cache, at).shape
        (16, 8)
        """
        if cache.ty.rank() != 2:
            raise ShapeError(f"cache_write: the cache must be [max_seq, dim], it is {cache.ty}")
        written = self.emit(CacheWrite(batch), new_kv, cache, kv_pos)
        self.supersede(cache, written)
        return written
