"""Small graphs on which rules fire: for each rule one at least, of odd sizes, and with operands
that broadcast where a rule speaks of types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from meganeura import Graph, Value
from meganeura.egraph.rule import COMMUTING
from meganeura.egraph.rules.through import BINARY, UNARY
from meganeura.ops.conv import Conv2dGradInput, Conv2dGradWeight
from meganeura.ops.leaf import Alias
from meganeura.ops.reduce import Max, Sum

Build = Callable[[Graph], Value]
POSITIVE = ("log", "sqrt", "rsqrt", "pow")
"""Ops that want positive operands."""


@dataclass(frozen=True)
class Instance:
    """A rule's name, and a graph on which it fires, if need be after another."""

    rule: str
    build: Build
    after: tuple[str, ...] = ()

    def graph(self) -> Graph:
        g = Graph()
        g.set_outputs([self.build(g)])
        return g

    def __str__(self) -> str:
        return self.rule


def real(g: Graph, *shape: int) -> Value:
    """A leaf of any numbers."""
    return g.input(f"real{len(g)}", shape)


def positive(g: Graph, *shape: int) -> Value:
    """A leaf of positive numbers."""
    return g.input(f"positive{len(g)}", shape)


def weight(g: Graph, *shape: int) -> Value:
    """A parameter."""
    return g.parameter(f"weight{len(g)}", shape)


def instances() -> list[Instance]:
    """All of them."""
    tables = (algebra(), layout(), parts(), sums(), products(), through(), composite())
    tables += (merge(), algorithm())
    return [Instance(*row) for table in tables for row in table]


Table = Iterator[tuple[Any, ...]]


def algebra() -> Table:
    def x(g: Graph) -> Value:
        return real(g, 3, 5)

    def p(g: Graph) -> Value:
        return positive(g, 3, 5)

    yield "algebra/double-negation", lambda g: g.neg(-x(g))
    both = ("algebra/times-negative",)  # by either factor
    yield "algebra/equal-negatives", lambda g: -x(g) * -real(g, 5), both
    yield "algebra/times-minus-one", lambda g: x(g) * -1.0
    yield "algebra/times-minus-one", lambda g: x(g) * g.full(-1.0, (5,))
    yield "algebra/zero-minus", lambda g: 0.0 - x(g)
    yield "algebra/plus-negative", lambda g: real(g, 5) + -x(g)
    yield "algebra/plus-negative", lambda g: -x(g) + real(g, 5)
    yield "algebra/minus-negative", lambda g: real(g, 5) - -x(g)
    yield "algebra/negative-difference", lambda g: -(real(g, 5) - x(g))
    yield "algebra/two-negatives", lambda g: -x(g) * -real(g, 5)
    yield "algebra/times-negative", lambda g: x(g) * -real(g, 5)
    yield "algebra/times-negative", lambda g: -x(g) * real(g, 5)
    yield "algebra/over-negative", lambda g: x(g) / -p(g)
    yield "algebra/negative-over", lambda g: -x(g) / positive(g, 5)
    yield "algebra/negative-scaled", lambda g: -(x(g) * 0.3)
    yield "algebra/sum-of-negative", lambda g: g.sum(-x(g), 1)
    yield "algebra/absolute-of-negative", lambda g: g.abs(-x(g))
    yield "algebra/absolute-twice", lambda g: g.abs(g.abs(x(g)))
    yield "algebra/times-one", lambda g: x(g) * 1.0
    yield "algebra/plus-zero", lambda g: x(g) + g.full(0.0, (1, 5))
    yield "algebra/minus-zero", lambda g: x(g) - 0.0
    yield "algebra/over-one", lambda g: x(g) / 1.0
    yield "algebra/power-one", lambda g: p(g) ** 1.0
    yield "algebra/one-over", lambda g: 1.0 / p(g)
    yield "algebra/reciprocal-twice", lambda g: g.recip(g.recip(p(g)))
    yield "algebra/times-reciprocal", lambda g: x(g) * g.recip(positive(g, 5))
    yield "algebra/times-reciprocal", lambda g: g.recip(positive(g, 5)) * x(g)
    yield "algebra/over-reciprocal", lambda g: x(g) / g.recip(positive(g, 5))
    yield "algebra/over-number", lambda g: real(g, 1, 5) / g.full(7.0, (3, 1))
    yield "algebra/power-two", lambda g: p(g) ** 2.0
    yield "algebra/power-half", lambda g: p(g) ** 0.5
    yield "algebra/power-minus-one", lambda g: p(g) ** -1.0
    yield "algebra/one-over-root", lambda g: g.recip(g.sqrt(p(g)))
    yield "algebra/over-root", lambda g: x(g) / g.sqrt(positive(g, 5))
    after = ("algebra/fold-negation",)  # only what is worked out stands in the wrong place
    yield "algebra/number-plus", lambda g: g.neg(g.full(0.7, (5,))) + x(g), after
    yield "algebra/number-times", lambda g: g.neg(g.full(0.7, (5,))) * x(g), after
    for name, method in (
        ("add", "add"),
        ("sub", "sub"),
        ("mul", "mul"),
        ("div", "div"),
        ("maximum", "maximum"),
        ("minimum", "minimum"),
        ("power", "pow"),
    ):
        yield f"algebra/fold-{name}", numbers(method)
    for name, method in (
        ("negation", "neg"),
        ("absolute", "abs"),
        ("reciprocal", "recip"),
        ("root", "sqrt"),
        ("one-over-root", "rsqrt"),
    ):
        yield f"algebra/fold-{name}", lambda g, method=method: getattr(g, method)(g.full(0.7, (2,)))
    yield "algebra/scale-twice", lambda g: x(g) * g.full(0.7, (5,)) * 3.0
    yield "algebra/shift-twice", lambda g: x(g) + g.full(0.7, (5,)) + 3.0
    yield "algebra/sum-of-scaled", lambda g: g.sum(x(g) * -1.7, 0, keep=True)


