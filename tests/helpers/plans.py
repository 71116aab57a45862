"""All that compiling gives, as text: run in a process of its own, to be compared with another."""

from __future__ import annotations

from meganeura import Adam, Graph, append_update, differentiate
from meganeura.compiler import compile_graph
from meganeura.kernel.target import Target
from tests.helpers.chains import chain, slices, tangle
from tests.helpers.unet import CONFIGS, training_graph


def graphs() -> dict[str, Graph]:
    """The U-Net as it is trained; some at random; two at which limits are met."""
    found = {"unet": append_update(differentiate(training_graph(CONFIGS["tiny"])), Adam(1e-3))}
    found |= {f"tangle {seed}": tangle(60, seed) for seed in range(3)}
    return found | {"shifts": chain("shifts", 150), "slices": slices(150)}


def told(graph: Graph) -> str:
    """The optimized graph, the kernels and the plan."""
    compiled = compile_graph(graph, Target("cpu", 8))
    facts = compiled.optimized.facts
    words = [f"complete: {facts.is_complete}, gap: {facts.gap}, cost: {facts.cost_ns}"]
    words += [compiled.optimized.graph.text(), *map(str, compiled.kernels)]
    return "\n".join([*words, str(compiled.plan), compiled.plan.to_json().decode()])


if __name__ == "__main__":
    for name, graph in graphs().items():
        print(f"=== {name}\n{told(graph)}")
