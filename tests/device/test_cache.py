"""Compiled code on disk."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import Graph, build_inference_session
from meganeura.device import cpu
from meganeura.device.cache import cached


def test_what_was_built_is_not_built_again(tmp_path):
    built = []

    def build() -> bytes:
        built.append(1)
        return b"code"

    for _ in range(3):
        assert cached(tmp_path / "new" / "folder", ["a", "b"], build) == b"code"
    assert cached(tmp_path / "new" / "folder", ["a", "c"], build) == b"code"
    assert len(built) == 2


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 80, None])
def test_a_damaged_file_is_replaced(tmp_path, damage):
    cached(tmp_path, ["key"], lambda: b"right")
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    file.write_bytes(content[:-1] + b"!" if damage is None else damage)
    assert cached(tmp_path, ["key"], lambda: b"again") == b"again"
    assert cached(tmp_path, ["key"], lambda: b"never") == b"again"


def test_a_folder_that_cannot_be_made_costs_only_time(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert cached(tmp_path / "file" / "folder", ["key"], lambda: b"code") == b"code"
    assert cached(None, ["key"], lambda: b"code") == b"code"


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
    assert len(list(tmp_path.iterdir())) == 1
