"""Weights in HuggingFace's layout: which tensor is which parameter, and which way round."""

from __future__ import annotations

import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from meganeura import (
    FormatError,
    Graph,
    MeganeuraError,
    Session,
    SessionError,
    build_session,
    nn,
)
from meganeura.load.safetensors import CHECKSUM, open_tensors
from meganeura.load.weights import LAYOUT_KEY, match_weights, read_weights, save_weights
from tests.load.builders import (
    FILE_SHAPES,
    SEQ,
    VOCAB,
    file_tensors,
    in_graph,
    language_model,
)
from tests.session.builders import make_session, parameters, same_bits

EMBEDDING, HEAD, UP = (
    "model.embed_tokens.weight",
    "lm_head.weight",
    "model.layers.0.mlp.up_proj.weight",
)


def saved(path, tensors: dict[str, np.ndarray]):
    save_file({name: np.ascontiguousarray(t) for name, t in tensors.items()}, path)
    return path


def session_of(graph: Graph, seed: int = 0) -> Session:
    return build_session(graph, "reference", seed=seed)


def loss(session: Session) -> float:
    rng = np.random.default_rng(3)
    session.set_input_u32("tokens", rng.integers(0, VOCAB, SEQ, dtype=np.uint32))
    session.set_input("labels", np.eye(VOCAB)[rng.integers(0, VOCAB, SEQ)])
    session.step()
    return session.read_loss()


def told(call) -> str:
    """The message with which a call is refused."""
    with pytest.raises(FormatError) as caught:
        call()
    return str(caught.value)


# Round trips


def test_a_model_is_loaded_under_its_names_each_weight_the_right_way_round(tmp_path):
    tensors = file_tensors()
    session = session_of(language_model())
    session.load_weights(saved(tmp_path / "m.safetensors", tensors))
    assert set(session.param_names()) == set(FILE_SHAPES)
    for name, tensor in tensors.items():
        assert (session.get_parameter(name) == in_graph(name, tensor)).all(), name


def test_what_is_saved_has_the_layout_of_the_file_it_came_from(tmp_path):
    tensors = file_tensors()
    session = session_of(language_model())
    session.load_weights(saved(tmp_path / "m.safetensors", tensors))
    session.save_weights(tmp_path / "again.safetensors")
    again = load_file(tmp_path / "again.safetensors")
    assert {n: a.shape for n, a in again.items()} == FILE_SHAPES
    assert same_bits(again, tensors)
    metadata = open_tensors(tmp_path / "again.safetensors").metadata
    assert metadata["format"] == "pt" and metadata.keys() == {"format", LAYOUT_KEY, CHECKSUM}


def test_a_saved_model_gives_the_same_loss(tmp_path):
    first, second = session_of(language_model(), 1), session_of(language_model(), 2)
    first.save_weights(tmp_path / "m.safetensors")
    assert loss(first) != loss(second)
    second.load_weights(tmp_path / "m.safetensors")
    assert loss(first) == loss(second) and same_bits(parameters(first), parameters(second))


def test_training_goes_on_from_loaded_weights(tmp_path):
    session = session_of(language_model())
    session.set_adam(0.01)
    before = loss(session)
    session.load_weights(saved(tmp_path / "m.safetensors", file_tensors()))
    assert loss(session) != before
    assert loss(session) != loss(session)


def test_parameters_of_other_kinds_come_back(tmp_path):
    g = Graph()
    images = g.input("x", [2, 3, 8, 8])
    conv = nn.Conv2d(g, "conv", 3, 4, (3, 5), groups=1)
    norm = nn.GroupNorm(g, "norm", 2, 4)
    number = g.parameter("scale", [])
    g.set_outputs([g.sum_all(norm(conv(images)) * number), number])
    first, second = session_of(g, 1), session_of(g, 2)
    for name in first.param_names():
        first.initialize(name, "normal")
    first.save_weights(tmp_path / "m.safetensors")
    second.load_weights(tmp_path)
    assert same_bits(parameters(first), parameters(second))
    assert load_file(tmp_path / "m.safetensors")["conv.weight"].shape == (4, 3, 3, 5)
    assert load_file(tmp_path / "m.safetensors")["scale"].shape == ()


def test_a_float64_session_saves_float32(tmp_path):
    session = make_session("reference:float64")
    session.save_weights(tmp_path / "w")
    found = load_file(tmp_path / "w")["layer.weight"]
    assert found.dtype == np.float32 and found.shape == (2, 3)


