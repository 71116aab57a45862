"""Decoding token by token over a cache equals attention over the whole sequence."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import Graph, GraphError, build_inference_session, build_session

HEADS, KV_HEADS, HEAD_DIM, MAX_SEQ, THETA = 4, 2, 6, 8, 100.0
WIDTHS = {"q": HEADS * HEAD_DIM, "k": KV_HEADS * HEAD_DIM, "v": KV_HEADS * HEAD_DIM}
FORM = (HEADS, KV_HEADS, HEAD_DIM)
DEVICE = "reference:float64"


def whole_sequence(data: dict[str, np.ndarray], batch: int) -> np.ndarray:
    """Causal attention with rotary positions over all rows at once."""
    g = Graph()
    q, k, v = (g.input(name, data[name].shape) for name in "qkv")
    q, k = (g.rope(x, THETA, HEAD_DIM, batch=batch) for x in (q, k))
    g.set_outputs([g.causal_attention(q, k, v, *FORM, batch=batch)])
    with build_inference_session(g, DEVICE) as session:
        for name, array in data.items():
            session.set_input(name, array)
        session.step()
        return session.read_output()


def decoder(batch: int, use_result: bool) -> Graph:
    """One token for each sequence against its cache; ``use_result`` says which handle is read."""
    g = Graph()
    q, k, v = (g.input(name, [batch, width]) for name, width in WIDTHS.items())
    pos = g.input_u32("pos", [1])
    caches = [g.state(f"{name}_cache", [batch * MAX_SEQ, WIDTHS[name]]) for name in "kv"]
    q, k = (g.rope_dynamic_offset(x, THETA, pos, HEAD_DIM, batch=batch) for x in (q, k))
    written = [g.cache_write(x, c, pos, batch=batch) for x, c in zip((k, v), caches, strict=True)]
    read = written if use_result else caches
    g.set_outputs([g.cached_attention(q, *read, pos, *FORM, batch=batch)])
    return g


def random_data(batch: int, length: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    return {name: rng.normal(size=(batch * length, width)) for name, width in WIDTHS.items()}


@pytest.mark.parametrize("use_result", [True, False], ids=["result", "old handle"])
@pytest.mark.parametrize("batch", [1, 2])
def test_decoding_token_by_token_equals_the_whole_sequence(batch, use_result):
    data = random_data(batch, MAX_SEQ)
    by_sequence = {name: a.reshape(batch, MAX_SEQ, -1) for name, a in data.items()}
    rows = []
    with build_inference_session(decoder(batch, use_result), DEVICE) as session:
        for position in range(MAX_SEQ):
            for name, array in by_sequence.items():
                session.set_input(name, array[:, position])
            session.set_input_u32("pos", [position])
            session.step()
            rows.append(session.read_output())
    decoded = np.stack(rows, axis=1).reshape(batch * MAX_SEQ, -1)
    np.testing.assert_allclose(decoded, whole_sequence(data, batch), rtol=1e-12, atol=1e-12)


def writer(*outputs: str) -> Graph:
    """A cache of four rows of two; outputs are read ``before`` or ``after`` row pos is written,
    or are the ``result`` of the write."""
    g = Graph()
    kept = g.state("cache", [4, 2])
    new, pos = g.input("new", [1, 2]), g.input_u32("pos", [1])
    values = {"before": kept * 1.0, "loss": g.sum_all(new)}
    values["result"] = g.cache_write(new, kept, pos)
    values["after"] = kept * 1.0
    values["handle"] = kept
    g.set_outputs([values[name] for name in outputs])
    return g


def write(session, row: list[float], position: int) -> list[np.ndarray]:
    session.set_input("new", row)
    session.set_input_u32("pos", [position])
    session.step()
    return session.read_outputs()


@pytest.fixture
def session_of():
    """Opens sessions for graphs of `writer`."""
    opened = []

    def open_session(*outputs):
        opened.append(build_inference_session(writer(*outputs), DEVICE))
        return opened[-1]

    yield open_session
    for session in opened:
        session.close()


def rows(**written: list[float]) -> list[list[float]]:
    """The cache with the rows named ``r0`` … ``r3`` written."""
    return [written.get(f"r{i}", [0, 0]) for i in range(4)]


def test_a_reader_before_the_write_sees_the_old_value_and_one_after_it_the_new(session_of):
    session = session_of("before", "after", "result", "handle")
    before, *later = write(session, [1, 2], 3)
    assert not before.any()
    assert all(found.tolist() == rows(r3=[1, 2]) for found in later)
    before, *later = write(session, [5, 6], 0)
    assert before.tolist() == rows(r3=[1, 2])
    assert all(found.tolist() == rows(r0=[5, 6], r3=[1, 2]) for found in later)


def test_a_write_nobody_reads_still_happens_and_the_cache_persists(session_of):
    session = session_of("loss")
    assert not session.get_state("cache").any()
    for position in (2, 1):
        write(session, [position, 9], position)
    assert session.get_state("cache").tolist() == rows(r1=[1, 9], r2=[2, 9])


def test_a_cache_can_be_set_and_cleared(session_of):
    session = session_of("result")
    session.set_state("cache", np.arange(8))
    (found,) = write(session, [-1, -2], 1)
    assert found.tolist() == [[0, 1], [-1, -2], [4, 5], [6, 7]]
    session.set_state("cache", np.zeros((4, 2)))
    assert not session.get_state("cache").any()


@pytest.mark.parametrize("position", [4, 2**32 - 1])
def test_a_position_out_of_range_is_refused_before_anything_runs(session_of, position):
    session = session_of("result")
    write(session, [1, 2], 3)
    with pytest.raises(GraphError, match=f'cache_write: kv_pos .*"pos" holds {position}'):
        session.set_input_u32("pos", [position])
    session.step()  # with the position that was set before
    assert session.get_state("cache").tolist() == rows(r3=[1, 2])


def test_the_smallest_cache_limits_a_shared_position():
    g = Graph()
    pos, q = g.input_u32("pos", [1]), g.input("q", [1, 2])
    small, large = g.state("small", [3, 2]), g.state("large", [9, 2])
    g.cache_write(q, large, pos)
    g.set_outputs([g.cached_attention(q, small, small, pos, 1, 1, 2)])
    with build_inference_session(g, DEVICE) as session:
        session.set_input_u32("pos", [2])
        with pytest.raises(GraphError, match=r"cached_attention: kv_pos .*0 to 2"):
            session.set_input_u32("pos", [3])


def test_two_writes_to_one_cache_both_last():
    g = Graph()
    cache, pos = g.state("cache", [4, 2]), g.input_u32("pos", [2])
    g.cache_write(g.constant([[1, 2]]), cache, pos[0])
    between = cache * 1.0
    g.cache_write(g.constant([[3, 4]]), cache, pos[1])
    g.set_outputs([between])
    with build_inference_session(g, DEVICE) as session:
        session.set_input_u32("pos", [0, 2])
        session.step()
        assert session.read_output().tolist() == rows(r0=[1, 2])
        assert session.get_state("cache").tolist() == rows(r0=[1, 2], r2=[3, 4])
        with pytest.raises(GraphError, match="out of range"):
            session.set_input_u32("pos", [0, 4])


def test_a_cache_survives_an_optimizer_change_and_a_checkpoint(tmp_path):
    def build():
        g = Graph()
        cache, pos = g.state("cache", [4, 2]), g.input_u32("pos", [1])
        g.cache_write(g.input("new", [1, 2]), cache, pos)
        g.set_outputs([g.sum_all(g.parameter("w", [2]))])
        return build_session(g, DEVICE)

    session = build()
    write(session, [1, 2], 1)
    session.set_adam(0.1)
    write(session, [3, 4], 2)
    assert session.get_state("cache").tolist() == rows(r1=[1, 2], r2=[3, 4])
    session.save_checkpoint(tmp_path / "c")
    resumed = build()
    resumed.load_checkpoint(tmp_path / "c")
    assert resumed.get_state("cache").tolist() == rows(r1=[1, 2], r2=[3, 4])


def test_a_parameter_that_needs_a_gradient_through_a_cache_is_refused():
    g = Graph()
    cache, pos = g.state("cache", [4, 2]), g.input_u32("pos", [1])
    written = g.cache_write(g.parameter("w", [1, 2]), cache, pos)
    g.set_outputs([g.sum_all(written)])
    with pytest.raises(GraphError, match="cache_write has no gradient"):
        build_session(g, DEVICE)
    g.set_outputs([g.sum_all(g.stop_gradient(written))])
    build_session(g, DEVICE).close()
