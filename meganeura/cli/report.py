"""``meganeura report``: build the page of a run anew."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..runs.page import write_page


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser(
        "report",
        help="build the page of a run anew",
        epilog="example: meganeura report runs/digits",
    )
    parser.add_argument("folder", metavar="RUN", help="the folder of the run")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Write the page."""
    print(write_page(Path(arguments.folder)))
