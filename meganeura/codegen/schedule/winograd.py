"""Convolutions by tiles, on a CPU: Winograd's algorithm, with tiles in the lanes of vectors.

A task is some rows of tiles, for all filters or some. Channel by channel it stages the rows of
pixels that the tiles see, and transforms them; then, for each block of filters, it transforms their
weights, forms, point by point, the sums over channels, transforms them back, and writes the pixels
in their order. Transformed weights are several times as many as weights: they never leave the
second-level cache.
"""

from __future__ import annotations

from ...kernel.conv import MOST_NUMBERS, Convolution, cut
from ...kernel.element import load
from ...kernel.index import Bound, Index, Var, of
from ...kernel.target import Target
from ...kernel.tiled import row_of_tiles, tiles_of
from ...kernel.winograd import OUTPUTS, points
from ..loops import GRID, LANES, SERIAL, Contract, Loop, Place, Statement, Walk
from .common import by_size, nested, result_stores
from .transform import VECTORS, Square, TiledInputs, TiledWeights

TRANSFORMED_ELEMENTS = 96 * 1024
"""Transformed inputs of a task: what fits the second-level cache beside the weights."""
FEWEST_TASKS = 4
"""Tasks of some rows of tiles each: threads share out several more evenly."""
BLOCKS_AHEAD = 2
"""Blocks of filters between that whose weights are brought near and that which is computed."""


