"""Staging: rows of images copied into scratch so that every tap of a window reads whole vectors.

A staged row holds the image's columns with their margins, those of each phase of the stride by
themselves: tap j of output x lies at phase ``(j·d) mod s``, place ``x + (j·d) div s``, so
neighbouring outputs read neighbours whatever the stride.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...kernel.conv import Window
from ...kernel.element import Element
from ...kernel.index import Bound, Index, Var, of
from ..loops import SERIAL, Loop, Statement, Store, When
from .common import by_vectors, contiguous_loads, nested, zeros


@dataclass(frozen=True)
class StagedRows:
    """The layout of staged rows in a scratch buffer: ``[row, phase, place]``."""

    window: Window
    lanes: int
    buffer: int

    @property
    def outputs(self) -> int:
        """Outputs of a row, filled up to whole vectors."""
        return -(-self.window.out[1] // self.lanes) * self.lanes

    @property
    def places(self) -> int:
        """Places of one phase of a row."""
        reach = (self.window.kernel[1] - 1) * self.window.dilation[1]
        return self.outputs + reach // self.window.stride[1]

    @property
    def row_elements(self) -> int:
        """Elements of a staged row."""
        return self.places * self.window.stride[1]

    def tap(self, j: int) -> int:
        """How far from an output's first tap column its tap column ``j`` lies."""
        step, stride = j * self.window.dilation[1], self.window.stride[1]
        return step % stride * self.places + step // stride

    def copy(
        self,
        start: Index,
        image_row: Index,
        image: Element,
        h: Var,
        w: Var,
        stop: Index | None = None,
    ) -> list[Statement]:
        """Stage one image row (0 if there is no such row) from ``start`` on; of a row that is not
        full, what is before ``stop``."""
        inside = Bound(image_row, 0, h.extent)
        columns = self._columns(start, image.substitute({h: image_row}), w, stop)
        if inside.always():
            return columns
        zeros = self._zeros(start, 0, self.row_elements)
        return [When(inside, tuple(columns), tuple(zeros))]

    def _columns(self, start: Index, image: Element, w: Var, stop: Index | None) -> list[Statement]:
        stride, padding = self.window.stride[1], self.window.padding[1]
        if stride == 1 and padding >= 0:
            count = min(w.extent, self.places - padding)

            def copied(position: Index, in_lanes: bool) -> list[Statement]:
                value = image.substitute({w: position})
                return [Store(self.buffer, start + position + padding, value)]

            return [
                *self._zeros(start, 0, padding),
                *by_vectors(count, self.lanes, "q", copied, stop),
                *self._zeros(start, padding + count, self.places - padding - count),
            ]
        phase, place = Var("phase", stride), Var("place", self.places)
        column = of(place) * stride + of(phase) - padding
        value = image.substitute({w: column}).within(Bound(column, 0, w.extent))
        store = Store(self.buffer, start + of(phase) * self.places + of(place), value)
        return nested((phase, place), [store])

    def _zeros(self, start: Index, first: int, count: int) -> list[Statement]:
        return zeros(self.buffer, start + first, count, self.lanes)

    def copy_across(
        self, start: Index, image: Element, w: Var, c: Var, stop: Index | None
    ) -> list[Statement]:
        """Stage a row of neighbouring channels, from ``start`` on, by vectors of channels; only for
        windows of one tap."""

        def copied(position: Index, in_lanes: bool) -> list[Statement]:
            place = start + position * self.row_elements + of(w)
            return [Store(self.buffer, place, image.substitute({c: position}))]

        return [Loop(w, SERIAL, tuple(by_vectors(c.extent, self.lanes, "q", copied)), stop)]

    def is_better_across(self, image: Element, w: Var, c: Var) -> bool:
        """Whether neighbouring channels, not neighbouring columns, lie next to each other."""
        one_tap = self.window.kernel == (1, 1) and self.window.stride == (1, 1)
        plain = one_tap and self.window.padding == (0, 0)
        return plain and contiguous_loads([image], c) > contiguous_loads([image], w)
