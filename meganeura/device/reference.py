"""The reference device: NumPy, op by op, in float32 or float64. Slow and exact; the definition
that other devices are held to."""

from __future__ import annotations

import numpy as np

from ..compiler import DEFAULT
from ..dtypes import Array
from ..egraph.optimize import Options
from ..errors import DeviceError
from ..ir.graph import Graph, Node
from ..ir.interpret import Observer, evaluate
from .base import Device, DeviceInformation, Program

_PRECISIONS: dict[str, np.dtype[np.floating]] = {
    "": np.dtype(np.float32),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
}


class ReferenceDevice(Device):
    """Runs graphs by `ir.interpret`."""

    def __init__(self, precision: str) -> None:
        if precision not in _PRECISIONS:
            raise DeviceError(
                f'the reference device has no precision "{precision}"',
                hint='use "reference", "reference:float32" or "reference:float64"',
            )
        self.dtype = _PRECISIONS[precision]

    def information(self) -> DeviceInformation:
        """NumPy's version and the precision."""
        return DeviceInformation(
            "reference", "reference", f"NumPy {np.__version__}, {self.dtype}, op by op"
        )

    def compile(self, graph: Graph, options: Options | None = DEFAULT) -> Program:
        """The graph itself."""
        return ReferenceProgram(graph, self.dtype)


class ReferenceProgram(Program):
    """A graph and arrays for its leaves."""

    def __init__(self, graph: Graph, dtype: np.dtype[np.floating]) -> None:
        super().__init__()
        self._graph = graph
        self._dtype = dtype
        self._leaves: dict[str, Array] = {}
        self._values: dict[int, Array] = {}
        self._peak_bytes = 0

    def write(self, name: str, array: Array) -> None:
        """Keep a copy."""
        self._leaves[name] = np.array(array)

    def feed(self, name: str, number: float) -> None:
        """As exactly as the device computes."""
        self.write(name, np.asarray(number, self._dtype))

    def read(self, name: str) -> Array:
        """Give a copy."""
        return self._leaves[name].copy()

    def run(self, observe: Observer | None = None) -> None:
        """Evaluate every root, then exchange the leaves that have an update."""
        total = 0

        def watch(node: Node, array: Array) -> None:
            nonlocal total
            total += array.nbytes if node.name is None else 0
            if observe is not None:
                observe(node, array)

        self._values = evaluate(self._graph, self._leaves, self._dtype, watch)
        self._peak_bytes = total
        for leaf, value in self._graph.updates().items():
            name = self._graph.node(leaf).name
            if name is not None:
                self._leaves[name] = np.array(self._values[value])
        self._made += 1

    def value(self, node_id: int) -> Array:
        """A copy of a root's value."""
        return np.array(self._values[node_id])

    def peak_bytes(self) -> int:
        """All values of a step together: NumPy frees them when it will."""
        return self._peak_bytes
