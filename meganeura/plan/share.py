"""Sharing: elementwise kernels that differ only in their length become one.

In:  lowered computations.   Out: the same, each pointwise one over plain rows as a `Stream` with
its length beside it.
"""

from __future__ import annotations

from dataclasses import replace

from ..kernel.archetype import ANY_LENGTH, Pointwise, Stream, axes
from ..kernel.element import Element, Load
from ..kernel.index import Var, of
from ..kernel.merge import merge_axes
from ..kernel.target import Target
from .lower import Computation, Lowered


def share(lowered: Lowered, target: Target) -> Lowered:
    """The computations with elementwise kernels shared. One that sees a value in parts knows its
    size, and is not."""
    types = lowered.types()

    def is_whole(value: int) -> bool:
        return len(target.parts(types[value].size_bytes())) == 1

    computations = [
        _shared(c) if all(map(is_whole, (*c.reads, *c.writes))) else c for c in lowered.computations
    ]
    return replace(lowered, computations=computations)


def _shared(computation: Computation) -> Computation:
    if not isinstance(computation.archetype, Pointwise):
        return computation
    archetype = computation.archetype
    merged, elements = merge_axes(axes(archetype.shape), archetype.elements(), "m")
    if len(merged) != 1 or not all(_is_plain(element, merged[0]) for element in elements):
        return computation
    anywhere = {merged[0]: of(Var("i0", ANY_LENGTH))}
    first, *more = (element.substitute(anywhere) for element in elements)
    return replace(computation, archetype=Stream(first, tuple(more)), length=merged[0].extent)


def _is_plain(element: Element, var: Var) -> bool:
    """Whether all is loaded, without bounds, from neighbours or from one place."""
    return all(
        isinstance(read, Load) and not read.bounds and read.index.coefficient(var) in (0, 1)
        for read in element.reads
    )
