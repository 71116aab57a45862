"""What kernels cost, in nanoseconds."""

from __future__ import annotations

from ..kernel.target import Rates
from .tree import Tree, Types

DIGITS = 3
"""Kept of a cost: sums in another order are then the same."""


def cost_ns(tree: Tree, writes: tuple[int, ...], types: Types, rates: Rates) -> float:
    """The cost of a kernel: a launch, the bytes it reads and writes, the operations of what it
    computes element by element, and the products of its op."""
    moved_ns = sum(rates.move_ns(types[value].size_bytes()) for value in (*writes, *tree.reads))
    work, passes, products, beside = tree.work, 0, 0, 1.0
    for fixed in tree.fixed:
        inputs = [types[i] for i in fixed.node.inputs]
        op = fixed.node.op
        work += round(op.passes * sum(part.work for part in fixed.trees))
        passes += sum(ty.num_elements() for ty in inputs)
        products += op.products(types[fixed.value], *inputs)
        beside = max(beside, op.beside)
    total = (
        rates.launch_ns
        + moved_ns
        + (passes + work * beside) / rates.operations_per_ns
        + products / rates.products_per_ns
    )
    return round(total, DIGITS)
