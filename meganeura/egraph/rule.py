"""Rules: what may be put in place of what.

A rule is written as egglog reads it: ``(Neg (Neg x))`` is a pattern, ``x`` a variable, ``(type x)``
the element type and sizes of what it stands for. Its name says its group and its meaning, as in
``algebra/double-negation``. An ``exact`` rule leaves every bit as it was.

What a pattern cannot say, a rule reads off the graph itself: it gives fragments, small graphs whose
outputs equal some of its nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from ..ir.graph import Graph, Node
from .engine import RULES

COMMUTING = ("Add", "Mul")
"""Ops whose operands a pattern may find in either order; but a number always stands last."""

SAME = "(value-eq (type e) (type x))"
"""What a rule replaces has the type of x. With ``=`` the engine would look at every two values of
one type; this only compares two that it has found."""

NUMBER = "(vec-of 0)"
"""The type of a single number."""

Tree = str | list["Tree"]


@dataclass(frozen=True)
class Fragment:
    """The outputs of ``small``, with nodes of a graph for its leaves, equal other nodes of it."""

    small: Graph
    leaves: tuple[int, ...]
    equal: tuple[int, ...]


Finder = Callable[[Graph, Sequence[Node]], Iterable[Fragment]]
"""From a graph and those of its nodes that are alive."""


@dataclass(frozen=True)
class Rule:
    """If all of ``facts`` hold, do all of ``actions``; or, all that ``find`` finds is equal."""

    name: str
    facts: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    exact: bool = True
    find: Finder | None = None

    @property
    def group(self) -> str:
        """The first word of the name."""
        return self.name.partition("/")[0]

    @cached_property
    def reads(self) -> set[str]:
        """The constructors that its facts speak of."""
        return names(self.facts)

    @cached_property
    def writes(self) -> set[str]:
        """The constructors that its actions speak of."""
        return names(self.actions)

    @cached_property
    def text(self) -> str:
        """The rule in egglog's language, once for each order of operands that commute."""
        actions = " ".join(self.actions)
        found = dict.fromkeys(" ".join(facts) for facts in product(*map(orders, self.facts)))
        return "\n".join(
            f'(rule ({facts}) ({actions}) :ruleset {RULES} :name "{self.name}#{number}")'
            for number, facts in enumerate(found)
        )


def rewrite(name: str, left: str, right: str, *when: str, exact: bool = True) -> Rule:
    """What matches ``left`` equals ``right``. In both and in ``when``, ``e`` is the whole."""
    return Rule(name, (f"(= e {left})", *when), (f"(union e {right})",), exact)


def orders(fact: str) -> Iterator[str]:
    """A fact with the operands of commuting ops in every order."""
    return (_written(tree) for tree in _orders(_parse(fact)))


def _orders(tree: Tree) -> list[Tree]:
    if isinstance(tree, str):
        return [tree]
    found: list[Tree] = [list(parts) for parts in product(*map(_orders, tree))]
    if tree and tree[0] in COMMUTING:
        turned = ((name, b, a) for name, a, b in map(tuple, found) if a != b)
        found += [[name, b, a] for name, b, a in turned if "Full" not in (a[0], b[0])]
    return found


def _parse(text: str) -> Tree:
    """Parentheses as lists."""
    stack: list[list[Tree]] = [[]]
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    (tree,) = stack[0]
    return tree


def _written(tree: Tree) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(_written, tree))})"


def names(texts: Iterable[str]) -> set[str]:
    """The constructors that facts or actions speak of."""
    return set(re.findall(r"\(([A-Z]\w*)", " ".join(texts)))


def useful(rules: Sequence[Rule], known: set[str]) -> list[Rule]:
    """The rules that can match terms of ``known`` constructors, or what other rules write."""
    found: list[Rule] = []
    rest = list(rules)
    while True:
        now = [rule for rule in rest if rule.reads <= known]
        if not now:
            return found
        found += now
        rest = [rule for rule in rest if not rule.reads <= known]
        known = known.union(*(rule.writes for rule in now))
