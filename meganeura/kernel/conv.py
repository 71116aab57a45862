"""Convolutions: sums of products in which one factor is read through a moving window.

`Convolution` gives images, `Correlation` gives kernels (the gradient of the one by its weights). A
matrix product is a convolution with kernels of one tap. Both read images through an `Element` of
their own, so padding, transposed weights or a fused activation are expressions, not further kinds
of kernel. Variables: ``n c h w`` of an image element, ``s o c i j`` of a weight element, ``n o y
x`` of a gradient element.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from .element import Element, Strided, held, strided
from .index import Index, Var, of
from .target import LINE_ELEMENTS

ROW = 16
"""Pixels of a row where rows mean nothing."""
MANY_TERMS, MANY_PIXELS = 512, 512
"""Terms and pixels from which weights are packed: those of one filter fill half a page of memory,
and there are enough uses of them to make up for a copy."""
FEW_CHANNELS = 32
"""Channels whose weights stay in the cache however they lie."""

SUM = "sum"
"""The register that stands for a sum of products."""

Size = tuple[int, int]


def image_axes(shape: tuple[int, int, int, int]) -> list[Var]:
    """The variables of an image element."""
    return [Var(name, size) for name, size in zip("nchw", shape, strict=True)]


def weight_axes(shape: tuple[int, int, int, int], sets: int = 1) -> list[Var]:
    """The variables of a weight element; the first says which set of weights."""
    return [Var(name, size) for name, size in zip("socij", (sets, *shape), strict=True)]


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
    """Neighbouring things in ``count`` blocks, whose sizes differ by at most one."""

    total: int
    count: int

    @property
    def size(self) -> int:
        """The size of the largest blocks."""
        return -(-self.total // self.count)

    def first(self, block: Index) -> Index:
        """The first thing of a block."""
        return block * self.total // self.count

    def size_of(self, block: Index) -> Index | None:
        """The size of a block, if they differ."""
        if self.total % self.count == 0:
            return None
        return self.first(block + 1) - self.first(block)


def cut(total: int, most: int) -> Blocks:
    """Blocks of at most ``most``."""
    return Blocks(total, -(-total // most))


MOST_NUMBERS = {1: 8, 2: 6, 3: 4}
"""Numbers multiplied by one, two or three vectors, so that all sums fit sixteen registers."""
WIDE_LANES = 16
"""Lanes from which on there are 32 registers: then twice as many numbers, if they lie side by side;
else there are not enough registers for their places."""


@dataclass(frozen=True)
class Convolution:
    """``out[n, o, y, x] = Σ image[n, c, y·s+i·d−p, x·s+j·d−p] · weight[n mod sets, o, c, i, j]``,
    0 outside."""

    batch: int
    channels: int
    filters: int
    window: Window
    image: Element
    weight: Element
    sets: int = 1
    """Sets of weights; images take them in turn."""
    pixels: int = 0
    """Outputs of an image, if its last row is not full."""
    packed: bool = False
    """Whether weights lie in blocks of filters, as `packed_shape` says."""
    tile: int = 0
    """Outputs of a tile along each axis, by Winograd's algorithm (winograd.py); 0 if directly."""
    results: tuple[Element, ...] = (held(SUM),)
    """What is written, of the sum and of what is read at ``n o q``: image, filter and pixel."""

    def folded(self) -> Convolution:
        """The same; if a window is one tap on one pixel, with all pixels in rows as long as a block
        of sums, whatever the images' width."""
        window = self.window
        plain = window.kernel == window.stride == (1, 1) and window.padding == (0, 0)
        plain = plain and window.size == window.out  # else the last outputs see nothing
        pixels, (_, width) = prod(window.size), window.size
        if not plain or pixels < ROW or width == ROW or self.tile:
            return self
        size = (-(-pixels // ROW), ROW)
        *_, h, w = self.image_axes()
        *_, row, column = at(image_axes((self.batch, self.channels, *size)))
        place = row * ROW + column
        image = self.image.substitute({h: place // width, w: place % width})
        rows = replace(window, size=size, out=size)
        return replace(self, window=rows, image=image, pixels=pixels if pixels % ROW else 0)

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.image, self.weight, *self.results]

    def with_elements(self, elements: list[Element]) -> Convolution:
        """The same with other expressions."""
        image, weight, *results = elements
        return replace(self, image=image, weight=weight, results=tuple(results))

    def output_pixels(self) -> int:
        """Outputs of an image for each filter."""
        return self.pixels or prod(self.window.out)

    def result_sizes(self) -> list[int]:
        """How many elements the result has."""
        return [self.batch * self.filters * self.output_pixels()] * len(self.results)

    def pixel_block(self, lanes: int) -> Size:
        """Rows by vectors of pixels whose sums are formed together."""
        vectors = -(-self.window.out[1] // lanes)
        if vectors % 2 == 0:
            return 1, 2
        if vectors % 3 == 0:
            return 1, 3
        return (2, 1) if vectors == 1 and self.window.out[0] % 2 == 0 else (1, 1)

    def filter_blocks(self, lanes: int) -> Blocks:
        """Filters whose sums are formed together."""
        most = MOST_NUMBERS[prod(self.pixel_block(lanes))]
        twice = lanes >= WIDE_LANES and self._has_adjacent_filters()
        return cut(self.filters, 2 * most if twice else most)

    def _has_adjacent_filters(self) -> bool:
        """Whether the weights of neighbouring filters lie side by side, or will when packed."""
        if self.packed or self.wants_blocks():
            return True
        weights = self.weights_in_place()
        return weights is not None and weights.steps[1] == 1

    def image_axes(self) -> list[Var]:
        """The variables of the image element."""
        return image_axes((self.batch, self.channels, *self.window.size))

    def result_axes(self) -> list[Var]:
        """The variables of the results: image, filter and pixel."""
        return [Var("n", self.batch), Var("o", self.filters), Var("q", self.output_pixels())]

    def position(self, n: Index, o: Index, q: Index) -> Index:
        """Where a result lies."""
        return (n * self.filters + o) * self.output_pixels() + q

    def weight_axes(self) -> list[Var]:
        """The variables of the weight element."""
        return weight_axes((self.filters, self.channels, *self.window.kernel), self.sets)

    def packed_shape(self, lanes: int) -> tuple[int, ...]:
        """The shape of packed weights: ``[set, block, c, i, j, place]``."""
        sets, _, channels, *taps = (axis.extent for axis in self.weight_axes())
        blocks = self.filter_blocks(lanes)
        return (sets, blocks.count, channels, *taps, blocks.size)

    def weights_in_place(self) -> Strided | None:
        """The weights, if they can be read where they are: all of what a cache line holds is used
        soon."""
        found = strided(self.weight, self.weight_axes())
        if found is None:
            return None
        in_order = abs(found.steps[2]) <= max(LINE_ELEMENTS, prod(self.window.kernel))
        return found if in_order or self.channels <= FEW_CHANNELS else None

    def wants_blocks(self) -> bool:
        """Whether weights are best packed block by block."""
        terms = self.channels * prod(self.window.kernel)
        return terms >= MANY_TERMS and self.batch * self.output_pixels() >= MANY_PIXELS

    def __str__(self) -> str:
        by = f" by {self.tile}" if self.tile else ""
        sizes = f"{self.batch}×{self.channels}→{self.filters} {self.window}{by}"
        results = "; ".join(map(str, self.results))
        return f"convolution {sizes}: {self.image} · {self.weight}; {results}"


@dataclass(frozen=True)
class Correlation:
    """``out[g, o, c, i, j] = Σ gradient[n, g·O+o, y, x] · image[n, g·C+c, y·s+i·d−p, x·s+j·d−p]``
    for ``groups`` of C channels and O filters each."""

    batch: int
    channels: int
    filters: int
    window: Window
    image: Element
    gradient: Element
    groups: int = 1
    packed: bool = False
    """Whether gradients lie in vectors of filters: ``[g, block, n, y, x, filter]``."""
    tile: int = 0
    """As of a convolution. Then packed gradients are transformed, as `TiledGradients` says."""

    def elements(self) -> list[Element]:
        """All expressions of the kernel."""
        return [self.image, self.gradient]

    def with_elements(self, elements: list[Element]) -> Correlation:
        """The same with other expressions."""
        return replace(self, image=elements[0], gradient=elements[1])

    @property
    def taps(self) -> int:
        """Taps of a window."""
        return prod(self.window.kernel)

    def result_sizes(self) -> list[int]:
        """How many elements the result has."""
        return [self.groups * self.filters * self.channels * self.taps]

    def filter_vectors(self, lanes: int) -> int:
        """Vectors of filters whose sums are formed together."""
        return 2 if self.filters > lanes else 1

    def image_axes(self) -> list[Var]:
        """The variables of the image element."""
        return image_axes((self.batch, self.groups * self.channels, *self.window.size))

    def gradient_axes(self) -> list[Var]:
        """The variables of the gradient element."""
        return gradient_axes((self.batch, self.groups * self.filters, *self.window.out))

    def __str__(self) -> str:
        by = f" by {self.tile}" if self.tile else ""
        sizes = f"{self.batch}×{self.channels}→{self.filters} {self.window}{by}"
        return f"correlation {sizes}: {self.image} · {self.gradient}"
