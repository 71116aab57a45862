"""A plan's memory over time as SVG: across, the dispatches; upwards, the bytes of the arena."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..plan.plan import Plan, Slot
from .svg import colours, document, legend, number, shortened, text, title
from .ticks import bytes_label, linear_axis

_WIDTH, _HEIGHT = 1200.0, 640.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 76.0, 84.0, 24.0, 56.0
_LONGEST_LABEL = 200

KINDS = {
    "parameter": "parameters",
    "state": "optimizer state",
    "input": "inputs",
    "leaf": "parameters and inputs",
    "constant": "constants",
    "intermediate": "intermediate values",
    "result": "results",
}
"""Kinds of values, and what the legend calls them."""

_LIGHT = {
    "page": "#ffffff", "ink": "#1f2933", "quiet": "#5f6b7a", "grid": "#e6eaf0", "seam": "#ffffff",
    "live": "#c92a2a", "parameter": "#6b9bf0", "state": "#b197ec", "input": "#79c98d",
    "leaf": "#6b9bf0", "constant": "#adb5bd", "intermediate": "#f5cf7e", "result": "#f2a16b",
}  # fmt: skip
_DARK = {
    "page": "#1a1f25", "ink": "#e4e8ed", "quiet": "#97a3b1", "grid": "#262c34", "seam": "#1a1f25",
    "live": "#ff8787", "parameter": "#3f6fc4", "state": "#7a5dba", "input": "#3d8a52",
    "leaf": "#3f6fc4", "constant": "#5c6670", "intermediate": "#a57f2c", "result": "#b5682f",
}  # fmt: skip


@dataclass(frozen=True)
class Block:
    """A value in the arena: where, and from which dispatch to which, both included."""

    value: int
    kind: str
    label: str
    slot: Slot
    first: int
    last: int
    written: int | None = None
    """The dispatch that writes a leaf anew."""
    writer: str = ""
    """Its label."""


def draw_memory(plan: Plan, inputs: Collection[str] | None = None) -> str:
    """A plan's arena over time, as the content of an SVG file: a rectangle for each value, from the
    dispatch that writes it to the last that reads it, and a line for the bytes alive.

    A plan does not say which leaves are ``inputs``; if they are not given, those count as inputs
    that no dispatch writes anew, in a plan that does so with others."""
    blocks = memory_blocks(plan, inputs)
    count = max(1, len(plan.dispatches))
    alive = alive_bytes(blocks, count)
    frame = _Frame(count, max(1, plan.arena_bytes))
    present = {block.kind for block in blocks}
    entries = [(kind, word) for kind, word in KINDS.items() if kind in present]
    words, _ = legend([*entries, ("live-swatch", "bytes alive")], _LEFT, 58)
    peak = max(alive)
    heading = (
        f"{bytes_label(plan.arena_bytes)} for {len(plan.dispatches):,} dispatches, "
        f"at most {bytes_label(peak)} alive at once"
    )
    parts = [
        text(_LEFT, 30, heading, "title", "start"),
        words,
        *frame.grid(),
        *(frame.rectangle(block) for block in _by_size(blocks)),
        frame.line(alive),
        frame.mark(alive.index(peak), peak),
    ]
    return document(_WIDTH, _HEIGHT, _style(), parts, f"memory over time: {heading}")


def memory_blocks(plan: Plan, inputs: Collection[str] | None = None) -> list[Block]:
    """What lies in the arena, and when. A value that is written over a leaf is the leaf."""
    end = max(1, len(plan.dispatches)) - 1
    leaves = {value: name for name, value in plan.leaves.items()}
    kept = {plan.slots[v]: v for v in (*leaves, *plan.constants)}
    first, last, makers = _lifetimes(plan)
    written = {kept[plan.slots[v]]: i for v, i in first.items() if plan.slots[v] in kept}
    changed = {leaves[v] for v in written if v in leaves}
    blocks = []
    for value, slot in plan.slots.items():
        if value in leaves:
            kind = _leaf_kind(leaves[value], changed, inputs)
            anew = written.get(value)
            writer = "" if anew is None else plan.dispatches[anew].label
            found = Block(value, kind, leaves[value], slot, 0, end, anew, writer)
        elif value in plan.constants:
            found = Block(value, "constant", "a constant", slot, 0, end)
        elif value not in first or slot in kept:
            continue
        elif value in plan.results.values():
            found = Block(value, "result", makers[value], slot, first[value], end)
        else:
            found = Block(value, "intermediate", makers[value], slot, first[value], last[value])
        blocks.append(found)
    return blocks


def _lifetimes(plan: Plan) -> tuple[dict[int, int], dict[int, int], dict[int, str]]:
    """For each value the dispatch that first writes it, the last that uses it, and its label."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    makers: dict[int, str] = {}
    for i, dispatch in enumerate(plan.dispatches):
        for value in dispatch.writes:
            first.setdefault(value, i)
            makers.setdefault(value, dispatch.label)
        for value in (*dispatch.writes, *dispatch.reads):
            last[value] = i
    return first, last, makers


def _leaf_kind(name: str, changed: Collection[str], inputs: Collection[str] | None) -> str:
    if name.startswith("@"):
        return "state"
    if inputs is not None:
        return "input" if name in inputs else "parameter"
    if not changed:  # nothing is trained: a parameter looks like an input
        return "leaf"
    return "parameter" if name in changed else "input"


