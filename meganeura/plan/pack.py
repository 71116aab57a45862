"""Packing: operands laid out as the kernels that read them want them.

In:  lowered computations.   Out: the same, with a copy before each convolution whose weights do
not lie in a useful order, before each correlation of its gradients, with the filters of one vector
next to each other, and before each attention of its vectors, turned; the kernels read those copies.

A copy costs one pass over the operand; the kernel then reads it in order, many times.
"""

from __future__ import annotations

from dataclasses import replace

from ..kernel.archetype import Archetype, Pointwise, Reduction, Result, Stage, numbered, places
from ..kernel.attention import Attention, AttentionGradient, can_be_mixed
from ..kernel.conv import Convolution, Correlation
from ..kernel.element import Element, apply, held, load, strided
from ..kernel.index import Bound, Index, Var, flat, of
from ..kernel.lanes import lanes_for
from ..kernel.target import Target, apart, filled_up
from ..kernel.tiled import TiledGradients, tiled_gradients
from ..kernel.winograd import points
from .lower import Computation, Lowered


def pack(lowered: Lowered, target: Target) -> Lowered:
    """The computations with packed operands."""
    packer = _Packer(lowered, target)
    for computation in lowered.computations:
        packer.add(computation)
    return replace(lowered, computations=packer.computations)


