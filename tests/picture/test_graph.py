"""Graphs as SVG."""

from __future__ import annotations

import time
from xml.etree import ElementTree

import pytest

from meganeura import Graph, differentiate
from meganeura.ir.op import REGISTRY
from meganeura.models import mnist, sd_unet
from meganeura.picture import draw_graph
from meganeura.picture.graph import _BY_CLASS, _BY_NAME, FAMILIES, family_of
from meganeura.picture.svg import escape
from meganeura.update import Adam, append_update

SVG = "{http://www.w3.org/2000/svg}"


def training(module, cfg) -> Graph:
    graph = Graph()
    graph.set_outputs([module.build_training_graph(graph, cfg)])
    return graph


def digits() -> Graph:
    return training(mnist, mnist.MnistConfig())


def unet() -> Graph:
    return training(sd_unet, sd_unet.SDUNetConfig.tiny())


def boxes(drawn: str) -> dict[int, ElementTree.Element]:
    """The groups of a picture by node."""
    groups = ElementTree.fromstring(drawn).iter(f"{SVG}g")
    return {int(group.get("id")[1:]): group for group in groups if group.get("id")}


def words(element: ElementTree.Element) -> list[str]:
    return ["".join(line.itertext()) for line in element.iter(f"{SVG}text")]


@pytest.mark.parametrize("build", [digits, unet])
@pytest.mark.parametrize("stage", ["graph", "gradient", "update"])
def test_every_node_is_drawn_or_written_into_those_that_read_it(build, stage):
    graph = build()
    if stage != "graph":
        graph = differentiate(graph)
    if stage == "update":
        graph = append_update(graph, Adam(1e-3))
    found = boxes(draw_graph(graph))
    for node in graph.nodes():
        if node.id in found:
            assert (node.name or node.op.name) in words(found[node.id])[0]
            continue
        users = [user for user in graph.nodes() if node.id in user.inputs]
        assert users and not node.inputs
        for user in users:
            assert node.name is None or node.name in words(found[user.id])


def test_shapes_and_roles_are_written():
    graph = append_update(differentiate(digits()), Adam(1e-3))
    found = boxes(draw_graph(graph))
    loss = graph.outputs()[0]
    assert "cross_entropy_loss" in words(found[loss.id])[0] and "output" in words(found[loss.id])
    for leaf, value in graph.gradients().items():
        assert f"gradient of {graph.node(leaf).name}" in words(found[value])
    for leaf, value in graph.updates().items():
        assert f"becomes {graph.node(leaf).name}" in words(found[value])
    inner = graph.node(5)
    assert inner.op.name == "matmul" and words(found[5])[0] == "matmul 32×128"
    (tip,) = found[5].iter(f"{SVG}title")
    assert tip.text.startswith("%5 = matmul(%0, %1) : f32[32, 128]")


def test_skips_of_a_unet_are_lines_beside_the_boxes():
    drawn = ElementTree.fromstring(draw_graph(unet()))
    trunks = [path for path in drawn.iter(f"{SVG}path") if path.get("class") == "trunk"]
    starts = [path for path in trunks if path.get("marker-end") is None]
    # Each of seven blocks adds its input; each of three levels joins its skip; the middle block's
    # input is the last level's skip.
    assert len(starts) == 7 + 3 - 1


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_every_op_has_a_family(name):
    """An op that falls through to the last resort should be put into the table."""
    known = name in _BY_NAME or issubclass(REGISTRY[name], tuple(kind for kind, _ in _BY_CLASS))
    assert known or name in ("rope",)


def test_families_are_those_of_the_legend():
    assert {family_of(node.op) for node in unet().nodes()} <= set(FAMILIES)
    assert set(_BY_NAME.values()) | {family for _, family in _BY_CLASS} == set(FAMILIES)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "a\"b'c & d", "]]><!--", "ünï→code 🦋", "x" * 5000]
)
def test_names_are_escaped(name):
    graph = Graph()
    x = graph.input("<x & y>", [4])
    graph.set_outputs([graph.relu(x * graph.parameter(name, [4]))])
    drawn = draw_graph(graph)
    assert "<script" not in drawn and "<x" not in drawn
    found = boxes(drawn)
    assert set(found) == {0, 2, 3}
    assert words(found[0])[0] == "<x & y> 4"
    (line,) = words(found[2])[1:]
    assert line == name or (len(name) > 44 and len(line) <= 44 and "…" in line)


def test_characters_that_xml_lacks_are_replaced():
    shown = escape("a\x00b\x1b\ud800\ufffe<\t\n")
    assert shown == "a\ufffdb\ufffd\ufffd\ufffd&lt;\t\n"
    ElementTree.fromstring(f"<a>{shown}</a>")


def test_leaves_that_nothing_reads_are_boxes():
    graph = Graph()
    graph.parameter("alone", [3])
    weight = graph.parameter("weight", [3])
    graph.set_outputs([weight])
    assert set(boxes(draw_graph(graph))) == {0, 1}


def test_an_empty_graph_is_drawn():
    assert "an empty graph" in draw_graph(Graph())


def test_a_large_graph_is_drawn_soon_and_names_what_is_far():
    graph = Graph()
    x = graph.input("x", [8, 8])
    kept = []
    for i in range(450):
        x = graph.tanh(x @ graph.parameter(f"w{i}", [8, 8]))
        kept.append(x)
    for early in reversed(kept):  # a long edge for each, as gradients have
        x = graph.relu(x * early)
    graph.set_outputs([graph.mse_loss(x, graph.input("y", [8, 8]))])
    assert len(graph) > 2000
    start = time.process_time()
    drawn = draw_graph(graph)
    assert time.process_time() - start < 10
    links = [a.get("href") for a in ElementTree.fromstring(drawn).iter(f"{SVG}a")]
    found = boxes(drawn)
    assert len(links) > 300 and all(int(link[2:]) in found for link in links)
    assert f"%{kept[0].id}, read below" in words(found[kept[0].id])
