"""The schedule for an archetype."""

from __future__ import annotations

from collections.abc import Sequence

from ...kernel.archetype import Archetype, Pointwise, Reduction, Scatter, Stream
from ...kernel.conv import Convolution, Correlation
from ...kernel.target import Target
from ..loops import Buffer, Kernel
from .conv import ConvolutionSchedule
from .correlation import CorrelationSchedule
from .pointwise import schedule_pointwise, schedule_stream
from .reduction import schedule_reduction
from .scatter import schedule_scatter


def schedule(name: str, archetype: Archetype, operands: Sequence[Buffer], target: Target) -> Kernel:
    """A kernel that computes ``archetype`` from its operands into one buffer behind them."""
    result = len(operands)
    buffers = (*operands, Buffer("result", archetype.output_elements()))
    match archetype:
        case Pointwise():
            grid = schedule_pointwise(archetype, target.lanes, result)
        case Stream():
            grid = schedule_stream(archetype, target.lanes, result, result + 1)
            buffers = (*buffers, Buffer("length", 1, is_u32=True))
        case Reduction():
            grid = schedule_reduction(archetype, target.lanes, result)
        case Scatter():
            grid = schedule_scatter(archetype, target.lanes, result)
        case Convolution():
            plan = ConvolutionSchedule(archetype, target.lanes, result)
            grid = plan.grid()
            buffers = (*buffers, *(Buffer("scratch", size) for size in plan.scratch_elements()))
        case Correlation():
            dots = CorrelationSchedule(archetype, target.lanes, result)
            grid = dots.grid()
            buffers = (*buffers, *(Buffer("scratch", size) for size in dots.scratch_elements()))
    return Kernel(name, buffers, grid)
