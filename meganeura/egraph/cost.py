"""What kernels cost, in nanoseconds, and how fast devices are taken to be."""

from __future__ import annotations

from dataclasses import dataclass

from .tree import Tree, Types


@dataclass(frozen=True)
class Rates:
    """How fast a device is."""

    launch_ns: float
    bytes_per_ns: float
    operations_per_ns: float
    """Scalar operations of elementwise kernels."""
    products_per_ns: float
    """Multiplications and additions of convolutions and matrix products, as pairs."""


RATES = {
    "cpu": Rates(launch_ns=1500.0, bytes_per_ns=20.0, operations_per_ns=12.0, products_per_ns=80.0),
    "gpu": Rates(
        launch_ns=5000.0, bytes_per_ns=200.0, operations_per_ns=2000.0, products_per_ns=2000.0
    ),
}
"""What a target of each kind is taken to be: two cores with AVX2, and a small GPU."""


def cost_ns(tree: Tree, writes: tuple[int, ...], types: Types, rates: Rates) -> float:
    """The cost of a kernel: a launch, the bytes it reads and writes, the operations of what it
    computes element by element, and the products of its op."""
    moved = sum(types[value].size_bytes() for value in (*writes, *tree.reads))
    work = _work(tree, types)
    products = 0
    for fixed in tree.fixed:
        inputs = [types[i] for i in fixed.node.inputs]
        op = fixed.node.op
        each = sum(_work(t, types) for t in fixed.trees)
        work += round(op.passes * each) + sum(ty.num_elements() for ty in inputs)
        products += op.products(types[fixed.value], *inputs)
    return (
        rates.launch_ns
        + moved / rates.bytes_per_ns
        + work / rates.operations_per_ns
        + products / rates.products_per_ns
    )


def _work(tree: Tree, types: Types) -> int:
    """Operations to compute all elements; what is the same for many of them is computed before."""
    ops = ((types[t.value].num_elements(), t.node.op, t.parts) for t in tree.expression)
    return sum(count * op.operations(len(parts)) for count, op, parts in ops)
