"""Compiled code on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from meganeura import Graph, Session, build_inference_session, build_session_cached
from meganeura.device import cache, cpu
from tests.session.builders import least_squares, parameters, same_bits, train


def cached(folder: Path | None, key: list[str], content: bytes) -> bytes:
    """What is kept for a key, or else ``content``."""
    return cache.cached(folder, key, lambda: content, bytes)


def test_what_was_built_is_not_built_again(tmp_path):
    built = []

    def build() -> bytes:
        built.append(1)
        return b"code"

    for key in (["a", "b"], ["a", "b"], ["a", "b"], ["a", "c"]):
        assert cache.cached(tmp_path / "new" / "folder", key, build, bytes) == b"code"
    assert len(built) == 2


def test_keys_are_told_apart_by_their_parts(tmp_path):
    assert cached(tmp_path, ["a", "b"], b"two") == b"two"
    assert cached(tmp_path, ["a\0b"], b"one") == b"one"
    assert cached(tmp_path, ["\ud800"], b"no character") == b"no character"


def test_a_folder_that_cannot_be_made_costs_only_time(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert cached(tmp_path / "file" / "folder", ["key"], b"code") == b"code"
    assert cached(tmp_path / "zero\0byte", ["key"], b"code") == b"code"
    assert cached(None, ["key"], b"code") == b"code"


def test_the_oldest_files_are_forgotten_and_those_of_others_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "MOST_FILES", 2)
    others = [tmp_path / "notes.json", tmp_path / "package.json", tmp_path / "lock.json"]
    for path in others:
        path.write_text("{}")
    for key in "abc":
        cached(tmp_path, [key], b"code")
    assert all(path.exists() for path in others)
    assert len(list(tmp_path.iterdir())) == len(others) + 2


def plans(folder: Path) -> list[Path]:
    """What was compiled, apart from what is known of the processor."""
    return [path for path in folder.iterdir() if not path.name.startswith("processor-")]


def test_a_session_loads_its_code_from_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("MEGANEURA_CACHE", str(tmp_path))
    g = Graph()
    g.set_outputs([g.silu(g.input("x", [9]))])
    outputs = []
    for compiler in (cpu.compile_graph, None):
        monkeypatch.setattr(cpu, "compile_graph", compiler)  # None: it must not be called
        with build_inference_session(g, "cpu") as session:
            session.set_input("x", np.arange(9.0))
            session.step()
            outputs.append(session.read_output())
    np.testing.assert_array_equal(*outputs)
    assert len(plans(tmp_path)) == 1


def trained(session: Session) -> tuple[list[float], dict[str, np.ndarray]]:
    """The losses of a few steps, and the parameters after them."""
    with session:
        session.set_learning_rate(0.1)
        return train(session, range(3)), parameters(session)


@pytest.mark.parametrize("as_text", [True, False])
def test_a_session_keeps_its_code_in_the_folder_it_is_given(tmp_path, monkeypatch, as_text):
    monkeypatch.setenv("MEGANEURA_CACHE", str(tmp_path / "of the user"))
    folder = tmp_path / "given" / "folder"
    path = str(folder) if as_text else folder
    found = []
    for compiler in (cpu.compile_graph, None):
        monkeypatch.setattr(cpu, "compile_graph", compiler)  # None: it must not be called
        found.append(trained(build_session_cached(least_squares(), path, "cpu")))
    assert found[0][0] == found[1][0] and same_bits(found[0][1], found[1][1])
    assert len(plans(folder)) == 1
    assert not (tmp_path / "of the user").exists()


def test_a_given_folder_is_used_even_if_the_settings_keep_none(tmp_path, monkeypatch):
    monkeypatch.setenv("MEGANEURA_CACHE", "off")
    trained(build_session_cached(least_squares(), tmp_path, "cpu"))
    assert len(plans(tmp_path)) == 1


@pytest.mark.parametrize("name", ["file", "file/folder", "zero\0byte", "\ud800", "x" * 300])
def test_a_path_that_is_no_folder_costs_only_time(tmp_path, name):
    (tmp_path / "file").write_text("in the way")
    losses, _ = trained(build_session_cached(least_squares(), tmp_path / name, "cpu"))
    assert losses == trained(build_session_cached(least_squares(), tmp_path / "new", "cpu"))[0]
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_device_without_compiled_code_keeps_none(tmp_path):
    trained(build_session_cached(least_squares(), tmp_path / "folder", "reference"))
    assert not (tmp_path / "folder").exists()
