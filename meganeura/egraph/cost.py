"""What kernels cost, in nanoseconds."""

from __future__ import annotations

from ..kernel.target import Rates
from .tree import Tree, Types

BESIDE_PRODUCTS = 4
"""How much longer an operation takes in a kernel of products than in one of its own: what it reads
beside the factors comes late, a line of each filter at a time."""
DIGITS = 3
"""Kept of a cost: sums in another order are then the same."""


def cost_ns(tree: Tree, writes: tuple[int, ...], types: Types, rates: Rates) -> float:
    """The cost of a kernel: a launch, the bytes it reads and writes, the operations of what it
    computes element by element, and the products of its op."""
    moved_ns = sum(rates.move_ns(types[value].size_bytes()) for value in (*writes, *tree.reads))
    work, passes, products = tree.work, 0, 0
    for fixed in tree.fixed:
        inputs = [types[i] for i in fixed.node.inputs]
        op = fixed.node.op
        work += round(op.passes * sum(part.work for part in fixed.trees))
        passes += sum(ty.num_elements() for ty in inputs)
        products += op.products(types[fixed.value], *inputs)
    work = passes + work * (BESIDE_PRODUCTS if products else 1)
    total = (
        rates.launch_ns
        + moved_ns
        + work / rates.operations_per_ns
        + products / rates.products_per_ns
    )
    return round(total, DIGITS)
