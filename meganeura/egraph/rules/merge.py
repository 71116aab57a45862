"""Products that share a factor, as one product; and one product over parts, as several.

An upsampling needs no rule: its definition is a broadcast between two reshapes, all three views,
so that a convolution of it reads the small images by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ...ir.graph import Graph, Node
from ...ir.types import TensorType
from ...ops.conv import Conv2d
from ...ops.layout import Concat, split
from ...ops.leaf import Input, Parameter
from ...ops.matmul import Matmul
from ..rule import Fragment, Rule, rewrite

COLUMNS = "(vec-get (type {}) 2)"
ROWS = "(vec-get (type {}) 1)"
MATRIX = "(= 3 (vec-length (type {})))"
"""Element type, rows, columns."""

ALIKE = 4
"""Weights are put together if none is so many times as large as another: else the small one's
product is little beside the copy of the large weight."""


def _projections(graph: Graph, nodes: Sequence[Node]) -> Iterator[Fragment]:
    """Products of one matrix with several weights: one with all of them side by side. Any two or
    all of three, and so on, would be patterns; together they are far too many."""
    for group in _sharing(graph, [node for node in nodes if _is_projection(graph, node)]):
        types = _types(graph, group)
        yield Fragment(_side_by_side(Matmul(), 1, types), *_leaves(group))


def _convolutions(graph: Graph, nodes: Sequence[Node]) -> Iterator[Fragment]:
    """Convolutions of one image in the same way, with kernels of one size: one with the filters of
    all."""
    for group in _sharing(graph, [node for node in nodes if _is_convolution(graph, node)]):
        op = group[0].op
        if isinstance(op, Conv2d):
            types = _types(graph, group)
            yield Fragment(_side_by_side(op, 0, types), *_leaves(group))


def _is_projection(graph: Graph, node: Node) -> bool:
    if not isinstance(node.op, Matmul) or not isinstance(graph.node(node.inputs[1]).op, Parameter):
        return False
    return all(graph.node(i).ty.rank() == 2 for i in node.inputs)


def _is_convolution(graph: Graph, node: Node) -> bool:
    if not isinstance(node.op, Conv2d) or not isinstance(graph.node(node.inputs[1]).op, Parameter):
        return False
    return node.op.groups == 1


def _sharing(graph: Graph, nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Nodes that differ in their weights, which are of about one size, and in nothing else."""
    groups: dict[object, list[Node]] = {}
    for node in nodes:
        image, weight = node.inputs
        taps = graph.node(weight).ty.shape[2:]
        groups.setdefault((node.op, image, taps), []).append(node)
    for group in groups.values():
        by_weight = {node.inputs[1]: node for node in group}
        rest = list(by_weight.values())
        while rest:
            sizes = {node.id: graph.node(node.inputs[1]).ty.num_elements() for node in rest}
            least = max(sizes.values()) / ALIKE
            alike = [node for node in rest if sizes[node.id] >= least]
            rest = [node for node in rest if sizes[node.id] < least]
            if len(alike) > 1:
                yield alike


def _types(graph: Graph, group: Sequence[Node]) -> tuple[TensorType, ...]:
    (x, *weights), _ = _leaves(group)
    return tuple(graph.node(i).ty for i in (x, *weights))


def _leaves(group: Sequence[Node]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What products read, their common factor first; and the products."""
    weights = (node.inputs[1] for node in group)
    return (group[0].inputs[0], *weights), tuple(node.id for node in group)


@lru_cache(maxsize=1024)
def _side_by_side(op: Matmul | Conv2d, axis: int, types: tuple[TensorType, ...]) -> Graph:
    """One product with all weights, joined along an axis, and each one's part of it."""
    small = Graph()
    x, *weights = (small.emit(Input(f"{i}", ty)) for i, ty in enumerate(types))
    product = op(x, Concat(axis)(*weights))
    small.set_outputs(split(product, 1, [w.shape[axis] for w in weights]))
    return small


def _over_parts() -> Iterator[Rule]:
    """The product of what was put together, without putting it together: a sum of products with
    the parts of the weight. Of the gradients by weights, each part gives its own."""
    yield rewrite(
        "merge/matmul-over-parts",
        "(Matmul (Concat2 1 a b) w)",
        "(Add (Matmul a (Slice (vec-of 0 0) (vec-of p n) w))"
        " (Matmul b (Slice (vec-of p 0) (vec-of k n) w)))",
        MATRIX.format("a"),
        MATRIX.format("w"),
        f"(= p {COLUMNS.format('a')})",
        f"(= k {ROWS.format('w')})",
        f"(= n {COLUMNS.format('w')})",
        exact=False,
    )
    turned = "(Permute (vec-of 1 0) {})"
    yield rewrite(
        "merge/weight-gradient-over-parts",
        f"(Matmul {turned.format('(Concat2 1 a b)')} g)",
        f"(Concat2 0 (Matmul {turned.format('a')} g) (Matmul {turned.format('b')} g))",
        MATRIX.format("a"),
        MATRIX.format("g"),
    )
    yield rewrite(
        "merge/convolution-over-parts",
        "(Conv2d s p d 1 0 (Concat2 1 a b) w)",
        "(Add (Conv2d s p d 1 0 a (Slice (vec-of 0 0 0 0) (vec-of o m i j) w))"
        " (Conv2d s p d 1 0 b (Slice (vec-of 0 m 0 0) (vec-of o c i j) w)))",
        "(= m (vec-get (type a) 2))",
        "(= o (vec-get (type w) 1))",
        "(= c (vec-get (type w) 2))",
        "(= i (vec-get (type w) 3))",
        "(= j (vec-get (type w) 4))",
        exact=False,
    )
    yield rewrite(
        "merge/kernel-gradient-over-parts",
        "(Conv2dGradWeight s p d 1 0 k (Concat2 1 a b) g)",
        "(Concat2 1 (Conv2dGradWeight s p d 1 0 k a g) (Conv2dGradWeight s p d 1 0 k b g))",
    )


RULES: tuple[Rule, ...] = (
    Rule("merge/projections", find=_projections),
    Rule("merge/convolutions", find=_convolutions),
    *_over_parts(),
)
