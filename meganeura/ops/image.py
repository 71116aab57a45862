"""Images as flat NCHW tensors or as ``[N, C, H, W]``: one place that turns the first into the
second and back, for all methods that take both."""

from __future__ import annotations

from math import prod

from ..errors import GraphError, ShapeError
from ..ir.graph import Value
from ..ir.types import as_integers
from .layout import Reshape

Pair = int | tuple[int, int]


def pair(value: Pair, what: str) -> tuple[int, int]:
    """(height, width) from one number or two."""
    numbers = as_integers(value, what)
    if len(numbers) not in (1, 2):
        raise GraphError(f"{what} must be a number or a pair (h, w), got {value!r}")
    return numbers[0], numbers[-1]


def as_image(op: str, operand: str, x: Value, **sizes: int | None) -> tuple[Value, bool]:
    """``x`` in the shape given by ``sizes``, and whether it was flat.

    A flat tensor needs all sizes; a shaped one needs none, but those given must agree."""
    rank = len(sizes)
    if x.ty.rank() == rank:
        for (name, size), found in zip(sizes.items(), x.shape, strict=True):
            if size is not None and size != found:
                raise ShapeError(f"{op}: {name} is given as {size}: {operand} is {x.ty}")
        return x, False
    letters = ", ".join(sizes)
    if x.ty.rank() != 1:
        raise ShapeError(f"{op}: {operand} must be flat or [{letters}]: {operand} is {x.ty}")
    missing = [name for name, size in sizes.items() if size is None]
    if missing:
        raise ShapeError(
            f"{op}: {operand} is flat ({x.ty}), so {', '.join(missing)} must be given",
            hint=f"or pass {operand} shaped [{letters}]",
        )
    shape = tuple(size for size in sizes.values() if size is not None)
    if min(shape) < 1 or prod(shape) != x.ty.num_elements():
        raise ShapeError(
            f"{op}: {operand} is {x.ty}, but {letters} = {list(shape)} make {prod(shape)} elements"
        )
    return Reshape(shape)(x), True


def as_channels(
    op: str,
    operand: str,
    x: Value,
    batch: int | None,
    channels: int | None,
    spatial: int | None,
) -> tuple[Value, bool]:
    """``x`` with its channels on axis 1, and whether it was flat; sizes as for `as_image`, of
    which ``spatial`` is the product of all behind the channels."""
    if x.ty.rank() == 1:
        return as_image(op, operand, x, batch=batch, channels=channels, spatial=spatial)
    found = (*x.shape[:2], prod(x.shape[2:]))
    for size, have in zip((batch, channels, spatial), found, strict=True):
        if size is not None and size != have:
            given = f"batch, channels, spatial = {[batch, channels, spatial]}"
            raise ShapeError(f"{op}: {given} do not fit: {operand} is {x.ty}")
    return x, False


def flat_again(x: Value, was_flat: bool) -> Value:
    """``x`` as one dimension if the operand was."""
    return Reshape((x.ty.num_elements(),))(x) if was_flat else x
