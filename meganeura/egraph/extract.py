"""Extraction: the candidates that compute all roots at the least cost.

In:  candidates for each class.   Out: one for each class that must be in memory.

What is stored in any case keeps the choices on both sides of it apart, so there are many small
integer programs (program.py). If time runs out, what greed finds is taken.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import InternalError
from .candidate import Candidate, Candidates, can_be_inlined
from .program import Choice, Choices, solve

TIME_LIMIT_S = 20.0
"""When greed decides after all."""


@dataclass(frozen=True)
class Extraction:
    """The chosen candidate of each class that is stored."""

    chosen: dict[int, Candidate]
    cost_ns: float
    gap: float
    """How much cheaper the best could be, as a part of the cost: 0 if this is the best."""


def extract(candidates: Candidates, roots: list[int]) -> Extraction:
    """The best, or the best that was found in time: component by component."""
    sure = _sure(candidates, roots)
    open_choices = {
        value: _undominated(candidates, sure, found) for value, found in candidates.found.items()
    }
    taken: dict[int, Candidate] = {}
    worst = 0.0
    until = time.monotonic() + TIME_LIMIT_S
    for component in _components(open_choices, _reachable(open_choices, sure)):
        starts = [value for value in component if value in sure]
        found, gap = _best(open_choices, component, starts, until - time.monotonic())
        taken |= found
        worst = max(worst, gap)
    chosen = _needed_of(taken, candidates, roots)
    return Extraction(chosen, sum(c.cost_ns for c in chosen.values()), worst)


def _sure(candidates: Candidates, roots: list[int]) -> set[int]:
    """Classes that are stored whatever is chosen: roots, and what must be computed and cannot be
    inlined."""
    nodes = candidates.classes.nodes
    must: set[int] = set()
    pending = list(roots)
    while pending:
        value = pending.pop()
        if value not in must:
            must.add(value)
            pending += frozenset.intersection(*(frozenset(n.inputs) for n in nodes[value]))
    stored = {v for v in must if not any(can_be_inlined(node.op) for node in nodes[v])}
    return set(_computed(candidates, frozenset(stored | set(roots))))


def _undominated(candidates: Candidates, sure: set[int], found: list[Candidate]) -> list[Choice]:
    """Candidates without those that cost more than another and let no less be left out."""
    choices = [
        Choice(c, frozenset(_computed(candidates, c.reads - sure)))
        for c in sorted(found, key=lambda c: c.cost_ns)
    ]
    kept: list[Choice] = []
    for choice in choices:
        if not any(other.reads <= choice.reads for other in kept):
            kept.append(choice)
    return kept


def _reachable(choices: Choices, sure: set[int]) -> list[int]:
    """Classes that some choice may need."""
    found: dict[int, None] = {}
    pending = list(sure)
    while pending:
        value = pending.pop()
        if value not in found:
            found[value] = None
            pending += [read for choice in choices[value] for read in choice.reads]
    return list(found)


def _components(choices: Choices, needed: list[int]) -> list[list[int]]:
    """Classes whose choices depend on each other: one may read the other, which may not be
    stored."""
    parent = {value: value for value in needed}

    def find(value: int) -> int:
        while parent[value] != value:
            parent[value] = parent[parent[value]]
            value = parent[value]
        return value

    for value in needed:
        for choice in choices[value]:
            for read in choice.reads:
                parent[find(read)] = find(value)
    groups: dict[int, list[int]] = {}
    for value in needed:
        groups.setdefault(find(value), []).append(value)
    return list(groups.values())


def _best(
    choices: Choices, component: list[int], starts: list[int], seconds: float
) -> tuple[dict[int, Candidate], float]:
    """The candidates that compute ``starts``, and the gap that is left."""
    if len(component) == 1:
        (value,) = component
        return {value: choices[value][0].candidate}, 0.0
    first = greedy(choices, component, starts)
    taken, gap = solve(choices, component, starts, first, seconds)
    return {choice.candidate.writes: choice.candidate for choice in taken}, gap


def _computed(candidates: Candidates, values: Iterable[int]) -> list[int]:
    """Of some classes, those that a kernel must write: leaves are there anyway."""
    return [value for value in values if candidates.found[value]]


def greedy(choices: Choices, component: list[int], starts: list[int]) -> list[Choice]:
    """For each class that is needed the candidate that is cheapest with all that it reads, as if
    nothing were shared. A cost rises with each read, so this never goes round in a circle."""
    cost: dict[int, float] = {}
    best: dict[int, Choice] = {}
    is_changing = True
    while is_changing:
        is_changing = False
        for value in component:
            for choice in choices[value]:
                if not choice.reads <= cost.keys():
                    continue
                whole = choice.candidate.cost_ns + sum(cost[read] for read in choice.reads)
                if whole < cost.get(value, math.inf):
                    cost[value], best[value] = whole, choice
                    is_changing = True
    chosen: dict[int, Choice] = {}
    pending = list(starts)
    while pending:
        value = pending.pop()
        if value not in chosen:
            chosen[value] = best[value]
            pending += best[value].reads
    return list(chosen.values())


def _needed_of(
    taken: dict[int, Candidate], candidates: Candidates, roots: list[int]
) -> dict[int, Candidate]:
    """What the roots need of the candidates that were taken."""
    chosen: dict[int, Candidate] = {}
    pending = _computed(candidates, roots)
    while pending:
        value = pending.pop()
        if value not in chosen:
            if value not in taken:
                raise InternalError(f"extraction reads class {value} and does not compute it")
            chosen[value] = taken[value]
            pending += _computed(candidates, taken[value].reads)
    return chosen
