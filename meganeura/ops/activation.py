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
        """``max(0, x)``; its gradient at 0 is 0, and a NaN stays a NaN.

        >>> g.set_outputs([g.relu(g.constant([-1.0, 0.0, 2.0]))])
        >>> mg.interpret(g, {})
        [array([0., 0., 2.], dtype=float32)]
        """
        return self.emit(Relu(), x)

    def sigmoid(self, x: Value) -> Value:
        """``1 / (1 + e^(−x))``; it does not overflow.

        >>> g.set_outputs([g.sigmoid(g.constant([-1000.0, 0.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([0.   , 0.5  , 0.731], dtype=float32)
        """
        return self.emit(Sigmoid(), x)

    def tanh(self, x: Value) -> Value:
        """The hyperbolic tangent, ``(eˣ − e^(−x)) / (eˣ + e^(−x))``; it does not overflow.

        >>> g.set_outputs([g.tanh(g.constant([-1000.0, 0.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([-1.   ,  0.   ,  0.762], dtype=float32)
        """
        return self.emit(Tanh(), x)

    def silu(self, x: Value) -> Value:
        """``x · σ(x)``, also called swish (Elfwing et al. 2017).

        >>> g.set_outputs([g.silu(g.constant([-1.0, 0.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([-0.269,  0.   ,  0.731], dtype=float32)
        """
        return self.emit(Silu(), x)

    def swiglu(self, gate: Value, up: Value) -> Value:
        """``silu(gate) · up`` (Shazeer 2020). Operands broadcast by NumPy's rule.

        >>> g.set_outputs([g.swiglu(g.constant([-1.0, 1.0]), g.constant([2.0, 3.0]))])
        >>> mg.interpret(g, {})[0].round(3)
        array([-0.538,  2.193], dtype=float32)
        """
        return self.emit(Swiglu(), gate, up)

    def gelu(self, x: Value) -> Value:
        """``x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))``: GELU in its tanh form.

        Hendrycks & Gimpel 2016. `gelu_erf` is what it approximates.

        >>> g.set_outputs([g.gelu(g.constant([-1.0, 0.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(4)
        array([-0.1588,  0.    ,  0.8412], dtype=float32)
        """
        return self.emit(Gelu(), x)

    def gelu_erf(self, x: Value) -> Value:
        """``x/2 · (1 + erf(x/√2))``: GELU in its exact form (Hendrycks & Gimpel 2016).

        >>> g.set_outputs([g.gelu_erf(g.constant([-1.0, 0.0, 1.0]))])
        >>> mg.interpret(g, {})[0].round(4)
        array([-0.1587,  0.    ,  0.8413], dtype=float32)
        """
        return self.emit(GeluErf(), x)
