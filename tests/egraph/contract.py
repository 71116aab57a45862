"""What rules may change (docs/decisions/0022), held against float32 up to the ends of its range.

A graph as it was built is the original: each of its values is computed in float32, and all that
rules have added to its classes is compared with them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import DTypeLike

from meganeura.egraph.classes import Classes, ENode
from tests.egraph.proof import Arrays, Disagreement, evaluated

LEAST, MOST = 2.0**-126, 2.0**127
"""An original is tame if all it computes is zero or of such a size."""
CLOSE = 2.0**-17
"""How far apart results may be: some roundings, as a part of the largest number added up."""
TILE_MOST, TILE_CLOSE = MOST / 2**10, 2.0**-12
"""By tiles neighbours are added up before they are multiplied."""

SIZES = (0.0, 1e-30, 1e-10, 0.3, 1.0, 7.0, 1e10, 1e30, 2.0**-125, 2.0**-63, 2.0**63, 2.0**125)
NOT_FINITE = (np.inf, -np.inf, np.nan)
ODD = (-0.0, 2.0**-149, 2.0**-130, 3.4e38, -3.4e38, *NOT_FINITE)
SUMS = ("add", "sum", "mean", "matmul", "matmul_by_sums", "mul", "neg", "reshape", "broadcast_to")


def extremes(classes: Classes, seed: int = 0) -> Iterator[Arrays]:
    """Data for the leaves: all numbers of one leaf are near one size, or all of one row."""
    rng = np.random.default_rng(seed)
    for size in SIZES:
        for is_first in (True, False):
            leaves = {}
            for label, shape in _labels(classes):
                mine = size if is_first else rng.choice(SIZES)
                leaves[label] = _near(rng, mine, label, shape)
            yield leaves


def in_rows(classes: Classes) -> Arrays:
    """Data for the leaves: a row of each size."""
    rng = np.random.default_rng(0)
    sizes = np.array(SIZES)[:, None]
    return {label: _near(rng, sizes, label, shape) for label, shape in _labels(classes)}


def _labels(classes: Classes) -> Iterator[tuple[str, tuple[int, ...]]]:
    for number, nodes in classes.nodes.items():
        for label in (getattr(node.op, "label", None) for node in nodes):
            if label is not None:
                yield label, classes.types[number].shape


def _near(
    rng: np.random.Generator, size: float | np.ndarray, label: str, shape: tuple[int, ...]
) -> np.ndarray:
    array = rng.uniform(1.0, 1.9, shape) * size
    if not label.startswith("positive"):
        array *= rng.choice((-1.0, 1.0), shape)
    return array.astype(np.float32)


def sprinkled(leaves: Arrays, values: tuple[float, ...], seed: int = 0) -> Arrays:
    """With some numbers in the place of others."""
    rng = np.random.default_rng(seed)
    return {
        label: np.where(
            rng.random(array.shape) < 0.2, rng.choice(values, array.shape), array
        ).astype(np.float32)
        for label, array in leaves.items()
    }


class Checked:
    """All e-nodes of some classes, in float32; ``originals`` are what the others are held to."""

    def __init__(self, classes: Classes, leaves: Arrays, originals: frozenset[ENode]) -> None:
        self.classes, self.leaves, self.originals = classes, leaves, originals
        self.values: dict[int, np.ndarray] = {}
        self.exact: dict[int, np.ndarray] = {}
        """The values in float64."""
        self.sizes: dict[int, np.ndarray] = {}
        """The values as if nothing cancelled: rounding goes by them."""
        pending = list(classes.nodes)
        while pending:
            waiting = [number for number in pending if not self._is_filled(number)]
            assert len(waiting) < len(pending), "a class is given only by itself"
            pending = waiting

    def _is_filled(self, number: int) -> bool:
        """Fill in a class's values, by an original if it has one, once what that reads has some."""
        nodes = self.classes.nodes[number]
        own = [node for node in nodes if node in self.originals] or nodes
        node = next((n for n in own if all(i in self.values for i in n.inputs)), None)
        if node is None:
            return False
        self.values[number] = self._found(number, node, self.values)
        self.exact[number] = self._found(number, node, self.exact, np.float64)
        self.sizes[number] = self._size(number, node)
        return True

    def _size(self, number: int, node: ENode) -> np.ndarray:
        size = np.abs(self.values[number])
        if node.op.name == "sub":
            a, b = node.inputs
            with np.errstate(over="ignore"):
                size = self.sizes[a] + self.sizes[b]
        elif node.op.name == "div":
            a, b = node.inputs
            with np.errstate(all="ignore"):
                size = np.maximum(size, self.sizes[a] / np.abs(self.values[b]))
        elif (node.op.name in SUMS or "conv2d" in node.op.name) and not getattr(node.op, "tile", 0):
            size = np.abs(self._found(number, node, self.sizes))
        return np.where(np.isfinite(size), size, np.inf)

    def _found(
        self,
        number: int,
        node: ENode,
        values: dict[int, np.ndarray],
        dtype: DTypeLike = np.float32,
    ) -> np.ndarray:
        return evaluated(self.classes, number, node, values, self.leaves, dtype)

    @cached_property
    def found(self) -> dict[int, list[tuple[ENode, np.ndarray]]]:
        """What every e-node gives, of the values of the classes that it reads."""
        return {
            number: [(node, self._found(number, node, self.values)) for node in nodes]
            for number, nodes in self.classes.nodes.items()
        }

    def tame(self, most: float, by_rows: bool) -> np.ndarray:
        """Whether the original's values are exactly zero or of moderate size, and so is what it
        adds up; by rows, for each."""
        rows = np.array(True)
        for number, nodes in self.classes.nodes.items():
            if not self.originals.isdisjoint(nodes):
                value, exact = np.abs(self.values[number]), self.exact[number]
                good = (value >= LEAST) | ((value == 0) & (exact == 0))
                rows = rows & _together(good & (self.sizes[number] <= most), by_rows)
        return rows


