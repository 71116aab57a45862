"""What kernels compute.

`Pointwise` and `Stream`: every element by itself. `Reduction`: rows, of each of which some sums or
maxima are formed, one after another, and from them a number or a new row. `Scatter`: rows added to
rows that they name. Convolutions and attention have modules of their own.

Variables are named by their place: ``i0 i1 …`` run over the result (or over the rows), ``r0 r1 …``
over what is reduced. Operands are numbered by first appearance, so that the same computation on
other buffers is an equal archetype and shares its code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod

from .attention import Attention, AttentionGradient
from .conv import SUM, Convolution, Correlation
from .element import Element, Register, held, in_place_of
from .index import Index, Var, flat, of
from .tiled import TiledGradients

Shape = tuple[int, ...]


def axes(shape: Shape, prefix: str = "i") -> list[Var]:
    """The loop variables over a shape."""
    return [Var(f"{prefix}{i}", size) for i, size in enumerate(shape)]


def places(shape: Shape, prefix: str = "i") -> list[Index]:
    """The loop variables over a shape, as indices."""
    return [of(var) for var in axes(shape, prefix)]


@dataclass(frozen=True)
class Pointwise:
    """``out[i0, i1, …] = element``, and so for each of ``more`` results."""

    shape: Shape
    element: Element
    more: tuple[Element, ...] = ()

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.element, *self.more]

    def with_elements(self, elements: list[Element]) -> Pointwise:
        """The same with other expressions."""
        return Pointwise(self.shape, elements[0], tuple(elements[1:]))

    def result_sizes(self) -> list[int]:
        """How many elements each result has."""
        return [prod(self.shape)] * (1 + len(self.more))

    def __str__(self) -> str:
        return f"pointwise{list(self.shape)} {'; '.join(map(str, self.elements()))}"


ANY_LENGTH = 2**31


@dataclass(frozen=True)
class Stream:
    """``out[i0] = element`` for a row whose length is given when it runs, so that one kernel serves
    every size. Reads are of neighbours or of a single place."""

    element: Element
    more: tuple[Element, ...] = ()

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.element, *self.more]

    def with_elements(self, elements: list[Element]) -> Stream:
        """The same with other expressions."""
        return Stream(elements[0], tuple(elements[1:]))

    def result_sizes(self) -> list[int]:
        """As many as there may be."""
        return [ANY_LENGTH] * (1 + len(self.more))

    def __str__(self) -> str:
        return f"stream {'; '.join(map(str, self.elements()))}"


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
class Result:
    """What a reduction writes: a number for each row, or with ``spread`` for each element of it."""

    element: Element
    spread: bool = False

    def __str__(self) -> str:
        return f"{'spread' if self.spread else 'reduce'} {self.element}"


@dataclass(frozen=True)
class Reduction:
    """For each row ``i0, i1, …``: the stages, in order, then the results."""

    rows: Shape
    columns: Shape
    stages: tuple[Stage, ...]
    results: tuple[Result, ...]

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [*(s.element for s in self.stages), *(r.element for r in self.results)]

    def with_elements(self, elements: list[Element]) -> Reduction:
        """The same with other expressions."""
        count = len(self.stages)
        stages = zip(self.stages, elements[:count], strict=True)
        results = zip(self.results, elements[count:], strict=True)
        return replace(
            self,
            stages=tuple(replace(part, element=element) for part, element in stages),
            results=tuple(replace(part, element=element) for part, element in results),
        )

    def result_sizes(self) -> list[int]:
        """How many elements each result has."""
        rows, columns = prod(self.rows), prod(self.columns)
        return [rows * (columns if result.spread else 1) for result in self.results]

    def __str__(self) -> str:
        stages = (f"s{i} = {s.combine} {s.element}" for i, s in enumerate(self.stages))
        parts = "; ".join([*stages, *map(str, self.results)])
        return f"reduction{list(self.rows)}×{list(self.columns)} {parts}"


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

    def result_sizes(self) -> list[int]:
        """How many elements the result has."""
        return [self.targets * self.columns]

    def __str__(self) -> str:
        size = f"{self.rows}×{self.columns} into {self.targets}"
        return f"scatter {size} {self.target}: {self.element}"


Archetype = (
    Pointwise
    | Stream
    | Reduction
    | Scatter
    | Convolution
    | TiledGradients
    | Correlation
    | Attention
    | AttentionGradient
)


def with_kept(value: Element, element: Element) -> Element:
    """An element with a value in place of what a stage has kept."""
    return in_place_of(Register(KEPT), value, element)


def recomputed(kernel: Reduction) -> Reduction:
    """The same with nothing kept."""
    results = list(kernel.results)
    for stage in kernel.stages:
        if stage.kept:
            results = [replace(r, element=with_kept(stage.element, r.element)) for r in results]
    stages = tuple(replace(stage, kept=False) for stage in kernel.stages)
    return replace(kernel, stages=stages, results=tuple(results))


Then = Callable[[Index, Element], list[Element]]
"""Of a value and the place where it lies, what is written instead: one element or more."""


def and_then(archetype: Archetype, then: Then) -> Archetype | None:
    """The archetype that goes on computing before it writes; None if it cannot."""
    if isinstance(archetype, Convolution):
        position = archetype.position(*map(of, archetype.result_axes()))
        return replace(archetype, results=tuple(then(position, held(SUM))))
    if not isinstance(archetype, Reduction):
        return None
    (result,) = archetype.results
    if any(stage.kept for stage in archetype.stages):
        archetype = recomputed(archetype)
        (result,) = archetype.results
    shape = (*archetype.rows, *(archetype.columns if result.spread else ()))
    at = [*places(archetype.rows), *places(archetype.columns, "r")][: len(shape)]
    elements = then(flat(at, shape), result.element)
    results = tuple(Result(element, result.spread) for element in elements)
    return replace(archetype, results=results)


def numbered(archetype: Archetype) -> tuple[Archetype, list[int]]:
    """The archetype with operands numbered by first appearance, and what they were."""
    sources: dict[int, None] = {}
    for element in archetype.elements():
        for source in element.sources():
            sources.setdefault(source)
    numbers = {source: i for i, source in enumerate(sources)}
    elements = [element.renumbered(numbers) for element in archetype.elements()]
    return archetype.with_elements(elements), list(sources)