def numbers(method: str) -> Build:
    """An op on two numbers that broadcast."""
    return lambda g: getattr(g, method)(g.full(0.7, (3, 1)), g.full(-1.3, (5,)))


def layout() -> Table:
    def x(g: Graph) -> Value:
        return real(g, 3, 5, 2)

    yield "layout/reshape-nothing", lambda g: g.reshape(x(g), (3, 5, 2))
    yield "layout/slice-nothing", lambda g: g.slice(x(g), (0, 0, 0), (3, 5, 2))
    yield "layout/pad-nothing", lambda g: g.pad(x(g), (0, 0, 0), (0, 0, 0))
    yield "layout/broadcast-nothing", lambda g: g.broadcast_to(x(g), (3, 5, 2))
    yield "layout/permute-nothing", lambda g: g.permute(real(g, 3, 3, 3), (0, 1, 2))
    yield "layout/alias", lambda g: g.emit(Alias(), x(g))
    yield "layout/stop-gradient", lambda g: g.stop_gradient(x(g))
    yield "layout/reshape-twice", lambda g: g.reshape(g.reshape(x(g), (6, 5)), (30,))
    yield (
        "layout/broadcast-twice",
        lambda g: g.broadcast_to(g.broadcast_to(real(g, 3, 1), (3, 4)), (2, 3, 4)),
    )
    yield "layout/permute-twice", lambda g: g.permute(g.permute(x(g), (2, 0, 1)), (0, 2, 1))
    yield "layout/permute-twice", lambda g: g.permute(g.permute(x(g), (1, 2, 0)), (1, 2, 0))
    for rank in range(1, 7):
        yield f"layout/slice-twice-{rank}d", lambda g, rank=rank: sliced_twice(g, rank)
    yield "layout/reshaped-number", lambda g: x(g) + g.reshape(g.full(0.7, (30,)), (3, 5, 2))
    yield "layout/repeated-number", lambda g: g.broadcast_to(g.full(0.7, (5, 1)), (3, 5, 2))
    yield "layout/permuted-number", lambda g: g.permute(g.full(0.7, (5, 3)), (1, 0))
    yield "layout/sliced-number", lambda g: g.slice(g.full(0.7, (5, 3)), (1, 0), (4, 2))
    for op in ("add", "sub", "mul", "div"):
        yield f"layout/number-in-{op}", lambda g, op=op: getattr(g, op)(x(g), g.full(0.7, (5, 1)))
    yield "layout/permuted-row", lambda g: g.transpose(real(g, 1, 5))
    yield "layout/permuted-column", lambda g: g.transpose(real(g, 5, 1))


