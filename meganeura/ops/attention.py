"""Attention: one op for every form with whole sequences, one for a query against a cache.

Rows of q, k and v are positions (with ``batch``, sequences one after another), columns are heads
one after another. With fewer key/value heads than query heads, neighbouring query heads share.

`attention` gives two things packed one after the other into one flat tensor: the result and the
logarithm of each row's softmax denominator (LSE), which the backward pass needs to recompute
probabilities without storing them (Dao et al. 2022). `attention_grad` packs the gradients for
q, k and v likewise. The parts are slices, which cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from ..errors import ShapeError
from ..ir.composite import CompositeOp
from ..ir.graph import Graph, Value
from ..ir.op import Op, Source, op
from ..ir.pointwise import reduce_to
from ..ir.types import TensorType, broadcast_shapes
from ..kernel import attention as kernel
from ..kernel.archetype import Archetype
from ..kernel.element import Element
from ..kernel.index import Index, flat, of
from .arithmetic import Equal, Exp, Log, Where
from .index import NoGradientOp, Prefix
from .layout import BroadcastTo, Concat, Permute, Reshape, split
from .leaf import Band
from .reduce import flatten
from .softmax import Softmax, row_max, row_sum


@dataclass(frozen=True)
class Heads(Op):
    """The attributes all forms share, and how sequences are taken apart into heads."""

    num_heads: int
    num_kv_heads: int
    head_dim: int
    batch: int = 1

    def check_heads(self, *types: TensorType) -> None:
        """q, k and v are the first three operands."""
        q, k, v = types[:3]
        if min(self.num_heads, self.num_kv_heads, self.head_dim, self.batch) < 1:
            self.reject("head counts, head_dim and batch must be positive", *types)
        if self.num_heads % self.num_kv_heads:
            rule = f"num_kv_heads ({self.num_kv_heads}) must divide num_heads ({self.num_heads})"
            self.reject(rule, *types)
        if q.rank() != 2 or q.shape[1] != self.num_heads * self.head_dim:
            self.reject(f"q must be [seq, {self.num_heads * self.head_dim}]", *types)
        if k.rank() != 2 or k.shape[1] != self.num_kv_heads * self.head_dim or k != v:
            self.reject(f"k and v must be [seq, {self.num_kv_heads * self.head_dim}]", *types)
        if q.shape[0] % self.batch or k.shape[0] % self.batch:
            self.reject(f"rows must divide into batch ({self.batch})", *types)

    def apart(self, x: Value, heads: int) -> Value:
        """Rows and columns as ``[b, kv_heads, heads per kv head, s, d]``."""
        shape = (self.batch, -(-x.shape[0] // self.batch), self.num_kv_heads)
        five = Reshape((*shape, heads // self.num_kv_heads, self.head_dim))(x)
        return Permute((0, 2, 3, 1, 4))(five)

    def together(self, x: Value, rows: int) -> Value:
        """The inverse of `apart`."""
        return Reshape((rows, x.ty.num_elements() // rows))(Permute((0, 3, 1, 2, 4))(x))


@dataclass(frozen=True)
class AttentionForm(Heads):
    """Attention of whole sequences: which keys a query sees.

    ``window`` w lets position i see i−w+1 … i; it needs ``causal``."""

    causal: bool = False
    window: int | None = None

    def check_form(self, q: TensorType, k: TensorType, v: TensorType, *bias: TensorType) -> None:
        """The rules between the operands."""
        types = (q, k, v, *bias)
        self.check_heads(*types)
        if self.causal and q.shape != (k.shape[0], q.shape[1]):
            self.reject("a causal query and its keys are the same sequence", *types)
        if self.window is not None and (self.window < 1 or not self.causal):
            self.reject(f"a window ({self.window}) must be positive and causal", *types)
        scores = (self.batch, self.num_heads, q.shape[0] // self.batch, k.shape[0] // self.batch)
        for b in bias:
            if broadcast_shapes(b.shape, scores) != scores:
                self.reject(f"the bias must broadcast to {list(scores)}", *types)

    def form(self) -> dict[str, Any]:
        """The attributes, for another op of the same form."""
        return {f.name: getattr(self, f.name) for f in fields(AttentionForm)}

    def scores(self, q: Value, k: Value, *bias: Value) -> Value:
        """Scaled products plus bias, −∞ where a key is hidden: ``[b, kv, rep, s_q, s_k]``."""
        s = self.apart(q, self.num_heads) @ self.apart(k, self.num_kv_heads).T
        s = s * (1 / math.sqrt(self.head_dim))
        b, _, _, s_q, s_k = s.shape
        for extra in bias:
            whole = BroadcastTo((b, self.num_heads, s_q, s_k))(extra)
            s = s + Reshape(s.shape)(whole)
        if self.causal:
            below = s_k if self.window is None else self.window - 1
            visible = s.graph.emit(Band(below, 0, TensorType.f32((s_q, s_k))))
            s = Where()(visible, s, s.graph.number(-math.inf))
        return s

    def kernel_form(self, q: TensorType, k: TensorType) -> kernel.Form:
        """The sizes and the mask, for kernels."""
        before = None
        if self.causal:
            before = k.shape[0] if self.window is None else self.window - 1
        return kernel.Form(
            self.batch,
            self.num_kv_heads,
            self.num_heads // self.num_kv_heads,
            q.shape[0] // self.batch,
            k.shape[0] // self.batch,
            self.head_dim,
            1 / math.sqrt(self.head_dim),
            before,
        )

    def query_vectors(self, form: kernel.Form, x: Source) -> Element:
        """Rows of queries, or of something of their shape, by heads."""
        b, g, r, i, d = map(of, form.query_axes())
        return x.at([b * form.queries + i, (g * form.shared + r) * form.dim + d])

    def key_vectors(self, form: kernel.Form, x: Source) -> Element:
        """Rows of keys or values by heads."""
        b, g, j, d = map(of, form.key_axes())
        return x.at([b * form.keys + j, g * form.dim + d])

    def bias_at(self, form: kernel.Form, bias: Source | None) -> Element | None:
        """The bias of a score; its sizes of 1 are broadcast."""
        if bias is None:
            return None
        b, g, r, i, j = map(of, form.score_axes())
        full, shape = [b, g * form.shared + r, i, j], bias.ty.shape
        mine = zip(full[len(full) - len(shape) :], shape, strict=True)
        return bias.at([Index() if size == 1 else place for place, size in mine])

    def pairs(self, q: TensorType, k: TensorType) -> int:
        """Products of all queries with the keys that they see, once."""
        seen = k.shape[0] // self.batch
        if self.window is not None:
            seen = min(seen, self.window)
        elif self.causal:
            seen = seen // 2 + 1
        return q.num_elements() * seen

    def result(self, packed: Value, q: Value) -> Value:
        """The first part of what `attention` packs, in q's shape."""
        return Reshape(q.shape)(packed[: q.ty.num_elements()])

    def lse(self, packed: Value, q: Value) -> Value:
        """The second part, as ``[b, kv, rep, s_q, 1]``."""
        rep = self.num_heads // self.num_kv_heads
        rows = q.shape[0] // self.batch
        shape = (self.batch, self.num_kv_heads, rep, rows, 1)
        return Reshape(shape)(packed[q.ty.num_elements() :])


