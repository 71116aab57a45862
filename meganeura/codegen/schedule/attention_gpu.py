"""Attention on a GPU: a workgroup takes a few queries of a head, and all keys, a lane each.

The lanes form the scores of as many keys at a time. Scores become weights relative to the largest
so far, in the workgroup's memory, and what was mixed before is scaled down to it (Milakov &
Gimelshein 2018, arXiv:1805.02867; Dao et al. 2022, arXiv:2205.14135); then each lane mixes some
columns of the keys' values.
"""

from __future__ import annotations

import math
from math import prod

from ...kernel.attention import Attending, Attention, Form, base, log_sum, share
from ...kernel.element import Element, Register, apply, held, load
from ...kernel.index import Bound, Index, Var, of, unflat
from ...scalar.expr import exp, maximum
from ..loops import GRID, LANES, SERIAL, UNROLL, Assign, Combine, Declare, Loop, Statement, Store

ROWS = 4
"""Rows of a workgroup: what is loaded for one serves all."""

Places = dict[Var, Index]


class OnGpu:
    """What the kernels of attention share: some rows against all of another kind, in lanes."""

    def __init__(self, kernel: Attending, lanes: int, result: int) -> None:
        self.form: Form = kernel.form
        self.lanes, self.result = lanes, result
        self.lane, self.row = Var("lane", lanes), Var("row", ROWS)
        self.d = kernel.form.key_axes()[3]
        self.part = Var("part", -(-self.form.dim // lanes))
        """Columns of a vector for each lane."""

    def place(self) -> tuple[Index, ...]:
        """A row's place among the registers of all rows."""
        return (of(self.row),)

    def in_lanes(self, *body: Statement, stop: Index | None = None) -> Loop:
        """Statements for every lane."""
        return Loop(self.lane, LANES, body, stop)

    def each_row(self, *body: Statement) -> Loop:
        """Statements for every row of the workgroup."""
        return Loop(self.row, UNROLL, body)

    def tasks(self, axes: list[Var], rows: int) -> int:
        """Workgroups for so many rows at all values of the axes."""
        return prod(axis.extent for axis in axes) * -(-rows // ROWS)

    def places(self, task: Index, axes: list[Var], rows: int) -> tuple[Places, Index]:
        """Where a task is, and its first row."""
        groups = -(-rows // ROWS)
        shape = tuple(axis.extent for axis in axes)
        places = dict(zip(axes, unflat(task // groups, shape, inside=True), strict=True))
        return places, (task % groups) * ROWS

    def left_of(self, total: int, first: Index) -> Index | None:
        """How many lanes have something, if not all."""
        return None if total % self.lanes == 0 else first * -1 + total

    def bias(self, bias: Element | None, places: Places, i: Index, j: Index) -> list[Element]:
        """What is added to the score of query i and key j, if anything is."""
        if bias is None:
            return []
        pair = self.form.pair(places, i, j)
        return [self.form.visible(bias.substitute(pair), i, j, 0.0)]

    def products(
        self, name: str, rows: Element, others: Element, stop: Index | None
    ) -> list[Statement]:
        """Products of every row's vector with that of the lane's other one."""
        total = apply(lambda s, a, b: s + a * b, held(name, self.place()), rows, held("other"))
        body = (
            Declare("other", 0.0, lanes=True),
            self.in_lanes(Assign("other", others), stop=stop),
            self.each_row(self.in_lanes(Assign(name, total, self.place()))),
        )
        return [Declare(name, 0.0, lanes=True, shape=(ROWS,)), Loop(self.d, SERIAL, body)]

    def sums(self, name: str) -> Declare:
        """Sums of some columns for each row."""
        return Declare(name, 0.0, lanes=True, shape=(ROWS, self.part.extent))

    def sum_of(self, name: str) -> Element:
        """One of those sums."""
        return held(name, (of(self.row), of(self.part)))

    def column(self) -> tuple[Index, Index | None]:
        """The lane's column, and how many lanes have one."""
        first = of(self.part) * self.lanes
        return first + of(self.lane), self.left_of(self.form.dim, first)

    def mixed(
        self, name: str, weights: int, values: Element, other: Var, count: Index | None
    ) -> list[Statement]:
        """Add the values of all others to sums, by the weights in a buffer."""
        column, stop = self.column()
        weight = load(weights, of(self.row) * self.lanes + of(other))
        total = apply(lambda s, w, v: s + w * v, self.sum_of(name), weight, held("value"))
        add = Assign(name, total, (of(self.row), of(self.part)))
        value = Assign("value", values.substitute({self.d: column}))
        body = (
            Declare("value", 0.0, lanes=True),
            self.in_lanes(value, stop=stop),
            self.each_row(self.in_lanes(add)),
        )
        return [Loop(other, SERIAL, (Loop(self.part, UNROLL, body),), count)]

    def stored(self, start: Index, value: Element, row: Bound) -> list[Statement]:
        """A number for each column to memory from ``start`` on, if there is such a row."""
        column, stop = self.column()
        store = Store(self.result, start + column, value, () if row.always() else (row,))
        return [self.each_row(Loop(self.part, UNROLL, (self.in_lanes(store, stop=stop),)))]


class AttentionOnGpu(OnGpu):
    """The loops of attention. The buffer behind the result holds weights."""

    def __init__(self, kernel: Attention, lanes: int, result: int) -> None:
        super().__init__(kernel, lanes, result)
        self.kernel, self.weights = kernel, result + 1

    def scratch_elements(self) -> tuple[int, ...]:
        """Weights of the workgroup."""
        return (ROWS * self.lanes,)

    def grid(self) -> Loop:
        """Tasks over some queries of every head; in each, keys by chunks."""
        form, heads = self.form, self.form.query_axes()[:3]
        task, chunk = Var("task", self.tasks(heads, form.queries)), self._chunks()
        self.here, first = self.places(of(task), heads, form.queries)
        self.query = first + of(self.row)
        # Keys behind the last query are not looked at where queries see none behind themselves.
        stop = None if form.before is None else (first + (ROWS - 1)) // self.lanes + 1
        body = (
            Declare("largest", -math.inf, shape=(ROWS,)),
            Declare("total", 0.0, shape=(ROWS,)),
            self.sums("mixed"),
            Loop(chunk, SERIAL, tuple(self._chunk(of(chunk) * self.lanes)), stop),
            *self._finish(),
        )
        return Loop(task, GRID, body)

    def _chunks(self) -> Var:
        return Var("chunk", -(-self.form.keys // self.lanes))

    def _chunk(self, first: Index) -> list[Statement]:
        i, j = self.form.query_axes()[3], self.form.key_axes()[2]
        key, stop = first + of(self.lane), self.left_of(self.form.keys, first)
        queries = self.kernel.q.substitute({**self.here, i: self.query})
        queries = queries.within(Bound(self.query, 0, self.form.queries))
        bias = self.bias(self.kernel.bias, self.here, self.query, key)
        score = apply(self.form.score, held("score", self.place()), *bias)
        shown = self.form.visible(score, self.query, key, -math.inf)
        other = Var("other_key", self.lanes)
        values = self.kernel.v.substitute({**self.here, j: first + of(other)})
        keys = self.kernel.k.substitute({**self.here, j: key})
        return [
            *self.products("score", queries, keys, stop),
            self.each_row(
                self.in_lanes(Assign("score", shown, self.place())),
                *self._weights(),
            ),
            *self.mixed("mixed", self.weights, values, other, stop),
        ]

    def _weights(self) -> list[Statement]:
        """A row's scores to weights, relative to its largest score so far."""
        place = self.place()
        old, total = held("largest", place), held("total", place)
        sums = apply(lambda s, a, p: s * a + p, total, held("shrink"), held("part_sum"))
        weight = apply(lambda s, m: exp(s - m), held("score", place), held("base"))
        shrunk = apply(lambda s, a: s * a, self.sum_of("mixed"), held("shrink"))
        shrink = Assign("mixed", shrunk, (of(self.row), of(self.part)))
        at = of(self.row) * self.lanes + of(self.lane)
        return [
            Declare("most", 0.0),
            Combine("most", "max", Register("score", place)),
            Assign("most", apply(maximum, held("most"), old)),
            Declare("base", 0.0),
            Assign("base", apply(base, held("most"))),
            Declare("shrink", 0.0),
            Assign("shrink", apply(lambda m, b: exp(m - b), old, held("base"))),
            self.in_lanes(Assign("score", weight, place)),
            self.in_lanes(Store(self.weights, at, held("score", place))),
            Declare("part_sum", 0.0),
            Combine("part_sum", "sum", Register("score", place)),
            Assign("total", sums, place),
            Assign("largest", held("most"), place),
            Loop(self.part, UNROLL, (self.in_lanes(shrink),)),
        ]

    def _finish(self) -> list[Statement]:
        """Mixed values over the sum of weights; the logarithm of that sum."""
        form, place = self.form, self.place()
        largest, total = held("largest", place), held("total", place)
        value = apply(lambda a, s: a * share(s), self.sum_of("mixed"), total)
        exists = Bound(self.query, 0, form.queries)
        row = form.row_at(self.here, self.query) + form.query_elements()
        bounds = () if exists.always() else (exists,)
        lse = Store(self.result, row, apply(log_sum, largest, total), bounds)
        start = form.query_at(self.here, self.query)
        return [*self.stored(start, value, exists), self.each_row(lse)]
