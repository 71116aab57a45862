"""Layers: what they compute, what their parameters are called, and that a block of them learns."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from meganeura import (
    Graph,
    GraphError,
    ShapeError,
    Value,
    build_inference_session,
    build_session,
    nn,
)
from tests.ops import formulas

Tensors = dict[str, np.ndarray]
ATTENTION = nn.AttentionConfig(
    dim=12, num_heads=4, num_kv_heads=2, head_dim=6, rope_theta=50.0, batch=2
)
BLOCK = nn.TransformerBlockConfig(ATTENTION, ffn_hidden=20, norm_eps=1e-3)


# Formulas: from the parameters, whose names begin with ``name``, and the input


def linear(p: Tensors, name: str, x: np.ndarray) -> np.ndarray:
    return x @ p[f"{name}.weight"] + p.get(f"{name}.bias", 0.0)


def rms_norm(p: Tensors, name: str, x: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * p[f"{name}.weight"]


def layer_norm(p: Tensors, name: str, x: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(var + eps) * p[f"{name}.weight"] + p[f"{name}.bias"]


def swiglu_ffn(p: Tensors, name: str, x: np.ndarray) -> np.ndarray:
    gate, up = linear(p, f"{name}.gate_proj", x), linear(p, f"{name}.up_proj", x)
    return linear(p, f"{name}.down_proj", gate / (1 + np.exp(-gate)) * up)


def attention(p: Tensors, name: str, x: np.ndarray) -> np.ndarray:
    cfg = ATTENTION
    q, k, v = (linear(p, f"{name}.{part}_proj", x) for part in "qkv")
    q, k = (formulas.rope(a, cfg.rope_theta, cfg.head_dim, batch=cfg.batch) for a in (q, k))
    heads = (cfg.num_heads, cfg.num_kv_heads, cfg.head_dim)
    packed = formulas.attention(q, k, v, *heads, batch=cfg.batch, causal=True)
    return linear(p, f"{name}.o_proj", packed[: q.size].reshape(q.shape))


def block(p: Tensors, name: str, x: np.ndarray) -> np.ndarray:
    x = x + attention(p, f"{name}.self_attn", rms_norm(p, f"{name}.input_layernorm", x, 1e-3))
    normal = rms_norm(p, f"{name}.post_attention_layernorm", x, 1e-3)
    return x + swiglu_ffn(p, f"{name}.mlp", normal)


def conv(p: Tensors, name: str, x: np.ndarray, **window) -> np.ndarray:
    bias = p.get(f"{name}.bias", np.zeros(1))
    return formulas.conv2d(x, p[f"{name}.weight"], **window) + bias[:, None, None]


def group_norm(p: Tensors, name: str, x: np.ndarray) -> np.ndarray:
    return formulas.group_norm(x, p[f"{name}.weight"], p[f"{name}.bias"], 2, 1e-5)


ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda x: np.maximum(x, 0),
    "gelu": lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "gelu_erf": lambda x: x / 2 * (1 + np.vectorize(math.erf)(x / math.sqrt(2))),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}


def mlp(activation: str) -> Callable[..., np.ndarray]:
    def formula(p: Tensors, name: str, x: np.ndarray) -> np.ndarray:
        return linear(p, f"{name}.fc2", ACTIVATIONS[activation](linear(p, f"{name}.fc1", x)))

    return formula


# The table


@dataclass(frozen=True)
class Case:
    """A layer named ``l``, an input, its formula, and its parameters' shapes."""

    layer: Callable[[Graph], Callable[[Value], Value]]
    shape: tuple[int, ...]
    formula: Callable[..., np.ndarray]
    parameters: dict[str, list[int]]


PROJECTIONS = {
    "q_proj.weight": [12, 24],
    "k_proj.weight": [12, 12],
    "v_proj.weight": [12, 12],
    "o_proj.weight": [24, 12],
}
FFN = {"gate_proj.weight": [12, 20], "up_proj.weight": [12, 20], "down_proj.weight": [20, 12]}
MLP = {"fc1.weight": [5, 7], "fc1.bias": [7], "fc2.weight": [7, 3], "fc2.bias": [3]}
WINDOW = {"stride": (2, 1), "padding": (1, 2), "dilation": (1, 2), "groups": 2}


def wide_conv(g: Graph) -> nn.Conv2d:
    return nn.Conv2d(g, "l", 4, 6, (3, 2), (2, 1), (1, 2), bias=False, groups=2, dilation=(1, 2))


CASES = {
    "linear": Case(
        lambda g: nn.Linear(g, "l", 5, 3), (4, 5), linear, {"weight": [5, 3], "bias": [3]}
    ),
    "linear without bias": Case(
        lambda g: nn.Linear(g, "l", 5, 3, bias=False), (2, 4, 5), linear, {"weight": [5, 3]}
    ),
    "rms_norm": Case(lambda g: nn.RmsNorm(g, "l", 5), (4, 5), rms_norm, {"weight": [5]}),
    "layer_norm": Case(
        lambda g: nn.LayerNorm(g, "l", 5), (4, 5), layer_norm, {"weight": [5], "bias": [5]}
    ),
    "group_norm": Case(
        lambda g: nn.GroupNorm(g, "l", 2, 6),
        (2, 6, 3, 4),
        group_norm,
        {"weight": [6], "bias": [6]},
    ),
    "conv2d": Case(
        lambda g: nn.Conv2d(g, "l", 2, 3, 3, padding=1),
        (2, 2, 5, 4),
        lambda p, name, x: conv(p, name, x, padding=(1, 1)),
        {"weight": [3, 2, 3, 3], "bias": [3]},
    ),
    "conv2d with everything": Case(
        wide_conv,
        (2, 4, 5, 5),
        lambda p, name, x: conv(p, name, x, **WINDOW),
        {"weight": [6, 2, 3, 2]},
    ),
    "swiglu_ffn": Case(lambda g: nn.SwiGluFfn(g, "l", 12, 20), (4, 12), swiglu_ffn, FFN),
    "attention": Case(
        lambda g: nn.CausalSelfAttention(g, "l", ATTENTION), (8, 12), attention, PROJECTIONS
    ),
    "block": Case(
        lambda g: nn.TransformerBlock(g, "l", BLOCK),
        (8, 12),
        block,
        {
            "input_layernorm.weight": [12],
            **{f"self_attn.{name}": shape for name, shape in PROJECTIONS.items()},
            "post_attention_layernorm.weight": [12],
            **{f"mlp.{name}": shape for name, shape in FFN.items()},
        },
    ),
    **{
        f"mlp with {name}": Case(
            lambda g, name=name: nn.Mlp(g, "l", 5, 7, 3, name), (4, 5), mlp(name), MLP
        )
        for name in ACTIVATIONS
    },
}


