"""Flow matching: points between noise and images, and the way back."""

from __future__ import annotations

import numpy as np
import pytest

import meganeura as mg
from meganeura.train import FlowBatches, draw_samples


def batches(seed: int = 0) -> FlowBatches:
    images = np.random.default_rng(5).normal(size=(10, 1, 4, 4)).astype(np.float32)
    return FlowBatches(mg.DataLoader(images, batch_size=5, seed=seed))


def test_a_batch_lies_between_noise_and_images():
    (first, second) = batches().batches(0)
    images = mg.DataLoader(
        np.random.default_rng(5).normal(size=(10, 16)).astype(np.float32), batch_size=5
    )
    for batch, clean in zip((first, second), images.batches(0), strict=True):
        way, x = batch["target"].reshape(5, 16), batch["x"].reshape(5, 16)
        # x = image − (1 − t)·way with one t for each image
        left = (clean["x"] - x) / way
        assert np.allclose(left, left[:, :1], atol=1e-3)
        assert np.all((left > 0) & (left < 1))


def test_batches_depend_on_seed_epoch_and_number_only():
    (_, second) = batches().batches(3)
    (again,) = batches().batches(3, start=1)
    np.testing.assert_array_equal(second["x"], again["x"])
    others = [next(batches().batches(4)), next(batches(seed=1).batches(3))]
    assert not any(np.array_equal(second["x"], other["x"]) for other in others)
    assert batches().description() != batches(seed=1).description()


def test_samples_follow_the_way():
    """Along a way that is 3 everywhere, noise moves by 3."""
    g = mg.Graph()
    x = g.input("x", [2 * 4])
    g.set_outputs([g.add(g.mul(x, g.full(0.0, [8])), g.full(3.0, [8]))])
    session = mg.build_inference_session(g, "cpu")
    drawn = draw_samples(session, (2, 1, 2, 2), count=3, steps=7, seed=0)
    again = draw_samples(session, (2, 1, 2, 2), count=3, steps=7, seed=0)
    assert drawn.shape == (3, 1, 2, 2)
    np.testing.assert_array_equal(drawn, again)
    noise = np.random.default_rng([0, 1]).standard_normal((4, 4), np.float32)[:3]
    np.testing.assert_allclose(drawn.reshape(3, 4), noise + 3, rtol=1e-5)


def test_what_is_no_loader_of_images():
    loader = mg.DataLoader(np.zeros((4, 4)), np.zeros((4, 1)), batch_size=2)
    with pytest.raises(mg.SessionError, match='one array "x"'):
        FlowBatches(loader)


def test_images_beyond_float32_are_refused():
    images = np.full((2, 4), 1e39)
    with pytest.raises(mg.SessionError, match=r"images .*1e\+39 at \[0, 0\] does not fit"):
        next(FlowBatches(mg.DataLoader(images, batch_size=2)).batches(0))