@pytest.mark.parametrize("kind", ["F16", "BF16"])
def test_halves_are_loaded_exactly(tmp_path, kind):
    session = make_session("reference")
    weight, bias = np.array([[1.5, -2, 0.25], [3, 0.0078125, 1e4]]), np.array([0.5, -0.75])
    if kind == "F16":
        encoded = [array.astype("<f2") for array in (weight, bias)]
    else:
        weight[1, 2] = 9984  # 39 · 2⁸ has few enough bits
        encoded = [(a.astype("<f4").view("<u4") >> 16).astype("<u2") for a in (weight, bias)]
    header = {
        "layer.weight": {"dtype": kind, "shape": [2, 3], "data_offsets": [0, 12]},
        "layer.bias": {"dtype": kind, "shape": [2], "data_offsets": [12, 16]},
    }
    text = json.dumps(header).encode()
    content = len(text).to_bytes(8, "little") + text + b"".join(e.tobytes() for e in encoded)
    (tmp_path / "w").write_bytes(content)
    session.load_weights(tmp_path / "w")
    assert (session.get_parameter("layer.weight") == weight.T).all()
    assert (session.get_parameter("layer.bias") == bias).all()


# Folders and models in several files


def sharded(folder, tensors: dict[str, np.ndarray], count: int = 3, **changes: object):
    """A model in several files; ``changes`` are made to the index."""
    folder.mkdir(exist_ok=True)
    names = [f"model-{i + 1:05}-of-{count:05}.safetensors" for i in range(count)]
    places = {tensor: names[i % count] for i, tensor in enumerate(tensors)}
    for name in names:
        saved(folder / name, {t: tensors[t] for t, file in places.items() if file == name})
    index = {"metadata": {"total_size": 1}, "weight_map": places, **changes}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return folder


@pytest.mark.parametrize("by", ["folder", "index"])
def test_a_model_in_several_files_is_one(tmp_path, by):
    folder = sharded(tmp_path / "m", file_tensors())
    session = session_of(language_model())
    session.load_weights(folder if by == "folder" else folder / "model.safetensors.index.json")
    for name, tensor in file_tensors().items():
        assert (session.get_parameter(name) == in_graph(name, tensor)).all()


def test_the_only_file_of_a_folder_is_taken_whatever_its_name(tmp_path):
    saved(tmp_path / "diffusion.safetensors", {"t": np.ones(2, "f4")})
    (tmp_path / "config.json").write_text("{}")
    saved(tmp_path / "._diffusion.safetensors", {"t": np.zeros(2, "f4")})
    assert read_weights(str(tmp_path)).array("t").tolist() == [1, 1]
    (tmp_path / "other.safetensors").touch()
    message = told(lambda: read_weights(tmp_path))
    assert "2 files *.safetensors" in message
    assert "diffusion.safetensors, other.safetensors" in message


def test_an_index_of_another_name_is_found(tmp_path):
    folder = sharded(tmp_path / "m", {"t": np.ones(2, "f4")}, 1)
    index = folder / "model.safetensors.index.json"
    index.rename(folder / "diffusion_pytorch_model.safetensors.index.json")
    assert read_weights(folder).names() == ["t"]


def test_a_folder_without_weights_is_refused(tmp_path):
    (tmp_path / "model.bin").touch()
    assert "has no file *.safetensors" in told(lambda: read_weights(tmp_path))


def test_all_missing_files_are_told_at_once(tmp_path):
    folder = sharded(tmp_path / "m", file_tensors())
    (folder / "model-00001-of-00003.safetensors").unlink()
    (folder / "model-00003-of-00003.safetensors").unlink()
    message = told(lambda: read_weights(folder))
    assert "missing: model-00001-of-00003.safetensors" in message
    assert "missing: model-00003-of-00003.safetensors" in message


def test_files_that_do_not_have_what_the_index_says_are_refused(tmp_path):
    tensors = file_tensors()
    folder = sharded(tmp_path / "m", tensors)
    first, second = sorted(folder.glob("*.safetensors"))[:2]
    saved(first, {**load_file(first), HEAD + "2": tensors[HEAD]})
    kept = load_file(second)
    gone = kept.popitem()[0]
    saved(second, kept)
    message = told(lambda: read_weights(folder))
    assert f"{second.name} lacks '{gone}'" in message
    assert f"{first.name} has '{HEAD}2', which the index does not place there" in message


