"""Convolutions: sums of products in which one factor is read through a moving window.

`Convolution` gives images, `Correlation` gives kernels (the gradient of the one by its weights).
Both read images through an `Element` of their own, so padding, transposed weights or a fused
activation are expressions, not further kinds of kernel. Variables: ``n c h w`` of an image element,
``o c i j`` of a weight element, ``n o y x`` of a gradient element.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from .element import Element
from .index import Index, Var, of

Size = tuple[int, int]


def image_axes(shape: tuple[int, int, int, int]) -> list[Var]:
    """The variables of an image element."""
    return [Var(name, size) for name, size in zip("nchw", shape, strict=True)]


def weight_axes(shape: tuple[int, int, int, int]) -> list[Var]:
    """The variables of a weight element."""
    return [Var(name, size) for name, size in zip("ocij", shape, strict=True)]


def gradient_axes(shape: tuple[int, int, int, int]) -> list[Var]:
    """The variables of a gradient element."""
    return [Var(name, size) for name, size in zip("noyx", shape, strict=True)]


def at(variables: list[Var]) -> list[Index]:
    """Variables as indices."""
    return [of(var) for var in variables]


@dataclass(frozen=True)
class Window:
    """A window's walk over images of ``size``: outputs of size ``out``."""

    size: Size
    out: Size
    kernel: Size
    stride: Size
    dilation: Size
    padding: Size

    def rows_read(self, rows: int) -> int:
        """How many image rows ``rows`` neighbouring output rows read."""
        return (rows - 1) * self.stride[0] + (self.kernel[0] - 1) * self.dilation[0] + 1


@dataclass(frozen=True)
class Blocks:
    """How the output is cut: ``filters`` × (``rows`` × ``vectors``) sums in registers."""

    filters: int
    rows: int
    vectors: int


def choose_blocks(out_rows: int, row_vectors: int, filters: int) -> Blocks:
    """Two or three vectors of pixels, and as many filters as sixteen registers allow."""
    if row_vectors % 2 == 0:
        rows, vectors = 1, 2
    elif row_vectors % 3 == 0:
        rows, vectors = 1, 3
    elif row_vectors == 1 and out_rows % 2 == 0:
        rows, vectors = 2, 1
    else:
        rows, vectors = 1, 1
    most = {1: 8, 2: 6, 3: 4}[rows * vectors]
    return Blocks(min(most, filters), rows, vectors)


@dataclass(frozen=True)
class Convolution:
    """``out[n, o, y, x] = Σ image[n, c, y·s+i·d−p, x·s+j·d−p] · weight[o, c, i, j]``, 0 outside."""

    batch: int
    channels: int
    filters: int
    window: Window
    image: Element
    weight: Element

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.image, self.weight]

    def with_elements(self, elements: list[Element]) -> Convolution:
        """The same with other expressions."""
        return replace(self, image=elements[0], weight=elements[1])

    def output_elements(self) -> int:
        """How many elements are written."""
        return self.batch * self.filters * prod(self.window.out)

    def blocks(self, lanes: int) -> Blocks:
        """How the output is cut for vectors of ``lanes``."""
        vectors = -(-self.window.out[1] // lanes)
        return choose_blocks(self.window.out[0], vectors, self.filters)

    def image_axes(self) -> list[Var]:
        """The variables of the image element."""
        return image_axes((self.batch, self.channels, *self.window.size))

    def weight_axes(self) -> list[Var]:
        """The variables of the weight element."""
        return weight_axes((self.filters, self.channels, *self.window.kernel))

    def __str__(self) -> str:
        sizes = f"{self.batch}×{self.channels}→{self.filters} {self.window}"
        return f"convolution {sizes}: {self.image} · {self.weight}"


@dataclass(frozen=True)
class Correlation:
    """``out[o, c, i, j] = Σ gradient[n, o, y, x] · image[n, c, y·s+i·d−p, x·s+j·d−p]``."""

    batch: int
    channels: int
    filters: int
    window: Window
    image: Element
    gradient: Element

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.image, self.gradient]

    def with_elements(self, elements: list[Element]) -> Correlation:
        """The same with other expressions."""
        return replace(self, image=elements[0], gradient=elements[1])

    def output_elements(self) -> int:
        """How many elements are written."""
        return self.filters * self.channels * prod(self.window.kernel)

    def image_axes(self) -> list[Var]:
        """The variables of the image element."""
        return image_axes((self.batch, self.channels, *self.window.size))

    def gradient_axes(self) -> list[Var]:
        """The variables of the gradient element."""
        return gradient_axes((self.batch, self.filters, *self.window.out))

    def __str__(self) -> str:
        sizes = f"{self.batch}×{self.channels}→{self.filters} {self.window}"
        return f"correlation {sizes}: {self.image} · {self.gradient}"
