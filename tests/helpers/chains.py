"""Deep graphs: chains of one kind of op, and elementwise ops that share their operands."""

from __future__ import annotations

import random
from collections.abc import Callable

from meganeura import Graph, Value

SIZE = 8
Step = Callable[[Graph, Value], Value]


def _weight(g: Graph, *shape: int) -> Value:
    name = f"w{'x'.join(map(str, shape))}"
    known = (node for node in g.nodes() if node.name == name)
    node = next(known, None)
    return g.parameter(name, shape) if node is None else g.value(node.id)


def _moved(g: Graph, x: Value) -> Value:
    return g.reshape(g.transpose(g.reshape(x, (4, 16))), (SIZE, SIZE))


def _shifted(g: Graph, x: Value) -> Value:
    return g.concatenate([x, _weight(g, SIZE, 1)], 1)[:, 1:]


def _norm(g: Graph, x: Value) -> Value:
    return x + g.layer_norm(x, _weight(g, SIZE), _weight(g, SIZE))


CHAINS: dict[str, Step] = {
    "unary": lambda g, x: g.sin(x) * 1.01,
    "negations": lambda g, x: g.neg(g.abs(x)),
    "diamonds": lambda g, x: x + g.neg(x) * 0.3,
    "comb": lambda g, x: x + _weight(g, SIZE, SIZE),
    "products": lambda g, x: x @ _weight(g, SIZE, SIZE),
    "norms": _norm,
    "moves": _moved,
    "shifts": _shifted,
    "halves": lambda g, x: g.concatenate([x[:, 4:], x[:, :4]], 1),
    "means": lambda g, x: x - g.broadcast_to(g.mean(x, 1, keep=True), (SIZE, SIZE)),
}


def chain(kind: str, length: int) -> Graph:
    """A chain whose last value is the output."""
    g = Graph()
    x = g.parameter("x", (SIZE, SIZE))
    for _ in range(length):
        x = CHAINS[kind](g, x)
    g.set_outputs([x])
    return g


def slices(length: int) -> Graph:
    """A chain of ever smaller slices."""
    g = Graph()
    x = g.parameter("x", (length + 1, 2))
    for _ in range(length):
        x = x[:-1]
    g.set_outputs([x])
    return g


def tangle(length: int, seed: int) -> Graph:
    """Elementwise ops of values chosen at random."""
    rng = random.Random(seed)
    g = Graph()
    values = [g.parameter(f"x{i}", (40, 60)) for i in range(4)]
    for _ in range(length):
        x, y = rng.choices(values[-12:], k=2)
        op = rng.choice((g.add, g.mul, g.sub, g.maximum, g.tanh, g.sigmoid, g.neg))
        values.append(op(x, y) if op in (g.add, g.mul, g.sub, g.maximum) else op(x))
    g.set_outputs([g.mean_all(value) for value in values[-3:]])
    return g


def residual_convolutions(length: int) -> Graph:
    """Convolutions, each with a way past it."""
    g = Graph()
    x = g.parameter("x", (1, 8, 16, 16))
    for i in range(length):
        x = x + g.silu(g.conv2d(x, g.parameter(f"w{i}", (8, 8, 3, 3)), padding=1))
    g.set_outputs([g.mean_all(x)])
    return g
