"""What is said of a graph that does not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import DeviceError
from .graph import Graph, Node
from .walk import live

SHOWN = 3
HINT = "make the batch smaller, or the layers that make these values"


def _largest(graph: Graph) -> list[Node]:
    return sorted(live(graph), key=lambda node: -node.ty.size_bytes())[:SHOWN]


def largest_values(graph: Graph) -> str:
    """The largest values of a graph, in words."""
    shown = [f"{node}: {node.ty} ({node.ty.size_bytes():,} bytes)" for node in _largest(graph)]
    return "its largest values are " + ", ".join(shown)


@contextmanager
def enough_memory(graph: Graph, needed_bytes: int) -> Iterator[None]:
    """What is done in it needs so many bytes; if they are not there, that is told."""
    try:
        yield
    except MemoryError:
        raise DeviceError(
            f"there is no memory for the {needed_bytes:,} bytes that this graph needs; "
            + largest_values(graph),
            hint=HINT,
            where=next((node.where for node in _largest(graph)), None),
        ) from None
