"""``meganeura train``: train a model that comes along, in a folder that keeps everything."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import SessionError
from ..runs.folder import RunFolder
from ..runs.job import Job
from ..runs.mnist import MnistJob
from ..runs.unet import UnetJob
from ..train.callbacks import TrainHistory
from .options import add_options, given

JOBS: dict[str, tuple[type[Job[Any]], str]] = {
    "sd-unet": (UnetJob, "a U-Net that learns to draw images, by flow matching"),
    "mnist": (MnistJob, "a two-layer network that learns to tell handwritten digits"),
}


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser(
        "train",
        help="train a model: watch it, stop it, resume it",
        epilog="example: meganeura train sd-unet --steps 500 --out runs/digits",
    )
    models = parser.add_subparsers(required=True, metavar="MODEL")
    for name, (job, words) in JOBS.items():
        model = models.add_parser(
            name, help=words, description=f"Train {words}.", epilog=_example(name)
        )
        model.add_argument("--out", metavar="FOLDER", help="a new folder for the run")
        model.add_argument("--resume", metavar="RUN", help="go on with the run in this folder")
        add_options(model, job.kind)
        model.set_defaults(run=run, job=job)


def _example(name: str) -> str:
    return f"examples: meganeura train {name}; meganeura train {name} --resume runs/first"


INTERRUPTED = 130
"""The exit code of a run that was stopped by Ctrl-C, as shells have it."""


def run(arguments: argparse.Namespace) -> int:
    """Train, or go on training."""
    kind: type[Job[Any]] = arguments.job
    changed = given(arguments, kind.kind)
    if arguments.resume is None:
        settings = kind.kind(**changed)
        folder = RunFolder.named(arguments.out, kind.model)
        job = kind(settings, folder, __version__)
        print(f"run: {folder.path}", flush=True)
        history = job.start()
    else:
        if changed or arguments.out is not None:
            raise SessionError(
                "a resumed run keeps its settings and its folder",
                hint="give --resume alone",
            )
        folder = RunFolder(Path(arguments.resume))
        job = kind(folder.read_settings(kind.model, kind.kind), folder, __version__)
        print(f"run: {folder.path}", flush=True)
        history = job.resume()
    _tell(kind.model, folder, job, history)
    return INTERRUPTED if history.interrupted else 0


def _tell(model: str, folder: RunFolder, job: Job[Any], history: TrainHistory) -> None:
    if job.settings.verify and history.losses:
        print(job.session.verification(), end="")
    grid = job.latest_samples() if isinstance(job, UnetJob) else None
    if grid is not None:
        print(f"samples: {grid}")
    print(f"report: {folder.path / 'report.html'}")
    if history.interrupted:
        step = job.trainer.position.step
        print(f"stopped after step {step}; go on with: ", end="")
        print(f"meganeura train {model} --resume {folder.path}")
