"""Long sums in blocks of blocks: rounding errors grow with a block's length, not with the sum's.

A sum of n terms one after another errs by up to n roundings, and terms of one sign err in one
direction. Here `BLOCK` terms are added to a register, what is there then to a register of the next
level, and so on: a term goes through at most `BLOCK` additions on each of log n / log `BLOCK`
levels. The order depends on the problem's size alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...kernel.element import apply, held, number
from ...kernel.index import Index, Var, of
from ..loops import SERIAL, Assign, Declare, Loop, Statement

BLOCK = 16
"""Additions to a register before it goes to the next level: one addition more for so many."""

Levels = list[list[Loop]]
"""The loops of each level without their bodies, the innermost first."""
Body = Callable[[Mapping[Var, Index]], list[Statement]]
Everywhere = Callable[[Callable[[tuple[Index, ...]], Statement]], list[Statement]]
"""A statement at every place of a register, given what it is at one place."""


def cascade(
    registers: Sequence[Declare],
    axes: Sequence[Var],
    body: Body,
    everywhere: Everywhere,
    block: int = BLOCK,
) -> list[Statement]:
    """Some registers declared, and ``body`` at all places of ``axes``, the first outermost, where
    it adds to them; in the end the sums are there. After ``block`` places a level is full."""
    levels, places = _levels(axes, block)
    declared, statements, height = [*registers], body(places), 0
    for height, loops in enumerate(levels):
        for loop in loops:
            statements = [Loop(loop.var, SERIAL, tuple(statements), loop.stop)]
        if height + 1 < len(levels):
            for register in registers:
                here, above = _level(register, height), _level(register, height + 1)
                declared.append(Declare(above, 0.0, register.lanes, register.shape))
                statements += [*everywhere(_add(above, here)), *everywhere(_clear(here))]
    if height:
        for register in registers:
            statements += everywhere(_add(register.name, _level(register, height)))
    return [*declared, *statements]


def _level(register: Declare, height: int) -> str:
    """The name of a register's sums of so many levels of blocks."""
    return f"{register.name}_{height}" if height else register.name


def _add(name: str, other: str) -> Callable[[tuple[Index, ...]], Statement]:
    def add(place: tuple[Index, ...]) -> Statement:
        both = apply(lambda a, b: a + b, held(name, place), held(other, place))
        return Assign(name, both, place)

    return add


def _clear(name: str) -> Callable[[tuple[Index, ...]], Statement]:
    return lambda place: Assign(name, number(0.0), place)


def _levels(axes: Sequence[Var], block: int) -> tuple[Levels, dict[Var, Index]]:
    """Loops over all places of some axes, in levels of at most ``block`` turns each, and what the
    axes' variables are in them."""
    levels: Levels = [[]]
    places: dict[Var, Index] = {}
    room = block
    for axis in reversed(axes):
        sizes, totals = [], [axis.extent]
        while totals[-1] > room:
            sizes.append(_part(totals[-1], room))
            totals.append(-(-totals[-1] // sizes[-1]))
            room = block
        room = max(1, room // totals[-1])
        loops, places[axis] = _digits(axis.name, [*sizes, totals[-1]], totals)
        levels[-1] += [loop for loop in loops[:1] if loop.var.extent > 1]
        levels += [[loop] for loop in loops[1:]]
    return levels, places


def _part(total: int, most: int) -> int:
    """At most so many of a total; no rest, if that is possible without much smaller parts, else
    parts that are about as large."""
    even = -(-total // -(-total // most))
    return next((n for n in range(most, most // 2, -1) if total % n == 0), even)


def _digits(name: str, sizes: list[int], totals: list[int]) -> tuple[list[Loop], Index]:
    """Loops that count to a total, the innermost first, and the number they have come to."""
    count = len(sizes)
    loops: list[Loop] = []
    place = Index()
    for digit in reversed(range(count)):
        size, total = sizes[digit], totals[digit]
        var = Var(name if count == 1 else f"{name}_{digit}", size)
        stop = None if total % size == 0 else place * -size + total
        loops.append(Loop(var, SERIAL, (), stop))
        place = place * size + of(var)
    return loops[::-1], place
