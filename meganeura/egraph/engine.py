"""egglog, the engine of equality saturation, through its bindings.

Only the extension itself is loaded: the package around it takes half a second to import and brings
a language of its own, of which nothing is needed here.
"""

from __future__ import annotations

import ctypes
import importlib.machinery
import importlib.util
import os
import sysconfig
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from ..errors import CompileError, InternalError

RULES, LOAD = "rules", "load"
"""The two sets of rules: those that rewrite, and the one that writes a graph's terms."""


@cache
def bindings() -> ModuleType:
    """egglog's extension module."""
    package = importlib.util.find_spec("egglog")
    if package is None or not package.submodule_search_locations:
        raise CompileError("egglog is not installed", hint="pip install 'egglog>=13.2,<13.3'")
    folder = Path(package.submodule_search_locations[0])
    path = str(next(folder.glob("bindings*" + sysconfig.get_config_var("EXT_SUFFIX"))))
    loader = importlib.machinery.ExtensionFileLoader("egglog.bindings", path)
    spec = importlib.util.spec_from_file_location("egglog.bindings", path, loader=loader)
    if spec is None:
        raise CompileError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


class Terms:
    """Terms and actions as egglog's own objects: a text would have to be parsed, which takes
    longer than all the rest."""

    def __init__(self) -> None:
        self.b = bindings()
        self.span = self.b.PanicSpan()

    def call(self, name: str, *args: Any) -> Any:
        """A function of terms."""
        return self.b.Call(self.span, name, list(args))

    def var(self, name: str) -> Any:
        """A name that a `let` has given."""
        return self.b.Var(self.span, name)

    def literal(self, value: bool | int | float | str) -> Any:
        """A number, a truth or a string."""
        kinds = {bool: self.b.Bool, int: self.b.Int, float: self.b.Float, str: self.b.String}
        return self.b.Lit(self.span, kinds[type(value)](value))

    def let(self, name: str, term: Any) -> Any:
        """A name for a term."""
        return self.b.Let(self.span, name, term)

    def set(self, function: str, key: Any, value: Any) -> Any:
        """A function's value for a key."""
        return self.b.Set(self.span, function, [key], value)

    def union(self, one: Any, other: Any) -> Any:
        """Two terms made equal."""
        return self.b.Union(self.span, one, other)


class _EGraph:
    """An e-graph of egglog's. It may end only in the thread that made it, and not in a forked
    process: there its end would wait for threads that only the parent has. Elsewhere it is
    never freed.

    What its end needs is bound as defaults, as modules may have lost their names by then."""

    _first_process: ClassVar[int | None] = None

    def __init__(self) -> None:
        _EGraph._first_process = _EGraph._first_process or os.getpid()
        self._maker = _EGraph._first_process, threading.get_ident()
        self.inner = bindings().EGraph()

    def may_end(
        self,
        process: Callable[[], int] = os.getpid,
        thread: Callable[[], int] = threading.get_ident,
    ) -> bool:
        """Whether it can be freed here."""
        return self._maker == (process(), thread())

    def __del__(
        self,
        keep: Callable[[Any], None] = ctypes.pythonapi.Py_IncRef,
        as_object: Callable[[Any], Any] = ctypes.py_object,
    ) -> None:
        if not self.may_end():
            keep(as_object(self.inner))


class _Ready(threading.local):
    """E-graphs that know a program's declarations and rules, and hold no term: each thread has its
    own."""

    MOST = 4

    def __init__(self) -> None:
        self.egraphs: dict[tuple[str, ...], _EGraph] = {}


_ready = _Ready()


class Engine:
    """An e-graph under way: entered, it holds no term.

    To check a program's rules takes ten times as long as to apply them to a small graph, so an
    e-graph that is left without an error is kept, as it was before, for the next of its program."""

    def __init__(self, programs: Iterable[str]) -> None:
        """Each text is parsed by itself: every term holds on to the text it came from, so that one
        text of all rules takes four times as long. What was parsed is run at once."""
        self._programs = tuple(programs)
        ready = _ready.egraphs.pop(self._programs, None)
        self._held = ready if ready is not None and ready.may_end() else _EGraph()
        self.egraph = self._held.inner
        if self._held is not ready:
            parse = self.egraph.parse_program
            self._run([command for program in self._programs for command in parse(program)])

    def __enter__(self) -> Engine:
        self._run([bindings().Push(1)])
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._held.may_end():
            self._run([bindings().Pop(bindings().PanicSpan(), 1)])
            _ready.egraphs[self._programs] = self._held
            while len(_ready.egraphs) > _Ready.MOST:
                del _ready.egraphs[next(iter(_ready.egraphs))]

    def load(self, actions: Sequence[Any]) -> None:
        """Do all actions at once, as the head of a rule without a body: that is the fast way in."""
        b, span = bindings(), bindings().PanicSpan()
        rule = b.Rule(span, list(actions), [], "load", LOAD)
        once = b.RunSchedule(b.Run(span, b.RunConfig(LOAD)))
        self._run([b.RuleCommand(rule), once])

    def step(self) -> tuple[bool, dict[str, int]]:
        """Apply all rules once: whether anything changed, and how often each rule matched."""
        b, span = bindings(), bindings().PanicSpan()
        (output,) = self._run([b.RunSchedule(b.Run(span, b.RunConfig(RULES)))])
        report = output.report
        return report.updated, dict(report.num_matches_per_rule)

    def size(self) -> int:
        """How many rows all functions have."""
        (output,) = self._run([bindings().PrintSize(bindings().PanicSpan(), None)])
        return sum(count for _, count in output.sizes)

    def frozen(self) -> Any:
        """All functions with their rows, as they are now."""
        return self.egraph.freeze()

    def _run(self, commands: Sequence[Any]) -> list[Any]:
        try:
            return list(self.egraph.run_program(*commands))
        except bindings().EggSmolError as error:
            raise InternalError(f"the e-graph stopped: {error}") from None
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # of which there is no other sign
                raise
            raise InternalError(f"the e-graph broke: {error}") from None
