"""GPUs as wgpu finds them: which there are, which one to take, and what to ask it for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import Any

import wgpu
from wgpu.backends.wgpu_native import extras

from ..errors import DeviceError
from .base import DeviceInformation, Gpu

BACKENDS = ("Vulkan", "Metal", "DX12")
"""Not OpenGL, to which wgpu would fall back in silence, and whose limits are lower."""
KINDS = {"DiscreteGPU": 0, "IntegratedGPU": 1, "VirtualGPU": 2, "Unknown": 3, "CPU": 4}
"""Kinds of adapter, the best first; the last is software."""
WANTED = ("timestamp-query", "timestamp-query-inside-passes")
"""Features that are used where they are."""
PORTABLE_LIMITS = {
    "max-storage-buffers-per-shader-stage": 8,
    "max-storage-buffer-binding-size": 128 << 20,
    "max-buffer-size": 256 << 20,
    "max-compute-workgroup-storage-size": 16384,
    "max-compute-invocations-per-workgroup": 256,
    "max-compute-workgroup-size-x": 256,
    "max-compute-workgroups-per-dimension": 65535,
    "max-bind-groups": 4,
    "max-uniform-buffer-binding-size": 65536,
}
"""What every implementation of WebGPU has."""
INSTALL = "on Linux install a Vulkan driver (Debian: mesa-vulkan-drivers libvulkan1)"


@dataclass(frozen=True)
class Adapter:
    """One way to one GPU."""

    name: str
    kind: str
    backend: str
    driver: str
    handle: Any

    @property
    def is_software(self) -> bool:
        """Whether the processor does the work."""
        return self.kind == "CPU"

    def information(self) -> DeviceInformation:
        """What it is, for people."""
        software = ", software" if self.is_software else ""
        return DeviceInformation("gpu", "gpu", f"{self}, {self.driver}{software}")

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}, {self.backend})"


@cache
def _process() -> int:
    """The process in which GPUs were looked for: wgpu does not survive a fork."""
    return os.getpid()


@cache
def adapters() -> tuple[Adapter, ...]:
    """All adapters, the best first."""
    _process()
    extras.set_instance_extras(backends=list(BACKENDS))
    try:
        handles = wgpu.gpu.enumerate_adapters_sync()
    except RuntimeError as error:
        raise DeviceError(f"GPUs cannot be looked for: {error}", hint=INSTALL) from error
    found = []
    for handle in handles:
        info = handle.info
        kind, backend = info["adapter_type"], info["backend_type"]
        found.append(Adapter(info["device"], kind, backend, info["description"], handle))
    return tuple(sorted(found, key=lambda adapter: KINDS.get(adapter.kind, len(KINDS))))


def has_hardware() -> bool:
    """Whether there is a GPU that is not software."""
    return any(not adapter.is_software for adapter in adapters())


def _some_adapters() -> tuple[Adapter, ...]:
    """All adapters, of which there is one at least."""
    found = adapters()
    if not found:
        raise DeviceError("there is no GPU that wgpu can use", hint=f'{INSTALL}, or use "cpu"')
    return found


def choose_adapter(part: str) -> Adapter:
    """The best adapter whose name has ``part`` in it."""
    found = _some_adapters()
    if os.getpid() != _process():
        raise DeviceError(
            "GPUs were looked for before this process was forked, and cannot be reached from it",
            hint='start processes by "spawn", or use "cpu"',
        )
    for adapter in found:
        if part.lower() in f"{adapter} {adapter.driver}".lower():
            return adapter
    names = ", ".join(map(str, found))
    raise DeviceError(f'no GPU\'s name has "{part}" in it', hint=f"there is {names}")


def describe() -> list[Gpu]:
    """All GPUs, with what limits the kernels that are generated for them."""
    return [
        Gpu(adapter.information(), _facts(adapter.handle.limits, adapter.handle.features))
        for adapter in _some_adapters()
    ]


def _facts(limits: dict[str, int], features: set[str]) -> dict[str, str]:
    used = [name for name in WANTED if name in features]
    return {
        "largest buffer": f"{limits['max-buffer-size'] / 2**20:,.0f} MiB",
        "largest part seen at once": (
            f"{limits['max-storage-buffer-binding-size'] / 2**20:,.0f} MiB"
        ),
        "memory of a workgroup": f"{limits['max-compute-workgroup-storage-size'] // 1024} KiB",
        "invocations of a workgroup": str(limits["max-compute-invocations-per-workgroup"]),
        "features used": ", ".join(used) or "none",
        "features": ", ".join(sorted(features)),
    }


@cache
def open_adapter(adapter: Adapter, portable: bool) -> Any:
    """wgpu's device for an adapter, shared by all sessions: with all its limits, or with those and
    the features that every GPU has."""
    features = [] if portable else [name for name in WANTED if name in adapter.handle.features]
    limits = PORTABLE_LIMITS if portable else {}
    try:
        return adapter.handle.request_device_sync(
            label="meganeura", required_features=features, required_limits=limits
        )
    except RuntimeError as error:
        raise DeviceError(f"{adapter} cannot be opened: {error}") from error