def sliced_twice(g: Graph, rank: int) -> Value:
    x = real(g, *(4 + i % 2 for i in range(rank)))
    once = g.slice(x, [1] * rank, [4] * rank)
    return g.slice(once, [i % 2 for i in range(rank)], [2 + i % 2 for i in range(rank)])


def parts() -> Table:
    def joined(g: Graph, axis: int) -> Value:
        first, second = [3, 5, 2], [3, 5, 2]
        second[axis] += 1
        return g.concatenate([real(g, *first), real(g, *second)], axis)

    for axis, starts, stops in (
        (0, (1, 1, 0), (3, 4, 2)),
        (1, (0, 2, 0), (2, 5, 1)),
        (2, (0, 0, 0), (3, 5, 2)),
    ):
        yield (
            "layout/slice-of-first",
            lambda g, axis=axis, a=starts, b=stops: g.slice(joined(g, axis), a, b),
        )
    for axis, starts, stops in ((0, (3, 1, 0), (6, 4, 2)), (2, (0, 2, 2), (2, 5, 4))):
        yield (
            "layout/slice-of-second",
            lambda g, axis=axis, a=starts, b=stops: g.slice(joined(g, axis), a, b),
        )

    def meeting(g: Graph) -> Value:
        x = real(g, 5, 7)
        return g.concatenate([g.slice(x, (1, 2), (4, 3)), g.slice(x, (1, 3), (4, 6))], 1)

    yield "layout/concat-of-slices", meeting
    yield (
        "layout/slice-of-padded",
        lambda g: g.slice(g.pad(real(g, 3, 2), (1, 2), (3, 0)), (1, 2), (4, 4)),
    )
    for axis in range(4):
        yield (
            f"layout/padded-side-by-side-axis-{axis}",
            lambda g, axis=axis: side_by_side(g, axis, False),
        )
        yield (
            f"layout/padded-side-by-side-axis-{axis}",
            lambda g, axis=axis: side_by_side(g, axis, True),
        )


def side_by_side(g: Graph, axis: int, turned: bool) -> Value:
    """Two values with zeros where the other lies, in one order or the other."""
    sizes = [[2, 3, 1, 2][: axis + 1] for _ in range(2)]
    sizes[1][axis] += 2
    none = [0] * (axis + 1)
    before, after = none.copy(), none.copy()
    after[axis], before[axis] = sizes[1][axis], sizes[0][axis]
    padded = [g.pad(real(g, *sizes[0]), none, after), g.pad(real(g, *sizes[1]), before, none)]
    a, b = padded[::-1] if turned else padded
    return a + b


def sums() -> Table:
    for op in (Sum, Max):
        for axes in ((1,), (0, 2)):
            yield f"layout/{op.name}-kept", both_forms(op, axes, True)
            yield f"layout/{op.name}-dropped", both_forms(op, axes, False)
    yield "layout/sum-of-flattened", lambda g: g.sum(g.reshape(real(g, 3, 5, 2), (3, 10)), 1)
    yield "layout/sum-of-flattened", lambda g: g.sum(g.reshape(real(g, 5, 2), (10,)), 0)

    def repeated(g: Graph) -> Value:
        return g.broadcast_to(real(g, 3, 1, 2), (3, 5, 2))

    yield "layout/sum-of-repeated-kept", lambda g: g.sum(repeated(g), 1, keep=True)
    yield "layout/sum-of-repeated-dropped", lambda g: g.sum(repeated(g), 1)
    yield "layout/sum-of-repeated-whole", lambda g: g.sum(g.broadcast_to(real(g, 3), (5, 3)), 0)
    yield "layout/sum-of-repeated-whole", lambda g: g.sum(g.broadcast_to(real(g, 3), (3, 3)), 0)


def both_forms(op: type[Sum] | type[Max], axes: tuple[int, ...], keep: bool) -> Build:
    """A reduction, and the same that keeps its axes or not, in its shape."""

    def build(g: Graph) -> Value:
        x = real(g, 3, 5, 2)
        one, other = (g.emit(op(axes, which), x) for which in (keep, not keep))
        return g.exp(one) + g.reshape(other, one.shape)

    return build


