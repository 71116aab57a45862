"""The graph: nodes, the handles that name them, and the builder that appends them.

A `Graph` only grows; a node is never changed. A pass reads one graph and writes another. What a
graph is for is said by its roots: outputs are read by the user, and an update pairs a leaf that
persists between steps (a parameter, an optimizer's moment, a cache) with the value that replaces
it after the step. Nothing else is alive.

The methods that emit ops (``g.matmul``, ``g.conv2d``, …) live beside the ops, in ``ops/``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, SupportsIndex

import numpy as np

from ..arguments import UNFIT, Converters, checked, fit, narrowed, shown
from ..dtypes import DType
from ..errors import GraphError, Location, caller
from .handle import NotANumber
from .op import REGISTRY, Op
from .types import Shape, TensorType


@dataclass(frozen=True)
class Node:
    """One use of an op: which values go in, the type of the value that comes out."""

    id: int
    op: Op
    inputs: tuple[int, ...]
    ty: TensorType
    where: Location | None = field(default=None, compare=False)

    @property
    def name(self) -> str | None:
        """The name, if the node is a named leaf."""
        return getattr(self.op, "label", None)

    def __str__(self) -> str:
        shown = f'{self.op.name} "{self.name}"' if self.name else f"{self.op.name} (%{self.id})"
        return f"{shown} made at {self.where}" if self.where else shown


class Value(NotANumber):
    """A handle to a node of a graph; a `NodeId`.

    It compares and hashes as the node's number; `Graph.greater` and `Graph.equal` compare values.
    Operators write nodes: ``+ - * / ** @``, ``x[2:5, 1]`` and ``x.T``. A number beside an operator,
    whole or not, becomes a node. Handles of two graphs do not mix (`GraphError`). A handle is not
    a number: ``float``, ``if x``, ``x > 0`` and NumPy's functions are a `HandleError`.

    >>> x, w = g.input("x", [32, 784]), g.parameter("w", [784, 10])
    >>> (x @ w * 2)[0]
    %6: f32[10]
    """

    __slots__ = ("graph", "id")

    def __init__(self, graph: Graph, node_id: int) -> None:
        self.graph = graph
        self.id = node_id

    @property
    def node(self) -> Node:
        """The node this handle names."""
        return self.graph.node(self.id)

    @property
    def ty(self) -> TensorType:
        """The type of the value."""
        return self.node.ty

    @property
    def shape(self) -> Shape:
        """The shape of the value."""
        return self.node.ty.shape

    @property
    def dtype(self) -> DType:
        """The element type of the value."""
        return self.node.ty.dtype

    @property
    def name(self) -> str | None:
        """The name, if this is a named leaf."""
        return self.node.name

    @property
    def T(self) -> Value:
        """The value with its last two axes exchanged; a vector stays one."""
        rank = len(self.shape)
        axes = (*range(rank - 2), rank - 1, rank - 2) if rank >= 2 else tuple(range(rank))
        return REGISTRY["permute"](axes)(self)  # type: ignore[call-arg]

    def __index__(self) -> int:
        return self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value):
            return self.id == other.id and self.graph is other.graph
        return self.id == other

    def __repr__(self) -> str:
        return f"%{self.id}: {self.ty}"

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 0

    def __iter__(self) -> Iterator[Value]:
        raise GraphError("a node cannot be iterated over", hint="take parts of it with x[i]")

    def __getitem__(self, index: Any) -> Value:
        """``x[i]``, ``x[2:5, 1]``: whole numbers and slices of step 1, from the first axis on.

        Numbers count from the end if negative. A number out of range, another step, or ``…`` is a
        `GraphError`; a slice without elements a `ShapeError`.

        >>> x = g.input("x", [4, 6])
        >>> x[1].shape, x[:, -2:].shape
        ((6,), (4, 2))
        """
        starts, stops, kept = [], [], []
        parts = index if isinstance(index, tuple) else (index,)
        if len(parts) > len(self.shape):
            raise GraphError(f"{len(parts)} indices for a value of type {self.ty}")
        for size, part in zip_longest(self.shape, parts, fillvalue=slice(None)):
            start, stop = _range(size, part, self.ty)
            starts.append(start)
            stops.append(stop)
            if isinstance(part, slice):
                kept.append(stop - start)
        cut = REGISTRY["slice"](tuple(starts), tuple(stops))(self)  # type: ignore[call-arg]
        if len(kept) == len(self.shape):
            return cut
        return REGISTRY["reshape"](tuple(kept))(cut)  # type: ignore[call-arg]

    def _binary(self, name: str, other: Any, swap: bool = False) -> Value:
        pair = (self, self.graph.number(other) if _is_number(other) else other)
        a, b = reversed(pair) if swap else pair
        return self.graph.emit(REGISTRY[name](), a, b)

    def __add__(self, other: Any) -> Value:
        return self._binary("add", other)

    def __radd__(self, other: Any) -> Value:
        return self._binary("add", other, swap=True)

    def __sub__(self, other: Any) -> Value:
        return self._binary("sub", other)

    def __rsub__(self, other: Any) -> Value:
        return self._binary("sub", other, swap=True)

    def __mul__(self, other: Any) -> Value:
        return self._binary("mul", other)

    def __rmul__(self, other: Any) -> Value:
        return self._binary("mul", other, swap=True)

    def __truediv__(self, other: Any) -> Value:
        return self._binary("div", other)

    def __rtruediv__(self, other: Any) -> Value:
        return self._binary("div", other, swap=True)

    def __pow__(self, other: Any) -> Value:
        return self._binary("pow", other)

    def __rpow__(self, other: Any) -> Value:
        return self._binary("pow", other, swap=True)

    def __matmul__(self, other: Any) -> Value:
        return self._binary("matmul", other)

    def __rmatmul__(self, other: Any) -> Value:
        return self._binary("matmul", other, swap=True)

    def __neg__(self) -> Value:
        return self.graph.emit(REGISTRY["neg"](), self)

    def __abs__(self) -> Value:
        return self.graph.emit(REGISTRY["abs"](), self)


NodeId = Value


def _is_number(value: Any) -> bool:
    return fit(value, float) is not UNFIT


def _range(size: Any, part: Any, ty: TensorType) -> tuple[int, int]:
    """The first and the past-the-last index that ``part`` takes of an axis."""
    if isinstance(part, slice):
        ends = [fit(end, int | None) for end in (part.start, part.stop, part.step)]
        if any(end is UNFIT for end in ends) or ends[2] not in (None, 1):
            raise GraphError(f"a slice has whole ends and step 1, got {shown(part)} on {ty}")
        start, stop, _ = slice(*ends).indices(size)
        return start, stop
    index = fit(part, int)
    if index is UNFIT:
        raise GraphError(f"an index is a whole number or a slice, got {shown(part)} on {ty}")
    if not -size <= index < size:
        raise GraphError(f"the index {index} is out of range on {ty}")
    return index % size, index % size + 1


class Graph:
    """An append-only builder of nodes.

    Public methods of subclasses are held to their annotations: an argument annotated as a
    `Value` is checked to be a handle of this graph, a number is a number."""

    def __init_subclass__(cls) -> None:
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and not name.startswith("_"):
                setattr(cls, name, checked(method, converters=Graph._operand_converter))

    def _operand_converter(self, method: str) -> Converters:
        return {Value: lambda value: self.operand(method, value)}

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._outputs: tuple[int, ...] = ()
        self._names: dict[str, int] = {}
        self._updates: dict[int, int] = {}
        self._gradients: dict[int, int] = {}
        self._newest: dict[int, int] = {}
        self._location: Location | None = None

    # Reading

    def nodes(self) -> Sequence[Node]:
        """All nodes; ``nodes()[i].id == i``.

        >>> y = g.relu(g.input("x", [2]))
        >>> [node.op.name for node in g.nodes()]
        ['input', 'relu']
        """
        return tuple(self._nodes)

    def node(self, node_id: SupportsIndex) -> Node:
        """The node with that number; if there is none, it is a `GraphError`."""
        if type(node_id) is int and 0 <= node_id < len(self._nodes):  # as passes ask, often
            return self._nodes[node_id]
        return self._nodes[self.value(node_id).id]

    def outputs(self) -> list[Value]:
        """The values the user reads, in the order given to `set_outputs`.

        >>> g.set_outputs([g.input("x", [2])])
        >>> g.outputs()
        [%0: f32[2]]
        """
        return [Value(self, i) for i in self._outputs]

    def updates(self) -> Mapping[int, int]:
        """For each leaf that a step replaces, the value that replaces it, as numbers of nodes.

        >>> count = g.state("count", [1])
        >>> g.set_update(count, count + 1)
        >>> g.updates()
        {0: 2}
        """
        return dict(self._updates)

    def gradients(self) -> Mapping[int, int]:
        """For each parameter, its gradient, if the graph was differentiated, as numbers of nodes.

        >>> g.set_outputs([g.sum_all(g.parameter("w", [2]))])
        >>> sorted(mg.differentiate(g).gradients())
        [0]
        """
        return dict(self._gradients)

    @checked
    def leaf(self, name: str) -> Value | None:
        """The leaf with that name, if there is one.

        >>> x = g.input("x", [2])
        >>> g.leaf("x") == x, g.leaf("y")
        (True, None)
        """
        found = self._names.get(name)
        return None if found is None else Value(self, found)

    def value(self, node_id: Any) -> Value:
        """A handle for a node's number, or the handle itself if it is of this graph.

        A number that no node has, or a handle of another graph, is a `GraphError`.

        >>> g.value(g.input("x", [2]).id)
        %0: f32[2]
        """
        if isinstance(node_id, Value):
            if node_id.graph is not self:
                raise GraphError(
                    f"the handle {node_id!r} belongs to another graph",
                    hint="nodes of two graphs cannot be connected; build both parts in one Graph",
                )
            return node_id
        number = node_id if type(node_id) is int else fit(node_id, int)
        if number is UNFIT or not 0 <= number < len(self):
            raise GraphError(
                f"there is no node {shown(node_id)} in this graph of {len(self)} nodes"
            )
        return Value(self, number)

    def __len__(self) -> int:
        return len(self._nodes)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def _content(self) -> tuple[Any, ...]:
        return self._nodes, self._outputs, self._updates, self._gradients

    # Building

    def emit(self, op: Op, *inputs: Any) -> Value:
        """Append a node that applies ``op``, after checking its operands.

        A float among the inputs becomes a node. A value that a later write replaced (`cache_write`)
        is read as it is after that write. The methods named after ops call it.

        >>> g.emit(g.relu(0.5).node.op, g.input("x", [2]))
        %3: f32[2]
        """
        operands = [self.operand(op.name, value) for value in inputs]
        ids = tuple(self._newest.get(value.id, value.id) for value in operands)
        types = [self._nodes[i].ty for i in ids]
        op.check_operands(*types)
        return self.append(op, ids, op.infer(*types), self.location())

    def append(
        self, op: Op, inputs: Sequence[int], ty: TensorType, where: Location | None
    ) -> Value:
        """Append a node that is known to be right; for passes that copy nodes.

        Nothing is checked but that a leaf's name is new (`GraphError`).

        >>> node = g.input("x", [2]).node
        >>> mg.Graph().append(node.op, node.inputs, node.ty, node.where)
        %0: f32[2]
        """
        node = Node(len(self._nodes), op, tuple(inputs), ty, where)
        if node.name is not None:
            if node.name in self._names:
                first = self._nodes[self._names[node.name]]
                raise GraphError(
                    f'{op.name}: there is already a leaf named "{node.name}"',
                    hint=f"the first was {first}; leaf names are unique",
                )
            self._names[node.name] = node.id
        self._nodes.append(node)
        return Value(self, node.id)

    def operand(self, op: str, value: Any) -> Value:
        """A handle of this graph, or a float made a node; anything else is a `GraphError`.

        A bare integer is refused: it could mean a node or a number. ``op`` is who asks, for the
        error.

        >>> g.operand("add", 0.5)
        %0: f32[]
        """
        if isinstance(value, Value):
            return self.value(value)
        if isinstance(value, (float, np.floating)):
            return self.number(float(value))
        hint = "make a node of data with g.constant(data, shape)"
        if fit(value, int) is not UNFIT:
            hint = f"for the number write {shown(value)}.0, for the node g.value({shown(value)})"
        raise GraphError(
            f"{op}: an operand must be a handle to a node, got {shown(value)}", hint=hint
        )

    @checked
    def number(self, value: float) -> Value:
        """A node of shape ``[]`` that holds a number; it broadcasts against anything.

        >>> g.number(0.5)
        %0: f32[]
        """
        return self.full(value, ())

    @checked
    def full(self, value: float, shape: Sequence[int]) -> Value:
        """A value whose elements are all the same number, in F32.

        A finite number that F32 cannot hold is a `GraphError`.

        >>> g.full(0.5, [2, 3])
        %0: f32[2, 3]
        """
        ty = TensorType.f32(shape)
        narrowed(np.asarray(value), np.float32, "full")
        return self.emit(REGISTRY["full"](value=value, ty=ty))  # type: ignore[call-arg]

    def set_outputs(self, ids: Sequence[SupportsIndex] | Value) -> None:
        """Say which values the user reads; the first is the loss of a training graph.

        A later call replaces an earlier one. Without a value, it is a `GraphError`.

        >>> x = g.input("x", [2])
        >>> g.set_outputs([g.sum_all(x), g.relu(x)])
        """
        given = [ids] if isinstance(ids, Value) else ids
        if not isinstance(given, (list, tuple)) or not given:
            raise GraphError(
                f"set_outputs takes a list of at least one node, got {shown(ids)}",
                hint="g.set_outputs([loss])",
            )
        newest = self._newest
        values = [self.value(i).id for i in given]
        self._outputs = tuple(newest.get(i, i) for i in values)

    def set_update(self, leaf: Value, value: Value) -> None:
        """Say that ``value``, of the same type (`GraphError`), replaces ``leaf`` after a step."""
        leaf, value = self.value(leaf), self.value(value)
        if leaf.name is None:
            raise GraphError(f"{leaf.node} is no leaf: it has no value after a step to replace")
        if leaf.ty != value.ty:
            raise GraphError(f"{leaf.node} is {leaf.ty}: it cannot become {value.ty}")
        self._updates[leaf.id] = value.id

    def set_gradient(self, leaf: Value, value: Value) -> None:
        """Record that ``value`` is the gradient of the loss by ``leaf``; for `differentiate`."""
        self._gradients[leaf.id] = value.id

    def supersede(self, old: Value, new: Value) -> None:
        """From here on, handles to ``old`` mean ``new``; a leaf also becomes it after the step.

        `cache_write` does so. Nodes that were appended before still read ``old``."""
        current = self._newest.get(old.id, old.id)
        for earlier in [i for i, n in self._newest.items() if n == current]:
            self._newest[earlier] = new.id
            self._update_leaf(earlier, new)
        self._newest[old.id] = self._newest[current] = new.id
        self._update_leaf(old.id, new)

    def _update_leaf(self, node_id: int, new: Value) -> None:
        if self._nodes[node_id].name is not None:
            self._updates[node_id] = new.id

    def location(self) -> Location | None:
        """Where a node emitted now is said to be made."""
        return self._location or caller()

    @contextmanager
    def located(self, where: Location | None) -> Iterator[None]:
        """Nodes emitted inside are said to be made at ``where``, not at the caller's line."""
        outer, self._location = self._location, where
        try:
            yield
        finally:
            self._location = outer

    def copy_roots(self, source: Graph, ids: Mapping[int, int] | Callable[[int], int]) -> None:
        """Take over outputs, updates and gradients of a graph whose nodes were copied here.

        ``ids`` gives the number here of each node there."""
        to = ids if callable(ids) else ids.__getitem__
        self._outputs = tuple(to(i) for i in source._outputs)
        self._updates = {to(a): to(b) for a, b in source._updates.items()}
        self._gradients = {to(a): to(b) for a, b in source._gradients.items()}
