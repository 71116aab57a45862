"""Small graphs that look as if a rule could fire on them: what it says must hold is not so."""

from __future__ import annotations

import math

from meganeura import Graph, Value
from meganeura.ops.conv import Conv2dGradInput, Conv2dGradWeight
from tests.egraph.instances import Instance, Table, positive, real, sliced_twice


def near_misses() -> list[Instance]:
    """All of them."""
    tables = (types(), numbers(), parts(), sums(), views(), composite(), merge())
    return [Instance(*row) for table in tables for row in table]


def types() -> Table:
    """An operand that broadcasts the other cannot be dropped."""
    wide = (3, 5)
    yield "algebra/times-one", lambda g: real(g, 5) * g.full(1.0, wide)
    yield "algebra/plus-zero", lambda g: real(g, 5) + g.full(0.0, wide)
    yield "algebra/minus-zero", lambda g: real(g, 3, 1) - g.full(0.0, wide)
    yield "algebra/over-one", lambda g: real(g, 5) / g.full(1.0, wide)
    yield "algebra/times-minus-one", lambda g: real(g, 5) * g.full(-1.0, wide)
    yield "algebra/zero-minus", lambda g: g.full(0.0, wide) - real(g, 5)
    yield "algebra/one-over", lambda g: g.full(1.0, wide) / positive(g, 5)
    for power, name in ((1.0, "one"), (2.0, "two"), (0.5, "half"), (-1.0, "minus-one")):
        yield (
            f"algebra/power-{name}",
            lambda g, power=power: positive(g, 5) ** g.full(power, wide),
        )
    yield "algebra/scale-twice", lambda g: real(g, 5) * g.full(2.0, wide) * 3.0
    yield "algebra/shift-twice", lambda g: real(g, 5) + g.full(2.0, wide) + 3.0
    yield "algebra/sum-of-scaled", lambda g: g.sum(real(g, 5) * g.full(2.0, wide), 1)
    for op in ("add", "sub", "mul", "div"):
        for shape in (wide, ()):
            yield (
                f"layout/number-in-{op}",
                lambda g, op=op, shape=shape: getattr(g, op)(real(g, 5), g.full(2.0, shape)),
            )
    repeated = (3, 5)
    yield (
        "layout/repeated-in-add",
        lambda g: real(g, 3, 1) + g.broadcast_to(real(g, 5), repeated),
    )
    yield (
        "layout/repeated-in-sub",
        lambda g: real(g, 3, 1) - g.broadcast_to(real(g, 5), repeated),
    )
    yield (
        "layout/sub-of-repeated",
        lambda g: g.broadcast_to(real(g, 5), repeated) - real(g, 3, 1),
    )


