"""Models from the HuggingFace Hub, by way of its own package and its cache."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from ..arguments import checked
from ..errors import FormatError
from .weights import ENDING, find_weights, parts_of

PATTERNS = ["*.safetensors", "*.json", "*.txt"]
"""The files that are fetched: weights, and what describes them."""


@checked
def download(repository: str, revision: str | None = None) -> Path:
    """The folder with the files of a model (``"owner/name"``), for `read_weights`.

    What is in the cache is taken from there, and nobody is asked whether it is the latest; else it
    is downloaded. A ``revision`` is a branch, a tag or a commit, by default the main branch."""
    try:
        fetch = import_module("huggingface_hub").snapshot_download
    except (ImportError, AttributeError):
        raise FormatError(
            f"to get {repository} the package huggingface_hub is needed",
            hint="pip install 'meganeura[hub]'",
        ) from None
    try:
        folder = _cached(fetch, repository, revision) or Path(
            fetch(repository, revision=revision, allow_patterns=PATTERNS)
        )
    except Exception as error:  # of kinds that are the network library's, and change with it
        reason = " ".join(str(error).split()) or type(error).__name__
        at = "" if revision is None else f" at {revision}"
        raise FormatError(
            f"cannot get {repository}{at}: {reason}",
            hint='a name is "owner/name"; without a network only what is cached can be had',
        ) from None
    if not _has_weights(folder):  # without a network the package gives what there is
        raise FormatError(f"{repository} has no whole weights in files *{ENDING}: see {folder}")
    return folder


def _cached(fetch: Any, repository: str, revision: str | None) -> Path | None:
    """The folder of a model in the cache, if its weights are there."""
    try:
        found = Path(
            fetch(repository, revision=revision, allow_patterns=PATTERNS, local_files_only=True)
        )
    except FileNotFoundError:
        return None
    return found if _has_weights(found) else None


def _has_weights(folder: Path) -> bool:
    """Whether a folder has all that its index names, or else any weights: a download may have been
    stopped, or one of other files. Some models are in subfolders."""
    try:
        weights = find_weights(folder)
        if weights.suffix == ".json":
            parts_of(weights)
    except FormatError:
        return not any(folder.glob(f"*{ENDING}*")) and any(folder.glob(f"*/*{ENDING}"))
    return True
