"""What float64 says of every value of a graph, and how far a float32 result may be from it.

Every value is followed forward with two companions, element by element:

- ``size``: what the value would be if no term of a sum had a sign: |a| + |b| for a + b and a − b,
  |a|·|b| for products, sums of the terms' sizes for sums; |f(x)| for functions. No order of a sum,
  and no distribution or factoring of products, meets a larger partial sum, so a rounding costs at
  most ε · size whatever a rewrite makes of the formula.
- ``error``: |float32 result − value| is at most this. An op's error is what its operands' errors
  become on the way through (for sums of products |a|·eb + ea·|b| + ea·eb; for functions the largest
  change within the interval value ± error, from its two ends, since all are monotone or have a
  slope of at most one), plus its own roundings: ``ROUNDINGS · ε · size``, and for a sum of n terms
  ``(ROUNDINGS + 4√n) · ε · size`` (tests/helpers/tolerance.py). Convolutions that may go by tiles
  mix an image's neighbourhood, so their size is formed of the largest neighbours.

So an ill-conditioned graph gets a wide bound and cannot raise a false alarm, and what is well
conditioned is held to a few ulp. An error of ∞ says that nothing is known:

- A comparison, sign, winner of a pool whose operands lie within their errors of each other may go
  either way: its error is the jump. Exact ties (both errors 0) are held to the contract.
- Size beyond ``HUGE``, of a result or of what is computed with: a float32 may overflow, if only
  in a product of other factors first, so nothing follows.
- Division by what may be zero, and by zero itself: the sign of a zero is nobody's promise.

A NaN or infinity is *certain* (error 0) if it follows whatever the operands are within their
errors; then a device must give the same. A certain finite number must come out finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from meganeura import DType, Graph, Node, TensorType
from meganeura.ir import walk
from meganeura.ir.composite import CompositeOp, definition
from meganeura.ir.op import Op
from meganeura.ir.pointwise import PointwiseOp
from meganeura.ops.attention import Heads
from meganeura.ops.conv import Conv2d, Conv2dGradInput, Conv2dGradWeight, ConvOp
from meganeura.ops.index import ScatterAdd
from meganeura.ops.leaf import Full, LeafOp
from meganeura.ops.matmul import Matmul
from meganeura.ops.pool import MaxPool2d, MaxPool2dGrad, MaxPool2dIndex
from meganeura.ops.reduce import Max, Sum
from meganeura.ops.rope import Rope
from meganeura.scalar.expr import Const, Expr, Var, variables
from meganeura.scalar.table import SCALAR_OPS
from tests.helpers.tolerance import EPSILON, ROUNDINGS, growth_by_tiles

HUGE = 1e37
"""A tenth of the largest float32 and less: what is larger may overflow on the way."""
TINY = 2.0**-125
"""An underflow costs up to the smallest normal float, whether or not denormals are flushed."""
REACH = 5
"""Pixels from which a tile of six may read for an output."""
Array = np.ndarray


@dataclass(frozen=True)
class Bounded:
    """A value, how far off a device may be, and the size of its terms."""

    value: Array
    error: Array
    size: Array

    @classmethod
    def exact(cls, value: Array) -> Bounded:
        return cls(value, np.zeros(value.shape), np.where(np.isfinite(value), abs(value), 0.0))

    def map(self, f: Callable[[Array], Array]) -> Bounded:
        return Bounded(f(self.value), f(self.error), f(self.size))

    def sure(self) -> Array:
        """Where the sign is certain, or a NaN or an infinity is."""
        return ~np.isfinite(self.value) | (self.error == 0) | (abs(self.value) > self.error)


def evaluate(graph: Graph, leaves: Mapping[str, Array]) -> dict[int, Bounded]:
    """Every live value, given the leaves' arrays in float32."""
    values: dict[int, Bounded] = {}
    with np.errstate(all="ignore"):
        for node in walk.live(graph):
            inputs = [values[i] for i in node.inputs]
            values[node.id] = (
                leaf(node, leaves) if isinstance(node.op, LeafOp) else of(node.op, node, inputs)
            )
    return values


def leaf(node: Node, leaves: Mapping[str, Array]) -> Bounded:
    if node.ty.dtype is DType.U32:
        return Bounded.exact(leaves[node.name] if node.name else node.op.reference())
    value = leaves[node.name] if node.name is not None else node.op.reference()
    value = np.broadcast_to(np.asarray(value, np.float64), node.ty.shape)
    result = Bounded.exact(value)
    if isinstance(node.op, Full):
        error = np.where(value == value.astype(np.float32), 0.0, EPSILON * abs(value) + TINY)
        result = Bounded(value, np.where(abs(value) > HUGE, np.inf, error), result.size)
    # An infinity is meant; a finite number beyond HUGE overflows at the next sum.
    error = np.where(np.isinf(value), 0.0, result.error)
    return Bounded(value, error, result.size)


