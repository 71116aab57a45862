"""Checkpoints: resuming is as if never stopped, and writing is all or nothing."""

from __future__ import annotations

import json
import os
import stat
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from meganeura import (
    Adam,
    AdamW,
    FormatError,
    Graph,
    MeganeuraError,
    Momentum,
    Sgd,
    build_session,
)
from tests.session.builders import BIAS, WEIGHT, make_session, parameters, same_bits, train

FLOAT32 = "reference"


def trained(optimizer=None, steps: int = 0, **options):
    """A session with options (multipliers, clipping, accumulation) after some steps."""
    session = make_session(FLOAT32)
    if optimizer is not None:
        session.set_optimizer(optimizer)
    for prefix, factor in options.get("multipliers", {}).items():
        session.set_lr_multiplier(prefix, factor)
    session.set_gradient_clipping(options.get("clip"))
    session.set_gradient_accumulation(options.get("accumulate", 1))
    train(session, range(steps))
    return session


ALL_OPTIONS = {"multipliers": {"layer.": 0.5, BIAS: 3.0}, "clip": 0.2, "accumulate": 2}
RULES = {
    "none": (None, {}),
    "sgd": (Sgd(0.1), {}),
    "nesterov": (Momentum(0.1, nesterov=True), {"multipliers": {WEIGHT: 2.0}}),
    "adam": (Adam(0.05), {}),
    "adam with everything": (Adam(0.05, beta1=0.8), ALL_OPTIONS),
    "adamw with everything": (AdamW(0.05, weight_decay=0.1), {**ALL_OPTIONS, "accumulate": 3}),
}


# Resuming


@pytest.mark.parametrize(("optimizer", "options"), RULES.values(), ids=RULES)
def test_resuming_gives_the_same_bits_as_never_having_stopped(tmp_path, optimizer, options):
    whole = trained(optimizer, 10, **options)
    trained(optimizer, 5, **options).save_checkpoint(tmp_path / "c")
    resumed = make_session(FLOAT32, seed=99)  # with nothing set
    resumed.load_checkpoint(tmp_path / "c")
    train(resumed, range(5, 10))
    assert same_bits(parameters(resumed), parameters(whole))
    assert train(resumed, range(10, 14)) == train(whole, range(10, 14))


def test_options_changed_after_resuming_build_on_those_of_the_file(tmp_path):
    whole = trained(Adam(0.05), 5, **ALL_OPTIONS)
    whole.save_checkpoint(tmp_path / "c")
    resumed = make_session(FLOAT32)
    resumed.load_checkpoint(tmp_path / "c")
    for session in (whole, resumed):
        session.set_adam(0.01)
        session.set_lr_multiplier(WEIGHT, 2.0)
        train(session, range(5, 10))
    assert same_bits(parameters(resumed), parameters(whole))


def test_saving_changes_nothing(tmp_path):
    disturbed, whole = trained(Adam(0.05)), trained(Adam(0.05))
    for number in range(4):
        disturbed.save_checkpoint(tmp_path / "c")
        assert train(disturbed, [number]) == train(whole, [number])


def test_loading_takes_back_later_steps(tmp_path):
    session = trained(Adam(0.05), 3, **ALL_OPTIONS)
    session.save_checkpoint(tmp_path / "c")
    first = train(session, range(3, 8))
    session.load_checkpoint(tmp_path / "c")
    assert train(session, range(3, 8)) == first


def test_a_checkpoint_without_an_optimizer_takes_the_sessions_away(tmp_path):
    trained().save_checkpoint(tmp_path / "c")
    session = trained(Sgd(0.1), 2)
    session.load_checkpoint(tmp_path / "c")
    before = parameters(session)
    train(session, range(2))
    assert same_bits(parameters(session), before)


def test_an_inference_session_takes_the_parameters_of_a_training_checkpoint(tmp_path):
    session = trained(Adam(0.05), 4, accumulate=2)
    session.save_checkpoint(tmp_path / "c", {"epoch": 1})
    inference = make_session(FLOAT32, training=False)
    assert inference.load_checkpoint(tmp_path / "c") == {"epoch": 1}
    assert same_bits(parameters(inference), parameters(session))
    assert train(inference, [9]) == train(session, [9])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_kept(tmp_path, bad):
    session = trained(Momentum(0.1), 1)
    session.set_parameter(BIAS, [bad, 1])
    session.save_checkpoint(tmp_path / "c")
    resumed = make_session(FLOAT32)
    resumed.load_checkpoint(tmp_path / "c")
    assert same_bits(parameters(resumed), parameters(session))


