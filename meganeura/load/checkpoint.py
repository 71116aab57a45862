"""Checkpoints: one safetensors file with named tensors and a description in JSON.

Reading checks the whole file, also by its checksum, and returns plain arrays; `match_leaves`
compares them with a graph before any is used.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from numpy.typing import DTypeLike

from ..arguments import narrowed
from ..dtypes import Array
from ..errors import FormatError
from ..ir.graph import Graph
from ..ops.leaf import Parameter, State
from .files import parse_json
from .safetensors import CHECKSUM, open_tensors, write_tensors

FORMAT = "meganeura-checkpoint"
VERSION = 2


def write_checkpoint(
    path: str | os.PathLike[str], tensors: Mapping[str, Array], description: Mapping[str, Any]
) -> None:
    """Write tensors and a description to ``path``, whole or not at all."""
    try:
        text = json.dumps(description)
        parse_json(text)  # what cannot be read back is not written
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"the extra data is not JSON: {error}") from None
    meta = {"format": FORMAT, "version": str(VERSION), "description": text}
    write_tensors(path, tensors, meta)


def read_checkpoint(path: str | os.PathLike[str]) -> tuple[dict[str, Array], dict[str, Any]]:
    """The tensors and the description in a checkpoint."""
    tensors = open_tensors(path)
    meta = tensors.metadata
    if meta.get("format") != FORMAT:
        raise FormatError(f"{path} is a safetensors file, but not a checkpoint")
    if meta.get("version") != str(VERSION):
        raise FormatError(
            f"{path} has version {meta.get('version')}, this program reads version {VERSION}"
        )
    if CHECKSUM not in meta:
        raise FormatError(f"{path} has no checksum, which every checkpoint has")
    try:
        description = parse_json(meta["description"])
    except (KeyError, ValueError):
        raise FormatError(f"{path}: the description is damaged") from None
    if not isinstance(description, dict):
        raise FormatError(f"{path}: the description is damaged")
    return {name: tensors.stored(name) for name in tensors.names()}, description


def match_leaves(
    path: str | os.PathLike[str], graph: Graph, tensors: Mapping[str, Array], dtype: DTypeLike
) -> dict[str, Array]:
    """The tensors of a checkpoint as the leaves of ``graph`` that persist; all that does not fit is
    told in one error."""
    leaves = [n for n in graph.nodes() if isinstance(n.op, (Parameter, State))]
    kept = {n.name: n for n in leaves if n.name is not None}
    problems = [f"missing: {name}" for name in kept if name not in tensors]
    problems += [f"unexpected: {name}" for name in tensors if name not in kept]
    for name, node in kept.items():
        found = tensors.get(name)
        if found is not None and (found.shape != node.ty.shape or found.dtype.kind != "f"):
            problems.append(f"{name} is {node.ty}, the file has {found.dtype}{list(found.shape)}")
    if problems:
        raise FormatError(f"{path} does not fit this graph:\n    " + "\n    ".join(problems))
    return {name: narrowed(tensors[name], dtype, f"{path}: {name}", FormatError) for name in kept}
