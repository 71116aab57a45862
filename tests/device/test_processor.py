"""What is known of the processor: asked for once, kept, and asked for again if it is damaged."""

from __future__ import annotations

import pytest

from meganeura.device import cpu_processor
from meganeura.device.cpu import CpuDevice
from meganeura.device.cpu_processor import Processor, find_processor
from meganeura.errors import DeviceError


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How often LLVM was asked."""
    calls: list[str] = []

    def facts() -> dict[str, str]:
        calls.append("facts")
        return {"name": "one", "features": "+avx,+avx512f,+x"}

    monkeypatch.setattr(cpu_processor, "processor_facts", facts)
    find_processor.cache_clear()
    yield calls
    find_processor.cache_clear()


def test_it_is_asked_for_once(tmp_path, asked: list[str]):
    for _ in range(2):
        find_processor.cache_clear()  # as another process
        assert find_processor(tmp_path) == Processor("one", "+avx,+avx512f,+x")
    assert len(asked) == 1


@pytest.mark.parametrize("content", [b"", b"no facts", b'{"name": 3}'])
def test_a_damaged_file_is_replaced(content: bytes, tmp_path, asked: list[str]):
    find_processor(tmp_path)
    (path,) = tmp_path.iterdir()
    good = path.read_bytes()
    path.write_bytes(content)
    find_processor.cache_clear()
    assert find_processor(tmp_path).name == "one"
    assert path.read_bytes() == good and len(asked) == 2


def test_where_the_system_does_not_tell_what_it_is_nothing_is_kept(tmp_path, asked, monkeypatch):
    monkeypatch.setattr(cpu_processor, "_CPU_INFO", tmp_path / "none")
    assert find_processor(tmp_path / "kept").name == "one"
    assert not (tmp_path / "kept").exists()


def test_without_a_folder_it_is_asked_for_in_every_process(asked: list[str]):
    assert find_processor(None) is find_processor(None)
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("name", "features", "lanes"),
    [
        ("", "", 4),
        ("haswell", "+avx,+avx2,-avx512f,+x", 8),
        ("znver5", "+avx,+avx512f,+x", 16),
        ("znver4", "+avx,+avx512f,+x", 8),
    ],
)
def test_vectors_are_as_wide_as_it_pays(name: str, features: str, lanes: int):
    assert Processor(name, features).lanes == lanes


def test_lanes_can_be_asked_for():
    assert [CpuDevice(detail).target.lanes for detail in ("8", "16", "baseline")] == [8, 16, 4]
    with pytest.raises(DeviceError, match='there is no cpu "5"'):
        CpuDevice("5")
