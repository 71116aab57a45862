"""How parameters start: by what uses them, by seed and name, or as the user says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from meganeura import Graph, MeganeuraError, build_session, nn
from tests.session.builders import WEIGHT, make_session


def start(build, seed: int = 0) -> dict[str, np.ndarray]:
    """The parameters of a graph whose only output is ``build(g)``, as a session starts them."""
    g = Graph()
    g.set_outputs([g.sum_all(build(g))])
    with build_session(g, "reference:float64", seed=seed) as session:
        return {name: session.get_parameter(name) for name in session.param_names()}


def x(g: Graph, *shape: int):
    return g.input("x", shape)


IMAGE, FLAT = (2, 4, 5, 5), (2 * 4 * 5 * 5,)
SIZES = {"batch": 2, "in_channels": 4, "in_h": 5, "in_w": 5}
FLAT_CONV = {**SIZES, "out_channels": 8, "kernel_h": 3, "kernel_w": 3, "padding": 1}


def flat_group_norm(g: Graph):
    w, b = g.parameter("scale", [4]), g.parameter("bias", [4])
    return g.group_norm(x(g, *FLAT), w, b, batch=2, channels=4, spatial=25, num_groups=2)


def image_group_norm(g: Graph):
    return g.group_norm(x(g, *IMAGE), g.parameter("scale", [4]), g.parameter("bias", [4]))


def layer_norm(g: Graph):
    return g.layer_norm(x(g, 3, 4), g.parameter("scale", [4]), g.parameter("bias", [4]))


def conv_with_bias(g: Graph, *shape: int):
    return g.conv2d(x(g, *shape), g.input("w", [8, 4, 3, 3]), bias=g.parameter("bias", [8]))


def flat_conv_with_bias(g: Graph):
    kernels, bias = g.input("w", [8 * 4 * 9]), g.parameter("bias", [8])
    return g.conv2d(x(g, *FLAT), kernels, **FLAT_CONV, bias=bias)


SCALES_AND_BIASES = {
    "rms_norm": lambda g: g.rms_norm(x(g, 3, 4), g.parameter("scale", [4])),
    "layer_norm": layer_norm,
    "group_norm": image_group_norm,
    "flat group_norm": flat_group_norm,
    "bias_add": lambda g: g.bias_add(x(g, 3, 4), g.parameter("bias", [4])),
    "bias_add on one row": lambda g: g.bias_add(x(g, 1, 4), g.parameter("bias", [4])),
    "broadcast_add": lambda g: g.broadcast_add(x(g, 3, 4), g.parameter("bias", [1, 4])),
    "broadcast_add on one row": lambda g: g.broadcast_add(x(g, 1, 4), g.parameter("bias", [1, 4])),
    "add": lambda g: x(g, 3, 4) + g.parameter("bias", [4]),
    "sub": lambda g: x(g, 3, 4) - g.parameter("bias", [1]),
    "reshaped bias": lambda g: x(g, 3, 4) + g.reshape(g.parameter("bias", [2, 2]), [4]),
    "mul": lambda g: x(g, 3, 4) * g.parameter("scale", [4]),
    "conv bias": lambda g: conv_with_bias(g, *IMAGE),
    "conv bias on one pixel": lambda g: conv_with_bias(g, 1, 4, 3, 3),
    "flat conv bias": flat_conv_with_bias,
}


@pytest.mark.parametrize("build", SCALES_AND_BIASES.values(), ids=SCALES_AND_BIASES)
def test_scales_start_at_one_and_biases_at_zero(build):
    for name, found in start(build).items():
        assert (found == {"scale": 1.0, "bias": 0.0}[name]).all(), name


WEIGHTS = {
    "matmul": (64, lambda g: x(g, 3, 64) @ g.parameter("w", [64, 32])),
    "matmul from the left": (64, lambda g: g.parameter("w", [32, 64]) @ x(g, 64, 3)),
    "matmul_bt": (64, lambda g: g.matmul_bt(x(g, 3, 64), g.parameter("w", [32, 64]))),
    "matmul_at": (64, lambda g: g.matmul_at(g.parameter("w", [64, 32]), x(g, 64, 3))),
    "batched matmul": (64, lambda g: x(g, 2, 3, 64) @ g.parameter("w", [2, 64, 32])),
    "conv": (36, lambda g: g.conv2d(x(g, *IMAGE), g.parameter("w", [40, 4, 3, 3]))),
    "grouped conv": (
        18,
        lambda g: g.conv2d(x(g, *IMAGE), g.parameter("w", [80, 2, 3, 3]), groups=2),
    ),
    "flat conv": (36, lambda g: g.conv2d(x(g, *FLAT), g.parameter("w", [288]), **FLAT_CONV)),
    "linear": (64, lambda g: nn.Linear(g, "layer", 64, 32)(x(g, 3, 64))),
    "conv layer": (36, lambda g: nn.Conv2d(g, "layer", 4, 40, 3)(x(g, *IMAGE))),
}


@pytest.mark.parametrize(("fan_in", "build"), WEIGHTS.values(), ids=WEIGHTS)
def test_weights_start_uniform_within_one_over_the_root_of_fan_in(fan_in, build):
    parameters = start(build)
    weight = parameters[next(name for name in parameters if name.endswith(("w", "weight")))]
    bound = 1 / math.sqrt(fan_in)
    assert np.abs(weight).max() <= bound
    assert np.abs(weight).max() > 0.97 * bound
    assert weight.std() == pytest.approx(bound / math.sqrt(3), rel=0.1)
    assert abs(weight.mean()) < 4 * weight.std() / math.sqrt(weight.size)


EMBEDDINGS = {
    "embedding": lambda g: g.embedding(g.input_u32("i", [3]), g.parameter("w", [300, 16])),
    "layer": lambda g: nn.Embedding(g, "tokens", 300, 16)(g.input_u32("i", [3])),
}


@pytest.mark.parametrize("build", EMBEDDINGS.values(), ids=EMBEDDINGS)
def test_tables_start_normal_with_rows_of_unit_length(build):
    (table,) = start(build).values()
    assert table.std() == pytest.approx(1 / math.sqrt(16), rel=0.05)
    assert 0.6 < (np.abs(table) < table.std()).mean() < 0.75  # 0.683 if normal, 0.577 if uniform
    assert np.mean((table**2).sum(axis=1)) == pytest.approx(1, rel=0.1)


# Seeds


def two_layers(names):
    def build(g):
        weights = {name: g.parameter(name, [8, 8]) for name in names}
        return x(g, 3, 8) @ weights["a"] @ weights["b"]

    return build


def test_the_order_of_declaration_does_not_matter():
    one, other = start(two_layers("ab")), start(two_layers("ba"))
    assert all((one[name] == other[name]).all() for name in "ab")


def test_seed_and_name_decide():
    one, other = start(two_layers("ab"), seed=1), start(two_layers("ab"), seed=2)
    values = [one["a"], one["b"], other["a"], other["b"]]
    assert len({v.tobytes() for v in values}) == 4
    again = start(two_layers("ab"), seed=1)
    assert all((one[name] == again[name]).all() for name in "ab")


# What the user says


@pytest.mark.parametrize(
    ("how", "holds"),
    [
        ("zeros", lambda w: (w == 0).all()),
        ("ones", lambda w: (w == 1).all()),
        ("uniform", lambda w: 0 < np.abs(w).max() <= 1 / math.sqrt(3)),
        ("normal", lambda w: len(np.unique(w)) == w.size),
        (0.25, lambda w: (w == 0.25).all()),
        (np.float32(0.25), lambda w: (w == 0.25).all()),
        (-2, lambda w: (w == -2).all()),
        (None, lambda w: 0 < np.abs(w).max() <= 1 / math.sqrt(3)),
    ],
)
def test_initialize_starts_a_parameter_anew(how, holds):
    session = make_session()
    session.set_parameter(WEIGHT, np.full(6, 7.0))
    session.initialize(WEIGHT, how)
    assert holds(session.get_parameter(WEIGHT))


def test_initialize_without_a_word_gives_back_the_start():
    session = make_session(seed=3)
    before = session.get_parameter(WEIGHT)
    session.set_parameter(WEIGHT, np.full(6, 7.0))
    session.initialize(WEIGHT)
    assert (session.get_parameter(WEIGHT) == before).all()


@pytest.mark.parametrize(("how", "value"), [("zeros", 0), ("ones", 1)])
def test_a_declared_start_outweighs_the_use(how, value):
    found = start(lambda g: x(g, 2, 3) @ g.parameter("w", [3, 2], how))
    assert (found["w"] == value).all()


@pytest.mark.parametrize(
    ("how", "hint"),
    [("zeroes", 'did you mean "zeros"'), ("", "there are"), ([1, 2], "a string or a number")],
)
def test_an_unknown_start_is_refused_and_changes_nothing(how, hint):
    session = make_session()
    before = session.get_parameter(WEIGHT)
    with pytest.raises(MeganeuraError) as caught:
        session.initialize(WEIGHT, how)
    assert hint in str(caught.value) and caught.value.where.file == __file__
    assert (session.get_parameter(WEIGHT) == before).all()


def test_an_array_is_no_start():
    with pytest.raises(MeganeuraError):
        make_session().initialize(WEIGHT, np.zeros((3, 2)))


def test_an_unknown_start_is_refused_where_the_parameter_is_declared():
    with pytest.raises(MeganeuraError, match="zeros"):
        Graph().parameter("w", [2], "zeroes")


@pytest.mark.parametrize("seed", [-1, "one", None, 1.5])
def test_a_seed_is_a_whole_number_from_zero(seed):
    with pytest.raises(MeganeuraError, match="seed"):
        make_session(seed=seed)
