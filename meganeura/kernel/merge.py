"""Axes run as one: those that every read walks evenly, or all of them."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from .element import Element, Load, Position, Read, Test, indices
from .index import Var, of, unflat


def merge_axes(
    axes: list[Var], elements: list[Element], prefix: str
) -> tuple[list[Var], list[Element]]:
    """Neighbouring axes that every read walks evenly, run as one."""
    i = 0
    while i + 1 < len(axes):
        outer, inner = axes[i], axes[i + 1]
        both = Var(f"{prefix}{i}_{outer.name}{inner.name}", outer.extent * inner.extent)
        merged = [merge_element(element, outer, inner, both) for element in elements]
        if any(element is None for element in merged):
            i += 1
        else:
            axes = [*axes[:i], both, *axes[i + 2 :]]
            elements = [element for element in merged if element is not None]
            i = max(i - 1, 0)
    return axes, elements


def merge_element(element: Element, outer: Var, inner: Var, both: Var) -> Element | None:
    """An element with two variables run as one, if all its reads allow it."""
    reads: list[Read] = []
    for read in element.reads:
        merged = [index.merged(outer, inner, both) for index in indices(read)]
        if any(index is None for index in merged):
            return None
        kept = [index for index in merged if index is not None]
        match read:
            case Load(source, _, bounds):
                new = zip(bounds, kept[1:], strict=True)
                reads.append(Load(source, kept[0], tuple(replace(b, index=i) for b, i in new)))
            case Position():
                reads.append(Position(kept[0]))
            case Test(bound):
                reads.append(Test(replace(bound, index=kept[0])))
            case _:
                reads.append(read)
    return replace(element, reads=tuple(reads))


def flatten_axes(axes: list[Var], elements: list[Element], name: str) -> tuple[Var, list[Element]]:
    """All axes run as one, whose position is taken apart again where it must be."""
    if len(axes) == 1:
        return axes[0], elements
    shape = tuple(axis.extent for axis in axes)
    whole = Var(name, prod(shape))
    at = dict(zip(axes, unflat(of(whole), shape), strict=True))
    return whole, [element.substitute(at) for element in elements]
