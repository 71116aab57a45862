"""How much arithmetic an archetype stands for.

Every operator of a formula counts as one operation, a product and its addition as two. Convolutions
count what the plain algorithm takes, however they are computed, so that rates can be compared.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from ..scalar.expr import Call, Expr, parts
from .archetype import Archetype, Pointwise, Reduction, Scatter, Stream
from .attention import Attention, AttentionGradient
from .conv import Convolution, Correlation
from .element import Element

PRODUCTS_OF_ATTENTION = 2
"""Matrix products in attention: scores, and what they weigh."""
PRODUCTS_OF_GRADIENT = 5
"""Matrix products in its gradient: scores again, their gradient, and one for each of q, k, v."""


def flops(archetype: Archetype, length: int = 0) -> int:
    """The operations of one run; ``length`` is the row's of a `Stream`."""
    if isinstance(archetype, (Pointwise, Stream)):
        size = prod(archetype.shape) if isinstance(archetype, Pointwise) else length
        return size * sum(map(_operations, archetype.elements()))
    if isinstance(archetype, Reduction):
        return _of_reduction(archetype)
    if isinstance(archetype, Scatter):
        return archetype.rows * archetype.columns * (1 + _operations(archetype.element))
    if isinstance(archetype, (Convolution, Correlation)):
        return _of_products(archetype)
    if isinstance(archetype, (Attention, AttentionGradient)):
        form = archetype.form
        pairs = form.batch * form.groups * form.shared * form.queries * form.keys
        is_forward = isinstance(archetype, Attention)
        products = PRODUCTS_OF_ATTENTION if is_forward else PRODUCTS_OF_GRADIENT
        return 2 * products * pairs * form.dim
    return 0  # another arrangement of weights or gradients, in the service of a convolution


def _of_reduction(archetype: Reduction) -> int:
    rows = prod(archetype.rows)
    whole = rows * prod(archetype.columns)
    stages = whole * sum(1 + _operations(stage.element) for stage in archetype.stages)
    results = sum(
        (whole if result.spread else rows) * _operations(result.element)
        for result in archetype.results
    )
    return stages + results


def _of_products(archetype: Convolution | Correlation) -> int:
    taps = prod(archetype.window.kernel) * archetype.channels
    if isinstance(archetype, Correlation):
        groups, results = archetype.groups, 0
        pixels = prod(archetype.window.out)
    else:
        groups, results = 1, sum(map(_operations, archetype.results))
        pixels = archetype.output_pixels()
    outputs = archetype.batch * groups * archetype.filters * pixels
    return outputs * (2 * taps + results)


def _operations(element: Element) -> int:
    """Operators of a formula; a part that occurs twice is computed once."""
    return len(_calls(element.body))


@lru_cache(maxsize=4096)
def _calls(body: Expr) -> frozenset[Call]:
    return frozenset(part for part in parts(body) if isinstance(part, Call))
