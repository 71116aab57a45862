"""What the kernels of attention share: a few rows against all rows of another kind.

A block of rows meets the others in chunks as wide as a block of sums. Products of vectors become
weights, in scratch, and the weights mix the others' vectors. A chunk beyond the end of the others,
or hidden, has weights of zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...errors import InternalError
from ...kernel.attention import Form
from ...kernel.element import Element, Strided, strided
from ...kernel.index import Bound, Index, Var, of
from ...kernel.target import filled_up
from ..loops import LANES, UNROLL, Contract, Loop, Place, Statement, Store, Walk, When
from .common import Body, nested, zeros

Places = dict[Var, Index]

CHUNKS = 32
"""Chunks at a time: weights that stay in the first-level cache."""
FAR = 2**31
MOST_ROWS = 6
"""Rows whose sums with two vectors fit the registers."""


@dataclass(frozen=True)
class Vectors:
    """Vectors in memory, by row; ``axes`` end with the row's and the column's."""

    strided: Strided
    axes: list[Var]

    @classmethod
    def of(cls, element: Element | None, axes: list[Var]) -> Vectors:
        """An operand that was packed."""
        found = None if element is None else strided(element, axes)
        if found is None:
            raise InternalError(f"attention cannot read {element} in place")
        return cls(found, axes)

    def place(self, places: Places, row: Index, column: Index | None = None) -> Place:
        """Where a row, or what follows a column of it, begins."""
        *lead, rows, columns = self.axes
        at = {**{var: places[var] for var in lead}, rows: row, columns: column or Index()}
        return Place(self.strided.load.source, self.strided.place(at))

    @property
    def row_step(self) -> int:
        """How far apart rows lie."""
        return self.strided.steps[-2]

    @property
    def column_step(self) -> int:
        """How far apart a vector's numbers lie."""
        return self.strided.steps[-1]


def block_rows(count: int) -> int:
    """Rows of a block: a divisor of all of them if there is one that keeps the core busy."""
    return next((n for n in (6, 5, 4) if count % n == 0), min(MOST_ROWS, count))


