"""The devices that tests run on, and why some cannot be."""

from __future__ import annotations

import os

import pytest

from meganeura.device.gpu_adapter import adapters
from meganeura.errors import DeviceError

# Mesa's software GPU starts threads for each of many small dispatches, and looks for a screen,
# unless it is told not to before it is first looked for.
os.environ.setdefault("LP_NUM_THREADS", "0")
os.environ.setdefault("NODEVICE_SELECT", "1")

REQUIRED = "MEGANEURA_TEST_GPU"
"""Set to 1 where a GPU must be there, so that its tests fail instead of being skipped."""


def _why_no_gpu() -> str:
    """Why tests on a GPU are skipped; nothing if they are not."""
    if os.environ.get(REQUIRED) == "1":
        return ""
    try:
        found = adapters()
    except DeviceError as error:
        return error.message
    return "" if found else "no GPU, and no software for one: install mesa-vulkan-drivers"


WHY_NO_GPU = _why_no_gpu()
needs_gpu = pytest.mark.skipif(bool(WHY_NO_GPU), reason=WHY_NO_GPU)
CPUS = ["cpu:8", "cpu:16", "cpu:baseline"]
"""Vectors of eight and of sixteen lanes, whatever this processor has; the last is compiled for the
oldest processor of its kind: no AVX, vectors of four."""
GPUS = [pytest.param(name, marks=needs_gpu) for name in ("gpu", "portable gpu")]
"""The second asks for nothing that not every GPU has."""
DEVICES = [*CPUS, *GPUS]


@pytest.fixture
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A device's name; the environment makes a GPU a portable one."""
    monkeypatch.setenv("MEGANEURA_PORTABLE", "1" if request.param == "portable gpu" else "0")
    return request.param.removeprefix("portable ")


on_all_devices = pytest.mark.parametrize("device", DEVICES, indirect=True)
on_gpus = pytest.mark.parametrize("device", GPUS, indirect=True)
