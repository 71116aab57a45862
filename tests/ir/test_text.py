"""The text form: what it looks like, and that damaged text is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meganeura import FormatError, Graph, MeganeuraError, append_update, differentiate
from meganeura.update import Adam

TEXT = """\
%0 = input(label="x") : f32[2, 3]
%1 = parameter(label="w", start="zeros") : f32[3, 1]
%2 = matmul(%0, %1) : f32[2, 1]
%3 = constant(data=data[1.0, -0.5]) : f32[2]
%4 = permute(%2, axes=[1, 0]) : f32[1, 2]
%5 = mul(%4, %3) : f32[1, 2]
output %5
"""


def example() -> Graph:
    g = Graph()
    x, w = g.input("x", [2, 3]), g.parameter("w", [3, 1], "zeros")
    product, scale = x @ w, g.constant([1, -0.5])
    g.set_outputs([product.T * scale])
    return g


def test_the_text_is_what_we_say_it_is():
    assert example().text() == TEXT


def test_parsing_gives_an_equal_graph():
    assert Graph.parse(TEXT).text() == TEXT
    g = example()
    assert Graph.parse(g.text()) == g


def test_updates_and_gradients_survive():
    g = Graph()
    w = g.parameter("w", [2])
    g.set_outputs([g.sum_all(w * w)])
    trained = append_update(differentiate(g), Adam(0.1))
    parsed = Graph.parse(trained.text())
    assert parsed == trained
    assert parsed.updates() == trained.updates() and parsed.gradients() == trained.gradients()


@pytest.mark.parametrize("data", [[np.nan, 1.0], [np.inf, -np.inf], np.arange(40.0), [1e-45, -0.0]])
def test_constants_keep_their_bits(data):
    g = Graph()
    g.set_outputs([g.constant(data)])
    assert Graph.parse(g.text()) == g


@pytest.mark.parametrize("name", ['a"b', "back\\slash", "new\nline", "ünïcode", "#x", "%1 = "])
def test_names_are_quoted(name):
    g = Graph()
    g.set_outputs([g.input(name, [1])])
    assert Graph.parse(g.text()) == g


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('%1 = input(label="x") : f32[2]', "expected the node %0"),
        ('%0 = inptu(label="x") : f32[2]', 'did you mean "input"'),
        ("%0 = input(label=3) : f32[2]", "label must be a string"),
        ("%0 = input() : f32[2]", "lacks its attribute 'label'"),
        ('%0 = input(label="x", size=3) : f32[2]', "no attribute 'size'"),
        ('%0 = input(label="x") : f33[2]', "no element type 'f33'"),
        ('%0 = input(label="x") : f32[-2]', "at least 1"),
        ('%0 = input(label="x") : f32', "ends too early"),
        ("%0 = relu(%0) : f32[2]", "there is no node 0"),
        ('%0 = input(label="x") : f32[2] extra', "unexpected 'extra'"),
        ("%0 = constant(data=data[1.0]) : f32[2]", "1 values given"),
        ('%0 = constant(data=data"!!") : f32[2]', "not base64"),
        ("output %3", "there is no node 3"),
        ("%0 = full(value=1.0) : f32[2]\nupdate %0 <- %9", "no node 9"),
        ("%0 = full(value=__import__) : f32[2]", "is not a value"),
        ("%0 = full(value=1.0) : f32[2]\n%1 = sum(%0, axes=[0]) : f32[1]", "sum gives f32[]"),
        ("%0 = full(value=" + "[" * 5000, "nested too deeply"),
    ],
)
def test_damaged_text_is_refused_with_its_line(text, words):
    with pytest.raises(FormatError) as caught:
        Graph.parse(text)
    assert words in str(caught.value) and "line " in str(caught.value)


@settings(max_examples=300)
@given(st.integers(0, len(TEXT) - 1), st.text(max_size=3), st.integers(0, 4))
def test_random_damage_never_escapes_our_errors(position, inserted, removed):
    text = TEXT[:position] + inserted + TEXT[position + removed :]
    try:
        Graph.parse(text)
    except MeganeuraError as error:
        assert "internal error" not in str(error)
