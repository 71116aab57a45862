"""Sums of products in NumPy, for the references of matrix products and convolutions.

BLAS may leave out what a factor of 0 multiplies, so that 0 · NaN and 0 · ∞ are 0. It is asked only
where all factors are finite. `np.einsum` takes a factor that is the same in memory out of a sum, so
that ∞ · 0 + ∞ · 1 is ∞: then no two places share memory.
"""

from __future__ import annotations

import numpy as np

from ..dtypes import Array


def contract(formula: str, a: Array, b: Array) -> Array:
    """``np.einsum`` of two arrays."""
    if _finite(a) and _finite(b):
        return np.asarray(np.einsum(formula, a, b, optimize=True))
    return np.asarray(np.einsum(formula, np.ascontiguousarray(a), np.ascontiguousarray(b)))


def matrix_product(a: Array, b: Array) -> Array:
    """``a @ b``, for batches of matrices, too."""
    if _finite(a) and _finite(b):
        return np.asarray(np.matmul(a, b))
    return contract("...mk,...kn->...mn", a, b)


def _finite(array: Array) -> bool:
    return bool(np.isfinite(array).all())
