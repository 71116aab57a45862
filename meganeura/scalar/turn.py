"""Angles of any size, within half a turn: what sine and cosine of float32 are reduced to.

A float32 is m · 2ᵉ with m of 24 bits, and only the fraction of m · 2ᵉ / 2π says where on the circle
it is. So 64 bits of 1/2π are taken, from the one with weight 2⁻¹⁻ᵉ on, and multiplied by m modulo
1, all in whole numbers of 32 bits. What is dropped is some 2⁻³⁰ of a turn (Payne & Hanek 1983).

Each target spells these steps in its own words; here they are in NumPy's.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from ..dtypes import Array

NEAR = 1.6e6
"""Up to here angles are left as they are: `approximate.py` takes quarter turns off them."""
WORDS = (0, 0x28BE60DB, 0x9391054A, 0x7F09D5F4, 0x7D4D3770, 0x36D8A566, 0x4F10E410)
"""The bits of 1/2π, 32 at a time, the first word those before the point."""
BEFORE = 118
"""A float32 whose exponent has the bits E has e = E − 150, and its fraction begins e + 32 bits into
the words."""
PLACES = 5
"""Words at which 64 bits may begin."""
TURN = 2 * math.pi / 2**32
"""An angle of one unit, of which a turn has 2³²."""


def within_turn(x: Array) -> Array:
    """The angle from −π to π with the same sine and cosine; small ones, and what is not finite, as
    they are."""
    single = np.asarray(x, np.float32)
    bits = single.view(np.uint32).astype(np.uint64) & 0x7FFFFFFF
    far = (np.abs(single) > NEAR) & np.isfinite(single)
    place = np.where(far, (bits >> 23) - BEFORE, 0)
    word, shift = place >> 5, place & 31
    pairs = np.array([(a << 32) | b for a, b in pairwise(WORDS)], np.uint64)
    low_bits = np.uint64(2**32 - 1)
    high = (pairs[word] >> (32 - shift)) & low_bits
    low = (pairs[word + 1] >> (32 - shift)) & low_bits
    mantissa = (bits & 0x7FFFFF) | 0x800000
    units = (mantissa * high + (mantissa * low >> np.uint64(32))) & low_bits
    angle = units.astype(np.uint32).view(np.int32).astype(np.float32) * np.float32(TURN)
    return np.where(far, np.where(single < 0, -angle, angle), single).astype(x.dtype)
