"""Gradients of attention on a CPU: of queries by blocks of queries, of keys and values by blocks of
keys.

Weights are formed again from the logarithm of each query's sum of exponentials. Both kinds of task
do the same: products of vectors for each chunk, weights and their scores' gradients from them, and
other vectors mixed by those.
"""

from __future__ import annotations

from math import prod

from ...errors import InternalError
from ...kernel.attention import AttentionGradient, slope, weight
from ...kernel.element import apply, load
from ...kernel.index import Bound, Index, Var, of
from ..loops import GRID, LANES, SERIAL, UNROLL, Loop, Place, Statement, Store, When
from .attention import TASKS
from .common import Body, nested, rows_of_task, tasks_of_rows, when_all
from .pairs import FAR, Pairs, Places, Vectors


class _Gradients(Pairs):
    """What both kinds of task share. Scratch: weights, slopes of scores, and two sets of sums."""

    def __init__(self, kernel: AttentionGradient, lanes: int, target: int, by_query: bool) -> None:
        form = kernel.form
        rows, others = (form.queries, form.keys) if by_query else (form.keys, form.queries)
        super().__init__(form, lanes, rows, others)
        self.kernel, self.target, self.by_query = kernel, target, by_query
        self.weights, self.slopes, self.sums, self.more_sums = range(target + 1, target + 5)
        queries, keys = form.query_axes(), form.key_axes()
        self.q, self.k = Vectors.of(kernel.q, queries), Vectors.of(kernel.k, keys)
        self.v, self.grad = Vectors.of(kernel.v, keys), Vectors.of(kernel.grad, queries)
        self.turned_q = Vectors.of(kernel.turned_q, queries)
        self.turned_k = Vectors.of(kernel.turned_k, keys)
        self.turned_v = Vectors.of(kernel.turned_v, keys)
        self.turned_grad = Vectors.of(kernel.turned_grad, queries)
        if kernel.delta is None:
            raise InternalError(f"the vectors must be packed: {kernel}")
        self.delta = kernel.delta

    def scratch_elements(self) -> tuple[int, ...]:
        """Sizes of the scratch buffers."""
        return (*[self.weights_elements()] * 2, *[self.sums_elements()] * 2)

    def part(
        self, places: Places, first: Index, start: Index, chunks: Index, size: int
    ) -> list[Statement]:
        """Weights and slopes of a block of rows with some chunks, the first of which begins with
        the other ``start``."""
        c, f = Var("c", self.at_once), Var("f", size)
        other = start + of(c) * self.width
        if self.by_query:
            pairs = ((self.q, self.turned_k), (self.grad, self.turned_v))
        else:
            pairs = ((self.k, self.turned_q), (self.v, self.turned_grad))
        products: list[Statement] = [
            self.products(
                Place(buffer, self.weight_at(of(c), Index(), Index(), size)),
                rows,
                rows.place(places, first),
                turned,
                turned.place(places, other),
                size,
            )
            for buffer, (rows, turned) in zip((self.weights, self.slopes), pairs, strict=True)
        ]
        slopes = Loop(
            c, SERIAL, tuple(self._slopes(places, first + of(f), other, f, c, size)), chunks
        )
        return [Loop(c, SERIAL, tuple(products), chunks), *nested((f,), [slopes])]

    def _slopes(
        self, places: Places, row: Index, other: Index, f: Var, c: Var, size: int
    ) -> list[Statement]:
        """Products to weights, and the products of gradients to slopes."""
        v, lane = Var("v", 2), Var("lane", self.lanes)
        column = of(v) * self.lanes + of(lane)
        at = self.weight_at(of(c), of(f), column, size)
        i, j = (row, other + column) if self.by_query else (other + column, row)
        here = self.form.pair(places, i, j)
        bias = [] if self.kernel.bias is None else [self.kernel.bias.substitute(here)]
        score = apply(self.form.score, load(self.weights, at), *bias)
        weights = apply(weight, score, self.kernel.lse.substitute(here))

        def each(hide: bool) -> list[Statement]:
            shown = self.form.visible(weights, i, j, 0.0) if hide else weights
            delta = self.delta.substitute(here)
            delta = self.form.visible(delta, i, j, 0.0) if hide else delta
            products = load(self.weights, at), load(self.slopes, at)
            scaled = apply(lambda *all: slope(*all) * self.form.scale, *products, delta)
            stores = (Store(self.weights, at, shown), Store(self.slopes, at, scaled))
            return [Loop(v, UNROLL, (Loop(lane, LANES, stores),))]

        first_i, first_j = (row, other) if self.by_query else (other, row)
        return when_all(self.seen_whole(first_i, first_j, self.by_query), each(False), each(True))


