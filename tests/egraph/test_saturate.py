"""Saturation: nothing of a graph is lost on the way, it ends, and it grows with the graph only."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_args

import pytest

from meganeura import Adam, Graph, Value, differentiate
from meganeura.arguments import field_types
from meganeura.dtypes import DType
from meganeura.egraph import saturate as saturating
from meganeura.egraph.classes import Classes
from meganeura.egraph.encode import PRELUDE, Decoder, Encoder, constructor, declaration
from meganeura.egraph.engine import Engine
from meganeura.egraph.rules import ALL
from meganeura.egraph.saturate import Saturation, saturate
from meganeura.errors import InternalError
from meganeura.ir.expand import expand
from meganeura.ir.op import Op
from meganeura.ir.types import TensorType
from meganeura.nn import AttentionConfig, TransformerBlock, TransformerBlockConfig
from meganeura.ops.leaf import Full, Input
from meganeura.update import append_update
from tests.egraph.proof import check_classes, drawn
from tests.helpers.chains import tangle
from tests.helpers.unet import CONFIGS, training_graph
from tests.ops.cases import CASES
from tests.ops.table import Case
from tests.ops.test_table import draw, graph_of


def size(classes: Classes) -> int:
    """How many e-nodes there are."""
    return sum(map(len, classes.nodes.values()))


def ops_of(saturation: Saturation) -> list[str]:
    """The constructors of all e-nodes."""
    nodes = (node for mine in saturation.whole.nodes.values() for node in mine)
    return [constructor(type(node.op), len(node.inputs)) for node in nodes]


# Encoding.


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_node_comes_back_as_it_was(case: Case):
    arrays, _ = draw(case)
    graph = graph_of(case, arrays)
    saturation = saturate(graph, ())
    for node in graph.nodes():
        if node.id in saturation.class_of:
            number = saturation.class_of[node.id]
            (found,) = saturation.whole.nodes[number]
            assert found.op == node.op
            assert saturation.whole.types[number] == node.ty
            inputs = sorted(saturation.class_of[i] for i in node.inputs)
            assert sorted(found.inputs) == inputs


@pytest.mark.parametrize("case", CASES, ids=str)
def test_ops_that_differ_in_one_attribute_are_two_terms(case: Case):
    graph = graph_of(case, draw(case)[0])
    for node in graph.nodes():
        op = node.op
        wanted = [op, *(_changed(op, name, hint) for name, hint in field_types(type(op)).items())]
        assert _through_the_engine(wanted, len(node.inputs)) == set(wanted)


def _changed(op: Op, name: str, hint: Any) -> Op:
    """An op with another attribute; it need make no sense."""
    return type(op)(**{**op.attributes(), name: _other(getattr(op, name), hint)})


def _other(value: Any, hint: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "!"
        case bytes():
            return value + b"\0"
        case None:
            return 1 if int in get_args(hint) else "zeros"
        case tuple():
            return (*(v + 1 for v in value[:1]), *value[1:]) if value else (1,)
        case TensorType(shape, DType.F32):
            return TensorType((*shape, 2), DType.U32)
        case TensorType(shape, dtype):
            return TensorType((*shape, 2), dtype)
    raise AssertionError(f"how should {value!r} be changed?")


def _through_the_engine(ops: list[Op], arity: int) -> set[Op]:
    """Ops as terms over leaves, and what comes back."""
    encoder = Encoder()
    terms = encoder.terms
    leaves = [encoder.term(Input(f"leaf {i}", TensorType.f32((2,))), []) for i in range(arity)]
    actions = [terms.let(f"t{i}", encoder.term(op, leaves)) for i, op in enumerate(ops)]
    kinds = {constructor(type(op), arity): (type(op), arity) for op in ops}
    declared = {**kinds, "Input": (Input, 0)}
    with Engine([PRELUDE, *(declaration(*pair) for pair in declared.values())]) as engine:
        engine.load([*encoder.vectors, *actions])
        decoder, frozen = Decoder(engine, encoder.table), engine.frozen().functions
        return {
            decoder.op(kind, row.inputs[: len(row.inputs) - arity])
            for name, (kind, _) in kinds.items()
            for row in frozen[name].rows
        }


def test_an_e_graph_that_was_used_before_gives_the_same():
    """It is kept between two graphs, unless something went wrong in it."""
    first, second = tangle(30, 0), tangle(30, 1)
    alone = [saturate(g, ALL) for g in (first, second)]
    again = [saturate(g, ALL) for g in (second, first)]
    for one, other in zip(alone, reversed(again), strict=True):
        assert one.classes.nodes == other.classes.nodes and one.fired == other.fired
        assert one.class_of == other.class_of


def test_each_thread_has_e_graphs_of_its_own():
    """One may be used only by the thread that made it; graphs are built by any."""
    graph = tangle(30, 0)
    expected = saturate(graph, ALL)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: saturate(graph, ALL), range(4)))
    for one in (*found, saturate(graph, ALL)):
        assert one.classes.nodes == expected.classes.nodes


def test_an_e_graph_in_which_something_went_wrong_is_not_used_again():
    programs, terms = [PRELUDE], Encoder().terms
    with Engine(programs) as engine:
        first = engine.egraph
    with pytest.raises(InternalError), Engine(programs) as engine:
        assert engine.egraph is first
        engine.load([terms.union(terms.var("a name"), terms.var("of nothing"))])
    with Engine(programs) as engine:
        assert engine.egraph is not first


@pytest.mark.parametrize(
    "build",
    [
        lambda g, x: x + 1.0 + 1e-30,
        lambda g, x: x - (g.number(1e-30) + g.number(-0.3)),
        lambda g, x: x - (g.number(3.0) - g.number(1e-30)),
        lambda g, x: x * (g.number(0.0) * g.number(3.0)) * 3.0,
    ],
)
def test_a_number_that_vanishes_beside_another_is_not_added_for_ever(build):
    """What equals itself with more of it would fill the e-graph."""
    g = Graph()
    g.set_outputs([build(g, g.input("x", [4]))])
    found = saturate(expand(g), ALL)
    assert found.is_complete
    assert sum(map(len, found.whole.nodes.values())) < 40


def test_a_number_that_is_none_is_found_again():
    g = Graph()
    g.set_outputs([g.input("x", (3,)) * math.nan, g.full(math.inf, (2,))])
    saturation = saturate(g, ALL)
    assert set(saturation.class_of) == {node.id for node in g.nodes()}


# The end of it.


def test_a_class_that_could_be_computed_from_itself_is_cut():
    g = Graph()
    x = g.input("x", (3, 5))
    g.set_outputs([g.exp(x * 1.0)])
    saturation = saturate(g, ALL)
    number = saturation.class_of[x.id]
    assert len(saturation.whole.nodes[number]) == 2
    assert [node.op for node in saturation.classes.nodes[number]] == [g.node(x.id).op]


def test_what_could_go_on_is_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(saturating, "MOST_ROUNDS", 1)
    g = Graph()
    g.set_outputs([g.reshape(g.reshape(g.reshape(g.input("x", (6,)), (3, 2)), (2, 3)), (6, 1))])
    assert not saturate(g, ALL).is_complete


def test_numbers_that_differ_by_rounding_are_one():
    g = Graph()
    tenths = [g.number(value) for value in (0.1, 0.2, 0.3)]
    g.set_outputs([(tenths[0] * tenths[1]) * tenths[2] + g.input("x", (3,))])
    saturation = saturate(g, ALL)
    for nodes in saturation.whole.nodes.values():
        assert sum(isinstance(node.op, Full) for node in nodes) <= 1


def unet() -> Graph:
    """What is compiled to train the U-Net."""
    return expand(append_update(differentiate(training_graph(CONFIGS["tiny"])), Adam(1e-3)))


def test_the_training_of_the_unet_is_saturated_and_grows_little():
    graph = unet()
    saturation = saturate(graph, ALL)
    assert saturation.is_complete
    assert size(saturation.whole) < 1.5 * len(graph)


def transformer(layers: int) -> Graph:
    """The gradients of some blocks."""
    g = Graph()
    x = g.input("x", (6, 24))
    config = TransformerBlockConfig(AttentionConfig(24, 3, 1, 8), 40)
    for layer in range(layers):
        x = TransformerBlock(g, f"layer{layer}", config)(x)
    g.set_outputs([g.mean_all(x)])
    return expand(differentiate(g))


def test_saturation_grows_with_the_layers_and_no_faster():
    sizes = []
    for layers in (2, 3, 4):
        saturation = saturate(transformer(layers), ALL)
        assert saturation.is_complete
        sizes.append(size(saturation.whole))
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0]


def test_a_transformer_block_saturated_is_the_same():
    classes = saturate(transformer(1), ALL).whole
    leaves = drawn(classes)
    check_classes(classes, {name: 0.3 * array for name, array in leaves.items()})


# What is put together.


def projections(widths: list[int], rows: int = 5) -> Graph:
    g = Graph()
    x = g.input("x", (rows, 7))
    g.set_outputs([x @ g.parameter(f"w{i}", (7, n)) for i, n in enumerate(widths)])
    return g


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_projections_share_one_product(count: int):
    saturation = saturate(projections([6] * count), ALL)
    found = ops_of(saturation)
    assert found.count(f"Concat{count}") == 1
    assert found.count("Matmul") == count + 1
    assert saturation.fired["merge/projections"] == 1


def test_a_small_projection_is_left_alone():
    found = ops_of(saturate(projections([64, 60, 2, 1]), ALL))
    assert found.count("Concat2") == 2, "the two large ones, and the two small ones"
    assert found.count("Matmul") == 6


def convolutions(*options: dict[str, Any], kernel: int = 3) -> list[str]:
    g = Graph()
    x = g.input("x", (2, 3, 8, 8))

    def one(i: int, stride: int = 1, size: int = kernel) -> Value:
        return g.conv2d(x, g.parameter(f"w{i}", (4, 3, size, size)), stride=stride, padding=1)

    g.set_outputs([one(i, **given) for i, given in enumerate(options)])
    return ops_of(saturate(g, ALL))


def test_convolutions_share_one_if_their_windows_are_alike():
    assert convolutions({}, {}, {}).count("Concat3") == 1
    assert convolutions({}, {"stride": 2}).count("Concat2") == 0
    assert convolutions({}, {"size": 2}).count("Concat2") == 0


def test_written_out_norms_and_attention_weights_are_found():
    g = Graph()
    x = g.input("x", (4, 6))
    centred = x - g.mean(x, 1, keep=True)
    root = g.sqrt(g.mean(centred * centred, 1, keep=True) + 1e-5)
    normal = centred / root * g.parameter("w", (6,)) + g.parameter("b", (6,))
    e = g.exp(x - g.max(x, 1, keep=True))
    weights = e / g.sum(e, 1, keep=True)
    sigmoid = 1.0 / (1.0 + g.exp(-x))
    g.set_outputs([normal, weights, x * sigmoid * normal])
    found = ops_of(saturate(expand(g), ALL))
    assert {"LayerNorm", "Softmax", "Sigmoid", "Silu", "Swiglu"} <= set(found)
