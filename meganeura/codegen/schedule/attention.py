"""Attention on a CPU: a block of queries against all keys, by chunks.

Some chunks of keys are taken at a time. Their scores become weights relative to the largest score
so far, and what was mixed before is scaled down to it (Milakov & Gimelshein 2018, arXiv:1805.02867;
Dao et al. 2022, arXiv:2205.14135), so the scratch a thread needs does not grow with the sequence.
"""

from __future__ import annotations

import math
from math import prod

from ...errors import InternalError
from ...kernel.attention import Attention, base, log_sum, share
from ...kernel.element import Element, Register, apply, held, load, number
from ...kernel.index import Bound, Index, Var, of
from ...scalar.expr import exp, maximum
from ..loops import (
    LANES,
    SERIAL,
    UNROLL,
    Assign,
    Combine,
    Declare,
    Loop,
    Place,
    Statement,
    Store,
    When,
)
from .common import Body, grid_of_rows, nested, when_all
from .pairs import FAR, Pairs, Places, Vectors

TASKS = 32
"""Tasks that blocks of rows are put together to."""


class AttentionSchedule(Pairs):
    """The loops of attention. The buffers behind the result are scratch: weights, sums, and for
    each row its largest score and its sum of weights."""

    def __init__(self, kernel: Attention, lanes: int, target: int) -> None:
        super().__init__(kernel.form, lanes, kernel.form.queries, kernel.form.keys)
        if not kernel.packed:
            raise InternalError(f"the keys must be packed: {kernel}")
        self.kernel, self.target = kernel, target
        self.weights, self.sums, self.state = target + 1, target + 2, target + 3
        queries, keys = kernel.form.query_axes(), kernel.form.key_axes()
        self.q, self.k = Vectors.of(kernel.q, queries), Vectors.of(kernel.k, keys)
        self.v = Vectors.of(kernel.v, keys)

    def scratch_elements(self) -> tuple[int, ...]:
        """Sizes of the scratch buffers."""
        return self.weights_elements(), self.sums_elements(), 2 * self.size

    def grid(self) -> Loop:
        """Tasks over blocks of queries of every head."""
        axes, body = self.rows()
        return grid_of_rows(axes, max(1, prod(a.extent for a in axes) // TASKS), body)

    def rows(self) -> tuple[list[Var], Body]:
        """Blocks of queries of every head, and what to do for each."""
        block, body = self.blocks(self.form.queries, self._block)
        return [*self.form.query_axes()[:3], block], body

    def _block(self, places: Places, first: Index, size: int) -> list[Statement]:
        """A block of queries from ``first`` on."""
        part = Var("part", self.parts)
        chunks = self.seen_chunks(first, size) - of(part) * self.at_once
        key = of(part) * (self.at_once * self.width)
        weights = Place(self.weights, Index())
        body = [
            *self._scores(places, first, of(part), chunks, size),
            *self._weights(places, first, of(part), chunks, size),
            *self.mixed(self.sums, weights, self.v, places, key, chunks, size),
        ]
        if self.parts > 1:
            body = [When(Bound(chunks, 1, FAR), tuple(body))]
        return [*self._begin(size), *nested((part,), body), *self._finish(places, first, size)]

    def _begin(self, size: int) -> list[Statement]:
        """Nothing seen, nothing mixed."""
        f = Var("f", size)
        nothing = [
            Store(self.state, of(f), number(-math.inf)),
            Store(self.state, of(f) + size, number(0.0)),
        ]
        return [*nested((f,), nothing), *self.zero(self.sums, size)]

    def _scores(
        self, places: Places, first: Index, part: Index, chunks: Index, size: int
    ) -> list[Statement]:
        """Products of the queries with each chunk of keys."""
        c = Var("c", self.at_once)
        key = (part * self.at_once + of(c)) * self.width
        into = Place(self.weights, self.weight_at(of(c), Index(), Index(), size))
        a, b = self.q.place(places, first), self.k.place(places, key)
        return [Loop(c, SERIAL, (self.products(into, self.q, a, self.k, b, size),), chunks)]

    def _weights(
        self, places: Places, first: Index, part: Index, chunks: Index, size: int
    ) -> list[Statement]:
        """Scores of each row to weights, relative to its largest score so far."""
        f, c = Var("f", size), Var("c", self.at_once)
        old, new = load(self.state, of(f)), held("largest")
        total = apply(
            lambda s, a, p: s * a + p,
            load(self.state, of(f) + size),
            held("shrink"),
            held("part_sum"),
        )
        body: list[Statement] = [
            Declare("best", -math.inf, lanes=True),
            Loop(c, SERIAL, tuple(self._shown(places, first, part, f, c, size)), chunks),
            Declare("largest", 0.0),
            Combine("largest", "max", Register("best")),
            Assign("largest", apply(maximum, new, old)),
            Declare("base", 0.0),
            Assign("base", apply(base, new)),
            Declare("shrink", 0.0),
            Assign("shrink", apply(lambda m, base: exp(m - base), old, held("base"))),
            Declare("lane_sums", 0.0, lanes=True),
            Loop(c, SERIAL, tuple(self._exponentials(f, c, size)), chunks),
            Declare("part_sum", 0.0),
            Combine("part_sum", "sum", Register("lane_sums")),
            Store(self.state, of(f) + size, total),
            Store(self.state, of(f), new),
        ]
        if self.parts > 1:  # what was mixed so far, relative to the new largest score
            body += self.each_sum(
                f, size, lambda at, _: Store(self.sums, at, _less(load(self.sums, at)))
            )
        return nested((f,), body)

    def _columns(self) -> tuple[Var, Var, Index]:
        v, lane = Var("v", 2), Var("lane", self.lanes)
        return v, lane, of(v) * self.lanes + of(lane)

    def _shown(
        self, places: Places, first: Index, part: Index, f: Var, c: Var, size: int
    ) -> list[Statement]:
        """The scaled scores of one chunk, −∞ where a key is hidden, and the largest of them."""
        v, lane, column = self._columns()
        at = self.weight_at(of(c), of(f), column, size)
        i, start = first + of(f), (part * self.at_once + of(c)) * self.width
        pair, bias = self.form.pair(places, i, start + column), self.kernel.bias
        added = [] if bias is None else [bias.substitute(pair)]
        score = apply(self.form.score, load(self.weights, at), *added)

        def each(value: Element) -> list[Statement]:
            keep: list[Statement] = [
                Declare("score", 0.0, lanes=True),
                Assign("score", value),
                Store(self.weights, at, held("score")),
                Assign("best", apply(maximum, held("best"), held("score"))),
            ]
            return [Loop(v, UNROLL, (Loop(lane, LANES, tuple(keep)),))]

        masked = self.form.visible(score, i, start + column, -math.inf)
        return when_all(self.seen_whole(i, start, True), each(score), each(masked))

    def _exponentials(self, f: Var, c: Var, size: int) -> list[Statement]:
        v, lane, column = self._columns()
        at = self.weight_at(of(c), of(f), column, size)
        weight = apply(lambda s, m: exp(s - m), load(self.weights, at), held("base"))
        body = (
            Declare("weight", 0.0, lanes=True),
            Assign("weight", weight),
            Store(self.weights, at, held("weight")),
            Assign("lane_sums", apply(lambda a, b: a + b, held("lane_sums"), held("weight"))),
        )
        return [Loop(v, UNROLL, (Loop(lane, LANES, body),))]

    def _finish(self, places: Places, first: Index, size: int) -> list[Statement]:
        """Mixed values over the sum of weights; the logarithm of that sum. A row that saw nothing
        is zero."""
        f, form = Var("f", size), self.form
        total = load(self.state, of(f) + size)
        row = form.row_at(places, first + of(f))
        lse = apply(log_sum, load(self.state, of(f)), total)

        def part(at: Index) -> Element:
            return apply(lambda a, b: a * b, load(self.sums, at), held("share"))

        start = form.query_at(places, first + of(f))
        return nested(
            (f,),
            [
                Declare("share", 0.0),
                Assign("share", apply(share, total)),
                *self.store_row(self.target, f, start, size, part),
                Store(self.target, row + form.query_elements(), lse),
            ],
        )


def _less(value: Element) -> Element:
    return apply(lambda s, a: s * a, value, held("shrink"))