def numbers() -> Table:
    """What has no number for a result, or one that is no normal float32."""
    for a, b in ((1e30, 1e30), (1e-30, -1e-30), (1e-39, 1e3)):
        yield "algebra/scale-twice", lambda g, a=a, b=b: real(g, 5) * a * b
        yield "algebra/fold-mul", lambda g, a=a, b=b: g.number(a) * g.number(b)
        yield "algebra/fold-div", lambda g, a=a, b=b: g.div(g.number(a), g.number(1 / b))
    for a, b in ((3e38, 3e38), (1.5 * 2.0**-126, -(2.0**-126))):
        yield "algebra/shift-twice", lambda g, a=a, b=b: real(g, 5) + a + b
        yield "algebra/fold-add", lambda g, a=a, b=b: g.number(a) + g.number(b)
        yield "algebra/fold-sub", lambda g, a=a, b=b: g.sub(g.number(a), g.number(-b))
    for a in (1e-39, 2.0**127, 0.0):
        yield "algebra/over-number", lambda g, a=a: real(g, 5) / a
    for a in (1e-10, -0.5):  # the sum would be larger than it was
        yield "algebra/sum-of-scaled", lambda g, a=a: g.sum(real(g, 5) * a, 0)
    yield "algebra/fold-power", lambda g: g.pow(g.number(10.0), g.number(50.0))
    yield "algebra/fold-reciprocal", lambda g: g.recip(g.number(2.0**127))
    for name in ("maximum", "minimum"):
        yield (
            f"algebra/fold-{name}",
            lambda g, name=name: getattr(g, name)(g.number(1.0), g.number(math.nan)),
        )
    # −0 is not 0.
    yield "algebra/plus-zero", lambda g: real(g, 5) + -0.0
    yield "algebra/minus-zero", lambda g: real(g, 5) - (-0.0)
    yield "algebra/zero-minus", lambda g: -0.0 - real(g, 5)
    yield "algebra/negative-scaled", lambda g: -(real(g, 5) * 0.0)
    yield "algebra/fold-negation", lambda g: g.neg(g.number(0.0))
    yield "algebra/fold-div", lambda g: g.div(g.number(1.0), g.number(0.0))
    yield "algebra/fold-reciprocal", lambda g: g.recip(g.number(0.0))
    yield "algebra/fold-root", lambda g: g.sqrt(g.number(-1.0))
    yield "algebra/fold-one-over-root", lambda g: g.rsqrt(g.number(0.0))
    yield "algebra/fold-power", lambda g: g.pow(g.number(-1.0), g.number(0.5))
    yield "algebra/over-number", lambda g: real(g, 3) / 0.0


def parts() -> Table:
    def across(g: Graph) -> Value:
        return g.slice(g.concatenate([real(g, 3, 4), real(g, 3, 4)], 1), (0, 2), (3, 6))

    yield "layout/slice-of-first", across
    yield "layout/slice-of-second", across

    def joined(g: Graph, *ranges: tuple[tuple[int, int], tuple[int, int]]) -> Value:
        x = real(g, 6, 6)
        return g.concatenate([g.slice(x, a, b) for a, b in ranges], 1)

    gap = ((1, 0), (4, 2)), ((1, 3), (4, 5))
    overlap = ((1, 0), (4, 3)), ((1, 2), (4, 5))
    turned = ((1, 2), (4, 4)), ((1, 0), (4, 2))
    shifted = ((1, 0), (4, 2)), ((2, 2), (5, 4))
    for ranges in (gap, overlap, turned, shifted):
        yield "layout/concat-of-slices", lambda g, ranges=ranges: joined(g, *ranges)
    for start, stop in ((1, 4), (2, 4)):
        yield (
            "layout/slice-of-padded",
            lambda g, a=start, b=stop: g.slice(g.pad(real(g, 3), (2,), (2,)), (a,), (b,)),
        )

    def padded(g: Graph, axis: int, *margins: tuple[int, int]) -> Value:
        """Two values of size 3 along an axis, with margins along it."""
        around = ([[0] * axis + [m] for m in pair] for pair in margins)
        a, b = (g.pad(real(g, *[2] * axis, 3), *pair) for pair in around)
        return a + b

    overlap_by_one = (0, 2), (2, 0)
    inside, apart, off = ((0, 3), (1, 2)), ((0, 4), (4, 0)), ((3, 0), (3, 0))
    around, both = ((1, 4), (4, 1)), ((0, 4), (3, 1))
    for margins in (overlap_by_one, inside, apart, off, around, both):
        for axis in range(4):
            yield (
                f"layout/padded-side-by-side-axis-{axis}",
                lambda g, axis=axis, margins=margins: padded(g, axis, *margins),
            )
    # Of sizes that differ along another axis as well, and of other ranks.
    yield (
        "layout/padded-side-by-side-axis-1",
        lambda g: g.pad(real(g, 3), (0,), (3,)) + g.pad(real(g, 2, 3), (0, 3), (0, 0)),
    )
    yield (
        "layout/padded-side-by-side-axis-0",
        lambda g: g.pad(real(g, 3, 2), (0, 0), (3, 0)) + g.pad(real(g, 3, 1), (3, 0), (0, 1)),
    )
    for rank in range(1, 6):
        yield f"layout/slice-twice-{rank}d", lambda g, rank=rank: sliced_twice(g, rank + 1)


