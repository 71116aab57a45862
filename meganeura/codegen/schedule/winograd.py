"""Convolutions by tiles, on a CPU: Winograd's algorithm, with tiles in the lanes of vectors.

A task is some rows of tiles, for all filters or some. Channel by channel it stages the rows of
pixels that the tiles see, and transforms them; then for each block of filters it forms, point by
point, the sums over channels, transforms them back, and writes the pixels in their order.
"""

from __future__ import annotations

from dataclasses import replace

from ...errors import InternalError
from ...kernel.conv import MOST_NUMBERS, Convolution, Correlation, cut
from ...kernel.element import Element, Load, apply, held, load
from ...kernel.index import Bound, Index, Var, of
from ...kernel.target import Target, apart, filled_up
from ...kernel.tiled import TiledWeights, row_of_tiles, tiled_weights
from ...kernel.winograd import INPUTS, OUTPUTS, TAPS, WEIGHTS, Formula, points
from ..loops import (
    GRID,
    LANES,
    SERIAL,
    Assign,
    Contract,
    Declare,
    Loop,
    Place,
    Statement,
    Store,
    Walk,
)
from .common import by_size, grid_of_rows, nested, result_stores, rows_per_task
from .stage import StagedRows

VECTORS = 2
"""Vectors of tiles whose sums are formed together."""
TRANSFORMED_ELEMENTS = 96 * 1024
"""Transformed inputs of a task: what fits the second-level cache beside the weights."""
FEWEST_TASKS = 4
MOST_GROUPS = 4
"""Groups of filters that transform the same inputs, where there are few tiles."""


