"""Packing: operands of convolutions laid out as the kernels that read them want them.

In:  lowered dispatches.   Out: the same, with a copy before each convolution of its weights, those
of one block of filters next to each other, and before each correlation of its gradients, with the
filters of one block next to each other; the kernels read those copies.

The copy costs one pass over the operand; the kernel then reads it in order, many times.
"""

from __future__ import annotations

from dataclasses import replace

from ..kernel.archetype import Pointwise, numbered, places
from ..kernel.conv import Convolution, Correlation
from ..kernel.element import load
from ..kernel.index import Bound, Index
from ..kernel.target import Target
from .lower import Lowered
from .plan import Dispatch


def pack(lowered: Lowered, target: Target) -> Lowered:
    """The dispatches with packed operands."""
    next_value = 1 + max((d.writes for d in lowered.dispatches), default=0)
    next_value = max(next_value, len(lowered.graph))
    packed: list[Dispatch] = []
    for dispatch in lowered.dispatches:
        kernel = dispatch.archetype
        if isinstance(kernel, Convolution | Correlation):
            whole = kernel.with_elements(
                [e.renumbered(dict(enumerate(dispatch.reads))) for e in kernel.elements()]
            )
            assert isinstance(whole, Convolution | Correlation)
            copy = (
                _weights(whole, target.lanes)
                if isinstance(whole, Convolution)
                else _gradients(whole, target.lanes)
            )
            canonical, reads = numbered(copy)
            sizes = ", ".join(map(str, copy.shape))
            packed.append(Dispatch(f"pack[{sizes}]", canonical, tuple(reads), next_value))
            image = whole.elements()[0]
            direct = replace(whole, packed=True).with_elements([image, load(next_value, Index())])
            archetype, reads = numbered(direct)
            packed.append(replace(dispatch, archetype=archetype, reads=tuple(reads)))
            next_value += 1
        else:
            packed.append(dispatch)
    return replace(lowered, dispatches=packed)


def _weights(kernel: Convolution, lanes: int) -> Pointwise:
    """``[set, block, i, c, j, place]``."""
    blocks = kernel.filter_blocks(lanes)
    s, o, c, i, j = kernel.weight_axes()
    shape = (s.extent, blocks.count, i.extent, c.extent, j.extent, blocks.size)
    at_s, block, at_i, at_c, at_j, place = places(shape)
    filters = place * blocks.count + block
    element = kernel.weight.substitute({s: at_s, o: filters, c: at_c, i: at_i, j: at_j})
    return Pointwise(shape, element.within(Bound(filters, 0, o.extent)))


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
