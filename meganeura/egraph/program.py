"""Extraction as an integer program, solved by HiGHS.

A variable x for each choice. A class that must be stored needs one of its choices: Σ x ≥ 1. A
choice needs one for each class that it reads: Σ x − x_k ≥ 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np

from .candidate import Candidate

MOST_NODES = 2000
"""Nodes of the search tree of a program: a limit that gives the same result on any machine."""
FEASIBLE = 2
"""What HiGHS says of a solution that keeps all constraints."""


@dataclass(frozen=True)
class Choice:
    """A candidate, and what it reads that may not be stored."""

    candidate: Candidate
    reads: frozenset[int]


Choices = dict[int, list[Choice]]


def solve(
    choices: Choices, component: list[int], starts: list[int], first: list[Choice], seconds: float
) -> tuple[list[Choice], float]:
    """The choices that compute ``starts``, found from a first solution on, and the gap left."""
    columns = [choice for value in component for choice in choices[value]]
    taken = {id(choice) for choice in first}
    stored = {choice.candidate.writes for choice in first}
    start = [float(id(choice) in taken) for choice in columns]
    start += [float(value in stored) for value in component]
    values, gap = _run(_model(columns, component, starts), start, seconds)
    if values is None:
        return first, 1.0
    found: dict[int, Choice] = {}
    for choice, value in zip(columns, values, strict=False):
        if value > 0.5:
            found.setdefault(choice.candidate.writes, choice)
    return list(found.values()), gap


def _model(columns: list[Choice], component: list[int], starts: list[int]) -> highspy.HighsLp:
    """The program as HiGHS takes it: rows of columns with their factors, and least sums."""
    stored = {value: len(columns) + i for i, value in enumerate(component)}
    writers: dict[int, list[int]] = {value: [] for value in component}
    readers: dict[tuple[int, int], list[int]] = {}
    for i, choice in enumerate(columns):
        writers[choice.candidate.writes].append(i)
        for read in choice.reads:
            readers.setdefault((choice.candidate.writes, read), []).append(i)
    rows = [
        ([*mine, stored[v]], [1.0] * len(mine) + [-1.0], 0.0, 0.0) for v, mine in writers.items()
    ]
    for (_, read), mine in readers.items():
        rows.append(([stored[read], *mine], [1.0] + [-1.0] * len(mine), 0.0, highspy.kHighsInf))
    size = len(columns) + len(component)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = size, len(rows)
    costs = [choice.candidate.cost_ns for choice in columns]
    model.col_cost_ = np.asarray([*costs, *[0.0] * len(component)])
    lower = np.zeros(size)
    lower[[stored[value] for value in starts]] = 1.0
    model.col_lower_, model.col_upper_ = lower, np.ones(size)
    model.integrality_ = [highspy.HighsVarType.kInteger] * size
    model.row_lower_ = np.asarray([least for _, _, least, _ in rows])
    model.row_upper_ = np.asarray([most for _, _, _, most in rows])
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *(len(row[0]) for row in rows)])
    model.a_matrix_.index_ = np.concatenate([row[0] for row in rows])
    model.a_matrix_.value_ = np.concatenate([row[1] for row in rows])
    return model


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
