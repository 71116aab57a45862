"""Disks that are full or may not be written: the old file stays, and nothing is left over."""

from __future__ import annotations

import os
import stat
import subprocess

import pytest

from meganeura import FormatError, Graph, Session, build_session
from meganeura.load.files import is_temporary, write_atomically
from tests.helpers.disk import small_disk

SMALL, LARGE = 8, 100_000
"""Elements of a parameter; the disk has room for 16,384."""


@pytest.fixture
def disk(tmp_path):
    """A folder on a disk of 64 KiB."""
    with small_disk(tmp_path / "disk", "64k") as folder:
        yield folder


def session_of(size: int) -> Session:
    g = Graph()
    g.set_outputs([g.sum_all(g.parameter("w", [size]))])
    return build_session(g, "reference")


SAVES = {"weights": Session.save_weights, "checkpoint": Session.save_checkpoint}


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
def test_a_full_disk_keeps_the_old_file(disk, save):
    save(session_of(SMALL), disk / "f")
    before = (disk / "f").read_bytes()
    with pytest.raises(FormatError, match=r"cannot write .*No space left"):
        save(session_of(LARGE), disk / "f")
    assert os.listdir(disk) == ["f"] and (disk / "f").read_bytes() == before
    save(session_of(SMALL), disk / "f")


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
def test_a_read_only_disk_keeps_the_old_file(disk, save):
    save(session_of(SMALL), disk / "f")
    before = (disk / "f").read_bytes()
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True, timeout=10)
    with pytest.raises(FormatError, match=r"cannot write .*Read-only"):
        save(session_of(SMALL), disk / "f")
    assert os.listdir(disk) == ["f"] and (disk / "f").read_bytes() == before


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
def test_a_read_only_folder_keeps_the_old_file(tmp_path, save):
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        pytest.skip("no folder is read-only to this user")
    save(session_of(SMALL), tmp_path / "f")
    before = (tmp_path / "f").read_bytes()
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(FormatError, match=r"cannot write .*Permission"):
            save(session_of(SMALL), tmp_path / "f")
        assert os.listdir(tmp_path) == ["f"] and (tmp_path / "f").read_bytes() == before
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
@pytest.mark.parametrize("function", ["replace", "fsync"])
def test_a_write_that_fails_late_keeps_the_old_file(tmp_path, monkeypatch, save, function):
    def fail(*args: object) -> None:
        raise OSError(5, "Input/output error")

    save(session_of(SMALL), tmp_path / "f")
    before = (tmp_path / "f").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, function, fail)
        with pytest.raises(FormatError, match=r"cannot write .*Input/output error"):
            save(session_of(SMALL), tmp_path / "f")
    assert os.listdir(tmp_path) == ["f"] and (tmp_path / "f").read_bytes() == before


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
def test_a_place_that_is_none_is_refused(tmp_path, save):
    for path in (tmp_path, tmp_path / "no such folder" / "f", "", "a\0b"):
        with pytest.raises(FormatError, match="cannot write"):
            save(session_of(SMALL), path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_is_no_file_is_not_replaced(kind, tmp_path):
    path = tmp_path / "target"
    if kind == "device" and os.geteuid() != 0:
        pytest.skip("only root can make a device")
    os.mkfifo(path) if kind == "pipe" else os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    before = os.lstat(path).st_mode
    with pytest.raises(FormatError, match="a device or a pipe"):
        write_atomically(path, b"content")
    assert os.lstat(path).st_mode == before


def test_files_under_way_are_told_from_a_users_own(tmp_path):
    assert is_temporary(".last.safetensors.123-0a1b2c3d.tmp")
    for name in (".draft.tmp", ".a.12-xyz.tmp", "last.123-0a1b2c3d.tmp"):
        assert not is_temporary(name)