class _Packer:
    """The computations so far; copies are made as they are needed."""

    def __init__(self, lowered: Lowered, target: Target) -> None:
        self.target, self.lanes = target, target.lanes
        self.computations: list[Computation] = []
        self.next_value = lowered.next_value()

    def add(self, computation: Computation) -> None:
        """A computation, after the copies it needs."""
        canonical, reads = numbered(self._direct(computation.named()))
        self.computations.append(replace(computation, archetype=canonical, reads=tuple(reads)))

    def _direct(self, archetype: Archetype) -> Archetype:
        if self.target.kind == "gpu":  # kernels stage what they read themselves
            if isinstance(archetype, AttentionGradient):
                return self._with_delta(archetype)
            return archetype
        lanes = lanes_for(archetype, self.target)
        match archetype:
            case Convolution() if archetype.tile:  # its tasks transform the weights they want
                return archetype
            case Convolution() if archetype.wants_blocks():
                copied = self._copy(_weights(archetype, lanes))
                return replace(archetype, weight=load(copied, Index()), packed=True)
            case Convolution() if archetype.weights_in_place() is None:
                axes = archetype.weight_axes()
                return replace(archetype, weight=self._rows(archetype.weight, axes))
            case Correlation() if archetype.tile:
                copied = self._copy(tiled_gradients(archetype, lanes))
                return replace(archetype, gradient=load(copied, Index()), packed=True)
            case Correlation():
                copied = self._copy(_gradients(archetype, lanes))
                return replace(archetype, gradient=load(copied, Index()), packed=True)
            case Attention():
                return self._attention(archetype)
            case AttentionGradient():
                return self._attention_gradient(archetype)
        return archetype

    def _copy(self, archetype: Pointwise | Reduction | TiledGradients) -> int:
        """A new value."""
        canonical, reads = numbered(archetype)
        match archetype:
            case Pointwise(shape=shape) | Reduction(rows=shape):
                pass
            case TiledGradients(tile=tile, filters=filters, tiles=tiles):
                shape = (points(tile) ** 2, filters, tiles)
        value = self.next_value
        self.next_value += 1
        label = f"pack[{', '.join(map(str, shape))}]"
        self.computations.append(Computation(label, canonical, tuple(reads), (value,)))
        return value

    def _rows(self, element: Element, axes: list[Var], *filled: int) -> Element:
        """A copy in the order of the axes, of which the last may be ``filled`` up with zeros."""
        sizes = [axis.extent for axis in axes]
        shape = (*sizes[: len(sizes) - len(filled)], *filled)
        at = places(shape)
        value = element.substitute(dict(zip(axes, at, strict=True)))
        for place, size in zip(at, sizes, strict=True):
            value = value.within(Bound(place, 0, size))
        return load(self._copy(Pointwise(shape, value)), flat(map(of, axes), shape))

    # Attention

    def _mixed(self, element: Element, axes: list[Var]) -> Element:
        """Rows of vectors that are mixed."""
        if can_be_mixed(element, axes, self.lanes):
            return element
        rows, columns = axes[-2].extent, axes[-1].extent
        sizes = filled_up(rows, 2 * self.lanes), filled_up(columns, self.lanes)
        return self._rows(element, axes, *sizes)

    def _turned(self, element: Element, axes: list[Var]) -> Element:
        """Rows of vectors with rows and columns exchanged."""
        *lead, rows, columns = axes
        filled = columns.extent, apart(filled_up(rows.extent, 2 * self.lanes))
        return self._rows(element, [*lead, columns, rows], *filled)

    def _attention(self, kernel: Attention) -> Attention:
        queries, keys = kernel.form.query_axes(), kernel.form.key_axes()
        plain = strided(kernel.q, queries) is not None
        return replace(
            kernel,
            q=kernel.q if plain else self._rows(kernel.q, queries),
            k=self._turned(kernel.k, keys),
            v=self._mixed(kernel.v, keys),
            packed=True,
        )

    def _with_delta(self, kernel: AttentionGradient) -> AttentionGradient:
        """With what is taken off the gradients of a row's scores, a number for each query."""
        if kernel.out is None or kernel.grad_lse is None:
            return kernel
        queries = kernel.form.query_axes()
        rows, (columns,) = tuple(v.extent for v in queries[:4]), places((kernel.form.dim,), "r")
        at = dict(zip(queries, (*places(rows), columns), strict=True))
        product = apply(lambda a, b: a * b, kernel.grad.substitute(at), kernel.out.substitute(at))
        less = apply(lambda s, e: s - e, held("s0"), kernel.grad_lse.substitute(at))
        sums = Reduction(rows, (kernel.form.dim,), (Stage("sum", product),), (Result(less),))
        delta = load(self._copy(sums), flat(map(of, queries[:4]), rows))
        return replace(kernel, out=None, grad_lse=None, delta=delta)

    def _attention_gradient(self, kernel: AttentionGradient) -> AttentionGradient:
        queries, keys = kernel.form.query_axes(), kernel.form.key_axes()
        return replace(
            self._with_delta(kernel),
            turned_q=self._turned(kernel.q, queries),
            turned_k=self._turned(kernel.k, keys),
            turned_v=self._turned(kernel.v, keys),
            turned_grad=self._turned(kernel.grad, queries),
            q=self._mixed(kernel.q, queries),
            k=self._mixed(kernel.k, keys),
            v=self._mixed(kernel.v, keys),
            grad=self._mixed(kernel.grad, queries),
        )


def _weights(kernel: Convolution, lanes: int) -> Pointwise:
    """The weights of each block next to each other."""
    s, o, c, i, j = kernel.weight_axes()
    shape = kernel.packed_shape(lanes)
    at_s, block, at_c, at_i, at_j, place = places(shape)
    filters = kernel.filter_blocks(lanes).first(block) + place
    element = kernel.weight.substitute({s: at_s, o: filters, c: at_c, i: at_i, j: at_j})
    return Pointwise(shape, element)


def _gradients(kernel: Correlation, lanes: int) -> Pointwise:
    """``[group, block, n, y, x, filter]``."""
    n, o, y, x = kernel.gradient_axes()
    width = kernel.filter_vectors(lanes) * lanes
    blocks = -(-kernel.filters // width)
    shape = (kernel.groups, blocks, n.extent, y.extent, x.extent, width)
    group, block, at_n, at_y, at_x, place = places(shape)
    filters = block * width + place
    element = kernel.gradient.substitute(
        {n: at_n, o: group * kernel.filters + filters, y: at_y, x: at_x}
    )
    return Pointwise(shape, element.within(Bound(filters, 0, kernel.filters)))
