"""A graph on a device together with how its parameters are updated.

The updates are part of the compiled sequence, so a change of the optimizer makes a new program;
a change of the learning rate alone does not. Leaves keep their values from one program to the
next, by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .device.base import Device, Program
from .dtypes import Array
from .errors import NonFiniteError, SessionError
from .ir import walk
from .ir.graph import Node
from .ir.interpret import check_indices, index_limits
from .ops.graph import Graph
from .ops.leaf import Input, Parameter, State
from .update import APPLY, UpdateRule, append_update


@dataclass(frozen=True)
class MemorySummary:
    """Bytes a session holds, by what for."""

    parameter_bytes: int
    state_bytes: int
    input_bytes: int
    value_bytes: int
    """Values between the leaves and the outputs, in the last step."""

    def total_bytes(self) -> int:
        """All of it."""
        return self.parameter_bytes + self.state_bytes + self.input_bytes + self.value_bytes

    def __str__(self) -> str:
        rows = {
            "parameters": self.parameter_bytes,
            "states": self.state_bytes,
            "inputs": self.input_bytes,
            "values": self.value_bytes,
            "total": self.total_bytes(),
        }
        return "\n".join(f"{name:<11}{size / 2**20:>10.2f} MiB" for name, size in rows.items())


class Runner:
    """Runs a graph, with the updates of its present rule, on a device."""

    def __init__(self, base: Graph, device: Device) -> None:
        self._base = base
        self.device = device
        self.rule: UpdateRule | None = None
        self.step_count = 0
        self.update_count = 0
        self.has_run = False
        self._written: set[str] = set()
        self._program: Program | None = None
        self._loaded: UpdateRule | None = None
        self._load(base)

    def graph_for(self, rule: UpdateRule | None) -> Graph:
        """The graph that runs under a rule."""
        return self._base if rule is None else append_update(self._base, rule.structure())

    @property
    def program(self) -> Program:
        """The program that ran last, or will first."""
        if self._program is None:
            raise SessionError("the session is closed", hint="build a new one")
        return self._program

    def refreshed(self) -> Program:
        """The program for the present rule, compiled if it is not the one that ran last."""
        wanted = None if self.rule is None else self.rule.structure()
        if wanted != self._loaded and self._program is not None:
            self._load(self.graph_for(wanted))
            self._loaded = wanted
        return self.program

    def _load(self, graph: Graph) -> None:
        old, program = self._program, self.device.compile(graph)
        for node in graph.nodes():
            if node.name is None:
                continue
            if old is not None and node.name in self._written:
                program.write(node.name, old.read(node.name))
            elif isinstance(node.op, State):
                program.write(node.name, np.zeros(node.ty.shape, self.device.dtype))
                self._written.add(node.name)
        if old is not None:
            old.close()
        # States of the former optimizer are forgotten: they start from zero if it comes back.
        self._written &= {node.name for node in graph.nodes()}
        self._program, self.graph, self.has_run = program, graph, False
        self._limits = index_limits(graph)
        needed = [n.name for n in walk.live(graph) if isinstance(n.op, Input)]
        self._needed = [name for name in needed if name is not None and name[0] != "@"]

    def write(self, node: Node, array: Array) -> None:
        """Set a leaf (a node of any version of the graph), after checking its indices."""
        leaf = self.graph.leaf(node.name or "")
        if leaf is not None and node.name is not None:
            check_indices(leaf.node, array, self._limits)
            self.program.write(node.name, array)
            self._written.add(node.name)

    def read(self, name: str) -> Array:
        """A leaf's present value."""
        return self.program.read(name)

    def value(self, node_id: int) -> Array:
        """A root's value in the last step."""
        if not self.has_run:
            raise SessionError("there are no results yet", hint="call step() first")
        return self.program.value(node_id)

    def step(self, raise_nonfinite: bool) -> None:
        """Run the whole sequence once."""
        program, rule = self.refreshed(), self.rule
        for name in self._needed:
            if name not in self._written:
                raise SessionError(
                    f'the input "{name}" was never set', hint=f'call set_input("{name}", …)'
                )
        applies = rule is not None and (self.step_count + 1) % rule.accumulate == 0
        if rule is not None:
            scalars = rule.optimizer.scalars(self.update_count + 1)
            for name, number in {**scalars, APPLY: float(applies)}.items():
                if self.graph.leaf(name) is not None:
                    program.write(name, np.asarray(number, self.device.dtype))
        program.run(self._refuse_nonfinite if raise_nonfinite else None)
        self.has_run = True
        self.step_count += 1
        self.update_count += applies

    def _refuse_nonfinite(self, node: Node, array: Array) -> None:
        bad = np.flatnonzero(~np.isfinite(array))
        if bad.size:
            first = array.ravel()[bad[0]]
            raise NonFiniteError(
                f"step {self.step_count}: {node} gives {first} "
                f"({bad.size} of {array.size} elements are not finite)",
                where=node.where,
            )

    def kept(self) -> dict[str, Array]:
        """The value of every leaf that persists: parameters and states."""
        program = self.refreshed()
        nodes = [n for n in self.graph.nodes() if isinstance(n.op, (Parameter, State))]
        return {n.name: program.read(n.name) for n in nodes if n.name is not None}

    def restore(
        self,
        rule: UpdateRule | None,
        counts: tuple[int, int],
        leaves: Mapping[str, Array],
    ) -> None:
        """Take over a rule, the step and update counts, and the leaves that persist."""
        self.rule = rule
        self.step_count, self.update_count = counts
        program = self.refreshed()
        for name, array in leaves.items():
            program.write(name, array)

    def memory_summary(self) -> MemorySummary:
        """What the memory is used for."""
        sizes = {"parameter": 0, "state": 0, "input": 0}
        for node in walk.live(self.graph):
            if node.op.name in sizes:
                sizes[node.op.name] += node.ty.num_elements() * self.device.dtype.itemsize
        value_bytes = self.refreshed().peak_bytes()
        return MemorySummary(sizes["parameter"], sizes["state"], sizes["input"], value_bytes)

    def close(self) -> None:
        """Release the device's memory."""
        if self._program is not None:
            self._program.close()
            self._program = None