def of(op: Op, node: Node, inputs: list[Bounded]) -> Bounded:
    """The bound of one op from those of its operands."""
    if isinstance(op, PointwiseOp):
        return pointwise(op, inputs)
    if isinstance(op, CompositeOp):
        result = composite(op, inputs)
        if isinstance(op, Heads) and not all(np.isfinite(x.value).all() for x in inputs[:5]):
            # A hidden key's infinite value times its weight of zero: it may be left out.
            result = Bounded(result.value, np.full(result.error.shape, np.inf), result.size)
        return result
    for kind, rule in RULES.items():
        if isinstance(op, kind):
            return rule(op, *inputs)
    return moved(op, *inputs)


def finished(value: Array, error: Array, size: Array, sure: Array | bool = True) -> Bounded:
    """With roundings of numbers near zero, and nothing known near an overflow; a value that is
    not finite is certain where ``sure`` says so."""
    error = error + np.where(size > 0, TINY, 0.0)
    finite = np.isfinite(value)
    error = np.where(finite, error, np.where(np.isinf(error), np.inf, 0.0))
    # Beside an infinite term the others may overflow to the other side.
    overflows = np.where(finite, ~(size <= HUGE), (size > HUGE) & np.isfinite(size))
    unknown = np.isnan(error) | overflows | (~finite & ~np.asarray(sure))
    return Bounded(value, np.where(unknown, np.inf, error), np.where(finite, size, 0.0))


# Ops that move elements, and those made of others


def moved(op: Op, *inputs: Bounded) -> Bounded:
    """Each element of the result is one of an operand's, or a number."""
    fields = []
    for name in ("value", "error", "size"):
        arrays = [x.value if x.value.dtype.kind == "u" else getattr(x, name) for x in inputs]
        fields.append(np.asarray(op.reference(*arrays)))
    if not any(x.value.dtype.kind == "f" for x in inputs) and fields[0].dtype.kind == "f":
        return Bounded.exact(fields[0].astype(np.float64))  # made of indices alone
    return Bounded(*fields)


def composite(op: CompositeOp, inputs: list[Bounded]) -> Bounded:
    types = [
        TensorType(x.value.shape, DType.U32 if x.value.dtype.kind == "u" else DType.F32)
        for x in inputs
    ]
    graph = definition(op, tuple(types))
    values: dict[int, Bounded] = {}
    given = iter(inputs)
    for node in graph.nodes():
        if node.name is not None:
            values[node.id] = next(given)
        elif isinstance(node.op, LeafOp):
            values[node.id] = leaf(node, {})
        else:
            values[node.id] = of(node.op, node, [values[i] for i in node.inputs])
    return values[graph.outputs()[0].id]


# Scalars


def pointwise(op: PointwiseOp, inputs: list[Bounded]) -> Bounded:
    done: dict[Expr, Bounded] = {}

    def visit(e: Expr) -> Bounded:
        if e not in done:
            match e:
                case Const(value):
                    number = np.float64(value)
                    exact = np.float32(value) == number
                    error = 0.0 if exact else EPSILON * abs(number) + TINY
                    done[e] = Bounded(number, np.asarray(error), abs(number))
                case Var(index):
                    done[e] = inputs[index]
                case _:
                    done[e] = scalar(e.op, [visit(a) for a in e.args])
        return done[e]

    result = visit(op.formula(*variables(len(inputs))))
    shape = np.broadcast_shapes(*(x.value.shape for x in inputs))
    return result.map(lambda a: np.broadcast_to(np.asarray(a, np.float64), shape))


def scalar(name: str, args: list[Bounded]) -> Bounded:
    value = SCALAR_OPS[name].numpy(*(x.value for x in args))
    if name in CHOICES:
        return CHOICES[name](value, *args)
    sure = np.asarray(True)
    for x in args:
        sure = sure & x.sure() & ~np.isinf(x.error)
    if name in ARITHMETIC:
        error, size = ARITHMETIC[name](value, *args)
    else:
        error, size = function(name, value, *args)
    for x in args:
        error = np.where(np.isinf(x.error) | (x.size > HUGE), np.inf, error)
    return finished(value, error, size, sure)


