"""Sums of products on a GPU: a workgroup forms a tile of a matrix product.

Convolutions, in all three directions, are matrix products whose factors are read through an
expression: filters by terms, and terms by pixels. A workgroup stages a slice of terms of both
factors, some terms deep, in memory of its own; each invocation then adds to a block of sums it
holds in registers. Where one side has few rows, a product is a reduction instead: every sum by a
workgroup, or by an invocation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from ...kernel.archetype import Reduction, Result, Stage
from ...kernel.conv import SUM, Convolution, Correlation, Window
from ...kernel.element import Element, Register, apply, held, in_place_of, load
from ...kernel.index import Bound, Index, Var, of, unflat
from ...kernel.target import Target
from ..loops import GRID, LANES, SERIAL, UNROLL, Assign, Buffer, Declare, Loop, Statement, Store
from .cascade import cascade
from .common import contiguous_loads
from .reduction import schedule_reduction

DEPTH = 16
"""Terms of a slice."""
SLICES = 8
"""Slices whose products are added one after another, before the sum is added to others."""
QUAD = 4
"""Neighbours that an invocation stages together: they are one load where they lie so."""
FEW = 4
"""Rows or columns up to which tiles would be mostly empty."""


@dataclass(frozen=True)
class Tile:
    """A tile of sums, and the block of them that an invocation holds."""

    rows: int
    columns: int
    block: int

    @property
    def lanes(self) -> int:
        """Invocations."""
        return self.rows * self.columns // self.block**2


LARGE, SMALL = Tile(64, 64, 4), Tile(32, 32, 4)
FEWEST_TILES = 16
"""Workgroups that a GPU needs at least to be busy: else tiles are small."""


@dataclass(frozen=True)
class Matrix:
    """A matrix product for each of a batch: how its factors are read, and where sums go."""

    batch: int
    rows: int
    columns: int
    terms: int
    left: Callable[[Index, Index, Index], Element]
    """By number of the product, row and term."""
    right: Callable[[Index, Index, Index], Element]
    """By number of the product, term and column."""
    place: Callable[[Index, Index, Index], Index]
    """By number of the product, row and column."""
    results: Callable[[Index, Index, Index, Element], list[Element]]
    """What is written of a sum, by number of the product, row and column."""


def schedule_products(
    kernel: Convolution | Correlation, target: Target, result: int
) -> tuple[Loop, list[Buffer], int]:
    """Loops, scratch and lanes."""
    matrix = _convolution(kernel) if isinstance(kernel, Convolution) else _correlation(kernel)
    if min(matrix.rows, matrix.columns) <= FEW:
        loops, lanes = schedule_reduction(_as_reduction(matrix), target, result)
        return loops, [], lanes
    if isinstance(kernel, Convolution) and kernel.sets == 1:
        matrix = _convolution(kernel, kernel.batch)
    tiles = matrix.batch * -(-matrix.rows // LARGE.rows) * -(-matrix.columns // LARGE.columns)
    tile = LARGE if tiles >= FEWEST_TILES else SMALL
    schedule = _Tiles(matrix, tile, result)
    sizes = DEPTH * tile.rows, DEPTH * tile.columns
    return schedule.grid(), [Buffer("scratch", size) for size in sizes], tile.lanes


def _through_window(window: Window, y: Index, x: Index, i: Index, j: Index) -> tuple[Index, Index]:
    """The place in an image that tap (i, j) of the window at (y, x) meets."""
    down = y * window.stride[0] + i * window.dilation[0] - window.padding[0]
    across = x * window.stride[1] + j * window.dilation[1] - window.padding[1]
    return down, across


def _inside(image: Element, axes: list[Var], at: tuple[Index, ...]) -> Element:
    """An image element, 0 outside the image."""
    *_, h, w = axes
    place = dict(zip(axes, at, strict=True))
    inside = image.substitute(place)
    return inside.within(Bound(place[h], 0, h.extent)).within(Bound(place[w], 0, w.extent))


def _convolution(kernel: Convolution, together: int = 1) -> Matrix:
    """Filters by pixels, of one image or of several ``together``."""
    pixels, width = kernel.output_pixels(), kernel.window.out[1]
    taps = (kernel.channels, *kernel.window.kernel)
    images, weights = kernel.image_axes(), kernel.weight_axes()

    def image_of(product: Index, column: Index) -> tuple[Index, Index]:
        return (column // pixels, column % pixels) if together > 1 else (product, column)

    def left(product: Index, row: Index, term: Index) -> Element:
        at = (product % kernel.sets, row, *unflat(term, taps, inside=True))
        return kernel.weight.substitute(dict(zip(weights, at, strict=True)))

    def right(product: Index, term: Index, column: Index) -> Element:
        image, pixel = image_of(product, column)
        c, i, j = unflat(term, taps, inside=True)
        place = _through_window(kernel.window, pixel // width, pixel % width, i, j)
        return _inside(kernel.image, images, (image, c, *place))

    def place(product: Index, row: Index, column: Index) -> Index:
        image, pixel = image_of(product, column)
        return (image * kernel.filters + row) * pixels + pixel

    def results(product: Index, row: Index, column: Index, total: Element) -> list[Element]:
        image, pixel = image_of(product, column)
        at = dict(zip(kernel.result_axes(), (image, row, pixel), strict=True))
        return [in_place_of(Register(SUM), total, r.substitute(at)) for r in kernel.results]

    batch, columns = kernel.batch // together, pixels * together
    return Matrix(batch, kernel.filters, columns, prod(taps), left, right, place, results)


def _correlation(kernel: Correlation) -> Matrix:
    """Filters by taps, for each group; the terms are pixels of all images."""
    window = kernel.window
    taps, pixels = (kernel.channels, *window.kernel), (kernel.batch, *window.out)
    images, gradients = kernel.image_axes(), kernel.gradient_axes()

    def left(group: Index, row: Index, term: Index) -> Element:
        n, y, x = unflat(term, pixels, inside=True)
        at = (n, group * kernel.filters + row, y, x)
        return kernel.gradient.substitute(dict(zip(gradients, at, strict=True)))

    def right(group: Index, term: Index, column: Index) -> Element:
        n, y, x = unflat(term, pixels, inside=True)
        c, i, j = unflat(column, taps, inside=True)
        place = _through_window(window, y, x, i, j)
        return _inside(kernel.image, images, (n, group * kernel.channels + c, *place))

    def place(group: Index, row: Index, column: Index) -> Index:
        return (group * kernel.filters + row) * prod(taps) + column

    def results(group: Index, row: Index, column: Index, total: Element) -> list[Element]:
        return [total]

    terms = prod(pixels)
    return Matrix(kernel.groups, kernel.filters, prod(taps), terms, left, right, place, results)


def _as_reduction(matrix: Matrix) -> Reduction:
    """Every sum by itself, in the order in which they lie."""
    size = matrix.batch * matrix.rows * matrix.columns
    shape = (matrix.batch, matrix.rows, matrix.columns)
    row, term = Var("i0", size), Var("r0", matrix.terms)
    at, y, x = unflat(of(row), shape)
    factors = matrix.left(at, y, of(term)), matrix.right(at, of(term), x)
    both = apply(lambda a, b: a * b, *factors)
    results = tuple(Result(element) for element in matrix.results(at, y, x, held("s0")))
    return Reduction((size,), (matrix.terms,), (Stage("sum", both),), results)


class _Tiles:
    """One product being scheduled. The buffers behind the results are the two staged slices, each
    ``[term, row or column]``."""

    def __init__(self, matrix: Matrix, tile: Tile, result: int) -> None:
        self.matrix, self.tile, self.result = matrix, tile, result
        self.scratch = result + len(matrix.results(Index(), Index(), Index(), held("sums")))
        self.lane = Var("lane", tile.lanes)
        tiles = -(-matrix.rows // tile.rows), -(-matrix.columns // tile.columns)
        self.task = Var("task", matrix.batch * prod(tiles))
        self.product, down, across = unflat(of(self.task), (matrix.batch, *tiles))
        self.row, self.column = down * tile.rows, across * tile.columns

    def grid(self) -> Loop:
        """Slices one after another, then the sums."""
        block = self.tile.block
        slices = Var("slice", -(-self.matrix.terms // DEPTH))
        row, column = Var("row", self.matrix.rows), Var("column", self.matrix.columns)
        term = Var("term", self.matrix.terms)
        left = self.matrix.left(Index(), of(row), of(term))
        right = self.matrix.right(Index(), of(term), of(column))
        rows, columns = self.tile.rows, self.tile.columns
        left_along, right_along = _lies_along(left, term, row), _lies_along(right, term, column)

        def add(places: Mapping[Var, Index]) -> list[Statement]:
            first = places[slices] * DEPTH
            return [
                *self._stage(self.scratch, rows, first, self._left, left_along),
                *self._stage(self.scratch + 1, columns, first, self._right, right_along),
                *self._multiply(),
            ]

        i, j = Var("i", block), Var("j", block)

        def everywhere(make: Callable[[tuple[Index, ...]], Statement]) -> list[Statement]:
            lanes = Loop(self.lane, LANES, (make((of(i), of(j))),))
            return [Loop(i, UNROLL, (Loop(j, UNROLL, (lanes,)),))]

        register = Declare("sums", 0.0, lanes=True, shape=(block, block))
        sums = cascade([register], [slices], add, everywhere, SLICES)
        return Loop(self.task, GRID, (*sums, *self._store()))

    # Staging

    def _left(self, term: Index, row: Index) -> Element:
        at = self.row + row
        element = self.matrix.left(self.product, at, term)
        return self._within(element, Bound(at, 0, self.matrix.rows), term)

    def _right(self, term: Index, column: Index) -> Element:
        at = self.column + column
        element = self.matrix.right(self.product, term, at)
        return self._within(element, Bound(at, 0, self.matrix.columns), term)

    def _within(self, element: Element, bound: Bound, term: Index) -> Element:
        return element.within(bound).within(Bound(term, 0, self.matrix.terms))

    def _stage(
        self,
        into: int,
        width: int,
        first: Index,
        factor: Callable[[Index, Index], Element],
        along_terms: bool,
    ) -> list[Statement]:
        """A slice of a factor, by runs of neighbours along the way in which they lie."""
        stores: list[Statement] = []
        for turn, q in product(range(DEPTH * width // QUAD // self.tile.lanes), range(QUAD)):
            quad = of(self.lane) + turn * self.tile.lanes
            if along_terms:
                place, term = quad // (DEPTH // QUAD), (quad % (DEPTH // QUAD)) * QUAD + q
            else:
                place, term = (quad % (width // QUAD)) * QUAD + q, quad // (width // QUAD)
            stores.append(Store(into, term * width + place, factor(first + term, place)))
        return [Loop(self.lane, LANES, tuple(stores))]

    # Sums

    def _block_places(self) -> tuple[Index, Index]:
        """The first row and column of a lane's block; the others follow at even distances, so that
        neighbouring lanes touch neighbouring places."""
        across = self.tile.columns // self.tile.block
        return of(self.lane) // across, of(self.lane) % across

    def _multiply(self) -> list[Statement]:
        """A slice's terms, one after another: a row of one factor by a column of the other."""
        block = self.tile.block
        i, j, term = Var("i", block), Var("j", block), Var("term", DEPTH)
        row, column = self._block_places()
        a = of(term) * self.tile.rows + of(i) * (self.tile.rows // block) + row
        b = of(term) * self.tile.columns + of(j) * (self.tile.columns // block) + column
        sums = held("sums", (of(i), of(j)))
        total = apply(
            lambda s, a, b: s + a * b, sums, held("left", (of(i),)), held("right", (of(j),))
        )

        def each(var: Var, statement: Statement) -> Loop:
            return Loop(var, UNROLL, (Loop(self.lane, LANES, (statement,)),))

        add = Loop(self.lane, LANES, (Assign("sums", total, (of(i), of(j))),))
        body = (
            Declare("left", 0.0, lanes=True, shape=(block,)),
            Declare("right", 0.0, lanes=True, shape=(block,)),
            each(i, Assign("left", load(self.scratch, a), (of(i),))),
            each(j, Assign("right", load(self.scratch + 1, b), (of(j),))),
            Loop(i, UNROLL, (Loop(j, UNROLL, (add,)),)),
        )
        return [Loop(term, SERIAL, body)]

    def _store(self) -> list[Statement]:
        block = self.tile.block
        i, j = Var("i", block), Var("j", block)
        row, column = self._block_places()
        at_row = self.row + of(i) * (self.tile.rows // block) + row
        at_column = self.column + of(j) * (self.tile.columns // block) + column
        bounds = (
            Bound(at_row, 0, self.matrix.rows),
            Bound(at_column, 0, self.matrix.columns),
        )
        left = tuple(bound for bound in bounds if not bound.always())
        at = (self.product, at_row, at_column)
        stores: list[Statement] = []
        for k, value in enumerate(self.matrix.results(*at, held("sums", (of(i), of(j))))):
            for bound in left:
                value = value.guarded(bound)
            stores.append(Store(self.result + k, self.matrix.place(*at), value, left))
        lanes = Loop(self.lane, LANES, tuple(stores))
        return [Loop(i, UNROLL, (Loop(j, UNROLL, (lanes,)),))]


def _lies_along(element: Element, term: Var, other: Var) -> bool:
    """Whether neighbouring terms, rather than rows or columns, are neighbours in memory."""
    return contiguous_loads([element], term) > contiguous_loads([element], other)
