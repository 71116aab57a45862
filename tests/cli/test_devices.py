"""``meganeura devices``."""

from __future__ import annotations

import sys

import pytest

from meganeura.cli import devices
from meganeura.cli.main import main
from meganeura.device import gpu_adapter
from tests.helpers.devices import needs_gpu


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["devices"]) == 0
    return capsys.readouterr().out


@needs_gpu
def test_all_devices_are_listed_with_what_limits_kernels(capsys):
    text = printed(capsys)
    assert text.startswith("cpu (cpu): ") and "\nreference (reference): " in text
    assert f"\ngpu (gpu): {gpu_adapter.adapters()[0]}" in text
    assert "    largest buffer: " in text and "    features used: " in text


@pytest.mark.parametrize(
    ("named", "has_gpu", "words"),
    [
        ("auto", False, "auto: cpu, because there is no GPU that is not software"),
        ("auto", True, "auto: gpu, because there is one that is not software"),
        ("reference", True, "auto: reference, which MEGANEURA_DEVICE names"),
    ],
)
def test_it_says_what_auto_takes_and_why(named, has_gpu, words, capsys, monkeypatch):
    monkeypatch.setenv("MEGANEURA_DEVICE", named)
    monkeypatch.setattr(devices, "has_gpu", lambda: has_gpu)
    assert printed(capsys).splitlines()[-1] == words


def test_a_machine_without_a_gpu_is_told_what_to_install(capsys, monkeypatch):
    monkeypatch.setattr(gpu_adapter, "adapters", tuple)
    text = printed(capsys)
    assert "gpu: none (there is no GPU that wgpu can use; " in text
    assert "mesa-vulkan-drivers" in text


def test_a_machine_without_wgpu_is_told_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "meganeura.device.gpu_adapter", None)
    assert "gpu: none (the gpu device needs " in printed(capsys)
