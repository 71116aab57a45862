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

    def copy_inside(
        self, start: Index, image_row: Index, image: Element, h: Var, w: Var
    ) -> list[Statement]:
        """The pixels of an image row, if there is such a row, where zeros are already; only for
        windows that move by one."""
        row = image.substitute({h: image_row})
        pixels = self._pixels(start, -self.window.padding[1], row, w, None)
        inside = Bound(image_row, 0, h.extent)
        return pixels if inside.always() else [When(inside, tuple(pixels), ())]

    def _columns(self, start: Index, image: Element, w: Var, stop: Index | None) -> list[Statement]:
        """Phase by phase: zeros, pixels, zeros."""
        statements: list[Statement] = []
        for phase in range(self.window.stride[1]):
            first, here = phase - self.window.padding[1], start + phase * self.places
            before, behind = self._filled(first, w)
            statements += [
                *self._zeros(here, 0, before),
                *self._pixels(here, first, image, w, stop),
                *self._zeros(here, behind, self.places - behind),
            ]
        return statements

    def _filled(self, first: int, w: Var) -> tuple[int, int]:
        """The places of a phase whose columns, from ``first`` on, are in the image: from, and to
        but without."""
        stride = self.window.stride[1]
        before = min(max(0, -(first // stride)), self.places)
        return before, min(max(before, -((first - w.extent) // stride)), self.places)

    def _pixels(
        self, start: Index, first: int, image: Element, w: Var, stop: Index | None
    ) -> list[Statement]:
        """The columns of a phase that are in the image."""
        (before, behind), stride = self._filled(first, w), self.window.stride[1]

        def copied(position: Index, in_lanes: bool) -> list[Statement]:
            value = image.substitute({w: (position + before) * stride + first})
            return [Store(self.buffer, start + position + before, value)]

        return by_vectors(behind - before, self.lanes, "q", copied, stop)

    def _zeros(self, start: Index, first: int, count: int) -> list[Statement]:
        return zeros(self.buffer, start + first, count, self.lanes)

    def copy_across(
        self,
        start: Index,
        image_row: Index,
        image: Element,
        axes: tuple[Var, Var, Var],
        stop: Index | None,
    ) -> list[Statement]:
        """Stage one image row of all neighbouring channels, along ``axes`` (channel, row, column),
        by vectors of channels; only for windows of one tap. Outputs whose window sees nothing of
        the image get 0."""
        c, h, w = axes
        row, size = image.substitute({h: image_row}), self.row_elements

        def copied(position: Index, in_lanes: bool) -> list[Statement]:
            place = start + position * size + of(w)
            return [Store(self.buffer, place, row.substitute({c: position}))]

        columns: list[Statement] = [
            Loop(w, SERIAL, tuple(by_vectors(c.extent, self.lanes, "q", copied)), stop)
        ]
        channel = Var("behind", c.extent)
        behind = self._zeros(start + of(channel) * size, w.extent, self.window.out[1] - w.extent)
        columns += nested((channel,), behind) if behind else []
        inside = Bound(image_row, 0, h.extent)
        if inside.always():
            return columns
        return [When(inside, tuple(columns), tuple(self._zeros(start, 0, c.extent * size)))]

    def is_better_across(self, image: Element, w: Var, c: Var) -> bool:
        """Whether neighbouring channels, not neighbouring columns, lie next to each other."""
        one_tap = self.window.kernel == (1, 1) and self.window.stride == (1, 1)
        plain = one_tap and self.window.padding == (0, 0)
        return plain and contiguous_loads([image], c) > contiguous_loads([image], w)
