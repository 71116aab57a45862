"""Proof by numbers: leaves drawn at random, and every e-node of every class evaluated in float64.
Classes are whole, circles and all."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from meganeura.dtypes import DType
from meganeura.egraph.classes import Classes, ENode
from meganeura.ir.interpret import as_type

Arrays = dict[str, np.ndarray]

CLOSE = 1e-9
"""Far above the rounding of a few ops in float64, far below what a wrong rule does."""


class Disagreement(AssertionError):
    """Two e-nodes of one class have different values."""


def check_classes(
    classes: Classes, leaves: Arrays, dtype: DTypeLike = np.float64, close: float = CLOSE
) -> int:
    """Raise unless all e-nodes of each class agree; how many were compared."""
    values = values_of(classes, leaves, dtype)
    compared = 0
    for number, nodes in classes.nodes.items():
        value = values[number]
        inputs = [values[i] for i in classes.inputs(number)]
        if not all(np.isfinite(array).all() for array in (value, *inputs)):
            continue
        # What is left when large numbers cancel is known only as well as they are.
        scale = max((float(np.abs(a).max()) for a in (value, *inputs)), default=0.0)
        for node in nodes:
            found = evaluated(classes, number, node, values, leaves, dtype)
            compared += 1
            if found.shape != value.shape or not np.all(np.abs(found - value) <= close * scale):
                ways = "; ".join(str(other.op) for other in nodes)
                raise Disagreement(f"class {number}: {node.op} is {found}, not {value}: {ways}")
    return compared


def values_of(classes: Classes, leaves: Arrays, dtype: DTypeLike) -> dict[int, np.ndarray]:
    """A value for each class, by the first of its e-nodes that can be evaluated."""
    values: dict[int, np.ndarray] = {}
    pending = list(classes.nodes)
    while pending:
        waiting = []
        for number in pending:
            ready = (n for n in classes.nodes[number] if all(i in values for i in n.inputs))
            node = next(ready, None)
            if node is None:
                waiting.append(number)
            else:
                values[number] = evaluated(classes, number, node, values, leaves, dtype)
        assert len(waiting) < len(pending), "a class is given only by itself"
        pending = waiting
    return values


def evaluated(
    classes: Classes,
    number: int,
    node: ENode,
    values: dict[int, np.ndarray],
    leaves: Arrays,
    dtype: DTypeLike,
) -> np.ndarray:
    """The value of one e-node, by those of the classes that it reads."""
    label = getattr(node.op, "label", None)
    with np.errstate(all="ignore"):
        if label is not None:
            found = leaves[label]
        else:
            found = node.op.reference(*(values[i] for i in node.inputs))
    return as_type(found, classes.types[number], dtype)


def drawn(classes: Classes, seed: int = 0) -> Arrays:
    """Random data for each leaf; positive where its name says so."""
    rng = np.random.default_rng(seed)
    leaves = {}
    for number, nodes in classes.nodes.items():
        for label in (getattr(node.op, "label", None) for node in nodes):
            if label is not None:
                ty = classes.types[number]
                assert ty.dtype is DType.F32
                array = rng.normal(size=ty.shape)
                leaves[label] = np.abs(array) + 0.3 if label.startswith("positive") else array
    return leaves