def alive_bytes(blocks: Collection[Block], count: int) -> list[int]:
    """The bytes of all values that are there, dispatch by dispatch."""
    change = [0] * (count + 1)
    for block in blocks:
        change[block.first] += block.slot.size_bytes
        change[block.last + 1] -= block.slot.size_bytes
    alive, total = [], 0
    for step in change[:count]:
        total += step
        alive.append(total)
    return alive


def _by_size(blocks: list[Block]) -> list[Block]:
    """Large ones first: the edge of a small one stays visible."""
    return sorted(blocks, key=lambda block: -block.slot.size_bytes * (block.last - block.first + 1))


@dataclass(frozen=True)
class _Frame:
    """The part of the picture in which the arena is drawn."""

    count: int
    arena_bytes: int

    def x(self, dispatch: float) -> float:
        """Where a dispatch begins."""
        return _LEFT + dispatch / self.count * (_WIDTH - _LEFT - _RIGHT)

    def y(self, offset_bytes: float) -> float:
        """Where a byte of the arena lies."""
        return _HEIGHT - _BOTTOM - offset_bytes / self.arena_bytes * (_HEIGHT - _TOP - _BOTTOM)

    def grid(self) -> list[str]:
        """Lines, numbers and names of both axes."""
        parts = []
        size, unit = next((s, u) for s, u in _UNITS if self.arena_bytes >= s or s == 1)
        vertical = linear_axis(0, self.arena_bytes / size, 6)
        for tick, label in zip(vertical.ticks, vertical.labels, strict=True):
            y = self.y(tick * size)
            parts.append(f'<path class="grid" d="M{_LEFT} {number(y)}H{_WIDTH - _RIGHT}"/>')
            parts.append(text(_LEFT - 8, y + 4, label, "quiet", "end"))
        parts.append(text(_LEFT - 8, _TOP - 12, unit, "quiet", "end"))
        across = linear_axis(0, self.count, 10, whole=True)
        for tick, label in zip(across.ticks, across.labels, strict=True):
            x = number(self.x(tick))
            parts.append(f'<path class="grid" d="M{x} {_TOP}V{_HEIGHT - _BOTTOM + 5}"/>')
            parts.append(text(self.x(tick), _HEIGHT - _BOTTOM + 20, label, "quiet"))
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        parts.append(text(middle, _HEIGHT - 12, "dispatch", "quiet"))
        return parts

    def rectangle(self, block: Block) -> str:
        """A value, with what the mouse tells of it."""
        left, right = self.x(block.first), self.x(block.last + 1)
        top = self.y(block.slot.offset_bytes + block.slot.size_bytes)
        bottom = self.y(block.slot.offset_bytes)
        place = f'x="{left:.3f}" y="{top:.3f}" width="{right - left:.3f}"'
        tip = title(_tip(block))
        # A seam would hide what is thinner than it.
        seam = " seam" if min(right - left, bottom - top) > 2 else ""
        shape = f'{place} height="{bottom - top:.3f}"'
        return f'<rect class="block {block.kind}{seam}" {shape}>{tip}</rect>'

    def line(self, alive: list[int]) -> str:
        """The bytes alive, as steps."""
        path = f"M{number(self.x(0))} {number(self.y(alive[0]))}"
        for i, count in enumerate(alive):
            path += f"V{number(self.y(count))}H{number(self.x(i + 1))}"
        return f'<path class="live" d="{path}"/>'

    def mark(self, dispatch: int, alive: int) -> str:
        """A dot where most bytes are alive."""
        x, y = self.x(dispatch + 0.5), self.y(alive)
        tip = title(f"{alive:,} bytes alive at dispatch {dispatch}")
        return f'<circle class="peak" cx="{number(x)}" cy="{number(y)}" r="4">{tip}</circle>'


_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB"), (1, "bytes"))


def _tip(block: Block) -> str:
    lines = [
        shortened(block.label, _LONGEST_LABEL),
        f"{KINDS[block.kind]}: v{block.value}",
        f"{block.slot.size_bytes:,} bytes at {block.slot.offset_bytes:,}",
        f"dispatches {block.first} to {block.last}",
    ]
    if block.written is not None:
        writer = shortened(block.writer, _LONGEST_LABEL)
        lines.append(f"written anew by dispatch {block.written}: {writer}")
    return "\n".join(lines)


def _style() -> str:
    kinds = "".join(f".{kind}{{fill:var(--{kind})}}" for kind in KINDS)
    return (
        f"{colours(_LIGHT, _DARK)}.page{{fill:var(--page)}}text{{fill:var(--ink)}}"
        ".quiet{font-size:12px;fill:var(--quiet)}.title{font-size:16px;font-weight:600}"
        f".grid{{stroke:var(--grid);fill:none}}{kinds}"
        ".seam{stroke:var(--seam);stroke-width:0.5}.block:hover{stroke:var(--ink);stroke-width:2}"
        ".live{fill:none;stroke:var(--live);stroke-width:2;stroke-linejoin:round;"
        "pointer-events:none}.live-swatch,.peak{fill:var(--live)}"
    )
