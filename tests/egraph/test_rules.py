"""Every rule on a small graph of its own: all that it makes equal has the same value."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, note, settings

from meganeura import Graph, InternalError, Value, differentiate
from meganeura.egraph.classes import Classes
from meganeura.egraph.encode import writable
from meganeura.egraph.rule import Rule, names, rewrite
from meganeura.egraph.rules import ALL, GROUPS
from meganeura.egraph.rules.types import RULES as TYPES
from meganeura.egraph.saturate import Saturation, saturate
from meganeura.ir.expand import expand
from tests.egraph.contract import (
    NOT_FINITE,
    ODD,
    SIZES,
    check_bits,
    check_not_finite,
    check_tame,
    extremes,
    in_rows,
    sprinkled,
)
from tests.egraph.instances import Instance, instances, real
from tests.egraph.near_misses import near_misses
from tests.egraph.proof import Disagreement, check_classes, drawn
from tests.helpers.graphs import Builder, random_graphs

ALGEBRA = [rule for rule in ALL if rule.group == "algebra"]
RULES = {rule.name: rule for rule in ALL}
INSTANCES = instances()


def proved(instance: Instance, *rules: Rule) -> Saturation:
    """Saturate an instance's graph with rules, and compare all e-nodes of each class."""
    saturation = saturate(instance.graph(), rules)
    assert saturation.is_complete
    check_classes(saturation.whole, drawn(saturation.whole))
    return saturation


def size(saturation: Saturation) -> tuple[int, int]:
    nodes = saturation.whole.nodes
    return len(nodes), sum(map(len, nodes.values()))


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_a_rule_is_true(instance: Instance):
    after = [RULES[name] for name in instance.after]
    without = proved(instance, *after)
    found = proved(instance, RULES[instance.rule], *after)
    assert found.fired[instance.rule]
    assert size(found) != size(without), "the rule has added nothing"


EXACT = [i for i in INSTANCES if RULES[i.rule].exact and "product" not in i.rule]
"""NumPy's matrix products add up in an order of their own, which depends on their sizes."""


def classes_of(instance: Instance, *rules: Rule) -> Classes:
    return saturate(instance.graph(), rules or instance_rules(instance)).whole


def instance_rules(instance: Instance) -> list[Rule]:
    return [RULES[name] for name in (instance.rule, *instance.after)]


@pytest.mark.parametrize("instance", [i for i in EXACT if not i.rule.startswith("merge/")], ids=str)
def test_an_exact_rule_leaves_every_bit_of_a_float32(instance: Instance):
    classes = classes_of(instance)
    for leaves in extremes(classes):
        check_bits(classes, leaves)
        check_bits(classes, sprinkled(leaves, ODD))


@pytest.mark.parametrize("instance", [i for i in INSTANCES if RULES[i.rule].exact], ids=str)
def test_an_exact_rule_leaves_sums_that_do_not_round(instance: Instance):
    classes = classes_of(instance)
    whole = {label: np.rint(3 * array) for label, array in drawn(classes).items()}
    check_classes(classes, whole, np.float32, close=0.0)


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_a_rule_keeps_the_contract(instance: Instance):
    """docs/decisions/0022."""
    classes = classes_of(instance)
    by_tiles = instance.rule.startswith("algorithm/")
    tame = 0
    for seed, leaves in enumerate(extremes(classes)):
        if check_tame(classes, leaves, by_tiles, instance.rule == "composite/definition"):
            tame += 1
            if not by_tiles:
                check_not_finite(classes, sprinkled(leaves, NOT_FINITE, seed))
    assert tame >= 5 or not leaves


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_all_rules_together_keep_the_contract(instance: Instance):
    saturation = saturate(instance.graph(), ALL)
    by_tiles = any(name.startswith("algorithm/") for name in saturation.fired)
    defined = saturation.fired["composite/definition"] > 0
    for leaves in extremes(saturation.whole):
        check_tame(saturation.whole, leaves, by_tiles, defined)


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_a_rule_is_true_among_all(instance: Instance):
    proved(instance, *ALL)


@pytest.mark.parametrize("miss", near_misses(), ids=str)
def test_a_rule_keeps_to_its_conditions(miss: Instance):
    found = proved(miss, RULES[miss.rule])
    assert size(found) == size(saturate(miss.graph(), ()))


