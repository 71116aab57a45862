"""The public `Graph`: the builder with the methods of every family of ops."""

from __future__ import annotations

from typing import Self

from ..arguments import require
from ..ir import walk
from ..ir.text import parse_graph, print_graph
from .activation import ActivationMethods
from .arithmetic import ArithmeticMethods
from .attention import AttentionMethods
from .channels import ChannelMethods
from .conv import ConvMethods
from .index import IndexMethods
from .layout import LayoutMethods
from .leaf import LeafMethods
from .matmul import MatmulMethods
from .norm import NormMethods
from .pool import PoolMethods
from .reduce import ReduceMethods
from .rope import RopeMethods
from .softmax import SoftmaxMethods


class Graph(
    LeafMethods,
    ArithmeticMethods,
    ActivationMethods,
    ReduceMethods,
    LayoutMethods,
    IndexMethods,
    MatmulMethods,
    ConvMethods,
    ChannelMethods,
    PoolMethods,
    NormMethods,
    SoftmaxMethods,
    RopeMethods,
    AttentionMethods,
):
    """A network as a static graph: methods append nodes and return handles to them.

    ::

        g = Graph()
        x = g.input("x", [32, 784])
        w = g.parameter("w", [784, 10])
        labels = g.input("labels", [32, 10])
        loss = g.cross_entropy_loss(x @ w, labels)
        g.set_outputs([loss])
    """

    def toposort(self) -> Self:
        """A new graph with dense ids in which every input comes before its user and no dead node
        is left."""
        return walk.copy(self)

    def text(self, *, locations: bool = False) -> str:
        """The graph as text, one line a node."""
        return print_graph(self, locations=locations)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The graph that `text` printed."""
        return parse_graph(require(text, str, "parse: the text"), cls())
