"""Saturation: a graph's nodes as terms, all rules until nothing is new, and the classes they give.

In:  a graph and rules.   Out: classes of equal values, and which class each node is in.

Terms that rules have written need no trust: each is decoded to an op, whose own rule gives its
type, and a class with two types is an error, as is what the engine refuses to merge.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import InternalError, MeganeuraError
from ..ir import walk
from ..ir.composite import CompositeOp
from ..ir.expand import expanded_definition
from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.types import TensorType
from ..ops.layout import Reshape
from ..ops.leaf import Full
from .classes import Classes, ENode
from .encode import PRELUDE, Decoder, Encoder, constructor, declaration, writable
from .engine import Engine
from .rule import COMMUTING, Rule, names, useful
from .rules import types
from .rules.composite import DEFINITION

MOST_ROUNDS = 30
GROWTH, LEAST_NODES = 8, 2000
"""Saturation ends when there are so many times as many e-nodes as nodes, and at least so many."""
TIME_LIMIT_S = 2.0


@dataclass
class Saturation:
    """What saturation has found."""

    classes: Classes
    class_of: dict[int, int]
    """The class of each node of the graph that is alive."""
    fired: Counter[str] = field(default_factory=Counter)
    """How often each rule matched."""
    is_complete: bool = True
    """Whether no rule has anything to add."""


def saturate(graph: Graph, rules: Sequence[Rule]) -> Saturation:
    """All that the rules say is equal to the nodes of a graph."""
    return _Saturating(graph, rules).run()


class _Saturating:
    def __init__(self, graph: Graph, rules: Sequence[Rule]) -> None:
        self.graph, self.rules = graph, rules
        self.nodes = walk.live(graph, keep_leaves=True)
        self.encoder = Encoder()
        self.used: set[tuple[type[Op], int]] = set()
        self.fired: Counter[str] = Counter()

    def run(self) -> Saturation:
        actions = self._actions()
        ops = {constructor(*pair): pair for pair in self.used}
        rules = useful([rule for rule in self.rules if rule.facts], set(ops))
        for name in names(action for rule in rules for action in rule.actions):
            ops.setdefault(name, writable()[name])
        rules += useful(types.RULES, set(ops))
        declared = [declaration(*pair) for pair in ops.values()]
        engine = Engine("\n".join([PRELUDE, *declared, *(rule.text() for rule in rules)]))
        engine.load(actions)
        complete = self._rewrite(engine)
        classes, class_of = _read(engine, self.encoder, ops, self.graph)
        inner = (class_of[under_shapes(self.graph, root)] for root in walk.roots(self.graph))
        classes.roots = [v for v in dict.fromkeys(inner) if not classes.is_leaf(v)]
        return Saturation(classes.without_circles(), class_of, self.fired, complete)

    def _actions(self) -> list[Any]:
        """Every node as a term with its type, and definitions beside what they define."""
        terms, actions = self.encoder.terms, []
        for node in self.nodes:
            name = f"n{node.id}"
            actions.append(terms.let(name, self._term(self.graph, node, "n")))
            actions.append(terms.set("value", terms.literal(node.id), terms.var(name)))
            actions.append(terms.set("type", terms.var(name), self.encoder.type(node.ty)))
        if any(rule.group == DEFINITION.group for rule in self.rules):
            for node in self.nodes:
                if isinstance(node.op, CompositeOp):
                    actions += self._definition(node, node.op)
        return actions

    def _term(self, graph: Graph, node: Node, prefix: str) -> Any:
        """A node over terms that have names; operands that commute in an order of their own."""
        inputs: Sequence[int] = node.inputs
        if type(node.op).__name__ in COMMUTING:
            inputs = sorted(inputs, key=lambda i: (isinstance(graph.node(i).op, Full), i))
        self.used.add((type(node.op), len(inputs)))
        return self.encoder.term(node.op, [self.encoder.terms.var(f"{prefix}{i}") for i in inputs])

    def _definition(self, node: Node, op: CompositeOp) -> list[Any]:
        """The definition's terms, equal to the op's."""
        terms, actions, prefix = self.encoder.terms, [], f"d{node.id}_"
        small = expanded_definition(op, tuple(self.graph.node(i).ty for i in node.inputs))
        operands = iter(node.inputs)
        for inner in small.nodes():
            name = f"{prefix}{inner.id}"
            if inner.name is not None:  # an operand
                actions.append(terms.let(name, terms.var(f"n{next(operands)}")))
                continue
            actions.append(terms.let(name, self._term(small, inner, prefix)))
            actions.append(terms.set("type", terms.var(name), self.encoder.type(inner.ty)))
        result = terms.var(f"{prefix}{small.outputs()[0].id}")
        self.fired[DEFINITION.name] += 1
        return [*actions, terms.union(terms.var(f"n{node.id}"), result)]

    def _rewrite(self, engine: Engine) -> bool:
        """Apply rules until nothing changes; whether it came to that."""
        until = time.monotonic() + TIME_LIMIT_S
        most = max(LEAST_NODES, GROWTH * len(self.nodes))
        for _ in range(MOST_ROUNDS):
            changed, matches = engine.step()
            for name, count in matches.items():
                rule, _, _ = name.partition("#")
                if not rule.startswith("types/"):
                    self.fired[rule] += count
            if not changed:
                return True
            if time.monotonic() > until or engine.size() > most:
                return False
        return False


def under_shapes(graph: Graph, value: int) -> int:
    """What a value is under another shape: stored, it is both."""
    while isinstance(graph.node(value).op, Reshape):
        (value,) = graph.node(value).inputs
    return value


def _read(
    engine: Engine, encoder: Encoder, ops: dict[str, tuple[type[Op], int]], graph: Graph
) -> tuple[Classes, dict[int, int]]:
    """The classes of an e-graph, and that of each node; a class has the number of its first node,
    or if it has none one that no node has."""
    frozen, decoder = engine.frozen().functions, Decoder(engine, encoder.table)
    numbers: dict[Any, int] = {}
    class_of: dict[int, int] = {}
    rows = [(engine.egraph.value_to_i64(row.inputs[0]), row) for row in frozen["value"].rows]
    for node, row in sorted(rows, key=lambda pair: pair[0]):
        class_of[node] = numbers.setdefault(row.output, node)
    count = len(graph)
    found: list[tuple[int, ENode]] = []
    for name, (op, arity) in ops.items():
        for row in frozen[name].rows:
            for value in (row.output, *row.inputs[len(row.inputs) - arity :]):
                if value not in numbers:
                    numbers[value] = count
                    count += 1
            inputs = tuple(numbers[v] for v in row.inputs[len(row.inputs) - arity :])
            found.append((numbers[row.output], ENode(decoder.op(op, row), inputs)))
    classes = Classes()
    for number, node in found:
        classes.nodes.setdefault(number, []).append(node)
    given = {numbers[row.inputs[0]]: decoder.type(row.output) for row in frozen["type"].rows}
    _check_types(classes, given)
    return classes, class_of


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
                known[node.op, inputs] = _infer(node.op, inputs)
            ty = known[node.op, inputs]
            if classes.types.setdefault(number, ty) != ty:
                raise InternalError(
                    f"a rule made {node.op}, which is {ty}, equal to {classes.types[number]}"
                )
        if len(waiting) == len(pending):
            raise InternalError("some terms of the e-graph have no type")
        pending = waiting


def _infer(op: Op, types: tuple[TensorType, ...]) -> TensorType:
    try:
        op.check_operands(*types)
        return op.infer(*types)
    except MeganeuraError as error:
        raise InternalError(f"a rule wrote a term that cannot be: {error}") from None