@pytest.mark.parametrize(
    "file",
    ["../x", "/etc/passwd", "a/b", "a\\b", "C:x", "..", ".", "", "a\0b", "a\n", "..\\x", 1, None],
)
def test_an_index_cannot_name_files_elsewhere(tmp_path, file):
    saved(tmp_path / "x", {"t": np.ones(2, "f4")})
    folder = sharded(tmp_path / "m", {"t": np.ones(2, "f4")}, weight_map={"t": file})
    message = told(lambda: read_weights(folder))
    assert "no name of a file beside it" in message


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", "{", "\ufeff{}", '{"weight_map": ' + "[" * 100_000),
        *('{"weight_map": {}}', '{"weight_map": []}', '{"weight_map": {}, "a": NaN}'),
        '{"weight_map": {"t": "a", "t": "b"}}',
    ],
)
def test_an_index_that_is_none_is_refused(tmp_path, text):
    (tmp_path / "model.safetensors.index.json").write_text(text, encoding="utf-8")
    assert "model.safetensors.index.json" in told(lambda: read_weights(tmp_path))


def test_a_damaged_part_is_named(tmp_path):
    folder = sharded(tmp_path / "m", file_tensors())
    part = folder / "model-00002-of-00003.safetensors"
    part.write_bytes(part.read_bytes()[:-1])
    assert str(part) in told(lambda: read_weights(folder))


# What does not fit


def test_all_that_does_not_fit_is_told_in_one_error(tmp_path):
    tensors = file_tensors()
    tensors["lm_head.wieght"] = tensors.pop(HEAD)
    tensors["rope.inv_freq"] = np.ones(3, "f4")
    tensors[EMBEDDING] = tensors[EMBEDDING].T
    tensors[UP] = tensors[UP].T
    tensors["model.norm.weight"] = tensors["model.norm.weight"].astype(np.int32)
    session = session_of(language_model())
    before = parameters(session)
    message = told(lambda: session.load_weights(saved(tmp_path / "w", tensors)))
    for part in (
        'missing: lm_head.weight; did you mean "lm_head.wieght"?',
        "unexpected: lm_head.wieght",
        "unexpected: rope.inv_freq",
        f"{EMBEDDING} is f32[11, 12], for which the file must have F32[11, 12]; it has F32[12, 11]",
        f"{UP} is f32[12, 20], for which the file must have F32[20, 12]; it has F32[12, 20]",
        "model.norm.weight is f32[12], for which the file must have F32[12]; it has I32[12]",
    ):
        assert part in message
    assert same_bits(parameters(session), before)


def test_what_is_not_strict_may_lack_and_have_more_but_not_differ(tmp_path):
    tensors = file_tensors()
    del tensors[HEAD]
    tensors["more"] = np.ones(3, "f4")
    session = session_of(language_model(), 5)
    before = parameters(session)
    session.load_weights(saved(tmp_path / "w", tensors), strict=False)
    assert (session.get_parameter(HEAD) == before[HEAD]).all()
    assert (session.get_parameter(EMBEDDING) == tensors[EMBEDDING]).all()
    tensors["model.norm.weight"] = np.ones(11, "f4")
    message = told(lambda: session.load_weights(saved(tmp_path / "w", tensors), strict=False))
    assert "it has F32[11]" in message and "missing" not in message and "more" not in message


def test_a_file_of_nothing_that_is_wanted_is_refused_even_if_not_strict(tmp_path):
    path = saved(tmp_path / "w", {"other": np.ones(3, "f4")})
    message = told(lambda: make_session().load_weights(path, strict=False))
    assert "missing: layer.weight" in message and "unexpected: other" in message


def test_values_that_are_not_finite_are_refused_where_they_would_stop_a_step(tmp_path):
    tensors = {"layer.weight": np.ones((2, 3), "f4"), "layer.bias": np.array([np.nan, 1], "f4")}
    path = saved(tmp_path / "w", tensors)
    session = make_session("reference")
    session.load_weights(path)
    assert np.isnan(session.get_parameter("layer.bias")[0])
    careful = make_session("reference", nonfinite="raise")
    before = parameters(careful)
    assert "'layer.bias': 1 of 2 elements" in told(lambda: careful.load_weights(path))
    assert same_bits(parameters(careful), before)


def test_a_checkpoint_is_told_from_weights(tmp_path):
    session = make_session("reference")
    session.save_checkpoint(tmp_path / "c")
    assert "use load_checkpoint" in told(lambda: session.load_weights(tmp_path / "c"))
    session.save_weights(tmp_path / "w")
    assert "not a checkpoint" in told(lambda: session.load_checkpoint(tmp_path / "w"))


