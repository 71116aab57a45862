"""Random graphs: hypothesis chooses the ops and shapes, so that a failure shrinks."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from meganeura import Graph, Value

SMOOTH = ("tanh", "sigmoid", "silu", "gelu", "gelu_erf", "sin", "cos", "neg", "softmax")
KINKED = ("relu", "abs", "max_rows", "max_pool")
BINARY = ("add", "sub", "mul", "div", "maximum", "minimum", "where", "swiglu", "pow")
SHAPED = ("matmul", "transpose", "reshape", "slice", "concat", "sum", "mean", "broadcast", "pad")
LAYERS = ("layer_norm", "rms_norm", "conv", "group_norm", "attention", "rope", "embedding")


class Builder:
    """A graph of matrices under construction; every value stays of moderate size."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.graph = Graph()
        self.arrays: list[np.ndarray] = []
        self.rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        self.values = [self.leaf(self.size(), self.size()) for _ in range(2)]

    def size(self) -> int:
        return self.draw(st.integers(1, 4))

    def leaf(self, *shape: int) -> Value:
        self.arrays.append(self.rng.normal(size=shape))
        return self.graph.parameter(f"x{len(self.arrays) - 1}", shape)

    def value(self) -> Value:
        return self.draw(st.sampled_from(self.values))

    def step(self) -> None:
        kind = self.draw(st.sampled_from(SMOOTH + KINKED + BINARY + SHAPED + LAYERS))
        x = self.value()
        family = {**dict.fromkeys(BINARY, self.binary), **dict.fromkeys(SHAPED, self.shaped)}
        family |= dict.fromkeys(LAYERS, self.layer)
        self.values.append(family.get(kind, self.unary)(kind, x))

    def unary(self, kind: str, x: Value) -> Value:
        g, (rows, columns) = self.graph, x.shape
        if kind == "max_rows":
            return g.max(x, 1, keep=True)
        if kind == "max_pool":
            pooled = g.max_pool_2d(g.reshape(x, [1, 1, rows, columns]), (1, columns))
            return g.reshape(pooled, [rows, 1])
        return getattr(g, kind)(x)

    def binary(self, kind: str, x: Value) -> Value:
        g, y = self.graph, self.value()
        if y.shape not in (x.shape, (1, x.shape[1]), (x.shape[0], 1)):
            y = self.leaf(*x.shape)
        match kind:
            case "div":
                return x / (y * y + 1.0)
            case "pow":
                return (g.sigmoid(x) + 0.5) ** g.tanh(y)
            case "where":
                return g.where(g.greater(x, 0.25), x, y)
        return getattr(g, kind)(g.tanh(x), g.tanh(y))

    def shaped(self, kind: str, x: Value) -> Value:
        g, (rows, columns) = self.graph, x.shape
        match kind:
            case "matmul":
                return g.tanh(x) @ self.leaf(columns, self.size())
            case "transpose":
                return x.T
            case "reshape":
                return g.reshape(x, [columns, rows])
            case "slice":
                return x[: max(1, rows - 1)]
            case "concat":
                return g.concatenate([x, self.leaf(rows, 2), x], axis=1)
            case "sum":
                return g.sum(x, 0, keep=True)
            case "mean":
                return g.mean(x, 1, keep=True)
            case "broadcast":
                return g.broadcast_to(g.mean(x, 0, keep=True), [3, columns])
        return g.pad(x, [1, 0], [0, 1])

    def layer(self, kind: str, x: Value) -> Value:
        g, (rows, columns) = self.graph, x.shape
        match kind:
            case "layer_norm":
                return g.layer_norm(x, self.leaf(columns), self.leaf(columns), 0.1)
            case "rms_norm":
                return g.rms_norm(x, self.leaf(columns), 0.1)
            case "conv":
                image = g.reshape(x, [1, 1, rows, columns])
                result = g.conv2d(image, self.leaf(2, 1, 3, 3), padding=1)
                return g.reshape(result, [2 * rows, columns])
            case "group_norm":
                image = g.reshape(x, [1, rows, columns])
                normal = g.group_norm(image, self.leaf(rows), self.leaf(rows), eps=0.1)
                return g.reshape(normal, [rows, columns])
            case "attention":
                return g.causal_attention(x, x, g.tanh(x), columns, columns, 1)
            case "rope":
                return g.rope(g.concatenate([x, x], axis=1), 100.0, 2)
        indices = self.rng.integers(0, rows, 3).astype(np.uint32)
        self.arrays.append(indices)
        leaf = g.input_u32(f"x{len(self.arrays) - 1}", [3])
        return g.embedding(leaf, x)


@st.composite
def random_graphs(draw: st.DrawFn) -> Builder:
    """A builder with up to nine ops; its last value is the result."""
    builder = Builder(draw)
    for _ in range(draw(st.integers(1, 9))):
        builder.step()
    return builder
