"""Saturation: a graph's nodes as terms, all rules until nothing is new, and the classes they give.

In:  a graph and rules.   Out: classes of equal values, and which class each node is in.

Terms that rules have written need no trust: each is decoded to an op, whose own rule gives its
type, and a class with two types is an error, as are two numbers in one, and what the engine refuses
to merge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import GraphError, InternalError
from ..ir import walk
from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ops.layout import Reshape
from ..ops.leaf import Full
from .classes import Classes
from .encode import PRELUDE, Encoder, constructor, declaration, writable
from .engine import Engine
from .read import read
from .rule import COMMUTING, Fragment, Rule, useful
from .rules import types

MOST_ROUNDS = 30
GROWTH, LEAST_NODES = 8, 2000
"""Saturation ends when there are so many times as many e-nodes as nodes, and at least so many. No
limit is one of time: the same graph gives the same program on a busy machine."""


@dataclass
class Saturation:
    """What saturation has found."""

    classes: Classes
    """Without the e-nodes that would let a class be computed from itself."""
    class_of: dict[int, int]
    """The class of each node of the graph that is alive."""
    whole: Classes
    """With all e-nodes."""
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
        written = set[str]().union(*(rule.writes for rule in rules))
        for name in sorted(written):
            ops.setdefault(name, writable()[name])
        # The graph's own terms have their types already.
        rules += [rule for rule in types.RULES if rule.reads <= written]
        declared = [declaration(*pair) for pair in ops.values()]
        terms = [(node.id, node.op, self._inputs(self.graph, node)) for node in self.nodes]
        with Engine([PRELUDE, *declared, *(rule.text for rule in rules)]) as engine:
            engine.load([*self.encoder.vectors, *actions])
            complete = self._rewrite(engine)
            try:
                classes, class_of = read(engine, self.encoder, ops, terms, len(self.graph))
            except GraphError as error:
                raise InternalError(f"a rule wrote a term that cannot be: {error}") from None
        inner = (class_of[under_shapes(self.graph, root)] for root in walk.roots(self.graph))
        classes.roots = [v for v in dict.fromkeys(inner) if not classes.is_leaf(v)]
        return Saturation(classes.without_circles(), class_of, classes, self.fired, complete)

    def _actions(self) -> list[Any]:
        """Every node as a term with its type, and what rules find beside it."""
        terms, actions = self.encoder.terms, []
        for node in self.nodes:
            name = f"n{node.id}"
            actions.append(terms.let(name, self._term(self.graph, node, "n")))
            actions.append(terms.set("type", terms.var(name), self.encoder.type(node.ty)))
        for rule in self.rules:
            fragments = () if rule.find is None else rule.find(self.graph, self.nodes)
            for fragment in fragments:
                prefix = f"{len(actions)}_"
                actions += self._fragment(fragment, prefix)
                self.fired[rule.name] += 1
        return actions

    def _term(self, graph: Graph, node: Node, prefix: str) -> Any:
        """A node over terms that have names."""
        inputs = self._inputs(graph, node)
        self.used.add((type(node.op), len(inputs)))
        return self.encoder.term(node.op, [self.encoder.terms.var(f"{prefix}{i}") for i in inputs])

    @staticmethod
    def _inputs(graph: Graph, node: Node) -> Sequence[int]:
        """What a node's term reads: operands that commute in an order of their own."""
        if type(node.op).__name__ in COMMUTING:
            return sorted(node.inputs, key=lambda i: (isinstance(graph.node(i).op, Full), i))
        return node.inputs

    def _fragment(self, fragment: Fragment, prefix: str) -> list[Any]:
        """A fragment's terms, and what its outputs equal."""
        terms, actions = self.encoder.terms, []
        leaves = iter(fragment.leaves)
        for node in fragment.small.nodes():
            name = f"{prefix}{node.id}"
            if node.name is not None:
                actions.append(terms.let(name, terms.var(f"n{next(leaves)}")))
                continue
            actions.append(terms.let(name, self._term(fragment.small, node, prefix)))
            actions.append(terms.set("type", terms.var(name), self.encoder.type(node.ty)))
        for node_id, output in zip(fragment.equal, fragment.small.outputs(), strict=True):
            actions.append(terms.union(terms.var(f"n{node_id}"), terms.var(f"{prefix}{output.id}")))
        return actions

    def _rewrite(self, engine: Engine) -> bool:
        """Apply rules until nothing changes; whether it came to that."""
        most = max(LEAST_NODES, GROWTH * len(self.nodes))
        for _ in range(MOST_ROUNDS):
            changed, matches = engine.step()
            for name, count in matches.items():
                rule, _, _ = name.partition("#")
                if count and not rule.startswith("types/"):
                    self.fired[rule] += count
            if not changed:
                return True
            if engine.size() > most:
                return False
        return False


def under_shapes(graph: Graph, value: int) -> int:
    """What a value is under another shape: stored, it is both."""
    while isinstance(graph.node(value).op, Reshape):
        (value,) = graph.node(value).inputs
    return value
