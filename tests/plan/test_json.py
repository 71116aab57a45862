"""Plans as JSON: what is written comes back, and what is damaged is refused."""

from __future__ import annotations

import random

import pytest

from meganeura import Adam, FormatError, Graph, append_update, differentiate
from meganeura.compiler import compile_graph
from meganeura.kernel.target import Target
from meganeura.plan.plan import Plan


@pytest.fixture(scope="module")
def plan() -> Plan:
    """A training step, with constants, indices and states."""
    g = Graph()
    tokens, w = g.input_u32("tokens", [4]), g.parameter("w", [5, 3])
    scaled = g.embedding(tokens, w) * g.constant([1.0, float("-inf"), -0.0], [3])
    g.set_outputs([g.mse_loss(g.tanh(scaled), g.constant([[0.5] * 3] * 4, [4, 3]))])
    return compile_graph(append_update(differentiate(g), Adam(0.1)), Target("cpu", 8)).plan


def test_a_plan_comes_back_as_it_was(plan):
    assert plan.constants and plan.leaves and plan.results
    text = plan.to_json()
    again = Plan.from_json(text)
    assert again == plan and str(again) == str(plan)
    assert again.to_json() == text


def test_a_plan_that_ends_too_soon_or_too_late_is_refused(plan):
    text = plan.to_json()
    for wrong in (text + b"}", *(text[:length] for length in range(len(text)))):
        with pytest.raises(FormatError, match="this is no plan"):
            Plan.from_json(wrong)


DEEP = 100_000
WRONG = {
    "nothing": b"",
    "a list": b"[]",
    "null": b"null",
    "a number": b"1",
    "no fields": b"{}",
    "deep": b"[" * DEEP,
    "no text": b"\xff\xfe\x00",
    "no bytes": None,
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_is_no_plan_is_refused(text):
    with pytest.raises(FormatError, match="this is no plan"):
        Plan.from_json(text)


CHANGES = {
    "a word for a number": (b'"arena_bytes":', b'"arena_bytes":"many","peak_bytes":'),
    "a fraction for a number": (b'"offset_bytes":0', b'"offset_bytes":0.5'),
    "a number beyond all": (b'"offset_bytes":0', b'"offset_bytes":1e99'),
    "a list for a dictionary": (b'"slots":{', b'"slots":[],"types":{'),
    "a value without a number": (b'"slots":{"0"', b'"slots":{"first"'),
    "an element type there is not": (b'"dtype":"u32"', b'"dtype":"u33"'),
    "a size of zero": (b'"shape":[4]', b'"shape":[0]'),
    "a shape too large": (b'"shape":[4]', b'"shape":[%s]' % b",".join([b"9" * 9] * 9)),
    "a constant that is no base64": (b'"constants":{"', b'"constants":{"0":"?","'),
    "a field there is not": (b'"arena_bytes":', b'"arena":0,"arena_bytes":'),
    "a name that is no text": (b'"leaves":{"', b'"leaves":{"\xff'),
    "deep in a type": (b'"shape":[4]', b'"shape":[4],"more":' + b"[" * DEEP),
}


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_a_wrong_field_is_refused(plan, old, new):
    text = plan.to_json()
    assert old in text
    with pytest.raises(FormatError, match="this is no plan"):
        Plan.from_json(text.replace(old, new, 1))


def test_damage_anywhere_raises_nothing_else(plan):
    """A changed digit may well give another plan; whatever it gives, no other error comes out."""
    text, rng = plan.to_json(), random.Random(0)
    refused = 0
    for _ in range(5000):
        damaged = bytearray(text)
        damaged[rng.randrange(len(text))] = rng.randrange(256)
        try:
            Plan.from_json(bytes(damaged))
        except FormatError:
            refused += 1
    assert refused > 2500
