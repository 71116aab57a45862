"""``meganeura calibrate``: measure how fast this machine is, for the optimizer's costs."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from ..device.calibrate import calibrate
from ..device.cpu import CpuDevice
from ..errors import DeviceError
from ..kernel.target import CPU_RATES


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser(
        "calibrate",
        help="measure this machine, so that the optimizer knows what its kernels cost",
        epilog="example: meganeura calibrate",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure, keep and print the rates of the processor."""
    device = CpuDevice("")
    entry = device.rates_entry()
    if entry is None:
        raise DeviceError(
            "there is no folder to keep the rates in: MEGANEURA_CACHE is off, or there is no home",
            hint="let MEGANEURA_CACHE name a folder",
        )
    found = asdict(calibrate(device, entry))
    print(f"{device.information()}\n\n{'':<20}{'built in':>12}{'measured':>12}")
    for name, value in asdict(CPU_RATES).items():
        print(f"{name:<20}{value:>12.1f}{found[name]:>12.1f}")
    print(f"\nkept in {entry.path()}")