class Pairs:
    """Rows of one kind against all of another: sizes of blocks, and the two contractions."""

    def __init__(self, form: Form, lanes: int, rows: int, others: int) -> None:
        self.form, self.lanes = form, lanes
        self.size = block_rows(rows)
        self.width = 2 * lanes
        """Others of a chunk."""
        self.mixed_vectors = 2 if form.dim % self.width == 0 else 1
        self.mixed_width = self.mixed_vectors * lanes
        self.mixed_blocks = filled_up(form.dim, lanes) // self.mixed_width
        self.chunks = -(-others // self.width)
        self.at_once = min(CHUNKS, self.chunks)
        """Chunks of others whose weights are in scratch together."""
        self.parts = -(-self.chunks // self.at_once)

    def weights_elements(self) -> int:
        """Weights of a block of rows."""
        return self.at_once * self.size * self.width

    def products(
        self, into: Place, rows: Vectors, a: Place, turned: Vectors, b: Place, size: int
    ) -> Contract:
        """Products of rows with a chunk of the others, which are turned."""
        return Contract(
            into,
            a,
            b,
            numbers=size,
            vectors=2,
            number_step=rows.row_step,
            vector_step=self.lanes,
            walks=(Walk(self.form.dim, rows.column_step, turned.column_step),),
        )

    def mix(
        self,
        into: Place,
        weights: Place,
        others: Vectors,
        b: Place,
        chunks: Index,
        size: int,
    ) -> Contract:
        """Others mixed by weights, for one block of columns."""
        chunk = Walk(chunks, size * self.width, self.width * others.row_step)
        return Contract(
            into,
            weights,
            b,
            numbers=size,
            vectors=self.mixed_vectors,
            number_step=self.width,
            vector_step=self.lanes,
            walks=(chunk, Walk(self.width, 1, others.row_step)),
            fresh=False,
        )

    def mixed(
        self,
        sums: int,
        weights: Place,
        others: Vectors,
        places: Places,
        first: Index,
        chunks: Index,
        size: int,
    ) -> list[Statement]:
        """Others from ``first`` on, mixed by the weights of some chunks (all of a part's, or those
        that are left) and added to sums."""
        x = Var("x", self.mixed_blocks)
        into = Place(sums, self.sum_at(of(x), Index(), Index(), size))
        b = others.place(places, first, of(x) * self.mixed_width)
        left = self.mix(into, weights, others, b, chunks, size)
        if self.parts == 1:
            return nested((x,), [left])
        whole = self.mix(into, weights, others, b, Index(self.at_once), size)
        return nested((x,), [When(Bound(chunks, self.at_once, FAR), (whole,), (left,))])

    def sum_at(self, block: Index, row: Index, column: Index, size: int) -> Index:
        """Where the sum of a row at a column of a block lies."""
        return (block * size + row) * self.mixed_width + column

    def sums_elements(self) -> int:
        """Sums of a block of rows."""
        return self.size * self.mixed_blocks * self.mixed_width

    def zero(self, sums: int, size: int) -> list[Statement]:
        """Sums of nothing."""
        return zeros(sums, Index(), size * self.mixed_blocks * self.mixed_width, self.lanes)

    def each_sum(
        self, f: Var, size: int, statement: Callable[[Index, Index], Statement]
    ) -> list[Statement]:
        """A statement for every sum of a row, by vectors; it gets the sum's place and column."""
        x, v = Var("x", self.mixed_blocks), Var("v", self.mixed_vectors)
        lane = Var("lane", self.lanes)
        column = of(v) * self.lanes + of(lane)
        at = self.sum_at(of(x), of(f), column, size)
        inner = Loop(lane, LANES, (statement(at, of(x) * self.mixed_width + column),))
        return nested((x,), [Loop(v, UNROLL, (inner,))])

    def store_row(
        self, target: int, f: Var, start: Index, size: int, value: Callable[[Index], Element]
    ) -> list[Statement]:
        """Each sum of a row to its place in the result, from ``start`` on."""

        def store(at: Index, column: Index) -> Statement:
            bound = Bound(column, 0, self.form.dim)
            bounds = () if bound.always() else (bound,)
            return Store(target, start + column, value(at), bounds)

        return self.each_sum(f, size, store)

    def blocks(
        self, count: int, body: Callable[[Places, Index, int], list[Statement]]
    ) -> tuple[Var, Body]:
        """Blocks of ``count`` rows: a variable for them, and what to do for one; ``body`` gets its
        first row and its size."""
        full, rest = divmod(count, self.size)
        block = Var("block", full + (rest > 0))

        def one(places: Places) -> list[Statement]:
            whole = body(places, places[block] * self.size, self.size) if full else []
            if not rest:
                return whole
            odd = body(places, Index(full * self.size), rest)
            return [When(Bound(places[block], 0, full), tuple(whole), tuple(odd))] if full else odd

        return block, one

    def weight_at(self, chunk: Index, row: Index, column: Index, size: int) -> Index:
        """Where the weight of a row and one of a chunk's others lies."""
        return (chunk * size + row) * self.width + column

    def seen_chunks(self, first: Index, size: int) -> Index:
        """Chunks of keys that a block of queries sees any of."""
        if self.form.before is None:
            return Index(self.chunks)
        return (first + (size - 1)) // self.width + 1

    def seen_whole(self, i: Index, j: Index, by_query: bool) -> list[Bound]:
        """Bounds that hold where a row sees all of a chunk: query i of the keys from j on, or key j
        of the queries from i on."""
        last_i, last_j = (i, j + (self.width - 1)) if by_query else (i + (self.width - 1), j)
        bounds = [Bound(last_i, 0, self.form.queries), Bound(last_j, 0, self.form.keys)]
        if self.form.before is not None:
            bounds.append(Bound(i - last_j, 0, FAR))
            bounds.append(Bound(last_i - j, -FAR, self.form.before + 1))
        return [bound for bound in bounds if not bound.always()]