def products() -> Table:
    for rank in (2, 3, 4):
        batch = (2, 3)[: rank - 2]
        yield (
            f"layout/permuted-product-{rank}d",
            lambda g, batch=batch: g.transpose(real(g, *batch, 3, 5) @ real(g, *batch, 5, 4)),
        )
        yield (
            f"layout/product-of-permuted-{rank}d",
            lambda g, batch=batch: (
                g.transpose(real(g, *batch, 5, 3)) @ g.transpose(real(g, *batch, 4, 5))
            ),
        )


def through() -> Table:
    """Views and parts, with each pointwise op between them."""
    for op in UNARY:
        leaf = positive if op.name in POSITIVE else real

        def applied(g: Graph, x: Value, op=op) -> Value:
            return g.emit(op(), x)

        yield f"layout/reshape-through-{op.name}", reshaped(leaf, applied)
        yield f"layout/permute-through-{op.name}", permuted(leaf, applied)
        yield (
            f"layout/slice-of-concat-through-{op.name}",
            lambda g, leaf=leaf, applied=applied: g.slice(
                applied(g, g.concatenate([leaf(g, 3, 2), leaf(g, 3, 4)], 1)), (0, 1), (2, 5)
            ),
        )
        yield (
            f"layout/slice-of-slice-through-{op.name}",
            lambda g, leaf=leaf, applied=applied: g.slice(
                applied(g, g.slice(leaf(g, 5, 4), (1, 1), (5, 4))), (1, 0), (3, 2)
            ),
        )
    for op in BINARY:
        leaf = positive if op.name in POSITIVE else real

        def two(g: Graph, x: Value, y: Value, op=op) -> Value:
            return g.emit(op(), x, y)

        def with_number(g: Graph, x: Value, op=op) -> Value:
            return g.emit(op(), x, g.number(0.7))

        yield f"layout/reshape-through-{op.name}", reshaped(leaf, two, 2)
        yield f"layout/permute-through-{op.name}", permuted(leaf, two, 2)
        yield f"layout/reshape-through-{op.name}-number", reshaped(leaf, with_number)
        yield f"layout/permute-through-{op.name}-number", permuted(leaf, with_number)
        yield (
            f"layout/slice-of-concats-through-{op.name}",
            lambda g, leaf=leaf, two=two: g.slice(
                two(
                    g,
                    g.concatenate([leaf(g, 3, 2), leaf(g, 3, 4)], 1),
                    g.concatenate([leaf(g, 1, 6), leaf(g, 2, 6)], 0),
                ),
                (1, 0),
                (3, 2),
            ),
        )
        yield (
            f"layout/repeated-in-{op.name}",
            lambda g, leaf=leaf, two=two: two(
                g, leaf(g, 3, 5), g.broadcast_to(leaf(g, 3, 1), (3, 5))
            ),
        )
        commutes = op.__name__ in COMMUTING
        yield (
            f"layout/repeated-in-{op.name}" if commutes else f"layout/{op.name}-of-repeated",
            lambda g, leaf=leaf, two=two: two(g, g.broadcast_to(leaf(g, 5), (3, 5)), leaf(g, 3, 5)),
        )


def reshaped(leaf: Callable[..., Value], apply: Callable[..., Value], count: int = 1) -> Build:
    """An op between two reshapes."""
    return lambda g: g.reshape(
        apply(g, *(g.reshape(leaf(g, 3, 5, 2), (6, 5)) for _ in range(count))), (3, 5, 2)
    )


def permuted(leaf: Callable[..., Value], apply: Callable[..., Value], count: int = 1) -> Build:
    """An op between a permutation and its inverse, of sizes that do not give it away."""
    return lambda g: g.permute(
        apply(g, *(g.permute(leaf(g, 3, 3, 3), (1, 2, 0)) for _ in range(count))), (2, 0, 1)
    )


def composite() -> Table:
    yield "composite/definition", lambda g: g.group_norm(real(g, 2, 6, 3), real(g, 6), real(g, 6))
    yield "composite/silu", lambda g: silu(g, real(g, 3, 5))
    yield "composite/swiglu", lambda g: g.silu(real(g, 5)) * real(g, 3, 1)
    yield "composite/swiglu", lambda g: real(g, 3, 1) * g.silu(real(g, 5))
    yield "composite/sigmoid", lambda g: g.recip(g.exp(-real(g, 3, 5)) + g.full(1.0, (1, 5)))
    for shape in ((3, 5), (2, 3, 5)):
        yield "composite/softmax", lambda g, shape=shape: softmax(g, real(g, *shape))
        yield "composite/log-softmax", lambda g, shape=shape: log_softmax(g, real(g, *shape))
        yield "composite/rms-norm", lambda g, shape=shape: rms_norm(g, real(g, *shape))
        yield "composite/layer-norm", lambda g, shape=shape: layer_norm(g, real(g, *shape))
    yield "composite/rms-norm", lambda g: rms_norm(g, real(g, 3, 5), first=real(g, 5))


