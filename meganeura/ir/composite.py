"""Ops given by a definition in simpler ops.

The definition is a small graph, made once for each op and operand types. Shape and meaning come
from it; autodiff differentiates it unless the op gives a gradient of its own. The node itself
stays whole in the graph, so a target may run it as one kernel.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

from ..dtypes import Array, DType
from ..errors import InternalError
from .graph import Graph, Value
from .interpret import Compute, by_reference, evaluate
from .op import REGISTRY, Op
from .types import TensorType


class CompositeOp(Op):
    """An op that is an abbreviation for simpler ops."""

    declared_by: ClassVar[str] = "define"

    def define(self, *args: Any, **kwargs: Any) -> Value:
        """The result, written with simpler ops."""
        raise InternalError(f"{self.name} has no definition")

    def check(self, *args: Any, **kwargs: Any) -> None:
        """``check(*types)``: raise the rule that the operands' types break."""

    def infer(self, *types: TensorType) -> TensorType:
        """The type of the definition."""
        self.check(*types)
        return definition(self, types).outputs()[0].ty

    def reference(self, *inputs: Array) -> Array:
        """The meaning of the definition."""
        return self.computed(by_reference, *inputs)

    def computed(self, compute: Compute, *inputs: Array) -> Array:
        """The definition's value, each of its nodes computed so."""
        types = tuple(_type_of(a) for a in inputs)
        graph = definition(self, types)
        leaves = {f"{i}": a for i, a in enumerate(inputs)}
        dtype = next(a.dtype for a in inputs if a.dtype.kind == "f")
        return evaluate(graph, leaves, dtype, compute=compute)[graph.outputs()[0].id]


def _type_of(array: Array) -> TensorType:
    return TensorType(array.shape, DType.F32 if array.dtype.kind == "f" else DType.U32)


@lru_cache(maxsize=4096)
def definition(op: CompositeOp, types: tuple[TensorType, ...]) -> Graph:
    """The definition of ``op`` for operands of these types; its leaves are the operands."""
    graph = Graph()
    operands = [
        graph.emit(REGISTRY["input"](label=f"{i}", ty=ty))  # type: ignore[call-arg]
        for i, ty in enumerate(types)
    ]
    graph.set_outputs([op.define(*operands)])
    return graph
