"""``meganeura devices``: what there is to run on, and what ``auto`` takes."""

from __future__ import annotations

import argparse

from ..config import read_config
from ..device import describe_gpus, has_gpu, open_device
from ..errors import DeviceError


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser(
        "devices",
        help="show the devices of this machine, and which one is taken",
        epilog="example: meganeura devices",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print all devices."""
    print(open_device("cpu").information())
    for line in _gpus():
        print(line)
    print(open_device("reference").information())
    print()
    print(f"auto: {_choice()}")


def _gpus() -> list[str]:
    try:
        found = describe_gpus()
    except DeviceError as error:
        return [f"gpu: none ({error.message}; {error.hint})"]
    lines = []
    for gpu in found:
        lines.append(str(gpu.information))
        lines += [f"    {name}: {value}" for name, value in gpu.facts.items()]
    return lines


def _choice() -> str:
    named = read_config().device
    if named != "auto":
        return f"{named}, which MEGANEURA_DEVICE names"
    if has_gpu():
        return "gpu, because there is one that is not software"
    return "cpu, because there is no GPU that is not software"
