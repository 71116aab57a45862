"""How fast devices are taken to be, for the cost of kernels in nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass


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
