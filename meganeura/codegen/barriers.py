"""Barriers: where the lanes of a kernel must wait for each other.

In:  a kernel whose lanes run by themselves (invocations of a workgroup).   Out: the same, with a
`Barrier` before each statement that touches scratch which, since the last one, other lanes may have
written, or writes what they may have read. Lanes meet nowhere else: a kernel that reads its result
is refused.

In loop IR a loop over lanes is over before what follows begins. Lanes of a vector are so anyway;
invocations need a barrier, but only where they meet. A loop's body is looked at twice, the second
time as coming after itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import InternalError
from ..kernel.element import Element, Load
from .loops import LANES, Assign, Barrier, Combine, Kernel, Loop, Statement, Store, When


@dataclass(frozen=True)
class _Touched:
    """Buffers that were read and written since the last barrier."""

    read: frozenset[int] = frozenset()
    written: frozenset[int] = frozenset()

    def __or__(self, other: _Touched) -> _Touched:
        return _Touched(self.read | other.read, self.written | other.written)

    def must_come_before(self, later: _Touched) -> bool:
        """Whether something later depends on what was touched."""
        return bool(self.written & (later.read | later.written) or self.read & later.written)


NOTHING = _Touched()


def add_barriers(kernel: Kernel) -> Kernel:
    """The kernel with barriers."""
    body, _ = _Barriers(kernel).block(kernel.grid.body, NOTHING)
    return replace(kernel, grid=replace(kernel.grid, body=body))


class _Barriers:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def block(
        self, body: tuple[Statement, ...], before: _Touched
    ) -> tuple[tuple[Statement, ...], _Touched]:
        """Statements with barriers, and what is touched behind them."""
        done: list[Statement] = []
        for statement in body:
            match statement:
                case Loop(kind=kind) if kind != LANES:
                    if before.must_come_before(self._touched(statement)):
                        done.append(Barrier())
                        before = NOTHING
                    inner, before = self._repeated(statement, before)
                    done.append(inner)
                case When():
                    yes, after = self.block(statement.body, before)
                    no, otherwise = self.block(statement.otherwise, before)
                    done.append(When(statement.bound, yes, no))
                    before = after | otherwise
                case Combine():  # has barriers of its own
                    done.append(statement)
                    before = NOTHING
                case _:
                    touched = self._touched(statement)
                    if before.must_come_before(touched):
                        done.append(Barrier())
                        before = NOTHING
                    done.append(statement)
                    before = before | touched
        return tuple(done), before

    def _repeated(self, loop: Loop, before: _Touched) -> tuple[Loop, _Touched]:
        """A loop: what its body touches comes before its body too."""
        _, once = self.block(loop.body, before)
        body, after = self.block(loop.body, before | once)
        return replace(loop, body=body), before | after

    def _touched(self, statement: Statement) -> _Touched:
        match statement:
            case Loop(_, _, body):
                return self._touched_by(body)
            case When(_, yes, no):
                return self._touched_by((*yes, *no))
            case Store(target, _, value):
                scratch = {target} if self._kind(target) == "scratch" else ()
                return _Touched(self._reads(value), frozenset(scratch))
            case Assign(_, value):
                return _Touched(self._reads(value))
        return NOTHING

    def _touched_by(self, body: tuple[Statement, ...]) -> _Touched:
        touched = NOTHING
        for statement in body:
            touched = touched | self._touched(statement)
        return touched

    def _kind(self, buffer: int) -> str:
        return self.kernel.buffers[buffer].kind

    def _reads(self, element: Element) -> frozenset[int]:
        loaded = {read.source for read in element.reads if isinstance(read, Load)}
        if any(self._kind(source) == "result" for source in loaded):
            raise InternalError(f"{self.kernel.name} reads its result, where lanes do not wait")
        return frozenset(source for source in loaded if self._kind(source) == "scratch")
