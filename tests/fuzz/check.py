"""A random graph on a device, beside the bounds of the reference; and what is wrong, made small.

A failing graph of many is first told apart by seed, then cut: gradients become plain outputs, one
of which is kept, and values it is computed from become inputs with the numbers they had, as long
as it still fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from meganeura import Graph, Node, Session, SessionConfig, build, differentiate
from meganeura.dtypes import DType
from meganeura.ir import walk
from meganeura.ir.interpret import check_feeds
from meganeura.ir.interpret import evaluate as interpret_all
from meganeura.ops.leaf import Input, LeafOp, Parameter, State
from tests.fuzz.bounds import Bounded, evaluate
from tests.fuzz.generate import Made
from tests.fuzz.templates import make
from tests.helpers.tolerance import EPSILON

VARIANTS: dict[str, SessionConfig] = {
    "cpu": SessionConfig("cpu"),
    "cpu:8": SessionConfig("cpu:8"),
    "cpu:16": SessionConfig("cpu:16"),
    "cpu:baseline": SessionConfig("cpu:baseline"),
    "cpu unoptimized": SessionConfig("cpu", optimize=False),
    "cpu exact": SessionConfig("cpu", exact=True),
    "gpu": SessionConfig("gpu"),
    "gpu unoptimized": SessionConfig("gpu", optimize=False),
}
"""The ways to run a graph that tests know."""


@dataclass(frozen=True)
class Wrong:
    """A result that is not within its bounds."""

    what: str
    count: int
    place: tuple[int, ...] = ()
    found: float = 0.0
    expected: float = 0.0
    allowed: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.what}: {self.count} wrong, first at {list(self.place)}: found {self.found!r}, "
            f"expected {self.expected!r} ± {self.allowed:.3g}"
        )


@dataclass
class Outcome:
    """What a run of a graph gave."""

    wrong: list[Wrong]
    compared: int = 0
    unknown: int = 0
    ops: Counter[str] | None = None


def compare(what: str, found: np.ndarray, bound: Bounded) -> tuple[Wrong | None, int, int]:
    """What is wrong, how many elements were compared, and of how many nothing is known."""
    unknown = int(np.isinf(bound.error).sum())
    with np.errstate(all="ignore"):
        x = found.astype(np.float64)
        fine = np.isinf(bound.error) | (np.isnan(x) & np.isnan(bound.value)) | (x == bound.value)
        fine |= abs(x - bound.value) <= bound.error + EPSILON * abs(bound.value)
    if found.shape != bound.value.shape:
        return Wrong(f"{what} of shape {found.shape}, not {bound.value.shape}", 1), 0, 0
    if fine.all():
        return None, found.size - unknown, unknown
    place = tuple(int(i) for i in np.argwhere(~fine)[0])
    numbers = (float(a[place]) for a in (x, bound.value, bound.error))
    return Wrong(what, int((~fine).sum()), place, *numbers), found.size - unknown, unknown


def feed(session: Session, graph: Graph, arrays: Mapping[str, np.ndarray]) -> None:
    """Every leaf that has data."""
    setters = {Input: session.set_input, Parameter: session.set_parameter, State: session.set_state}
    for node in graph.nodes():
        if node.name in arrays and type(node.op) in setters:
            setters[type(node.op)](node.name, arrays[node.name])


def check(made: Made, config: SessionConfig) -> Outcome:
    """Two steps where there are states, else one: outputs, gradients, and new states."""
    outcome = Outcome([])
    config = replace(config, training=made.training)
    with build(made.graph, config) as session:
        feed(session, made.graph, made.feeds)
        graph = session.graph()
        outcome.ops = Counter(node.op.name for node in graph.nodes())
        feeds = dict(made.feeds)
        states = {i: graph.node(i).name for i in graph.updates()}
        for _ in range(2 if states else 1):
            session.step()
            bounds = evaluate(graph, _needed(graph, feeds))
            names = session.param_names() if made.training else []
            results = [*session.read_outputs(), *map(session.read_param_grad, names)]
            pairs = [
                (f"output {i} ({value.node.op.name})", found, bounds[value.id])
                for i, (value, found) in enumerate(zip(graph.outputs(), results, strict=True))
            ]
            for i, name in states.items():
                feeds[name] = session.get_state(name)
                pairs.append((f"state {name}", feeds[name], bounds[graph.updates()[i]]))
            for pair in pairs:
                wrong, compared, unknown = compare(*pair)
                outcome.compared += compared
                outcome.unknown += unknown
                if wrong is not None:
                    outcome.wrong.append(wrong)
    return outcome


def _needed(graph: Graph, feeds: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return check_feeds(
        graph, {k: v for k, v in feeds.items() if graph.leaf(k) is not None}, np.float32
    )


def checked(made: Made, config: SessionConfig) -> Outcome:
    """`check`, where an error is a wrong result."""
    try:
        return check(made, config)
    except Exception as error:  # whatever a compiler raises for a graph that is right
        first = (str(error) or "").splitlines()[:1]
        return Outcome([Wrong(f"{type(error).__name__}: {' '.join(first)}", 1)])


# Smaller


def alone(made: Made, config: SessionConfig) -> list[Made]:
    """Those of the graphs that fail by themselves."""
    each = [make((seed,), made.training, made.finite) for seed in made.seeds]
    return [one for one in each if checked(one, config).wrong]


def reduced(made: Made, config: SessionConfig, most: int = 60) -> Made:
    """A smaller graph that fails on the device as well; ``made`` if there is none."""
    graph = differentiate(made.graph) if made.training else made.graph
    plain = replace(made, graph=graph, training=False)
    if made.training and not checked(plain, config).wrong:
        return made
    shrinker = Shrinker(plain, config, most)
    return shrinker.result()


class Shrinker:
    """Cuts a failing graph down, by trials."""

    def __init__(self, made: Made, config: SessionConfig, most: int) -> None:
        self.made, self.config, self.left, self.cuts = made, config, most, 0
        self.kind = kind_of(checked(made, config).wrong)

    def result(self) -> Made:
        self.one_output()
        self.near_the_output()
        self.one_by_one()
        self.earlier()
        return self.made

    def fails(self, made: Made) -> bool:
        if self.left <= 0:
            return False
        self.left -= 1
        wrong = checked(made, self.config).wrong
        if wrong and kind_of(wrong) == self.kind:
            self.made = made
            return True
        return False

    def one_output(self) -> None:
        roots = [v.id for v in self.made.graph.outputs()]
        for root in dict.fromkeys(roots):
            if len(roots) > 1 and self.fails(self.cut(set(), root)):
                return

    def near_the_output(self) -> None:
        """The least depth around the outputs that fails by itself."""
        graph = self.made.graph
        depth = self.depths(graph)
        for level in range(1, max(depth.values(), default=0)):
            cut = {i for i, d in depth.items() if d >= level}
            if self.fails(self.cut(cut)):
                return

    def one_by_one(self) -> None:
        """Each value that could be an input, the last ones first."""
        tried = 0
        while tried < len(inner := self.inner()):
            if not self.fails(self.cut({inner[-1 - tried].id})):
                tried += 1

    def earlier(self) -> None:
        """The first value that is wrong by itself."""
        for node in self.inner():
            if node.ty.dtype is DType.F32 and self.fails(self.cut(set(), node.id)):
                return

    def inner(self) -> list[Node]:
        """What is neither a leaf nor an output."""
        outputs = {v.id for v in self.made.graph.outputs()}
        nodes = walk.live(self.made.graph)
        return [n for n in nodes if not isinstance(n.op, LeafOp) and n.id not in outputs]

    @staticmethod
    def depths(graph: Graph) -> dict[int, int]:
        """How far each node is from an output."""
        depth = {v.id: 0 for v in graph.outputs()}
        for node in reversed(walk.live(graph)):
            for i in node.inputs:
                depth[i] = min(depth.get(i, 10**9), depth.get(node.id, 0) + 1)
        return depth

    def cut(self, ids: set[int], root: int | None = None) -> Made:
        """The graph with inputs in place of some values."""
        old = self.made.graph
        leaves = _needed(old, self.made.feeds)
        values: dict[int, np.ndarray] = {}
        interpret_all(old, leaves, np.float32, lambda n, a: values.__setitem__(n.id, a))
        new, feeds, to = Graph(), {}, {}
        self.cuts += 1
        roots = [root] if root is not None else [v.id for v in old.outputs()]
        for node in _reaching(old, roots, ids):
            if node.id in ids and node.ty.dtype is DType.F32 and not isinstance(node.op, LeafOp):
                name = f"cut{self.cuts}_{node.id}"
                feeds[name] = np.array(values[node.id], np.float32)
                to[node.id] = new.input(name, node.ty.shape).id
                continue
            to[node.id] = new.append(node.op, [to[i] for i in node.inputs], node.ty, None).id
            if node.name in self.made.feeds:
                feeds[node.name] = self.made.feeds[node.name]
        new.set_outputs([new.value(to[i]) for i in roots])
        return replace(self.made, graph=new, feeds=feeds)


def _reaching(graph: Graph, roots: list[int], cut: set[int]) -> list[Node]:
    needed = set(roots)
    for node in reversed(graph.nodes()):
        if node.id in needed and node.id not in cut:
            needed.update(node.inputs)
    return [node for node in graph.nodes() if node.id in needed]


def kind_of(wrong: list[Wrong]) -> str:
    """What sort of failure: numbers, or an error by name."""
    return wrong[0].what.partition(":")[0] if wrong and ":" in wrong[0].what else "numbers"


def described(made: Made, config: SessionConfig) -> str:
    """A reproducer: seeds, what is wrong, the graph, and its data."""
    lines = [f"make({made.seeds}, training={made.training}, finite={made.finite}) on {config}"]
    lines += [str(wrong) for wrong in checked(made, config).wrong]
    lines.append(made.graph.text())
    with np.printoptions(threshold=200, precision=9, linewidth=100):
        for name, array in made.feeds.items():
            if made.graph.leaf(name) is not None:
                lines.append(f"{name} {array.dtype}{list(array.shape)} =\n{array}")
    return "\n".join(lines)
