"""The text form of a graph, and its parser.

One line a node, then the roots::

    %0 = input(label="x") : f32[32, 784]
    %1 = parameter(label="w") : f32[784, 10]
    %2 = matmul(%0, %1) : f32[32, 10]
    output %2
    gradient %1 <- %7
    update %1 <- %9

Attributes come from the op's fields; those at their default are left out, and a field ``ty`` is
the type after the colon. Parsing gives an equal graph. Text is read as data, never evaluated, and
every node is checked as if it had been built by hand.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import re
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

from ..dtypes import DType
from ..errors import FormatError, GraphError, did_you_mean
from .graph import Graph, Node
from .op import REGISTRY, Op
from .types import TensorType

G = TypeVar("G", bound=Graph)

_SHOWN_ELEMENTS = 16
_DEEPEST = 4


def print_graph(graph: Graph, *, locations: bool = False) -> str:
    """The graph's text; with ``locations``, where each node was made stands behind a ``#``."""
    lines = []
    for node in graph.nodes():
        line = print_node(node)
        if locations and node.where is not None:
            line = f"{line:<60}  # {node.where}"
        lines.append(line)
    lines += [f"output %{value.id}" for value in graph.outputs()]
    lines += [f"gradient %{leaf} <- %{value}" for leaf, value in graph.gradients().items()]
    lines += [f"update %{leaf} <- %{value}" for leaf, value in graph.updates().items()]
    return "\n".join(lines) + "\n"


def print_node(node: Node) -> str:
    """One node's line."""
    arguments = [f"%{i}" for i in node.inputs]
    for field in dataclasses.fields(node.op):  # type: ignore[arg-type]
        value = getattr(node.op, field.name)
        if field.name != "ty" and value != field.default:
            arguments.append(f"{field.name}={_print_value(value, node.ty)}")
    return f"%{node.id} = {node.op.name}({', '.join(arguments)}) : {node.ty}"


def _print_value(value: Any, ty: TensorType) -> str:
    match value:
        case tuple():
            return f"[{', '.join(_print_value(v, ty) for v in value)}]"
        case str():
            return _quote(value)
        case bytes():
            return _print_data(value, ty)
        case bool() | None:
            return str(value).lower()
    return repr(value)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _print_data(data: bytes, ty: TensorType) -> str:
    """Few finite numbers as a list, anything else as base64 of its bytes."""
    array = np.frombuffer(data, ty.dtype.numpy)
    if len(array) <= _SHOWN_ELEMENTS and np.all(np.isfinite(array)):
        return f"data[{', '.join(repr(x) for x in array.tolist())}]"
    return f'data"{base64.b64encode(data).decode()}"'


def parse_graph(text: str, graph: G) -> G:
    """Append the nodes written in ``text`` to an empty graph, and set its roots."""
    outputs: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        tokens = _Tokens(line, number)
        try:
            match tokens.peek():
                case None:
                    continue
                case "output":
                    tokens.take("output")
                    outputs.append(tokens.node(graph))
                case "gradient" | "update" as kind:
                    _parse_pair(tokens, graph, kind)
                case _:
                    _parse_node(tokens, graph)
            tokens.end()
        except GraphError as error:
            raise FormatError(f"line {number}: {error.message}", hint=error.hint) from None
    if outputs:
        graph.set_outputs(outputs)
    return graph


def _parse_pair(tokens: _Tokens, graph: Graph, kind: str) -> None:
    tokens.take(kind)
    leaf = graph.value(tokens.node(graph))
    tokens.take("<-")
    value = graph.value(tokens.node(graph))
    if kind == "update":
        graph.set_update(leaf, value)
    else:
        graph.set_gradient(leaf, value)


def _parse_node(tokens: _Tokens, graph: Graph) -> None:
    if tokens.next() != f"%{len(graph)}":
        tokens.fail(f"expected the node %{len(graph)}")
    tokens.take("=")
    name = tokens.next()
    if name not in REGISTRY:
        tokens.fail(f"there is no op {name!r}", hint=did_you_mean(name, sorted(REGISTRY)))
    inputs, attributes = _parse_arguments(tokens, graph)
    tokens.take(":")
    ty = tokens.tensor_type()
    op = _make_op(tokens, REGISTRY[name], attributes, ty)
    types = [graph.node(i).ty for i in inputs]
    op.check_operands(*types)
    inferred = op.infer(*types)
    if inferred != ty:
        tokens.fail(f"{name} gives {inferred}, the text says {ty}")
    graph.append(op, inputs, ty, None)


