"""The ``meganeura`` command: its subcommands, and how errors end it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ..errors import MeganeuraError
from . import bench, calibrate, devices, inspect, report, sample, train
from .train import INTERRUPTED


def build_parser() -> argparse.ArgumentParser:
    """The command line: its options, and a parser for each subcommand."""
    parser = argparse.ArgumentParser(prog="meganeura", description="Train and run static graphs.")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (train, sample, report, bench, inspect, devices, calibrate):
        command.add_command(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand, which may give an exit code; a mistake of the user's is one line and a
    non-zero exit code."""
    parsed = build_parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed) or 0)
    except BrokenPipeError:  # the reader (head, less) has seen enough
        sys.stderr.close()
        return 0
    except (MeganeuraError, MemoryError, KeyboardInterrupt, OSError, UnicodeError) as error:
        if parsed.debug:
            raise
        words, code = _last_words(error)
        print(f"meganeura: {words}", file=sys.stderr)
        return code


def _last_words(error: BaseException) -> tuple[str, int]:
    """What is said of an error, and the exit code."""
    if isinstance(error, MeganeuraError):
        return error.message, 1
    if isinstance(error, (OSError, UnicodeError)):
        return str(error), 1
    if isinstance(error, MemoryError):
        return "there is not enough memory for this", 1
    return "interrupted", INTERRUPTED
