"""The e-graph read back: its rows as classes of e-nodes, checked.

A class has the number of its first node; if it has none, one that no node has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..errors import InternalError
from ..ir.op import Op
from ..ir.types import TensorType
from ..ops.leaf import Full
from .classes import Classes, ENode
from .encode import Decoder, Encoder
from .engine import Engine

Term = tuple[int, Op, Sequence[int]]
"""A node of the graph as it was encoded: its number, its op, the nodes it reads."""

Row = tuple[Any, Op, tuple[Any, ...]]
"""What a term yields, its op, and what it reads, as the engine's values."""

CLOSE = 1e-9
"""How far, relatively, two ways to work out a number may be apart."""


def read(
    engine: Engine,
    encoder: Encoder,
    ops: dict[str, tuple[type[Op], int]],
    terms: Sequence[Term],
    count: int,
) -> tuple[Classes, dict[int, int]]:
    """The classes of an e-graph, and that of each node; numbers below ``count`` are nodes'. Raises
    what an op or a type says that cannot be."""
    frozen, decoder = engine.frozen().functions, Decoder(engine, encoder.table)
    rows: list[Row] = []
    for name, (kind, arity) in ops.items():
        for row in frozen[name].rows:
            values = row.inputs
            place = len(values) - arity
            rows.append((row.output, decoder.op(kind, values[:place]), tuple(values[place:])))
    # A term is found again by what it is: no row says which node it came from.
    where = {(op, inputs): value for value, op, inputs in rows}
    values_of: dict[int, Any] = {}
    numbers: dict[Any, int] = {}
    for number, op, reads in terms:
        values_of[number] = where[op, tuple(values_of[i] for i in reads)]
        numbers.setdefault(values_of[number], number)
    _number_others(rows, numbers, count)
    found = [
        (numbers[value], ENode(op, tuple(numbers[i] for i in inputs))) for value, op, inputs in rows
    ]
    own = (ENode(op, tuple(numbers[values_of[i]] for i in reads)) for _, op, reads in terms)
    classes = Classes({number: [] for number in sorted(numbers.values())}, given=frozenset(own))
    for number, node in found:
        classes.nodes[number].append(node)
    for nodes in classes.nodes.values():
        nodes.sort(key=_order)
    given = {numbers[row.inputs[0]]: decoder.type(row.output) for row in frozen["type"].rows}
    _check_types(classes, given)
    _check_numbers(classes)
    return classes, {node: numbers[value] for node, value in values_of.items()}


def _number_others(rows: list[Row], numbers: dict[Any, int], count: int) -> None:
    """Number the classes that hold no node of the graph: by what they are, so that the order in
    which the engine lists its rows, which is another each time, does not matter."""
    rest = [row for row in rows if row[0] not in numbers]
    while rest:
        known = [
            (_order(ENode(op, tuple(numbers[i] for i in inputs))), value)
            for value, op, inputs in rest
            if all(i in numbers for i in inputs)
        ]
        if not known:
            raise InternalError("some terms of the e-graph are made of nothing")
        for _, value in sorted(known, key=lambda pair: pair[0]):
            if value not in numbers:
                numbers[value] = count
                count += 1
        rest = [row for row in rest if row[0] not in numbers]


def _order(node: ENode) -> tuple[str, str, tuple[int, ...]]:
    return node.op.name, repr(node.op), node.inputs


def _check_types(classes: Classes, given: dict[int, TensorType]) -> None:
    """Give each class its type, and raise if an e-node of it has another."""
    known: dict[tuple[Op, tuple[TensorType, ...]], TensorType] = {}
    pending = [(number, node) for number, nodes in classes.nodes.items() for node in nodes]
    classes.types = dict(given)
    while pending:
        waiting = []
        for number, node in pending:
            if any(i not in classes.types for i in node.inputs):
                waiting.append((number, node))
                continue
            inputs = tuple(classes.types[i] for i in node.inputs)
            if (node.op, inputs) not in known:
                node.op.check_operands(*inputs)
                known[node.op, inputs] = node.op.infer(*inputs)
            ty = known[node.op, inputs]
            if classes.types.setdefault(number, ty) != ty:
                raise InternalError(
                    f"a rule made {node.op}, which is {ty}, equal to {classes.types[number]}"
                )
        if len(waiting) == len(pending):
            raise InternalError("some terms of the e-graph have no type")
        pending = waiting


def _check_numbers(classes: Classes) -> None:
    """Leave one number in each class, and raise if there are two that are not the same but for
    rounding."""
    for number, nodes in classes.nodes.items():
        found = [node for node in nodes if isinstance(node.op, Full)]
        if len(found) < 2:
            continue
        first, *others = (node.op.value for node in found if isinstance(node.op, Full))
        for other in others:
            both_nan = math.isnan(first) and math.isnan(other)
            if not both_nan and not math.isclose(first, other, rel_tol=CLOSE):
                raise InternalError(f"a rule made {first} equal to {other}")
        classes.nodes[number] = [node for node in nodes if node not in found[1:]]
