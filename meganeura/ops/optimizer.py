"""The steps of optimizers, each one pass over a parameter."""

from __future__ import annotations

from ..ir.op import op
from ..ir.pointwise import PointwiseOp
from ..scalar.expr import Expr, sqrt


@op("moving_average")
class MovingAverage(PointwiseOp):
    """``decay · average + (1 − decay) · value``."""

    decay: float = 0.9

    def formula(self, average: Expr, value: Expr) -> Expr:
        return self.decay * average + (1 - self.decay) * value


@op("moving_square")
class MovingSquare(PointwiseOp):
    """``decay · average + (1 − decay) · value²``."""

    decay: float = 0.999

    def formula(self, average: Expr, value: Expr) -> Expr:
        return self.decay * average + (1 - self.decay) * (value * value)


@op("adam_step")
class AdamStep(PointwiseOp):
    """``p − rate·c₁ · m / (√v · c₂ + eps)``, after p has shrunk by ``rate·weight_decay``; c₁ and c₂
    correct the bias of m and of √v."""

    eps: float = 1e-8
    weight_decay: float = 0.0

    def formula(self, p: Expr, m: Expr, v: Expr, rate: Expr, c1: Expr, c2: Expr) -> Expr:
        if self.weight_decay:
            p = p * (1 - rate * self.weight_decay)
        return p - rate * c1 * (m / (sqrt(v) * c2 + self.eps))
