"""Weights in files as HuggingFace lays them out, for the parameters of a graph and back.

A linear weight is ``[out, in]`` in such a file and ``[in, out]`` in a graph; all else is the same
in both. Which parameters are linear weights is declared by the graph, never guessed, and a file
that we wrote says which of its tensors lie transposed: it is read so whatever the graph declares.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import checked, require, shown
from ..dtypes import Array
from ..errors import FormatError
from ..ir.graph import Graph, Node
from ..ir.interpret import check_array
from ..ir.types import Shape
from ..ops.leaf import LAYOUTS, Parameter
from .checkpoint import FORMAT
from .files import as_path, list_folder, parse_object, quoted, read_file
from .safetensors import FLOATS, METADATA, Entry, Tensors, open_tensors, write_tensors

Rename = Mapping[str, str] | Callable[[str], str]

ENDING = ".safetensors"
INDEX = "model.safetensors.index.json"
WRITTEN_AS = {"format": "pt"}
"""What transformers asks a file to say of itself: that tensors lie as PyTorch's do."""
LAYOUT_KEY = "meganeura.layouts"
"""Where in a file's metadata the layout of each of its tensors stands, as a JSON object."""
SUGGESTIONS = 8
"""Missing names for which a near one is looked for: to compare all with all can take seconds."""


# Files


@checked
def read_weights(path: str | os.PathLike[str]) -> Tensors:
    """The tensors of a model: of a safetensors file, of the index of a model in several files
    (``model.safetensors.index.json``), or of a folder that has one of these."""
    path = find_weights(path)
    return _read_parts(path) if path.suffix == ".json" else _open(path)


def find_weights(path: str | os.PathLike[str]) -> Path:
    """The file that is or names the weights: a path itself, or what is in the folder it names."""
    path = as_path(path)
    if not os.path.isdir(path):
        return path
    names = list_folder(path)
    for ending in (ENDING + ".index.json", ENDING):
        found = [name for name in names if name.endswith(ending)]
        if INDEX in found or len(found) == 1:
            return path / (INDEX if INDEX in found else found[0])
        if found:
            raise FormatError(
                f"{path} has {len(found)} files *{ending} and no {INDEX}",
                hint="name one of them: " + ", ".join(found[:SUGGESTIONS]),
            )
    raise FormatError(f"{path} has no file *{ENDING}")


def parts_of(index: Path) -> dict[str, str]:
    """For each tensor of a model in several files, the name of its file, which is there."""
    files = parse_object(read_file(index), str(index)).get("weight_map")
    if not isinstance(files, dict) or not files:
        raise FormatError(f'{index} has no "weight_map" that gives each tensor a file')
    for name, file in files.items():
        if not isinstance(file, str) or not _is_plain(file):
            raise FormatError(
                f"{index}: tensor {quoted(name)} is in {shown(file)}, "
                "which is no name of a file beside it"
            )
    missing = [f for f in sorted(set(files.values())) if not os.path.isfile(index.parent / f)]
    _refuse([f"missing: {file}" for file in missing], f"{index} names files that are not there")
    return files


def _read_parts(index: Path) -> Tensors:
    """The tensors of a model in several files. The files and the index must agree."""
    files = parts_of(index)
    parts = {file: _open(index.parent / file) for file in sorted(set(files.values()))}
    problems = [
        f"{file} lacks {quoted(name)}" for name, file in files.items() if name not in parts[file]
    ]
    problems += [
        f"{file} has {quoted(name)}, which the index does not place there"
        for file, part in parts.items()
        for name in part.names()
        if files.get(name) != file
    ]
    _refuse(problems, f"{index} does not fit its files")
    entries: dict[str, Entry] = {name: parts[file].entry(name) for name, file in files.items()}
    layouts = {name: kind for part in parts.values() for name, kind in _layouts(part).items()}
    return Tensors(index, entries, {LAYOUT_KEY: json.dumps(layouts)} if layouts else {})


def _is_plain(name: str) -> bool:
    """Whether a file of this name lies in the folder it is looked for in, on any system."""
    parts = {PurePosixPath(name).name, PureWindowsPath(name).name}
    return parts == {name} and name not in ("", "..") and name.isprintable()


