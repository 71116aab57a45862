"""One small kernel of each archetype, as loops, LLVM IR and WGSL, against golden files: what a
change of a schedule or of a renderer does is read in their diff. ``make golden`` records them
anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from meganeura import Graph, Value, differentiate
from meganeura.codegen.loops import Kernel
from meganeura.codegen.render.llvm import render_kernels
from meganeura.codegen.render.wgsl import render_module
from meganeura.compiler import compile_graph
from meganeura.kernel.archetype import Archetype, Pointwise, Reduction, Scatter, Stream
from meganeura.kernel.attention import Attention, AttentionGradient
from meganeura.kernel.conv import Convolution, Correlation
from meganeura.kernel.target import GPU, Target

GOLDEN = Path(__file__).parents[1] / "golden"
LANES = 8


def conv(g: Graph) -> Value:
    return g.conv2d(g.input("x", [2, 4, 6, 10]), g.parameter("w", [6, 4, 3, 3]), padding=1)


def attention(g: Graph) -> Value:
    q, k, v = (g.parameter(name, [16, 32]) for name in "qkv")
    return g.causal_attention(q, k, v, num_heads=2, num_kv_heads=2, head_dim=16)


KERNELS: dict[str, tuple[type[Archetype], Callable[[Graph], Value]]] = {
    "pointwise": (Pointwise, lambda g: g.transpose(g.input("x", [3, 20])) + g.input("y", [20, 1])),
    "stream": (Stream, lambda g: g.relu(g.input("x", [3, 20]))),
    "reduction_along": (Reduction, lambda g: g.sum(g.input("x", [3, 70]), 1)),
    "reduction_across": (Reduction, lambda g: g.sum(g.input("x", [3, 20]), 0)),
    "reduction_spread": (Reduction, lambda g: g.softmax(g.input("x", [3, 20]))),
    "scatter": (
        Scatter,
        lambda g: g.scatter_add(g.input_u32("rows", [5]), g.input("x", [5, 20]), 4),
    ),
    "attention": (Attention, attention),
    "attention_gradient": (AttentionGradient, lambda g: g.sum_all(attention(g))),
    "convolution": (Convolution, conv),
    "correlation": (Correlation, lambda g: g.sum_all(conv(g))),
}


def kernel(name: str, target: Target) -> tuple[Kernel, str]:
    """The first kernel of the archetype in the graph, or in that of its gradient; what it does."""
    archetype, build = KERNELS[name]
    graph = Graph()
    graph.set_outputs([build(graph)])
    if archetype in (Correlation, AttentionGradient):
        graph = differentiate(graph)
    compiled = compile_graph(graph, target)
    numbers = zip(compiled.lowered.computations, compiled.kernel_of, strict=True)
    number = next(k for computation, k in numbers if isinstance(computation.archetype, archetype))
    found = compiled.kernels[number]
    return replace(found, name=name), compiled.comments()[found.name]


@pytest.mark.parametrize("name", KERNELS)
def test_the_text_of_a_kernel_is_the_golden_one(name: str, request):
    found, _ = kernel(name, Target("cpu", LANES))
    on_gpu, comment = kernel(name, GPU)
    texts = {
        "loops": f"{found}\n",
        "ll": render_kernels([found]),
        "wgsl": render_module(on_gpu, GPU, comment),
    }
    for kind, text in texts.items():
        path = GOLDEN / f"{name}.{kind}"
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), (
            "if it is meant: make golden, read the diff"
        )


def test_every_golden_text_is_compared():
    recorded = {path.stem for kind in ("loops", "ll", "wgsl") for path in GOLDEN.glob(f"*.{kind}")}
    assert recorded == set(KERNELS)
