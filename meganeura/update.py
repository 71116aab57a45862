"""Parameter updates as graph nodes.

In:  a differentiated graph (autodiff.py).
Out: the same graph in which each parameter, and each state an optimizer keeps, is paired with
     the value that replaces it after the step.

What changes from step to step without changing the sequence of work enters as scalars that are
fed: the learning rate, Adam's bias corrections, how fast averages follow, and whether this step
applies the gradients gathered so far. They are computed on the host in double precision.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from math import inf
from operator import add
from typing import Any, TypeVar

import numpy as np

from .arguments import checked, fit_fields, narrowed, require
from .dtypes import Array
from .errors import FormatError, GraphError, SessionError
from .ir import walk
from .ir.graph import Graph, Value
from .ir.types import TensorType
from .ir.verify import verify
from .ops.arithmetic import Minimum, Sqrt, Where
from .ops.leaf import Input, State
from .ops.optimizer import AdamStep, MovingAverage, MovingSquare
from .ops.reduce import Sum, flatten

G = TypeVar("G", bound=Graph)

LEARNING_RATE = "@learning_rate"
APPLY = "@apply"
AVERAGE = "@average/"
AVERAGE_RATE = "@average_rate"
GATHERED = "@gathered/"
_CORRECTION1 = "@correction1"
_CORRECTION2 = "@correction2"

AVERAGE_YOUTH = 10
"""What the age of an average is measured by: see `UpdateRule.average_rate`."""

Slot = Callable[[str], Value]
"""Makes the state of a given kind for the parameter at hand."""


@dataclass(frozen=True)
class Optimizer:
    """How a parameter moves against its gradient. ``lr`` may change from step to step without
    any recompilation; the other numbers are part of the compiled sequence."""

    lr: float

    def __post_init__(self) -> None:
        kind = type(self).__name__
        fit_fields(self, kind)
        for name, value in asdict(self).items():
            if not 0 <= value < inf:
                raise GraphError(f"{kind}: {name} must not be negative, and finite: {value}")
            narrowed(np.asarray(value), np.float32, f"{kind}: {name}")
            if name.startswith("beta") and value >= 1:
                raise GraphError(f"{kind}: {name} must be below 1, got {value}")

    @staticmethod
    def sgd(lr: float) -> Sgd:
        """Plain gradient descent."""
        return Sgd(lr)

    @staticmethod
    def adam(lr: float) -> Adam:
        """Adam with its usual constants."""
        return Adam(lr)

    def scalars(self, step: int) -> dict[str, float]:
        """What is fed for update number ``step`` (from 1)."""
        return {LEARNING_RATE: self.lr}

    def move(
        self, p: Value, g: Value, lr: Value, slot: Slot, scalar: Slot
    ) -> tuple[Value, dict[str, Value]]:
        """The new parameter, and the new value of each state by kind."""
        raise GraphError(f"{type(self).__name__} is not an optimizer: use Sgd, Adam, …")


@dataclass(frozen=True)
class Sgd(Optimizer):
    """``p ← p − lr·g``."""

    def move(
        self, p: Value, g: Value, lr: Value, slot: Slot, scalar: Slot
    ) -> tuple[Value, dict[str, Value]]:
        """One subtraction."""
        return p - lr * g, {}


@dataclass(frozen=True)
class Momentum(Optimizer):
    """``v ← momentum·v + g``, ``p ← p − lr·v`` (Nesterov: ``p ← p − lr·(g + momentum·v)``)."""

    momentum: float = 0.9
    nesterov: bool = False

    def move(
        self, p: Value, g: Value, lr: Value, slot: Slot, scalar: Slot
    ) -> tuple[Value, dict[str, Value]]:
        """A running sum of gradients."""
        v = self.momentum * slot("velocity") + g
        step = g + self.momentum * v if self.nesterov else v
        return p - lr * step, {"velocity": v}


@dataclass(frozen=True)
class Adam(Optimizer):
    """Kingma & Ba 2014: ``p ← p − lr · m̂ / (√v̂ + eps)``."""

    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8

    def scalars(self, step: int) -> dict[str, float]:
        """The bias corrections of m and of √v."""
        return {
            LEARNING_RATE: self.lr,
            _CORRECTION1: 1 / (1 - self.beta1**step),
            _CORRECTION2: (1 - self.beta2**step) ** -0.5,
        }

    def move(
        self, p: Value, g: Value, lr: Value, slot: Slot, scalar: Slot
    ) -> tuple[Value, dict[str, Value]]:
        """Running means of the gradient and of its square."""
        m = MovingAverage(self.beta1)(slot("m"), g)
        v = MovingSquare(self.beta2)(slot("v"), g)
        step = AdamStep(self.eps, self.decay())
        new = step(p, m, v, lr, scalar(_CORRECTION1), scalar(_CORRECTION2))
        return new, {"m": m, "v": v}

    def decay(self) -> float:
        """How much of a parameter is taken away in a step, by the learning rate."""
        return 0.0


@dataclass(frozen=True)
class AdamW(Adam):
    """Adam with decoupled weight decay (Loshchilov & Hutter 2017): p first shrinks by
    ``lr·weight_decay``."""

    weight_decay: float = 0.01

    def decay(self) -> float:
        """The given decay."""
        return self.weight_decay


OPTIMIZERS = {"sgd": Sgd, "momentum": Momentum, "adam": Adam, "adamw": AdamW}


@dataclass(frozen=True)
class UpdateRule:
    """Everything about how a step changes parameters."""

    optimizer: Optimizer
    multipliers: dict[str, float] = field(default_factory=dict)
    """Learning-rate factors by name prefix; the longest prefix wins."""
    clip_norm: float | None = None
    """The largest Euclidean norm of all gradients together."""
    accumulate: int = 1
    """How many steps' gradients are averaged before they are applied."""
    average: float | None = None
    """How much of the weights' running average stays in an update, once it is old enough (see
    `average_rate`); None: none is kept."""

    def __post_init__(self) -> None:
        fit_fields(self, "update")
        if type(self.optimizer) is Optimizer:
            raise GraphError("Optimizer is no optimizer itself: use Sgd, Adam, …")
        if self.clip_norm is not None and not 0 < self.clip_norm < inf:
            raise GraphError(f"the norm to clip to must be positive, got {self.clip_norm}")
        if self.accumulate < 1:
            raise GraphError(f"gradients accumulate over at least 1 step, got {self.accumulate}")
        if self.average is not None and not 0 <= self.average < 1:
            raise GraphError(f"what stays of an average must be from 0 to 1, got {self.average}")
        for prefix, factor in self.multipliers.items():
            what = f'the multiplier of "{prefix}"'
            value = require(factor, float, what)
            if not 0 <= value < inf:
                raise GraphError(f"{what} must not be negative: {value}")
            narrowed(np.asarray(value), np.float32, what)

    def structure(self) -> UpdateRule:
        """What the compiled sequence depends on: all but the learning rate."""
        return replace(self, optimizer=replace(self.optimizer, lr=0.0))

    def multiplier(self, name: str) -> float:
        """The learning-rate factor of a parameter."""
        prefixes = [p for p in self.multipliers if name.startswith(p)]
        return self.multipliers[max(prefixes, key=len)] if prefixes else 1.0

    def average_rate(self, averaged: int) -> float:
        """How much of a new weight enters the average after n ``averaged`` ones:
        ``1 − min(average, n / (n + 10))``. The first enters wholly, and the average forgets fast
        while it is young: its start says nothing."""
        return 1 - min(self.average or 0.0, averaged / (averaged + AVERAGE_YOUTH))

    def to_json(self) -> dict[str, Any]:
        """As plain data, for a checkpoint."""
        names = {cls: kind for kind, cls in OPTIMIZERS.items()}
        kind = names.get(type(self.optimizer))
        if kind is None:
            raise GraphError(
                f"the optimizer {type(self.optimizer).__name__} cannot be saved",
                hint=f"these can: {', '.join(cls.__name__ for cls in names)}",
            )
        return {
            "optimizer": {"kind": kind, **asdict(self.optimizer)},
            "multipliers": dict(self.multipliers),
            "clip_norm": self.clip_norm,
            "accumulate": self.accumulate,
            "average": self.average,
        }

    @staticmethod
    def from_json(data: Any, path: str) -> UpdateRule:
        """From plain data of the file ``path``, which is checked."""
        try:
            optimizer = dict(data["optimizer"])
            cls = OPTIMIZERS[optimizer.pop("kind")]
            return UpdateRule(
                cls(**optimizer),
                data["multipliers"],
                data["clip_norm"],
                data["accumulate"],
                data.get("average"),
            )
        except (KeyError, TypeError, ValueError, GraphError) as error:
            reason = error.message if isinstance(error, GraphError) else error
            raise FormatError(f"{path}: the optimizer's description is damaged: {reason}") from None


