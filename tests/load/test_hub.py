"""Models from the Hub, with a package in its place that has a cache and no network."""

from __future__ import annotations

import json
import sys
from importlib import import_module

import numpy as np
import pytest
from safetensors.numpy import save_file

from meganeura import FormatError, MeganeuraError
from meganeura.load.hub import download
from meganeura.load.weights import read_weights

PACKAGE = """
from pathlib import Path

CALLS, CACHE, NET = [], {}, {}

class LocalEntryNotFoundError(FileNotFoundError, ValueError):
    pass

def snapshot_download(repo_id, *, revision=None, allow_patterns=None, local_files_only=False):
    CALLS.append((repo_id, revision, local_files_only))
    if repo_id.count("/") != 1:
        raise ValueError("Repo id must be\\n  'namespace/repo_name'")
    found = CACHE.get((repo_id, revision))
    if found is None and local_files_only:
        raise LocalEntryNotFoundError("not in the cache")
    found = found if local_files_only else NET.get((repo_id, revision), found)
    if found is None:
        raise RuntimeError("Name or service not known")
    return str(found)
"""


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """The stand-in for the package, imported as it is by `download`."""
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "huggingface_hub.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.delitem(sys.modules, "huggingface_hub", raising=False)
    yield import_module("huggingface_hub")
    sys.modules.pop("huggingface_hub", None)


def model(folder, *files: str, index: dict[str, str] | None = None):
    """A folder with these files, each of one tensor."""
    folder.mkdir()
    for file in files:
        (folder / file).parent.mkdir(exist_ok=True)
        save_file({"t": np.ones(2, "f4")}, folder / file)
    (folder / "config.json").write_text("{}")
    if index is not None:
        text = json.dumps({"weight_map": index})
        (folder / "model.safetensors.index.json").write_text(text)
    return folder


def test_what_is_cached_is_taken_without_a_network(hub, tmp_path):
    hub.CACHE["me/tiny", None] = folder = model(tmp_path / "m", "model.safetensors")
    assert download("me/tiny") == folder
    assert hub.CALLS == [("me/tiny", None, True)]
    assert read_weights(download("me/tiny")).names() == ["t"]


def test_what_is_not_cached_is_fetched(hub, tmp_path):
    hub.NET["me/tiny", "v1"] = folder = model(tmp_path / "m", "model.safetensors")
    assert download("me/tiny", revision="v1") == folder
    assert hub.CALLS == [("me/tiny", "v1", True), ("me/tiny", "v1", False)]


@pytest.mark.parametrize("kind", ["no weights", "a part missing"])
def test_what_is_cached_in_part_is_fetched(hub, tmp_path, kind):
    if kind == "no weights":
        hub.CACHE["me/tiny", None] = model(tmp_path / "part")
    else:
        index = {"t": "a.safetensors", "u": "b.safetensors"}
        hub.CACHE["me/tiny", None] = model(tmp_path / "part", "a.safetensors", index=index)
    with pytest.raises(FormatError, match="me/tiny has no whole weights"):
        download("me/tiny")  # the package gives the part when it cannot get the rest
    hub.NET["me/tiny", None] = folder = model(tmp_path / "whole", "model.safetensors")
    assert download("me/tiny") == folder


def test_weights_in_subfolders_are_weights(hub, tmp_path):
    hub.CACHE["me/unet", None] = folder = model(tmp_path / "m", "unet/weights.safetensors")
    assert download("me/unet") == folder
    assert hub.CALLS == [("me/unet", None, True)]


def test_without_a_network_it_is_said_in_one_line(hub):
    with pytest.raises(FormatError) as caught:
        download("me/tiny", "v1")
    assert caught.value.message == "cannot get me/tiny at v1: Name or service not known"
    with pytest.raises(FormatError) as caught:
        download("me and you")
    assert caught.value.message == ("cannot get me and you: Repo id must be 'namespace/repo_name'")


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(FormatError, match=r"pip install 'meganeura\[hub\]'"):
        download("me/tiny")


@pytest.mark.parametrize("repository", [None, 5, ["me/tiny"]])
def test_a_name_must_be_text(repository):
    with pytest.raises(MeganeuraError, match="repository"):
        download(repository)