def _sum(value: Array, a: Bounded, b: Bounded) -> tuple[Array, Array]:
    size = a.size + b.size
    return a.error + b.error + 4 * EPSILON * size, size


def _product(value: Array, a: Bounded, b: Bounded) -> tuple[Array, Array]:
    through = abs(a.value) * b.error + a.error * (abs(b.value) + b.error)
    size = a.size * b.size
    return through + 4 * EPSILON * size, size


def _quotient(value: Array, a: Bounded, b: Bounded) -> tuple[Array, Array]:
    least = np.where(abs(b.value) > b.error + TINY, abs(b.value) - b.error, 0.0)
    size = np.where(np.isinf(b.value), 0.0, a.size / least)
    error = (a.error + abs(value) * b.error) / least + 8 * EPSILON * size
    # Its reciprocal may be formed first, and must not overflow.
    return np.where(least * HUGE < 1.0, np.inf, error), size


def _power(value: Array, x: Bounded, y: Bounded) -> tuple[Array, Array]:
    x_ends = [x.value - x.error, x.value + x.error]
    y_ends = [y.value - y.error, y.value + y.error]
    ends = [np.power(a, b) for a in x_ends for b in y_ends]
    error = np.max([abs(end - value) for end in ends], axis=0)
    # Of a negative number only whole powers are numbers, and rounding may make an exponent whole.
    is_exact = (y.error == 0) & (y.value == y.value.astype(np.float32))
    known = x.sure() & ((x.value > 0) | ((x.value < 0) & is_exact))
    size = abs(value)
    exponent = abs(y.value * np.log(abs(x.value)))
    return np.where(known, error + ROUNDINGS * EPSILON * size * (1 + exponent), np.inf), size


ARITHMETIC: dict[str, Callable[..., tuple[Array, Array]]] = {
    "add": _sum,
    "sub": _sum,
    "mul": _product,
    "div": _quotient,
    "recip": lambda value, x: _quotient(value, Bounded.exact(np.ones(())), x),
    "neg": lambda value, x: (x.error, x.size),
    "abs": lambda value, x: (x.error, x.size),
    "pow": _power,
}


def function(name: str, value: Array, x: Bounded) -> tuple[Array, Array]:
    """A function of one argument: monotone, or with a slope of at most one."""
    size = abs(value)
    own = ROUNDINGS * EPSILON * size
    if name in ("sin", "cos"):
        return np.minimum(x.error, 2.0) + ROUNDINGS * EPSILON, np.ones_like(value)
    f = SCALAR_OPS[name].numpy
    low, high = x.value - x.error, x.value + x.error
    if name in ("sqrt", "rsqrt"):  # a root of what may be negative
        low = np.where((low < 0) & (x.value >= 0), np.nan, low)
    ends = [abs(f(end) - value) for end in (low, high)]
    error = np.where(x.error > 0, np.maximum(*ends), 0.0)
    if name in ("rsqrt", "log"):  # a denormal may be flushed; the sign of a zero is not said
        near = (x.value > -TINY) & (x.value < TINY) & ((x.value != 0) | (name == "rsqrt"))
        error = np.where(near, np.inf, error)
    return error + own, size


def _compared(value: Array, a: Bounded, b: Bounded) -> Bounded:
    """1 or 0: either, where the operands are within their errors of each other."""
    doubt = a.error + b.error
    sure = (abs(a.value - b.value) > doubt) | (doubt == 0)
    sure |= (np.isnan(a.value) | np.isnan(b.value) | (a.value == b.value)) & (doubt == 0)
    sure |= (np.isinf(a.value) | np.isinf(b.value)) & np.isfinite(doubt)
    sure &= ~np.isinf(doubt)
    return Bounded(value, np.where(sure, 0.0, 1.0), np.ones_like(value))


def _signed(value: Array, x: Bounded) -> Bounded:
    error = np.where(x.sure(), 0.0, 2.0)
    return Bounded(value, np.where(np.isinf(x.error), np.inf, error), np.ones_like(value))


def _extreme(choose: Callable[..., Array]) -> Callable[..., Bounded]:
    def rule(value: Array, a: Bounded, b: Bounded) -> Bounded:
        high = choose(a.value + a.error, b.value + b.error)
        low = choose(a.value - a.error, b.value - b.error)
        error = _between(value, low, high, np.isinf(a.error) | np.isinf(b.error))
        return Bounded(value, error, np.maximum(a.size, b.size))

    return rule


def _between(value: Array, low: Array, high: Array, unknown: Array) -> Array:
    error = np.maximum(high - value, value - low)
    error = np.where(np.isfinite(value), error, 0.0)
    return np.where(unknown | np.isnan(error), np.inf, error)


