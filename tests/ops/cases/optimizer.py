"""The steps of optimizers."""

from __future__ import annotations

import numpy as np

from meganeura.ops.optimizer import AdamStep, MovingAverage, MovingSquare
from tests.ops.table import add, emit, positive

add(
    "moving_average",
    "",
    [(3, 5), (3, 5)],
    emit(MovingAverage(0.9)),
    lambda a, x: np.average([a, x], axis=0, weights=[9, 1]),
)
add(
    "moving_square",
    "",
    [(7,), (7,)],
    emit(MovingSquare(0.75)),
    lambda a, x: np.average([a, x**2], axis=0, weights=[3, 1]),
)
for label, decay in (("adam", 0.0), ("adamw", 0.5)):
    add(
        "adam_step",
        label,
        [(3, 5), (3, 5), positive(3, 5), positive(), positive(), positive()],
        emit(AdamStep(1e-3, decay)),
        lambda p, m, v, r, c1, c2, decay=decay: (
            p - r * decay * p - m * r * c1 / (v**0.5 * c2 + 1e-3)
        ),
    )
