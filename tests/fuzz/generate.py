"""Random graphs, each from one whole number: what grows, its data, and how values change layout.

A graph grows op by op. Every op takes its operands through `Growth.fit`, which makes the wanted
shape of what is there by views (permutes, slices, pads, concatenations, broadcasts, reshapes), or
of a new leaf, itself often a view; what an op gives is again often seen through a view. So every
op meets every layout, before and behind. The ops themselves are in templates.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from meganeura import Graph, Value
from meganeura.ops.leaf import Alias

SIZES = (1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 31, 32, 33)
"""Ones, primes, and what lies around the widths of vectors."""
SMALL, LARGE = 1500, 20_000
"""Elements of most values, and of a few."""
COPIES = 4
"""Of a value, at most so many are laid one after another to fill a larger shape."""
MOODS = ("tame",) * 6 + ("rough",) * 2 + ("wild",) * 2
SPIKES = (1e4, -1e5, 1e6)
EXTREMES = (-0.0, 1e-40, -3e-42, 2e38, -1e30, 1e-30, 0.0)
NONFINITE = (np.nan, np.inf, -np.inf)
LITERALS = (0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 0.1, -2.5, 1e4, 1e-4)
WILD_LITERALS = (1e30, 1e-30, 1e-39, 3e38, 1e4, -0.0, 1e-10, 1e20)


@dataclass
class Made:
    """A graph with data for its leaves, and the seeds it was made from."""

    graph: Graph
    feeds: dict[str, np.ndarray]
    training: bool
    seeds: tuple[int, ...] = ()
    finite: bool = False


class Growth:
    """A graph under construction."""

    def __init__(self, seed: int, graph: Graph, training: bool, finite: bool = False) -> None:
        """``finite``: without NaN and infinities in data and numbers. WGSL lets a GPU assume that
        there are none, so its results with them are nobody's promise."""
        self.random = random.Random(seed)
        self.data = np.random.default_rng(seed)
        self.graph, self.training, self.finite = graph, training, finite
        self.prefix = f"s{seed}_"
        self.feeds: dict[str, np.ndarray] = {}
        self.mood = self.random.choice(MOODS)
        self.most = LARGE if self.chance(0.06) else SMALL
        self.values: list[Value] = []

    # Choices

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def size(self, most: int = 33) -> int:
        return self.random.choice([s for s in SIZES if s <= most])

    def shape(self, rank: int) -> tuple[int, ...]:
        """Sizes whose product is bounded."""
        sizes: list[int] = []
        for _ in range(rank):
            sizes.append(self.size(max(1, self.most // prod(sizes))))
        self.random.shuffle(sizes)
        return tuple(sizes)

    def literal(self) -> float:
        pool = LITERALS + (WILD_LITERALS if self.mood == "wild" else ())
        infinite = NONFINITE[1:] if self.mood == "wild" and not self.finite else ()
        return self.random.choice(pool + infinite)

    # Leaves

    def array(self, shape: Sequence[int], positive: bool = False) -> np.ndarray:
        kind = self.random.choice(("normal", "normal", "normal", "uniform", "whole", "scaled"))
        a = {
            "normal": lambda: self.data.normal(size=shape),
            "uniform": lambda: self.data.uniform(0.1, 2.0, shape),
            "whole": lambda: self.data.integers(-2, 3, shape).astype(float),
            "scaled": lambda: (
                self.data.normal(size=shape) * 10.0 ** self.random.choice((-3, -2, 1))
            ),
        }[kind]()
        if self.mood == "rough":
            if self.chance(0.3):
                self.strew(a, SPIKES)
            elif self.chance(0.3):
                a = a + 1e4
        if self.mood == "wild" and self.chance(0.5):
            self.strew(a, EXTREMES if self.finite else EXTREMES + NONFINITE)
        return (abs(a) + 0.1 if positive else a).astype(np.float32)

    def strew(self, a: np.ndarray, numbers: Sequence[float]) -> None:
        for _ in range(self.random.choice((1, 1, 2, 4))):
            a.ravel()[self.random.randrange(a.size)] = self.random.choice(numbers)

    def name(self, a: np.ndarray) -> str:
        name = f"{self.prefix}{len(self.feeds)}"
        self.feeds[name] = a
        return name

    def leaf(self, shape: Sequence[int], positive: bool = False) -> Value:
        """New data in the shape; often a view of a leaf of another."""
        shape = tuple(shape)
        if self.chance(0.25) and len(shape) > 1:
            axes = self.random.sample(range(len(shape)), len(shape))
            moved = self.plain_leaf([shape[a] for a in axes], positive)
            return self.graph.permute(moved, [axes.index(i) for i in range(len(shape))])
        if self.chance(0.1) and prod(shape) > 1:
            return self.graph.reshape(self.plain_leaf([prod(shape)], positive), shape)
        return self.plain_leaf(shape, positive)

    def plain_leaf(self, shape: Sequence[int], positive: bool = False) -> Value:
        kind, g = self.random.random(), self.graph
        if kind < 0.05:
            return g.full(abs(self.literal()) + 0.1 if positive else self.literal(), shape)
        a = self.array(shape, positive)
        if kind < 0.13 and a.size <= 200:
            return g.constant(a, list(shape))
        if kind < 0.3:
            return g.input(self.name(a), shape)
        return g.parameter(self.name(a), shape)

    def indices(self, shape: Sequence[int], limit: int) -> Value:
        """U32 numbers below the limit, sometimes as a view."""
        shape, g = tuple(shape), self.graph
        if self.chance(0.2):
            long = (prod(shape) + self.random.randrange(3),)
            a = self.data.integers(0, limit, long).astype(np.uint32)
            part = g.slice(g.input_u32(self.name(a), long), [0], [prod(shape)])
            return g.reshape(part, shape)
        a = self.data.integers(0, limit, shape).astype(np.uint32)
        return g.input_u32(self.name(a), shape)

    # Operands

    def value(self) -> Value:
        """Some value, late ones more often."""
        if not self.values:
            self.values.append(self.leaf(self.shape(self.random.choice((1, 2, 2, 3, 4)))))
        if self.chance(0.5):
            return self.values[-1]
        return self.random.choice(self.values)

    def fit(self, shape: Sequence[int], positive: bool = False, fresh: float = 0.4) -> Value:
        """An operand of that shape: a new leaf, or made of what there is."""
        shape = tuple(shape)
        if not self.values or self.chance(fresh):
            return self.leaf(shape, positive)
        x = self.reformed(self.value(), shape)
        return self.graph.abs(x) + 0.1 if positive else x

    def weight(self, shape: Sequence[int]) -> Value:
        """Mostly a leaf."""
        return self.fit(shape, fresh=0.8)

    def reformed(self, x: Value, shape: tuple[int, ...]) -> Value:
        """``x``, or part of it, or it several times, in another shape."""
        g, have, want = self.graph, x.ty.num_elements(), prod(shape)
        if x.shape == shape and self.chance(0.7):
            return x
        if len(x.shape) == len(shape) and self.chance(0.7):
            return self.cut_and_padded(x, shape)
        if self.chance(0.5):
            x = self.permuted(x)
        if want > COPIES * have:
            return self.leaf(shape)
        flat = g.reshape(x, [have])
        if want > have:
            flat = g.concatenate([flat] * -(-want // have))
        surplus = flat.shape[0] - want
        if surplus:
            start = self.random.randint(0, surplus)
            flat = g.slice(flat, [start], [start + want])
        return g.reshape(flat, shape)

    def cut_and_padded(self, x: Value, shape: tuple[int, ...]) -> Value:
        """The same rank: axes are sliced, padded, and broadcast if they are of size 1."""
        g, starts, stops, before, after = self.graph, [], [], [], []
        spread = list(shape)
        for have, want in zip(x.shape, shape, strict=True):
            start = self.random.randint(0, max(0, have - want))
            starts.append(start)
            stops.append(start + min(have, want))
            missing = 0 if have == 1 else max(0, want - have)
            before.append(self.random.randint(0, missing))
            after.append(missing - before[-1])
        if (starts, stops) != ([0] * len(shape), list(x.shape)):
            x = g.slice(x, starts, stops)
        if any(before) or any(after):
            x = g.pad(x, before, after)
        return x if x.shape == shape else g.broadcast_to(x, spread)

    def permuted(self, x: Value) -> Value:
        rank = len(x.shape)
        return self.graph.permute(x, self.random.sample(range(rank), rank)) if rank > 1 else x

    # Results

    def add(self, x: Value) -> None:
        """Keep a result, often seen through a view, sometimes brought to moderate size."""
        g = self.graph
        if self.mood != "wild" and self.chance(0.1):
            x = self.random.choice((g.tanh, g.sigmoid, lambda v: v * 0.1))(x)
        self.values.append(x)
        if self.chance(0.4):
            self.values.append(self.view(x))

    def view(self, x: Value) -> Value:
        """``x`` under another layout."""
        return self.random.choice(VIEWS)(self, x)

    def merged(self, x: Value) -> Value:
        """Two neighbouring axes as one, or an axis as two."""
        sizes = list(x.shape)
        if len(sizes) > 1 and self.chance(0.6):
            i = self.random.randrange(len(sizes) - 1)
            sizes[i : i + 2] = [sizes[i] * sizes[i + 1]]
        elif sizes:
            i = self.random.randrange(len(sizes))
            parts = [p for p in range(1, sizes[i] + 1) if sizes[i] % p == 0]
            p = self.random.choice(parts)
            sizes[i : i + 1] = [p, sizes[i] // p]
        return self.graph.reshape(x, sizes) if len(sizes) < 6 else x

    def sliced(self, x: Value) -> Value:
        starts = [self.random.randrange(size) for size in x.shape]
        stops = [self.random.randint(a + 1, n) for a, n in zip(starts, x.shape, strict=True)]
        return self.graph.slice(x, starts, stops) if x.shape else x

    def padded(self, x: Value) -> Value:
        before, after = ([self.random.choice((0, 0, 1, 2)) for _ in x.shape] for _ in range(2))
        return self.graph.pad(x, before, after) if x.ty.num_elements() < self.most else x

    def joined(self, x: Value) -> Value:
        """Concatenated with itself or another along an axis."""
        if not x.shape or x.ty.num_elements() > self.most:
            return x
        axis = self.random.randrange(len(x.shape))
        shape = list(x.shape)
        shape[axis] = self.size(9)
        parts = [x, x if self.chance(0.3) else self.fit(shape)]
        self.random.shuffle(parts)
        if self.chance(0.2):
            parts.append(x)
        return self.graph.concatenate(parts, axis=axis)

    def spread(self, x: Value) -> Value:
        """Broadcast along a new or a thin axis."""
        shape = [self.size(5) if n == 1 else n for n in x.shape]
        if self.chance(0.5) and len(shape) < 5:
            shape.insert(0, self.size(5))
        return x if prod(shape) > self.most else self.graph.broadcast_to(x, shape)

    def alias(self, x: Value) -> Value:
        return self.graph.emit(Alias(), x)

    def stopped(self, x: Value) -> Value:
        return self.graph.stop_gradient(x)


VIEWS: tuple[Callable[[Growth, Value], Value], ...] = (
    Growth.permuted,
    Growth.permuted,
    Growth.permuted,
    Growth.merged,
    Growth.merged,
    Growth.sliced,
    Growth.padded,
    Growth.joined,
    Growth.spread,
    Growth.alias,
    Growth.stopped,
)
