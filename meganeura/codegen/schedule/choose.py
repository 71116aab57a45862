"""The schedule for an archetype."""

from __future__ import annotations

from collections.abc import Sequence

from ...kernel.archetype import Archetype, Pointwise
from ...kernel.target import Target
from ..loops import Buffer, Kernel
from .pointwise import schedule_pointwise
from .reduction import schedule_reduction


def schedule(name: str, archetype: Archetype, operands: Sequence[Buffer], target: Target) -> Kernel:
    """A kernel that computes ``archetype`` from its operands into one buffer behind them."""
    result = len(operands)
    if isinstance(archetype, Pointwise):
        grid = schedule_pointwise(archetype, target.lanes, result)
    else:
        grid = schedule_reduction(archetype, target.lanes, result)
    buffers = (*operands, Buffer("result", archetype.output_elements()))
    return Kernel(name, buffers, grid)
