"""How far our results are from PyTorch's. Needs NumPy only, so that it imports everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

NEEDS_TORCH = "compares with PyTorch; install the extra [parity]"

TOLERANCE = 1e-9
"""The largest relative error in float64: far above rounding, far below any mistake."""


def relative_error(ours: ArrayLike, theirs: ArrayLike) -> float:
    """``‖ours − theirs‖ / ‖theirs‖``; where theirs is all zeros, ours must be exactly that."""
    a, b = np.asarray(ours), np.asarray(theirs)
    difference, size = float(np.linalg.norm(a - b)), float(np.linalg.norm(b))
    return difference / size if difference else 0.0


def assert_close(
    ours: ArrayLike, theirs: ArrayLike, what: str, tolerance: float = TOLERANCE
) -> None:
    """Fail unless the shapes are equal and the relative error is below the tolerance."""
    a, b = np.shape(ours), np.shape(theirs)
    assert a == b, f"{what}: our shape is {a}, PyTorch's is {b}"
    error = relative_error(ours, theirs)
    # Written so that a NaN fails.
    assert error < tolerance, f"{what}: relative error {error:.1e}"
