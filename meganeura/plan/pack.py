"""Packing: weights laid out as the kernels that read them want them.

In:  lowered dispatches.   Out: the same, with a copy before each convolution that puts the weights
of one block of filters next to each other, and the convolution reading that copy.

The copy costs one pass over the weights; the convolution then reads them in order, many times.
"""

from __future__ import annotations

from dataclasses import replace

from ..kernel.archetype import Pointwise, numbered, places
from ..kernel.conv import Convolution, at
from ..kernel.element import load
from ..kernel.index import Bound, flat
from ..kernel.target import Target
from .lower import Lowered
from .plan import Dispatch


def pack(lowered: Lowered, target: Target) -> Lowered:
    """The dispatches with packed weights."""
    next_value = 1 + max((d.writes for d in lowered.dispatches), default=0)
    next_value = max(next_value, len(lowered.graph))
    packed: list[Dispatch] = []
    for dispatch in lowered.dispatches:
        if isinstance(dispatch.archetype, Convolution):
            packed += _pack_weights(dispatch, dispatch.archetype, next_value, target)
            next_value += 1
        else:
            packed.append(dispatch)
    return replace(lowered, dispatches=packed)


def _pack_weights(
    dispatch: Dispatch, kernel: Convolution, value: int, target: Target
) -> list[Dispatch]:
    """The copy, and the convolution that reads it."""
    per_block = kernel.blocks(target.lanes).filters
    o, c, i, j = kernel.weight_axes()
    shape = (-(-o.extent // per_block), c.extent, i.extent, j.extent, per_block)
    block, *rest, within = places(shape)
    filters = block * per_block + within
    values = dict(zip((o, c, i, j), (filters, *rest), strict=True))
    source = kernel.weight.renumbered(dict(enumerate(dispatch.reads)))
    element = source.substitute(values).within(Bound(filters, 0, o.extent))
    copy, reads = numbered(Pointwise(shape, element))
    o_at, c_at, i_at, j_at = at([o, c, i, j])
    place = flat([o_at // per_block, c_at, i_at, j_at, o_at % per_block], shape)
    image = kernel.image.renumbered(dict(enumerate(dispatch.reads)))
    direct = replace(kernel, image=image, weight=load(value, place))
    archetype, direct_reads = numbered(direct)
    sizes = ", ".join(map(str, shape))
    return [
        Dispatch(f"pack[{sizes}]", copy, tuple(reads), value),
        replace(dispatch, archetype=archetype, reads=tuple(direct_reads)),
    ]