NUMBERS = (0.0, -0.0, 1.0, 0.1, -7.0, 1e-30, 2.0**-126, 1e-39, 1e-60, 1e30, 3e38, math.inf)
OTHERS = (-0.0, -0.3, 1e-30, 1e-39, 1e30, -3e38)
TERMS: dict[str, Callable[[Graph, Value, float, float], Value]] = {
    "scaled": lambda g, x, a, b: x * a * b,
    "shifted": lambda g, x, a, b: x + a + b,
    "shifted back": lambda g, x, a, b: x - a - b,
    "divided": lambda g, x, a, b: x / a / b,
    "scaled and divided": lambda g, x, a, b: x * a / b,
    "summed": lambda g, x, a, b: g.sum(x * a, 1, keep=True) * b,
    "by a number": lambda g, x, a, b: x * (g.number(a) * g.number(b)),
    "less a number": lambda g, x, a, b: x - (g.number(a) + g.number(b)),
    "by a quotient": lambda g, x, a, b: g.div(g.number(a), g.number(b)) * x,
}


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize("a", NUMBERS)
def test_numbers_of_any_size_keep_the_contract(name: str, a: float):
    for b in OTHERS:
        instance = Instance(name, lambda g, b=b: TERMS[name](g, real(g, len(SIZES), 4), a, b))
        classes = classes_of(instance, *ALGEBRA)
        check_tame(classes, in_rows(classes), by_rows=True)
        classes = classes_of(instance, *(rule for rule in ALGEBRA if rule.exact))
        check_bits(classes, in_rows(classes))


def test_every_rule_has_an_instance():
    assert {instance.rule for instance in INSTANCES} == set(RULES)


def test_names_are_unique_and_begin_with_a_group():
    everything = [rule.name for rule in (*ALL, *TYPES)]
    assert len(set(everything)) == len(everything)
    assert GROUPS == ("algebra", "layout", "composite", "merge", "algorithm")


@pytest.mark.parametrize("rule", [*ALL, *TYPES], ids=lambda rule: rule.name)
def test_rules_speak_of_ops_that_exist(rule: Rule):
    assert names((*rule.facts, *rule.actions)) <= set(writable())
    assert bool(rule.facts) != (rule.find is not None)


TURNED = rewrite("wrong/turned", "(Sub x y)", "(Sub y x)")
SHRUNK = rewrite("wrong/shrunk", "(Sub x y)", "(Sum (vec-of 0) false x)")
UNSHAPED = rewrite("wrong/unshaped", "(Sub x y)", "(Reshape (vec-of 7) x)")
UNSIGNED = rewrite("wrong/unsigned", "(Neg (Full a t))", "(Full a t)")


def test_a_wrong_rule_is_caught_by_the_proof():
    instance = Instance(TURNED.name, lambda g: real(g, 3, 5) - real(g, 3, 5))
    with pytest.raises(Disagreement):
        proved(instance, TURNED)


@pytest.mark.parametrize("rule", [SHRUNK, UNSHAPED])
def test_a_rule_of_wrong_shape_stops_saturation(rule: Rule):
    instance = Instance(rule.name, lambda g: real(g, 3, 5) - real(g, 3, 5))
    with pytest.raises(InternalError):
        saturate(instance.graph(), [rule])


def test_two_numbers_in_one_class_stop_saturation():
    instance = Instance(UNSIGNED.name, lambda g: g.neg(g.number(2.0)))
    with pytest.raises(InternalError, match=r"made -?2\.0 equal to -?2\.0"):
        saturate(instance.graph(), [UNSIGNED, RULES["algebra/fold-negation"]])


@settings(max_examples=60)
@given(random_graphs())
def test_all_rules_together_are_true(builder: Builder):
    g = builder.graph
    g.set_outputs([g.mean_all(g.tanh(builder.values[-1]))])
    graph = expand(differentiate(g))
    note(graph.text())
    leaves = {f"x{i}": array for i, array in enumerate(builder.arrays)}
    saturation = saturate(graph, ALL)
    assert saturation.is_complete
    assert check_classes(saturation.whole, {k: np.asarray(v) for k, v in leaves.items()})
