"""Gradients of convolutions by their weights, on a CPU: filters in the lanes of vectors.

A task is a block of channels. It stages their rows of some images at a time, and adds, for each tap
and each block of filters, the products of all pixels by the gradients of all filters: a pixel of
each channel is one number, the gradients at that place one vector.
"""

from __future__ import annotations

from math import prod

from ...errors import InternalError
from ...kernel.conv import MOST_NUMBERS, Correlation, cut
from ...kernel.element import Element, Load, load
from ...kernel.index import Index, Var, flat, of
from ...kernel.target import apart
from ..loops import GRID, SERIAL, Contract, Loop, Place, Statement, Walk
from .common import by_size, in_parts, nested, zeros
from .stage import StagedRows
from .turn import TurnedRows

PIXELS = 1024
"""Pixels summed at a time: what the first-level cache holds of gradients."""


class CorrelationSchedule:
    """The loops of one correlation. The buffers behind the result are scratch: images, then sums,
    then rows of results."""

    def __init__(self, kernel: Correlation, lanes: int, target: int) -> None:
        self.kernel, self.lanes, self.target = kernel, lanes, target
        self.staged = StagedRows(kernel.window, lanes, target + 1)
        self.rows_read = kernel.window.rows_read(kernel.window.out[0])
        self.vectors = kernel.filter_vectors(lanes)
        self.width = self.vectors * lanes
        self.filter_blocks = -(-kernel.filters // self.width)
        self.channels = cut(kernel.channels, MOST_NUMBERS[self.vectors])
        self.images = self._images_at_once()
        self.sums = self.staged.buffer + 1
        self.rows = TurnedRows(kernel, self.channels, lanes, target, self.sums + 1)
        (gradients,) = kernel.gradient.reads
        if not kernel.packed or not isinstance(gradients, Load):
            raise InternalError(f"the gradients must be packed: {kernel}")
        self.gradients = gradients.source

    def _images_at_once(self) -> int:
        most = max(1, PIXELS // prod(self.kernel.window.out))
        return next(n for n in range(most, 0, -1) if self.kernel.batch % n == 0)

    @property
    def _channel_elements(self) -> int:
        """Staged elements of a channel."""
        return apart(self.images * self.rows_read * self.staged.row_elements)

    def scratch_elements(self) -> list[int]:
        """Sizes of the scratch buffers; the last rows of results look past the last sums."""
        sums = self.filter_blocks * self.kernel.taps * self.channels.size * self.width
        return [
            self.channels.size * self._channel_elements + self.lanes,
            sums + self.rows.places * self.width,
            self.rows.scratch_elements(),
        ]

    def grid(self) -> Loop:
        """Tasks over groups and blocks of channels."""
        task = Var("task", self.kernel.groups * self.channels.count)
        self.group, self.block = of(task) // self.channels.count, of(task) % self.channels.count
        some = Var("some", self.kernel.batch // self.images)
        batch = [*self._stage(of(some)), *self._sum(of(some))]
        nothing = zeros(self.sums, Index(), self.scratch_elements()[1], self.lanes)
        return Loop(task, GRID, (*nothing, *nested((some,), batch), *self._store()))

    def _channels(self) -> tuple[Var, Index | None]:
        """A place in the task's block of channels, and how many there are."""
        return Var("place_c", self.channels.size), self.channels.size_of(self.block)

    def _stage(self, some: Index) -> list[Statement]:
        n, c, h, w = self.kernel.image_axes()
        place, stop = self._channels()
        image, row = Var("image", self.images), Var("staged", self.rows_read)
        channel = self.group * self.kernel.channels + self.channels.first(self.block) + of(place)
        here = self.kernel.image.substitute({n: some * self.images + of(image), c: channel})
        image_row = of(row) - self.kernel.window.padding[0]
        start = (of(image) * self.rows_read + of(row)) * self.staged.row_elements
        start = start + of(place) * self._channel_elements
        copy = self.staged.copy(start, image_row, here, h, w)
        return [Loop(place, SERIAL, tuple(nested((image, row), copy)), stop)]

    def _sums_at(self, block: Index, i: Index, j: Index) -> Index:
        """Where the sums of a block of filters at a tap begin."""
        kernel = self.kernel.window.kernel
        size = self.channels.size * self.width
        return flat([block, i, j], (self.filter_blocks, *kernel)) * size

    def _sum(self, some: Index) -> list[Statement]:
        """Add the products of some images, for every block of filters and every tap."""
        block, i = Var("oblock", self.filter_blocks), Var("i", self.kernel.window.kernel[0])
        columns = self.kernel.window.kernel[1]
        if self.kernel.window.stride[1] == 1:  # taps lie evenly apart
            j = Var("j", columns)
            step = self.kernel.window.dilation[1]
            body = self._tap(some, of(block), of(i), of(j), of(j) * step)
            return nested((block, i, j), body)
        taps = [
            statement
            for j in range(columns)
            for statement in self._tap(some, of(block), of(i), Index(j), Index(self.staged.tap(j)))
        ]
        return nested((block, i), taps)

    def _tap(self, some: Index, block: Index, i: Index, j: Index, far: Index) -> list[Statement]:
        """The products of one tap, whose column lies ``far`` from the first."""
        return by_size(
            self.channels, self.block, lambda size: self._contract(some, block, i, j, far, size)
        )

    def _contract(
        self, some: Index, block: Index, i: Index, j: Index, far: Index, size: int
    ) -> Contract:
        window, row = self.kernel.window, self.staged.row_elements
        height, width = window.out
        image = (self.group * self.filter_blocks + block) * self.kernel.batch + some * self.images
        step = next(n for n in (4, 2, 1) if width % n == 0)
        return Contract(
            Place(self.sums, self._sums_at(block, i, j)),
            Place(self.staged.buffer, i * (window.dilation[0] * row) + far),
            Place(self.gradients, image * (height * width * self.width)),
            numbers=size,
            vectors=self.vectors,
            number_step=self._channel_elements,
            vector_step=self.lanes,
            walks=(
                Walk(self.images, self.rows_read * row, height * width * self.width),
                Walk(height, window.stride[0] * row, width * self.width),
                Walk(width // step, step, step * self.width),
            ),
            taps=tuple((t, t * self.width) for t in range(step)),
            fresh=False,
        )

    def _store(self) -> list[Statement]:
        """The sums to their places, vector by vector of filters."""
        return in_parts(self.kernel.filters, self.lanes, "ovector", self._store_vector)

    def _store_vector(self, vector: Index, filters: int) -> list[Statement]:
        block, inside = vector // self.vectors, vector % self.vectors * self.lanes
        taps, size = self.kernel.taps, self.channels.size

        def sums(place: Index, f: int) -> Element:
            channel, tap = place // taps, place % taps
            at = (block * taps + tap) * size + channel
            return load(self.sums, at * self.width + inside + f)

        first = vector * self.lanes
        return self.rows.write(self.group, first, filters, self.block, sums)
