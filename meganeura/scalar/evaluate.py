"""The NumPy meaning of a scalar expression: applied to every element of whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..dtypes import Array
from .approximate import MACHINE_OPS
from .expr import Call, Const, Expr, Var, fold
from .table import SCALAR_OPS


def _meaning(op: str) -> Callable[..., Array]:
    return SCALAR_OPS[op].numpy if op in SCALAR_OPS else MACHINE_OPS[op][1]


def evaluate(expr: Expr, inputs: Sequence[Array]) -> Array:
    """``expr`` over arrays that broadcast together, in the arrays' own precision."""
    dtype = np.result_type(*inputs)

    def visit(part: Expr, args: Sequence[Any]) -> Any:
        match part:
            case Const(value):
                return dtype.type(value)
            case Var(index):
                return inputs[index]
            case Call(op, _):
                return _meaning(op)(*args)

    shape = np.broadcast_shapes(*(a.shape for a in inputs))
    return np.broadcast_to(np.asarray(fold(expr, visit), dtype=dtype), shape)
