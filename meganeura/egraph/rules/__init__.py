"""All rules by group, each in a file of its own."""

from __future__ import annotations

from ..rule import Rule
from . import algebra, algorithm, composite, layout, merge, through

ALL: tuple[Rule, ...] = (
    *algebra.RULES,
    *layout.RULES,
    *through.RULES,
    *composite.RULES,
    *merge.RULES,
    *algorithm.RULES,
)
GROUPS: tuple[str, ...] = tuple(dict.fromkeys(rule.group for rule in ALL))
