"""What `help` shows: every public name says what it is, and the examples are true."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import meganeura as mg

MODELS = [module for module in vars(mg.models).values() if inspect.ismodule(module)]
MODULES = [mg, mg.autodiff, mg.update, mg.nn, mg.models, *MODELS, mg.train, mg.profiler]


def is_public(name: str) -> bool:
    return not name.startswith("_")


def exported(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The functions and classes that a module offers: a package those it names, a file its own."""
    home = module.__name__
    for name, value in vars(module).items():
        is_code = inspect.isclass(value) or inspect.isfunction(value)
        if is_public(name) and is_code and f"{value.__module__}.".startswith(f"{home}."):
            yield f"{home}.{name}", value


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class, as they are written."""
    for name in filter(is_public, dir(cls)):
        value = inspect.getattr_static(cls, name)
        if isinstance(value, (classmethod, staticmethod)):
            value = value.__func__
        if inspect.isfunction(value) or isinstance(value, (property, cached_property)):
            yield name, value


def public() -> dict[str, Any]:
    found = {module.__name__: module for module in MODULES}
    for module in MODULES:
        for path, value in exported(module):
            found[path] = value
            if inspect.isclass(value):
                found |= {f"{path}.{name}": member for name, member in members(value)}
    return found


PUBLIC = public()
EXAMPLES = {
    path: value.__doc__
    for path, value in PUBLIC.items()
    if path.startswith(("meganeura.Graph", "meganeura.Value", "meganeura.nn."))
    and ">>>" in (value.__doc__ or "")
} | {"meganeura.Value.__getitem__": mg.Value.__getitem__.__doc__}
MAKERS = [
    name
    for name, method in members(mg.Graph)
    if inspect.isfunction(method) and inspect.signature(method).return_annotation == "Value"
]


@pytest.mark.parametrize("path", PUBLIC)
def test_every_public_name_has_a_docstring(path: str):
    doc = PUBLIC[path].__doc__
    assert doc and doc.strip()
    made_by_dataclass = doc.startswith(f"{path.rpartition('.')[2]}(")
    assert not made_by_dataclass, "write what it is, not its signature"


@pytest.mark.parametrize("path", EXAMPLES)
def test_examples_are_true(path: str):
    names = {"mg": mg, "np": np, "g": mg.Graph()}
    example = doctest.DocTestParser().get_doctest(
        inspect.cleandoc(EXAMPLES[path]), names, path, None, None
    )
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert result.attempted and not result.failed, "".join(said)


@pytest.mark.parametrize("name", MAKERS)
def test_every_method_that_makes_nodes_has_an_example(name: str):
    assert f"meganeura.Graph.{name}" in EXAMPLES


@pytest.mark.parametrize("name", [n for n in vars(mg.nn) if inspect.isclass(vars(mg.nn)[n])])
def test_every_layer_has_an_example(name: str):
    assert f"meganeura.nn.{name}" in EXAMPLES
