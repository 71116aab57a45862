"""Sums of correlations to their places.

A correlation's sums come with neighbouring filters in the lanes of vectors; in memory the taps of
neighbouring channels lie side by side, filter by filter. So the sums of a vector of filters are
turned in scratch, and then each filter's row is written by vectors.
"""

from __future__ import annotations

from collections.abc import Callable

from ...kernel.conv import Blocks, Correlation
from ...kernel.element import Element, load
from ...kernel.index import Index, Var, of
from ...kernel.target import apart, filled_up
from ..loops import SERIAL, Loop, Statement, Store
from .common import by_size, by_vectors, nested
from .transform import transformed

Sums = Callable[[Index, int], Element]
"""The sum at a place of a row, for a filter of the vector."""


class TurnedRows:
    """Rows of the taps of a block of channels, one for each filter of a vector, in a scratch
    buffer."""

    def __init__(
        self, kernel: Correlation, channels: Blocks, lanes: int, target: int, buffer: int
    ) -> None:
        self.kernel, self.channels, self.lanes = kernel, channels, lanes
        self.target, self.buffer = target, buffer
        self.places = filled_up(channels.size * kernel.taps, lanes)
        """Places of a row, which whole vectors fill; sums must be there for all of them."""
        self.row_step = apart(self.places)

    def scratch_elements(self) -> int:
        """The size of the scratch buffer."""
        return self.lanes * self.row_step

    def write(
        self, group: Index, first: Index, filters: int, block: Index, sums: Sums
    ) -> list[Statement]:
        """Turn the sums of a vector of filters, from the ``first`` of a group on, for a block of
        channels, and write the rows of so many of them."""
        vector, lane = Var("turned", self.places // self.lanes), Var("lane", self.lanes)
        place = of(vector) * self.lanes + of(lane)
        values = [sums(place, f) for f in range(self.lanes)]
        turned = transformed(list, values, self.buffer, place, self.row_step, lane)
        f, taps = Var("f", filters), self.kernel.taps
        channel = (group * self.kernel.filters + first + of(f)) * self.kernel.channels
        start = (channel + self.channels.first(block)) * taps

        def store(position: Index, in_lanes: bool) -> list[Statement]:
            value = load(self.buffer, of(f) * self.row_step + position)
            return [Store(self.target, start + position, value)]

        def rows(size: int) -> Statement:
            return Loop(f, SERIAL, tuple(by_vectors(size * taps, self.lanes, "p", store)))

        return [*nested((vector,), turned), *by_size(self.channels, block, rows)]