def sums() -> Table:
    """Sums along what was not repeated, or not flattened, in shapes that do not give it away."""
    yield (
        "layout/sum-of-repeated-whole",
        lambda g: g.sum(g.broadcast_to(real(g, 3), (3, 3)), 1),
    )
    yield (
        "layout/sum-of-repeated-kept",
        lambda g: g.sum(g.broadcast_to(real(g, 3, 1), (3, 3)), 0, keep=True),
    )
    yield (
        "layout/sum-of-repeated-dropped",
        lambda g: g.sum(g.broadcast_to(real(g, 1, 1, 3), (3, 3, 3)), 1),
    )
    yield "layout/sum-of-flattened", lambda g: g.sum(g.reshape(real(g, 4, 3, 2), (6, 4)), 1)
    yield "layout/sum-of-flattened", lambda g: g.sum(g.reshape(real(g, 2, 4, 2), (2, 2, 4)), 1)
    yield "layout/sum-of-flattened", lambda g: g.sum(g.reshape(real(g, 3, 2, 3), (6, 3)), 0)
    yield (
        "layout/sum-of-flattened",
        lambda g: g.sum(g.reshape(real(g, 3, 5, 2), (3, 2, 5)), (1, 2)),
    )
    for keep, name in ((True, "kept"), (False, "dropped")):
        yield (
            f"layout/sum-of-repeated-{name}",
            lambda g, keep=keep: g.sum(g.broadcast_to(real(g, 3, 1, 3), (3, 4, 3)), (1, 2), keep),
        )
        yield (
            f"layout/sum-of-repeated-{name}",
            lambda g, keep=keep: g.sum(g.broadcast_to(real(g, 3, 1), (2, 3, 4)), 2, keep),
        )
        yield (
            f"layout/sum-of-repeated-{name}",
            lambda g, keep=keep: g.sum(g.broadcast_to(real(g, 1, 3), (3, 3)), 1, keep),
        )
        yield (
            f"layout/sum-of-repeated-{name}",
            lambda g, keep=keep: g.sum(g.broadcast_to(real(g, 1), (2, 3)), 1, keep),
        )
    yield "layout/sum-of-repeated-whole", lambda g: g.sum(g.broadcast_to(real(g, 1), (3, 3)), 0)
    yield "layout/sum-of-repeated-whole", lambda g: g.sum(g.broadcast_to(real(g, 3), (2, 3, 3)), 0)
    for name, keep in (("kept", True), ("dropped", False)):
        yield f"layout/sum-{name}", lambda g, keep=keep: other_shape(g, keep)


def other_shape(g: Graph, keep: bool) -> Value:
    """Two forms of a sum, of which the second has a shape of its own."""
    x = real(g, 4, 5)
    one, other = g.sum(x, 1, keep), g.sum(x, 1, not keep)
    return g.sum_all(one) + g.sum_all(g.exp(g.reshape(other, (2, 2))))


