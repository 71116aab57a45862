"""Hundreds of damaged files: each is one error of ours, and the session is as it was."""

from __future__ import annotations

import os

import numpy as np
import pytest
from safetensors.numpy import save

from meganeura import FormatError, Session
from meganeura.load.safetensors import CHECKSUM
from tests.load.builders import pack, unpack
from tests.load.damage import damaged
from tests.session.builders import BIAS, WEIGHT, make_session, parameters, same_bits, train

LEAST = 200


def trained(seed: int = 4) -> Session:
    """A session with a state of its own."""
    session = make_session("reference", seed=seed)
    session.set_adam(0.01)
    train(session, range(2))
    return session


def weights(tmp_path) -> bytes:
    make_session("reference", seed=1).save_weights(tmp_path / "good")
    return (tmp_path / "good").read_bytes()


def checkpoint(tmp_path) -> bytes:
    trained(1).save_checkpoint(tmp_path / "good", {"epoch": 3})
    return (tmp_path / "good").read_bytes()


KINDS = {
    "weights": (weights, Session.load_weights),
    "checkpoint": (checkpoint, Session.load_checkpoint),
}


@pytest.fixture(params=KINDS)
def kind(request, tmp_path):
    """A whole file of a kind, and how it is loaded."""
    make, load = KINDS[request.param]
    return make(tmp_path), load


def refuse(session: Session, load, path) -> str:
    """The message with which a file is refused, and nothing is changed."""
    before = parameters(session)
    with pytest.raises(FormatError) as caught:
        load(session, path)
    assert type(caught.value) is FormatError and str(path) in caught.value.message
    told = caught.value.message.split("does not fit this graph:")
    assert "\n" not in told[0]
    assert same_bits(parameters(session), before)
    return caught.value.message


def test_every_damaged_file_is_refused_and_changes_nothing(tmp_path, kind):
    good, load = kind
    session, path, count = trained(), tmp_path / "f", 0
    for what, content in damaged(good):
        path.write_bytes(content)
        try:
            refuse(session, load, path)
        except BaseException as error:
            raise AssertionError(what) from error
        count += 1
    assert count >= LEAST
    assert train(session, range(2, 6)) == train(trained(), range(2, 6))


def test_a_damaged_file_changes_no_loss(tmp_path, kind):
    good, load = kind
    session, path = make_session("reference", seed=4), tmp_path / "f"
    first = train(session, [0])
    for what, content in list(damaged(good))[::9]:
        path.write_bytes(content)
        refuse(session, load, path)
        assert train(session, [0]) == first, what


def test_a_whole_file_is_taken(tmp_path, kind):
    good, load = kind
    header, data = unpack(good)
    for content in (good, pack(header, data)):
        session = trained()
        (tmp_path / "f").write_bytes(content)
        load(session, tmp_path / "f")
        assert not same_bits(parameters(session), parameters(trained()))


def test_every_flipped_bit_is_refused_or_changes_nothing_that_is_loaded(tmp_path, kind):
    """What may change is how the header is written, or that weights have no checksum at all."""
    good, load = kind
    whole, session = make_session("reference"), make_session("reference", seed=4)
    (tmp_path / "good").write_bytes(good)
    load(whole, tmp_path / "good")
    harmless = 0
    for place in range(8 * len(good)):
        changed = bytearray(good)
        changed[place // 8] ^= 1 << place % 8
        (tmp_path / "f").write_bytes(changed)
        try:
            load(session, tmp_path / "f")
        except FormatError:
            continue
        harmless += 1
        assert same_bits(parameters(session), parameters(whole)), place
        assert state(session) == state(whole), place
    assert harmless <= 8 * len(CHECKSUM)


def state(session: Session) -> tuple:
    """What training goes on from, besides the parameters."""
    snapshot = session.snapshot()
    return snapshot.rule, snapshot.counts, {n: a.tobytes() for n, a in snapshot.leaves.items()}


def test_elements_of_weights_without_a_checksum_are_taken_as_they_are(tmp_path):
    header, data = unpack(weights(tmp_path))
    del header["__metadata__"]
    (tmp_path / "f").write_bytes(pack(header, bytes([data[0] ^ 1]) + data[1:]))
    session = make_session("reference")
    session.load_weights(tmp_path / "f")
    assert not same_bits(parameters(session), parameters(make_session("reference", seed=1)))


def test_a_checkpoint_without_a_checksum_is_refused(tmp_path):
    header, data = unpack(checkpoint(tmp_path))
    del header["__metadata__"][CHECKSUM]
    (tmp_path / "f").write_bytes(pack(header, data))
    assert "has no checksum" in refuse(trained(), Session.load_checkpoint, tmp_path / "f")


def test_what_is_no_file_is_refused(tmp_path, kind):
    _, load = kind
    session = trained()
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    names = ["missing", "folder", "empty", "good/inside"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        names.append("pipe")
    for name in names:
        refuse(session, load, tmp_path / name)
    assert train(session, range(2, 4)) == train(trained(), range(2, 4))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_refused_if_so_wanted(tmp_path, value):
    session = make_session("reference", nonfinite="raise")
    tensors = {WEIGHT: np.ones((2, 3), "f4"), BIAS: np.array([value, 0], "f4")}
    (tmp_path / "f").write_bytes(save(tensors))
    assert "not finite" in refuse(session, Session.load_weights, tmp_path / "f")
