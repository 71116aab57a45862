"""Every rule on a small graph of its own: all that it makes equal has the same value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, note, settings

from meganeura import InternalError, differentiate
from meganeura.egraph.encode import writable
from meganeura.egraph.rule import Rule, names, rewrite
from meganeura.egraph.rules import ALL, GROUPS
from meganeura.egraph.rules.types import RULES as TYPES
from meganeura.egraph.saturate import Saturation, saturate
from meganeura.ir.expand import expand
from tests.egraph.instances import Instance, instances, real
from tests.egraph.near_misses import near_misses
from tests.egraph.proof import Disagreement, check_classes, drawn
from tests.helpers.graphs import Builder, random_graphs

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


@pytest.mark.parametrize("instance", [i for i in EXACT if not i.rule.startswith("merge/")], ids=str)
def test_an_exact_rule_leaves_every_bit_of_a_float32(instance: Instance):
    rules = [RULES[name] for name in (instance.rule, *instance.after)]
    classes = saturate(instance.graph(), rules).whole
    check_classes(classes, drawn(classes), np.float32, close=0.0)


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_a_rule_is_true_among_all(instance: Instance):
    proved(instance, *ALL)


@pytest.mark.parametrize("miss", near_misses(), ids=str)
def test_a_rule_keeps_to_its_conditions(miss: Instance):
    found = proved(miss, RULES[miss.rule])
    assert size(found) == size(saturate(miss.graph(), ()))


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
