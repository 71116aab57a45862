"""Joining and splitting images by channel: the seeds' names for `concat` and `slice`."""

from __future__ import annotations

from ..errors import ShapeError
from ..ir.graph import Graph, Value
from .image import as_channels, flat_again
from .layout import Concat, split


class ChannelMethods(Graph):
    """Graph methods on channels."""

    def concat(
        self,
        a: Value,
        b: Value,
        batch: int | None = None,
        channels_a: int | None = None,
        channels_b: int | None = None,
        spatial: int | None = None,
    ) -> Value:
        """The channels of ``a``, then those of ``b``.

        ``[N, Ca, …]`` and ``[N, Cb, …]`` give ``[N, Ca + Cb, …]``, and no sizes are needed. Two
        flat NCHW tensors need them all, of which ``spatial`` is H·W, and give a flat one. What does
        not fit is a `ShapeError`. `concatenate` takes any number of values and any axis.

        >>> g.concat(g.input("a", [2, 8, 4, 4]), g.input("b", [2, 3, 4, 4])).shape
        (2, 11, 4, 4)
        """
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
        """The first ``channels_a`` channels of ``x[N, C, …]``: what `concat` had as ``a``.

        One of ``channels_a`` and ``channels_b`` says the other. A flat NCHW tensor needs both,
        ``batch`` and ``spatial`` (H·W), and gives a flat one. Each part has at least one channel,
        else it is a `ShapeError`. The gradient is 0 in the other part.

        >>> g.split_a(g.input("x", [2, 11, 4, 4]), channels_a=8).shape
        (2, 8, 4, 4)
        """
        return self._split("split_a", x, batch, (channels_a, channels_b), spatial, 0)

    def split_b(
        self,
        x: Value,
        batch: int | None = None,
        channels_a: int | None = None,
        channels_b: int | None = None,
        spatial: int | None = None,
    ) -> Value:
        """The last ``channels_b`` channels of ``x[N, C, …]``: what `concat` had as ``b``.

        Sizes as for `split_a`.

        >>> g.split_b(g.input("x", [2, 11, 4, 4]), channels_a=8).shape
        (2, 3, 4, 4)
        """
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
