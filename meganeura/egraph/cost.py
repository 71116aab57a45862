"""What a kernel costs, in nanoseconds: its launch, the bytes it moves, the operations it does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod

from ..ir.op import Op
from ..ir.pointwise import PointwiseOp
from ..ir.types import TensorType
from ..ops.conv import Conv2d, Conv2dGradInput, Conv2dGradWeight
from ..ops.layout import Concat, Pad
from ..ops.matmul import Matmul
from ..ops.reduce import ReduceOp
from ..scalar.expr import variables
from ..scalar.table import cost as adds


@dataclass(frozen=True)
class Rates:
    """How fast a device is."""

    launch_ns: float
    bytes_per_ns: float
    operations_per_ns: float
    """Scalar operations of elementwise kernels."""
    products_per_ns: float
    """Multiplications and additions of convolutions and matrix products, as pairs."""


CHOICE = 8
"""What it costs to see which part of a concatenation, or whether any, an element is in."""
RATES = {
    "cpu": Rates(launch_ns=1500.0, bytes_per_ns=20.0, operations_per_ns=12.0, products_per_ns=80.0),
    "gpu": Rates(
        launch_ns=5000.0, bytes_per_ns=200.0, operations_per_ns=2000.0, products_per_ns=2000.0
    ),
}
"""What a target of each kind is taken to be: two cores with AVX2, and a small GPU."""


@lru_cache(maxsize=65536)
def operations(op: Op, arity: int) -> int:
    """Scalar operations for one element of an op that can be inlined."""
    if isinstance(op, (Concat, Pad)):
        return CHOICE * max(1, arity - 1)
    if not isinstance(op, PointwiseOp):
        return 0
    return adds(op.formula(*variables(arity)))


def products(op: Op, out: TensorType, inputs: list[TensorType]) -> int:
    """Pairs of a multiplication and an addition that an op takes by itself."""
    match op:
        case Conv2d():
            return out.num_elements() * prod(inputs[1].shape[1:])
        case Conv2dGradInput():
            weight = inputs[1].shape
            return inputs[0].num_elements() * prod(weight[1:])
        case Conv2dGradWeight():
            return inputs[1].num_elements() * prod(out.shape[1:])
        case Matmul():
            return out.num_elements() * inputs[0].shape[-1]
    return 0


PASSES: dict[type[Op], float] = {Conv2d: 1.6, Conv2dGradInput: 1.6, Conv2dGradWeight: 1.6}
"""How often such an op looks at an element that is computed as it is read: rows are staged more
than once."""
ROW_PASSES = 3.0
"""The same for what goes over a row for its largest, its sum and its result."""


def passes(op: Op) -> float:
    """How often a kernel computes an element of an operand that it does not find in memory."""
    return PASSES.get(type(op), 1.0 if isinstance(op, (PointwiseOp, ReduceOp)) else ROW_PASSES)