def _open(path: Path) -> Tensors:
    tensors = open_tensors(path)
    if tensors.metadata.get("format") == FORMAT:
        raise FormatError(f"{path} is a session's checkpoint", hint="use load_checkpoint")
    known = set(tensors.names())
    for name, layout in _layouts(tensors).items():
        fits = name in known and (layout != "linear" or len(tensors.shape(name)) == 2)
        if layout not in LAYOUTS or not fits:
            raise FormatError(
                f"{path}: {LAYOUT_KEY} says that {quoted(name)} is {shown(layout)}; it is not",
                hint="whoever changed the file must drop or mend its metadata",
            )
    return tensors


def _layouts(tensors: Tensors) -> dict[str, str]:
    """The layouts that files of ours say their tensors have; others say nothing."""
    text = tensors.metadata.get(LAYOUT_KEY, "{}")
    return parse_object(text.encode("utf-8", "surrogatepass"), f"{tensors.path}: {LAYOUT_KEY}")


# Parameters


@dataclass(frozen=True)
class Place:
    """A parameter's place in a file."""

    node: Node
    name: str
    """The tensor's name."""
    layout: str | None
    """How the tensor lies, as far as the file and the graph tell."""

    @property
    def turned(self) -> bool:
        """Whether the tensor is the parameter transposed."""
        return self.layout == "linear"

    @property
    def shape(self) -> Shape:
        """The tensor's shape."""
        return self.node.ty.shape[::-1] if self.turned else self.node.ty.shape

    def is_ambiguous(self) -> bool:
        """Whether the tensor fits either way round, and nothing says which."""
        shape = self.node.ty.shape
        return self.layout is None and len(shape) == 2 and shape[0] == shape[1] > 1

    def turn(self, array: Array) -> Array:
        """The tensor from the parameter's value, or that from the tensor."""
        return np.asarray(array.T if self.turned else array, order="C")


@checked
def match_weights(
    graph: Graph,
    tensors: Tensors,
    rename: Rename | None = None,
    *,
    strict: bool = True,
    finite: bool = False,
) -> dict[str, Array]:
    """A float32 array in the graph's shape for each of its parameters.

    ``rename`` gives names in the file for names in the graph: a function, or beginnings of names
    and what stands in their place (the longest counts; ``{"": "model."}`` puts it before all).
    One tensor may serve several parameters.

    All tensors that are missing, unexpected or of a wrong shape or type are told in one error. With
    ``strict=False`` some may be missing (the result has no such parameter) or unexpected, but what
    is there must fit, and something must be there. ``finite`` refuses NaN and infinities, which
    else are data like any other.

    How a tensor lies is said by the parameter's declaration, or by a file of `save_weights`. A
    square matrix of which neither says it, or each something else, is refused."""
    places = _places(graph, rename, tensors)
    found = {name: place for name, place in places.items() if place.name in tensors}
    problems = [
        f"{name} is {place.node.ty}, for which the file must have F32{list(place.shape)}; "
        f"it has {tensors.entry(place.name)}"
        for name, place in found.items()
        if tensors.shape(place.name) != place.shape or tensors.dtype(place.name) not in FLOATS
    ]
    problems += [
        f"{name} is {place.node.ty}: it is not declared, or the file says otherwise, whether the "
        "file has it transposed"
        for name, place in found.items()
        if place.is_ambiguous()
    ]
    hint = _layout_hint(tensors, found)
    if strict or (places and not found):
        taken = {place.name for place in places.values()}
        missing = {name: place.name for name, place in places.items() if name not in found}
        unexpected = [name for name in tensors.names() if name not in taken]
        renames = None if rename else _rename_hint(list(missing), unexpected)
        hint = renames or hint
        problems = [
            *_missing(missing, unexpected if renames is None else ()),
            *(f"unexpected: {_plain(name)}" for name in unexpected),
            *problems,
        ]
    _refuse(problems, f"{tensors.path} does not fit this graph", hint)
    return {
        name: place.turn(tensors.array(place.name, finite=finite)) for name, place in found.items()
    }