def _parse_arguments(tokens: _Tokens, graph: Graph) -> tuple[list[int], dict[str, Any]]:
    inputs: list[int] = []
    attributes: dict[str, Any] = {}
    tokens.take("(")
    while tokens.peek() != ")":
        if inputs or attributes:
            tokens.take(",")
        if (tokens.peek() or "").startswith("%"):
            inputs.append(tokens.node(graph))
        else:
            key = tokens.next()
            tokens.take("=")
            attributes[key] = tokens.value()
    tokens.take(")")
    return inputs, attributes


def _make_op(tokens: _Tokens, cls: type[Op], attributes: dict[str, Any], ty: TensorType) -> Op:
    fields = {f.name: f for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
    if "ty" in fields:
        attributes["ty"] = ty
    for key, value in attributes.items():
        if key not in fields:
            tokens.fail(f"{cls.name} has no attribute {key!r}")
        if isinstance(value, _Data):
            attributes[key] = value.as_bytes(ty.dtype)
    missing = [
        n for n, f in fields.items() if n not in attributes and f.default is dataclasses.MISSING
    ]
    if missing:
        tokens.fail(f"{cls.name} lacks its attribute {missing[0]!r}")
    return cls(**attributes)


@dataclasses.dataclass(frozen=True)
class _Data:
    """A constant's elements as they stand in the text."""

    content: str | tuple[Any, ...]

    def as_bytes(self, dtype: DType) -> bytes:
        if isinstance(self.content, tuple):
            return np.asarray(self.content, dtype=dtype.numpy).tobytes()
        try:
            return base64.b64decode(self.content, validate=True)
        except binascii.Error:
            raise GraphError("the data is not base64") from None


_TOKEN = re.compile(
    r'\s*(?:(%\d+|<-|data|[A-Za-z_]\w*|-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)|"(?:[^"\\]|\\.)*"'
    r"|[=:(),\[\]])|(#.*)|(\S))"
)


class _Tokens:
    """The tokens of one line, with what a parser asks of them."""

    def __init__(self, line: str, number: int) -> None:
        self._number = number
        self._tokens = list(self._split(line))
        self._position = 0

    def _split(self, line: str) -> Iterator[str]:
        for match in _TOKEN.finditer(line):
            token, comment, wrong = match.groups()
            if wrong is not None:
                raise FormatError(f"line {self._number}: unexpected {wrong!r}")
            if comment is None:
                yield token

    def fail(self, message: str, hint: str | None = None) -> None:
        raise FormatError(f"line {self._number}: {message}", hint=hint)

    def peek(self) -> str | None:
        return self._tokens[self._position] if self._position < len(self._tokens) else None

    def next(self) -> str:
        token = self.peek()
        if token is None:
            raise FormatError(f"line {self._number}: the line ends too early")
        self._position += 1
        return token

    def take(self, wanted: str) -> None:
        token = self.next()
        if token != wanted:
            self.fail(f"expected {wanted!r}, found {token!r}")

    def end(self) -> None:
        if self.peek() is not None:
            self.fail(f"unexpected {self.peek()!r} at the end")

    def node(self, graph: Graph) -> int:
        token = self.next()
        if not token.startswith("%"):
            self.fail(f"expected a node, found {token!r}")
        return graph.value(int(token[1:])).id

    def tensor_type(self) -> TensorType:
        name = self.next()
        if name not in {d.value for d in DType}:
            self.fail(f"there is no element type {name!r}")
        shape = self.value()
        if not isinstance(shape, tuple):
            self.fail("a type needs a shape")
        return TensorType(shape, DType(name))

    def value(self, depth: int = 0) -> Any:
        token = self.next()
        if token == "[":
            return self._list(depth)
        if token == "data":
            return _Data(self.value(depth))
        if token.startswith('"'):
            body = token[1:-1]
            return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], body)
        if token in ("true", "false", "none"):
            return {"true": True, "false": False, "none": None}[token]
        try:
            return int(token) if re.fullmatch(r"-?\d+", token) else float(token)
        except ValueError:
            raise FormatError(f"line {self._number}: {token!r} is not a value") from None

    def _list(self, depth: int) -> tuple[Any, ...]:
        items: list[Any] = []
        if depth > _DEEPEST:
            self.fail("lists are nested too deeply")
        while self.peek() != "]":
            if items:
                self.take(",")
            items.append(self.value(depth + 1))
        self.take("]")
        return tuple(items)