@pytest.mark.parametrize("method", ["__call__", "forward"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_layer_computes_its_formula_with_parameters_of_the_usual_names(case, method):
    g = Graph()
    layer = case.layer(g)
    g.set_outputs([getattr(layer, method)(g.input("x", case.shape))])
    rng = np.random.default_rng(9)
    with build_inference_session(g, "reference:float64") as session:
        shapes = {n: list(session.get_parameter(n).shape) for n in session.param_names()}
        assert shapes == {f"l.{name}": shape for name, shape in case.parameters.items()}
        values = {name: rng.normal(size=shape) for name, shape in shapes.items()}
        for name, value in values.items():
            session.set_parameter(name, value)
        x = rng.normal(size=case.shape)
        session.set_input("x", x)
        session.step()
        np.testing.assert_allclose(
            session.read_output(), case.formula(values, "l", x), rtol=1e-10, atol=1e-12
        )


def test_an_embedding_gives_rows_of_its_table():
    g = Graph()
    g.set_outputs([nn.Embedding(g, "model.embed_tokens", 7, 3)(g.input_u32("i", [4]))])
    with build_inference_session(g, "reference:float64") as session:
        assert session.param_names() == ["model.embed_tokens.weight"]
        session.set_input_u32("i", [6, 0, 0, 3])
        session.step()
        table = session.get_parameter("model.embed_tokens.weight")
        np.testing.assert_array_equal(session.read_output(), table[[6, 0, 0, 3]])


# Learning


def test_a_transformer_block_learns():
    cfg = nn.TransformerBlockConfig(nn.AttentionConfig(16, 4, 2, 4, batch=2), 24)
    g = Graph()
    tokens, labels = g.input_u32("tokens", [16]), g.input_u32("labels", [16])
    x = nn.TransformerBlock(g, "h.0", cfg)(nn.Embedding(g, "embed", 10, 16)(tokens))
    logits = nn.Linear(g, "head", 16, 10, bias=False)(nn.RmsNorm(g, "norm", 16)(x))
    g.set_outputs([g.cross_entropy_loss(logits, labels)])
    sequence = np.random.default_rng(2).integers(0, 10, (2, 9))
    with build_session(g, "reference") as session:
        session.set_adam(0.02)
        session.set_input_u32("tokens", sequence[:, :-1].ravel())
        session.set_input_u32("labels", sequence[:, 1:].ravel())
        losses = []
        for _ in range(30):
            session.step()
            losses.append(session.read_loss())
        norms = session.read_all_param_grad_norms()
    assert losses[0] > 2.0 and losses[-1] < 0.3 * losses[0]
    assert all(norm > 0 for norm in norms.values()), norms


# Mistakes


@pytest.mark.parametrize(
    ("make", "kind", "says"),
    [
        (lambda g, x: nn.Linear(g, "l", 4, 3)(x), ShapeError, "matmul"),
        (lambda g, x: nn.Linear(g, "l", 0, 3), ShapeError, "at least 1"),
        (lambda g, x: nn.RmsNorm(g, "l", 4)(x), ShapeError, "rms_norm"),
        (lambda g, x: nn.RmsNorm(g, "l", 5, 0.0)(x), GraphError, "eps must be positive"),
        (lambda g, x: nn.LayerNorm(g, "l", 5, -1.0)(x), GraphError, "eps must be positive"),
        (lambda g, x: nn.GroupNorm(g, "l", 2, 5)(x), ShapeError, "must divide the channels"),
        (lambda g, x: nn.Mlp(g, "l", 5, 7, 3, "rely"), GraphError, 'did you mean "relu"'),
        (lambda g, x: nn.Embedding(g, "l", 9, 3)(x), GraphError, "indices must be u32"),
        (lambda g, x: nn.Conv2d(g, "l", 5, 3, 3)(x), ShapeError, "conv2d"),
        (
            lambda g, x: nn.Conv2d(g, "l", 5, 4, 3, groups=2)(g.input("i", [1, 5, 5, 5])),
            ShapeError,
            "groups",
        ),
        (lambda g, x: nn.TransformerBlock(g, "l", BLOCK)(x), ShapeError, "rms_norm"),
        (lambda g, x: (nn.Linear(g, "l", 5, 3), nn.Linear(g, "l", 5, 3)), GraphError, "l.weight"),
        (lambda g, x: nn.Linear(Graph(), "l", 5, 3)(x), GraphError, "another graph"),
    ],
)
def test_a_wrong_size_or_name_is_refused_on_the_users_line(make, kind, says):
    g = Graph()
    x = g.input("x", [4, 5])
    with pytest.raises(kind) as caught:
        make(g, x)
    assert says in str(caught.value) and caught.value.where.file == __file__