@pytest.mark.parametrize("name", ["größe", "a/b", 'quo"te', "new\nline", " "])
def test_a_parameter_of_any_name_comes_back(tmp_path, name):
    g = Graph()
    g.set_outputs([g.sum_all(g.parameter(name, [3]))])
    session = build_session(g, FLOAT32)
    session.set_adam(0.1)
    session.step()
    session.save_checkpoint(tmp_path / "c")
    resumed = build_session(g, FLOAT32, seed=1)
    resumed.load_checkpoint(tmp_path / "c")
    assert same_bits(parameters(resumed), parameters(session))


def test_an_optimizer_of_ones_own_is_refused_by_name(tmp_path):
    class Mine(Sgd):
        """Another kind of optimizer."""

    session = trained(Mine(0.1), 1)
    with pytest.raises(MeganeuraError, match="Mine"):
        session.save_checkpoint(tmp_path / "c")
    assert os.listdir(tmp_path) == []


# The file


def test_the_file_is_safetensors_with_declared_names_and_shapes(tmp_path):
    session = trained(Adam(0.05), 2, accumulate=2)
    session.save_checkpoint(tmp_path / "c")
    tensors = load_file(tmp_path / "c")
    kinds = ("@m/", "@v/", "@gathered/", "")
    shapes = {WEIGHT: (3, 2), BIAS: (2,)}
    assert {n: a.shape for n, a in tensors.items()} == {
        kind + name: shape for kind in kinds for name, shape in shapes.items()
    }
    assert (tensors[WEIGHT] == session.get_parameter(WEIGHT)).all()


@pytest.mark.parametrize(
    ("optimizer", "options", "counts"),
    [(None, {}, (7, 0)), (Sgd(0.1), {}, (7, 7)), (Adam(0.1), {"accumulate": 3}, (7, 2))],
)
def test_steps_and_updates_are_counted(tmp_path, optimizer, options, counts):
    trained(optimizer, 7, **options).save_checkpoint(tmp_path / "c")
    content = (tmp_path / "c").read_bytes()
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    description = json.loads(header["__metadata__"]["description"])
    assert (description["counts"]["steps"], description["counts"]["updates"]) == counts


@pytest.mark.parametrize(
    "extra",
    [
        {},
        None,
        {"epoch": 3, "batch": 17, "lr": 1e-3, "name": "größe\n\"'\\ \0", "none": None},
        {"rng": {"state": 2**127 + 1, "list": [1, [2.5, True]]}, "": ""},
    ],
)
def test_extra_data_comes_back_as_it_was(tmp_path, extra):
    trained().save_checkpoint(tmp_path / "c", extra)
    assert make_session(FLOAT32).load_checkpoint(tmp_path / "c") == (extra or {})


DEEP: dict[str, Any] = {}
for _ in range(100):
    DEEP = {"in": DEEP}


@pytest.mark.parametrize(
    "extra", [{"a": object()}, {"a": {1, 2}}, {"a": np.zeros(2)}, 5, [1], DEEP]
)
def test_extra_data_that_is_not_json_is_refused_and_the_old_file_kept(tmp_path, extra):
    session = trained()
    session.save_checkpoint(tmp_path / "c", {"kept": True})
    with pytest.raises(MeganeuraError, match="extra"):
        session.save_checkpoint(tmp_path / "c", extra)
    assert session.load_checkpoint(tmp_path / "c") == {"kept": True}


def test_a_path_may_be_text_or_a_path(tmp_path):
    session = trained()
    session.save_checkpoint(str(tmp_path / "c"))
    assert session.load_checkpoint(str(tmp_path / "c")) == {}


def test_a_new_file_has_the_permissions_of_any_other(tmp_path):
    (tmp_path / "other").touch()
    trained().save_checkpoint(tmp_path / "c")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("c", "other")]
    assert modes[0] == modes[1]


# All or nothing


def fail(*args, **kwargs):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("function", ["replace", "fsync"])
def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path, monkeypatch, function):
    session = trained(Adam(0.1), 2)
    session.save_checkpoint(tmp_path / "c", {"first": True})
    before = (tmp_path / "c").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, function, fail)
        with pytest.raises(FormatError, match="No space left") as caught:
            session.save_checkpoint(tmp_path / "c", {"second": True})
    assert str(tmp_path / "c") in str(caught.value)
    assert os.listdir(tmp_path) == ["c"] and (tmp_path / "c").read_bytes() == before


def test_an_interrupted_write_leaves_no_temporary_file(tmp_path, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        trained().save_checkpoint(tmp_path / "c")
    assert os.listdir(tmp_path) == []


def test_a_place_that_cannot_be_written_is_a_format_error(tmp_path):
    for path in (tmp_path, tmp_path / "no such folder" / "c", ""):
        with pytest.raises(FormatError, match="cannot write"):
            trained().save_checkpoint(path)
    assert os.listdir(tmp_path) == []