@op("attention")
class Attention(AttentionForm, CompositeOp):
    """``softmax(q·kᵀ/√head_dim + bias) · v`` in each head, followed by each row's LSE."""

    def check(self, q: TensorType, k: TensorType, v: TensorType, *bias: TensorType) -> None:
        """The rules of the form."""
        self.check_form(q, k, v, *bias)

    def lower(
        self, out: TensorType, q: Source, k: Source, v: Source, bias: Source | None = None
    ) -> Archetype:
        form = self.kernel_form(q.ty, k.ty)
        vectors = self.query_vectors(form, q), self.key_vectors(form, k), self.key_vectors(form, v)
        return kernel.Attention(form, *vectors, self.bias_at(form, bias))

    def products(self, out: TensorType, q: TensorType, k: TensorType, *rest: TensorType) -> int:
        """For scores, and for what they mix; exponentials take about as much again."""
        return 3 * self.pairs(q, k)

    def define(self, q: Value, k: Value, v: Value, bias: Value | None = None) -> Value:
        """With each row's maximum subtracted. A row that sees no key is zero, its LSE −∞."""
        s = self.scores(q, k, *([] if bias is None else [bias]))
        m = _finite(row_max(s))
        e = Exp()(s - m)
        total = row_sum(e)
        out = (e / Where()(total, total, s.graph.number(1.0))) @ self.apart(v, self.num_kv_heads)
        lse = m + Log()(total)
        return Concat(0)(flatten(self.together(out, q.shape[0])), flatten(lse))

    def vjp(
        self, grad: Value, out: Value, q: Value, k: Value, v: Value, *bias: Value
    ) -> tuple[Value, ...]:
        """`attention_grad`; a bias is as large as the scores, and gets its gradient from them."""
        operands = (grad, out, q, k, v, *bias)
        packed = AttentionGrad(**self.form())(*operands)
        sizes = [x.ty.num_elements() for x in (q, k, v)]
        parts = split(packed, 0, sizes)
        shaped = [Reshape(x.shape)(p) for x, p in zip((q, k, v), parts, strict=True)]
        return (*shaped, *(AttentionGradBias(**self.form())(*operands) for _ in bias))


