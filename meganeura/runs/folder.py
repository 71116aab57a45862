"""The folder of a run: what it was started with, its numbers, pictures and checkpoints.

``config.json`` is written first, and everything else can be made anew or missing. Files are
replaced whole, except for ``metrics.jsonl``, which grows by lines: a last line that was cut off is
no line.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..arguments import field_types
from ..errors import FormatError, SessionError, did_you_mean
from ..load.files import (
    is_temporary,
    make_folder,
    parse_json,
    parse_object,
    quoted,
    read_file,
    write_atomically,
)
from ..train.trainer import BEST, LAST

T = TypeVar("T")
CONFIG = ("model", "version", "device", "parameters", "started", "settings")
"""The names in ``config.json``."""


@dataclass(frozen=True)
class RunFolder:
    """A folder with a run in it."""

    path: Path

    @staticmethod
    def named(path: Path | str | None, model: str) -> RunFolder:
        """The folder for a new run; None: one named by the model and the time, in ``runs``. It is
        made when the run starts."""
        if path is None:
            path = Path("runs") / f"{model}-{time.strftime('%Y%m%d-%H%M%S')}"
        folder = RunFolder(Path(path))
        try:
            is_empty = not folder.path.exists() or not any(folder.path.iterdir())
        except OSError as error:
            raise FormatError(f"{path} cannot be a run's folder: {error.strerror}") from None
        if not is_empty:
            raise SessionError(
                f"{path} is not empty, and nothing in it is overwritten",
                hint="name another folder, or go on with what is there by --resume",
            )
        return folder

    def make(self, is_new: bool) -> None:
        """Make the folder, and those in it. That of a new run is this run's alone, even if another
        was named so in the same moment."""
        make_folder(self.path)
        try:
            self.checkpoints.mkdir(exist_ok=not is_new)
        except FileExistsError:
            raise SessionError(f"another run has just begun in {self.path}") from None
        except OSError as error:
            raise FormatError(f"cannot write to {self.path}: {error.strerror}") from None
        make_folder(self.samples)

    def clean(self) -> None:
        """Remove what was being written when a run was killed."""
        for folder in (self.path, self.checkpoints, self.samples):
            for part in folder.glob(".*.tmp"):
                if is_temporary(part.name):
                    with contextlib.suppress(OSError):
                        part.unlink()

    @property
    def checkpoints(self) -> Path:
        """Where checkpoints lie."""
        return self.path / "checkpoints"

    @property
    def samples(self) -> Path:
        """Where sample grids lie."""
        return self.path / "samples"

    @property
    def metrics(self) -> Path:
        """The losses and validations, a line each."""
        return self.path / "metrics.jsonl"

    @property
    def last(self) -> Path:
        """The latest checkpoint."""
        return self.checkpoints / LAST

    def checkpoint(self, name: str) -> Path:
        """The checkpoint ``last`` or ``best``; without a best one, the last."""
        best = self.checkpoints / BEST
        return best if name == "best" and best.is_file() else self.last

    def write(self, name: str, content: bytes | str) -> Path:
        """Write a file of the folder, whole or not at all."""
        path = self.path / name
        write_atomically(path, content.encode() if isinstance(content, str) else content)
        return path

    def write_config(self, model: str, settings: Any, facts: Mapping[str, Any]) -> None:
        """Write what the run was started with."""
        config = {"model": model, **facts, "settings": asdict(settings)}
        self.write("config.json", json.dumps(config, indent=2) + "\n")

    def read_settings(self, model: str, kind: type[T]) -> T:
        """The settings of a run of a model, checked."""
        path = self.path / "config.json"
        found = parse_object(read_file(path), str(path))
        _check_names(path, found, CONFIG)
        settings = found.get("settings")
        if not isinstance(found.get("model"), str) or not isinstance(settings, dict):
            raise FormatError(f"{path} is damaged: it has no model, or no settings")
        if found["model"] != model:
            raise SessionError(f"{self.path} is a run of {quoted(found['model'])}, not of {model}")
        _check_names(path, settings, list(field_types(kind)))
        try:
            return kind(**settings)
        except SessionError as error:
            raise FormatError(f"{path} is damaged: {error.message}") from None

    def truncate_metrics(self, step: int) -> None:
        """Forget lines behind a step, from which a resumed run goes on, and what is no line."""
        if not self.metrics.exists():
            return
        kept = []
        for line in read_file(self.metrics).splitlines(keepends=True):
            try:
                found = parse_json(line)
                is_good = line.endswith(b"\n") and found["step"] <= step
            except (ValueError, KeyError, TypeError):
                is_good = False
            if is_good:
                kept.append(line)
        self.write("metrics.jsonl", b"".join(kept))


def _check_names(path: Path, found: Iterable[str], known: Sequence[str]) -> None:
    for name in found:
        if name not in known:
            raise FormatError(
                f"{path} has {quoted(name)}, which is not known", hint=did_you_mean(name, known)
            )