def views() -> Table:
    """Permutations of equal sizes that are not each other's inverse, and shapes that come to the
    same size."""
    cube, turn = (3, 3, 3), (1, 2, 0)
    yield "layout/reshape-nothing", lambda g: g.reshape(real(g, 3, 5), (5, 3))
    yield "layout/slice-nothing", lambda g: g.slice(real(g, 3, 5), (0, 0), (3, 4))
    yield "layout/pad-nothing", lambda g: g.pad(real(g, 3, 5), (0, 0), (0, 1))
    yield "layout/broadcast-nothing", lambda g: g.broadcast_to(real(g, 3, 5), (1, 3, 5))
    yield "layout/permute-nothing", lambda g: g.permute(real(g, *cube), turn)
    yield (
        "layout/permute-through-exp",
        lambda g: g.permute(g.exp(g.permute(real(g, *cube), turn)), turn),
    )
    yield (
        "layout/permute-through-add",
        lambda g: g.permute(
            g.permute(real(g, *cube), turn) + g.permute(real(g, *cube), (0, 2, 1)), (2, 0, 1)
        ),
    )
    yield (
        "layout/reshape-through-exp",
        lambda g: g.reshape(g.exp(g.reshape(real(g, 2, 3), (6,))), (3, 2)),
    )
    yield (
        "layout/reshape-through-add",
        lambda g: g.reshape(
            g.reshape(real(g, 2, 3), (6,)) + g.reshape(real(g, 6, 1), (6,)), (2, 3)
        ),
    )
    yield "layout/permuted-product-3d", lambda g: g.permute(real(g, *cube) @ real(g, *cube), turn)
    yield (
        "layout/permuted-product-3d",
        lambda g: g.transpose(real(g, 2, 3, 3) @ real(g, 3, 3)),
    )
    yield (
        "layout/permuted-product-3d",
        lambda g: g.transpose(real(g, 3, 3) @ real(g, 2, 3, 3)),
    )
    yield (
        "layout/permuted-product-4d",
        lambda g: g.permute(real(g, 3, *cube) @ real(g, 3, *cube), (1, 0, 3, 2)),
    )
    for rank, wrong in ((2, (0, 1)), (3, (1, 0, 2)), (4, (1, 0, 3, 2))):
        right = (*range(rank - 2), rank - 1, rank - 2)
        for pair in ((wrong, wrong), (right, wrong), (wrong, right)):
            yield (
                f"layout/product-of-permuted-{rank}d",
                lambda g, rank=rank, pair=pair: (
                    g.permute(real(g, *[3] * rank), pair[0])
                    @ g.permute(real(g, *[3] * rank), pair[1])
                ),
            )
    for a, b in ((4, 3), (3, 4)):
        yield (
            "layout/product-of-permuted-3d",
            lambda g, a=a, b=b: g.transpose(real(g, *[2] * a)) @ g.transpose(real(g, *[2] * b)),
        )
    yield (
        "layout/slice-of-concats-through-add",
        lambda g: g.slice(
            g.concatenate([real(g, 3, 2), real(g, 3, 4)], 1)
            + g.concatenate([real(g, 1, 1), real(g, 2, 1)], 0),
            (1, 0),
            (3, 2),
        ),
    )
    yield "layout/permuted-row", lambda g: g.transpose(real(g, 3, 4))
    yield "layout/permuted-column", lambda g: g.transpose(real(g, 3, 4))