@dataclass(frozen=True)
class AttentionBackward(AttentionForm, CompositeOp):
    """What the two gradients share: probabilities recomputed from the LSE."""

    def check(self, *types: TensorType) -> None:
        """grad and out are packed as `attention` packs them."""
        grad, out, q = types[:3]
        self.check_form(*types[2:])
        size = q.num_elements() + q.shape[0] * self.num_heads
        if grad.shape != (size,) or out.shape != (size,):
            self.reject(f"grad and out must be packed, [{size}]", *types)

    def products(
        self,
        result: TensorType,
        grad: TensorType,
        out: TensorType,
        q: TensorType,
        k: TensorType,
        *rest: TensorType,
    ) -> int:
        """Scores again, their gradients, and a sum for each of queries, keys and values; twice,
        because queries and keys go different ways."""
        return 8 * self.pairs(q, k)

    def backward(
        self, grad: Value, out: Value, q: Value, k: Value, v: Value, *bias: Value
    ) -> tuple[Value, Value, Value]:
        """The probabilities, the gradient of the scores, and that of the result, by heads."""
        p = Exp()(self.scores(q, k, *bias) - _finite(self.lse(out, q)))
        d_out = self.apart(self.result(grad, q), self.num_heads)
        d_p = d_out @ self.apart(v, self.num_kv_heads).T
        result = self.apart(self.result(out, q), self.num_heads)
        delta = row_sum(d_out * result) - self.lse(grad, q)
        return p, p * (d_p - delta), d_out


def _finite(x: Value) -> Value:
    """``x`` with 0 for −∞, the maximum of a row of which every key is hidden."""
    number = x.graph.number
    return Where()(Equal()(x, number(-math.inf)), number(0.0), x)


def _part(packed: Source, ty: TensorType) -> Callable[[list[Index]], Element]:
    """The first part of something packed, as a tensor of its own."""
    return lambda at: packed.at([flat(at, ty.shape)])


def _over_shared(x: Value) -> Value:
    """Summed over the query heads that share a key/value head."""
    b, kv, _, s, d = x.shape
    return reduce_to(x, TensorType.f32((b, kv, 1, s, d)))


@op("attention_grad")
class AttentionGrad(AttentionBackward):
    """The gradients of `attention` for q, k and v, packed one after another."""

    def lower(
        self,
        out: TensorType,
        grad: Source,
        packed: Source,
        q: Source,
        k: Source,
        v: Source,
        bias: Source | None = None,
    ) -> Archetype:
        form = self.kernel_form(q.ty, k.ty)
        size, vectors = q.ty.num_elements(), [Source(q.ty, _part(x, q.ty)) for x in (grad, packed)]
        row = flat(map(of, form.query_axes()[:4]), [a.extent for a in form.query_axes()[:4]])
        return kernel.AttentionGradient(
            form,
            q=self.query_vectors(form, q),
            k=self.key_vectors(form, k),
            v=self.key_vectors(form, v),
            grad=self.query_vectors(form, vectors[0]),
            lse=packed.at([row + size]),
            out=self.query_vectors(form, vectors[1]),
            grad_lse=grad.at([row + size]),
            bias=self.bias_at(form, bias),
        )

    def define(
        self,
        grad: Value,
        out: Value,
        q: Value,
        k: Value,
        v: Value,
        bias: Value | None = None,
    ) -> Value:
        """``dV = Pᵀ·dO``, ``dQ = dS·K``, ``dK = dSᵀ·Q``, the last two scaled as the scores are."""
        p, d_s, d_out = self.backward(grad, out, q, k, v, *([] if bias is None else [bias]))
        d_s = d_s * (1 / math.sqrt(self.head_dim))
        d_q = d_s @ self.apart(k, self.num_kv_heads)
        d_k = _over_shared(d_s.T @ self.apart(q, self.num_heads))
        d_v = _over_shared(p.T @ d_out)
        parts = ((d_q, q), (d_k, k), (d_v, v))
        return Concat(0)(*(flatten(self.together(d, x.shape[0])) for d, x in parts))