def _where(value: Array, c: Bounded, a: Bounded, b: Bounded) -> Bounded:
    first, second = c.value != 0, c.value == 0
    error = np.where(first, a.error, b.error)
    either = abs(a.value - b.value) + a.error + b.error
    either = np.where(np.isfinite(either), either, np.inf)
    # Where the choice is open it may be the larger one, whose roundings reach further than itself.
    size = np.where(c.sure(), np.where(first & ~second, a.size, b.size), np.maximum(a.size, b.size))
    return Bounded(value, np.where(c.sure(), error, either), size)


CHOICES: dict[str, Callable[..., Bounded]] = {
    "greater": _compared,
    "greater_equal": _compared,
    "equal": _compared,
    "sign": _signed,
    "maximum": _extreme(np.maximum),
    "minimum": _extreme(np.minimum),
    "where": _where,
}


# Sums and maxima


def summed(op: Op, *inputs: Bounded) -> Bounded:
    """Sums of one operand's elements; the indices of a scatter come before it."""
    *indices, x = inputs

    def run(a: Array) -> Array:
        return np.asarray(op.reference(*(i.value for i in indices), a))

    value, size, unknown = run(x.value), run(x.size), run(_doubtful(x)) > 0
    terms = run(np.ones(x.value.shape))
    own = (ROUNDINGS + 4 * np.sqrt(terms)) * EPSILON * size + terms * TINY * (size > 0)
    error = run(np.where(np.isinf(x.error), 0.0, x.error)) + own
    return finished(value, np.where(unknown, np.inf, error), size)


def multiplied(op: Op, a: Bounded, b: Bounded) -> Bounded:
    """Sums of products of two operands' elements."""
    sizes, factor, terms = [a.size, b.size], 1.0, _terms(op, a, b)
    by_tiles = isinstance(op, ConvOp) and _may_go_by_tiles(op, a, b)
    if by_tiles:
        op = replace(op, tile=0)  # whose meaning has no differences that cancel
    run = op.reference
    if by_tiles:
        factor, sizes = growth_by_tiles(4), _spread_sizes(op, a.size, b.size)
    size = run(*sizes)
    bare = [np.where(np.isfinite(x.value), abs(x.value), 0.0) for x in (a, b)]
    known = [np.where(np.isinf(x.error), 0.0, x.error) for x in (a, b)]
    error = run(bare[0] + known[0], known[1]) + run(known[0], bare[1])
    rounding = (ROUNDINGS + 4 * math.sqrt(terms)) * EPSILON * factor * size
    error = error + rounding + terms * TINY * (size > 0)
    if any(_doubtful(x).any() or not np.isfinite(x.value).all() for x in (a, b)):
        error = np.where(_unsure(op, a, b), np.inf, error)
    return finished(np.asarray(run(a.value, b.value)), error, size)


def _doubtful(x: Bounded) -> Array:
    return (np.isinf(x.error) | (x.size > HUGE)) * 1.0


def _unsure(op: Op, a: Bounded, b: Bounded) -> Array:
    """Where an unknown factor enters, or an infinity meets a factor of unknown sign."""
    ones = [np.ones(x.value.shape) for x in (a, b)]
    doubt = [_doubtful(x) for x in (a, b)]
    wild = [~np.isfinite(x.value) * 1.0 for x in (a, b)]
    open_sign = [~x.sure() * 1.0 for x in (a, b)]
    run = op.reference
    found = run(doubt[0], ones[1]) + run(ones[0], doubt[1])
    found = found + run(wild[0], open_sign[1]) + run(open_sign[0], wild[1])
    if isinstance(op, ConvOp):
        # Whether zeros of the margin meet an infinite factor is not said; nor is it in tiles.
        others = (0, 1) if isinstance(op, (Conv2dGradInput, Conv2dGradWeight)) else (1,)
        found = found + sum(float((wild[i] + doubt[i]).sum()) for i in others)
        if _may_go_by_tiles(op, a, b):
            found = found + run(*_spread_sizes(op, wild[0] + doubt[0], ones[1]))
    return np.asarray(found) > 0


def _terms(op: Op, a: Bounded, b: Bounded) -> int:
    if isinstance(op, Conv2d):
        return prod(b.value.shape[1:])
    if isinstance(op, Conv2dGradInput):
        return b.value.size // b.value.shape[1]
    if isinstance(op, Conv2dGradWeight):
        return b.value.size // b.value.shape[1]
    return a.value.shape[-1]


