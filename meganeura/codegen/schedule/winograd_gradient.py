"""Gradients of convolutions by their weights, by tiles, on a CPU.

A task is a block of channels. It transforms their tiles, some rows of tiles at a time, and adds,
for each point and each block of filters, the products over all tiles of a number for each channel
with a vector of gradients; the gradients were transformed before. In the end points become taps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod

from ...errors import InternalError
from ...kernel.conv import MOST_NUMBERS, Correlation, cut
from ...kernel.element import Element, Load, load
from ...kernel.index import Bound, Index, Var, of
from ...kernel.target import Target, apart
from ...kernel.tiled import TiledGradients, tiled_gradients
from ...kernel.winograd import GRADIENTS, SUMMED, TAPS, points
from ..loops import GRID, SERIAL, Contract, Loop, Place, Statement, Walk
from .common import by_size, grid_of_rows, in_parts, nested, rows_per_task, zeros
from .transform import Square, TiledInputs
from .turn import TurnedRows

TRANSFORMED_ELEMENTS = 48 * 1024
"""Transformed inputs of a block of channels: less than a second-level cache, beside gradients."""


class WinogradGradientSchedule:
    """The loops of one correlation. Scratch: that of the inputs, then sums, taps, and rows."""

    def __init__(self, kernel: Correlation, lanes: int, target: int) -> None:
        self.kernel, self.lanes, self.target = kernel, lanes, target
        self.points, self.gradients = points(kernel.tile), tiled_gradients(kernel, lanes)
        self.vectors, self.width = kernel.filter_vectors(lanes), self.gradients.width
        self.channels = cut(kernel.channels, MOST_NUMBERS[self.vectors])
        first = target + 1
        self.inputs = TiledInputs(kernel, lanes, self._rows_at_once(), self.channels.size, first)
        self.once = kernel.batch * self.gradients.down == self.inputs.rows
        """Whether all tiles are transformed at once: then the sums of a block of filters are done
        before those of the next, and all lie where the first do."""
        block = self.channels.size * self.width
        self.block_step = 0 if self.once else block
        self.plane = block if self.once else apart(self.gradients.blocks * block)
        """How far apart the sums of two points lie."""
        self.sums, self.taps = first + 3, first + 4
        self.rows = TurnedRows(kernel, self.channels, lanes, target, first + 5)
        (packed,) = kernel.gradient.reads
        if not kernel.packed or not isinstance(packed, Load):
            raise InternalError(f"the gradients must be transformed: {kernel}")
        self.source = packed.source

    def _rows_at_once(self) -> int:
        """Rows of tiles at a time: a divisor of all, in whole blocks."""
        total, across = self.kernel.batch * self.gradients.down, self.gradients.across
        most = TRANSFORMED_ELEMENTS // (self.points**2 * self.channels.size)
        whole = [r for r in range(1, total + 1) if total % r == 0 and r * across % self.lanes == 0]
        return max((r for r in whole if r * across <= most), default=(whole or [total])[0])

    def scratch_elements(self) -> list[int]:
        """Sizes of the scratch buffers."""
        taps = self.rows.places * self.lanes
        rows = self.rows.scratch_elements()
        return [*self.inputs.scratch_elements(), self.points**2 * self.plane, taps, rows]

    def grid(self) -> Loop:
        """Tasks over blocks of channels; in each, some rows of tiles after others."""
        task = Var("task", self.channels.count)
        self.block = of(task)
        if self.once:
            body = [*self._inputs(Index()), *self._each_block(self._sum_and_store)]
            return Loop(task, GRID, tuple(body))
        rows = self.inputs.rows
        some = Var("some", self.kernel.batch * self.gradients.down // rows)
        block = Var("oblock", self.gradients.blocks)
        sums = self._sum(of(block), of(some) * (rows * self.gradients.across))
        batch = [*self._inputs(of(some) * rows), *nested((block,), sums)]
        nothing = zeros(self.sums, Index(), self.scratch_elements()[-3], self.lanes)
        stores = self._each_block(self._store)
        return Loop(task, GRID, (*nothing, *nested((some,), batch), *stores))

    def _inputs(self, first: Index) -> list[Statement]:
        """Some rows of tiles of all channels, transformed."""
        place = Var("place_c", self.channels.size)
        channel = self.channels.first(self.block) + of(place)
        transform = self.inputs.transform(first, of(place), channel)
        stop = self.channels.size_of(self.block)
        return [*self.inputs.margins(), Loop(place, SERIAL, tuple(transform), stop)]

    def _each_block(self, body: Callable[[Index, int], list[Statement]]) -> list[Statement]:
        """A body for each block of filters; the last may have fewer."""
        return in_parts(self.kernel.filters, self.width, "oblock", body)

    def _sum_and_store(self, block: Index, filters: int) -> list[Statement]:
        return [*self._sum(block, Index()), *self._store(block, filters)]

    def _sums_at(self, point: Index, block: Index) -> Index:
        return point * self.plane + block * self.block_step

    def _sum(self, block: Index, first: Index) -> list[Statement]:
        """Add the products of some tiles, for every point of a block of filters."""
        point = Var("point", self.points**2)
        body = by_size(
            self.channels, self.block, lambda size: self._contract(of(point), block, first, size)
        )
        return nested((point,), body)

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
            fresh=self.once,
        )

    def _store(self, block: Index, filters: int) -> list[Statement]:
        """Points to taps, and these to their places, vector by vector of filters."""
        store = partial(self._store_vector, block)
        return in_parts(filters, self.lanes, "vector", store)

    def _store_vector(self, block: Index, vector: Index, filters: int) -> list[Statement]:
        """The taps of all channels of a vector of filters, of which there are so many."""
        place, inside = Var("place_c", self.channels.size), vector * self.lanes
        stop = self.channels.size_of(self.block)
        taps = Loop(place, SERIAL, tuple(self._taps(of(place), block, inside)), stop)
        first = block * self.width + inside

        def sums(place: Index, f: int) -> Element:
            return load(self.taps, place * self.lanes + f)

        return [taps, *self.rows.write(Index(), first, filters, self.block, sums)]

    def _taps(self, place: Index, block: Index, inside: Index) -> list[Statement]:
        """All taps of a vector of filters, ``inside`` their block, for a channel: along rows of
        points, then along columns."""
        i, j, lane = Var("i", self.points), Var("j", TAPS), Var("lane", self.lanes)
        here = place * self.width + inside + of(lane)
        sums = [
            load(self.sums, self._sums_at(of(i) * self.points + k, block) + here)
            for k in range(self.points)
        ]
        square = Square(SUMMED[self.kernel.tile], i, j, self.inputs.half, self.lanes)
        at = (place * TAPS**2 + of(j)) * self.lanes + of(lane)
        return square.transform(sums, self.taps, at, TAPS * self.lanes, lane)


def schedule_gradients(kernel: TiledGradients, target: Target, result: int) -> tuple[Loop, int]:
    """Gradients transformed, with neighbouring filters in the lanes of vectors; and how many
    numbers of scratch that takes. Tiles that are not there, and pixels outside the image, are
    zero."""
    n, o, y, x = kernel.gradient_axes()
    size, lanes = points(kernel.tile), target.lanes
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
        tiles = places[block] * kernel.tiles + places[row] * kernel.across + places[column]
        at = of(j) * kernel.plane + tiles * kernel.width + inside
        square = Square(GRADIENTS[kernel.tile], i, j, result + 1, lanes)
        return square.transform(pixels, result, at, size * kernel.plane, lane)

    order = [block, row, column, vector]
    per_task = rows_per_task(prod(v.extent for v in order), size**2 * lanes, target)
    return grid_of_rows(order, per_task, tile), kernel.tile * size * lanes
