"""Reverse-mode differentiation, from graph to graph.

In:  a graph whose first output is a loss of one element.
Out: the same graph with the gradient of that loss by every parameter as further outputs.

Method: walk the nodes backwards from the loss; each op says what its operands' gradients are,
given that of its result (`Op.vjp`); gradients of a value with several users are added in the
order of the walk. A composite op without a rule of its own is differentiated through its
definition, written on one alias for each operand, so that ``f(x, x)`` gets both contributions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import TypeVar

from .arguments import checked
from .errors import GraphError, InternalError
from .ir import walk
from .ir.composite import CompositeOp, definition
from .ir.graph import Graph, Node, Value
from .ir.text import print_graph
from .ir.verify import verify
from .ops.leaf import Alias, Parameter

G = TypeVar("G", bound=Graph)


@checked
def differentiate(graph: G) -> G:
    """``graph`` with the gradient of its first output by each parameter appended to its outputs.

    Parameters that the loss does not reach have a gradient of zeros. `Graph.gradients` tells
    which output belongs to which parameter. No named leaf is dropped."""
    result = walk.copy(graph, keep_leaves=True)
    outputs = result.outputs()
    if not outputs:
        raise GraphError("the graph has no outputs", hint="call g.set_outputs([loss]) first")
    leaves = [result.value(node.id) for node in parameters(result)]
    gradients = gradient(outputs[0], leaves)
    result.set_outputs([*outputs, *gradients])
    for leaf, value in zip(leaves, gradients, strict=True):
        result.set_gradient(leaf, value)
    without_aliases = walk.copy(result, True, forward=lambda node: isinstance(node.op, Alias))
    return verify(walk.merge_equal(without_aliases), "differentiate")


def parameters(graph: Graph) -> list[Node]:
    """The parameters of a graph, in the order they were made."""
    return [node for node in graph.nodes() if isinstance(node.op, Parameter)]


def gradient(loss: Value, wrt: Sequence[Value]) -> list[Value]:
    """Append the gradient of ``loss`` by each of ``wrt`` to their graph.

    The results are values like any other: a gradient may be differentiated again."""
    graph = loss.graph
    if loss.ty.num_elements() != 1:
        raise GraphError(
            f"a loss must have one element, {loss.node} is {loss.ty}",
            hint="reduce it with g.mean_all or g.sum_all; it is the first of set_outputs",
        )
    sources = [graph.value(x).id for x in wrt]
    with graph.located(loss.node.where):
        seed = graph.full(1.0, loss.shape)
        found = pull_back(graph, {loss.id: seed}, sources)
        return [
            found[i] if i in found else graph.full(0.0, graph.node(i).ty.shape) for i in sources
        ]


def pull_back(graph: Graph, seeds: Mapping[int, Value], sources: Iterable[int]) -> dict[int, Value]:
    """The gradients of those ``sources`` that values with known gradients (``seeds``) reach."""
    wanted = set(sources)
    nodes = graph.nodes()[min(wanted, default=0) : max(seeds) + 1]
    reached = walk.dependents(nodes, wanted)
    pending: dict[int, list[Value]] = {i: [grad] for i, grad in seeds.items() if i in reached}
    found: dict[int, Value] = {}
    for node in reversed(nodes):
        if node.id not in pending:
            continue
        with graph.located(node.where):
            grad = reduce(add, pending.pop(node.id))
            if node.id in wanted:
                found[node.id] = grad
            if not any(i in reached for i in node.inputs):
                continue
            for i, part in zip(node.inputs, _through(graph, node, grad), strict=True):
                if part is not None and i in reached:
                    pending.setdefault(i, []).append(part)
    return found


def _through(graph: Graph, node: Node, grad: Value) -> Sequence[Value | None]:
    """The gradients of a node's operands, given that of its result."""
    inputs = [graph.value(i) for i in node.inputs]
    parts: Sequence[Value | None] | None = node.op.vjp(grad, graph.value(node.id), *inputs)
    if parts is None:
        if not isinstance(node.op, CompositeOp):
            raise GraphError(
                f"{node} has no gradient, and a parameter's gradient needs one through it",
                hint="cut the path with g.stop_gradient",
            )
        parts = _through_definition(node.op, inputs, grad)
    for x, part in zip(inputs, parts, strict=True):
        if part is not None and part.ty != x.ty:
            raise InternalError(
                f"the gradient of {node} for an operand of type {x.ty} is {part.ty}",
                text=print_graph(graph),
            )
    return parts


def _through_definition(op: CompositeOp, inputs: list[Value], grad: Value) -> list[Value | None]:
    graph = grad.graph
    aliases = [Alias()(x) for x in inputs]
    result = walk.inline(definition(op, tuple(x.ty for x in inputs)), graph, aliases)
    found = pull_back(graph, {result.id: grad}, [a.id for a in aliases])
    return [found.get(a.id) for a in aliases]
