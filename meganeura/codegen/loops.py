"""Loop IR: what a kernel does, as loops over loads, stores and registers.

There are four kinds of loop, the whole vocabulary of the hardware:

- ``grid``: iterations are independent, and shared out among threads or workgroups;
- ``lanes``: iterations run together, as the lanes of a vector or the invocations of a workgroup;
  its extent is the kernel's width, exactly. What one lane wrote, others may read in a later loop;
- ``serial``: one iteration after another;
- ``unroll``: written out.

A register declared with ``lanes`` holds one number for each lane; elsewhere one number. Registers
may be arrays, indexed only by unrolled variables, so that they stay in registers. Values are
`Element`s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from ..kernel.element import Element, Register
from ..kernel.index import Bound, Index, Var

GRID, LANES, SERIAL, UNROLL = "grid", "lanes", "serial", "unroll"


@dataclass(frozen=True)
class Buffer:
    """Memory a kernel sees: an operand, its result, or scratch of the thread's own."""

    kind: str
    elements: int
    is_u32: bool = False


@dataclass(frozen=True)
class Declare:
    """Make a register, or an array of them, with a first value."""

    name: str
    first: float
    lanes: bool = False
    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class Assign:
    """Give a register a value."""

    name: str
    value: Element
    place: tuple[Index, ...] = ()


@dataclass(frozen=True)
class Combine:
    """Give a register the sum or maximum over the lanes of another, in a fixed order."""

    name: str
    op: str
    source: Register


@dataclass(frozen=True)
class Store:
    """Write an element of a buffer, where all bounds hold."""

    target: int
    index: Index
    value: Element
    bounds: tuple[Bound, ...] = ()


@dataclass(frozen=True)
class Loop:
    """Run the body for each value of a variable; with ``stop``, only while it is below that.
    Lanes that have stopped are idle; not every target has such."""

    var: Var
    kind: str
    body: tuple[Statement, ...]
    stop: Index | None = None


@dataclass(frozen=True)
class When:
    """Run one body where a bound holds, the other where it does not."""

    bound: Bound
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Place:
    """A place in a buffer."""

    buffer: int
    index: Index

    def __str__(self) -> str:
        return f"b{self.buffer}[{self.index}]"


@dataclass(frozen=True)
class Walk:
    """How often two operands are moved on (at least once), and by how many elements each."""

    extent: int | Index
    a_step: int
    b_step: int


MOST_WALKS = 3


@dataclass(frozen=True)
class Contract:
    """Add products of numbers by vectors to a block of sums, the heart of every matrix product:

    ``sums[f, v, lane] += Σ a[… + f · number_step] · b[… + v · vector_step + lane]``

    over nested walks (`MOST_WALKS` at most, the first outermost), and in each step over ``taps``,
    offsets of both operands. The sums are formed from zero, and then stored if the block is
    ``fresh``, else added to what is there. The block must fit the registers; it is one routine,
    shared by all kernels whose blocks have the same form.
    """

    sums: Place
    a: Place
    b: Place
    numbers: int
    vectors: int
    number_step: int
    vector_step: int
    walks: tuple[Walk, ...]
    taps: tuple[tuple[int, int], ...] = ((0, 0),)
    fresh: bool = True

    def __str__(self) -> str:
        walks = " ".join(f"{w.extent}×(+{w.a_step}, +{w.b_step})" for w in self.walks)
        taps = "" if self.taps == ((0, 0),) else f" taps {self.taps}"
        size = f"{self.numbers}×{self.vectors}"
        return f"{self.sums} {'=' if self.fresh else '+='} {size} {self.a}·{self.b} {walks}{taps}"


@dataclass(frozen=True)
class Barrier:
    """Wait for all lanes, and see what they wrote into scratch. Only where lanes run by themselves:
    codegen/barriers.py."""

    def __str__(self) -> str:
        return "barrier"


@dataclass(frozen=True)
class Prefetch:
    """Have the line around a place brought into the cache, where it will be read soon. Nothing is
    read: the place may lie outside of its buffer."""

    place: Place

    def __str__(self) -> str:
        return f"prefetch {self.place}"


Statement = Union[  # noqa: UP007
    Declare, Assign, Combine, Store, Loop, When, Contract, Barrier, Prefetch
]


@dataclass(frozen=True)
class Kernel:
    """A complete kernel: its buffers, and one grid loop over independent tasks."""

    name: str
    buffers: tuple[Buffer, ...]
    grid: Loop
    lanes: int

    @property
    def scratch_bytes(self) -> int:
        """Scratch a thread needs; each buffer starts on a cache line."""
        sizes = [b.elements for b in self.buffers if b.kind == "scratch"]
        return sum(-(-size // 16) * 64 for size in sizes)

    @property
    def turns(self) -> int:
        """Turns that the loops of a task make, all together, with those that only end them."""
        return _turns(self.grid.body)

    @property
    def tasks(self) -> int:
        """How many tasks the grid has."""
        return self.grid.var.extent

    def __str__(self) -> str:
        lines = [f"kernel {self.name}"]
        for i, b in enumerate(self.buffers):
            lines.append(f"  b{i}: {b.kind} {'u32' if b.is_u32 else 'f32'}[{b.elements}]")
        return "\n".join([*lines, *print_statements((self.grid,), 1)])


def _turns(body: tuple[Statement, ...]) -> int:
    turns = 0
    for statement in body:
        match statement:
            case Loop(var, kind, inner, _):
                turns += var.extent * _turns(inner) + (kind == SERIAL) * (var.extent + 1)
            case When(_, inner, otherwise):
                turns += max(_turns(inner), _turns(otherwise))
    return turns


def print_statements(body: tuple[Statement, ...], depth: int) -> list[str]:
    """Statements as indented lines."""
    lines: list[str] = []
    pad = "  " * depth
    for statement in body:
        match statement:
            case Loop(var, kind, inner, stop):
                limit = f" while < {stop}" if stop is not None else ""
                lines.append(f"{pad}{kind} {var} in 0..{var.extent}{limit}:")
                lines += print_statements(inner, depth + 1)
            case When(bound, inner, otherwise):
                lines.append(f"{pad}when {bound}:")
                lines += print_statements(inner, depth + 1)
                if otherwise:
                    lines.append(f"{pad}otherwise:")
                    lines += print_statements(otherwise, depth + 1)
            case Declare(name, first, lanes, shape):
                kind = "lanes" if lanes else "register"
                lines.append(f"{pad}{kind} {name}{list(shape) if shape else ''} = {first}")
            case Assign(name, value, place):
                lines.append(f"{pad}{Register(name, place)} = {value}")
            case Combine(name, op, source):
                lines.append(f"{pad}{name} = {op} over lanes of {source}")
            case Store(target, index, value, bounds):
                guard = f" if {', '.join(map(str, bounds))}" if bounds else ""
                lines.append(f"{pad}b{target}[{index}{guard}] = {value}")
            case Contract() | Barrier() | Prefetch():
                lines.append(f"{pad}{statement}")
    return lines