@op("attention_grad_bias")
class AttentionGradBias(AttentionBackward):
    """The gradient of `attention` for its bias."""

    def define(self, grad: Value, out: Value, q: Value, k: Value, v: Value, bias: Value) -> Value:
        """The scores' gradient, summed to the bias's shape."""
        _, d_s, _ = self.backward(grad, out, q, k, v, bias)
        b, kv, rep, s_q, s_k = d_s.shape
        return reduce_to(Reshape((b, kv * rep, s_q, s_k))(d_s), bias.ty)


@op("cached_attention")
class CachedAttention(Heads, NoGradientOp, CompositeOp):
    """One query against rows 0 … ``kv_pos[0]`` of each cache."""

    u32_operands: ClassVar[frozenset[str]] = frozenset({"kv_pos"})

    def check(
        self, q: TensorType, k_cache: TensorType, v_cache: TensorType, kv_pos: TensorType
    ) -> None:
        """One query for each sequence."""
        types = (q, k_cache, v_cache, kv_pos)
        self.check_heads(*types)
        if q.shape[0] != self.batch:
            self.reject(f"q must have one row for each sequence ({self.batch})", *types)
        if kv_pos.num_elements() != 1:
            self.reject("kv_pos must be a single number", *types)

    def index_limits(
        self, q: TensorType, k_cache: TensorType, v_cache: TensorType, kv_pos: TensorType
    ) -> dict[str, int]:
        """The newest row is a row of the cache."""
        return {"kv_pos": k_cache.shape[0] // self.batch}

    def define(self, q: Value, k_cache: Value, v_cache: Value, kv_pos: Value) -> Value:
        """Softmax over the valid rows."""
        keys = self.apart(k_cache, self.num_kv_heads)  # [b, kv, 1, s, d]
        s = self.apart(q, self.num_heads) @ keys.T * (1 / math.sqrt(self.head_dim))
        valid = Prefix(keys.shape[3])(kv_pos)
        s = Where()(valid, s, s.graph.number(-math.inf))
        values = self.apart(v_cache, self.num_kv_heads)
        return self.together(Softmax()(s) @ values, q.shape[0])


class AttentionMethods(Graph):
    """Graph methods for attention."""

    def causal_attention(
        self,
        q: Value,
        k: Value,
        v: Value,
        num_heads: int,
        num_kv_heads: int,
        head_dim: int,
        *,
        batch: int = 1,
        bias: Value | None = None,
    ) -> Value:
        """``softmax(q·kᵀ/√head_dim + bias) · v`` in each head; position i sees 0 … i.

        ``q`` and the result are ``[seq, num_heads·head_dim]``, ``k`` and ``v``
        ``[seq, num_kv_heads·head_dim]``; with ``batch=B`` the rows are B sequences one after
        another. Query head h reads key/value head ``h // (num_heads / num_kv_heads)``
        (Ainslie et al. 2023). ``bias`` broadcasts to ``[B, num_heads, seq, seq]``; −∞ hides a key.
        All four have gradients; what does not fit is a `ShapeError`. After Dao et al. 2022.

        >>> q, kv = g.input("q", [6, 8]), g.input("kv", [6, 4])
        >>> g.causal_attention(q, kv, kv, num_heads=2, num_kv_heads=1, head_dim=4).shape
        (6, 8)"""
        form = Attention(num_heads, num_kv_heads, head_dim, batch, causal=True)
        return self._attend(form, q, k, v, bias)

    def sliding_window_attention(
        self,
        q: Value,
        k: Value,
        v: Value,
        num_heads: int,
        num_kv_heads: int,
        head_dim: int,
        window: int,
        *,
        batch: int = 1,
        bias: Value | None = None,
    ) -> Value:
        """`causal_attention` in which position i sees only i−window+1 … i (Beltagy et al. 2020).

        >>> g.sliding_window_attention(x := g.input("x", [6, 8]), x, x, 2, 2, 4, window=3).shape
        (6, 8)"""
        form = Attention(num_heads, num_kv_heads, head_dim, batch, causal=True, window=window)
        return self._attend(form, q, k, v, bias)

    def full_attention(
        self,
        q: Value,
        k: Value,
        v: Value,
        num_heads: int,
        num_kv_heads: int,
        head_dim: int,
        *,
        batch: int = 1,
        bias: Value | None = None,
    ) -> Value:
        """`causal_attention` in which every position sees its whole sequence.

        >>> g.full_attention(x := g.input("x", [6, 8]), x, x, 2, 2, 4, batch=3).shape
        (6, 8)"""
        return self.multi_head_attn(
            q, k, v, num_heads, num_kv_heads, head_dim, False, batch=batch, bias=bias
        )

    def cross_attention(
        self,
        q: Value,
        k: Value,
        v: Value,
        num_heads: int,
        num_kv_heads: int,
        head_dim: int,
        *,
        batch: int = 1,
        bias: Value | None = None,
    ) -> Value:
        """`causal_attention` in which every query sees all of ``k`` and ``v``, ``[B·kv_seq, …]``.

        ``q`` is ``[B·q_seq, …]``; ``bias`` broadcasts to ``[B, num_heads, q_seq, kv_seq]``.

        >>> q, kv = g.input("q", [6, 8]), g.input("kv", [9, 4])
        >>> g.cross_attention(q, kv, kv, num_heads=2, num_kv_heads=1, head_dim=4).shape
        (6, 8)"""
        return self.multi_head_attn(
            q, k, v, num_heads, num_kv_heads, head_dim, True, batch=batch, bias=bias
        )

    def multi_head_attn(
        self,
        q: Value,
        k: Value,
        v: Value,
        num_heads: int,
        num_kv_heads: int,
        head_dim: int,
        is_cross: bool = False,
        *,
        batch: int = 1,
        bias: Value | None = None,
    ) -> Value:
        """`full_attention`, or with ``is_cross`` `cross_attention`.

        >>> g.multi_head_attn(x := g.input("x", [6, 8]), x, x, 2, 2, 4).shape
        (6, 8)"""
        form = Attention(num_heads, num_kv_heads, head_dim, batch)
        if not is_cross and q.shape[:1] != k.shape[:1]:
            raise ShapeError(
                f"attention: a sequence attending to itself has one length: q is {q.ty}, "
                f"k is {k.ty}",
                hint="use g.cross_attention, or is_cross=True",
            )
        return self._attend(form, q, k, v, bias)

    def cached_attention(
        self,
        q: Value,
        k_cache: Value,
        v_cache: Value,
        kv_pos: Value,
        num_heads: int,
        num_kv_heads: int,
        head_dim: int,
        *,
        batch: int = 1,
    ) -> Value:
        """`causal_attention` of one new position, against rows 0 … ``kv_pos[0]`` of caches.

        ``q`` and the result are ``[B, num_heads·head_dim]``, the caches
        ``[B·max_seq, num_kv_heads·head_dim]``; ``kv_pos``, one U32 number, is the newest row, as
        `cache_write` takes it. A parameter's gradient that needs one through it is a `GraphError`.

        >>> q, cache, at = g.input("q", [1, 8]), g.state("kv", [32, 4]), g.input_u32("at", [1])
        >>> g.cached_attention(q, cache, cache, at, 2, 1, 4).shape
        (1, 8)"""
        form = CachedAttention(num_heads, num_kv_heads, head_dim, batch)
        return self.emit(form, q, k_cache, v_cache, kv_pos)

    def _attend(self, form: Attention, q: Value, k: Value, v: Value, bias: Value | None) -> Value:
        extra = () if bias is None else (bias,)
        return form.result(self.emit(form, q, k, v, *extra), q)