def without_update(
    path: str | os.PathLike[str],
    tensors: Mapping[str, Array],
    has_averages: bool,
    averaged: int,
    averages: bool | None,
) -> dict[str, Array]:
    """The parameters and states of a checkpoint, without what its update rule keeps; with
    ``averages`` each parameter's average, if updates have entered it, in its place."""
    if averages is None and has_averages:
        raise SessionError(
            f"{path} has parameters and their running averages",
            hint="say which to take: load_checkpoint(path, averages=True), or averages=False",
        )
    if averages and not has_averages:
        raise FormatError(
            f"{path} has no running averages", hint="leave out averages, or pass False"
        )
    found = {name: array for name, array in tensors.items() if not name.startswith("@")}
    if averages and averaged:
        kept = {n.removeprefix(AVERAGE): a for n, a in tensors.items() if n.startswith(AVERAGE)}
        found.update(kept)
    return found


@checked
def append_update(graph: G, rule: UpdateRule | Optimizer) -> G:
    """A differentiated graph with the parameters' new values, and the optimizer's state."""
    if isinstance(rule, Optimizer):
        rule = UpdateRule(rule)
    if not graph.gradients():
        raise GraphError("the graph has no gradients", hint="differentiate(graph) makes them")
    for leaf in graph.gradients():
        if leaf in graph.updates():
            raise GraphError(
                f"{graph.node(leaf)} is written by the graph itself, and cannot be trained too",
                hint="make a cache with g.state",
            )
    result = walk.copy(graph, keep_leaves=True)
    _Writer(result, rule).write()
    return verify(walk.merge_equal(result), "append_update")


