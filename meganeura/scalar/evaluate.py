"""The NumPy meaning of a scalar expression: applied to every element of whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..dtypes import Array
from .approximate import MACHINE_OPS
from .expr import Const, Expr, Var
from .table import SCALAR_OPS


def _meaning(op: str) -> Callable[..., Array]:
    return SCALAR_OPS[op].numpy if op in SCALAR_OPS else MACHINE_OPS[op][1]


def evaluate(expr: Expr, inputs: Sequence[Array]) -> Array:
    """``expr`` over arrays that broadcast together, in the arrays' own precision."""
    dtype = np.result_type(*inputs)
    done: dict[Expr, Any] = {}

    def visit(e: Expr) -> Any:
        if e not in done:
            match e:
                case Const(value):
                    done[e] = dtype.type(value)
                case Var(index):
                    done[e] = inputs[index]
                case _:
                    args = [visit(arg) for arg in e.args]  # type: ignore[attr-defined]
                    done[e] = _meaning(e.op)(*args)  # type: ignore[attr-defined]
        return done[e]

    shape = np.broadcast_shapes(*(a.shape for a in inputs))
    return np.broadcast_to(np.asarray(visit(expr), dtype=dtype), shape)
