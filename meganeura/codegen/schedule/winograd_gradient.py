"""Gradients of convolutions by their weights, by tiles, on a CPU.

A task is a block of channels. It transforms their tiles, some rows of tiles at a time, and adds,
for each point and each block of filters, the products over all tiles of a number for each channel
with a vector of gradients; the gradients were transformed before. In the end points become taps.
"""

from __future__ import annotations

from math import prod

from ...errors import InternalError
from ...kernel.conv import MOST_NUMBERS, Correlation, cut
from ...kernel.element import Load, load
from ...kernel.index import Bound, Index, Var, of
from ...kernel.target import Target
from ...kernel.tiled import TiledGradients, tiled_gradients
from ...kernel.winograd import GRADIENTS, SUMMED, TAPS, points
from ..loops import GRID, SERIAL, Contract, Loop, Place, Statement, Walk
from .common import by_size, grid_of_rows, nested, rows_per_task, zeros
from .winograd import TiledInputs, transformed

TRANSFORMED_ELEMENTS = 48 * 1024
"""Transformed inputs of a block of channels: less than a second-level cache, beside gradients."""


class WinogradGradientSchedule:
    """The loops of one correlation. Scratch: that of the inputs, then sums."""

    def __init__(self, kernel: Correlation, lanes: int, target: int) -> None:
        self.kernel, self.lanes, self.target = kernel, lanes, target
        self.points, self.gradients = points(kernel.tile), tiled_gradients(kernel, lanes)
        self.vectors, self.width = kernel.filter_vectors(lanes), self.gradients.width
        self.channels = cut(kernel.channels, MOST_NUMBERS[self.vectors])
        self.inputs = TiledInputs(kernel, lanes, self._rows(), self.channels.size, target + 1)
        self.sums = target + 4
        (packed,) = kernel.gradient.reads
        if not kernel.packed or not isinstance(packed, Load):
            raise InternalError(f"the gradients must be transformed: {kernel}")
        self.source = packed.source

    def _rows(self) -> int:
        """Rows of tiles at a time: a divisor of all, in whole blocks."""
        total, across = self.kernel.batch * self.gradients.down, self.gradients.across
        most = TRANSFORMED_ELEMENTS // (self.points**2 * self.channels.size)
        whole = [r for r in range(1, total + 1) if total % r == 0 and r * across % self.lanes == 0]
        return max((r for r in whole if r * across <= most), default=(whole or [total])[0])

    def scratch_elements(self) -> list[int]:
        """Sizes of the scratch buffers."""
        sums = self.points**2 * self.gradients.blocks * self.channels.size * self.width
        return [*self.inputs.scratch_elements(), sums]

    def grid(self) -> Loop:
        """Tasks over blocks of channels; in each, some rows of tiles after others."""
        task = Var("task", self.channels.count)
        self.block = of(task)
        rows = self.inputs.rows
        some = Var("some", self.kernel.batch * self.gradients.down // rows)
        place = Var("place_c", self.channels.size)
        channel = of(place) * self.channels.count + self.block
        transform = self.inputs.transform(of(some) * rows, of(place), channel)
        batch = [
            Loop(place, SERIAL, tuple(transform), self.channels.size_of(self.block)),
            *self._sum(of(some) * (rows * self.gradients.across)),
        ]
        nothing = zeros(self.sums, Index(), self.scratch_elements()[-1], self.lanes)
        return Loop(task, GRID, (*nothing, *nested((some,), batch), *self._store()))

    def _sums_at(self, point: Index, block: Index) -> Index:
        size = self.channels.size * self.width
        return (point * self.gradients.blocks + block) * size

    def _sum(self, first: Index) -> list[Statement]:
        """Add the products of some tiles, for every point and every block of filters."""
        point, block = Var("point", self.points**2), Var("oblock", self.gradients.blocks)
        body = by_size(
            self.channels,
            self.block,
            lambda size: self._contract(of(point), of(block), first, size),
        )
        return nested((point, block), body)

    def _contract(self, point: Index, block: Index, first: Index, size: int) -> Contract:
        tiles = self.inputs.rows * self.gradients.across
        step = next(n for n in (4, 2, 1) if tiles % n == 0)
        before = block * self.gradients.tiles + first
        return Contract(
            Place(self.sums, self._sums_at(point, block)),
            Place(self.inputs.buffer, point * self.inputs.plane),
            Place(self.source, point * self.gradients.plane + before * self.width),
            numbers=size,
            vectors=self.vectors,
            number_step=self.inputs.tiles,
            vector_step=self.lanes,
            walks=(Walk(tiles // step, step, step * self.width),),
            taps=tuple((t, t * self.width) for t in range(step)),
            fresh=False,
        )

    def _store(self) -> list[Statement]:
        """Points to taps, and these to their places: vectors of filters by channels. Filters that
        do not fill a vector are written one by one."""
        blocks, rest = divmod(self.kernel.filters, self.width)
        place = Var("place_c", self.channels.size)
        body: list[Statement] = []
        if blocks:
            block = Var("oblock", blocks)
            body += nested((block,), self._vectors(of(place), of(block), self.vectors))
        if rest >= self.lanes:
            body += self._vectors(of(place), Index(blocks), rest // self.lanes)
        if rest % self.lanes:
            one = Var("one", rest % self.lanes)
            inside = of(one) + (rest - rest % self.lanes)
            body += nested((one,), self._taps(of(place), Index(blocks), inside, None))
        return [Loop(place, SERIAL, tuple(body), self.channels.size_of(self.block))]

    def _vectors(self, place: Index, block: Index, count: int) -> list[Statement]:
        vector, lane = Var("vector", count), Var("lane", self.lanes)
        inside = of(vector) * self.lanes + of(lane)
        return nested((vector,), self._taps(place, block, inside, lane))

    def _taps(self, place: Index, block: Index, inside: Index, lane: Var | None) -> list[Statement]:
        """All taps of a filter, ``inside`` its block, for a channel: along rows of points, then
        along columns."""
        i, j = Var("i", self.points), Var("j", TAPS)
        formula, at_lane = SUMMED[self.kernel.tile], of(lane) if lane else Index()
        here = place * self.width + inside
        sums = [
            load(self.sums, self._sums_at(of(i) * self.points + k, block) + here)
            for k in range(self.points)
        ]
        half = self.inputs.half
        at = of(i) * (TAPS * self.lanes) + at_lane
        rows = transformed(formula, sums, half, at, self.lanes, lane)
        read = [load(half, (of(j) + k * TAPS) * self.lanes + at_lane) for k in range(self.points)]
        o, channel = block * self.width + inside, place * self.channels.count + self.block
        index = (o * self.kernel.channels + channel) * TAPS**2 + of(j)
        columns = transformed(formula, read, self.target, index, TAPS, lane)
        return [*nested((i,), rows), *nested((j,), columns)]


def schedule_gradients(kernel: TiledGradients, target: Target, result: int) -> tuple[Loop, int]:
    """Gradients transformed, with neighbouring filters in the lanes of vectors; and how many
    numbers of scratch that takes. Tiles that are not there, and pixels outside the image, are
    zero."""
    n, o, y, x = kernel.gradient_axes()
    formula, size, lanes = GRADIENTS[kernel.tile], points(kernel.tile), target.lanes
    block, vector = Var("block", kernel.blocks), Var("vector", kernel.width // lanes)
    row, column = Var("down", kernel.batch * kernel.down), Var("column", kernel.across)

    def tile(places: dict[Var, Index]) -> list[Statement]:
        i, j, lane = Var("i", kernel.tile), Var("j", size), Var("lane", lanes)
        inside = places[vector] * lanes + of(lane)
        filters = places[block] * kernel.width + inside
        down = places[row] % kernel.down * kernel.tile + of(i)
        here = kernel.gradient.substitute({n: places[row] // kernel.down, o: filters, y: down})
        pixels = []
        for k in range(kernel.tile):
            across = places[column] * kernel.tile + k
            value = here.substitute({x: across})
            for bound in (
                Bound(down, 0, y.extent),
                Bound(across, 0, x.extent),
                Bound(filters, 0, o.extent),
            ):
                value = value.within(bound)
            pixels.append(value)
        half = of(i) * (size * lanes) + of(lane)
        rows = transformed(formula, pixels, result + 1, half, lanes, lane)
        read = [load(result + 1, (of(j) + k * size) * lanes + of(lane)) for k in range(kernel.tile)]
        tiles = places[block] * kernel.tiles + places[row] * kernel.across + places[column]
        at = of(j) * kernel.plane + tiles * kernel.width + inside
        columns = transformed(formula, read, result, at, size * kernel.plane, lane)
        return [*nested((i,), rows), *nested((j,), columns)]

    order = [block, row, column, vector]
    per_task = rows_per_task(prod(v.extent for v in order), size**2 * lanes, target)
    return grid_of_rows(order, per_task, tile), kernel.tile * size * lanes
