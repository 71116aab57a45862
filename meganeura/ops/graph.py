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
    """A network as a static graph: methods append nodes and return handles to them (`Value`).

    It only grows: a node is never changed. `build_session` makes it ready to train,
    `build_inference_session` to run, and `interpret` runs it as it stands, in NumPy. What does not
    fit raises where it is written: `ShapeError` and `DTypeError`, which are `GraphError`.

    >>> g = mg.Graph()
    >>> x = g.input("x", [32, 784])
    >>> w = g.parameter("w", [784, 10])
    >>> labels = g.input("labels", [32, 10])
    >>> loss = g.cross_entropy_loss(x @ w, labels)
    >>> g.set_outputs([loss])

    Examples of methods begin with ``import meganeura as mg`` and ``g = mg.Graph()``."""

    def toposort(self) -> Self:
        """A new graph with dense ids, in which inputs come before users and no dead node is left.

        >>> dead, x = g.input("dead", [2]), g.input("x", [2])
        >>> g.set_outputs([g.relu(x)])
        >>> len(g), len(g.toposort())
        (3, 2)
        """
        return walk.copy(self)

    def text(self, *, locations: bool = False) -> str:
        """The graph as text, one line a node, then outputs, gradients and updates.

        ``locations`` adds the line of code that made each node. `parse` reads it back.

        >>> g.set_outputs([g.relu(g.input("x", [2]))])
        >>> print(g.text(), end="")
        %0 = input(label="x") : f32[2]
        %1 = relu(%0) : f32[2]
        output %1
        """
        return print_graph(self, locations=locations)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The graph that `text` printed; what is not such a text is a `FormatError`.

        >>> g.set_outputs([g.relu(g.input("x", [2]))])
        >>> mg.Graph.parse(g.text()) == g
        True
        """
        return parse_graph(require(text, str, "parse: the text"), cls())