@checked
def save_weights(
    path: str | os.PathLike[str],
    graph: Graph,
    arrays: Mapping[str, ArrayLike],
    rename: Rename | None = None,
) -> None:
    """Write an array for each parameter of the graph to one safetensors file, in float32 and laid
    out as HuggingFace does, whole or not at all. ``rename`` is as for `match_weights`."""
    tensors: dict[str, Array] = {}
    layouts: dict[str, str] = {}
    for name, place in _places(graph, rename).items():
        if name not in arrays:
            raise FormatError(f"cannot write {path}: there is no value for {place.node}")
        if place.name in tensors or place.name == METADATA:
            raise FormatError(
                f"cannot write {path}: {name} cannot be named {quoted(place.name)}, which is taken"
            )
        tensors[place.name] = place.turn(check_array(place.node, arrays[name]))
        layouts[place.name] = place.layout or "plain"
    write_tensors(path, tensors, {**WRITTEN_AS, LAYOUT_KEY: json.dumps(layouts)})


def _places(
    graph: Graph, rename: Rename | None, tensors: Tensors | None = None
) -> dict[str, Place]:
    """Where each parameter is in a file, or in ``tensors``, and how it lies there."""
    layouts = {} if tensors is None else _layouts(tensors)
    places: dict[str, Place] = {}
    for node in graph.nodes():
        if isinstance(node.op, Parameter):
            name, layout = _renamed(node.op.label, rename), node.op.layout
            stored = layouts.get(name)
            if tensors is not None and stored is not None and stored != layout:
                layout = stored if layout is None else _told_by_shape(node, tensors.shape(name))
            places[node.op.label] = Place(node, name, layout)
    return places


def _told_by_shape(node: Node, shape: Shape) -> str | None:
    """How a tensor of that shape must lie where the file and the graph differ; None: a square may
    be a weight declared anew, or a table that is now a weight too."""
    if shape == shape[::-1]:
        return None
    return "linear" if shape == node.ty.shape[::-1] else "plain"


def _renamed(name: str, rename: Rename | None) -> str:
    if rename is None:
        return name
    if callable(rename):
        result: str = require(rename(name), str, f"what rename gives for {name}", FormatError)
        return result
    fitting = [require(old, str, "a beginning in rename", FormatError) for old in rename]
    old = max((old for old in fitting if name.startswith(old)), key=len, default=None)
    if old is None:
        return name
    new: str = require(rename[old], str, f"what rename gives for {quoted(old)}", FormatError)
    return new + name.removeprefix(old)


# Errors


def _refuse(problems: Sequence[str], what: str, hint: str | None = None) -> None:
    if problems:
        raise FormatError(f"{what}:\n    " + "\n    ".join(problems), hint=hint)


def _plain(name: str) -> str:
    """A name without quotes, if it can be told from the words around it."""
    return name if name.isprintable() and " " not in name else quoted(name)


def _missing(missing: Mapping[str, str], unexpected: Sequence[str]) -> list[str]:
    """A line for each parameter that is not in a file, with the tensor that may be meant."""
    lines = []
    for number, (name, source) in enumerate(missing.items()):
        near = get_close_matches(source, unexpected, 1) if number < SUGGESTIONS else []
        sought = "" if source == name else f" (as {quoted(source)})"
        meant = "".join(f'; did you mean "{found}"?' for found in near)
        lines.append(f"missing: {_plain(name)}{sought}{meant}")
    return lines


def _layout_hint(tensors: Tensors, found: Mapping[str, Place]) -> str | None:
    """A remedy where a matrix would fit, or may lie, the other way round."""
    for name, place in found.items():
        if place.node.ty.rank() != 2:
            continue
        turned = tensors.shape(place.name) == place.shape[::-1] != place.shape
        if place.is_ambiguous() or (turned and place.layout is None):
            shape = list(place.node.ty.shape)
            return (
                f'declare how it lies: g.parameter("{name}", {shape}, layout="linear") for a weight'
                ' [in, out] that the file has as [out, in], layout="plain" for one that lies as '
                "in the graph"
            )
    return None


def _rename_hint(missing: Sequence[str], unexpected: Sequence[str]) -> str | None:
    """A remedy where all that is missing is there under names with another beginning."""
    there = set(unexpected)
    for name in unexpected if missing else ():
        old = missing[0].removesuffix(name) if missing[0].endswith(name) else ""
        new = name.removesuffix(missing[0]) if name.endswith(missing[0]) else ""
        fits = (m.startswith(old) and new + m.removeprefix(old) in there for m in missing)
        if (old or new) and all(fits):
            return f'names begin otherwise in the file: pass rename={{"{old}": "{new}"}}'
    return None
