"""What a device is to a session: it turns a graph into a program that owns its memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ..compiler import DEFAULT
from ..dtypes import Array
from ..egraph.optimize import Options
from ..errors import DeviceError
from ..ir.graph import Graph
from ..ir.interpret import Observer, evaluate
from ..ir.walk import live
from ..kernel.target import Target
from ..plan.plan import Plan, Slot
from ..plan.poison import poisoned_parts
from ..trace import Work


@dataclass(frozen=True)
class DeviceInformation:
    """What a device is, for people."""

    name: str
    kind: str
    description: str

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}): {self.description}"


@dataclass(frozen=True)
class Gpu:
    """A GPU as it can be opened: what it is, and what it can do."""

    information: DeviceInformation
    facts: dict[str, str]


class Program(ABC):
    """A graph ready to run: its leaves can be written, a step run, and results read.

    After a step each leaf with an update holds its new value."""

    plan: Plan | None = None
    """What is run, if the device runs a plan."""

    def __init__(self) -> None:
        self._works: tuple[Work, ...] | None = None
        self._poisoned: list[list[Slot]] | None = None
        self._noted: list[Array] = []
        self._made = 0

    @abstractmethod
    def write(self, name: str, array: Array) -> None:
        """Set a leaf, by an array of its shape and type."""

    def feed(self, name: str, number: float) -> None:
        """Set a leaf that is a single number; what is kept of it is the leaf's type's."""
        self.write(name, np.asarray(number, np.float32))

    @abstractmethod
    def read(self, name: str) -> Array:
        """A copy of a leaf's present value."""

    @abstractmethod
    def run(self, observe: Observer | None = None) -> None:
        """One step. If it raises, no leaf has changed. ``observe`` is shown every value."""

    def poison(self) -> None:
        """From now on run steps with NaN in all that a dispatch may not count on."""
        if self.plan is not None:
            self._poisoned = poisoned_parts(self.plan)

    def made(self) -> int:
        """How many steps have been made."""
        return self._made

    @abstractmethod
    def value(self, node_id: int) -> Array:
        """The value a root had in the last step: its elements in order, in any shape."""

    def peak_bytes(self) -> int:
        """The most bytes that values other than leaves took at one time: the plan's, unless a
        device knows better."""
        if self.plan is None:
            return 0
        leaves = sum(self.plan.slots[v].size_bytes for v in self.plan.leaves.values())
        return self.plan.arena_bytes - leaves

    def note(self, node_id: int) -> None:
        """Keep a root's value of the last step, without waiting for it."""
        self._noted.append(self.value(node_id))

    def noted(self) -> list[Array]:
        """What was noted since this was asked last."""
        found, self._noted = self._noted, []
        return found

    def works(self) -> tuple[Work, ...]:
        """What each dispatch of the plan does, for a trace."""
        if self._works is None and self.plan is not None:
            size = self.plan.dispatch_bytes
            self._works = tuple(Work(d.label, size(d), d.flops) for d in self.plan.dispatches)
        return self._works or ()

    def wait(self) -> None:  # noqa: B027  (most programs have finished when `run` returns)
        """Return when all steps are finished."""

    def time_dispatches(self) -> list[int]:
        """Nanoseconds that each dispatch of the plan takes, in a step that changes nothing."""
        raise DeviceError("this device does not tell how long its parts take")

    def walk_through(self, graph: Graph, observe: Observer) -> None:
        """Show the observer every value of the next step, op by op."""
        named = [node.name for node in live(graph) if node.name is not None]
        evaluate(graph, {name: self.read(name) for name in named}, observe=observe)

    def close(self) -> None:  # noqa: B027  (most programs own nothing but Python objects)
        """Release what the program holds."""


class Device(ABC):
    """A place where graphs run."""

    dtype: np.dtype[np.floating] = np.dtype(np.float32)
    """The type in which F32 values are computed."""

    def compiles_for(self) -> Target | None:
        """What it compiles for; None if it runs graphs op by op."""
        return None

    @abstractmethod
    def information(self) -> DeviceInformation:
        """What this device is."""

    @abstractmethod
    def compile(self, graph: Graph, options: Options | None = DEFAULT) -> Program:
        """A program for ``graph``, optimized first where the device runs a plan."""