def _may_go_by_tiles(op: ConvOp, a: Bounded, b: Bounded) -> bool:
    kernel = op.kernel if isinstance(op, Conv2dGradWeight) else b.value.shape[2:]
    plain = op.stride == op.dilation == (1, 1) and op.groups == 1
    return plain and tuple(kernel) == (3, 3) and max(op.padding) < 3


def _spread_sizes(op: ConvOp, a: Array, b: Array) -> list[Array]:
    first = _neighbourhood(a)
    if isinstance(op, Conv2dGradWeight):
        return [first, _neighbourhood(b)]
    return [first, np.broadcast_to(b.max(axis=(2, 3), keepdims=True), b.shape)]


def _neighbourhood(image: Array) -> Array:
    """The largest of all within reach along height and width."""
    for axis in (2, 3):
        size = image.shape[axis]
        moved = [image]
        for step in range(1, min(REACH, size - 1) + 1):
            ahead = np.take(image, range(step, size), axis=axis)
            behind = np.take(image, range(size - step), axis=axis)
            margin = [(0, 0)] * 4
            margin[axis] = (0, step)
            moved.append(np.pad(ahead, margin))
            margin[axis] = (step, 0)
            moved.append(np.pad(behind, margin))
        image = np.max(moved, axis=0)
    return image


def largest(op: Op, x: Bounded) -> Bounded:
    run = op.reference
    value, unknown = run(x.value), run(np.isinf(x.error) * 1.0) > 0
    error = _between(value, run(x.value - x.error), run(x.value + x.error), unknown)
    return Bounded(value, error, np.maximum(run(x.size), 0.0))


def winner(op: MaxPool2dIndex, x: Bounded) -> Bounded:
    """The first largest tap; unknown where another may be as large."""
    value = np.asarray(op.reference(x.value), np.float64)
    high, low = op.taps(x.value + x.error, -np.inf), op.taps(x.value - x.error, -np.inf)
    chosen = value.astype(int)[None]
    mine_low = np.take_along_axis(low, chosen, 0)
    mine_high = np.take_along_axis(high, chosen, 0)
    rival = (high >= mine_low) & (np.arange(len(high))[:, None, None, None, None] != chosen)
    fixed = (high == low) & (mine_high == mine_low)  # an exact tie goes to the first
    doubt = (rival & ~fixed).any(axis=0) | ~np.isfinite(high).any(axis=0) | np.isnan(high).any(0)
    return Bounded(value, np.where(doubt, np.inf, 0.0), value)


def routed(op: MaxPool2dGrad, grad: Bounded, tap: Bounded) -> Bounded:
    """Gradients to the winners; where one is unknown, to any tap of its window."""
    value = op.reference(grad.value, tap.value)
    result = summed_by(op, grad, tap.value, value)
    doubt = tap.error > 0
    if doubt.any():
        stray = np.where(doubt, abs(grad.value) + grad.error, 0.0)
        stray = np.where(np.isfinite(stray), stray, np.inf)
        for number in range(prod(op.kernel)):
            reach = op.reference(stray, np.full(tap.value.shape, float(number)))
            result = Bounded(value, result.error + reach, result.size)
    return result


def summed_by(op: MaxPool2dGrad, grad: Bounded, tap: Array, value: Array) -> Bounded:
    size = op.reference(grad.size, tap)
    error = op.reference(grad.error, tap) + ROUNDINGS * EPSILON * size
    return finished(value, error, size)


def rotated(op: Rope, x: Bounded, *start: Bounded) -> Bounded:
    """Two products added; the angle is a position, exactly, by a frequency, rounded."""
    first = [s.value for s in start]
    half = op.head_dim // 2

    def pairs(a: Array) -> Array:
        halves = a.reshape(a.shape[0], -1, 2, half)
        return (halves + halves[:, :, ::-1]).reshape(a.shape)

    angle = x.value.shape[0] / op.batch + op.offset + sum(float(f.ravel()[0]) for f in first)
    size = pairs(x.size)
    error = pairs(x.error) + ROUNDINGS * EPSILON * size * (1 + angle * max(1.0, 1 / op.theta))
    return finished(op.reference(x.value, *first), error, size)


RULES: dict[type[Op], Callable[..., Bounded]] = {
    Sum: summed,
    ScatterAdd: summed,
    Matmul: multiplied,
    ConvOp: multiplied,
    Max: largest,
    MaxPool2d: largest,
    MaxPool2dIndex: winner,
    MaxPool2dGrad: routed,
    Rope: rotated,
}