def test_a_closed_session_neither_loads_nor_saves(tmp_path):
    session = make_session("reference")
    session.save_weights(tmp_path / "w")
    session.close()
    for call in (session.load_weights, session.save_weights):
        with pytest.raises(SessionError, match="closed"):
            call(tmp_path / "w")


# Other names


def renamed(tensors: dict[str, np.ndarray], old: str, new: str) -> dict[str, np.ndarray]:
    return {new + n.removeprefix(old) if n.startswith(old) else n: t for n, t in tensors.items()}


RENAMES = {
    "a prefix": ({"model.": "transformer."}, "model.", "transformer."),
    "the longest prefix": ({"m": "no", "model.": "t.", "mo": "no"}, "model.", "t."),
    "before all": ({"": "base."}, "", "base."),
    "a function": (lambda name: name.replace("model.", "x/"), "model.", "x/"),
    "a prefix of none": ({"other": "no"}, "", ""),
}


@pytest.mark.parametrize(("rename", "old", "new"), RENAMES.values(), ids=RENAMES)
def test_names_may_differ(tmp_path, rename, old, new):
    tensors = file_tensors()
    session = session_of(language_model())
    path = saved(tmp_path / "w", renamed(tensors, old, new))
    session.load_weights(path, rename=rename)
    for name, tensor in tensors.items():
        assert (session.get_parameter(name) == in_graph(name, tensor)).all()
    session.save_weights(tmp_path / "again", rename=rename)
    assert same_bits(load_file(tmp_path / "again"), load_file(path))


def test_one_tensor_may_serve_two_parameters(tmp_path):
    tensors = file_tensors()
    del tensors[HEAD]
    session = session_of(language_model())
    session.load_weights(saved(tmp_path / "w", tensors), rename={HEAD: EMBEDDING})
    assert (session.get_parameter(HEAD) == tensors[EMBEDDING].T).all()
    message = told(lambda: session.save_weights(tmp_path / "again", rename={HEAD: EMBEDDING}))
    assert "which is taken" in message and not (tmp_path / "again").exists()


@pytest.mark.parametrize(
    ("old", "new", "remedy"),
    [("", "bert.", '{"": "bert."}'), ("model.", "", '{"model.": ""}')],
)
def test_another_beginning_of_all_names_is_seen(tmp_path, old, new, remedy):
    g = Graph()
    nn.Linear(g, "model.a", 2, 3), nn.Linear(g, "model.b", 2, 3)
    g.set_outputs([g.input("x", [1])])
    file = {f"model.{n}.weight": np.ones((3, 2), "f4") for n in "ab"}
    file |= {f"model.{n}.bias": np.ones(3, "f4") for n in "ab"}
    path = saved(tmp_path / "w", renamed(file, old, new))
    message = told(lambda: match_weights(g, read_weights(path)))
    assert f"pass rename={remedy}" in message
    assert len(match_weights(g, read_weights(path), json.loads(remedy))) == 4


def test_a_renamed_parameter_that_is_missing_is_told_with_both_names(tmp_path):
    path = saved(tmp_path / "w", {"y.bias": np.ones(2, "f4")})
    message = told(lambda: make_session().load_weights(path, rename={"layer": "y"}))
    assert "missing: layer.weight (as 'y.weight')" in message


@pytest.mark.parametrize(
    "rename", [5, "model.", ["a"], {1: "a"}, {"layer": 1}, lambda name: None, lambda name: 3]
)
def test_a_rename_that_is_none_is_refused(tmp_path, rename):
    session = make_session()
    session.save_weights(tmp_path / "w")
    with pytest.raises(MeganeuraError, match="rename"):
        session.load_weights(tmp_path / "w", rename=rename)


# Saving by hand


def test_saving_wants_a_value_of_the_right_shape_for_each_parameter(tmp_path):
    g = Graph()
    g.set_outputs([g.input("x", [1, 2]) @ g.parameter("w", [2, 3])])
    for arrays in ({}, {"w": np.zeros((3, 2))}, {"w": "text"}):
        with pytest.raises(MeganeuraError, match="w"):
            save_weights(tmp_path / "f", g, arrays)
    for name in ("__metadata__", "\ud800"):
        with pytest.raises(FormatError, match="cannot write"):
            save_weights(tmp_path / "f", g, {"w": np.zeros((2, 3))}, {"w": name})
    assert list(tmp_path.iterdir()) == []
    save_weights(tmp_path / "f", g, {"w": np.arange(6)})
    assert load_file(tmp_path / "f")["w"].tolist() == [[0, 1, 2], [3, 4, 5]]
