"""Gradients of convolutions by their weights, by tiles, on a CPU.

A task is a block of channels. It transforms their tiles, some rows of tiles at a time, and adds,
for each point and each block of filters, the products over all tiles of a number for each channel
with a vector of gradients; the gradients were transformed before. In the end points become taps.
"""

from __future__ import annotations

from math import prod

from ...errors import InternalError
from ...kernel.conv import MOST_NUMBERS, Correlation, cut
from ...kernel.element import Load, apply, held, load
from ...kernel.index import Bound, Index, Var, flat, of
from ...kernel.target import Target
from ...kernel.tiled import TiledGradients, tiled_gradients
from ...kernel.winograd import GRADIENTS, SUMMED, TAPS, along_both, points
from ...scalar.expr import Expr
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
from .common import by_size, grid_of_rows, nested, rows_per_task, zeros
from .winograd import TiledInputs

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
        """Points to taps, and these to their places: vectors of filters by channels."""
        filters, channels = self.kernel.filters, self.kernel.channels
        block, vector = Var("oblock", self.gradients.blocks), Var("vector", self.vectors)
        place, lane = Var("place_c", self.channels.size), Var("lane", self.lanes)
        inside = of(vector) * self.lanes + of(lane)
        name, square = "u", self.points**2
        bound = Bound(of(block) * self.width + inside, 0, filters)
        in_lanes = bound.always()  # else one by one: vectors that lie apart are written whole
        statements: list[Statement] = [Declare(name, 0.0, lanes=in_lanes, shape=(square,))]
        for point in range(square):
            at = self._sums_at(Index(point), of(block)) + of(place) * self.width + inside
            statements.append(Assign(name, load(self.sums, at), (Index(point),)))
        registers = [held(name, (Index(point),)) for point in range(square)]
        channel = of(place) * self.channels.count + self.block
        o = of(block) * self.width + inside
        for tap in range(TAPS**2):

            def value(*sums: Expr, tap: int = tap) -> Expr:
                rows = [sums[k * self.points : (k + 1) * self.points] for k in range(self.points)]
                found: Expr = along_both(SUMMED[self.kernel.tile], rows)[tap // TAPS][tap % TAPS]
                return found

            index = flat([o, channel, Index(tap)], (filters, channels, TAPS**2))
            statements.append(Store(self.target, index, apply(value, *registers)))
        stop = None if in_lanes else (of(block) * self.width + of(vector) * self.lanes) * -1
        left = None if stop is None else stop + filters
        body = Loop(lane, LANES if in_lanes else SERIAL, tuple(statements), left)
        return nested(
            (block, vector),
            [Loop(place, SERIAL, (body,), self.channels.size_of(self.block))],
        )


def schedule_gradients(kernel: TiledGradients, target: Target, result: int) -> Loop:
    """Gradients transformed, with neighbouring filters in the lanes of vectors. Tiles that are not
    there, and pixels outside the image, are zero."""
    n, o, y, x = kernel.gradient_axes()
    size, lanes = points(kernel.tile), target.lanes
    block, vector = Var("block", kernel.blocks), Var("vector", kernel.width // lanes)
    row, column = Var("row", kernel.batch * kernel.down), Var("column", kernel.across)

    def tile(places: dict[Var, Index]) -> list[Statement]:
        lane = Var("lane", lanes)
        inside = places[vector] * lanes + of(lane)
        filters = places[block] * kernel.width + inside
        down, across = places[row] % kernel.down * kernel.tile, places[column] * kernel.tile
        name, square = "y", kernel.tile**2
        statements: list[Statement] = [Declare(name, 0.0, lanes=True, shape=(square,))]
        for k in range(square):
            at_y, at_x = down + k // kernel.tile, across + k % kernel.tile
            value = kernel.gradient.substitute(
                {n: places[row] // kernel.down, o: filters, y: at_y, x: at_x}
            )
            for bound in (
                Bound(at_y, 0, y.extent),
                Bound(at_x, 0, x.extent),
                Bound(filters, 0, o.extent),
            ):
                value = value.within(bound)
            statements.append(Assign(name, value, (Index(k),)))
        registers = [held(name, (Index(k),)) for k in range(square)]
        at = (places[block] * kernel.tiles + places[row] * kernel.across + places[column]) * (
            kernel.width
        ) + inside
        for point in range(size**2):

            def spread(*taken: Expr, point: int = point) -> Expr:
                rows = [taken[k * kernel.tile : (k + 1) * kernel.tile] for k in range(kernel.tile)]
                found: Expr = along_both(GRADIENTS[kernel.tile], rows)[point // size][point % size]
                return found

            statements.append(Store(result, at + point * kernel.plane, apply(spread, *registers)))
        return [Loop(lane, LANES, tuple(statements))]

    order = [block, row, column, vector]
    per_task = rows_per_task(prod(v.extent for v in order), size**2 * lanes, target)
    return grid_of_rows(order, per_task, tile)
