"""Joining and splitting images by channel: the seeds' names for `concat` and `slice`."""

from __future__ import annotations

from ..errors import ShapeError
from ..ir.graph import Graph, Value
from .image import as_channels, flat_again
from .layout import Concat, split


class ChannelMethods(Graph):
    """Graph methods on channels. Images are ``[N, C, H, W]``, or flat NCHW with sizes given, of
    which ``spatial`` is H·W."""

    def concat(
        self,
        a: Value,
        b: Value,
        batch: int | None = None,
        channels_a: int | None = None,
        channels_b: int | None = None,
        spatial: int | None = None,
    ) -> Value:
        """The channels of ``a``, then those of ``b``."""
        parts, flat = [], []
        for name, x, channels in (("a", a, channels_a), ("b", b, channels_b)):
            part, was_flat = as_channels("concat", name, x, batch, channels, spatial)
            parts.append(part)
            flat.append(was_flat)
        if flat[0] != flat[1]:
            raise ShapeError(f"concat: one is flat, the other not: a is {a.ty}, b is {b.ty}")
        return flat_again(self.emit(Concat(1), *parts), flat[0])

    def split_a(
        self,
        x: Value,
        batch: int | None = None,
        channels_a: int | None = None,
        channels_b: int | None = None,
        spatial: int | None = None,
    ) -> Value:
        """The first ``channels_a`` channels."""
        return self._split("split_a", x, batch, (channels_a, channels_b), spatial, 0)

    def split_b(
        self,
        x: Value,
        batch: int | None = None,
        channels_a: int | None = None,
        channels_b: int | None = None,
        spatial: int | None = None,
    ) -> Value:
        """The last ``channels_b`` channels."""
        return self._split("split_b", x, batch, (channels_a, channels_b), spatial, 1)

    def _split(
        self,
        name: str,
        x: Value,
        batch: int | None,
        channels: tuple[int | None, int | None],
        spatial: int | None,
        which: int,
    ) -> Value:
        known = [c for c in channels if c is not None]
        both = sum(known) if len(known) == 2 else None
        image, was_flat = as_channels(name, "x", x, batch, both, spatial)
        total = image.shape[1]
        first, second = channels
        first = first if first is not None else total - (second or 0)
        if not known or not 0 < first < total:
            raise ShapeError(
                f"{name}: {total} channels cannot be split at {first}: x is {x.ty}",
                hint="give channels_a, channels_b or both",
            )
        return flat_again(split(image, 1, [first, total - first])[which], was_flat)
