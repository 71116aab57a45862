"""What convolutions by tiles, on a CPU, put into scratch: images and weights, transformed by
Winograd's formulas. Both lie point by point, and points an odd number of cache lines apart."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...kernel.conv import Convolution, Correlation
from ...kernel.element import Element, Load, apply, held, load
from ...kernel.index import Index, Var, of
from ...kernel.target import apart, filled_up
from ...kernel.tiled import row_of_tiles
from ...kernel.winograd import INPUTS, TAPS, WEIGHTS, Formula, points
from ..loops import LANES, Assign, Declare, Loop, Place, Prefetch, Statement, Store
from .common import nested, prefetch_row, zeros
from .stage import StagedRows

VECTORS = 2
"""Vectors of tiles whose sums are formed together, if there are so many."""


class TiledInputs:
    """Images transformed tile by tile, channel by channel: ``[point, channel, tile]`` in scratch,
    points ``plane`` apart. Takes three scratch buffers from ``first`` on: staged rows, tiles that
    are half transformed, and the result."""

    def __init__(
        self,
        kernel: Convolution | Correlation,
        lanes: int,
        rows: int,
        channels: int,
        first: int,
        vectors: int = VECTORS,
    ) -> None:
        self.kernel, self.lanes, self.rows, self.channels = kernel, lanes, rows, channels
        self.tile, self.points = kernel.tile, points(kernel.tile)
        height, width = kernel.window.out
        self.down = -(-height // self.tile)
        self.across = row_of_tiles(width, self.tile, lanes)
        self.tiles = filled_up(rows * self.across, vectors * lanes)
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

    def margins(self) -> list[Statement]:
        """Zeros where rows are staged, which stay where no pixels are."""
        return zeros(self.staged.buffer, Index(), self.scratch_elements()[0], self.lanes)

    def transform(self, first: Index, place: Index, channel: Index) -> list[Statement]:
        """The tiles of some rows of a channel, to a place among the channels. ``margins`` come
        before the first."""
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
        image = self.kernel.image.substitute({n: tiles // self.down})
        image_row = tiles % self.down * self.tile + of(i) - self.kernel.window.padding[0]
        start = (of(row) * self.points + of(i)) * self.staged.row_elements
        copy = self.staged.copy_inside(start, image_row, image.substitute({c: channel}), h, w)
        following = image.substitute({c: channel + 1, h: image_row})
        return nested((row, i), [*prefetch_row(following, w), *copy])

    def _transform_vector(self, channel: Index, first: Index) -> list[Statement]:
        """A vector of tiles: along rows of pixels, then along columns."""
        i, j, lane = Var("i", self.points), Var("j", self.points), Var("lane", self.lanes)
        tile = first + of(lane)
        row, column = tile // self.across, tile % self.across
        pixel = (row * self.points + of(i)) * self.staged.row_elements + column * self.tile
        seen = [load(self.staged.buffer, pixel + k) for k in range(self.points)]
        square = Square(INPUTS[self.tile], i, j, self.half, self.lanes)
        place = of(j) * self.plane + channel * self.tiles + tile
        return square.transform(seen, self.buffer, place, self.points * self.plane, lane)


class TiledWeights:
    """Weights of some filters, transformed: ``[point, filter, channel]`` in scratch, points
    ``plane`` apart. ``half`` is a buffer for filters that are half transformed."""

    def __init__(
        self, kernel: Convolution, lanes: int, filters: int, half: int, buffer: int
    ) -> None:
        self.kernel, self.lanes, self.half, self.buffer = kernel, lanes, half, buffer
        self.points = points(kernel.tile)
        self.plane = apart(filters * kernel.channels)

    def scratch_elements(self) -> int:
        """The size of the scratch buffer."""
        return self.points**2 * self.plane

    def transform(self, place: Index, filters: Index, ahead: int) -> list[Statement]:
        """The weights of a filter to a place among the filters, with neighbouring channels in the
        lanes of vectors. Those of the filter so many ``ahead`` are brought near."""
        full, rest = divmod(self.kernel.channels, self.lanes)
        before = place * self.kernel.channels
        statements: list[Statement] = []
        if full:
            vector, lane = Var("vector", full), Var("lane", self.lanes)
            first = of(vector) * self.lanes
            near = [
                statement
                for k in range(self.lanes)
                for statement in self._prefetch(filters + ahead, first + k)
            ]
            both = self._along_both(filters, first + of(lane), before, lane)
            statements += nested((vector,), [*near, *both])
        if rest:
            one = Var("one", rest)
            channel = of(one) + full * self.lanes
            statements += nested((one,), self._along_both(filters, channel, before, None))
        return statements

    def _along_both(
        self, filters: Index, channel: Index, before: Index, lane: Var | None
    ) -> list[Statement]:
        """Along rows of taps, then along columns."""
        s, o, c, i, j = self.kernel.weight_axes()
        row, column = Var("down", TAPS), Var("across", self.points)
        weight = self.kernel.weight.substitute({s: Index(), o: filters, c: channel, i: of(row)})
        taps = [weight.substitute({j: Index(k)}) for k in range(TAPS)]
        square = Square(WEIGHTS[self.kernel.tile], row, column, self.half, self.lanes)
        place = of(column) * self.plane + before + channel
        return square.transform(taps, self.buffer, place, self.points * self.plane, lane)

    def _prefetch(self, filters: Index, channel: Index) -> list[Statement]:
        """The taps of a filter for a channel brought near, by the one in the middle."""
        s, o, c, i, j = self.kernel.weight_axes()
        at = {s: Index(), o: filters, c: channel, i: Index(1), j: Index(1)}
        reads = self.kernel.weight.substitute(at).reads
        return [Prefetch(Place(r.source, r.index)) for r in reads if isinstance(r, Load)]


@dataclass(frozen=True)
class Square:
    """A formula along the rows of squares of numbers, and then along their columns. What is half
    transformed lies in a buffer ``half``, each number with room for all lanes."""

    formula: Formula
    row: Var
    column: Var
    half: int
    lanes: int

    def transform(
        self, values: list[Element], into: int, at: Index, step: int, lane: Var | None
    ) -> list[Statement]:
        """From the values of a row to the results of a column, which begin ``at`` and are ``step``
        apart: in lanes, or of numbers."""
        count, inside = self.column.extent, of(lane) if lane else Index()
        place = of(self.row) * (count * self.lanes) + inside
        rows = transformed(self.formula, values, self.half, place, self.lanes, lane)
        read = [
            load(self.half, (of(self.column) + k * count) * self.lanes + inside)
            for k in range(self.row.extent)
        ]
        columns = transformed(self.formula, read, into, at, step, lane)
        return [*nested((self.row,), rows), *nested((self.column,), columns)]


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
