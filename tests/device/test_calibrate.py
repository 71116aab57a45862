"""A machine's own rates: measured when asked for, kept, and believed only if they make sense."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import msgspec
import pytest

from meganeura.cli.main import main
from meganeura.device.cache import Entry
from meganeura.device.calibrate import calibrate, read_rates
from meganeura.device.cpu import CpuDevice
from meganeura.errors import DeviceError
from meganeura.kernel.target import CPU_RATES, Rates


def test_rates_are_measured_kept_and_used(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setenv("MEGANEURA_CACHE", str(tmp_path))
    assert CpuDevice("").target.rates == CPU_RATES
    assert main(["calibrate"]) == 0
    assert "products_per_ns" in capsys.readouterr().out
    found = CpuDevice("").target.rates
    assert found != CPU_RATES
    # Within what any machine that runs this could be.
    for ours, built_in in zip(astuple(found), astuple(CPU_RATES), strict=True):
        assert built_in / 100 < ours < built_in * 100


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[1, 2]",
        msgspec.json.encode(Rates(-1.0, 1.0, 1.0, 1.0, 1.0)),
        msgspec.json.encode(Rates(0.0, 1.0, 1.0, 1.0, 1.0)),
        b'{"launch_ns": 1e999, "bytes_per_ns": 1, "far_bytes_per_ns": 1, '
        b'"operations_per_ns": 1, "products_per_ns": 1}',
    ],
)
def test_rates_that_make_no_sense_are_not_believed(tmp_path: Path, content: bytes):
    entry = Entry(tmp_path, ("this machine",), "rates-")
    assert read_rates(entry) is None
    assert entry.write(content)
    assert read_rates(entry) is None
    entry.path().write_bytes(b"no code\n" + content)
    assert read_rates(entry) is None


def test_rates_that_make_no_sense_are_measured_again(tmp_path: Path, monkeypatch):
    spoiled, sound = Rates(1.0, 1.0, 1.0, -1.0, 1.0), Rates(1.0, 2.0, 3.0, 4.0, 5.0)
    measured = iter([spoiled, sound] + [spoiled] * 5)
    monkeypatch.setattr("meganeura.device.calibrate.measure", lambda device: next(measured))
    device, entry = CpuDevice("", tmp_path), Entry(tmp_path, ("this machine",), "rates-")
    assert calibrate(device, entry) == sound == read_rates(entry)
    with pytest.raises(DeviceError, match="too busy to be measured"):
        calibrate(device, entry)
    assert read_rates(entry) == sound


def test_without_a_folder_nothing_is_calibrated(monkeypatch, capsys):
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    assert main(["calibrate"]) == 1
    assert "MEGANEURA_CACHE is off" in capsys.readouterr().err
