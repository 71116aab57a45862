"""Checkpoints that are damaged or belong to another graph: one clear error, nothing changed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from safetensors.numpy import save

from meganeura import Adam, FormatError, Session
from meganeura.load.safetensors import CHECKSUM
from tests.load.builders import pack, unpack
from tests.session.builders import BIAS, WEIGHT, make_session, parameters, same_bits, train

CUTS, FLIPS = 80, 250


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> bytes:
    """A checkpoint of an Adam session."""
    path = tmp_path_factory.mktemp("checkpoint") / "c"
    session = make_session("reference")
    session.set_optimizer(Adam(0.05))
    session.set_lr_multiplier(WEIGHT, 0.5)
    session.set_gradient_clipping(0.2)
    session.set_gradient_accumulation(2)
    train(session, range(3))
    session.save_checkpoint(path, {"epoch": 3})
    return path.read_bytes()


def own_session() -> Session:
    """A session with a state of its own, which a failed load must not change."""
    session = make_session("reference", seed=4)
    session.set_adam(0.01)
    train(session, range(2))
    return session


@pytest.fixture
def session() -> Session:
    return own_session()


def header_end(content: bytes) -> int:
    return 8 + int.from_bytes(content[:8], "little")


def parts(content: bytes) -> tuple[dict[str, np.ndarray], dict]:
    """The tensors and the description of a checkpoint."""
    header = json.loads(content[8 : header_end(content)])
    data = content[header_end(content) :]
    tensors = {
        name: np.frombuffer(data[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__"
    }
    return tensors, json.loads(header["__metadata__"]["description"])


def assembled(tensors: dict, content: object, **meta: str) -> bytes:
    """A checkpoint of these tensors and this description."""
    standard = {"format": "meganeura-checkpoint", "version": "2", CHECKSUM: ""}
    return pack(*unpack(save(tensors, {**standard, "description": json.dumps(content), **meta})))


def refused(session, path, content: bytes) -> str | None:
    """The message with which a file is refused, leaving the parameters alone; None if it is
    taken."""
    path.write_bytes(content)
    before = parameters(session)
    try:
        session.load_checkpoint(path)
    except FormatError as error:
        assert str(path) in str(error), str(error)
        assert same_bits(parameters(session), before)
        return str(error)
    return None


def assert_goes_on(session) -> None:
    """The session trains as one that never tried to load anything."""
    assert train(session, range(2, 6)) == train(own_session(), range(2, 6))


def test_a_file_cut_anywhere_is_refused(good, session, tmp_path):
    rng = np.random.default_rng(11)
    inner = rng.choice(len(good), CUTS - 12, replace=False)
    edges = [*range(10), header_end(good), len(good) - 1]
    for length in [*edges, *inner]:
        assert refused(session, tmp_path / "c", good[:length]), length
    assert_goes_on(session)


def test_a_flipped_bit_is_refused(good, session, tmp_path):
    rng = np.random.default_rng(12)
    for _ in range(FLIPS):
        position, bit = int(rng.integers(len(good))), int(rng.integers(8))
        damaged = bytearray(good)
        damaged[position] ^= 1 << bit
        assert refused(session, tmp_path / "c", bytes(damaged)), (position, bit)
    assert_goes_on(session)


def test_random_bytes_are_refused(session, tmp_path):
    rng = np.random.default_rng(13)
    for length in range(0, 400, 20):
        assert refused(session, tmp_path / "c", rng.bytes(length))
    assert_goes_on(session)


NOT_CHECKPOINTS = {
    "empty": b"",
    "text": b"these are not the weights you are looking for\n" * 9,
    "json": b'{"layer.weight": [1, 2]}',
    "huge header": (2**63).to_bytes(8, "little") + b"{}" * 40,
    "header of zeros": bytes(200),
    "another safetensors file": save({WEIGHT: np.zeros(6, np.float32)}),
    "another format": save({}, {"format": "pt"}),
    "a later version": assembled({}, {}, version="3"),
    "an earlier version": assembled({}, {}, version="1"),
    "no version": save({}, {"format": "meganeura-checkpoint"}),
    "a description that is no JSON": assembled({}, {}, description="{"),
    "a description that is nested too deep": assembled({}, {}, description="[" * 100_000),
    "a description that is a list": assembled({}, []),
    "an empty description": assembled({}, {}),
}


@pytest.mark.parametrize("content", NOT_CHECKPOINTS.values(), ids=NOT_CHECKPOINTS)
def test_what_is_no_checkpoint_is_refused(session, tmp_path, content):
    assert refused(session, tmp_path / "c", content)


def test_a_missing_file_and_a_folder_are_refused(session, tmp_path):
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(FormatError, match="cannot read"):
            session.load_checkpoint(path)


DAMAGED_DESCRIPTIONS = {
    "no counts": {"counts": None},
    "negative step count": {"counts": {"steps": -1}},
    "fractional step count": {"counts": {"steps": 1.5}},
    "a step count that is a truth value": {"counts": {"steps": True}},
    "step count in words": {"counts": {"steps": "3"}},
    "no update count": {"counts": {"steps": 3, "updates": None}},
    "extra that is a list": {"extra": [1]},
    "a rule that is a list": {"rule": [1]},
    "a rule that is a word": {"rule": "adam"},
    "an empty rule": {"rule": {}},
}

DAMAGED_RULES = {
    "no optimizer": {"optimizer": None},
    "unknown optimizer": {"optimizer": {"kind": "lion", "lr": 0.1}},
    "optimizer of no kind": {"optimizer": {"lr": 0.1}},
    "kind that is a list": {"optimizer": {"kind": ["adam"], "lr": 0.1}},
    "unknown number": {"optimizer": {"kind": "adam", "lr": 0.1, "beta3": 0.1}},
    "no lr": {"optimizer": {"kind": "adam"}},
    "negative lr": {"optimizer": {"kind": "adam", "lr": -0.1}},
    "nan lr": {"optimizer": {"kind": "adam", "lr": float("nan")}},
    "lr in words": {"optimizer": {"kind": "adam", "lr": "0.1"}},
    "beta2 of 1": {"optimizer": {"kind": "adam", "lr": 0.1, "beta2": 1.0}},
    "multipliers that are a list": {"multipliers": [1]},
    "multiplier in words": {"multipliers": {WEIGHT: "twice"}},
    "huge multiplier": {"multipliers": {WEIGHT: 10**400}},
    "clip to 0": {"clip_norm": 0},
    "clip to a word": {"clip_norm": "small"},
    "huge clip": {"clip_norm": 10**400},
    "accumulate 0": {"accumulate": 0},
    "accumulate in words": {"accumulate": "often"},
    "accumulate for ever": {"accumulate": float("inf")},
    "accumulate nan": {"accumulate": float("nan")},
}


@pytest.mark.parametrize("change", DAMAGED_DESCRIPTIONS.values(), ids=DAMAGED_DESCRIPTIONS)
def test_a_damaged_description_is_refused(good, session, tmp_path, change):
    tensors, description = parts(good)
    assert refused(session, tmp_path / "c", assembled(tensors, {**description, **change}))


@pytest.mark.parametrize("change", DAMAGED_RULES.values(), ids=DAMAGED_RULES)
def test_a_damaged_rule_is_refused(good, session, tmp_path, change):
    tensors, description = parts(good)
    description["rule"].update(change)
    assert refused(session, tmp_path / "c", assembled(tensors, description))


def test_the_pieces_put_together_again_are_taken(good, session, tmp_path):
    assert refused(session, tmp_path / "c", assembled(*parts(good))) is None


def test_everything_that_does_not_fit_is_said_at_once(good, session, tmp_path):
    tensors, description = parts(good)
    del tensors[f"@m/{BIAS}"]
    tensors["layer.scale"] = np.zeros(2, np.float32)
    tensors["@v/other"] = np.zeros(2, np.float32)
    tensors[WEIGHT] = np.zeros((2, 3), np.float32)
    tensors[BIAS] = np.zeros(2, np.int32)
    message = refused(session, tmp_path / "c", assembled(tensors, description))
    assert message is not None
    for part in (
        f"missing: @m/{BIAS}",
        "unexpected: layer.scale",
        "unexpected: @v/other",
        f"{WEIGHT} is f32[3, 2], the file has float32[2, 3]",
        f"{BIAS} is f32[2], the file has int32[2]",
    ):
        assert part in message
    assert_goes_on(session)


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_other_float_types_are_converted(good, session, tmp_path, dtype):
    tensors, description = parts(good)
    wide = {name: array.astype(dtype) for name, array in tensors.items()}
    assert refused(session, tmp_path / "c", assembled(wide, description)) is None
    np.testing.assert_allclose(session.get_parameter(WEIGHT), tensors[WEIGHT], rtol=1e-3)


def test_a_double_too_large_for_f32_is_refused(good, session, tmp_path):
    tensors, description = parts(good)
    tensors[BIAS] = np.array([1e300, 0.0])
    error = refused(session, tmp_path / "c", assembled(tensors, description))
    assert f"{BIAS}: 1e+300 at [0] does not fit in float32" in str(error)
    tensors[BIAS] = np.array([np.inf, 0.0])
    assert refused(session, tmp_path / "c", assembled(tensors, description)) is None
    assert session.get_parameter(BIAS).tolist() == [np.inf, 0.0]
