"""Devices, opened by name."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from ..config import read_config
from ..errors import DeviceError, did_you_mean
from .base import Device, Gpu
from .reference import ReferenceDevice

GPU_NODES = ("dri/renderD*", "nvidia[0-9]*", "dxg", "kfd", "mali*", "kgsl*")
"""What the drivers of GPUs put under /dev on Linux."""
NAMES = ("auto", "cpu", "gpu", "reference")


def _import(name: str) -> Any:
    """A device's module, so that what it needs is missed only by who asks for it."""
    try:
        return import_module(f"{__name__}.{name}")
    except ImportError as error:
        raise DeviceError(
            f"the {name.partition('_')[0]} device needs {error.name}",
            hint=f"pip install {error.name}",
        ) from None


def describe_gpus() -> list[Gpu]:
    """All GPUs of this machine, the best first."""
    found: list[Gpu] = _import("gpu_adapter").describe()
    return found


def has_gpu() -> bool:
    """Whether there is a GPU that is not software, and what it needs is installed. On Linux the
    kernel's files say at once that there is none; to load wgpu and ask it takes up to a second."""
    if sys.platform == "linux" and not any(
        path for node in GPU_NODES for path in Path("/dev").glob(node)
    ):
        return False
    try:
        return bool(_import("gpu_adapter").has_hardware())
    except DeviceError:
        return False


def open_device(name: str, cache: Path | str | None = None) -> Device:
    """The device called ``name``: a kind, and what it may say about itself behind a colon.

    ``auto`` is what ``MEGANEURA_DEVICE`` names, else the fastest device there is. ``cache`` is the
    folder for compiled code, None the one that the settings name."""
    if name == "auto":
        name = read_config().device
    kind, _, detail = name.partition(":")
    if kind == "reference":
        return ReferenceDevice(detail)
    if kind == "auto":
        kind = "gpu" if has_gpu() else "cpu"
    if kind == "gpu":
        return _import("gpu").GpuDevice(detail, cache)  # type: ignore[no-any-return]
    if kind == "cpu":
        return _import("cpu").CpuDevice(detail, cache)  # type: ignore[no-any-return]
    raise DeviceError(f'there is no device "{name}"', hint=did_you_mean(kind, NAMES))
