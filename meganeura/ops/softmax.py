"""Softmax and the losses. A loss is a full scalar of shape ``[1]`` and composes like any value."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import ClassVar

from ..dtypes import DType
from ..ir.composite import CompositeOp
from ..ir.graph import Graph, Value
from ..ir.op import Source, op
from ..ir.types import TensorType
from ..kernel.archetype import KEPT, Archetype, Reduction, Result, Stage, places
from ..kernel.element import Element, apply, held
from ..scalar.expr import exp, log
from .arithmetic import Abs, Exp, Greater, Log, Where
from .index import OneHot
from .leaf import StopGradient
from .reduce import Max, Mean, Sum, flatten


class RowOp(CompositeOp):
    """An op on each row, along the last axis."""

    passes: ClassVar[float] = 3.0
    """For its largest, its sum and its result."""
    goes_on: ClassVar[bool] = True

    def inlines(self, number: int) -> bool:
        return True

    def check(self, x: TensorType) -> None:
        """At least a matrix."""
        if x.rank() < 2:
            self.reject("x must be [rows, features]", x, hint="g.reshape a vector to [1, n]")

    def row_kernel(
        self, out: TensorType, x: Source, result: Callable[[Element], Element], kept: bool
    ) -> Archetype:
        """``result(value)`` at each element of each row, which may use the row's maximum ``s0``,
        ``s1`` = Σ exp(value − s0), and what of the terms is kept."""
        rows, columns = out.shape[:-1], out.shape[-1:]
        value = x.at([*places(rows), *places(columns, "r")])
        shifted = apply(lambda v, m: exp(v - m), value, held("s0"))
        stages = (Stage("max", value), Stage("sum", shifted, kept))
        return Reduction(rows, columns, stages, (Result(result(value), spread=True),))


def row_max(x: Value) -> Value:
    """The largest element of each row, as a constant: what is subtracted before `exp`, and
    cancels, needs no gradient."""
    return StopGradient()(Max((len(x.shape) - 1,), True)(x))


def row_sum(x: Value) -> Value:
    """The sum of each row, kept as a column."""
    return Sum((len(x.shape) - 1,), True)(x)


@op("softmax")
class Softmax(RowOp):
    """``exp(x) / Σ exp(x)`` on each row."""

    def lower(self, out: TensorType, x: Source) -> Archetype:
        def result(value: Element) -> Element:
            return apply(lambda e, s: e * (1 / s), held(KEPT), held("s1"))

        return self.row_kernel(out, x, result, kept=True)

    def define(self, x: Value) -> Value:
        """With the row's maximum subtracted."""
        e = Exp()(x - row_max(x))
        return e / row_sum(e)

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """``y · (g − Σ g·y)``."""
        return (out * (grad - row_sum(grad * out)),)


@op("log_softmax")
class LogSoftmax(RowOp):
    """``x − log Σ exp(x)`` on each row."""

    def lower(self, out: TensorType, x: Source) -> Archetype:
        def result(value: Element) -> Element:
            return apply(lambda v, m, s: v - m - log(s), value, held("s0"), held("s1"))

        return self.row_kernel(out, x, result, kept=False)

    def define(self, x: Value) -> Value:
        """With the row's maximum subtracted first."""
        shifted = x - row_max(x)
        return shifted - Log()(row_sum(Exp()(shifted)))

    def vjp(self, grad: Value, out: Value, x: Value) -> tuple[Value]:
        """``g − softmax · Σ g``."""
        return (grad - Exp()(out) * row_sum(grad),)


class LossOp(CompositeOp):
    """A loss between a prediction and a target of one shape."""

    def check(self, pred: TensorType, target: TensorType) -> None:
        """The same shape, with no broadcasting that would hide a mistake."""
        if pred != target:
            self.reject("shapes differ", pred, target)


@op("cross_entropy_loss")
class CrossEntropyLoss(LossOp):
    """``−(1/N) Σ labels · log_softmax(logits)``; labels are any weights."""

    def check(self, logits: TensorType, labels: TensorType) -> None:
        """One label vector for each row of logits."""
        if logits.rank() < 2 or logits != labels:
            self.reject("logits and labels must both be [N, C]", logits, labels)

    def define(self, logits: Value, labels: Value) -> Value:
        """Summed over classes, averaged over rows."""
        picked = flatten(labels * LogSoftmax()(logits))
        return Sum((0,), True)(picked) * (-1 / prod(logits.shape[:-1]))


@op("cross_entropy_classes")
class CrossEntropyClasses(CompositeOp):
    """``−(1/N) Σ log_softmax(logits)[i, labels[i]]``; a logit of −∞ masks its class."""

    u32_operands: ClassVar[frozenset[str]] = frozenset({"labels"})

    def check(self, logits: TensorType, labels: TensorType) -> None:
        """One class number for each row of logits."""
        if logits.rank() < 2 or labels.shape != logits.shape[:-1]:
            self.reject("logits must be [N, C] and labels [N]", logits, labels)

    def index_limits(self, logits: TensorType, labels: TensorType) -> dict[str, int]:
        """A label names a class."""
        return {"labels": logits.shape[-1]}

    def define(self, logits: Value, labels: Value) -> Value:
        """Chosen, not multiplied: 0 · −∞ would be NaN."""
        chosen = OneHot(logits.shape[-1])(labels)
        zero = logits.graph.number(0.0)
        picked = flatten(Where()(chosen, LogSoftmax()(logits), zero))
        return Sum((0,), True)(picked) * (-1 / prod(labels.shape))