class _QueryGradients(_Gradients):
    def rows(self) -> tuple[list[Var], Body]:
        """Blocks of queries of every head, and what to do for each."""
        block, body = self.blocks(self.form.queries, self._block)
        return [*self.form.query_axes()[:3], block], body

    def _block(self, places: Places, first: Index, size: int) -> list[Statement]:
        part, f = Var("part", self.parts), Var("f", size)
        chunks = self.seen_chunks(first, size) - of(part) * self.at_once
        start = of(part) * (self.at_once * self.width)
        slopes = Place(self.slopes, Index())
        body = [
            *self.part(places, first, start, chunks, size),
            *self.mixed(self.sums, slopes, self.k, places, start, chunks, size),
        ]
        if self.parts > 1:
            body = [When(Bound(chunks, 1, FAR), tuple(body))]
        at = self.form.query_at(places, first + of(f))
        stored = self.store_row(self.target, f, at, size, lambda at: load(self.sums, at))
        return [*self.zero(self.sums, size), *nested((part,), body), *nested((f,), stored)]


class _KeyGradients(_Gradients):
    def rows(self) -> tuple[list[Var], Body]:
        """Blocks of keys of every head, and what to do for each."""
        block, body = self.blocks(self.form.keys, self._block)
        return [*self.form.key_axes()[:2], block], body

    def _block(self, places: Places, first: Index, size: int) -> list[Statement]:
        """For all queries of all heads that share the keys."""
        form = self.form
        shared, part, f = form.query_axes()[2], Var("part", self.parts), Var("f", size)
        seen = Index() if form.before is None else first // self.width
        chunks = (seen + of(part) * self.at_once) * -1 + self.chunks
        start = (seen + of(part) * self.at_once) * self.width
        here = {**places, shared: of(shared)}
        weights, slopes = Place(self.weights, Index()), Place(self.slopes, Index())
        body = [
            *self.part(here, first, start, chunks, size),
            *self.mixed(self.sums, slopes, self.q, here, start, chunks, size),
            *self.mixed(self.more_sums, weights, self.grad, here, start, chunks, size),
        ]
        if self.parts > 1:
            body = [When(Bound(chunks, 1, FAR), tuple(body))]
        keys = form.key_at(places, first + of(f)) + form.query_elements()
        values = keys + form.key_elements()
        stored = [
            *self.store_row(self.target, f, keys, size, lambda at: load(self.sums, at)),
            *self.store_row(self.target, f, values, size, lambda at: load(self.more_sums, at)),
        ]
        return [
            *self.zero(self.sums, size),
            *self.zero(self.more_sums, size),
            *nested((shared, part), body),
            *nested((f,), stored),
        ]


class AttentionGradientSchedule:
    """First the tasks over queries, then those over keys."""

    def __init__(self, kernel: AttentionGradient, lanes: int, target: int) -> None:
        self.lanes = lanes
        self.kinds: tuple[_QueryGradients | _KeyGradients, ...] = (
            _QueryGradients(kernel, lanes, target, by_query=True),
            _KeyGradients(kernel, lanes, target, by_query=False),
        )

    def scratch_elements(self) -> tuple[int, ...]:
        """Sizes of the scratch buffers: a task is of one kind."""
        sizes = zip(*(kind.scratch_elements() for kind in self.kinds), strict=True)
        return tuple(max(both) for both in sizes)

    def grid(self) -> Loop:
        """All tasks."""
        (axes, body), (more_axes, more_body) = (kind.rows() for kind in self.kinds)
        each, more_each = (
            max(1, prod(a.extent for a in some) // TASKS) for some in (axes, more_axes)
        )
        count = tasks_of_rows(axes, each)
        task = Var("task", count + tasks_of_rows(more_axes, more_each))
        by_query = rows_of_task(axes, each, of(task), body)
        by_key = rows_of_task(more_axes, more_each, of(task) - count, more_body)
        return Loop(task, GRID, (When(Bound(of(task), 0, count), tuple(by_query), tuple(by_key)),))
