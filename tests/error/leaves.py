"""A graph with a leaf for every kind of operand, to build mistakes from."""

from __future__ import annotations

from meganeura import Graph, Value


class Leaves:
    """A new graph, its leaves, and a handle of another graph."""

    def __init__(self) -> None:
        g = self.g = Graph()
        self.x, self.y, self.tall = g.input("x", [4, 6]), g.input("y", [4, 6]), g.input("t", [6, 4])
        self.vector, self.row = g.input("vector", [6]), g.input("row", [1, 6])
        self.queries = g.input("queries", [4, 12])
        self.tokens, self.pos = g.input_u32("tokens", [4]), g.input_u32("pos", [1])
        self.image, self.kernel = g.input("image", [2, 4, 5, 5]), g.input("kernel", [8, 4, 3, 3])
        self.channel = g.input("channel", [4])
        self.flat, self.flat_kernel = g.input("flat", [200]), g.input("flat_kernel", [288])
        self.table, self.cache = g.parameter("table", [9, 6]), g.state("cache", [8, 6])

    @property
    def alien(self) -> Value:
        """A handle of another graph."""
        return Graph().input("alien", [4, 6])