_CLAMP = 1e-7


@op("bce_loss")
class BceLoss(LossOp):
    """``−mean(t ln p + (1−t) ln(1−p))`` with p kept within ``[1e-7, 1−1e-7]``; the gradient is
    zero outside."""

    def define(self, pred: Value, target: Value) -> Value:
        """p is chosen by `where`, so outside the clamp nothing is multiplied by an infinity."""
        number = pred.graph.number
        low, high = number(_CLAMP), number(1 - _CLAMP)
        p = Where()(Greater()(low, pred), low, pred)
        p = Where()(Greater()(pred, high), high, p)
        likelihood = target * Log()(p) + (1 - target) * Log()(1 - p)
        return -Mean((0,), True)(flatten(likelihood))


@op("mse_loss")
class MseLoss(LossOp):
    """``mean((pred − target)²)``."""

    def define(self, pred: Value, target: Value) -> Value:
        """Averaged over all elements."""
        difference = flatten(pred - target)
        return Mean((0,), True)(difference * difference)


@op("l1_loss")
class L1Loss(LossOp):
    """``mean(|pred − target|)``."""

    def define(self, pred: Value, target: Value) -> Value:
        """Averaged over all elements."""
        return Mean((0,), True)(Abs()(flatten(pred - target)))


class SoftmaxMethods(Graph):
    """Graph methods for softmax and losses."""

    def softmax(self, x: Value) -> Value:
        """``exp(x) / Σ exp(x)`` on each row, along the last axis: rows become probabilities.

        The row's maximum is subtracted first, so it does not overflow. ``x`` has two axes or more,
        else it is a `ShapeError`.

        >>> g.set_outputs([g.softmax(g.constant([[0.0, 0.0, 1000.0, 1000.0]]))])
        >>> mg.interpret(g, {})
        [array([[0. , 0. , 0.5, 0.5]], dtype=float32)]
        """
        return self.emit(Softmax(), x)

    def log_softmax(self, x: Value) -> Value:
        """``x − log Σ exp(x)`` on each row: the logarithm of `softmax`, computed without it.

        It stays finite where a probability rounds to 0. Shapes as for `softmax`.

        >>> g.set_outputs([g.log_softmax(g.constant([[0.0, 1000.0]]))])
        >>> mg.interpret(g, {})
        [array([[-1000.,     0.]], dtype=float32)]
        """
        return self.emit(LogSoftmax(), x)

    def cross_entropy_loss(self, logits: Value, labels: Value) -> Value:
        """``−(1/N) Σ labels · log_softmax(logits)``, shape ``[1]``.

        ``logits`` is ``[N, C]``, where N may be several axes. Labels are ``[N, C]`` weights
        (one-hot or any other), or ``[N]`` class numbers in U32, which are refused from C on when
        they are fed (`GraphError`); with those, a logit of −∞ masks its class. Other shapes are a
        `ShapeError`. The gradient of the logits is ``(softmax · Σ labels − labels) / N``.

        >>> logits, labels = g.constant([[0.0, 0.0], [0.0, 0.0]]), g.input_u32("labels", [2])
        >>> g.set_outputs([g.cross_entropy_loss(logits, labels)])
        >>> mg.interpret(g, {"labels": [1, 0]})[0].round(3)  # ln 2
        array([0.693], dtype=float32)
        """
        if labels.dtype is DType.U32:
            return self.emit(CrossEntropyClasses(), logits, labels)
        return self.emit(CrossEntropyLoss(), logits, labels)

    def bce_loss(self, pred: Value, target: Value) -> Value:
        """``−mean(t ln p + (1−t) ln(1−p))``, shape ``[1]``: binary cross-entropy of probabilities.

        ``pred`` p is kept within ``[1e-7, 1−1e-7]``; outside, its gradient is 0, and the loss is
        never infinite. ``target`` t has the same shape, else it is a `ShapeError`; it has a
        gradient too.

        >>> g.set_outputs([g.bce_loss(g.constant([0.5, 1.0]), g.constant([1.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([0.347], dtype=float32)
        """
        return self.emit(BceLoss(), pred, target)

    def mse_loss(self, pred: Value, target: Value) -> Value:
        """``mean((pred − target)²)``, shape ``[1]``.

        Both have one shape, else it is a `ShapeError`: nothing is broadcast. Both have a gradient.

        >>> g.set_outputs([g.mse_loss(g.constant([1.0, 2.0]), g.constant([1.0, 5.0]))])
        >>> mg.interpret(g, {})
        [array([4.5], dtype=float32)]
        """
        return self.emit(MseLoss(), pred, target)

    def l1_loss(self, pred: Value, target: Value) -> Value:
        """``mean(|pred − target|)``, shape ``[1]``; shapes as for `mse_loss`.

        Both have a gradient, which is 0 where they are equal.

        >>> g.set_outputs([g.l1_loss(g.constant([1.0, 2.0]), g.constant([1.0, 5.0]))])
        >>> mg.interpret(g, {})
        [array([1.5], dtype=float32)]
        """
        return self.emit(L1Loss(), pred, target)
