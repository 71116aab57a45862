"""Gradients of convolutions by their weights, on a CPU: dot products along rows of pixels.

A task is a few channels of the images, for all filters. It stages those channels of every image,
and for each block of filters their gradients; then a few filters by a few taps are summed over all
pixels at once, in vectors that are added up over their lanes only at the end.
"""

from __future__ import annotations

from ...kernel.conv import Correlation
from ...kernel.element import Register, apply, held, load, number
from ...kernel.index import Index, Var, flat, of
from ..loops import (
    GRID,
    LANES,
    SERIAL,
    UNROLL,
    Assign,
    Combine,
    Declare,
    Loop,
    Statement,
    Store,
)
from .common import by_vectors
from .stage import StagedRows

FILTERS, TAPS = 4, 3
"""Sums under way: 4 × 3 vectors, which leaves registers for what is multiplied."""
STAGED_ELEMENTS = 32 * 1024
"""Image elements of a task: what fits the second-level cache beside the gradients."""


class CorrelationSchedule:
    """The loops of one correlation. The two buffers behind the result are scratch: images, then
    gradients."""

    def __init__(self, kernel: Correlation, lanes: int, target: int) -> None:
        self.kernel, self.lanes, self.target = kernel, lanes, target
        self.staged = StagedRows(kernel.window, lanes, target + 1)
        self.rows_read = kernel.window.rows_read(kernel.window.out[0])
        self.channels = self._channels_per_task()

    def _channels_per_task(self) -> int:
        """The largest divisor of the channels whose rows fit the cache, of at most an eighth."""
        one = self.kernel.batch * self.rows_read * self.staged.row_elements
        most = max(1, min(STAGED_ELEMENTS // one, self.kernel.channels // 8))
        return next(n for n in range(most, 0, -1) if self.kernel.channels % n == 0)

    def scratch_elements(self) -> tuple[int, int]:
        """Sizes of the two scratch buffers."""
        rows = self.channels * self.kernel.batch * self.rows_read
        images = rows * self.staged.row_elements + self.lanes
        return images, FILTERS * self._gradient_elements()

    def _gradient_elements(self) -> int:
        return self.kernel.batch * self.kernel.window.out[0] * self.staged.outputs

    def grid(self) -> Loop:
        """Tasks over groups of channels."""
        task = Var("task", self.kernel.channels // self.channels)
        first = of(task) * self.channels
        full, rest = divmod(self.kernel.filters, FILTERS)
        block = Var("oblock", full)
        body = self._stage_images(first)
        if full:
            body.append(Loop(block, SERIAL, tuple(self._filters(first, of(block), FILTERS))))
        if rest:
            body += self._filters(first, Index(full), rest)
        return Loop(task, GRID, tuple(body))

    # Staging

    def _stage_images(self, first: Index) -> list[Statement]:
        n, c, h, w = self.kernel.image_axes()
        channel, row = Var("channel", self.channels), Var("staged", self.rows_read)
        here = self.kernel.image.substitute({c: first + of(channel)})
        image_row = of(row) - self.kernel.window.padding[0]
        copy = self.staged.copy(self._row(of(channel), of(n)) + of(row), image_row, here, h, w)
        body: list[Statement] = copy
        for var in (row, n, channel):
            body = [Loop(var, SERIAL, tuple(body))]
        return body

    def _row(self, channel: Index, n: Index) -> Index:
        """The first staged row of a channel of an image."""
        return (channel * self.kernel.batch + n) * self.rows_read

    def _stage_gradients(self, block: Index, filters: int) -> list[Statement]:
        n, o, y, x = self.kernel.gradient_axes()
        within = Var("o", filters)
        here = self.kernel.gradient.substitute({o: block * FILTERS + of(within)})
        start = self._gradient(of(within), of(n), of(y), Index())

        def copied(position: Index, in_lanes: bool) -> list[Statement]:
            return [Store(self.target + 2, start + position, here.substitute({x: position}))]

        body = by_vectors(x.extent, self.lanes, "g", copied)
        spare = self.staged.outputs - x.extent
        if spare:
            column = Var("spare", spare)
            at = start + of(column) + x.extent
            body.append(Loop(column, SERIAL, (Store(self.target + 2, at, number(0.0)),)))
        for var in (y, n, within):
            body = [Loop(var, SERIAL, tuple(body))]
        return body

    def _gradient(self, o: Index, n: Index, y: Index, x: Index) -> Index:
        rows = self.kernel.window.out[0]
        return flat([o, n, y, x], (FILTERS, self.kernel.batch, rows, self.staged.outputs))

    # Sums

    def _filters(self, first: Index, block: Index, filters: int) -> list[Statement]:
        """All taps of all channels of the task, for one block of filters."""
        kh, kw = self.kernel.window.kernel
        i = Var("i", kh)
        body: list[Statement] = []
        if kw > 1:
            channel = Var("channel", self.channels)
            for start in range(0, kw, TAPS):
                columns = [(of(channel), j) for j in range(start, min(start + TAPS, kw))]
                body += self._block(first, block, filters, of(i), columns)
            body = [Loop(channel, SERIAL, (Loop(i, SERIAL, tuple(body)),))]
        else:
            full, rest = divmod(self.channels, TAPS)
            group = Var("group", full)
            if full:
                columns = [(of(group) * TAPS + t, 0) for t in range(TAPS)]
                inner = self._block(first, block, filters, of(i), columns)
                body.append(Loop(group, SERIAL, tuple(inner)))
            if rest:
                columns = [(Index(full * TAPS + t), 0) for t in range(rest)]
                body += self._block(first, block, filters, of(i), columns)
            body = [Loop(i, SERIAL, tuple(body))]
        return [*self._stage_gradients(block, filters), *body]

    def _block(
        self,
        first: Index,
        block: Index,
        filters: int,
        i: Index,
        columns: list[tuple[Index, int]],
    ) -> list[Statement]:
        """A block of sums over all pixels; a column is a channel and a tap."""
        window = self.kernel.window
        name = f"sum{filters}x{len(columns)}"
        n, y = Var("n", self.kernel.batch), Var("y", window.out[0])
        x, lane = Var("xv", self.staged.outputs // self.lanes), Var("lane", self.lanes)
        column = of(x) * self.lanes + of(lane)
        row = of(y) * window.stride[0] + i * window.dilation[0]
        steps: list[Statement] = []
        for o in range(filters):
            gradient = load(self.target + 2, self._gradient(Index(o), of(n), of(y), column))
            for t, (channel, j) in enumerate(columns):
                place = (Index(o), Index(t))
                pixel_at = self.staged.tap(self._row(channel, of(n)) + row, column, j)
                product = apply(
                    lambda total, a, b: total + a * b,
                    held(name, place),
                    gradient,
                    load(self.staged.buffer, pixel_at),
                )
                steps.append(Assign(name, product, place))
        body: list[Statement] = [Loop(lane, LANES, tuple(steps))]
        for var in (x, y, n):
            body = [Loop(var, SERIAL, tuple(body))]
        return [
            Declare(name, 0.0, lanes=True, shape=(filters, len(columns))),
            *body,
            *self._store(name, first, block, filters, i, columns),
        ]

    def _store(
        self,
        name: str,
        first: Index,
        block: Index,
        filters: int,
        i: Index,
        columns: list[tuple[Index, int]],
    ) -> list[Statement]:
        shape = (self.kernel.filters, self.kernel.channels, *self.kernel.window.kernel)
        statements: list[Statement] = [Declare("dot", 0.0)]
        o = Var("o", filters)
        for t, (channel, j) in enumerate(columns):
            place = [block * FILTERS + of(o), first + channel, i, Index(j)]
            one: tuple[Statement, ...] = (
                Combine("dot", "sum", Register(name, (of(o), Index(t)))),
                Store(self.target, flat(place, shape), held("dot")),
            )
            statements.append(Loop(o, UNROLL, one))
        return statements
