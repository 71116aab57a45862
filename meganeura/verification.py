"""A plan against the reference: the same step in NumPy, in double precision, op by op."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan

import numpy as np

from .device.base import Program
from .device.reference import ReferenceDevice
from .dtypes import Array
from .ir.graph import Graph

SHOWN = 12
"""Rows that are printed; the others are closer."""


@dataclass(frozen=True)
class Verification:
    """The largest error of each output and gradient, as a part of its largest element."""

    errors: dict[str, float]

    def worst(self) -> tuple[str, float]:
        """What is furthest off."""
        return max(self.errors.items(), key=lambda row: _rank(row[1]))

    def __str__(self) -> str:
        rows = sorted(self.errors.items(), key=lambda row: -_rank(row[1]))
        lines = [f"{'compared with the reference in float64':<60}{'relative error':>16}"]
        lines += [f"{name[:59]:<60}{error:>16.2e}" for name, error in rows[:SHOWN]]
        if len(rows) > SHOWN:
            lines.append(f"and {len(rows) - SHOWN} closer ones")
        return "\n".join(lines) + "\n"


def _rank(error: float) -> float:
    """NaN is the worst of all."""
    return inf if isnan(error) else error


class Expected:
    """What a step of a program must give, computed before it is made."""

    def __init__(self, graph: Graph, program: Program) -> None:
        self._graph = graph
        self._reference = ReferenceDevice("float64").compile(graph)
        for node in graph.nodes():
            if node.name is not None:
                self._reference.write(node.name, program.read(node.name))
        self._reference.run()

    def compare(self, program: Program) -> Verification:
        """The program's results beside what was expected."""
        graph = self._graph
        names = {v.id: f"output {i} ({v.node.op.name})" for i, v in enumerate(graph.outputs())}
        # Gradients are outputs too, and a gradient's name tells more.
        for leaf, value in graph.gradients().items():
            names[value] = f"gradient of {graph.node(leaf).name}"
        return Verification(
            {
                name: relative_error(program.value(root), self._reference.value(root))
                for root, name in names.items()
            }
        )


def relative_error(found: Array, expected: Array) -> float:
    """The largest difference, as a part of the largest element expected."""
    expected = expected.ravel().astype(np.float64)
    with np.errstate(invalid="ignore"):
        difference = np.abs(found.ravel().astype(np.float64) - expected)
    scale = float(np.max(np.abs(expected)))
    error = float(np.max(difference))
    return error / scale if scale else error
