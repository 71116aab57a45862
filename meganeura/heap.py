"""Memory that the C library keeps for later, given back to the system.

What the optimizer and its libraries took is free after a program is compiled, but in pieces that
the C library keeps, and so are arrays that wait to be written into the program's own memory. The
process would hold them as long as it trains.
"""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Give back what can be, where the C library offers it; a millisecond or two."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not every one has it
        if trim is not None:
            trim(ctypes.c_size_t(0))
