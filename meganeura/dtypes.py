"""Element types: their width, their NumPy type, their short name in text forms."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Any NumPy array. Values of an ``F32`` node are float32, or float64 on an exact run."""


class DType(Enum):
    """The type of one element of a tensor."""

    F32 = "f32"
    U32 = "u32"

    def size_bytes(self) -> int:
        """Bytes of one element."""
        return 4

    @property
    def numpy(self) -> np.dtype[np.generic]:
        """The NumPy type that holds it."""
        return np.dtype(np.float32 if self is DType.F32 else np.uint32)

    def __str__(self) -> str:
        return self.value
