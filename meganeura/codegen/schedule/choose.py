"""The schedule for an archetype."""

from __future__ import annotations

from collections.abc import Sequence

from ...kernel.archetype import Archetype, Pointwise, Reduction, Scatter, Stream
from ...kernel.attention import Attention, AttentionGradient
from ...kernel.conv import Convolution, Correlation
from ...kernel.target import Target
from ..loops import Buffer, Kernel, Loop
from .attention import AttentionSchedule
from .attention_gradient import AttentionGradientSchedule
from .conv import ConvolutionSchedule
from .correlation import CorrelationSchedule
from .pointwise import schedule_pointwise, schedule_stream
from .reduction import schedule_reduction
from .scatter import schedule_scatter


def schedule(name: str, archetype: Archetype, operands: Sequence[Buffer], target: Target) -> Kernel:
    """A kernel that computes ``archetype`` from its operands into one buffer behind them."""
    result = len(operands)
    grid, more = _loops(archetype, target.lanes, result)
    buffers = (*operands, Buffer("result", archetype.output_elements()), *more)
    return Kernel(name, buffers, grid)


def _loops(archetype: Archetype, lanes: int, result: int) -> tuple[Loop, list[Buffer]]:
    """The loops, and the buffers they need behind the result."""
    match archetype:
        case Pointwise():
            return schedule_pointwise(archetype, lanes, result), []
        case Stream():
            length = Buffer("length", 1, is_u32=True)
            return schedule_stream(archetype, lanes, result, result + 1), [length]
        case Reduction():
            return schedule_reduction(archetype, lanes, result), []
        case Scatter():
            return schedule_scatter(archetype, lanes, result), []
        case Convolution():
            return _with_scratch(ConvolutionSchedule(archetype, lanes, result))
        case Correlation():
            return _with_scratch(CorrelationSchedule(archetype, lanes, result))
        case Attention():
            return _with_scratch(AttentionSchedule(archetype, lanes, result))
        case AttentionGradient():
            return _with_scratch(AttentionGradientSchedule(archetype, lanes, result))


def _with_scratch(
    schedule: ConvolutionSchedule
    | CorrelationSchedule
    | AttentionSchedule
    | AttentionGradientSchedule,
) -> tuple[Loop, list[Buffer]]:
    return schedule.grid(), [Buffer("scratch", size) for size in schedule.scratch_elements()]