class _Writer:
    """Writes the update of every parameter of one graph."""

    def __init__(self, graph: Graph, rule: UpdateRule) -> None:
        self.graph = graph
        self.rule = rule
        self.pairs = [(graph.value(p), graph.value(g)) for p, g in graph.gradients().items()]

    def write(self) -> None:
        gradients = self.accumulated([g for _, g in self.pairs])
        gradients = self.clipped(gradients)
        lr = self.scalar(LEARNING_RATE)
        for (p, _), g in zip(self.pairs, gradients, strict=True):
            name = _name(p)
            factor = self.rule.multiplier(name)
            rate = lr if factor == 1.0 else lr * factor
            slot = self.slots(name, p.ty)
            new, states = self.rule.optimizer.move(p, g, rate, slot, self.scalar)
            self.replace(p, new)
            if self.rule.average is not None:
                average = slot(AVERAGE[1:-1])
                states[AVERAGE[1:-1]] = average + self.scalar(AVERAGE_RATE) * (new - average)
            for kind, value in states.items():
                self.replace(slot(kind), value)

    def accumulated(self, gradients: list[Value]) -> list[Value]:
        """The mean over the steps so far; reset by the step that applies it."""
        if self.rule.accumulate == 1:
            return gradients
        results = []
        for (p, _), g in zip(self.pairs, gradients, strict=True):
            gathered = self.slots(_name(p), p.ty)(GATHERED[1:-1])
            total = gathered + g * (1 / self.rule.accumulate)
            zero = self.graph.full(0.0, total.shape)
            self.graph.set_update(gathered, Where()(self.scalar(APPLY), zero, total))
            results.append(total)
        return results

    def clipped(self, gradients: list[Value]) -> list[Value]:
        """All scaled by one factor if their common norm is too large."""
        if self.rule.clip_norm is None:
            return gradients
        squares = [Sum((0,), True)(flatten(g * g)) for g in gradients]
        norm = Sqrt()(reduce(add, squares))
        limit = self.rule.clip_norm / (norm + 1e-6)
        factor = Minimum()(limit, self.graph.number(1.0))
        return [g * factor if g.shape else g * factor[0] for g in gradients]

    def replace(self, leaf: Value, new: Value) -> None:
        if self.rule.accumulate > 1:
            new = Where()(self.scalar(APPLY), new, leaf)
        self.graph.set_update(leaf, new)

    def scalar(self, name: str) -> Value:
        found = self.graph.leaf(name)
        return found if found is not None else self.graph.emit(Input(name, TensorType.f32(())))

    def slots(self, name: str, ty: TensorType) -> Slot:
        def slot(kind: str) -> Value:
            label = f"@{kind}/{name}"
            found = self.graph.leaf(label)
            return found if found is not None else self.graph.emit(State(label, ty))

        return slot


def _name(leaf: Value) -> str:
    name = leaf.name
    if name is None:
        raise GraphError(f"{leaf!r} is not a parameter")
    return name
