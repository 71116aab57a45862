"""Which way round a matrix lies in a file: as declared, or as the file says; never guessed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from safetensors.numpy import load_file

from meganeura import Graph, GraphError, MeganeuraError, nn
from meganeura.load.weights import match_weights, read_weights, save_weights
from tests.load.builders import entry, put
from tests.load.test_weights import saved, told

SQUARE = np.arange(9, dtype=np.float32).reshape(3, 3)
USES = {
    "x @ w": lambda g, x, w: x @ w,
    "x @ (w * 1)": lambda g, x, w: x @ (w * 1.0),
    "x @ (w + delta)": lambda g, x, w: x @ (w + g.parameter("delta", [3, 3])),
    "x @ reshaped w": lambda g, x, w: x @ g.reshape(w, [3, 3]),
    "x @ wᵀ": lambda g, x, w: g.matmul_bt(x, w),
    "w @ x": lambda g, x, w: w @ x,
    "a table": lambda g, x, w: g.embedding(g.input_u32("i", [2]), w),
    "not used": lambda g, x, w: x,
}
LAYOUTS = [None, "plain", "linear"]


def using(use, layout: str | None) -> Graph:
    g = Graph()
    x, w = g.input("x", [3, 3]), g.parameter("w", [3, 3], layout=layout)
    g.set_outputs([g.sum_all(use(g, x, w))])
    return g


@pytest.mark.parametrize("other", USES.values(), ids=USES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_weight_comes_back_the_same_whatever_it_is_used_for(tmp_path, other, layout):
    save_weights(tmp_path / "w", using(USES["x @ w"], layout), {"w": SQUARE})
    again = match_weights(using(other, layout), read_weights(tmp_path / "w"), strict=False)
    assert (again["w"] == SQUARE).all()
    assert (load_file(tmp_path / "w")["w"] == (SQUARE.T if layout == "linear" else SQUARE)).all()


@pytest.mark.parametrize("shape", [(3, 3), (2, 3)])
@pytest.mark.parametrize("before", LAYOUTS)
@pytest.mark.parametrize("after", LAYOUTS)
def test_between_declarations_values_are_the_same_or_refused(tmp_path, shape, before, after):
    def graph(layout):
        g = Graph()
        g.set_outputs([g.parameter("w", shape, layout=layout)])
        return g

    value = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    save_weights(tmp_path / "w", graph(before), {"w": value})
    tensors = read_weights(tmp_path / "w")
    if after is not None and after != (before or "plain") and shape == (3, 3):
        assert "whether the file has it transposed" in told(
            lambda: match_weights(graph(after), tensors)
        )
    else:
        assert (match_weights(graph(after), tensors)["w"] == value).all()


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_file_of_others_is_taken_as_declared(tmp_path, use, layout):
    tensors = read_weights(saved(tmp_path / "w", {"w": SQUARE}))
    g = using(use, layout)
    if layout is None:
        message = told(lambda: match_weights(g, tensors, strict=False))
        assert 'g.parameter("w", [3, 3], layout="linear")' in message
    else:
        found = match_weights(g, tensors, strict=False)["w"]
        assert (found == (SQUARE.T if layout == "linear" else SQUARE)).all()


def test_a_transposed_shape_is_refused_with_the_declaration_that_is_missing(tmp_path):
    g = Graph()
    g.set_outputs([g.input("x", [1, 2]) @ g.parameter("w", [2, 3])])
    tensors = read_weights(saved(tmp_path / "w", {"w": np.ones((3, 2), "f4")}))
    message = told(lambda: match_weights(g, tensors))
    assert "it has F32[3, 2]" in message
    assert 'g.parameter("w", [2, 3], layout="linear")' in message


def test_a_table_of_a_file_of_ours_may_also_be_a_head(tmp_path):
    def tied(vocab, dim):
        g = Graph()
        table, head = nn.Embedding(g, "table", vocab, dim), nn.Linear(g, "head", dim, vocab, False)
        g.set_outputs([head(table(g.input_u32("i", [2])))])
        return g

    for vocab in (5, 3):
        value = np.arange(vocab * 3, dtype=np.float32).reshape(vocab, 3)
        save_weights(
            tmp_path / "w", tied(vocab, 3), {"table.weight": value, "head.weight": value.T}
        )
        tensors = read_weights(tmp_path / "w")
        rename = {"head": "table"}
        if vocab == 3:
            told(lambda: match_weights(tied(3, 3), tensors, rename, strict=False))  # noqa: B023
        else:
            found = match_weights(tied(vocab, 3), tensors, rename, strict=False)
            assert (found["head.weight"] == value.T).all()


def test_parts_of_a_model_say_how_their_tensors_lie(tmp_path):
    for name, layout in (("a", "linear"), ("b", None)):
        g = Graph()
        g.set_outputs([g.parameter(name, [3, 3], layout=layout)])
        save_weights(tmp_path / f"{name}.safetensors", g, {name: SQUARE})
    saved(tmp_path / "c.safetensors", {"c": SQUARE})
    index = {"weight_map": {name: f"{name}.safetensors" for name in "abc"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    g = Graph()
    g.set_outputs([g.parameter("a", [3, 3]), g.parameter("b", [3, 3])])
    g.parameter("c", [3, 3], layout="linear")
    found = match_weights(g, read_weights(tmp_path))
    assert (found["a"] == SQUARE).all() and (found["b"] == SQUARE).all()
    assert (found["c"] == SQUARE.T).all()


@pytest.mark.parametrize(
    "text",
    [
        *("[]", "{", '{"w": 1}', '{"w": "turned"}', '{"other": "plain"}', '{"b": "linear"}'),
        *('{"w": ["linear"]}', "\ud800", '{"w": "plain", "w": "linear"}'),
    ],
)
def test_layouts_that_do_not_fit_the_file_are_refused(tmp_path, text):
    header = {"w": entry(0, 36, [3, 3]), "b": entry(36, 40, [1])}
    put(tmp_path / "w", {"__metadata__": {"meganeura.layouts": text}, **header}, bytes(40))
    assert "meganeura.layouts" in told(lambda: read_weights(tmp_path / "w"))


def test_the_layout_is_part_of_a_graphs_text(tmp_path):
    g = Graph()
    g.set_outputs([g.parameter("w", [2, 3], layout="linear")])
    assert 'layout="linear"' in g.text() and Graph.parse(g.text()) == g
    for layout, shape in (("transposed", [2, 3]), ("linear", [3])):
        with pytest.raises(GraphError, match='"w"'):
            Graph().parameter("w", shape, layout=layout)
    with pytest.raises(MeganeuraError, match="matrix"):
        Graph.parse('%0 = parameter(label="w", layout="linear") : f32[3]\noutput %0\n')
