"""A two-layer network through every stage of the compiler, each printed.

    python docs/walkthrough.py

What is printed between the stages tells what you see. All functions are those that a session calls.
"""

from __future__ import annotations

from itertools import count, islice
from textwrap import dedent, fill

import numpy as np

import meganeura as mg
from meganeura.codegen.render.llvm import render_kernels
from meganeura.codegen.render.wgsl import render_module
from meganeura.compiler import compile_graph
from meganeura.egraph.optimize import Options
from meganeura.egraph.saturate import saturate
from meganeura.ir.expand import expand
from meganeura.ir.graph import Node
from meganeura.ir.text import print_node
from meganeura.kernel.target import GPU
from meganeura.report import CPU, report

numbers = count(1)


def stage(title: str, words: str) -> None:
    """Begin a stage: its heading, and what will be seen."""
    print(f"\n## {next(numbers)}. {title}\n\n{dedent(words).strip()}\n")


def head(text: str, lines: int) -> str:
    """The first lines of a text."""
    return "\n".join([*islice(text.splitlines(), lines), "…"])


def new(after: mg.Graph, before: mg.Graph) -> str:
    """The lines of a graph's text that it has beyond another's."""
    known = before.text().splitlines()
    return "\n".join(line for line in after.text().splitlines() if line not in known)


stage(
    "The graph",
    """
    Methods of a graph append nodes and return handles to them; nothing is computed. Each line is a
    node: its number, its op, the nodes it reads, and the type of its value. Behind the `#` stands
    the line of code that made it, which is what errors name.

    The network is two linear layers with a tanh between them, and a mean squared error.
    """,
)
g = mg.Graph()
x = g.input("x", [32, 8])
hidden = g.tanh(mg.nn.Linear(g, "fc1", 8, 16)(x))
y = mg.nn.Linear(g, "fc2", 16, 8)(hidden)
g.set_outputs([g.mse_loss(y, g.input("target", y.shape))])
print(g.text(locations=True))

stage(
    "The gradient",
    """
    `differentiate` appends the gradient of the loss by every parameter, as nodes like any others:
    the backward pass is part of the same graph. These are the lines that it adds.

    Where does `1 − hidden·hidden` come from? Tanh is declared by a formula, and its derivative is
    computed from that. `mse_loss` is declared by a definition in simpler ops, and is differentiated
    through it.
    """,
)
gradient = mg.differentiate(g)
print(new(gradient, g))

stage(
    "The update",
    """
    `append_update` pairs each parameter with the value that replaces it after a step. Here it is
    plain gradient descent. The learning rate is an input that the session feeds, so that another
    rate needs no other program.

    Forward, backward and update are one graph now, and stay one.
    """,
)
training = mg.append_update(gradient, mg.Sgd(0.1))
print(new(training, gradient))

stage(
    "Expanded",
    """
    Composite ops for which there is no kernel become their definitions. In this graph that is the
    loss: a difference, a square, a sum, and a factor of 1/256.
    """,
)
expanded = expand(training)
print("\n".join(expanded.text().splitlines()[11:17]))

stage(
    "The e-graph",
    """
    Saturation applies all rules until nothing is new. A rule replaces nothing: it adds one more way
    to compute a value, an e-node, to the class of that value. Below are the classes that have more
    than one e-node; a class has the number of a node that is in it. That 1 · 1/256 is a number, and
    that a repeated number is a number, is known now; so is that a small matrix product may be
    formed by plain sums.
    """,
)
found = saturate(expanded, Options().rules(CPU))
for value, e_nodes in found.whole.nodes.items():
    if len(e_nodes) > 1:
        for node in e_nodes:
            print(print_node(Node(value, node.op, node.inputs, found.whole.types[value])))
print("\nrules that fired:", ", ".join(sorted(found.fired)))

stage(
    "The report",
    """
    From the classes come candidates: kernels that could compute some of them, each with its cost.
    An integer program takes those that compute everything at the least cost. The report compares
    the plan with that of the graph as it is, where each node that is no view is a kernel.
    """,
)
compiled, facts = report(training, CPU, Options())
print(facts)

stage(
    "Optimized",
    """
    The graph that was extracted. Only the values of marked nodes are written to memory; the others
    are computed inside the kernel that reads them. Some nodes are there twice: to compute
    `2 · (y − target)/256` again is cheaper than to store it.
    """,
)
optimized = compiled.optimized
written = {value for kernel in (optimized.stored or {}).values() for value in kernel}
for node in optimized.graph.nodes():
    if node.name is None:
        print(f"{'stored' if node.id in written else '':<8}{print_node(node)}")

stage(
    "Kernels",
    """
    Each computation is an archetype: what is computed, as data, not yet how. `b0`, `b1`, … are what
    it reads. A matrix product is a convolution with a window of one place; behind the semicolon is
    what is done with each sum before it is written. `pack` copies an operand so that what is used
    together lies together. `update` copies a new parameter over the old one, where the kernel that
    computes it reads the old one too, and so cannot write there.
    """,
)
for computation in compiled.lowered.computations:
    names = ", ".join(f"v{value}" for value in computation.writes)
    print(f"{names} = {computation.label}")
    print(fill(str(computation.archetype), 96, initial_indent="    ", subsequent_indent="    "))

stage(
    "Loops",
    """
    A schedule makes loops of an archetype. This is the first kernel, matrix product, bias and tanh,
    for a processor with vectors of eight floats: `lanes` is one vector, a `task` of the `grid` is
    what a thread takes. The line with `taps` is a contraction: sums of products in a block of
    registers.
    """,
)
kernel = compiled.kernels[0]
print(kernel)

stage(
    "The plan",
    """
    All that a step does: dispatches in order, and for every value its offset and size in one block
    of memory, the arena. At a barrier all threads wait for each other, where a dispatch needs what
    another has written. Values that are not needed at the same time share memory.
    """,
)
print(compiled.plan)

stage(
    "LLVM IR",
    """
    The same kernel as the processor's compiler gets it. Each value stands as far out of the loops
    as it can; LLVM makes registers and machine code of it, in another process.
    """,
)
source = render_kernels([kernel])
print(head(source[source.index("define") :], 40))

stage(
    "WGSL",
    """
    And for a GPU: the same graph, compiled for another target. Here lanes are the invocations of a
    workgroup, and a task is a workgroup.
    """,
)
for_gpu = compile_graph(training, GPU)
shader = for_gpu.kernels[0]
print(head(render_module(shader, GPU, for_gpu.comments()[shader.name]), 48))

stage(
    "Dispatch times",
    """
    A session does all of this when it first needs a program, and keeps the result on disk. It can
    time each dispatch of its plan; the shortest of ten times is shown. The kernels of this network
    are so small that most of this is what it takes to begin one.
    """,
)
session = mg.build_session(g, "cpu")
session.set_learning_rate(0.1)
rng = np.random.default_rng(0)
inputs = rng.standard_normal((32, 8))
session.set_input("x", inputs)
session.set_input("target", np.sin(inputs))
print(session.device_information())
times = np.min([session.time_dispatches() for _ in range(10)], axis=0)
for dispatch, ns in zip(session.plan().dispatches, times, strict=True):
    print(f"{ns / 1e3:8.2f} µs  {dispatch.label}")

stage(
    "Steps",
    """
    From now on a step is one native call that walks the plan. It computes the loss and the
    gradients, and replaces the parameters.
    """,
)
for step in range(1001):
    session.step()
    if step % 200 == 0:
        print(f"step {step:>4}: loss {session.read_loss():.4f}")
session.close()
