"""Winograd's algorithm: 3×3 convolutions of stride 1 by tiles, with fewer products.

A tile of m outputs in a row needs m + 2 inputs, and as many products: ``Aᵀ((G g) ⊙ (Bᵀ d))``, by
turns along both axes (Lavin & Gray 2015, arXiv:1509.09308). With m = 2 there are 2.25 times fewer
products than outputs by taps, with m = 4 four times.

The tiles are polynomials, multiplied by their values at m + 1 points and at infinity. The points
decide how exact the results are. For m = 2 they are 0 and ±1. For m = 4 the usual 0, ±1, ±2 lose
four times as much as 0, ±1/√2, ±√2, which cost no more: the squares are 1/2 and 2.

The gradient by weights is the same form with weights and outputs exchanged: products of
transformed inputs and gradients, summed over tiles, ``Gᵀ(Σ (A y) ⊙ (Bᵀ d))``.

The formulas take whatever can be added and multiplied: scalar expressions, or arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Formula = Callable[[Sequence[Any]], list[Any]]
"""Results of values along one axis."""

TAPS = 3
"""Taps along an axis."""
ROOT_HALF, ROOT_TWO = 0.5**0.5, 2.0**0.5
"""The points of m = 4, but their signs and 0."""


def _inputs_2(d: Sequence[Any]) -> list[Any]:
    return [d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]]


def _weights_2(g: Sequence[Any]) -> list[Any]:
    even, odd = (g[0] + g[2]) * 0.5, g[1] * 0.5
    return [g[0], even + odd, even - odd, g[2]]


def _outputs_2(m: Sequence[Any]) -> list[Any]:
    return [m[0] + m[1] + m[2], m[1] - m[2] - m[3]]


def _inputs_4(d: Sequence[Any]) -> list[Any]:
    a, b = d[4] - d[2] * 2.0, (d[3] - d[1] * 2.0) * ROOT_HALF
    c, e = d[4] - d[2] * 0.5, (d[3] - d[1] * 0.5) * ROOT_TWO
    first, last = d[0] - d[2] * 2.5 + d[4], d[1] - d[3] * 2.5 + d[5]
    return [first, a + b, a - b, c + e, c - e, last]


def _weights_4(g: Sequence[Any]) -> list[Any]:
    a, b = g[0] * (-2 / 3) - g[2] * (1 / 3), g[1] * (-2 / 3 * ROOT_HALF)
    c, e = g[0] * (1 / 6) + g[2] * (1 / 3), g[1] * (1 / 6 * ROOT_TWO)
    return [g[0], a + b, a - b, c + e, c - e, g[2]]


def _outputs_4(m: Sequence[Any]) -> list[Any]:
    a, b = m[1] + m[2], (m[1] - m[2]) * ROOT_HALF
    c, e = m[3] + m[4], (m[3] - m[4]) * ROOT_TWO
    return [m[0] + a + c, b + e, a * 0.5 + c * 2.0, b * 0.5 + e * 2.0 + m[5]]


def _gradients_2(y: Sequence[Any]) -> list[Any]:
    return [y[0], y[0] + y[1], y[0] - y[1], y[1] * -1.0]


def _taps_2(u: Sequence[Any]) -> list[Any]:
    even, odd = (u[1] + u[2]) * 0.5, (u[1] - u[2]) * 0.5
    return [u[0] + even, odd, even + u[3]]


def _gradients_4(y: Sequence[Any]) -> list[Any]:
    a, b = y[0] + y[2] * 0.5, (y[1] + y[3] * 0.5) * ROOT_HALF
    c, e = y[0] + y[2] * 2.0, (y[1] + y[3] * 2.0) * ROOT_TWO
    return [y[0], a + b, a - b, c + e, c - e, y[3]]


def _taps_4(u: Sequence[Any]) -> list[Any]:
    a, b = (u[1] + u[2]) * (-2 / 3), (u[1] - u[2]) * (-2 / 3 * ROOT_HALF)
    c, e = (u[3] + u[4]) * (1 / 6), (u[3] - u[4]) * (1 / 6 * ROOT_TWO)
    return [u[0] + a + c, b + e, a * 0.5 + c * 2.0 + u[5]]


INPUTS: dict[int, Formula] = {2: _inputs_2, 4: _inputs_4}
WEIGHTS: dict[int, Formula] = {2: _weights_2, 4: _weights_4}
OUTPUTS: dict[int, Formula] = {2: _outputs_2, 4: _outputs_4}
"""The formulas along one axis, by outputs of a tile."""
GRADIENTS: dict[int, Formula] = {2: _gradients_2, 4: _gradients_4}
SUMMED: dict[int, Formula] = {2: _taps_2, 4: _taps_4}
"""The same turned round, for gradients by weights: outputs to points, ``A``, and points to taps,
``Gᵀ``."""


def points(tile: int) -> int:
    """Products along an axis for a tile of so many outputs."""
    return tile + TAPS - 1


def along_both(formula: Formula, values: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """A formula along the rows of a square, and then along the columns."""
    rows = [formula(row) for row in values]
    columns = [formula(list(column)) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]
