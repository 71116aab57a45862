"""Devices, opened by name."""

from __future__ import annotations

from ..config import read_config
from ..errors import DeviceError, did_you_mean
from .base import Device
from .reference import ReferenceDevice

NAMES = ("auto", "reference")


def open_device(name: str) -> Device:
    """The device called ``name``: a kind, and what it may say about itself behind a colon.

    ``auto`` is what ``MEGANEURA_DEVICE`` names, else the fastest device there is."""
    if name == "auto":
        name = read_config().device
    kind, _, detail = name.partition(":")
    match kind:
        case "auto" | "reference":
            return ReferenceDevice(detail)
    raise DeviceError(f'there is no device "{name}"', hint=did_you_mean(kind, NAMES))
