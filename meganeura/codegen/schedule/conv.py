"""Convolutions on a CPU: directly, a block of filters by a few vectors of pixels at a time.

A task is some output rows of one image. It stages the image rows it reads (stage.py), channel by
channel within a row, and then forms blocks of sums: for each tap, a few vectors of pixels by one
number for each filter of the block. With very many channels it does so for some at a time, adding
to what is there.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ...errors import InternalError
from ...kernel.conv import Convolution
from ...kernel.element import Load, Strided, apply, load
from ...kernel.index import Bound, Index, Var, flat, of
from ..loops import (
    GRID,
    LANES,
    SERIAL,
    UNROLL,
    Contract,
    Loop,
    Place,
    Statement,
    Store,
    Walk,
)
from .common import by_size, nested, result_stores, when_all
from .stage import StagedRows

TASKS, TASK_PRODUCTS = 8, 8_000_000
"""Tasks a convolution is cut into, if it has so many rows, and products from which there are more:
rows at the edge of a task are staged twice, but threads share out many tasks more evenly."""
FEWEST_TASKS = 4
"""Fewer would leave threads without any: then rows are staged twice after all."""
STAGED_ELEMENTS = 64 * 1024
"""Staged elements of a task: half of a second-level cache."""
PIXELS_IN_L1 = 6 * 1024
"""Staged elements that a block of sums is formed from; one that serves several taps may come from
further away."""
MOST_PARTS = 64
"""Parts of very many channels, though then a block's pixels leave the first-level cache: the sums
of all parts are added one after another, and each addition rounds."""
WEIGHTS_IN_L2 = 32 * 1024
"""Weights (of 4 bytes) that blocks of pixels are met with one after another."""

Bounds = tuple[Bound, ...]
Body = Callable[[Index, list[Index], Bounds], list[Statement]]


class ConvolutionSchedule:
    """The loops of one convolution. The buffers behind the results are scratch: rows, then sums."""

    def __init__(self, kernel: Convolution, lanes: int, target: int) -> None:
        self.kernel, self.lanes, self.target = kernel, lanes, target
        self.staged = StagedRows(kernel.window, lanes, target + len(kernel.results))
        self.sums = self.staged.buffer + 1
        self.block_rows, self.block_vectors = kernel.pixel_block(lanes)
        self.filters = kernel.filter_blocks(lanes)
        self.channels = self._channels_at_once()
        self.rows = self._task_rows()
        self.rows_read = kernel.window.rows_read(self.rows)
        self.weights, self.weight_steps = self._weights()

    def _channels_at_once(self) -> int:
        """So many that a block's pixels stay in the first-level cache; but `MOST_PARTS` parts."""
        window = self.kernel.window
        width = self.staged.tap(window.kernel[1] - 1) + self.block_vectors * self.lanes
        pixels = PIXELS_IN_L1 * window.kernel[1]
        most = max(1, pixels // (window.rows_read(self.block_rows) * width))
        parts = min(MOST_PARTS, -(-self.kernel.channels // most))
        even = (n for n in range(parts, 2 * parts) if self.kernel.channels % n == 0)
        return -(-self.kernel.channels // next(even, parts))

    def _weights(self) -> tuple[Strided, tuple[int, int, int, int]]:
        """The weights, and by how much a place in a block, a channel, a row and a column of the
        window move them. The filter of packed ones counts blocks."""
        kernel = self.kernel
        if kernel.packed:
            (source,) = kernel.weight.sources()
            shape = kernel.packed_shape(self.lanes)
            index = flat([*map(of, kernel.weight_axes()), Index()], shape)
            *_, kh, kw, size = shape
            return Strided(Load(source, index), ()), (1, kh * kw * size, kw * size, size)
        weights = kernel.weights_in_place()
        if weights is None:
            raise InternalError(f"the weights must be packed: {kernel}")
        _, by_filter, by_channel, by_row, by_column = weights.steps
        return weights, (by_filter, by_channel, by_row, by_column)

    def _task_rows(self) -> int:
        """Output rows of a task: whole blocks, a divisor of all rows, and what fits the cache."""
        out_rows = self.kernel.window.out[0]
        _, *weights = (axis.extent for axis in self.kernel.weight_axes())
        products = self.kernel.batch * prod(self.kernel.window.out) * prod(weights)
        wanted = out_rows * self.kernel.batch // max(TASKS, products // TASK_PRODUCTS)
        fitting = [r for r in range(1, out_rows + 1) if out_rows % r == 0]
        fitting = [r for r in fitting if r % self.block_rows == 0]
        enough = out_rows * self.kernel.batch // FEWEST_TASKS
        small = [
            r for r in fitting if self._staged_elements(r) <= STAGED_ELEMENTS and r <= enough
        ] or fitting[:1]
        return next((rows for rows in small if rows >= wanted), small[-1])

    def _staged_elements(self, rows: int) -> int:
        return self.kernel.window.rows_read(rows) * self.channels * self.staged.row_elements

    def scratch_elements(self) -> tuple[int, int]:
        """Sizes of the two scratch buffers."""
        sums = self.filters.size * self.block_rows * self.block_vectors * self.lanes
        return self._staged_elements(self.rows) + self.lanes, sums

    def grid(self) -> Loop:
        """Tasks over images and row groups; in each, groups of channels."""
        groups = self.kernel.window.out[0] // self.rows
        task = Var("task", self.kernel.batch * groups)
        self.image, self.first = of(task) // groups, (of(task) % groups) * self.rows
        full, rest = divmod(self.kernel.channels, self.channels)
        part = Var("part", full)
        body = nested((part,), self._channels(of(part) * self.channels, self.channels))
        if rest:
            body += self._channels(Index(full * self.channels), rest)
        return Loop(task, GRID, tuple(body))

    def _channels(self, first: Index, count: int) -> list[Statement]:
        return [*self._stage(first, count), *self._compute(first, count)]

    def _stage(self, first_channel: Index, count: int) -> list[Statement]:
        n, c, h, w = self.kernel.image_axes()
        window = self.kernel.window
        row, channel = Var("staged", self.rows_read), Var("c", count)
        image_row = self.first * window.stride[0] + of(row) - window.padding[0]
        here = self.kernel.image.substitute({n: self.image, c: first_channel + of(channel)})
        stop = None
        if self.kernel.pixels:
            stop = image_row * -w.extent + self.kernel.pixels
        if self.staged.is_better_across(self.kernel.image, w, c):
            start = of(row) * (self.channels * self.staged.row_elements)
            across = self.staged.copy_across(start, image_row, here, (channel, h, w), stop)
            return nested((row,), across)
        start = (of(row) * self.channels + of(channel)) * self.staged.row_elements
        return nested((row, channel), self.staged.copy(start, image_row, here, h, w, stop))

    def _compute(self, first: Index, count: int) -> list[Statement]:
        """Blocks of pixels, and for each all blocks of filters; of many filters, some at a time:
        their weights stay in the second-level cache, the pixels in the first."""
        y = Var("yblock", self.rows // self.block_rows)
        x = Var("xblock", self.staged.outputs // (self.block_vectors * self.lanes))
        _, _, _, *taps = self.kernel.weight_axes()
        weights = self.filters.size * count * prod(tap.extent for tap in taps)
        group = min(self.filters.count, max(1, WEIGHTS_IN_L2 // weights))
        some = Var("some", -(-self.filters.count // group))
        o = Var("oblock", group)
        block = of(some) * group + of(o)
        sums = by_size(
            self.filters,
            block,
            lambda size: self._contract(first, count, of(y), of(x), block, size),
        )
        body = [*sums, *self._stores(first, count, y, x, block)]
        stop = None
        if self.filters.count % group:
            stop = of(some) * -group + self.filters.count
        return nested((some, y, x), [Loop(o, SERIAL, tuple(body), stop)])

    def _contract(
        self,
        first: Index,
        count: int,
        y: Index,
        x: Index,
        block: Index,
        size: int,
    ) -> Contract:
        """The sums of one block of pixels and filters."""
        kh, kw = self.kernel.window.kernel
        filters = block if self.kernel.packed else self.filters.first(block)
        which = (self.image % self.kernel.sets, filters, first, Index(), Index())
        a = self.weights.place(dict(zip(self.kernel.weight_axes(), which, strict=True)))
        by_place, by_channel, by_row, by_column = self.weight_steps
        row = self.staged.row_elements
        row_step = self.channels * row
        # A single tap is too little work between two turns of a loop.
        step = next(n for n in (4, 2, 1) if count % n == 0) if kw == 1 else 1
        stride, dilation = self.kernel.window.stride[0], self.kernel.window.dilation[0]
        across = self.block_rows == 1
        return Contract(
            Place(self.sums, Index()),
            Place(self.weights.load.source, a),
            Place(
                self.staged.buffer,
                y * (self.block_rows * stride * row_step) + x * (self.block_vectors * self.lanes),
            ),
            numbers=size,
            vectors=self.block_rows * self.block_vectors,
            number_step=by_place,
            vector_step=self.lanes if across else stride * row_step,
            walks=(
                Walk(kh, by_row, dilation * row_step),
                Walk(count // step, step * by_channel, step * row),
            ),
            taps=tuple(
                (c * by_channel + j * by_column, c * row + self.staged.tap(j))
                for c in range(step)
                for j in range(kw)
            ),
        )

    def _stores(self, first: Index, count: int, y: Var, x: Var, block: Index) -> list[Statement]:
        """Results to their places; sums that are not complete, to that of the first result. What
        the parts before have left there is added to those of a part."""
        if count == self.kernel.channels:
            return self._each_sum(y, x, block, self._finished)
        channels = self.kernel.channels
        added = self._each_sum(y, x, block, self._added)
        whole = self._each_sum(y, x, block, self._finished)
        part = self._each_sum(y, x, block, self._partial)
        stores = when_all([Bound(first, channels - count, channels)], whole, part)
        return [*when_all([Bound(first, 1, channels)], added, []), *stores]

    def _finished(self, sum_at: Index, at: list[Index], bounds: Bounds) -> list[Statement]:
        return result_stores(self.kernel, self.target, at, load(self.sums, sum_at), bounds)

    def _partial(self, sum_at: Index, at: list[Index], bounds: Bounds) -> list[Statement]:
        return [Store(self.target, self.kernel.position(*at), load(self.sums, sum_at), bounds)]

    def _added(self, sum_at: Index, at: list[Index], bounds: Bounds) -> list[Statement]:
        value = load(self.target, self.kernel.position(*at))
        for bound in bounds:
            value = value.within(bound)
        both = apply(lambda before, part: before + part, value, load(self.sums, sum_at))
        return [Store(self.sums, sum_at, both)]

    def _each_sum(self, y: Var, x: Var, block: Index, body: Body) -> list[Statement]:
        """Statements for each sum of a block: they get its place in scratch and in the result, and
        when it is a pixel at all."""
        blocks = self.filters
        f, r, v = Var("f", blocks.size), Var("r", self.block_rows), Var("v", self.block_vectors)
        lane, (_, width) = Var("lane", self.lanes), self.kernel.window.out
        sum_at = ((of(f) * r.extent + of(r)) * v.extent + of(v)) * self.lanes + of(lane)
        column = (of(x) * self.block_vectors + of(v)) * self.lanes + of(lane)
        row = self.first + of(y) * self.block_rows + of(r)
        pixel = row * width + column
        at = [self.image, blocks.first(block) + of(f), pixel]
        limits = (
            Bound(column, 0, width),
            Bound(pixel, 0, self.kernel.output_pixels()),
        )
        bounds = tuple(bound for bound in limits if not bound.always())
        inner: Statement = Loop(lane, LANES, tuple(body(sum_at, at, bounds)))
        for var in (v, r):
            inner = Loop(var, UNROLL, (inner,))
        return [Loop(f, SERIAL, (inner,), blocks.size_of(block))]
