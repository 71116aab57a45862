"""What a handle to a node is not: a number.

Its value is known only after a step, so ``float``, ``bool``, ordering and NumPy's functions have
nothing to work on. Each would otherwise use the node's number, silently. Without this class
Python and NumPy find that number through ``__index__``.
"""

from __future__ import annotations

import operator
from typing import Any, NoReturn

import numpy as np

from ..errors import HandleError

_AFTER = "after a step, session.read_loss() and session.read_output(i) give numbers"

_OPERATORS = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.divide: operator.truediv,
    np.power: operator.pow,
    np.matmul: operator.matmul,
    np.equal: operator.eq,
    np.not_equal: operator.ne,
}
"""What NumPy calls where one of its scalars stands on the left of an operator."""


class NotANumber:
    """A base class that refuses, with a remedy, whatever takes an object for a number."""

    __slots__ = ()

    def __float__(self) -> NoReturn:
        raise HandleError(
            "a node of a graph is not a number: it has no value while the graph is built",
            hint=f"compute with g.sqrt(x), g.maximum(x, 0.0), …; {_AFTER}",
        )

    def __trunc__(self) -> NoReturn:
        self.__float__()

    def __round__(self, digits: int | None = None) -> NoReturn:
        self.__float__()

    def __format__(self, spec: str) -> str:
        if spec:
            self.__float__()
        return str(self)

    def __bool__(self) -> bool:
        raise HandleError(
            "a node of a graph has no truth value while the graph is being built",
            hint=f"choose between values with g.where(condition, a, b); {_AFTER}",
        )

    def __lt__(self, other: Any) -> bool:
        raise HandleError(
            "nodes of a graph have no order: their values are not known while it is built",
            hint="compare with g.greater(x, 0.0), choose with g.maximum(x, 0.0) or g.minimum; "
            "int(x) is the node's number",
        )

    __le__ = __gt__ = __ge__ = __lt__

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise HandleError(
            "a node of a graph is not an array: it has no value while the graph is built",
            hint=_AFTER,
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        # NumPy's scalars call this for the operators they stand on the left of.
        call = _OPERATORS.get(ufunc)
        if call is None or method != "__call__" or options:
            name = ufunc.__name__
            raise HandleError(
                f"np.{name} cannot compute with a node of a graph",
                hint=f"use the graph's own op (g.sqrt(x), g.maximum(x, y), …); {_AFTER}",
            )
        a, b = (_plain(x) for x in inputs)
        if isinstance(a, np.ndarray):
            raise HandleError(
                f"an array of shape {list(a.shape)} is not a node of the graph",
                hint="make a node of data with g.constant(data)",
            )
        return call(a, b)


def _plain(value: Any) -> Any:
    """A single number of NumPy's as one of Python's."""
    is_number = isinstance(value, np.generic | np.ndarray) and not value.ndim
    return value.item() if is_number else value
