"""The schedule for an archetype."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...kernel.archetype import Archetype, Pointwise, Reduction, Scatter, Stream
from ...kernel.attention import Attention, AttentionGradient
from ...kernel.conv import Convolution, Correlation
from ...kernel.lanes import lanes_for
from ...kernel.target import Target
from ...kernel.tiled import TiledGradients
from ..loops import Buffer, Kernel, Loop
from .attention import AttentionSchedule
from .attention_gpu import AttentionOnGpu
from .attention_gradient import AttentionGradientSchedule
from .attention_gradient_gpu import AttentionGradientOnGpu
from .conv import ConvolutionSchedule
from .correlation import CorrelationSchedule
from .pointwise import schedule_pointwise, schedule_stream
from .reduction import schedule_reduction
from .scatter import schedule_scatter
from .tiles import schedule_products
from .winograd import WinogradSchedule
from .winograd_gradient import WinogradGradientSchedule, schedule_gradients

Parts = tuple[Loop, list[Buffer], int]
"""Loops, the buffers they need behind the result, and how many lanes they have."""


def schedule(name: str, archetype: Archetype, operands: Sequence[Buffer], target: Target) -> Kernel:
    """A kernel that computes ``archetype`` from its operands into the buffers behind them, one for
    each result."""
    result = len(operands)
    results = [Buffer("result", size) for size in archetype.result_sizes()]
    target = replace(target, lanes=lanes_for(archetype, target))
    grid, more, lanes = _parts(archetype, target, result)
    buffers = (*operands, *results, *more)
    return Kernel(name, buffers, grid, lanes)


def _parts(archetype: Archetype, target: Target, result: int) -> Parts:
    match archetype:
        case Pointwise():
            loops, lanes = schedule_pointwise(archetype, target, result)
            return loops, [], lanes
        case Stream():
            length = Buffer("length", 1, is_u32=True)
            last = result + len(archetype.elements())
            return schedule_stream(archetype, target, result, last), [length], target.lanes
        case Reduction():
            loops, lanes = schedule_reduction(archetype, target, result)
            return loops, [], lanes
        case Scatter():
            return schedule_scatter(archetype, target, result), [], target.lanes
        case TiledGradients():
            loops, size = schedule_gradients(archetype, target, result)
            return loops, [Buffer("scratch", size)], target.lanes
    return (
        _on_gpu(archetype, target, result)
        if target.kind == "gpu"
        else _on_cpu(archetype, target, result)
    )


Products = Convolution | Correlation | Attention | AttentionGradient
"""What is made of products: the two kinds of target want other loops for it."""


def _on_cpu(archetype: Products, target: Target, result: int) -> Parts:
    lanes = target.lanes
    match archetype:
        case Convolution() if archetype.tile:
            return _with_scratch(WinogradSchedule(archetype, target, result))
        case Convolution():
            return _with_scratch(ConvolutionSchedule(archetype, lanes, result))
        case Correlation() if archetype.tile:
            return _with_scratch(WinogradGradientSchedule(archetype, lanes, result))
        case Correlation():
            return _with_scratch(CorrelationSchedule(archetype, lanes, result))
        case Attention():
            return _with_scratch(AttentionSchedule(archetype, lanes, result))
        case AttentionGradient():
            return _with_scratch(AttentionGradientSchedule(archetype, lanes, result))


def _on_gpu(archetype: Products, target: Target, result: int) -> Parts:
    match archetype:
        case Convolution() | Correlation():
            return schedule_products(archetype, target, result)
        case Attention():
            return _with_scratch(AttentionOnGpu(archetype, target.lanes, result))
        case AttentionGradient():
            return _with_scratch(AttentionGradientOnGpu(archetype, target.lanes, result))


def _with_scratch(
    schedule: ConvolutionSchedule
    | WinogradSchedule
    | WinogradGradientSchedule
    | CorrelationSchedule
    | AttentionSchedule
    | AttentionGradientSchedule
    | AttentionOnGpu
    | AttentionGradientOnGpu,
) -> Parts:
    scratch = [Buffer("scratch", size) for size in schedule.scratch_elements()]
    return schedule.grid(), scratch, schedule.lanes
