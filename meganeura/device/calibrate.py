"""A machine's own rates, measured once and kept: what the optimizer takes kernels to cost.

Nothing is measured unless it is asked for (`meganeura calibrate`): the built-in rates are good
enough to start with, and a graph gives the same plan as long as the rates are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import astuple

import msgspec
import numpy as np

from ..errors import DeviceError
from ..ir.graph import Value
from ..kernel.target import Rates
from ..ops.activation import Silu
from ..ops.graph import Graph
from .base import Device
from .cache import Entry

RUNS = 15
"""Runs of each kernel, of which the shortest counts."""
TRIES = 5
"""Times the rates are measured, if what else runs spoils them."""
LAUNCHES = 200
NEAR, FAR = (1 << 20) // 4, (64 << 20) // 4
"""Elements of values that a cache holds, and that it does not."""


def read_rates(entry: Entry) -> Rates | None:
    """The rates that are kept there; None if there are none that make sense."""
    content = entry.read()
    if content is None:
        return None
    try:
        rates = msgspec.json.decode(content, type=Rates)
    except msgspec.DecodeError:
        return None
    return rates if _make_sense(rates) else None


def _make_sense(rates: Rates) -> bool:
    return all(0 < rate < math.inf for rate in astuple(rates))


def calibrate(device: Device, entry: Entry) -> Rates:
    """Measure a device's rates, and keep them."""
    rates = next(filter(_make_sense, (measure(device) for _ in range(TRIES))), None)
    if rates is None:
        raise DeviceError(
            f"the machine is too busy to be measured: one kernel took less time than a part of it, "
            f"{TRIES} times",
            hint="measure while nothing else runs",
        )
    if not entry.write(msgspec.json.encode(rates)):
        raise DeviceError(
            f"the rates cannot be kept in {entry.folder}",
            hint="let MEGANEURA_CACHE name a folder that you can write to",
        )
    return rates


def measure(device: Device) -> Rates:
    """A device's rates, from the time that kernels take which do little else."""
    launch_ns = _least_ns(device, _launches) / LAUNCHES
    near = 12 * NEAR / (_least_ns(device, lambda g: _added(g, NEAR)) - launch_ns)
    far = 12 * FAR / (_least_ns(device, lambda g: _added(g, FAR)) - launch_ns)
    work_ns = _least_ns(device, _curved) - launch_ns - 8 * NEAR / near
    products_ns = _least_ns(device, _convolved) - launch_ns
    return Rates(
        launch_ns,
        near,
        far,
        NEAR * Silu().operations(1) / work_ns,
        SHARE * BATCH * IMAGE**2 * CHANNELS**2 * 9 / products_ns,
    )


BATCH, IMAGE, CHANNELS = 4, 32, 32
SHARE = 0.75
"""What convolutions of a network reach of the speed of one that suits a machine."""


def _launches(g: Graph) -> Value:
    """Kernels that do nothing much, one after another."""
    x = g.input("x", (8,))
    for _ in range(LAUNCHES):
        x = g.neg(x)
    return x


def _added(g: Graph, size: int) -> Value:
    return g.input("x", (size,)) + g.input("y", (size,))


def _curved(g: Graph) -> Value:
    return g.silu(g.input("x", (NEAR,)))


def _convolved(g: Graph) -> Value:
    images = g.input("x", (BATCH, CHANNELS, IMAGE, IMAGE))
    return g.conv2d(images, g.input("w", (CHANNELS, CHANNELS, 3, 3)), padding=1)


def _least_ns(device: Device, build: Callable[[Graph], Value]) -> float:
    """The least time that all kernels of a graph take together, as they are."""
    g = Graph()
    g.set_outputs([build(g)])
    program = device.compile(g, None)
    for node in g.nodes():
        if node.name is not None:
            program.write(node.name, np.ones(node.ty.shape, np.float32))
    program.run()
    times = [sum(program.time_dispatches()) for _ in range(RUNS)]
    program.close()
    return float(min(times))
