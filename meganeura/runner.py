"""A graph on a device together with how its parameters are updated.

The updates are part of the compiled sequence, so a change of the optimizer makes a new program;
a change of the learning rate alone does not. Leaves keep their values from one program to the
next, by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any
from weakref import WeakSet

import numpy as np

from .arguments import fit_fields, narrowed
from .config import read_config
from .device.base import Device, Program
from .dtypes import Array
from .egraph.optimize import Options
from .errors import FormatError, NonFiniteError, SessionError
from .heap import give_back
from .ir import walk
from .ir.graph import Node
from .ir.interpret import check_indices, index_limits
from .ops.graph import Graph
from .ops.leaf import Constant, Full, Input, Parameter, State
from .trace import count, span
from .update import (
    APPLY,
    AVERAGE,
    AVERAGE_RATE,
    GATHERED,
    LEARNING_RATE,
    UpdateRule,
    append_update,
)
from .verification import Expected, Verification


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


@dataclass(frozen=True)
class Counts:
    """How often what was done."""

    steps: int = 0
    updates: int = 0
    """Updates by the present kind of optimizer; Adam's corrections depend on it."""
    gathered: int = 0
    """Steps whose gradients are gathered and not yet applied."""
    averaged: int = 0
    """Updates that entered the weights' running averages."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Counts:
        """Counts from a checkpoint."""
        counts = cls(**data)
        fit_fields(counts, "counts", FormatError)
        if min(counts.steps, counts.updates, counts.gathered, counts.averaged) < 0:
            raise FormatError("counts must not be negative")
        return counts

    def after_step(self, rule: UpdateRule | None) -> Counts:
        """The counts once a step has run under a rule."""
        if rule is None:
            return replace(self, steps=self.steps + 1)
        gathered = (self.gathered + 1) % rule.accumulate
        applied = int(gathered == 0)
        averaged = self.averaged + applied if rule.average is not None else 0
        return Counts(self.steps + 1, self.updates + applied, gathered, averaged)


class Runner:
    """Runs a graph, with the updates of its present rule, on a device."""

    def __init__(
        self,
        base: Graph,
        forward: Graph,
        device: Device,
        options: Options | None,
        verifies: bool = False,
    ) -> None:
        self._base, self._verifies = base, verifies
        self._forward = walk.outputs_alone(forward)
        """What an evaluation runs: the graph before it was differentiated."""
        self._evaluator: Program | None = None
        self._stale: set[str] = set()
        """Leaves that have changed since the evaluator was given them."""
        self.verification: Verification | None = None
        self._verified: WeakSet[Program] = WeakSet()
        """The programs that were compared with the reference."""
        self.device, self._options = device, options
        self.graph = base
        self._rule: UpdateRule | None = None
        self._rate: float | None = None
        """The learning rate, if it is another than the rule's: to change it shall cost nothing."""
        self._counts = Counts()
        self._begun: tuple[Graph, Program, int, Counts] | None = None
        """The step that was begun last: what is run, how many steps that had made before, and the
        counts after it."""
        self._waiting: dict[str, Array] = {}
        """Leaves written before there is a program: it is made when it is first run, so that a
        session whose optimizer is set at once compiles once."""
        self._written: set[str] = set()
        self._program: Program | None = None
        self._loaded: UpdateRule | None = None
        self._ready_for: UpdateRule | None = None
        """The rule the program was last found to fit; `_loaded` is what it depends on of it."""
        self._needed: list[str] = []
        self._fed: frozenset[str] = frozenset()
        """Scalars the program takes from the optimizer."""
        self._ran: tuple[Graph, Program] | None = None
        """The last step's."""
        self._shown: tuple[Graph, Program] | None = None
        """The last step's, or the last evaluation's: what outputs are read of."""
        self._noted: list[Array] = []
        """What was noted under a former program."""
        self._closed = False
        self._limits = index_limits(base)

    @property
    def counts(self) -> Counts:
        """How often what was done."""
        self._take_in()
        return self._counts

    @property
    def rule(self) -> UpdateRule | None:
        """How parameters are updated now."""
        if self._rule is None or self._rate is None:
            return self._rule
        return replace(self._rule, optimizer=replace(self._rule.optimizer, lr=self._rate))

    def graph_for(self, rule: UpdateRule | None) -> Graph:
        """The graph that runs under a rule."""
        return self._base if rule is None else append_update(self._base, rule.structure())

    def set_rule(self, rule: UpdateRule) -> None:
        """Update by ``rule`` from now on.

        Another kind of optimizer counts its updates anew, another accumulation forgets what was
        gathered, another averaging what was averaged."""
        old, self._rule, self._rate = self._rule, rule, None
        if old is None or type(old.optimizer) is not type(rule.optimizer):
            self._counts = replace(self.counts, updates=0)
            self._forget("@", (GATHERED, AVERAGE))
        if old is None or old.accumulate != rule.accumulate:
            self._counts = replace(self.counts, gathered=0)
            self._forget(GATHERED)
        if old is None or old.average is None or rule.average is None:
            self._counts = replace(self.counts, averaged=0)
            self._forget(AVERAGE)

    def set_rate(self, lr: float) -> None:
        """Another learning rate for the present optimizer."""
        if self._rule is None:
            raise SessionError("there is no optimizer yet", hint="call set_optimizer first")
        if not 0 <= lr < inf:
            raise SessionError(f"a learning rate must not be negative, and finite: {lr}")
        narrowed(np.asarray(lr), np.float32, "set_rate", SessionError)
        self._rate = lr

    def _forget(self, prefix: str, but: tuple[str, ...] = ()) -> None:
        """Let states start from zero when a program next runs; but not those of some prefixes."""
        self._written = {
            name for name in self._written if not name.startswith(prefix) or name.startswith(but)
        }

    def refreshed(self) -> Program:
        """The program for the present rule, compiled if there is none yet."""
        self._check_open()
        if self._program is None or self._rule is not self._ready_for:
            wanted = None if self._rule is None else self._rule.structure()
            if self._program is None or wanted != self._loaded:
                self._program = self._load(self.graph_for(wanted))
                self._loaded = wanted
            self._start_states(self._program)
            self._ready_for = self._rule
        return self._program

    def _check_open(self) -> None:
        self._take_in()
        if self._closed:
            raise SessionError("the session is closed", hint="build a new one")

    def _load(self, graph: Graph) -> Program:
        """A program for ``graph`` with the leaves' present values; new states start at zero."""
        with span("compile"):
            program = self.device.compile(graph, self._options)
        if program.plan is not None:
            count("memory", program.plan.arena_bytes)
        if read_config().poison:
            program.poison()
        for node in graph.nodes():
            if node.name is None:
                continue
            if node.name in self._written:
                program.write(node.name, self._leaf_value(node.name))
        old = self._program
        if old is not None and (self._ran is None or self._ran[1] is not old):
            old.close()
        # States of the former optimizer are forgotten: they start from zero if it comes back.
        self._written &= {node.name for node in graph.nodes() if node.name is not None}
        self._waiting, self.graph = {}, graph
        self._limits = index_limits(graph)
        names = _inputs(graph)
        self._needed = [name for name in names if name[0] != "@"]
        self._fed = frozenset(name for name in names if name[0] == "@")
        give_back()
        return program

    def _start_states(self, program: Program) -> None:
        """States that are new, or were forgotten, start at zero."""
        for node in self.graph.nodes():
            if isinstance(node.op, State) and node.name not in self._written:
                program.write(str(node.name), np.zeros(node.ty.shape, self.device.dtype))
                self._written.add(str(node.name))

    def _leaf_value(self, name: str) -> Array:
        return self._waiting[name] if self._program is None else self._program.read(name)

    def write(self, node: Node, array: Array) -> None:
        """Set a leaf (a node of any version of the graph), after checking its indices."""
        self._check_open()
        leaf = self.graph.leaf(node.name or "")
        if leaf is not None and node.name is not None:
            check_indices(leaf.node, array, self._limits)
            if self._program is None:
                self._waiting[node.name] = array
            else:
                self._program.write(node.name, array)
            self._written.add(node.name)
            self._stale.add(node.name)

    def read(self, name: str) -> Array:
        """A leaf's present value."""
        self._check_open()
        if name not in self._written:  # a state before the first step
            return self.refreshed().read(name)
        return self._leaf_value(name).copy()

    def output(self, i: int) -> Array:
        """Output ``i`` of the last step or evaluation."""
        self._check_open()
        graph, program = self._checked(self._shown)
        output = graph.outputs()[i]
        return program.value(output.id).reshape(output.shape)

    def gradient(self, name: str) -> Array:
        """A parameter's gradient in the last step."""
        self._check_open()
        graph, program = self._checked(self._ran)
        values = {graph.node(leaf).name: value for leaf, value in graph.gradients().items()}
        value = values[name]
        return program.value(value).reshape(graph.node(value).ty.shape)

    def _checked(self, ran: tuple[Graph, Program] | None) -> tuple[Graph, Program]:
        """The graph and the program of a run; a change of rule does not hide them."""
        if ran is None:
            raise SessionError("there are no results yet", hint="call step() first")
        return ran

    def step(self, raise_nonfinite: bool) -> None:
        """Run the whole sequence once."""
        program, rule = self.refreshed(), self._rule
        self._check_inputs(self._needed)
        counts = self.counts.after_step(rule)
        if rule is not None:
            scalars = rule.optimizer.scalars(self.counts.updates + 1)
            if self._rate is not None:
                scalars[LEARNING_RATE] = self._rate
            scalars[APPLY] = float(counts.gathered == 0)
            scalars[AVERAGE_RATE] = rule.average_rate(self.counts.averaged)
            for name in scalars.keys() & self._fed:
                program.feed(name, scalars[name])
        expected = self._expected(self.graph, program)
        self._begun = self.graph, program, program.made(), counts
        program.run(self._refuse_nonfinite if raise_nonfinite else None)
        self._take_in()
        self._compare(expected, program)

    def evaluate(self, raise_nonfinite: bool) -> None:
        """Run the graph forward alone: no leaf changes, and no step is counted."""
        self._check_open()
        if self._base.gradients() or self._base.updates():
            graph, program = self._forward, self._evaluator_now()
        else:  # the program itself runs forward alone
            program = self.refreshed()
            graph = self.graph
        self._check_inputs(_inputs(graph))
        expected = self._expected(graph, program)
        program.run(self._refuse_nonfinite if raise_nonfinite else None)
        self._shown = graph, program
        self._compare(expected, program)

    def _evaluator_now(self) -> Program:
        """The program of evaluations, its leaves as they are now."""
        names = {n.name for n in self._forward.nodes() if n.name is not None}
        if self._evaluator is None:
            with span("compile"):
                self._evaluator = self.device.compile(self._forward, self._options)
            give_back()
            self._stale |= names
        for name in sorted(self._stale & names & self._written):
            self._evaluator.write(name, self._leaf_value(name))
        for node in self._forward.nodes():
            if isinstance(node.op, State) and node.name not in self._written:
                self._evaluator.write(node.op.label, np.zeros(node.ty.shape, self.device.dtype))
        self._stale.clear()
        return self._evaluator

    def _check_inputs(self, needed: list[str]) -> None:
        for name in needed:
            if name not in self._written:
                raise SessionError(
                    f'the input "{name}" was never set', hint=f'call set_input("{name}", …)'
                )

    def _expected(self, graph: Graph, program: Program) -> Expected | None:
        """What the program must give, if it is to be compared and was not yet."""
        is_due = self._verifies and program not in self._verified
        return Expected(graph, program) if is_due else None

    def _compare(self, expected: Expected | None, program: Program) -> None:
        if expected is not None:
            self.verification = expected.compare(program)
            self._verified.add(program)
            self.verification.check()

    def _take_in(self) -> None:
        """Count the step that was begun last, if it was made. Ctrl-C may come at any moment, here
        too: then it is the next use that counts it."""
        if self._begun is None:
            return
        graph, program, made, counts = self._begun
        if program.made() != made:
            if self._ran is not None and self._ran[1] is not program:
                self._noted += self._ran[1].noted()
                self._ran[1].close()
            self._ran = self._shown = graph, program
            self._counts = counts
            if self._evaluator is not None:
                self._stale |= {str(graph.node(leaf).name) for leaf in graph.updates()}
        self._begun = None

    def note(self, i: int) -> None:
        """Keep output ``i`` of the last step until `noted` asks for it."""
        self._check_open()
        graph, program = self._checked(self._ran)
        program.note(graph.outputs()[i].id)

    def noted(self) -> list[Array]:
        """What was noted since this was asked last, in order."""
        self._take_in()
        program = [] if self._ran is None else self._ran[1].noted()
        found, self._noted = self._noted + program, []
        return found

    def wait(self) -> None:
        """Return when all steps are finished."""
        self._take_in()
        if self._ran is not None:
            self._ran[1].wait()

    def time_dispatches(self) -> list[int]:
        """Nanoseconds that each dispatch of a step takes."""
        return self.refreshed().time_dispatches()

    def _refuse_nonfinite(self, node: Node, array: Array) -> None:
        wrong = ~np.isfinite(array)
        if isinstance(node.op, (Input, Constant, Full)):
            wrong &= array != -np.inf  # in data that is given, −∞ is a mask
        bad = np.flatnonzero(wrong)
        if bad.size:
            first = array.ravel()[bad[0]]
            raise NonFiniteError(
                f"step {self.counts.steps}: {node} gives {first} "
                f"({bad.size} of {array.size} elements are not finite)",
                where=node.where,
            )

    def kept(self) -> dict[str, Array]:
        """The value of every leaf that persists: parameters and states."""
        program = self.refreshed()
        nodes = [n for n in self.graph.nodes() if isinstance(n.op, (Parameter, State))]
        return {n.name: program.read(n.name) for n in nodes if n.name is not None}

    def restore(self, rule: UpdateRule | None, counts: Counts, leaves: Mapping[str, Array]) -> None:
        """Take over a rule, the counts, and the leaves that persist."""
        self._take_in()
        self._check_leaves(leaves)
        self._rule, self._rate, self._counts = rule, None, counts
        program = self.refreshed()
        for name, array in leaves.items():
            program.write(name, array)
            self._written.add(name)
        self._stale |= set(leaves)

    def _check_leaves(self, leaves: Mapping[str, Array]) -> None:
        """Refuse those of another graph; what begins with @ is the rule's."""
        kept = (n for n in self._base.nodes() if isinstance(n.op, (Parameter, State)))
        wanted = {str(node.name): node.ty.shape for node in kept}
        found = {name: array.shape for name, array in leaves.items() if name[0] != "@"}
        for name in sorted(wanted.keys() | found.keys()):
            if wanted.get(name) != found.get(name):
                raise SessionError(
                    f'this is of another session: "{name}" is {_shape(found, name)} there, and '
                    f"{_shape(wanted, name)} here"
                )

    def memory_summary(self) -> MemorySummary:
        """What the memory is used for."""
        value_bytes = self.refreshed().peak_bytes()
        sizes = {"parameter": 0, "state": 0, "input": 0}
        for node in walk.live(self.graph):
            if node.op.name in sizes:
                sizes[node.op.name] += node.ty.num_elements() * self.device.dtype.itemsize
        return MemorySummary(sizes["parameter"], sizes["state"], sizes["input"], value_bytes)

    def close(self) -> None:
        """Release the device's memory."""
        self._take_in()
        if self._program is not None:
            self._program.close()
        if self._ran is not None and self._ran[1] is not self._program:
            self._ran[1].close()
        if self._evaluator is not None:
            self._evaluator.close()
        self._program = self._ran = self._shown = self._evaluator = None
        self._closed = True


def _inputs(graph: Graph) -> list[str]:
    """The inputs that a graph's roots need."""
    return [node.op.label for node in walk.live(graph) if isinstance(node.op, Input)]


def _shape(shapes: Mapping[str, tuple[int, ...]], name: str) -> str:
    return str(list(shapes[name])) if name in shapes else "missing"
