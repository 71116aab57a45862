"""``meganeura sample``: let a trained U-Net draw."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import SessionError
from ..load.files import write_atomically
from ..runs.folder import RunFolder
from ..runs.unet import sample

MOST = 10_000
"""Of anything that can be asked for: a grid of more is no picture."""


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser(
        "sample",
        help="draw images with a trained U-Net",
        epilog="example: meganeura sample runs/digits --out digits.png --seed 7",
    )
    parser.add_argument("folder", metavar="RUN", help="the folder of the run")
    parser.add_argument("--out", metavar="FILE.png", default="samples.png", help="what to write")
    parser.add_argument("--count", type=int, default=64, help="images (default: 64)")
    parser.add_argument("--steps", type=int, default=20, help="from noise to image (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="other images for each (default: 1)")
    parser.add_argument("--checkpoint", choices=["best", "last"], default="last")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--force", action="store_true", help="overwrite the file if there is one")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Draw, and write the grid."""
    for name, least in (("count", 1), ("steps", 1), ("seed", 0)):
        if not least <= getattr(arguments, name) <= MOST:
            raise SessionError(f"--{name} must be from {least} to {MOST:,}")
    out = Path(arguments.out)
    if out.exists() and not arguments.force:
        raise SessionError(f"{out} exists, and is not overwritten without --force")
    grid = sample(
        RunFolder(Path(arguments.folder)),
        arguments.checkpoint,
        arguments.count,
        arguments.steps,
        arguments.seed,
        arguments.device,
    )
    write_atomically(out, grid)
    print(out)
