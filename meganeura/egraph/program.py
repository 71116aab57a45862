"""Extraction as an integer program, solved by HiGHS.

A variable x for each choice, and y for each class: whether it is stored. What is stored is written
once: Σ x = y, over the choices that write the class. What is read is stored: Σ x ≤ y, over the
choices that write one class and read another; of those there is at most one, so that one row says
it for all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import highspy
import numpy as np

from .candidate import Candidate

MOST_NODES = 500
"""Nodes of the search tree of a program."""
FEWEST_CHECKS, MOST_WORK = 20, 200_000
"""How often HiGHS may ask whether to go on: always so often, and then so often for all variables
together. It asks between linear programs, so that what it finds does not depend on how busy the
machine is, as it would with a limit of time."""
FEW = 7
"""Choices of which all sets are tried: that is quicker than to ask."""
SMALL_GAP = 2e-3
"""How much cheaper the best could be, as a part of the cost, for the search to end."""
FEASIBLE = 2
"""What HiGHS says of a solution that keeps all constraints."""


@dataclass(frozen=True)
class Choice:
    """A candidate, and what it reads that may not be stored."""

    candidate: Candidate
    reads: tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """The choices that depend on each other, and the classes that they write, by number: 0, 1, …"""

    costs: tuple[float, ...]
    writes: tuple[tuple[int, ...], ...]
    reads: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]
    """Classes that must be stored."""
    classes: int

    def solve(self, first: Sequence[int]) -> tuple[list[int], float]:
        """The choices to take, found from a first solution on, and the gap that is left."""
        if len(self.costs) <= FEW:
            best = min(self._solutions(), key=self._cost)
            return list(best), 0.0
        taken = set(first)
        start = [float(i in taken) for i in range(len(self.costs))]
        stored = {value for i in taken for value in self.writes[i]}
        start += [float(value in stored) for value in range(self.classes)]
        values, gap = _run(self._model(), start)
        if values is None:
            return list(first), 1.0
        return [i for i in range(len(self.costs)) if values[i] > 0.5], gap

    def _solutions(self) -> Iterator[tuple[int, ...]]:
        """All sets of choices that keep the rules."""
        for taken in product((False, True), repeat=len(self.costs)):
            chosen = tuple(i for i, is_taken in enumerate(taken) if is_taken)
            written = [value for i in chosen for value in self.writes[i]]
            needed = {*self.starts, *(value for i in chosen for value in self.reads[i])}
            if len(set(written)) == len(written) and needed.issubset(written):
                yield chosen

    def _cost(self, chosen: tuple[int, ...]) -> float:
        return sum(self.costs[i] for i in chosen)

    def _model(self) -> highspy.HighsLp:
        """The program as HiGHS takes it."""
        choices, size = len(self.costs), len(self.costs) + self.classes
        writers: list[list[int]] = [[] for _ in range(self.classes)]
        readers: dict[tuple[int, int], list[int]] = {}
        for i, (written, read) in enumerate(zip(self.writes, self.reads, strict=True)):
            for value in written:
                writers[value].append(i)
            for pair in product(written, read):
                readers.setdefault(pair, []).append(i)
        rows = [[*mine, choices + value] for value, mine in enumerate(writers)]
        factors = [[*[1.0] * len(mine), -1.0] for mine in writers]
        rows += [[*mine, choices + value] for (_, value), mine in readers.items()]
        factors += [[*[-1.0] * len(mine), 1.0] for mine in readers.values()]
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = size, len(rows)
        model.col_cost_ = np.asarray([*self.costs, *[0.0] * self.classes])
        lower = np.zeros(size)
        lower[[choices + value for value in self.starts]] = 1.0
        model.col_lower_, model.col_upper_ = lower, np.ones(size)
        model.integrality_ = [highspy.HighsVarType.kInteger] * size
        model.row_lower_ = np.zeros(len(rows))
        model.row_upper_ = np.asarray(
            [0.0] * len(writers) + [highspy.kHighsInf] * (len(rows) - len(writers))
        )
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = np.cumsum([0, *map(len, rows)])
        model.a_matrix_.index_ = np.concatenate(rows)
        model.a_matrix_.value_ = np.concatenate(factors)
        return model


def _run(model: highspy.HighsLp, start: list[float]) -> tuple[np.ndarray | None, float]:
    """The best solution that is found within the limits, from a first one on."""
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("mip_max_nodes", MOST_NODES)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", SMALL_GAP)
    solver.setOptionValue("mip_heuristic_run_feasibility_jump", False)  # greed has found one
    left = itertools.count(FEWEST_CHECKS + MOST_WORK // len(start), -1)

    def check(kind: object, text: str, found: object, answer: Any, data: object) -> None:
        answer.user_interrupt = next(left) <= 0

    solver.setCallback(check, None)
    solver.startCallback(highspy.cb.HighsCallbackType.kCallbackMipInterrupt)
    solver.passModel(model)
    first = highspy.HighsSolution()
    first.col_value = start
    solver.setSolution(first)
    solver.run()
    info = solver.getInfo()
    if info.primal_solution_status != FEASIBLE:
        return None, 1.0
    return np.asarray(solver.getSolution().col_value), min(float(info.mip_gap), 1.0)
