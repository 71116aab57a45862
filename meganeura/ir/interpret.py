"""The meaning of a graph: run it op by op with NumPy, in float32 or float64.

This is what every other way of running a graph is tested against.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ..arguments import checked, narrowed, shown
from ..dtypes import Array, DType
from ..errors import DTypeError, GraphError, Location, ShapeError, did_you_mean
from .graph import Graph, Node
from .memory import enough_memory
from .types import TensorType
from .walk import live, roots

Observer = Callable[[Node, Array], None]
Compute = Callable[[Node, list[Array]], Any]


@checked
def interpret(
    graph: Graph, feeds: Mapping[str, ArrayLike], dtype: DTypeLike = np.float32
) -> list[Array]:
    """The outputs of ``graph``, given an array for each named leaf that they need."""
    values = evaluate(graph, check_feeds(graph, feeds, dtype), dtype)
    return [values[value.id] for value in graph.outputs()]


def by_reference(node: Node, inputs: list[Array]) -> Any:
    """A node's value from its inputs', as its op means it."""
    return node.op.reference(*inputs)


def evaluate(
    graph: Graph,
    leaves: Mapping[str, Array],
    dtype: DTypeLike = np.float32,
    observe: Observer | None = None,
    compute: Compute = by_reference,
) -> dict[int, Array]:
    """The values of the roots of ``graph``, given its leaves' (checked) arrays.

    A value is dropped after its last use. ``observe`` is shown every node's value, ``compute``
    gives it."""
    needed_bytes = sum(node.ty.size_bytes() for node in live(graph))
    with enough_memory(graph, needed_bytes), np.errstate(all="ignore"):
        return _evaluate(graph, leaves, dtype, observe, compute)


def _evaluate(
    graph: Graph,
    leaves: Mapping[str, Array],
    dtype: DTypeLike,
    observe: Observer | None,
    compute: Compute,
) -> dict[int, Array]:
    nodes = live(graph)
    last_use = {i: node.id for node in nodes for i in node.inputs}
    kept = set(roots(graph))
    values: dict[int, Array] = {}
    for node in nodes:
        if node.name is not None:
            result = leaves[node.name]
        else:
            result = compute(node, [values[i] for i in node.inputs])
            result = as_type(result, node.ty, dtype)
        values[node.id] = result
        if observe is not None:
            observe(node, result)
        for i in node.inputs:
            if last_use[i] == node.id and i not in kept:
                values.pop(i, None)
    return values


def as_type(array: Any, ty: TensorType, dtype: DTypeLike) -> Array:
    """``array`` in the NumPy type that values of ``ty`` have in a run at ``dtype``."""
    with np.errstate(over="ignore"):  # a double beyond float32 is an infinity
        return np.asarray(array, dtype=dtype if ty.dtype is DType.F32 else ty.dtype.numpy)


def check_feeds(
    graph: Graph, feeds: Mapping[str, ArrayLike], dtype: DTypeLike = np.float32
) -> dict[str, Array]:
    """The arrays for the named leaves the graph needs, checked against their types and limits."""
    needed = {node.name: node for node in live(graph) if node.name is not None}
    known = [node.name for node in graph.nodes() if node.name is not None]
    for name in feeds:
        if name not in known:
            hint = did_you_mean(str(name), known)
            raise GraphError(f"there is no leaf named {shown(name)}", hint=hint)
    limits = index_limits(graph)
    result = {}
    for name, node in needed.items():
        if name not in feeds:
            raise GraphError(f"{node} was given no data", hint=f'feed it as "{name}"')
        result[name] = check_array(node, feeds[name], dtype)
        check_indices(node, result[name], limits)
    return result


def check_array(node: Node, data: ArrayLike, dtype: DTypeLike = np.float32) -> Array:
    """``data``, flat or shaped, as an array of the leaf's shape and type."""
    try:
        array = np.asarray(data)
    except ValueError:
        raise ShapeError(f"{node}: the data is not a regular array") from None
    ty, shown = node.ty, f"{node} is {node.ty}"
    if not (np.issubdtype(array.dtype, np.number) or array.dtype == np.bool_):
        raise DTypeError(f"{shown}: the data has elements of type {array.dtype}")
    if ty.dtype is DType.U32 and not _is_whole(array):
        raise DTypeError(
            f"{shown}: the data ({array.dtype}) must be whole numbers from 0 to 2³² − 1"
        )
    if np.iscomplexobj(array):
        raise DTypeError(f"{shown}: the data is complex")
    if array.shape != ty.shape and array.shape != (ty.num_elements(),):
        raise ShapeError(
            f"{shown}: the data has shape {list(array.shape)}",
            hint=f"pass shape {list(ty.shape)}, or flat with {ty.num_elements()} elements",
        )
    if ty.dtype is DType.F32:
        array = narrowed(array, dtype, shown, DTypeError)
    # In C order whatever the order given: NumPy's sums depend on it in the last bit.
    return np.array(as_type(array, ty, dtype).reshape(ty.shape), order="C")


def _is_whole(array: Array) -> bool:
    if not np.issubdtype(array.dtype, np.integer):
        return False
    return bool(np.all(array >= 0) and np.all(array <= 0xFFFFFFFF))


Limits = Mapping[int, tuple[int, str, Location | None]]


def index_limits(graph: Graph) -> Limits:
    """For each value that is used as indices: the smallest value out of range, and who says so.

    Of equal limits the first user's counts. Ops that only move data pass it on to what they
    read."""
    limits: dict[int, tuple[int, str, Location | None]] = {}

    def lower(node_id: int, limit: tuple[int, str, Location | None]) -> None:
        if node_id not in limits or limit[0] <= limits[node_id][0]:
            limits[node_id] = limit

    for node in reversed(live(graph)):
        types = [graph.node(i).ty for i in node.inputs]
        names = node.op.operand_names(len(node.inputs))
        for name, bound in node.op.index_limits(*types).items():
            lower(node.inputs[names.index(name)], (bound, f"{node.op.name}: {name}", node.where))
        if node.id in limits and node.ty.dtype is DType.U32:
            for i in node.inputs:
                lower(i, limits[node.id])
    return limits


def check_indices(node: Node, array: Array, limits: Limits) -> None:
    """Raise if a leaf's data holds an index that a user of it cannot take."""
    if node.id not in limits:
        return
    bound, who, where = limits[node.id]
    worst = int(array.max())
    if worst >= bound:
        raise GraphError(
            f'{who} out of range: "{node.name}" holds {worst}, valid are 0 to {bound - 1}',
            hint=f"the op was made at {where}" if where else None,
        )
