"""Activations: scalar functions that networks put between their layers."""

from __future__ import annotations

import math

from ..ir.graph import Graph, Value
from ..ir.op import op
from ..ir.pointwise import PointwiseOp
from ..scalar import expr
from ..scalar.expr import Expr


@op("relu")
class Relu(PointwiseOp):
    """``max(0, x)``; its gradient at 0 is 0, and a NaN stays a NaN."""

    def formula(self, x: Expr) -> Expr:
        return expr.where(expr.greater_equal(0.0, x), 0.0, x)


@op("sigmoid")
class Sigmoid(PointwiseOp):
    """``1 / (1 + e^(−x))``."""

    def formula(self, x: Expr) -> Expr:
        return expr.sigmoid(x)


@op("tanh")
class Tanh(PointwiseOp):
    """The hyperbolic tangent."""

    def formula(self, x: Expr) -> Expr:
        return expr.tanh(x)


@op("silu")
class Silu(PointwiseOp):
    """``x · σ(x)`` (Elfwing et al. 2017)."""

    def formula(self, x: Expr) -> Expr:
        return x * expr.sigmoid(x)


@op("swiglu")
class Swiglu(PointwiseOp):
    """``silu(gate) · up`` (Shazeer 2020)."""

    def formula(self, gate: Expr, up: Expr) -> Expr:
        return gate * expr.sigmoid(gate) * up


@op("gelu")
class Gelu(PointwiseOp):
    """``x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))`` (Hendrycks & Gimpel 2016)."""

    def formula(self, x: Expr) -> Expr:
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))
        return 0.5 * x * (1 + expr.tanh(inner))


@op("gelu_erf")
class GeluErf(PointwiseOp):
    """``x/2 · (1 + erf(x/√2))``: the exact form of `gelu`."""

    def formula(self, x: Expr) -> Expr:
        return 0.5 * x * (1 + expr.erf(x * math.sqrt(0.5)))


class ActivationMethods(Graph):
    """Graph methods for activations. They keep the shape."""

    def relu(self, x: Value) -> Value:
        """``max(0, x)``."""
        return self.emit(Relu(), x)

    def sigmoid(self, x: Value) -> Value:
        """``1 / (1 + e^(−x))``."""
        return self.emit(Sigmoid(), x)

    def tanh(self, x: Value) -> Value:
        """The hyperbolic tangent."""
        return self.emit(Tanh(), x)

    def silu(self, x: Value) -> Value:
        """``x · σ(x)``."""
        return self.emit(Silu(), x)

    def swiglu(self, gate: Value, up: Value) -> Value:
        """``silu(gate) · up``."""
        return self.emit(Swiglu(), gate, up)

    def gelu(self, x: Value) -> Value:
        """GELU in its tanh form."""
        return self.emit(Gelu(), x)

    def gelu_erf(self, x: Value) -> Value:
        """GELU in its exact form."""
        return self.emit(GeluErf(), x)
