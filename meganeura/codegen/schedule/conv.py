"""Convolutions on a CPU: directly, a block of filters by a few vectors of pixels at a time.

A task is some output rows of one image. It stages the image rows it reads (stage.py), and then
keeps a block of sums in registers while it walks over channels and taps: for each tap, a few
vectors of pixels and one broadcast weight for each filter of the block.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...kernel.conv import Convolution
from ...kernel.element import apply, held, load
from ...kernel.index import Bound, Index, Var, flat, of
from ..loops import GRID, LANES, SERIAL, UNROLL, Assign, Declare, Loop, Statement, Store
from .stage import StagedRows

TASKS = 8
"""Tasks a convolution is cut into, if it has so many rows: more would stage rows twice."""
WEIGHTS_IN_L2 = 32 * 1024
"""Weights (of 4 bytes) beyond which a block of filters is kept, and the pixels walked over."""


def task_rows(kernel: Convolution, block_rows: int) -> int:
    """Output rows of a task: a whole number of blocks, and a divisor of all rows."""
    out_rows = kernel.window.out[0]
    wanted = out_rows * kernel.batch // TASKS
    fitting = [r for r in range(block_rows, out_rows + 1, block_rows) if out_rows % r == 0]
    return next((rows for rows in fitting if rows >= wanted), out_rows)


class ConvolutionSchedule:
    """The loops of one convolution. The buffer behind the result is scratch."""

    def __init__(self, kernel: Convolution, lanes: int, target: int) -> None:
        self.kernel, self.lanes, self.target = kernel, lanes, target
        self.staged = StagedRows(kernel.window, lanes, target + 1)
        self.blocks = kernel.blocks(lanes)
        self.rows = task_rows(kernel, self.blocks.rows)
        self.rows_read = kernel.window.rows_read(self.rows)

    def scratch_elements(self) -> int:
        """The staged rows of all channels."""
        return self.kernel.channels * self.rows_read * self.staged.row_elements + self.lanes

    def grid(self) -> Loop:
        """Tasks over images and row groups."""
        groups = self.kernel.window.out[0] // self.rows
        task = Var("task", self.kernel.batch * groups)
        image, first = of(task) // groups, (of(task) % groups) * self.rows
        return Loop(task, GRID, (*self._stage(image, first), *self._compute(image, first)))

    def _stage(self, image: Index, first: Index) -> list[Statement]:
        n, c, h, w = self.kernel.image_axes()
        window = self.kernel.window
        row = Var("staged", self.rows_read)
        image_row = first * window.stride[0] + of(row) - window.padding[0]
        here = self.kernel.image.substitute({n: image})
        copy = self.staged.copy(of(c) * self.rows_read + of(row), image_row, here, h, w)
        return [Loop(c, SERIAL, (Loop(row, SERIAL, tuple(copy)),))]

    def _compute(self, image: Index, first: Index) -> list[Statement]:
        """Blocks of pixels, and for each all blocks of filters; or the other way round."""
        size, filters = self.blocks, self.kernel.filters
        y = Var("yblock", self.rows // size.rows)
        x = Var("xblock", self.staged.outputs // (size.vectors * self.lanes))
        full, rest = divmod(filters, size.filters)
        o = Var("oblock", full)
        taps = self.kernel.window.kernel[0] * self.kernel.window.kernel[1]
        filters_first = filters * self.kernel.channels * taps > WEIGHTS_IN_L2
        order = (o, y, x) if filters_first else (y, x, o)
        statements: list[Statement] = []
        if full:
            body = self._block(image, first, y, x, of(o), size.filters)
            statements += _nested(order, body)
        if rest:
            body = self._block(image, first, y, x, Index(full), rest)
            statements += _nested((y, x), body)
        return statements

    def _block(
        self, image: Index, first: Index, y: Var, x: Var, block: Index, filters: int
    ) -> list[Statement]:
        """One block of sums: zeroed, summed over channels and taps, stored."""
        name = f"sum{filters}"
        shape = (filters, self.blocks.rows, self.blocks.vectors)
        c, i = Var("c", self.kernel.channels), Var("i", self.kernel.window.kernel[0])
        taps = [
            statement
            for j in range(self.kernel.window.kernel[1])
            for statement in self._tap(name, shape, y, x, block, of(c), of(i), j)
        ]
        return [
            Declare(name, 0.0, lanes=True, shape=shape),
            *_nested((c, i), taps),
            *self._store(name, shape, image, first, y, x, block),
        ]

    def _tap(
        self,
        name: str,
        shape: tuple[int, int, int],
        y: Var,
        x: Var,
        block: Index,
        c: Index,
        i: Index,
        j: int,
    ) -> list[Statement]:
        """Multiply the pixels of one tap by the weights of the block's filters."""
        window, (filters, rows, vectors) = self.kernel.window, shape
        o, r, v = Var("o", filters), Var("r", rows), Var("v", vectors)
        lane = Var("lane", self.lanes)
        axes = zip(
            self.kernel.weight_axes(),
            (block * self.blocks.filters + of(o), c, i, Index(j)),
            strict=True,
        )
        output_row = of(y) * rows + of(r)
        row = output_row * window.stride[0] + i * window.dilation[0]
        column = (of(x) * vectors + of(v)) * self.lanes + of(lane)
        pixel_at = self.staged.tap(c * self.rows_read + row, column, j)
        place = (of(o), of(r), of(v))
        product = apply(
            lambda total, weight, pixel: total + weight * pixel,
            held(name, place),
            self.kernel.weight.substitute(dict(axes)),
            load(self.staged.buffer, pixel_at),
        )
        body: Statement = Loop(lane, LANES, (Assign(name, product, place),))
        # Filters outermost: the few pixel vectors stay in registers, each weight is used at once.
        for var in (v, r, o):
            body = Loop(var, UNROLL, (body,))
        return [body]

    def _store(
        self,
        name: str,
        shape: tuple[int, int, int],
        image: Index,
        first: Index,
        y: Var,
        x: Var,
        block: Index,
    ) -> list[Statement]:
        filters, rows, vectors = shape
        o, r, v = Var("o", filters), Var("r", rows), Var("v", vectors)
        lane = Var("lane", self.lanes)
        height, width = self.kernel.window.out
        column = (of(x) * vectors + of(v)) * self.lanes + of(lane)
        place = [
            image,
            block * self.blocks.filters + of(o),
            first + of(y) * rows + of(r),
            column,
        ]
        index = flat(place, (self.kernel.batch, self.kernel.filters, height, width))
        bound = Bound(column, 0, width)
        bounds = () if bound.always() else (bound,)
        store = Store(self.target, index, held(name, (of(o), of(r), of(v))), bounds)
        body: Statement = Loop(lane, LANES, (store,))
        for var in (v, r, o):
            body = Loop(var, UNROLL, (body,))
        return [body]


def _nested(order: Sequence[Var], body: list[Statement]) -> list[Statement]:
    """Serial loops around a body, the first variable outermost."""
    for var in reversed(order):
        body = [Loop(var, SERIAL, tuple(body))]
    return body
