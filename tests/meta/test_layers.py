"""The layering rule and the fences: a module imports only from the lines above its own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "meganeura"
FILES = sorted(PACKAGE.rglob("*.py"))

LAYERS = [
    {"errors", "dtypes", "heap", "trace"},
    {"arguments", "config", "exclusive"},
    {"scalar"},
    {"kernel"},
    {"ir"},
    {"ops"},
    {"autodiff", "update", "initialize", "egraph", "nn", "load", "rounding"},
    {"plan", "codegen"},
    {"compiler"},
    {"report"},
    {"device"},
    {"verification"},
    {"runner"},
    {"session"},
    {"builders"},
    {"data", "models", "picture", "profiler"},
    {"train"},
    {"runs"},
    {"cli"},
]
FREE = {"__init__", "__main__"}
FENCES = {
    "safetensors": (),
    "egglog": ("egraph/",),
    "highspy": ("egraph/",),
    "llvmlite": ("device/cpu",),
    "wgpu": ("device/gpu",),
    "PIL": ("picture/", "data/images"),
    "rich": ("train/terminal",),
    "perfetto": ("profiler/",),
    "huggingface_hub": ("load/hub",),
    "torch": (),
    "jax": (),
    "scipy": (),
}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def unit(path: Path) -> str:
    """The part of the package a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> list[str]:
    """What a file imports, as absolute dotted names."""
    package = ("meganeura", *path.relative_to(PACKAGE).parts[:-1])
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            found.append(module)
            found += [f"{module}.{alias.name}" for alias in node.names]
    return found


def level(name: str) -> int:
    return next(i for i, layer in enumerate(LAYERS) if name in layer)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_modules_import_only_from_above(path: Path):
    mine = unit(path)
    if mine in FREE:
        return
    for module in imports(path):
        parts = module.split(".")
        if parts[0] != "meganeura" or len(parts) == 1 or parts[1] == mine:
            continue
        if not any(parts[1] in layer for layer in LAYERS):
            continue  # a name of the package itself, checked as its module's import
        assert level(parts[1]) < level(mine), f"{name_of(path)} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_module_has_a_layer(path: Path):
    assert unit(path) in FREE or any(unit(path) in layer for layer in LAYERS)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_third_parties_stay_behind_their_fences(path: Path):
    for module in imports(path):
        allowed = FENCES.get(module.split(".")[0])
        if allowed is not None:
            assert name_of(path).startswith(allowed), f"{name_of(path)} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_the_world_stays_behind_its_fences(path: Path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        where = f"{name_of(path)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv"):
            assert name_of(path) == "config.py", f"{where} reads the environment"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
            assert name_of(path).startswith("cli/"), f"{where} prints"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("eval", "exec"):
            raise AssertionError(f"{where} evaluates text")
        if isinstance(node, ast.Assert):
            raise AssertionError(f"{where} asserts: raise an error that says what is wrong")


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_import_inside_a_function(path: Path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inner = [n for n in ast.walk(node) if isinstance(n, (ast.Import, ast.ImportFrom))]
            assert not inner, f"{name_of(path)}: {node.name} imports"
