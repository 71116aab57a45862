"""Every WGSL module that is generated for what the tests run: the ops, the sizes, the models, the
rules of update. No GPU is needed to make them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import prod

from meganeura import Graph, Value, differentiate
from meganeura.cli.inspect import MODELS
from meganeura.codegen.render.wgsl import render_module
from meganeura.compiler import compile_graph
from meganeura.egraph.optimize import Options
from meganeura.kernel.target import GPU, Target, filled_up
from meganeura.update import Adam, AdamW, Momentum, Optimizer, Sgd, UpdateRule, append_update
from tests.device.test_sizes import CASES as SIZES
from tests.ops.cases import CASES
from tests.ops.test_devices import trial

ADAM = Adam(1e-3)
RULES: dict[str, Optimizer | UpdateRule] = {
    "SGD": Sgd(0.1),
    "momentum": Momentum(0.1),
    "Nesterov's momentum": Momentum(0.1, nesterov=True),
    "AdamW": AdamW(1e-3),
    "a clipped norm": UpdateRule(Sgd(0.1), clip_norm=1.0),
    "accumulation": UpdateRule(ADAM, {"fc1": 0.5}, clip_norm=1.0, accumulate=4),
}
"""How the digits' network is trained besides by Adam, by which all models are."""

Work = tuple[str, Graph, Target]


@dataclass(frozen=True)
class Module:
    """A kernel as text, and the first graph it was met in."""

    graph: str
    kernel: str
    text: str

    def __str__(self) -> str:
        return f"{self.kernel} of {self.graph}"

    def code(self) -> str:
        """All but the comment at its head, which names the kernel."""
        lines = self.text.splitlines()
        return "\n".join(line for line in lines if not line.startswith("//"))

    def declarations(self) -> str:
        """What limits are about: the buffers, the workgroup's memory and its size."""
        lines = [line.partition("//")[0].rstrip() for line in self.text.splitlines()]
        return "\n".join(line for line in lines if line.startswith(("@", "var<")))


def collect() -> list[Module]:
    """All modules, each text once."""
    found: dict[str, Module] = {}
    for name, graph, target in work():
        for module in modules_of(name, graph, target):
            found.setdefault(module.code(), module)
    return list(found.values())


def modules_of(name: str, graph: Graph, target: Target) -> Iterator[Module]:
    """A graph's kernels, optimized and not, printed as the device prints them."""
    for options in (Options(), None):
        compiled = compile_graph(graph, target, options)
        comments = compiled.comments()
        for kernel in compiled.kernels:
            text = render_module(kernel, target, comments[kernel.name])
            yield Module(name if options else f"{name}, unoptimized", kernel.name, text)


def one_of_each(modules: list[Module]) -> set[int]:
    """The numbers of modules that together have all declarations there are."""
    first: dict[str, int] = {}
    for number, module in enumerate(modules):
        first.setdefault(module.declarations(), number)
    return set(first.values())


def work() -> Iterator[Work]:
    """All graphs, with what each is compiled for."""
    yield from ops()
    yield from sizes()
    yield from parts()
    yield from models()


def ops() -> Iterator[Work]:
    """Every case of the table, forward and gradient."""
    for case in CASES:
        graph = trial(case).graph
        yield str(case), differentiate(graph) if case.trains else graph, GPU


def sizes() -> Iterator[Work]:
    """Every size at which kernels take another way, forward and gradient."""
    for name in SIZES:
        graph, out = forward(name)
        graph.set_outputs([graph.sum_all(out * graph.input("weights", out.shape)), out])
        yield name, differentiate(graph), GPU


def parts() -> Iterator[Work]:
    """The same sizes where a binding holds but half of the largest value, which is thus bound in
    two parts. Of no more than three operands, so that the parts are at most eight."""
    for name in SIZES:
        graph, out = forward(name)
        graph.set_outputs([out])
        largest = max(4 * prod(node.ty.shape) for node in graph.nodes())
        half = filled_up(largest // 2, GPU.alignment_bytes)
        yield f"{name}, in parts", graph, replace(GPU, most_operands=3, binding_bytes=half)


def forward(name: str) -> tuple[Graph, Value]:
    """A size's value of parameters."""
    build, shapes = SIZES[name]
    graph = Graph()
    return graph, build(graph, *(graph.parameter(f"p{i}", s) for i, s in enumerate(shapes)))


def models() -> Iterator[Work]:
    """The networks, trained by Adam; that for digits by every other rule too."""
    for name, model in MODELS.items():
        yield name, trained(model, ADAM), GPU
    for rule_name, rule in RULES.items():
        yield f"mnist by {rule_name}", trained(MODELS["mnist"], rule), GPU


def trained(model: Callable[[Graph], Value], rule: Optimizer | UpdateRule) -> Graph:
    """A model's graph with its gradients and updates."""
    graph = Graph()
    graph.set_outputs([model(graph)])
    return append_update(differentiate(graph), rule)
