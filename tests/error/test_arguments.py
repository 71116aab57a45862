"""Arguments of the wrong kind: whatever is put where, no error of Python's or NumPy's comes out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from meganeura import Graph, GraphError, InternalError, MeganeuraError
from tests.error.leaves import Leaves

FORM = (2, 1, 6)


def _calls() -> dict:
    """A right call of every method: from the leaves to the arguments."""
    unary = "abs neg sign exp log sqrt rsqrt recip sin cos erf relu sigmoid tanh silu gelu gelu_erf"
    unary += " sum_all mean_all softmax log_softmax stop_gradient"
    binary = "add sub mul div pow maximum minimum greater greater_equal equal swiglu"
    binary += " mse_loss l1_loss bce_loss cross_entropy_loss matmul_at matmul_bt"
    leaf = "input input_u32 parameter state"
    attention = "causal_attention full_attention cross_attention multi_head_attn"
    return {
        **{name: lambda n: (n.x,) for name in unary.split()},
        **{name: lambda n: (n.x, n.y) for name in binary.split()},
        **{name: lambda n: ("new", [2, 3]) for name in leaf.split()},
        **{name: lambda n: (n.x, (0,), True) for name in ("sum", "mean", "max")},
        **{name: lambda n: (n.queries, n.x, n.x, *FORM) for name in attention.split()},
        "matmul": lambda n: (n.x, n.tall),
        "where": lambda n: (n.x, n.x, n.y),
        "constant": lambda n: ([1.0, 2.0], [2]),
        "scalar": lambda n: (1.0,),
        "number": lambda n: (1.0,),
        "full": lambda n: (1.0, (2, 3)),
        "bias_add": lambda n: (n.x, n.vector),
        "broadcast_add": lambda n: (n.x, n.row),
        "rms_norm": lambda n: (n.x, n.vector, 1e-5),
        "layer_norm": lambda n: (n.x, n.vector, n.vector, 1e-5),
        "group_norm": lambda n: (n.flat, n.channel, n.channel, 2, 4, 25, 2, 1e-5),
        "reshape": lambda n: (n.x, [2, 12]),
        "transpose": lambda n: (n.x, 0, 1),
        "permute": lambda n: (n.x, [1, 0]),
        "broadcast_to": lambda n: (n.row, [4, 6]),
        "slice": lambda n: (n.x, [0, 0], [1, 1]),
        "pad": lambda n: (n.x, [0, 1], [1, 0]),
        "concatenate": lambda n: ([n.x, n.y], 0),
        "embedding": lambda n: (n.tokens, n.table),
        "scatter_add": lambda n: (n.tokens, n.x, 9),
        "one_hot": lambda n: (n.tokens, 9),
        "cache_write": lambda n: (n.row, n.cache, n.pos, 1),
        "cached_attention": lambda n: (n.g.input("q", [1, 12]), n.cache, n.cache, n.pos, *FORM),
        "sliding_window_attention": lambda n: (n.queries, n.x, n.x, *FORM, 2),
        "rope": lambda n: (n.x, 1e4, 6),
        "rope_with_offset": lambda n: (n.x, 1e4, 3, 6),
        "rope_dynamic_offset": lambda n: (n.x, 1e4, n.pos, 6),
        "conv2d": lambda n: (n.flat, n.flat_kernel, 2, 4, 5, 5, 8, 3, 3, 1, 1),
        "max_pool_2d": lambda n: (n.image, 2, 1, 1),
        "avg_pool_2d": lambda n: (n.image, 2, 1, 1),
        "global_avg_pool": lambda n: (n.image,),
        "upsample_2x": lambda n: (n.flat, 2, 4, 5, 5),
        "concat": lambda n: (n.flat, n.flat, 2, 4, 4, 25),
        "split_a": lambda n: (n.flat, 2, 1, 3, 25),
        "split_b": lambda n: (n.flat, 2, 1, 3, 25),
        "set_outputs": lambda n: ([n.x],),
        "node": lambda n: (0,),
        "value": lambda n: (0,),
        "leaf": lambda n: ("x",),
        "parse": lambda n: (n.g.text(),),
    }


CALLS = _calls()
KEYWORDS = {
    "parameter": {"start": "zeros"},
    "conv2d": {"bias": None, "groups": 1, "dilation": 1},
    "rope": {"batch": 1},
    "causal_attention": {"batch": 1, "bias": None},
    "multi_head_attn": {"is_cross": False, "batch": 1, "bias": None},
    "cached_attention": {"batch": 1},
}
OF_PASSES = {
    *("nodes", "outputs", "updates", "gradients", "location", "toposort", "text"),
    *("emit", "append", "operand", "set_update", "set_gradient", "supersede", "located"),
    "copy_roots",
}
"""Methods that take nothing, or that passes call and users do not."""


def junk(n: Leaves) -> list:
    """What might be put in the place of an argument."""
    numbers = [-1, 0, 10**30, 1.5, float("nan"), float("inf"), 1j, True]
    arrays = [
        np.zeros((4, 6)),
        np.zeros(0),
        np.float32(2),
        np.int64(1),
        np.array(1),
        np.bool_(True),
    ]
    lists = [[], [None], ["a"], [1.5], [-1, -1], [10**30, 2], [n.x], (1, 2, 3), {}, {1: 2}, {3}]
    others = [None, "x", "", b"x", object(), Graph, n.x, n.tokens, n.alien, slice(1), ..., len]
    return [*numbers, *arrays, *lists, *others]


def test_every_method_has_a_right_call_here():
    public = {name for name in dir(Graph) if not name.startswith("_")}
    assert public - OF_PASSES == set(CALLS)
    for name, arguments in CALLS.items():
        leaves = Leaves()
        getattr(leaves.g, name)(*arguments(leaves), **KEYWORDS.get(name, {}))


def outcome(method, arguments: list, keywords: dict) -> str | None:
    """What is wrong with how a method takes its arguments; None if it takes them, or refuses
    them as it should."""
    try:
        method(*arguments, **keywords)
    except MeganeuraError as error:
        if isinstance(error, InternalError) or error.where is None or error.where.file != __file__:
            return f"{type(error).__name__} made at {error.where}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize("name", CALLS)
def test_no_argument_lets_an_error_of_python_or_numpy_out(name):
    leaves = Leaves()
    right = dict(enumerate(CALLS[name](leaves))) | KEYWORDS.get(name, {})
    problems = []
    for place, bad in product(right, junk(leaves)):
        given = {**right, place: bad}
        positional = [value for key, value in given.items() if isinstance(key, int)]
        keywords = {key: value for key, value in given.items() if isinstance(key, str)}
        problem = outcome(getattr(leaves.g, name), positional, keywords)
        if problem is not None:
            problems.append(f"argument {place} = {bad!r}: {problem}")
    assert not problems, "\n".join([f"{len(problems)} problems", *problems[:20]])


OPERATORS = {
    "+": (lambda a, b: a + b, lambda a, b: b + a),
    "-": (lambda a, b: a - b, lambda a, b: b - a),
    "*": (lambda a, b: a * b, lambda a, b: b * a),
    "/": (lambda a, b: a / b, lambda a, b: b / a),
    "**": (lambda a, b: a**b, lambda a, b: b**a),
    "@": (lambda a, b: a @ b, lambda a, b: b @ a),
}
OPERANDS = {
    **{repr(other): other for other in ("a", None, [1.0], {}, 1j, b"1")},
    **{f"array{list(shape)}": np.ones(shape) for shape in [(1,), (4, 6), (6, 4)]},
}


@pytest.mark.parametrize("other", OPERANDS.values(), ids=OPERANDS)
@pytest.mark.parametrize("symbol", OPERATORS)
def test_an_operator_refuses_what_is_neither_node_nor_number(symbol, other):
    for apply in OPERATORS[symbol]:
        with pytest.raises(GraphError) as caught:
            apply(Leaves().x, other)
        assert caught.value.where.file == __file__


@pytest.mark.parametrize("number", [2, 2.0, np.float32(2), np.float64(2), np.int64(2), np.uint8(2)])
@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "**"])
def test_an_operator_takes_numbers_on_both_sides(symbol, number):
    for apply in OPERATORS[symbol]:
        assert apply(Leaves().x, number).shape == (4, 6)


VALUE_FOR_NUMBER = {
    "rms_norm eps": lambda n: n.g.rms_norm(n.x, n.vector, n.y),
    "rope theta": lambda n: n.g.rope(n.x, n.y, 6),
    "rope_with_offset pos_offset": lambda n: n.g.rope_with_offset(n.x, 1e4, n.pos, 6),
    "scatter_add vocab_size": lambda n: n.g.scatter_add(n.tokens, n.x, n.pos),
    "one_hot depth": lambda n: n.g.one_hot(n.tokens, n.pos),
    "scalar": lambda n: n.g.scalar(n.y),
    "shape": lambda n: n.g.input("new", [n.y, 2]),
    "reshape": lambda n: n.g.reshape(n.x, [n.y, 24]),
    "broadcast_to": lambda n: n.g.broadcast_to(n.row, [n.pos, 6]),
    "sum axes": lambda n: n.g.sum(n.x, [n.y]),
    "slice": lambda n: n.g.slice(n.x, [0, 0], [n.y, 1]),
    "conv2d stride": lambda n: n.g.conv2d(n.image, n.kernel, stride=n.y),
    "max_pool_2d kernel": lambda n: n.g.max_pool_2d(n.image, (n.y, 1)),
    "cache_write batch": lambda n: n.g.cache_write(n.row, n.cache, n.pos, batch=n.y),
}


@pytest.mark.parametrize("build", VALUE_FOR_NUMBER.values(), ids=VALUE_FOR_NUMBER)
def test_a_node_is_not_taken_for_its_number(build):
    with pytest.raises(GraphError) as caught:
        build(Leaves())
    assert caught.value.where.file == __file__