def composite() -> Table:
    yield "composite/silu", lambda g: real(g, 3) * g.sigmoid(real(g, 3))
    yield "composite/sigmoid", lambda g: g.recip(g.exp(-real(g, 3)) + 2.0)
    yield "composite/sigmoid", lambda g: g.recip(g.exp(-real(g, 3)) + g.full(1.0, (2, 3)))

    def softmax(g: Graph, axis: int, shift: int, shape: tuple[int, ...] = (4, 4)) -> Value:
        x = real(g, *shape)
        e = g.exp(x - g.max(x, shift, keep=True))
        return e / g.sum(e, axis, keep=True)

    yield "composite/softmax", lambda g: softmax(g, 0, 0)
    yield "composite/softmax", lambda g: softmax(g, 1, 0)
    yield "composite/softmax", lambda g: softmax(g, 0, 0, (4,))

    def log_softmax(g: Graph, axis: int, shape: tuple[int, ...] = (4, 4)) -> Value:
        x = real(g, *shape)
        shifted = x - g.max(x, axis, keep=True)
        return shifted - g.log(g.sum(g.exp(shifted), axis, keep=True))

    yield "composite/log-softmax", lambda g: log_softmax(g, 0)
    yield "composite/log-softmax", lambda g: log_softmax(g, 0, (4,))

    def rms_norm(
        g: Graph,
        share: float,
        axis: int = 1,
        weights: tuple[int, ...] = (4,),
        eps: tuple[float, tuple[int, ...]] = (0.1, ()),
        shape: tuple[int, ...] = (4, 4),
    ) -> Value:
        x = real(g, *shape)
        root = g.rsqrt(g.sum(x * x, axis, keep=True) * share + g.full(*eps))
        return x * root * real(g, *weights)

    yield "composite/rms-norm", lambda g: rms_norm(g, 0.2)
    yield "composite/rms-norm", lambda g: rms_norm(g, 0.25, axis=0)
    yield "composite/rms-norm", lambda g: rms_norm(g, 0.25, weights=(4, 4))
    yield "composite/rms-norm", lambda g: rms_norm(g, 0.25, eps=(0.0, ()))
    yield "composite/rms-norm", lambda g: rms_norm(g, 0.25, eps=(0.1, (2, 1, 1)))
    yield "composite/rms-norm", lambda g: rms_norm(g, 0.25, 0, shape=(4,))

    def layer_norm(g: Graph, share: float, shift: tuple[int, ...], axis: int = 1) -> Value:
        x = real(g, 4, 4)
        centred = x - g.sum(x, axis, keep=True) * share
        return g.rms_norm(centred, real(g, 4)) + real(g, *shift)

    yield "composite/layer-norm", lambda g: layer_norm(g, 0.2, (4,))
    yield "composite/layer-norm", lambda g: layer_norm(g, 0.25, (4, 1))
    yield "composite/layer-norm", lambda g: layer_norm(g, 0.25, (4,), axis=0)


def merge() -> Table:
    def stacked(g: Graph, axis: int) -> Value:
        return g.concatenate([real(g, 2, 4, 4), real(g, 2, 4, 4)], axis)

    yield "merge/matmul-over-parts", lambda g: stacked(g, 1) @ real(g, 4, 3)
    yield "merge/matmul-over-parts", lambda g: stacked(g, 1) @ real(g, 2, 4, 3)
    yield "merge/weight-gradient-over-parts", lambda g: g.transpose(stacked(g, 1)) @ real(g, 8, 3)
    yield (
        "merge/weight-gradient-over-parts",
        lambda g: g.transpose(g.concatenate([real(g, 2, 4), real(g, 2, 4)], 1)) @ real(g, 3, 2, 3),
    )

    def images(g: Graph) -> Value:
        return g.concatenate([real(g, 2, 4, 5, 5), real(g, 2, 4, 5, 5)], 1)

    yield (
        "merge/convolution-over-parts",
        lambda g: g.conv2d(images(g), real(g, 6, 4, 3, 3), groups=2),
    )
    yield (  # an odd size: the last row of images has no phase of its own
        "algorithm/conv2d-grad-input-by-phases",
        lambda g: g.emit(
            Conv2dGradInput((2, 2), (1, 1), size=(5, 6)), real(g, 2, 4, 3, 3), real(g, 4, 3, 3, 3)
        ),
    )
    yield (  # without a margin, even rows meet the first and the last taps
        "algorithm/conv2d-grad-input-by-phases",
        lambda g: g.emit(
            Conv2dGradInput((2, 2), size=(8, 8)), real(g, 2, 4, 3, 3), real(g, 4, 3, 3, 3)
        ),
    )
    yield (
        "merge/kernel-gradient-over-parts",
        lambda g: g.emit(Conv2dGradWeight(groups=2, kernel=(3, 3)), images(g), real(g, 2, 6, 3, 3)),
    )

    def products(g: Graph) -> Value:
        x = real(g, 4, 5)
        return g.concatenate([x @ real(g, 5, 3), x @ g.parameter("w", (5, 3))], 1)

    yield "merge/projections", products
