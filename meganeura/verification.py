"""A plan against the reference: the same step in NumPy, in double precision, op by op."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan

import numpy as np

from .device.base import Program
from .dtypes import Array
from .errors import VerificationError
from .ir.graph import Graph
from .ir.interpret import as_type, evaluate
from .ir.walk import live
from .rounding import EPSILON, ROUNDINGS, Disturbed

SHOWN = 12
"""Rows that are printed; the others are closer."""


MARGIN = 4.0
"""How much further than in the trial a result may be off: a single number may be lucky in it."""


@dataclass(frozen=True)
class Verification:
    """The largest error of each output and gradient, and the largest that rounding can explain,
    both as a part of its largest element."""

    errors: dict[str, float]
    bounds: dict[str, float]
    faults: dict[str, str]
    """What is wrong with those that are beyond their bound."""

    def worst(self) -> tuple[str, float]:
        """What is furthest off."""
        return max(self.errors.items(), key=lambda row: _rank(row[1]))

    def check(self) -> None:
        """Raise what is beyond its bound."""
        if self.faults:
            lines = [f"{name} {fault}" for name, fault in list(self.faults.items())[:SHOWN]]
            raise VerificationError(
                "the plan differs from the reference in double precision by more than float32's "
                "rounding explains:\n    " + "\n    ".join(lines),
                hint="the kernels are wrong, not your graph: please report it with g.text(); "
                'optimize=False or device="reference" may do without them. The step was made',
            )

    def __str__(self) -> str:
        rows = sorted(self.errors.items(), key=lambda row: -_rank(row[1]))
        lines = [
            f"{'compared with the reference in float64':<60}{'relative error':>16}{'bound':>12}"
        ]
        for name, error in rows[:SHOWN]:
            lines.append(f"{name[:59]:<60}{error:>16.2e}{self.bounds[name]:>12.2e}")
        if len(rows) > SHOWN:
            lines.append(f"and {len(rows) - SHOWN} closer ones")
        return "\n".join(lines) + "\n"


def _rank(error: float) -> float:
    """NaN is the worst of all."""
    return inf if isnan(error) else error


class Expected:
    """What a step of a program must give, computed before it is made."""

    def __init__(self, graph: Graph, program: Program) -> None:
        names = {v.id: f"output {i} ({v.node.op.name})" for i, v in enumerate(graph.outputs())}
        # Gradients are outputs too, and a gradient's name tells more.
        for leaf, value in graph.gradients().items():
            names[value] = f"gradient of {graph.node(leaf).name}"
        self._names = names
        leaves = {n.name: n for n in live(graph) if n.name is not None}
        feeds = {
            name: as_type(program.read(name), node.ty, np.float64) for name, node in leaves.items()
        }
        self._values = evaluate(graph, feeds, np.float64)
        trial = evaluate(graph, feeds, np.float64, compute=Disturbed(seed=0))
        self._bounds: dict[int, float] = {}
        for root in names:
            # Where the trial is not a number, rounding explains anything.
            error = _rank(relative_error(trial[root], self._values[root]))
            self._bounds[root] = max(EPSILON * ROUNDINGS, MARGIN * error)

    def compare(self, program: Program) -> Verification:
        """The program's results beside what was expected."""
        errors, bounds, faults = {}, {}, {}
        for root, name in self._names.items():
            found, expected = program.value(root), self._values[root]
            error, bound = relative_error(found, expected), self._bounds[root]
            errors[name], bounds[name] = error, bound
            if not error <= bound:
                faults[name] = f"{_at_worst(found, expected)} ({error:.2e}, at most {bound:.2e})"
        return Verification(errors, bounds, faults)


def _differences(found: Array, expected: Array) -> Array:
    """How far elements are apart. NaN and infinities are what they are expected to be, or not."""
    a, b = (array.ravel().astype(np.float64) for array in (found, expected))
    with np.errstate(invalid="ignore"):
        difference: Array = np.abs(a - b)
    difference[(a == b) | (np.isnan(a) & np.isnan(b))] = 0.0
    return difference


def _at_worst(found: Array, expected: Array) -> str:
    """The element that is furthest off."""
    difference = _differences(found, expected)
    worst = int(np.argmax(np.where(np.isnan(difference), np.inf, difference)))
    place = [int(i) for i in np.unravel_index(worst, expected.shape)]
    return f"is {found.ravel()[worst]:g} at {place}, and should be {expected.ravel()[worst]:g}"


def relative_error(found: Array, expected: Array) -> float:
    """The largest difference, as a part of the largest finite element expected."""
    magnitudes = np.abs(expected[np.isfinite(expected)])
    scale = float(np.max(magnitudes)) if magnitudes.size else 0.0
    error = float(np.max(_differences(found, expected)))
    return error / scale if scale else error
