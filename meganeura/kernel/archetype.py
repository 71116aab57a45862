"""What kernels compute.

`Pointwise` and `Stream`: every element by itself. `Reduction`: rows, of each of which some sums or
maxima are formed, one after another, and from them a number or a new row. `Scatter`: rows added to
rows that they name. Convolutions and attention have modules of their own.

Variables are named by their place: ``i0 i1 …`` run over the result (or over the rows), ``r0 r1 …``
over what is reduced. Operands are numbered by first appearance, so that the same computation on
other buffers is an equal archetype and shares its code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from .attention import Attention, AttentionGradient
from .conv import Convolution, Correlation
from .element import Element
from .index import Index, Var, of

Shape = tuple[int, ...]


def axes(shape: Shape, prefix: str = "i") -> list[Var]:
    """The loop variables over a shape."""
    return [Var(f"{prefix}{i}", size) for i, size in enumerate(shape)]


def places(shape: Shape, prefix: str = "i") -> list[Index]:
    """The loop variables over a shape, as indices."""
    return [of(var) for var in axes(shape, prefix)]


@dataclass(frozen=True)
class Pointwise:
    """``out[i0, i1, …] = element``."""

    shape: Shape
    element: Element

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.element]

    def with_elements(self, elements: list[Element]) -> Pointwise:
        """The same with other expressions."""
        return Pointwise(self.shape, elements[0])

    def output_elements(self) -> int:
        """How many elements are written."""
        return prod(self.shape)

    def __str__(self) -> str:
        return f"pointwise{list(self.shape)} {self.element}"


ANY_LENGTH = 2**31


@dataclass(frozen=True)
class Stream:
    """``out[i0] = element`` for a row whose length is given when it runs, so that one kernel serves
    every size. Reads are of neighbours or of a single place."""

    element: Element

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.element]

    def with_elements(self, elements: list[Element]) -> Stream:
        """The same with other expressions."""
        return Stream(elements[0])

    def output_elements(self) -> int:
        """As many as there may be."""
        return ANY_LENGTH

    def __str__(self) -> str:
        return f"stream {self.element}"


KEPT = "kept"
"""The register that stands for what a stage has kept at an element's place."""


@dataclass(frozen=True)
class Stage:
    """One number for each row: ``element`` combined over the row by `sum` or `max`. Where it is
    ``kept``, the result can read it at its place instead of computing it again."""

    combine: str
    element: Element
    kept: bool = False


@dataclass(frozen=True)
class Reduction:
    """For each row ``i0, i1, …``: the stages, in order, then the result.

    The result is one number for each row, or with ``spread`` one for each element of the row."""

    rows: Shape
    columns: Shape
    stages: tuple[Stage, ...]
    result: Element
    spread: bool = False

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [*(stage.element for stage in self.stages), self.result]

    def with_elements(self, elements: list[Element]) -> Reduction:
        """The same with other expressions."""
        pairs = zip(self.stages, elements, strict=False)
        stages = tuple(replace(stage, element=element) for stage, element in pairs)
        return Reduction(self.rows, self.columns, stages, elements[-1], self.spread)

    def output_elements(self) -> int:
        """How many elements are written."""
        return prod(self.rows) * (prod(self.columns) if self.spread else 1)

    def __str__(self) -> str:
        stages = "; ".join(f"s{i} = {s.combine} {s.element}" for i, s in enumerate(self.stages))
        kind = "spread" if self.spread else "reduce"
        return f"{kind}{list(self.rows)}×{list(self.columns)} {stages}; {self.result}"


@dataclass(frozen=True)
class Scatter:
    """``out[target, i] = Σ element[r, i]`` over the rows r that go to a target, in their order.

    ``target`` is a place that is fetched for each row ``r0``; ``element`` is of a row's column
    ``i0``."""

    targets: int
    rows: int
    columns: int
    target: Element
    element: Element

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.target, self.element]

    def with_elements(self, elements: list[Element]) -> Scatter:
        """The same with other expressions."""
        return replace(self, target=elements[0], element=elements[1])

    def output_elements(self) -> int:
        """How many elements are written."""
        return self.targets * self.columns

    def __str__(self) -> str:
        size = f"{self.rows}×{self.columns} into {self.targets}"
        return f"scatter {size} {self.target}: {self.element}"


Archetype = (
    Pointwise
    | Stream
    | Reduction
    | Scatter
    | Convolution
    | Correlation
    | Attention
    | AttentionGradient
)


def numbered(archetype: Archetype) -> tuple[Archetype, list[int]]:
    """The archetype with operands numbered by first appearance, and what they were."""
    sources: dict[int, None] = {}
    for element in archetype.elements():
        for source in element.sources():
            sources.setdefault(source)
    numbers = {source: i for i, source in enumerate(sources)}
    elements = [element.renumbered(numbers) for element in archetype.elements()]
    return archetype.with_elements(elements), list(sources)
