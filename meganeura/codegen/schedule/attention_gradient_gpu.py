"""Gradients of attention on a GPU: a workgroup takes a few queries and looks at all keys, or a few
keys and looks at all queries, a lane each.

Weights are formed again from the logarithm of each query's sum of exponentials.
"""

from __future__ import annotations

from ...errors import InternalError
from ...kernel.attention import AttentionGradient, slope, weight
from ...kernel.element import Element, apply, held
from ...kernel.index import Bound, Index, Var, of
from ..loops import GRID, SERIAL, Assign, Loop, Statement, Store, When
from .attention_gpu import ROWS, OnGpu, Places


class AttentionGradientOnGpu(OnGpu):
    """First the tasks over queries, then those over keys. The buffers behind the result hold
    weights and slopes of scores."""

    def __init__(self, kernel: AttentionGradient, lanes: int, result: int) -> None:
        super().__init__(kernel, lanes, result)
        if kernel.delta is None:
            raise InternalError(f"what is taken off must be packed: {kernel}")
        self.kernel, self.delta = kernel, kernel.delta
        self.weights, self.slopes = result + 1, result + 2

    def scratch_elements(self) -> tuple[int, ...]:
        """Weights and slopes of the workgroup."""
        return (ROWS * self.lanes,) * 2

    def grid(self) -> Loop:
        """All tasks."""
        form = self.form
        heads, key_heads = form.query_axes()[:3], form.key_axes()[:2]
        count = self.tasks(heads, form.queries)
        task = Var("task", count + self.tasks(key_heads, form.keys))
        by_query = self._queries(*self.places(of(task), heads, form.queries))
        by_key = self._keys(*self.places(of(task) - count, key_heads, form.keys))
        return Loop(task, GRID, (When(Bound(of(task), 0, count), tuple(by_query), tuple(by_key)),))

    def _at(self, element: Element, places: Places, row: Index, by_query: bool) -> Element:
        """A vector's element or a row's number, 0 where there is no such row."""
        axes = self.form.query_axes() if by_query else self.form.key_axes()
        rows = axes[3] if by_query else axes[2]
        lead = {axis: places[axis] for axis in axes[: 3 if by_query else 2]}
        return element.substitute({**lead, rows: row}).within(Bound(row, 0, rows.extent))

    def _slopes(self, places: Places, i: Index, j: Index) -> list[Statement]:
        """Products to weights and slopes, for each row and lane."""
        kernel, place = self.kernel, self.place()
        bias = self.bias(kernel.bias, places, i, j)
        score = apply(self.form.score, held("score", place), *bias)
        shown = apply(weight, score, self._at(kernel.lse, places, i, True))
        shown = self.form.visible(shown, i, j, 0.0)
        delta = self._at(self.delta, places, i, True)
        scaled = apply(
            lambda *all: slope(*all) * self.form.scale,
            held("score", place),
            held("product", place),
            delta,
        )
        at = of(self.row) * self.lanes + of(self.lane)
        # All rows in one loop over lanes: no lane waits for another before the last is stored.
        stores = [
            Store(buffer, at.substitute({self.row: row}), value.substitute({self.row: row}))
            for row in range(ROWS)
            for buffer, value in ((self.weights, held("score", place)), (self.slopes, scaled))
        ]
        return [
            self.each_row(self.in_lanes(Assign("score", shown, place))),
            self.in_lanes(*stores),
        ]

    def _queries(self, places: Places, first: Index) -> list[Statement]:
        """Some queries against all keys."""
        kernel, form = self.kernel, self.form
        query = first + of(self.row)
        chunk, other = Var("chunk", -(-form.keys // self.lanes)), Var("other_key", self.lanes)
        start = of(chunk) * self.lanes
        key, stop = start + of(self.lane), self.left_of(form.keys, start)
        rows = [self._at(e, places, query, True) for e in (kernel.q, kernel.grad)]
        others = [self._at(e, places, key, False) for e in (kernel.k, kernel.v)]
        values = self._at(kernel.k, places, start + of(other), False)
        body = [
            *self.products("score", rows[0], others[0], stop),
            *self.products("product", rows[1], others[1], stop),
            *self._slopes(places, query, key),
            *self.mixed("sums", self.slopes, values, other, stop),
        ]
        seen = None if form.before is None else (first + (ROWS - 1)) // self.lanes + 1
        exists = Bound(query, 0, form.queries)
        return [
            self.sums("sums"),
            Loop(chunk, SERIAL, tuple(body), seen),
            *self.stored(form.query_at(places, query), self.sum_of("sums"), exists),
        ]

    def _keys(self, places: Places, first: Index) -> list[Statement]:
        """Some keys against all queries of all heads that share them."""
        kernel, form = self.kernel, self.form
        shared, key = form.query_axes()[2], first + of(self.row)
        here = {**places, shared: of(shared)}
        chunk, other = Var("chunk", -(-form.queries // self.lanes)), Var("other_query", self.lanes)
        start = of(chunk) * self.lanes
        query, stop = start + of(self.lane), self.left_of(form.queries, start)
        rows = [self._at(e, here, key, False) for e in (kernel.k, kernel.v)]
        others = [self._at(e, here, query, True) for e in (kernel.q, kernel.grad)]
        mixed = [self._at(e, here, start + of(other), True) for e in (kernel.q, kernel.grad)]
        body = [
            *self.products("score", rows[0], others[0], stop),
            *self.products("product", rows[1], others[1], stop),
            *self._slopes(here, query, key),
            *self.mixed("key_sums", self.slopes, mixed[0], other, stop),
            *self.mixed("value_sums", self.weights, mixed[1], other, stop),
        ]
        at = form.key_at(places, key) + form.query_elements()
        exists = Bound(key, 0, form.keys)
        chunks = Loop(chunk, SERIAL, tuple(body))
        return [
            self.sums("key_sums"),
            self.sums("value_sums"),
            Loop(shared, SERIAL, (chunks,)),
            *self.stored(at, self.sum_of("key_sums"), exists),
            *self.stored(at + form.key_elements(), self.sum_of("value_sums"), exists),
        ]
