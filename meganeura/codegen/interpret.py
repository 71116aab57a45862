"""Loop IR run in Python: the oracle of schedules and renderers.

Slow, obvious, and strict: a load or store outside its buffer is an error, and lanes are a loop.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ..dtypes import Array
from ..errors import InternalError
from ..kernel.element import Element, Load, Position, Register, Test
from ..kernel.index import Bound, Fetch, Index, Quotient, Remainder, Var
from ..scalar.evaluate import evaluate
from .loops import (
    LANES,
    Assign,
    Combine,
    Contract,
    Declare,
    Kernel,
    Loop,
    Place,
    Statement,
    Store,
    Walk,
    When,
)

Environment = dict[Var, int]


def run(kernel: Kernel, buffers: list[Array], tasks: int) -> None:
    """Run the tasks of a kernel on flat arrays, one for each of its buffers."""
    machine = _Machine(kernel, buffers)
    for task in range(tasks):
        machine.run(kernel.grid.body, {kernel.grid.var: task})


@dataclass
class _Registers:
    """An array of registers: by place, then by lane (None where there are no lanes)."""

    lanes: bool
    first: float
    values: dict[tuple[int, ...], dict[int | None, Any]]


class _Machine:
    def __init__(self, kernel: Kernel, buffers: list[Array]) -> None:
        self.kernel = kernel
        self.buffers = buffers
        self.registers: dict[str, _Registers] = {}
        self.lane: int | None = None

    def run(self, body: tuple[Statement, ...], env: Environment) -> None:
        for statement in body:
            match statement:
                case Loop(var, kind, inner, stop):
                    self._loop(var, kind, inner, stop, env)
                case When(bound, inner, otherwise):
                    self.run(inner if self._holds(bound, env) else otherwise, env)
                case Declare(name, first, lanes, shape):
                    places = product(*map(range, shape))
                    self.registers[name] = _Registers(lanes, first, {p: {} for p in places})
                case Assign(name, value, place):
                    self._assign(name, place, self._value(value, env), env)
                case Combine(name, op, source):
                    slots = self.registers[source.name].values[self._place(source.place, env)]
                    values = list(slots.values())
                    total = math.fsum(values) if op == "sum" else max(values)
                    self._assign(name, (), total, env)
                case Store():
                    self._store(statement, env)

                case Contract():
                    self._contract(statement, env)

    def _store(self, store: Store, env: Environment) -> None:
        if all(self._holds(bound, env) for bound in store.bounds):
            where = self._index(store.index, env)
            if not 0 <= where < len(self.buffers[store.target]):
                raise InternalError(f"{self.kernel.name} stores b{store.target}[{where}]")
            self.buffers[store.target][where] = self._value(store.value, env)

    def _contract(self, contract: Contract, env: Environment) -> None:
        """All products at once, by arrays of positions."""
        size, lanes = (
            (contract.numbers, contract.vectors, self.kernel.lanes),
            range(self.kernel.lanes),
        )
        a = np.arange(contract.numbers)[:, None, None, None] * contract.number_step
        b = np.arange(contract.vectors)[:, None, None] * contract.vector_step
        b = b + np.asarray(lanes)[:, None]
        steps = [(self._extent(w, env), w.a_step, w.b_step) for w in contract.walks]
        moves_a = [np.arange(extent) * step for extent, step, _ in steps]
        moves_b = [np.arange(extent) * step for extent, _, step in steps]
        moves_a.append(np.asarray([tap for tap, _ in contract.taps]))
        moves_b.append(np.asarray([tap for _, tap in contract.taps]))
        products = self._loaded(contract.a, a + _sums(moves_a), env) * self._loaded(
            contract.b, b + _sums(moves_b), env
        )
        places = np.arange(prod(size)) + self._index(contract.sums.index, env)
        into = self.buffers[contract.sums.buffer]
        before = 0.0 if contract.fresh else into[places]
        into[places] = before + products.sum(-1).reshape(-1)

    def _extent(self, walk: Walk, env: Environment) -> int:
        return walk.extent if isinstance(walk.extent, int) else self._index(walk.extent, env)

    def _loaded(self, place: Place, offsets: Array, env: Environment) -> Array:
        positions, buffer = offsets + self._index(place.index, env), self.buffers[place.buffer]
        if positions.min() < 0 or positions.max() >= len(buffer):
            raise InternalError(f"{self.kernel.name} loads outside b{place.buffer}")
        loaded: Array = buffer[positions]
        return loaded

    def _loop(
        self,
        var: Var,
        kind: str,
        body: tuple[Statement, ...],
        stop: Index | None,
        env: Environment,
    ) -> None:
        limit = var.extent if stop is None else min(var.extent, self._index(stop, env))
        for i in range(limit):
            if kind == LANES:
                self.lane = i
            self.run(body, {**env, var: i})
        if kind == LANES:
            self.lane = None

    def _place(self, place: tuple[Index, ...], env: Environment) -> tuple[int, ...]:
        return tuple(self._index(index, env) for index in place)

    def _assign(self, name: str, place: tuple[Index, ...], value: Any, env: Environment) -> None:
        register = self.registers[name]
        register.values[self._place(place, env)][self.lane if register.lanes else None] = value

    def _read_register(self, read: Register, env: Environment) -> Any:
        register = self.registers[read.name]
        lane = self.lane if register.lanes else None
        return register.values[self._place(read.place, env)].get(lane, register.first)

    def _value(self, element: Element, env: Environment) -> Any:
        reads = [np.float64(self._read(read, env)) for read in element.reads]
        with np.errstate(all="ignore"):
            inputs = reads or [np.float64(0.0)]
            return evaluate(element.body, [np.asarray(x) for x in inputs])[()]

    def _read(self, read: Any, env: Environment) -> Any:
        match read:
            case Load(source, index, bounds):
                if not all(self._holds(bound, env) for bound in bounds):
                    return 0.0
                where = self._index(index, env)
                if not 0 <= where < len(self.buffers[source]):
                    raise InternalError(f"{self.kernel.name} loads b{source}[{where}]")
                return self.buffers[source][where]
            case Position(index):
                return self._index(index, env)
            case Test(bound):
                return float(self._holds(bound, env))
            case Register():
                return self._read_register(read, env)
        raise InternalError(f"{self.kernel.name} reads {read}")

    def _holds(self, bound: Bound, env: Environment) -> bool:
        return bound.low <= self._index(bound.index, env) < bound.high

    def _index(self, index: Index, env: Environment) -> int:
        return index.constant + sum(c * self._atom(atom, env) for atom, c in index.terms)

    def _atom(self, atom: Any, env: Environment) -> int:
        match atom:
            case Var():
                return env[atom]
            case Quotient(index, divisor):
                return self._index(index, env) // divisor
            case Remainder(index, divisor):
                return self._index(index, env) % divisor
            case Fetch(source, index, _):
                return int(self.buffers[source][self._index(index, env)])
        raise InternalError(f"{self.kernel.name} has no meaning for {atom}")


def _sums(moves: list[Array]) -> Array:
    """All sums of one element of each array."""
    total: Array = np.zeros(1, np.int64)
    for move in moves:
        total = (total[:, None] + move).reshape(-1)
    return total
