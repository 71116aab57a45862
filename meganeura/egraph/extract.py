"""Extraction: the candidates that compute all roots at the least cost.

In:  candidates for each class.   Out: those that are taken; each class that must be in memory is
written by one.

What is stored in any case keeps the choices on both sides of it apart, so there are many small
integer programs (program.py); equal ones, as the layers of a network give, are solved once. Where a
limit is met, the best that was found till then is taken, at worst what greed finds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ..errors import InternalError
from .candidate import Candidate, Candidates
from .program import Choice, Program

Known = dict[Program, tuple[list[int], float]]
"""Programs that were solved."""

THREADS = 2


@dataclass(frozen=True)
class Extraction:
    """The chosen candidates, by the classes that they write."""

    chosen: dict[int, Candidate]
    cost_ns: float
    gap: float
    """How much cheaper the best could be, as a part of the cost: 0 if this is the best."""


def extract(candidates: Candidates, roots: list[int]) -> Extraction:
    """The best, or the best that was found within limits."""
    banned: set[Candidate] = set()
    known: Known = {}
    while True:
        taken, missing_ns = _Extracting(candidates, roots, banned).run(known)
        circles = _circles(taken)
        if not circles:
            break
        banned |= circles
    cost = sum(c.cost_ns for c in dict.fromkeys(taken.values()))
    return Extraction(taken, cost, missing_ns / max(cost, 1.0))


def _solved(first: Mapping[Program, list[int]]) -> Known:
    """All programs solved from first solutions on, two at a time, the longest first: HiGHS lets
    other threads run, and what it finds does not depend on them."""
    ordered = sorted(first, key=lambda program: -len(program.costs))

    def solve(program: Program) -> tuple[list[int], float]:
        return program.solve(first[program])

    with ThreadPoolExecutor(THREADS, "meganeura-extract") as threads:
        try:
            found = list(threads.map(solve, ordered))
        except RuntimeError:  # the system starts no more threads
            found = list(map(solve, ordered))
    return dict(zip(ordered, found, strict=True))


class _Extracting:
    def __init__(self, candidates: Candidates, roots: list[int], banned: set[Candidate]) -> None:
        self.candidates = candidates
        self.roots = _computed(candidates, roots)
        self.place = {value: i for i, value in enumerate(candidates.found)}
        self.sure = _sure(candidates, self.roots)
        found = dict.fromkeys(c for mine in candidates.found.values() for c in mine)
        self.choices = self._undominated(c for c in found if c not in banned)
        self.writers: dict[int, list[Choice]] = {value: [] for value in candidates.found}
        for choice in self.choices:
            for value in choice.candidate.writes:
                self.writers[value].append(choice)

    def run(self, known: Known) -> tuple[dict[int, Candidate], float]:
        """What is taken, and how much cheaper the best could be."""
        taken: dict[int, Candidate] = {}
        missing_ns = 0.0
        programs: list[tuple[list[Choice], Program]] = []
        first: dict[Program, list[int]] = {}
        for component in self._components():
            choices, program = self._program(component)
            programs.append((choices, program))
            if program not in known and program not in first:
                first[program] = self._greedy(component, choices)
        known |= _solved(first)
        for choices, program in programs:
            numbers, gap = known[program]
            missing_ns += gap * sum(program.costs[i] for i in numbers)
            for i in numbers:
                candidate = choices[i].candidate
                taken |= dict.fromkeys(candidate.writes, candidate)
        return self._needed(taken), missing_ns

    def _undominated(self, found: Iterable[Candidate]) -> list[Choice]:
        """Candidates without those that cost more than another that writes the same, and let no
        less be left out."""
        kept: dict[frozenset[int], list[tuple[Choice, frozenset[int]]]] = {}
        for candidate in sorted(found, key=lambda c: c.cost_ns):
            reads = frozenset(_computed(self.candidates, candidate.reads - self.sure))
            rivals = kept.setdefault(frozenset(candidate.writes), [])
            if not any(other <= reads for _, other in rivals):
                rivals.append((Choice(candidate, tuple(sorted(reads))), reads))
        return [choice for rivals in kept.values() for choice, _ in rivals]

    def _components(self) -> list[list[int]]:
        """Classes that may be needed and whose choices depend on each other: one kernel may write
        both, or one may read the other, which may not be stored."""
        parent: dict[int, int] = {}

        def find(value: int) -> int:
            while parent[value] != value:
                parent[value] = parent[parent[value]]
                value = parent[value]
            return value

        pending = list(self.sure)
        while pending:
            value = pending.pop()
            if value in parent:
                continue
            parent[value] = value
            pending += [
                other
                for choice in self.writers[value]
                for other in (*choice.reads, *choice.candidate.writes)
            ]
        for value in parent:
            for choice in self.writers[value]:
                for other in (*choice.reads, *choice.candidate.writes):
                    parent[find(other)] = find(value)
        groups: dict[int, list[int]] = {}
        for value in sorted(parent, key=self.place.__getitem__):
            groups.setdefault(find(value), []).append(value)
        return list(groups.values())

    def _program(self, component: list[int]) -> tuple[list[Choice], Program]:
        """The choices of a component, in an order that depends on nothing but what they are, and
        their program."""
        number = {value: i for i, value in enumerate(component)}
        found = dict.fromkeys(c for value in component for c in self.writers[value])

        def row(choice: Choice) -> tuple[tuple[int, ...], tuple[int, ...], float]:
            writes = tuple(number[v] for v in choice.candidate.writes)
            reads = tuple(sorted(number[v] for v in choice.reads))
            return writes, reads, choice.candidate.cost_ns

        choices = sorted(found, key=row)
        rows = [row(choice) for choice in choices]
        return choices, Program(
            tuple(cost for _, _, cost in rows),
            tuple(writes for writes, _, _ in rows),
            tuple(reads for _, reads, _ in rows),
            tuple(number[value] for value in component if value in self.sure),
            len(component),
        )

    def _greedy(self, component: list[int], choices: list[Choice]) -> list[int]:
        """For each class that is needed the candidate that writes it alone and is cheapest with
        all that it reads, as if nothing were shared."""
        cost: dict[int, float] = {}
        best: dict[int, Choice] = {}
        for value in component:  # after all that it may read
            for choice in self.writers[value]:
                if choice.candidate.writes == (value,) and all(r in cost for r in choice.reads):
                    whole = choice.candidate.cost_ns + sum(cost[read] for read in choice.reads)
                    if whole < cost.get(value, math.inf):
                        cost[value], best[value] = whole, choice
        taken: set[int] = set()
        pending = [value for value in component if value in self.sure]
        while pending:
            value = pending.pop()
            if value not in best:
                raise InternalError(f"no kernel writes class {value} alone")
            if value not in taken:
                taken.add(value)
                pending += best[value].reads
        chosen = {id(best[value]) for value in taken}
        return [i for i, choice in enumerate(choices) if id(choice) in chosen]

    def _needed(self, taken: dict[int, Candidate]) -> dict[int, Candidate]:
        """What the roots need of the candidates that were taken."""
        chosen: dict[int, Candidate] = {}
        pending = list(self.roots)
        while pending:
            value = pending.pop()
            if value not in chosen:
                if value not in taken:
                    raise InternalError(f"extraction reads class {value} and does not compute it")
                chosen |= dict.fromkeys(taken[value].writes, taken[value])
                pending += _computed(self.candidates, taken[value].reads)
        return chosen


def _computed(candidates: Candidates, values: Iterable[int]) -> list[int]:
    """Of some classes, those that a kernel must write: leaves are there anyway."""
    return [value for value in values if not candidates.classes.is_leaf(value)]


def _sure(candidates: Candidates, roots: list[int]) -> set[int]:
    """Classes that are stored whatever is chosen: roots, and what must be computed and nobody
    computes on the way to something else."""
    classes = candidates.classes
    must: set[int] = set()
    pending = list(roots)
    while pending:
        value = pending.pop()
        if value not in must:
            must.add(value)
            pending += frozenset.intersection(
                *(frozenset(node.inputs) for node in classes.nodes[value])
            )
    on_the_way = {
        inner
        for mine in candidates.found.values()
        for candidate in mine
        for inner in candidate.inner - set(candidate.writes)
    }
    return set(roots) | set(_computed(candidates, must - on_the_way))


def _circles(taken: dict[int, Candidate]) -> set[Candidate]:
    """Candidates that would wait for each other, as those can that write several classes."""
    done: set[Candidate] = set()
    found: set[Candidate] = set()
    for start in dict.fromkeys(taken.values()):
        path: dict[Candidate, list[Candidate]] = {}
        if start not in done:
            path[start] = [taken[read] for read in start.reads if read in taken]
        while path:
            now, rest = next(reversed(path.items()))
            if not rest:
                done.add(now)
                path.popitem()
                continue
            following = rest.pop()
            if following in path:
                members = list(path)
                circle = members[members.index(following) :]
                found |= {candidate for candidate in circle if len(candidate.writes) > 1}
            elif following not in done:
                path[following] = [taken[read] for read in following.reads if read in taken]
    return found
