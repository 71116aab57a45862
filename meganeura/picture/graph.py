"""A graph as SVG: a box for each node, its parameters written into it, and edges downwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.pointwise import PointwiseOp
from ..ir.text import print_node
from ..ops.attention import Heads
from ..ops.conv import ConvOp
from ..ops.layout import LayoutOp
from ..ops.leaf import Full, IdentityOp, Input, LeafOp
from ..ops.matmul import Matmul
from ..ops.norm import NormOp
from ..ops.pool import PoolOp
from ..ops.reduce import ReduceOp
from ..ops.softmax import LossOp, RowOp
from .layers import Edge, far_edges, levels_of
from .layout import Layout, Wire, arranged
from .svg import colours, document, escape, legend, number, shortened, text, text_width, title

_MARGIN = 24.0
_HEAD = 66.0
"""Room for the title and the legend."""
_OP_SIZE, _NAME_SIZE = 13.0, 11.0
_LINE = 15.0
_LONGEST_NAME = 44
_LONGEST_TIP = 600
_LEAST_BENDS = 500
"""Bends that a picture can have; above that and the number of boxes, long edges hide more than they
show, and are written into the boxes at both ends."""

_NAMES = {
    "relu sigmoid tanh silu swiglu gelu gelu_erf": "activation",
    "cross_entropy_classes": "loss",
    "mean avg_pool_2d": "reduction",
    "moving_average moving_square adam_step": "update",
    "upsample_2x embedding one_hot scatter_add prefix cache_write": "layout",
}
_BY_NAME = {name: family for names, family in _NAMES.items() for name in names.split()}
_BY_CLASS: tuple[tuple[type[Op], str], ...] = (
    (LeafOp, "leaf"),
    (ConvOp, "product"),
    (Matmul, "product"),
    (Heads, "product"),
    (NormOp, "norm"),
    (RowOp, "norm"),
    (LossOp, "loss"),
    (ReduceOp, "reduction"),
    (PoolOp, "reduction"),
    (LayoutOp, "layout"),
    (IdentityOp, "layout"),
    (PointwiseOp, "pointwise"),
)
FAMILIES = {
    "leaf": "input",
    "product": "convolution, matmul",
    "norm": "norm, softmax",
    "activation": "activation",
    "pointwise": "pointwise",
    "reduction": "reduction",
    "layout": "layout",
    "loss": "loss",
    "update": "optimizer",
}
"""Families of ops, and what the legend calls them."""

_LIGHT = {
    "page": "#ffffff", "ink": "#1f2933", "quiet": "#5f6b7a", "wire": "#a3adba", "trunk": "#6c8ebf",
    "leaf": "#e9ecef", "leaf-edge": "#868e96", "product": "#d3e2fd", "product-edge": "#3b74d8",
    "norm": "#e6dcfa", "norm-edge": "#7d52c7", "activation": "#d5f2dc",
    "activation-edge": "#2f9e50", "pointwise": "#fdf0cd", "pointwise-edge": "#c78a14",
    "reduction": "#d0eff2", "reduction-edge": "#14899a", "layout": "#f6f7f9",
    "layout-edge": "#b8c0ca", "loss": "#fcdada", "loss-edge": "#d64545", "update": "#fbdcec",
    "update-edge": "#c43d83",
}  # fmt: skip
_DARK = {
    "page": "#1a1f25", "ink": "#e4e8ed", "quiet": "#97a3b1", "wire": "#5a6573", "trunk": "#5f86c0",
    "leaf": "#2c3138", "leaf-edge": "#868e96", "product": "#1d3358", "product-edge": "#5f93ee",
    "norm": "#33264f", "norm-edge": "#a283e0", "activation": "#17392a",
    "activation-edge": "#49b86d", "pointwise": "#3d3114", "pointwise-edge": "#d6a136",
    "reduction": "#123a40", "reduction-edge": "#35aebf", "layout": "#1d2228",
    "layout-edge": "#525c68", "loss": "#4a2020", "loss-edge": "#ea6a6a", "update": "#45203a",
    "update-edge": "#dd6ba8",
}  # fmt: skip


def draw_graph(graph: Graph) -> str:
    """A graph from top to bottom, as the content of an SVG file.

    Parameters, states and numbers stand by name in the boxes that read them. A box also says if it
    is an output, a gradient, or the next value of a leaf. Its line in the graph's text shows when
    the mouse rests on it."""
    drawn = _boxes(graph)
    if not drawn:
        return document(240, 80, _style(), [text(120, 45, "an empty graph", "quiet")], "a graph")
    at = {box.node.id: i for i, box in enumerate(drawn)}
    edges = [(at[i], at[box.node.id]) for box in drawn for i in box.node.inputs if i in at]
    levels = levels_of(len(drawn), edges, {at[i] for i in _forward(graph) if i in at})
    far = far_edges(levels, edges, max(_LEAST_BENDS, len(drawn)))
    drawn = _with_far(drawn, far)
    layout = arranged([box.size() for box in drawn], levels, [e for e in edges if e not in far])
    head, head_width = _head(graph, drawn)
    width = max(layout.width + 2 * _MARGIN, head_width)
    left = (width - layout.width) / 2
    body = [
        f"<defs>{_arrow('wire')}{_arrow('trunk')}</defs>",
        *head,
        f'<g transform="translate({number(left)} {number(_HEAD)})">',
        *(_wire(wire) for wire in sorted(layout.wires, key=lambda wire: wire.is_long)),
        *_drawn_boxes(drawn, layout),
        "</g>",
    ]
    label = f"a graph of {len(graph)} nodes"
    return document(width, layout.height + _HEAD + _MARGIN, _style(), body, label)


def family_of(op: Op) -> str:
    """Which of `FAMILIES` an op belongs to."""
    found = (family for kind, family in _BY_CLASS if isinstance(op, kind))
    return _BY_NAME.get(op.name) or next(found, "layout")


@dataclass(frozen=True)
class _Box:
    """A node that is drawn, with the lines of text in its box."""

    node: Node
    read: tuple[str, ...]
    """Leaves that it reads, by name."""
    roles: tuple[str, ...]
    """What the graph has it for."""
    far: tuple[Node, ...] = ()
    """Boxes far above that it reads."""
    is_far: bool = False
    """Whether a box far below reads it."""

    @property
    def family(self) -> str:
        return family_of(self.node.op)

    @property
    def head(self) -> str:
        """The op; for a leaf with a name, that."""
        return shortened(self.node.name or self.node.op.name, _LONGEST_NAME)

    @property
    def shape(self) -> str:
        ty = self.node.ty
        shape = "×".join(map(str, ty.shape)) or "scalar"
        return shape if str(ty).startswith("f32") else f"{ty.dtype} {shape}"

    def lines(self) -> list[tuple[str, str, int | None]]:
        """Small lines, each with its class and the node it leads to."""
        lines: list[tuple[str, str, int | None]] = []
        lines += [(shortened(name, _LONGEST_NAME), "name", None) for name in self.read]
        lines += [(f"↑ {shortened(_called(n), _LONGEST_NAME)}", "far", n.id) for n in self.far]
        lines += [(shortened(role, _LONGEST_NAME), "role", None) for role in self.roles]
        return [*lines, (f"%{self.node.id}, read below", "far", None)] if self.is_far else lines

    def size(self) -> tuple[float, float]:
        """Width and height."""
        first = 1.1 * text_width(self.head, _OP_SIZE) + text_width(self.shape, _NAME_SIZE) + 12
        rest = [text_width(line, _NAME_SIZE) for line, _, _ in self.lines()]
        return max(90.0, first + 20, *(width + 20 for width in rest)), 26 + _LINE * len(rest)


def _boxes(graph: Graph) -> list[_Box]:
    roles = _roles(graph)
    users = {i for node in graph.nodes() for i in node.inputs}
    folded = {
        node.id
        for node in graph.nodes()
        if _is_folded(node) and node.id in users and node.id not in roles
    }
    boxes = []
    for node in graph.nodes():
        if node.id not in folded:
            read = (graph.node(i) for i in dict.fromkeys(node.inputs) if i in folded)
            boxes.append(_Box(node, tuple(map(_leaf_name, read)), tuple(roles.get(node.id, ()))))
    return boxes


def _with_far(drawn: list[_Box], far: set[Edge]) -> list[_Box]:
    """Boxes that name those far away which they are joined to."""
    sources: dict[int, list[Node]] = {}
    for source, target in sorted(far):
        sources.setdefault(target, []).append(drawn[source].node)
    ends = {source for source, _ in far}
    return [
        replace(box, far=tuple(sources.get(i, ())), is_far=i in ends) for i, box in enumerate(drawn)
    ]


def _called(node: Node) -> str:
    return f"{node.name or node.op.name} %{node.id}"


def _is_folded(node: Node) -> bool:
    """Whether a leaf is written into its users: all but what the user feeds."""
    is_fed = isinstance(node.op, Input) and not str(node.name).startswith("@")
    return isinstance(node.op, LeafOp) and not is_fed


def _leaf_name(node: Node) -> str:
    if isinstance(node.op, Full):
        return f"{node.op.value:.6g}"
    return node.name or f"{node.op.name} {'×'.join(map(str, node.ty.shape))}"


def _forward(graph: Graph) -> set[int]:
    """The nodes from which the first output is computed: in a training graph, not the gradients."""
    needed = {value.id for value in graph.outputs()[:1]} or {node.id for node in graph.nodes()}
    for node in reversed(graph.nodes()):
        if node.id in needed:
            needed.update(node.inputs)
    return needed


def _roles(graph: Graph) -> dict[int, list[str]]:
    """For each root, what it is there for."""
    roles: dict[int, list[str]] = {}
    for output in dict.fromkeys(graph.outputs()):
        roles.setdefault(output.id, []).append("output")
    pairs: tuple[tuple[str, Mapping[int, int]], ...] = (
        ("gradient of", graph.gradients()),
        ("becomes", graph.updates()),
    )
    for word, pairing in pairs:
        for leaf, value in pairing.items():
            roles.setdefault(value, []).append(f"{word} {graph.node(leaf).name or f'%{leaf}'}")
    return roles


def _arrow(kind: str) -> str:
    return (
        f'<marker id="{kind}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        f'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path fill="var(--{kind})" d="M0.5 0.5L7.5 4L0.5 7.5z"/></marker>'
    )


def _style() -> str:
    boxes = "".join(f".{name}{{fill:var(--{name});stroke:var(--{name}-edge)}}" for name in FAMILIES)
    return (
        f"{colours(_LIGHT, _DARK)}.page{{fill:var(--page)}}"
        f"text{{fill:var(--ink)}}.op{{font-size:{_OP_SIZE}px;font-weight:600}}"
        f".shape,.name,.role,.far{{font-weight:400;font-size:{_NAME_SIZE}px;fill:var(--quiet)}}.role{{font-weight:600}}.far{{fill:var(--trunk)}}"
        ".quiet{font-size:12px;fill:var(--quiet)}.title{font-size:16px;font-weight:600}"
        ".wire,.trunk{fill:none;stroke:var(--wire);stroke-width:1.3}"
        ".trunk{stroke:var(--trunk);stroke-width:1.6}"
        "a:hover text{text-decoration:underline}"
        f"{boxes}g:hover>rect{{stroke-width:2.5}}"
    )


def _head(graph: Graph, drawn: list[_Box]) -> tuple[list[str], float]:
    """The title and the legend, and how wide they are."""
    present = {box.family for box in drawn}
    entries = [(name, word) for name, word in FAMILIES.items() if name in present]
    row, end = legend(entries, _MARGIN, 50)
    written = len(graph) - len(drawn)
    folded = f", {written} leaves written into the boxes that read them" if written else ""
    words = f"{len(graph)} nodes{folded}"
    end = max(end, 2 * _MARGIN + text_width(words, 16))
    return [text(_MARGIN, 28, words, "title", "start"), row], end


def _wire(wire: Wire) -> str:
    (x, top, bottom), *rest = wire.stations
    path = f"M{number(x)} {number(top)}V{number(bottom)}"
    for next_x, next_top, next_bottom in rest:
        if abs(next_x - x) < 0.5:
            path += f"V{number(next_bottom)}"
        else:
            middle = number((bottom + next_top) / 2)
            path += f"C{number(x)} {middle} {number(next_x)} {middle} {number(next_x)} "
            path += f"{number(next_top)}V{number(next_bottom)}"
        x, bottom = next_x, next_bottom
    kind = "trunk" if wire.is_long else "wire"
    arrow = "" if wire.target is None else f' marker-end="url(#{kind}-tip)"'
    return f'<path class="{kind}"{arrow} d="{path}"/>'


def _drawn_boxes(drawn: list[_Box], layout: Layout) -> list[str]:
    return [_drawn_box(box, x, y) for box, (x, y) in zip(drawn, layout.boxes, strict=True)]


def _drawn_box(box: _Box, x: float, y: float) -> str:
    width, height = box.size()
    place = f'x="{number(x - width / 2)}" y="{number(y)}"'
    size = f'width="{number(width)}" height="{number(height)}"'
    baseline = y + 17.5
    parts = [
        f'<rect class="{box.family}" {place} {size} rx="6"/>'
        f'<text class="op" text-anchor="middle" x="{number(x)}" y="{number(baseline)}">'
        f'{escape(box.head)} <tspan class="shape" dx="4">{escape(box.shape)}</tspan></text>'
    ]
    for line, kind, node in box.lines():
        baseline += _LINE
        row = text(x, baseline, line, kind)
        parts.append(row if node is None else f'<a href="#n{node}">{row}</a>')
    return f'<g id="n{box.node.id}">{title(_tip(box))}{"".join(parts)}</g>'


def _tip(box: _Box) -> str:
    """The node's line, what it reads, what it is for, and where it was made."""
    line = shortened(print_node(box.node), _LONGEST_TIP)
    read = f"\nreads {', '.join(box.read)}" if box.read else ""
    roles = "".join(f"\n{role}" for role in box.roles)
    where = f"\nmade at {box.node.where}" if box.node.where else ""
    return f"{line}{read}{roles}{where}"