def silu(g: Graph, x: Value) -> Value:
    return g.sigmoid(x) * x


def softmax(g: Graph, x: Value) -> Value:
    e = g.exp(x - g.max(x, -1, keep=True))
    return e / g.sum(e, -1, keep=True)


def log_softmax(g: Graph, x: Value) -> Value:
    shifted = x - g.max(x, -1, keep=True)
    return shifted - g.log(g.sum(g.exp(shifted), -1, keep=True))


def rms_norm(g: Graph, x: Value, first: Value | None = None) -> Value:
    root = g.rsqrt(g.sum(x * x, -1, keep=True) * (1 / x.shape[-1]) + 0.1)
    return (x * root) * real(g, x.shape[-1]) if first is None else first * (root * x)


def layer_norm(g: Graph, x: Value) -> Value:
    n = x.shape[-1]
    centred = x - g.sum(x, -1, keep=True) * (1 / n)
    return g.rms_norm(centred, real(g, n), 0.1) + real(g, n)


def merge() -> Table:
    def projections(g: Graph) -> Value:
        x = real(g, 4, 5)
        q, k, v = (x @ weight(g, 5, n) for n in (6, 3, 3))
        return g.concatenate([q, k, v], 1)

    def convolutions(g: Graph) -> Value:
        x = real(g, 2, 3, 5, 4)
        a, b = (g.conv2d(x, weight(g, n, 3, 3, 3), padding=1) for n in (2, 3))
        return g.concatenate([a, b], 1)

    def joined(g: Graph, *rest: int) -> Value:
        return g.concatenate([real(g, 2, 3, *rest), real(g, 2, 4, *rest)], 1)

    yield "merge/projections", projections
    yield "merge/convolutions", convolutions
    yield "merge/matmul-over-parts", lambda g: joined(g) @ real(g, 7, 5)
    yield "merge/weight-gradient-over-parts", lambda g: g.transpose(joined(g)) @ real(g, 2, 5)
    yield (
        "merge/convolution-over-parts",
        lambda g: g.conv2d(joined(g, 5, 6), real(g, 3, 7, 3, 2), stride=2, padding=1),
    )

    def kernel_gradient(g: Graph) -> Value:
        op = Conv2dGradWeight((2, 1), (1, 0), kernel=(3, 2))
        return g.emit(op, joined(g, 5, 6), real(g, 2, 3, 3, 5))

    yield "merge/kernel-gradient-over-parts", kernel_gradient


def algorithm() -> Table:
    def gradient(g: Graph) -> Value:
        op = Conv2dGradInput(padding=(1, 0), size=(7, 5))
        return g.emit(op, real(g, 2, 3, 7, 3), real(g, 3, 4, 3, 3))

    def kernel_gradient(g: Graph) -> Value:
        op = Conv2dGradWeight(padding=(1, 0), kernel=(3, 3))
        return g.emit(op, real(g, 2, 3, 7, 5), real(g, 2, 4, 7, 3))

    def strided_gradient(g: Graph) -> Value:
        op = Conv2dGradInput((2, 2), (1, 1), size=(6, 10))
        return g.emit(op, real(g, 2, 4, 3, 5), real(g, 4, 3, 3, 3))

    yield "algorithm/conv2d-grad-input-by-phases", strided_gradient
    yield "algorithm/matmul-by-sums", lambda g: real(g, 5, 7) @ real(g, 7, 3)
    for tile in (2, 4):
        yield (
            f"algorithm/conv2d-by-{tile}",
            lambda g: g.conv2d(real(g, 2, 3, 9, 6), real(g, 4, 3, 3, 3), padding=(1, 2)),
        )
        yield f"algorithm/conv2d-grad-input-by-{tile}", gradient
        yield f"algorithm/conv2d-grad-weight-by-{tile}", kernel_gradient
