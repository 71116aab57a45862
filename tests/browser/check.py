"""Modules through a browser's implementation of WebGPU, and what it finds wrong with them."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tests.browser.chromium import BrowserError, report_of
from tests.browser.modules import Module

PAGE = Path(__file__).with_name("page.html")
AROUND = 2
"""Lines that are shown before and after one with an error."""


@dataclass(frozen=True)
class Fault:
    """An error in a module; ``line`` is 0 if it is in none."""

    module: Module
    line: int
    message: str

    def __str__(self) -> str:
        place = f", line {self.line}" if self.line else ""
        return "\n".join([f"{self.module}{place}: {self.message}", *self._lines()])

    def _lines(self) -> list[str]:
        """The offending line among its neighbours; without one, what limits are about."""
        if not self.line:
            return [f"    {line}" for line in self.module.declarations().splitlines()]
        numbered = list(enumerate(self.module.text.splitlines(), 1))
        shown = numbered[max(0, self.line - 1 - AROUND) : self.line + AROUND]
        return [f"{'>' if n == self.line else ' '} {n:>4}  {text}" for n, text in shown]


@dataclass(frozen=True)
class Report:
    """What a browser says of modules."""

    adapter: str
    compiled: int
    pipelines: int
    """How many modules were taken as far as a pipeline."""
    faults: list[Fault]

    def __str__(self) -> str:
        done = f"{self.compiled} modules compiled, {self.pipelines} pipelines made"
        return f"{done} by {self.adapter}; errors: {len(self.faults)}"


def page_of(modules: list[Module], pipelines: Collection[int]) -> str:
    """One page with all modules in it, that needs nothing else."""
    data = [{"text": m.text, "pipeline": i in pipelines} for i, m in enumerate(modules)]
    # A script ends at the first </script>, wherever it stands.
    text = json.dumps(data).replace("<", r"\u003c")
    return PAGE.read_text(encoding="utf-8").replace("MODULES", text, 1)


def check(modules: list[Module], pipelines: Collection[int]) -> Report:
    """The modules compiled in a browser, and pipelines made of those with these numbers."""
    found = json.loads(report_of(page_of(modules, pipelines)))
    stopped_in = found.get("underWay", [])
    if found["failure"] and not stopped_in:
        raise BrowserError(found["failure"])
    faults = [
        Fault(modules[int(number)], error["line"], error["text"].strip())
        for number, errors in found["errors"].items()
        for error in errors
    ]
    faults += [Fault(modules[number], 0, found["failure"]) for number in stopped_in]
    return Report(found["adapter"], found["compiled"], found["pipelines"], faults)
