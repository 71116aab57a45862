"""Extraction: the candidates that compute all roots at the least cost.

In:  candidates for each class.   Out: one for each class that must be in memory.

An integer program, solved by HiGHS: a variable for each candidate; a root needs one of its class's,
and a candidate needs one for each class that it reads. What is stored in any case keeps the choices
on both sides of it apart, so there are many small programs. If time runs out, what greed finds is
taken.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import highspy
import numpy as np

from ..errors import InternalError
from .candidate import Candidate, Candidates, can_be_inlined

MOST_NODES = 2000
"""Nodes of the search tree of a component: a limit that gives the same result on any machine."""
TIME_LIMIT_S = 20.0
"""When greed decides after all."""
FEASIBLE = 2
"""What HiGHS says of a solution that keeps all constraints."""


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


@dataclass(frozen=True)
class _Choice:
    """A candidate, and what it reads that may not be stored."""

    candidate: Candidate
    reads: frozenset[int]


_Choices = dict[int, list[_Choice]]


def _undominated(candidates: Candidates, sure: set[int], found: list[Candidate]) -> list[_Choice]:
    """Candidates without those that cost more than another and let no less be left out."""
    choices = [
        _Choice(c, frozenset(_computed(candidates, c.reads - sure)))
        for c in sorted(found, key=lambda c: c.cost_ns)
    ]
    kept: list[_Choice] = []
    for choice in choices:
        if not any(other.reads <= choice.reads for other in kept):
            kept.append(choice)
    return kept


def _reachable(choices: _Choices, sure: set[int]) -> list[int]:
    """Classes that some choice may need."""
    found: dict[int, None] = {}
    pending = list(sure)
    while pending:
        value = pending.pop()
        if value not in found:
            found[value] = None
            pending += [read for choice in choices[value] for read in choice.reads]
    return list(found)


def _components(choices: _Choices, needed: list[int]) -> list[list[int]]:
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
    choices: _Choices, component: list[int], starts: list[int], seconds: float
) -> tuple[dict[int, Candidate], float]:
    """The candidates that compute ``starts``, and the gap that is left."""
    if len(component) == 1:
        (value,) = component
        return {value: choices[value][0].candidate}, 0.0
    program = [choice for value in component for choice in choices[value]]
    greedy = _greedy(choices, starts)
    values, gap = _solve(program, component, starts, greedy, seconds)
    if values is None:
        return {choice.candidate.writes: choice.candidate for choice in greedy}, 1.0
    taken: dict[int, Candidate] = {}
    for choice, value in zip(program, values, strict=True):
        if value > 0.5:
            taken.setdefault(choice.candidate.writes, choice.candidate)
    return taken, gap


def _computed(candidates: Candidates, values: Iterable[int]) -> list[int]:
    """Of some classes, those that a kernel must write: leaves are there anyway."""
    return [value for value in values if candidates.found[value]]


def _greedy(choices: _Choices, starts: list[int]) -> list[_Choice]:
    """For each class that is needed the candidate with the least cost by itself."""
    chosen: dict[int, _Choice] = {}
    pending = list(starts)
    while pending:
        value = pending.pop()
        if value not in chosen:
            chosen[value] = choices[value][0]
            pending += chosen[value].reads
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


def _solve(
    program: list[_Choice],
    component: list[int],
    starts: list[int],
    greedy: list[_Choice],
    seconds: float,
) -> tuple[np.ndarray | None, float]:
    """The value of each choice's variable, and the gap that is left."""
    columns: dict[int, list[int]] = {value: [] for value in component}
    for i, choice in enumerate(program):
        columns[choice.candidate.writes].append(i)
    # What must be stored has a candidate: Σ x_j ≥ 1. What a choice reads has one too, if it is
    # taken: Σ x_j − x_k ≥ 0.
    rows = [(columns[value], 1.0) for value in starts]
    rows += [
        ([*columns[read], i], 0.0) for i, choice in enumerate(program) for read in choice.reads
    ]
    entries = [
        [1.0] * len(row) if least else [1.0] * (len(row) - 1) + [-1.0] for row, least in rows
    ]
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program), len(rows)
    model.col_cost_ = np.asarray([choice.candidate.cost_ns for choice in program])
    model.col_lower_, model.col_upper_ = np.zeros(len(program)), np.ones(len(program))
    model.row_lower_ = np.asarray([least for _, least in rows])
    model.row_upper_ = np.full(len(rows), highspy.kHighsInf)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *(len(row) for row, _ in rows)])
    model.a_matrix_.index_ = np.concatenate([row for row, _ in rows])
    model.a_matrix_.value_ = np.concatenate(entries)
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(program)
    first = {id(choice) for choice in greedy}
    return _run(model, [float(id(choice) in first) for choice in program], seconds)


def _run(
    model: highspy.HighsLp, start: list[float], seconds: float
) -> tuple[np.ndarray | None, float]:
    """The best solution that is found in time, from a first one on."""
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", max(seconds, 0.01))
    solver.setOptionValue("mip_max_nodes", MOST_NODES)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 1e-3)
    solver.passModel(model)
    first = highspy.HighsSolution()
    first.col_value = start
    solver.setSolution(first)
    solver.run()
    info = solver.getInfo()
    if info.primal_solution_status != FEASIBLE:
        return None, 1.0
    return np.asarray(solver.getSolution().col_value), float(info.mip_gap)
