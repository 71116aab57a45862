"""Batches: every sample once an epoch, in an order that seed and epoch decide."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import DataLoader, MeganeuraError, SessionError

SAMPLES = np.arange(10) * 1.0


def epoch(loader: DataLoader, number: int, start: int = 0) -> list[list[float]]:
    """The batches of ``x`` in an epoch."""
    return [batch["x"].tolist() for batch in loader.batches(number, start)]


def flat(batches: list[list[float]]) -> list[float]:
    return [sample for batch in batches for sample in batch]


def test_an_epoch_is_every_sample_once():
    loader = DataLoader(SAMPLES, batch_size=5)
    for number in range(3):
        assert sorted(flat(epoch(loader, number))) == SAMPLES.tolist()


def test_the_order_depends_on_seed_and_epoch_only():
    loaders = {seed: DataLoader(SAMPLES, batch_size=5, seed=seed) for seed in (0, 1)}
    orders = {(s, e): epoch(loader, e) for s, loader in loaders.items() for e in (0, 1, 2)}
    assert len({str(order) for order in orders.values()}) == 6
    again = DataLoader(SAMPLES, batch_size=5, seed=1)
    list(again)
    assert epoch(again, 1) == orders[1, 1]
    for size in (1, 2):  # the batch size cuts the same order differently
        smaller = DataLoader(SAMPLES, batch_size=size, seed=1)
        assert flat(epoch(smaller, 2)) == flat(orders[1, 2])


def test_iterating_goes_from_epoch_to_epoch():
    loader = DataLoader(SAMPLES, batch_size=5, seed=3)
    for number in range(3):
        assert loader.epoch == number
        assert [b["x"].tolist() for b in loader] == epoch(loader, number)


def test_without_shuffling_samples_keep_their_order():
    loader = DataLoader(SAMPLES, batch_size=5, shuffle=False)
    assert epoch(loader, 0) == epoch(loader, 1) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]


@pytest.mark.parametrize(
    ("count", "size", "partial", "expected"),
    [
        (10, 4, "drop", [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (10, 4, "pad", [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 0, 1]]),
        (8, 4, "pad", [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (3, 3, "drop", [[0, 1, 2]]),
        (3, 8, "pad", [[0, 1, 2, 0, 1, 2, 0, 1]]),
        (1, 1, "drop", [[0]]),
    ],
)
def test_the_last_batch_is_dropped_or_filled_up(count, size, partial, expected):
    loader = DataLoader(SAMPLES[:count], batch_size=size, shuffle=False, partial=partial)
    assert epoch(loader, 0) == expected
    assert len(loader) == loader.num_batches == len(expected)
    assert loader.num_samples == count
    assert loader.left_out == (count - size * len(expected) if partial == "drop" else 0)
    real = [row for b in loader.batches(0) for row in b["x"][: b.real_rows]]
    assert real == SAMPLES[: count - loader.left_out].tolist()
    assert all(batch.rows == size for batch in loader.batches(0))


def test_no_sample_is_left_out_for_ever_in_silence():
    with pytest.raises(SessionError, match="the last 2 would never be seen") as caught:
        DataLoader(SAMPLES, batch_size=4, shuffle=False)
    assert 'partial="pad"' in str(caught.value) and caught.value.where.file == __file__
    assert len(DataLoader(SAMPLES, batch_size=5, shuffle=False)) == 2
    shuffled = DataLoader(SAMPLES, batch_size=4)
    assert shuffled.left_out == 2
    seen = {sample for number in range(20) for sample in flat(epoch(shuffled, number))}
    assert seen == set(SAMPLES)


@pytest.mark.parametrize("start", [0, 1, 2, 4, 5])
@pytest.mark.parametrize("partial", ["drop", "pad"])
def test_an_epoch_resumes_at_any_batch(start, partial):
    loader = DataLoader(SAMPLES, batch_size=3, seed=8, partial=partial)
    assert epoch(loader, 6, start) == epoch(loader, 6)[start:]


def test_named_arrays_stay_together():
    images, weights = np.stack([SAMPLES, -SAMPLES], axis=1), SAMPLES * 100
    loader = DataLoader({"image": images, "weight": weights}, SAMPLES.astype(np.uint32), 5)
    for batch in loader:
        assert list(batch) == ["image", "weight", "labels"]
        assert batch["image"].shape == (5, 2) and batch["labels"].dtype == np.uint32
        np.testing.assert_array_equal(batch["image"][:, 1], -1.0 * batch["labels"])
        np.testing.assert_array_equal(batch["weight"], 100.0 * batch["labels"])


def test_one_array_is_x_and_labels_are_labels():
    (batch,) = DataLoader(SAMPLES, list(SAMPLES), 10)
    assert list(batch) == ["x", "labels"] and (batch["x"] == batch["labels"]).all()


def test_a_batch_is_a_copy():
    data = SAMPLES.copy()
    (batch,) = DataLoader(data, batch_size=10, shuffle=False)
    batch["x"][:] = -1
    assert (data == SAMPLES).all()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: DataLoader(SAMPLES, SAMPLES[:9], 2), "different numbers of samples"),
        (lambda: DataLoader({"a": SAMPLES, "b": SAMPLES[:3]}, None, 2), "'b': 3"),
        (lambda: DataLoader({"a": SAMPLES, "b": 1.0}, None, 2), "'b': 0"),
        (lambda: DataLoader({}, None, 2), "samples"),
        (lambda: DataLoader(SAMPLES, batch_size=11), 'partial="pad"'),
        (lambda: DataLoader(SAMPLES, batch_size=0), "batch of 0"),
        (lambda: DataLoader(SAMPLES, batch_size=-1), "batch of -1"),
        (lambda: DataLoader(SAMPLES[:0], batch_size=1, partial="pad"), "0 samples"),
        (lambda: DataLoader(SAMPLES, partial="keep"), "'keep'"),
    ],
)
def test_what_makes_no_batches_is_refused(make, says):
    with pytest.raises(SessionError) as caught:
        make()
    assert says in str(caught.value) and caught.value.where.file == __file__


WRONG = {
    "one number": lambda: DataLoader(5.0, batch_size=1),
    "no data": lambda: DataLoader(None, batch_size=1),
    "ragged data": lambda: DataLoader([[1], [1, 2]], batch_size=1),
    "batch size in words": lambda: DataLoader(SAMPLES, batch_size="2"),
    "fractional batch size": lambda: DataLoader(SAMPLES, batch_size=2.5),
    "negative seed": lambda: DataLoader(SAMPLES, batch_size=2, seed=-1),
    "no seed": lambda: DataLoader(SAMPLES, batch_size=2, seed=None),
    "negative epoch": lambda: list(DataLoader(SAMPLES, batch_size=2).batches(-1)),
    "negative start": lambda: list(DataLoader(SAMPLES, batch_size=2).batches(0, -1)),
    "labels given twice": lambda: DataLoader({"labels": SAMPLES}, SAMPLES, 2),
}


@pytest.mark.parametrize("make", WRONG.values(), ids=WRONG)
def test_arguments_that_make_no_sense_are_refused(make):
    with pytest.raises(MeganeuraError) as caught:
        make()
    assert caught.value.where.file == __file__


def test_a_batch_that_no_memory_holds_is_refused():
    with pytest.raises(SessionError, match="at most"):
        DataLoader(np.zeros((4, 2)), np.zeros((4, 2)), batch_size=2**50, partial="pad")