class WinogradSchedule:
    """The loops of one convolution. Scratch: that of the inputs, then sums, pixels, weights."""

    def __init__(self, kernel: Convolution, machine: Target, target: int) -> None:
        self.kernel, self.lanes, self.target = kernel, machine.lanes, target
        self.tile, self.points = kernel.tile, points(kernel.tile)
        self.vectors = 1 if tiles_of(kernel, self.lanes) <= self.lanes else VECTORS
        self.block = self.vectors * self.lanes
        self.filters = cut(kernel.filters, MOST_NUMBERS[self.vectors])
        self.rows = self._task_rows(machine.threads)
        first = target + len(kernel.results)
        self.inputs = TiledInputs(
            kernel, self.lanes, self.rows, kernel.channels, first, self.vectors
        )
        self.tasks = kernel.batch * self.inputs.down // self.rows
        groups = min(self.filters.count, -(-machine.threads // self.tasks))
        self.group_blocks = -(-self.filters.count // groups)
        self.groups = -(-self.filters.count // self.group_blocks)
        self.sums, self.pixels = first + 3, first + 4
        size, half = self.filters.size, self.inputs.half
        self.weights = TiledWeights(kernel, self.lanes, size, half, first + 5)

    def _task_rows(self, threads: int) -> int:
        """Rows of tiles of a task: all, if groups of filters are enough tasks; else so many that
        there are, and inputs fit a cache."""
        height, width = self.kernel.window.out
        total = self.kernel.batch * -(-height // self.tile)
        across = row_of_tiles(width, self.tile, self.lanes)
        row_elements = self.points**2 * self.kernel.channels * across
        if total * row_elements <= TRANSFORMED_ELEMENTS and self.filters.count >= threads:
            return total  # weights are transformed once
        most = max(self.block // across, TRANSFORMED_ELEMENTS // row_elements)
        fitting = [r for r in range(1, total + 1) if total % r == 0]
        wanted = [r for r in fitting if r <= most and total // r >= FEWEST_TASKS]
        small = [r for r in fitting if r * across <= self.block]
        return max([*wanted, *small[-1:]], default=1)

    def scratch_elements(self) -> list[int]:
        """Sizes of the scratch buffers."""
        sums = self.points**2 * self.filters.size * self.block
        pixels = self.tile**2 * self.block
        weights = self.weights.scratch_elements()
        return [*self.inputs.scratch_elements(), sums, pixels, weights]

    def grid(self) -> Loop:
        """Tasks over rows of tiles and groups of filters."""
        task, channel = Var("task", self.tasks * self.groups), Var("c", self.kernel.channels)
        self.first, self.group = of(task) // self.groups * self.rows, of(task) % self.groups
        inputs = self.inputs.transform(self.first, of(channel), of(channel))
        staged = [*self.inputs.margins(), *nested((channel,), inputs)]
        return Loop(task, GRID, (*staged, *self._blocks()))

    # Sums

    def _blocks(self) -> list[Statement]:
        """For each block of filters and of tiles: all sums, and then the pixels."""
        o = Var("oblock", self.group_blocks)
        some = Var("tblock", self.inputs.tiles // self.block)
        block = self.group * self.group_blocks + of(o)
        stop = None
        if self.group_blocks * self.groups != self.filters.count:
            stop = self.group * -self.group_blocks + self.filters.count
        point = Var("point", self.points**2)
        sums = by_size(self.filters, block, lambda size: self._contract(of(point), of(some), size))
        tiles = nested((some,), [*nested((point,), sums), *self._outputs(block, of(some))])
        return [Loop(o, SERIAL, (*self._weights(block), *tiles), stop)]

    def _weights(self, block: Index) -> list[Statement]:
        """The weights of a block of filters, transformed."""
        f, ahead = Var("f", self.filters.size), BLOCKS_AHEAD * self.filters.size
        body = self.weights.transform(of(f), self.filters.first(block) + of(f), ahead)
        return [Loop(f, SERIAL, tuple(body), self.filters.size_of(block))]

    def _contract(self, point: Index, some: Index, size: int) -> Contract:
        channels, width = self.kernel.channels, self.block
        step = next(n for n in (4, 2, 1) if channels % n == 0)
        return Contract(
            Place(self.sums, point * (self.filters.size * width)),
            Place(self.weights.buffer, point * self.weights.plane),
            Place(self.inputs.buffer, point * self.inputs.plane + some * width),
            numbers=size,
            vectors=self.vectors,
            number_step=channels,
            vector_step=self.lanes,
            walks=(Walk(channels // step, step, step * self.inputs.tiles),),
            taps=tuple((c, c * self.inputs.tiles) for c in range(step)),
        )

    # Outputs

    def _outputs(self, block: Index, some: Index) -> list[Statement]:
        """Sums of a block transformed back, filter by filter, and written."""
        f, vector, lane = (
            Var("f", self.filters.size),
            Var("vector", self.vectors),
            Var("lane", self.lanes),
        )
        i, x = Var("i", self.points), Var("x", self.tile)
        width, inside = self.block, of(vector) * self.lanes + of(lane)
        sums = [
            load(
                self.sums,
                ((of(i) * self.points + k) * self.filters.size + of(f)) * width + inside,
            )
            for k in range(self.points)
        ]
        square = Square(OUTPUTS[self.tile], i, x, self.inputs.half, self.lanes)
        place, step = of(x) * width + inside, self.tile * width
        back = nested((vector,), square.transform(sums, self.pixels, place, step, lane))
        filters = self.filters.first(block) + of(f)
        body = (*back, *self._stores(filters, some))
        return [Loop(f, SERIAL, body, self.filters.size_of(block))]

    def _stores(self, filters: Index, some: Index) -> list[Statement]:
        """The pixels of a block of tiles, by vectors along their rows, or of several short ones."""
        tiles = self.block
        along = min(tiles, self.inputs.across)
        pixels = along * self.tile
        row, lane = Var("trow", tiles // along), Var("lane", self.lanes)
        some_y = Var("yv", min(self.tile, self.tile * pixels // self.lanes))
        some_x = Var("xv", max(1, pixels // self.lanes))
        place = of(some_x) * self.lanes + of(lane)
        y = of(some_y) * (self.tile // some_y.extent) + place // pixels
        inside = place % pixels
        tile = of(row) * along + inside // self.tile
        value = load(self.pixels, (y * self.tile + inside % self.tile) * tiles + tile)
        first = some * tiles + of(row) * along  # the first tile of this row
        tile_row = first // self.inputs.across
        tiles_down = self.first + tile_row
        image, down = (
            tiles_down // self.inputs.down,
            tiles_down % self.inputs.down * self.tile + y,
        )
        across = first % self.inputs.across * self.tile + inside
        height, width = self.kernel.window.out
        limits = [
            Bound(tile_row, 0, self.rows),
            Bound(down, 0, height),
            Bound(across, 0, width),
        ]
        bounds = tuple(bound for bound in limits if not bound.always())
        at = (image, filters, down * width + across)
        stores = result_stores(self.kernel, self.target, at, value, bounds)
        return nested((row, some_y, some_x), [Loop(lane, LANES, tuple(stores))])
