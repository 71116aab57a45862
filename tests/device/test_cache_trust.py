"""A cache in which others write: what is not the user's own, whole and of its key is never run."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from meganeura import Graph, build_inference_session
from meganeura.device import cpu
from meganeura.device.cache import Entry, cached
from meganeura.device.cache_key import KEY_BYTES, NAME, user_key
from tests.helpers.disk import small_disk

posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner and mode here")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Iterator[Path]:
    """A user with a key of their own; its folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    yield tmp_path / "config" / "meganeura"
    user_key.cache_clear()


def entry(folder: Path, name: str = "a") -> Entry:
    return Entry(folder, (name,))


def kept(folder: Path, name: str = "a", content: bytes = b"code") -> Path:
    """The file of an entry that was just written."""
    assert entry(folder, name).write(content)
    path = entry(folder, name).path()
    assert path is not None and entry(folder, name).read() == content
    return path


def another_user(monkeypatch, home: Path, name: str = "other") -> None:
    """From now on, files that are there belong to somebody else."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home.parent.with_name(name)))


# Entries


def test_every_damaged_byte_makes_an_entry_a_miss(tmp_path):
    path = kept(tmp_path)
    good = path.read_bytes()
    for place in range(len(good)):
        for bit in range(8):
            bad = bytearray(good)
            bad[place] ^= 1 << bit
            path.write_bytes(bad)
            assert entry(tmp_path).read() is None
        path.write_bytes(good[:place])
        assert entry(tmp_path).read() is None
    path.write_bytes(good + b"\0")
    assert entry(tmp_path).read() is None
    path.write_bytes(good)
    assert entry(tmp_path).read() == b"code"


def test_an_entry_under_another_entrys_name_is_a_miss(tmp_path):
    shutil.copy(kept(tmp_path, "b", b"other code"), kept(tmp_path))
    assert entry(tmp_path).read() is None
    assert Entry(tmp_path, ("a",), "rates-").read() is None


def test_an_entry_by_another_users_key_is_a_miss_and_has_another_name(tmp_path, home, monkeypatch):
    path = kept(tmp_path)
    another_user(monkeypatch, home)
    mine = entry(tmp_path)
    assert mine.path() != path and mine.read() is None
    shutil.copy(path, mine.path())
    assert mine.read() is None
    assert mine.write(b"mine") and mine.read() == b"mine"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home.parent))
    assert entry(tmp_path).read() == b"code"


@posix
def test_an_entry_that_others_own_or_may_write_is_a_miss(tmp_path, monkeypatch):
    path = kept(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for mode in (0o666, 0o620, 0o602):
        path.chmod(mode)
        assert entry(tmp_path).read() is None
    path.chmod(0o644)
    assert entry(tmp_path).read() == b"code"
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert entry(tmp_path).read() is None


@posix
def test_a_folder_that_all_may_write_to_is_used(tmp_path):
    before = os.umask(0)
    try:
        folder = tmp_path / "shared"
        folder.mkdir(mode=0o777)
        kept(folder)
    finally:
        os.umask(before)
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@posix
def test_what_is_no_file_is_a_miss_and_is_not_waited_for(tmp_path):
    path = kept(tmp_path)
    elsewhere = path.rename(tmp_path / "elsewhere")
    path.symlink_to(elsewhere)
    assert entry(tmp_path).read() is None
    assert entry(tmp_path).write(b"code") and not path.is_symlink()  # the link is replaced
    assert elsewhere.is_file()
    path.unlink()
    os.mkfifo(path)
    assert entry(tmp_path).read() is None
    path.unlink()
    path.mkdir()
    assert entry(tmp_path).read() is None and not entry(tmp_path).write(b"code")


def test_a_linked_folder_is_used(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    kept(tmp_path / "link")
    assert entry(tmp_path / "real").read() == b"code"


def test_a_full_disk_costs_only_time(tmp_path):
    with small_disk(tmp_path / "disk", "64k") as disk:
        assert cached(disk, ["a"], lambda: bytes(100_000), len) == 100_000
        assert not list(disk.iterdir())


def test_a_read_only_disk_costs_only_time(tmp_path):
    with small_disk(tmp_path / "disk", "64k") as disk:
        kept(disk)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True, timeout=10)
        assert entry(disk).read() == b"code"
        assert cached(disk, ["b"], lambda: b"other", bytes) == b"other"


def test_only_the_users_own_plans_are_forgotten(tmp_path, home, monkeypatch):
    monkeypatch.setattr("meganeura.device.cache.MOST_FILES", 1)
    path = kept(tmp_path)
    foreign = tmp_path / ("0" * 64 + ".json")
    foreign.mkdir()
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    os.chmod(foreign, 0o777)
    monkeypatch.setattr("meganeura.device.cache_key.user_key", lambda folder: bytes(32))
    cached(tmp_path, ["b"], lambda: b"x", bytes)
    assert path.exists() and foreign.exists()


# The key


@posix
def test_the_key_is_random_and_only_the_users(home):
    assert len(user_key(home) or b"") == KEY_BYTES and user_key(home) != user_key(home / "other")
    assert stat.S_IMODE((home / NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    before = user_key(home)
    user_key.cache_clear()
    assert user_key(home) == before
    assert sorted(path.name for path in home.iterdir()) == [NAME, "other"]


@posix
@pytest.mark.parametrize("content", [b"", bytes(31), bytes(33), None])
def test_a_key_that_is_none_or_that_others_could_read_is_made_anew(home, content):
    before = user_key(home)
    if content is None:
        (home / NAME).chmod(0o640)
    else:
        (home / NAME).write_bytes(content)
    user_key.cache_clear()
    found = user_key(home)
    assert found not in (None, before, content)
    assert (home / NAME).read_bytes() == found
    assert stat.S_IMODE((home / NAME).stat().st_mode) == 0o600


def refused(home: Path, tmp_path: Path) -> str:
    """The warning with which no key is used; nothing is kept, and nothing read."""
    user_key.cache_clear()
    with pytest.warns(UserWarning, match="compiled plans are not kept") as told:
        assert cached(tmp_path / "cache", ["a"], lambda: b"code", bytes) == b"code"
    with warnings.catch_warnings():  # it is said once
        warnings.simplefilter("error")
        assert cached(tmp_path / "cache", ["a"], lambda: b"code", bytes) == b"code"
    assert not (tmp_path / "cache").exists()
    (warning,) = told
    assert str(home / NAME) in str(warning.message)
    return str(warning.message)


@posix
def test_a_key_in_a_folder_that_others_may_write_to_is_not_used(home, tmp_path):
    user_key(home)
    for mode in (0o777, 0o1777, 0o770):
        home.chmod(mode)
        assert "others may write to its folder" in refused(home, tmp_path)


@posix
def test_another_users_key_is_not_used(home, tmp_path, monkeypatch):
    user_key(home)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert f"{home} is another user's; let" in refused(home, tmp_path)


@posix
def test_nothing_is_made_in_another_users_home(home, tmp_path, monkeypatch):
    home.parent.mkdir()
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert f"{home.parent} is another user's" in refused(home, tmp_path)
    assert not home.exists()


@posix
def test_another_users_key_in_ones_own_folder_is_not_used(home, tmp_path):
    before = user_key(home)
    try:
        os.chown(home / NAME, os.geteuid() + 1, -1)
    except PermissionError:
        pytest.skip("this user cannot give files away")
    assert "it is another user's" in refused(home, tmp_path)
    assert (home / NAME).read_bytes() == before


@posix
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_is_no_key(home, tmp_path, kind):
    home.mkdir(parents=True)
    if kind == "link":
        (tmp_path / "elsewhere").write_bytes(bytes(KEY_BYTES))
        (home / NAME).symlink_to(tmp_path / "elsewhere")
    elif kind == "pipe":
        os.mkfifo(home / NAME)
    else:
        (home / NAME).mkdir()
    refused(home, tmp_path)


def test_a_place_for_the_key_that_cannot_be_written_costs_only_time(home, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    refused(tmp_path / "file" / "meganeura", tmp_path)


def test_keys_made_at_once_are_one(home):
    found: list[bytes | None] = []
    make = user_key.__wrapped__  # what each process has of its own
    threads = [threading.Thread(target=lambda: found.append(make(home))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1 and len(found) == 16 and None not in found
    assert [path.name for path in home.iterdir()] == [NAME]


# Sessions


def negated(scale: float = 1.0) -> Graph:
    g = Graph()
    g.set_outputs([g.mul(g.input("x", [9]), g.full(-scale, [9]))])
    return g


def output(graph: Graph) -> list[float]:
    with build_inference_session(graph, "cpu") as session:
        session.set_input("x", np.arange(9.0))
        session.step()
        return list(session.read_output())


def plans(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if "-" not in path.name)


def test_another_graphs_file_is_not_run(tmp_path, monkeypatch):
    monkeypatch.setenv("MEGANEURA_CACHE", str(tmp_path / "cache"))
    one = output(negated(1.0))
    (first,) = plans(tmp_path / "cache")
    two = output(negated(2.0))
    (second,) = (path for path in plans(tmp_path / "cache") if path != first)
    shutil.copy(second, first)
    assert output(negated(1.0)) == one != two
    assert first.read_bytes() != second.read_bytes()


RUBBISH = {
    "nothing": lambda good: b"",
    "no object": lambda good: b"[]",
    "another object": lambda good: b"{}",
    "no objects": lambda good: json.dumps({**good, "objects": []}).encode(),
    "objects that are none": lambda good: json.dumps({**good, "objects": ["AAAA"]}).encode(),
    "objects cut off": lambda good: json.dumps(
        {**good, "objects": [text[: len(text) // 8 * 4] for text in good["objects"]]}
    ).encode(),
    "a plan that is wrong": lambda good: json.dumps(
        {**good, "plan": {**good["plan"], "arena_bytes": 1}}
    ).encode(),
    "constants of another size": lambda good: json.dumps(
        {**good, "plan": {**good["plan"], "constants": {v: "AAAA" for v in good["plan"]["types"]}}}
    ).encode(),
    "another kernel": lambda good: (
        json.dumps(good).replace(good["plan"]["dispatches"][0]["kernel"], "nobody").encode()
    ),
}


@pytest.mark.parametrize("make", RUBBISH.values(), ids=RUBBISH)
def test_rubbish_under_the_users_own_code_is_compiled_anew(tmp_path, monkeypatch, make):
    monkeypatch.setenv("MEGANEURA_CACHE", str(tmp_path / "cache"))
    written: list[Entry] = []
    write = Entry.write
    monkeypatch.setattr(
        Entry, "write", lambda self, content: written.append(self) or write(self, content)
    )
    expected = output(negated())
    plan = next(each for each in written if not each.kind)
    good = plan.read()
    assert plan.write(make(json.loads(good)))
    assert output(negated()) == expected
    assert plan.read() == good
    monkeypatch.setattr(cpu, "compile_graph", None)  # it must not be called
    assert output(negated()) == expected


WITHOUT_HOME = """
import os, sys
del os.environ["HOME"]
os.environ.pop("XDG_CONFIG_HOME", None), os.environ.pop("XDG_CACHE_HOME", None)
os.environ.pop("MEGANEURA_CACHE", None)
import pwd
def unknown(*_): raise KeyError("nobody knows this user")
pwd.getpwuid = unknown
import numpy as np, meganeura as mg
g = mg.Graph()
g.set_outputs([g.neg(g.input("x", [3]))])
with mg.build_inference_session(g, "cpu") as session:
    session.set_input("x", np.ones(3))
    session.step()
    print(session.read_output().tolist())
"""


@posix
def test_a_user_without_a_home_has_no_cache():
    found = subprocess.run([sys.executable, "-c", WITHOUT_HOME], capture_output=True, text=True)
    assert found.stdout == "[-1.0, -1.0, -1.0]\n", found.stderr
    assert not found.stderr