def _together(array: np.ndarray, by_rows: bool) -> np.ndarray:
    """Whether all is so, in each row or everywhere."""
    if not by_rows or array.ndim == 0:
        return np.asarray(array.all())
    return array.reshape(len(array), -1).all(axis=1)


def check_tame(
    classes: Classes,
    leaves: Arrays,
    by_tiles: bool = False,
    all_given: bool = False,
    by_rows: bool = False,
) -> bool:
    """Where the original is tame, all that rules have added is finite, and near it. Whether it
    was. With ``all_given`` all e-nodes are the original's: an op and what it is defined as."""
    originals = classes.given
    if all_given:
        originals = frozenset(node for nodes in classes.nodes.values() for node in nodes)
    checked = Checked(classes, leaves, originals)
    tame = checked.tame(TILE_MOST if by_tiles else MOST, by_rows)
    if not tame.any():
        return False
    for number, found in checked.found.items():
        value, sizes = checked.values[number].astype(np.float64), checked.sizes[number]
        close = TILE_CLOSE * sizes.max(initial=0.0) if by_tiles else CLOSE * sizes
        for node, other in found:
            with np.errstate(all="ignore"):
                good = np.isfinite(other) & (np.abs(other - value) <= close)
            if not np.all(_together(good, by_rows) | ~tame):
                raise Disagreement(f"class {number}: {node.op} is {other}, not {value}")
    return True


def check_not_finite(classes: Classes, leaves: Arrays) -> None:
    """What is not finite stays so, and nothing else becomes so, where only leaves bring it in."""
    checked = Checked(classes, leaves, classes.given)
    for number, found in checked.found.items():
        expected = np.isfinite(checked.values[number])
        for node, other in found:
            if not np.array_equal(np.isfinite(other), expected):
                raise Disagreement(f"class {number}: {node.op} is {other}")


def check_bits(classes: Classes, leaves: Arrays) -> None:
    """All e-nodes of a class agree in every bit; a NaN is a NaN."""
    checked = Checked(classes, leaves, classes.given)
    for number, found in checked.found.items():
        for node, other in found:
            if _bits(other) != _bits(checked.values[number]):
                value = checked.values[number]
                raise Disagreement(f"class {number}: {node.op} is {other}, not {value}")


def _bits(array: np.ndarray) -> bytes:
    return np.where(np.isnan(array), np.nan, array).astype(array.dtype).tobytes()
