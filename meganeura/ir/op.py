"""The contract of an op, and the registry of all ops.

An op is a frozen dataclass whose fields are its attributes. From the fields come equality,
hashing, the text form and its parser, so no attribute can be forgotten. There are three ways to
declare one, by how much it must say:

- `PointwiseOp` (ir/pointwise.py) gives a scalar formula;
- `CompositeOp` (ir/composite.py) gives a definition in simpler ops;
- `Op` itself gives everything: ``infer``, ``reference`` and ``vjp``.

The contract knows no graph: handles appear only through the two protocols below.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn, Protocol, TypeVar, dataclass_transform

from ..arguments import field_types, fit_fields
from ..dtypes import Array, DType
from ..errors import DTypeError, GraphError, InternalError, ShapeError
from ..kernel.archetype import Archetype, Pointwise, places
from ..kernel.element import Element
from ..kernel.index import Index
from .types import TensorType


class Emitter(Protocol):
    """What an op needs of a graph: a place to write nodes to."""

    def emit(self, op: Op, *inputs: Any) -> Any:
        """Append a node."""


class Operand(Protocol):
    """What an op needs of a handle: the graph it belongs to."""

    @property
    def graph(self) -> Emitter:
        """The graph the handle belongs to."""


V = TypeVar("V", bound=Operand)
C = TypeVar("C", bound="Op")


@dataclass(frozen=True)
class Source:
    """Where the elements of an operand come from: memory, or an expression of other operands."""

    ty: TensorType
    at: Callable[[list[Index]], Element]
    """The element at a place."""


REGISTRY: dict[str, type[Op]] = {}
"""Every op by name, filled by the `op` decorator."""


@dataclass(frozen=True)
class Initial:
    """How a parameter starts when the user does not say: ``how`` is one of `zeros`, `ones`,
    `uniform` (within ±1/√fan_in) and `normal` (deviation 1/√fan_in)."""

    how: str
    fan_in: int = 1


class Op:
    """An operation: a pure function from tensors to one tensor."""

    name: ClassVar[str]
    operands: ClassVar[tuple[str, ...]]
    """Names of the inputs, from the signature; a last name starting with ``*`` takes any number."""
    optional: ClassVar[int] = 0
    """How many of the last operands may be left out."""
    u32_operands: ClassVar[frozenset[str]] = frozenset()
    """Operands that must be U32; the others must be F32."""
    is_view: ClassVar[bool] = False
    """Whether the op only says where elements lie, so that its users can read through it."""
    any_dtype: ClassVar[bool] = False
    """Whether operands may be of any element type, all the same (ops that only move data)."""
    passes: ClassVar[float] = 1.0
    """How often a kernel computes an element of an operand that it does not find in memory."""
    goes_on: ClassVar[bool] = False
    """Whether a kernel for the op can compute with each element before it writes it."""
    beside: ClassVar[float] = 1.0
    """How much longer an operation takes in a kernel for the op than in one of its own."""
    differentiable: ClassVar[bool] = True
    """False where the derivative is zero everywhere: gradients stop here."""
    declared_by: ClassVar[str] = "infer"
    """The method whose signature names the operands."""

    # The base signatures take anything, so that each op can name its own operands.
    def infer(self, *args: Any, **kwargs: Any) -> TensorType:
        """The result's type; raises the rule that the operands' types break."""
        raise InternalError(f"{self.name} does not say its result's type")

    def reference(self, *args: Any, **kwargs: Any) -> Array:
        """The op's meaning in NumPy, in the precision of its operands."""
        raise InternalError(f"{self.name} has no meaning in NumPy")

    def vjp(self, *args: Any, **kwargs: Any) -> tuple[Any, ...] | None:
        """``vjp(grad, out, *inputs)``: the gradient for each input, given that of the output.

        None for an input that has none; None altogether where the op gives no rule."""
        return None

    def index_limits(self, *args: Any, **kwargs: Any) -> Mapping[str, int]:
        """``index_limits(*types)``: for operands that hold indices, the smallest value that is
        out of range."""
        return {}

    def element(self, at: list[Index], *sources: Any) -> Element | None:
        """``element(at, *sources)``: one element of the result, as an expression of elements of the
        operands; None for an op that is not given element by element."""
        return None

    def lower(self, out: TensorType, *sources: Any) -> Archetype | None:
        """``lower(type, *sources)``: what a kernel for the op computes; None if there is none, and
        the op must be expanded or read through."""
        element = self.element(places(out.shape), *sources)
        return None if element is None else Pointwise(out.shape, element)

    def inlines(self, number: int) -> bool:
        """Whether a kernel for the op computes the elements of an operand as it reads them, if they
        are not in memory."""
        return self.is_view

    def operations(self, arity: int) -> int:
        """What one element costs whoever computes it as it reads it, in adds."""
        return 0

    def products(self, *args: Any, **kwargs: Any) -> int:
        """``products(out, *types)``: multiplications and additions that a kernel for the op takes
        besides, as pairs."""
        return 0

    def initial(self, *args: Any, **kwargs: Any) -> Initial | None:
        """``initial(operand, *types)``: how a parameter used as that operand starts."""
        return None

    def __call__(self, *values: V) -> V:
        """Write a node with this op to the graph the values belong to."""
        result: V = values[0].graph.emit(self, *values)
        return result

    def __post_init__(self) -> None:
        fit_fields(self, self.name)

    def attributes(self) -> dict[str, Any]:
        """The fields by name."""
        return {name: getattr(self, name) for name in field_types(type(self))}

    def operand_names(self, count: int) -> list[str]:
        """The operands' names for a use with ``count`` inputs."""
        names = [n for n in self.operands if not n.startswith("*")][:count]
        rest = count - len(names)
        return names + [f"{self.operands[-1][1:]}{i}" for i in range(rest)]

    def reject(
        self,
        rule: str,
        *types: TensorType,
        detail: str = "",
        hint: str | None = None,
        kind: type[GraphError] = ShapeError,
    ) -> NoReturn:
        """Raise that the operands' types break a rule."""
        named = zip(self.operand_names(len(types)), types, strict=True)
        operands = ", ".join(f"{name} is {ty}" for name, ty in named)
        raise kind(f"{self.name}: {rule}: {operands}{detail and f' ({detail})'}", hint=hint)

    def check_operands(self, *types: TensorType) -> None:
        """Raise unless the number of operands and their element types are right."""
        fixed = [n for n in self.operands if not n.startswith("*")]
        variadic = len(fixed) < len(self.operands)
        least = len(fixed) - self.optional
        if len(types) < least or (len(types) > len(fixed) and not variadic):
            wanted = ", ".join(self.operands)
            raise GraphError(f"{self.name} takes ({wanted}), got {len(types)} inputs")
        if self.any_dtype:
            if len({ty.dtype for ty in types}) > 1:
                self.reject("element types differ", *types, kind=DTypeError)
            return
        for name, ty in zip(self.operand_names(len(types)), types, strict=True):
            wanted_dtype = DType.U32 if name in self.u32_operands else DType.F32
            if ty.dtype is not wanted_dtype:
                hint = "make indices with g.input_u32" if wanted_dtype is DType.U32 else None
                rule = f"{name} must be {wanted_dtype}"
                self.reject(rule, *types, hint=hint, kind=DTypeError)


@dataclass_transform(frozen_default=True)
def op(name: str) -> Callable[[type[C]], type[C]]:
    """Declare an op: freeze the class as a dataclass, name it, and register it."""

    def declare(cls: type[C]) -> type[C]:
        if name in REGISTRY:
            raise InternalError(f"the op {name} is declared twice")
        frozen = dataclass(frozen=True)(cls)
        frozen.name = name
        frozen.operands, frozen.optional = _signature(getattr(cls, cls.declared_by))
        REGISTRY[name] = frozen
        return frozen

    return declare


def _signature(method: Callable[..., Any]) -> tuple[tuple[str, ...], int]:
    """The operands' names after ``self``, and how many of them have a default."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    names = tuple(("*" if p.kind is p.VAR_POSITIONAL else "") + p.name for p in parameters)
    return names, sum(p.default is not p.empty for p in parameters)
