"""Packing: operands of convolutions laid out as the kernels that read them want them.

In:  lowered computations.   Out: the same, with a copy before each convolution whose weights do
not lie in a useful order, and before each correlation of its gradients, with the filters of one
vector next to each other; the kernels read those copies.

The copy costs one pass over the operand; the kernel then reads it in order, many times.
"""

from __future__ import annotations

from dataclasses import replace

from ..kernel.archetype import Pointwise, numbered, places
from ..kernel.conv import Convolution, Correlation
from ..kernel.element import load
from ..kernel.index import Bound, Index, flat, of
from ..kernel.target import Target
from .lower import Computation, Lowered


def pack(lowered: Lowered, target: Target) -> Lowered:
    """The computations with packed operands."""
    next_value = 1 + max((d.writes for d in lowered.computations), default=0)
    next_value = max(next_value, len(lowered.graph))
    packed: list[Computation] = []
    for computation in lowered.computations:
        made = _packed(computation, next_value, target)
        next_value += len(made) - 1
        packed += made
    return replace(lowered, computations=packed)


def _packed(computation: Computation, value: int, target: Target) -> list[Computation]:
    """A computation, after a copy into ``value`` if it needs one."""
    elements = [
        e.renumbered(dict(enumerate(computation.reads))) for e in computation.archetype.elements()
    ]
    match computation.archetype.with_elements(elements):
        case Convolution() as kernel if kernel.weight_steps() is None:
            axes = kernel.weight_axes()
            shape = tuple(axis.extent for axis in axes)
            at = dict(zip(axes, places(shape), strict=True))
            copy = Pointwise(shape, kernel.weight.substitute(at))
            weight = load(value, flat(map(of, axes), shape))
            direct: Convolution | Correlation = replace(kernel, weight=weight)
        case Correlation() as kernel:
            copy = _gradients(kernel, target.lanes)
            direct = replace(kernel, gradient=load(value, Index()), packed=True)
        case _:
            return [computation]
    canonical, reads = numbered(copy)
    sizes = ", ".join(map(str, copy.shape))
    archetype, direct_reads = numbered(direct)
    return [
        Computation(f"pack[{sizes}]", canonical, tuple(reads), value),
        replace(computation, archetype=archetype, reads=tuple(direct_reads)),
    ]


def _gradients(kernel: Correlation, lanes: int) -> Pointwise:
    """``[group, block, n, y, x, filter]``."""
    n, o, y, x = kernel.gradient_axes()
    width = kernel.filter_vectors(lanes) * lanes
    blocks = -(-kernel.filters // width)
    shape = (kernel.groups, blocks, n.extent, y.extent, x.extent, width)
    group, block, at_n, at_y, at_x, place = places(shape)
    filters = block * width + place
    element = kernel.gradient.substitute(
        {n: at_n, o: group * kernel.filters + filters, y: at_y, x: at_x}
    )
    return Pointwise(shape, element.within(Bound(filters, 0, kernel.filters)))
