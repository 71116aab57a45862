"""LLVM text under way: blocks inside blocks, in which a value is computed as far out as it can be.

LLVM could move invariant values out of loops too; doing it here costs less than having it looked
for, and is most of what kernels need.
"""

from __future__ import annotations

import re

_NAME = re.compile(r"%[\w.]+")


class Code:
    """The lines of the block under way and of those around it, the outermost first."""

    def __init__(self) -> None:
        self._open: list[list[str]] = [[]]
        self._known: list[dict[str, str]] = [{}]
        self._movable = [True]
        """For each open block, whether a load in it may be made before it."""
        self._changed: list[frozenset[str]] = [frozenset()]
        """For each open block, the registers that get a new value in it."""
        self._depth: dict[str, int] = {}
        """The block of each name, and of what was asked for."""
        self._loads: dict[str, str] = {}
        self._count = 0

    def fresh(self, stem: str = "v", outermost: bool = False) -> str:
        """A new name, defined in the block under way, or in the outermost."""
        self._count += 1
        name = f"%{stem}{self._count}"
        self._depth[name] = 0 if outermost else len(self._open) - 1
        return name

    def add(self, *lines: str) -> None:
        """Lines at the end of the block under way."""
        self._open[-1] += lines

    def let(self, text: str, stem: str = "v") -> str:
        """A value computed here."""
        name = self.fresh(stem)
        self.add(f"  {name} = {text}")
        return name

    def depth(self, text: str) -> int:
        """The innermost block a text depends on."""
        if text not in self._depth:
            found = [self._depth.get(name, 0) for name in _NAME.findall(text)]
            self._depth[text] = max(found, default=0)
        return self._depth[text]

    def pure(self, text: str, stem: str = "v") -> str:
        """A value that depends on its operands only: computed once, in the outermost block that has
        them all."""
        return self._let_at(self.depth(text), text, stem)

    def _let_at(self, depth: int, text: str, stem: str) -> str:
        known = self._known[depth]
        if text not in known:
            self._count += 1
            known[text] = name = f"%{stem}{self._count}"
            self._depth[name] = depth
            self._open[depth].append(f"  {name} = {text}")
        return known[text]

    def load(self, kind: str, at: str, constant: bool) -> str:
        """A load. From memory that does not change it is made as far out as it is sure to be made;
        else it is not repeated before the next store or block."""
        text = f"load {kind}, ptr {at}, align 4"
        if constant:
            depth = len(self._open) - 1
            while depth > self.depth(text) and self._movable[depth]:
                depth -= 1
            return self._let_at(depth, text, "v")
        if text not in self._loads:
            self._loads[text] = self.let(text)
        return self._loads[text]

    def register(self, kind: str, at: str, name: str, version: int) -> str:
        """What a register holds: loaded in the innermost block that changes it, once for each
        version of it."""
        depth = len(self._open) - 1
        while depth > 0 and name not in self._changed[depth]:
            depth -= 1
        depth = max(depth, self.depth(at))
        return self._let_at(depth, f"load {kind}, ptr {at} ; {name} {version}", "v")

    def stored(self) -> None:
        """Memory has changed."""
        self._loads = {}

    def enter(self, always_runs: bool, changed: frozenset[str]) -> None:
        """Begin a block inside the one under way, in which some registers change."""
        self._changed.append(changed)
        self._open.append([])
        self._known.append({})
        self._movable.append(always_runs)
        self._loads = {}

    def leave(self) -> list[str]:
        """End it; its lines."""
        self._known.pop()
        self._movable.pop()
        self._changed.pop()
        self._loads = {}
        return self._open.pop()

    def text(self) -> list[str]:
        """All lines, when no block is open but the first."""
        (lines,) = self._open
        return lines