class TiledInputs:
    """Images transformed tile by tile, channel by channel: ``[point, channel, tile]`` in scratch,
    points ``plane`` apart. Takes three scratch buffers from ``first`` on: staged rows, tiles that
    are half transformed, and the result."""

    def __init__(
        self, kernel: Convolution | Correlation, lanes: int, rows: int, channels: int, first: int
    ) -> None:
        self.kernel, self.lanes, self.rows, self.channels = kernel, lanes, rows, channels
        self.tile, self.points = kernel.tile, points(kernel.tile)
        height, width = kernel.window.out
        self.down = -(-height // self.tile)
        self.across = row_of_tiles(width, self.tile, lanes)
        self.tiles = filled_up(rows * self.across, VECTORS * lanes)
        self.plane = apart(channels * self.tiles)
        padded = replace(kernel.window, out=(height, self.across * self.tile))
        self.staged = StagedRows(padded, lanes, first)
        self.half, self.buffer = first + 1, first + 2

    def scratch_elements(self) -> list[int]:
        """Sizes of the scratch buffers; wide loads look past what they want."""
        rows = -(-self.tiles // self.across) * self.points
        square = self.points**2
        return [
            rows * self.staged.row_elements + self.tile * self.lanes,
            square * self.lanes,
            square * self.plane,
        ]

    def transform(self, first: Index, place: Index, channel: Index) -> list[Statement]:
        """The tiles of some rows of a channel, to a place among the channels."""
        if self.across >= self.lanes:
            row, some = Var("row", self.rows), Var("vx", self.across // self.lanes)
            tile = of(row) * self.across + of(some) * self.lanes
            vectors: tuple[Var, ...] = (row, some)
        else:
            vector = Var("vector", self.tiles // self.lanes)
            tile, vectors = of(vector) * self.lanes, (vector,)
        return [*self._stage(first, channel), *nested(vectors, self._transform_vector(place, tile))]

    def _stage(self, first: Index, channel: Index) -> list[Statement]:
        """The rows of pixels that each row of tiles sees."""
        n, c, h, w = self.kernel.image_axes()
        row, i = Var("r", self.rows), Var("i", self.points)
        tiles = first + of(row)
        here = self.kernel.image.substitute({n: tiles // self.down, c: channel})
        image_row = tiles % self.down * self.tile + of(i) - self.kernel.window.padding[0]
        start = (of(row) * self.points + of(i)) * self.staged.row_elements
        return nested((row, i), self.staged.copy(start, image_row, here, h, w))

    def _transform_vector(self, channel: Index, first: Index) -> list[Statement]:
        """A vector of tiles: along rows of pixels, then along columns."""
        i, j, lane = Var("i", self.points), Var("j", self.points), Var("lane", self.lanes)
        tile = first + of(lane)
        row, column = tile // self.across, tile % self.across
        pixel = (row * self.points + of(i)) * self.staged.row_elements + column * self.tile
        seen = [load(self.staged.buffer, pixel + k) for k in range(self.points)]
        at = (of(i) * self.points) * self.lanes + of(lane)
        rows = transformed(INPUTS[self.tile], seen, self.half, at, self.lanes, lane)
        half = [
            load(self.half, (of(j) + k * self.points) * self.lanes + of(lane))
            for k in range(self.points)
        ]
        place = of(j) * self.plane + channel * self.tiles + tile
        step = self.points * self.plane
        columns = transformed(INPUTS[self.tile], half, self.buffer, place, step, lane)
        return [Loop(i, SERIAL, tuple(rows)), Loop(j, SERIAL, tuple(columns))]


def transformed(
    formula: Formula, values: list[Element], into: int, at: Index, step: int, lane: Var | None
) -> list[Statement]:
    """A formula of some values, its results ``step`` apart in a buffer: in lanes, or of numbers."""
    name = f"x{len(values)}{'' if lane else 'n'}"
    registers = [held(name, (Index(k),)) for k in range(len(values))]
    count = len(formula([0.0] * len(values)))
    body: list[Statement] = [Declare(name, 0.0, lanes=lane is not None, shape=(len(values),))]
    body += [Assign(name, value, (Index(k),)) for k, value in enumerate(values)]
    for k in range(count):
        result = apply(lambda *xs, k=k: formula(xs)[k], *registers)
        body.append(Store(into, at + k * step, result))
    return body if lane is None else [Loop(lane, LANES, tuple(body))]


class WinogradSchedule:
    """The loops of one convolution. Scratch: that of the inputs, then sums, and pixels."""

    def __init__(self, kernel: Convolution, lanes: int, target: int) -> None:
        self.kernel, self.lanes, self.target = kernel, lanes, target
        self.tile, self.points = kernel.tile, points(kernel.tile)
        self.filters = cut(kernel.filters, MOST_NUMBERS[VECTORS])
        self.rows = self._task_rows()
        first = target + len(kernel.results)
        self.inputs = TiledInputs(kernel, lanes, self.rows, kernel.channels, first)
        self.tasks = kernel.batch * self.inputs.down // self.rows
        self.groups = max(1, min(MOST_GROUPS, self.filters.count, -(-FEWEST_TASKS // self.tasks)))
        self.sums, self.pixels = first + 3, first + 4
        (weights,) = kernel.weight.reads
        if not kernel.packed or not isinstance(weights, Load):
            raise InternalError(f"the weights must be transformed: {kernel}")
        self.weights, self.weight_plane = weights.source, tiled_weights(kernel).plane

    def _task_rows(self) -> int:
        """Rows of tiles of a task: so many that there are enough tasks, and inputs fit a cache."""
        height, width = self.kernel.window.out
        total, block = self.kernel.batch * -(-height // self.tile), VECTORS * self.lanes
        across = row_of_tiles(width, self.tile, self.lanes)
        most = TRANSFORMED_ELEMENTS // (self.points**2 * self.kernel.channels)
        fitting = [r for r in range(1, total + 1) if total % r == 0]
        wanted = [
            r for r in fitting if r * across <= max(block, most) and total // r >= FEWEST_TASKS
        ]
        small = [r for r in fitting if r * across <= block]
        return max([*wanted, *small[-1:]], default=1)

    def scratch_elements(self) -> list[int]:
        """Sizes of the scratch buffers."""
        block = VECTORS * self.lanes
        sums, pixels = self.points**2 * self.filters.size * block, self.tile**2 * block
        return [*self.inputs.scratch_elements(), sums, pixels]

    def grid(self) -> Loop:
        """Tasks over rows of tiles and groups of filters."""
        task, channel = Var("task", self.tasks * self.groups), Var("c", self.kernel.channels)
        self.first, self.group = of(task) // self.groups * self.rows, of(task) % self.groups
        inputs = self.inputs.transform(self.first, of(channel), of(channel))
        return Loop(task, GRID, (*nested((channel,), inputs), *self._blocks()))

    # Sums

    def _blocks(self) -> list[Statement]:
        """For each block of filters and of tiles: all sums, and then the pixels."""
        per_group = -(-self.filters.count // self.groups)
        o = Var("oblock", per_group)
        some = Var("tblock", self.inputs.tiles // (VECTORS * self.lanes))
        block = self.group * per_group + of(o)
        stop = None
        if per_group * self.groups != self.filters.count:
            stop = self.group * -per_group + self.filters.count
        point = Var("point", self.points**2)
        sums = by_size(
            self.filters, block, lambda size: self._contract(of(point), block, of(some), size)
        )
        body = [*nested((point,), sums), *self._outputs(block, of(some))]
        return [Loop(o, SERIAL, tuple(nested((some,), body)), stop)]

    def _contract(self, point: Index, block: Index, some: Index, size: int) -> Contract:
        channels, width = self.kernel.channels, VECTORS * self.lanes
        step = next(n for n in (4, 2, 1) if channels % n == 0)
        return Contract(
            Place(self.sums, point * (self.filters.size * width)),
            Place(self.weights, point * self.weight_plane + block * channels),
            Place(self.inputs.buffer, point * self.inputs.plane + some * width),
            numbers=size,
            vectors=VECTORS,
            number_step=self.filters.count * channels,
            vector_step=self.lanes,
            walks=(Walk(channels // step, step, step * self.inputs.tiles),),
            taps=tuple((c, c * self.inputs.tiles) for c in range(step)),
        )

    # Outputs

    def _outputs(self, block: Index, some: Index) -> list[Statement]:
        """Sums of a block transformed back, filter by filter, and written."""
        f, vector, lane = (
            Var("f", self.filters.size),
            Var("vector", VECTORS),
            Var("lane", self.lanes),
        )
        i, x = Var("i", self.points), Var("x", self.tile)
        width, inside = VECTORS * self.lanes, of(vector) * self.lanes + of(lane)
        sums = [
            load(
                self.sums,
                ((of(i) * self.points + k) * self.filters.size + of(f)) * width + inside,
            )
            for k in range(self.points)
        ]
        at = of(i) * (self.tile * self.lanes) + of(lane)
        rows = transformed(OUTPUTS[self.tile], sums, self.inputs.half, at, self.lanes, lane)
        half = [
            load(self.inputs.half, (of(x) + k * self.tile) * self.lanes + of(lane))
            for k in range(self.points)
        ]
        place, step = of(x) * width + inside, self.tile * width
        columns = transformed(OUTPUTS[self.tile], half, self.pixels, place, step, lane)
        back = nested((vector,), [*nested((i,), rows), *nested((x,), columns)])
        filters = of(f) * self.filters.count + block
        body = (*back, *self._stores(filters, some))
        return [Loop(f, SERIAL, body, self.filters.size_of(block))]

    def _stores(self, filters: Index, some: Index) -> list[Statement]:
        """The pixels of a block of tiles, by vectors along their rows."""
        tiles = VECTORS * self.lanes
        along = min(tiles, self.inputs.across)
        row, y = Var("trow", tiles // along), Var("y", self.tile)
        some_x, lane = Var("xv", along * self.tile // self.lanes), Var("lane", self.lanes)
        inside = of(some_x) * self.lanes + of(lane)
        tile = of(row) * along + inside // self.tile
        value = load(self.pixels, (of(y) * self.tile + inside % self.tile) * tiles + tile)
        first = some * tiles + of(row) * along  # the first tile of this row
        tile_row = first // self.inputs.across
        tiles_down = self.first + tile_row
        image, down = (
            tiles_down // self.inputs.down,
            tiles_down % self.inputs.down * self.tile + of(y),
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
        return nested((row, y, some_x), [Loop(lane, LANES, tuple(stores))])


def schedule_weights(kernel: TiledWeights, target: Target, result: int) -> tuple[Loop, int]:
    """Weights transformed, with neighbouring channels in the lanes of vectors; and how many numbers
    of scratch that takes."""
    s, o, c, i, j = kernel.weight_axes()
    formula, size, lanes = WEIGHTS[kernel.tile], points(kernel.tile), target.lanes

    def both(filters: Index, channel: Index, lane: Var | None) -> list[Statement]:
        """Rows of taps, then columns."""
        row, column = Var("down", TAPS), Var("across", size)
        where = {s: Index(), o: filters, c: channel, i: of(row)}
        taps = [kernel.weight.substitute(where | {j: Index(k)}) for k in range(TAPS)]
        inside = of(lane) if lane else Index()
        half = of(row) * (size * lanes) + inside
        rows = transformed(formula, taps, result + 1, half, lanes, lane)
        read = [load(result + 1, (of(column) + k * size) * lanes + inside) for k in range(TAPS)]
        at = of(column) * kernel.plane + filters * kernel.channels + channel
        columns = transformed(formula, read, result, at, size * kernel.plane, lane)
        return [*nested((row,), rows), *nested((column,), columns)]

    def some(places: dict[Var, Index]) -> list[Statement]:
        full, rest = divmod(kernel.channels, lanes)
        statements: list[Statement] = []
        if full:
            vector, lane = Var("vector", full), Var("lane", lanes)
            channel = of(vector) * lanes + of(lane)
            statements += nested((vector,), both(places[o], channel, lane))
        if rest:
            one = Var("one", rest)
            statements += nested((one,), both(places[o], of(one) + full * lanes, None))
        return statements

    per_task = rows_per_task(kernel.filters, size**2 * kernel.channels, target)
    return grid_of_rows([o], per_task, some), TAPS * size * lanes
