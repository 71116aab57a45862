"""``Trainer.evaluate``: a mean over the real samples exactly, and no training."""

from __future__ import annotations

import numpy as np
import pytest

import meganeura as mg
from tests.train.problems import BATCH, CLASSES, FEATURES, graph, loader, trainer


def rows_graph() -> mg.Graph:
    """The mean squared error, and that of each row."""
    g = mg.Graph()
    x, labels = g.input("x", [BATCH, FEATURES]), g.input("labels", [BATCH, CLASSES])
    errors = mg.nn.Linear(g, "fc", FEATURES, CLASSES)(x) - labels
    g.set_outputs([g.mean_all(errors * errors), g.mean(errors * errors, axes=1)])
    return g


def held_out(samples: int, partial: str | None = None) -> mg.DataLoader:
    arrays = loader(samples=samples, data_seed=5).arrays
    return mg.DataLoader(arrays, batch_size=BATCH, shuffle=False, partial=partial)


def by_hand(session: mg.Session, arrays: dict[str, np.ndarray]) -> float:
    weight, bias = (session.get_parameter(f"fc.{n}").astype("f8") for n in ("weight", "bias"))
    return float(np.mean((arrays["x"] @ weight + bias - arrays["labels"]) ** 2))


def test_the_mean_is_over_the_real_samples():
    trained = trainer(graph=rows_graph())
    trained.train(loader(), epochs=1)
    whole, rest = held_out(5 * BATCH), held_out(5 * BATCH + 3, "pad")
    rest.arrays["x"][:BATCH] *= 10  # what fills the last batch up
    assert trained.evaluate(whole) == pytest.approx(by_hand(trained.session, whole.arrays), 1e-6)
    found = trained.evaluate(rest, output=1)
    assert found == pytest.approx(by_hand(trained.session, rest.arrays), 1e-6)


def test_a_mean_that_would_count_what_fills_a_batch_up_is_refused():
    trained = trainer(graph=rows_graph())
    with pytest.raises(mg.SessionError, match="5 of 8 rows of the last batch") as caught:
        trained.evaluate(held_out(BATCH + 3, "pad"))
    assert "output=1" in str(caught.value)
    some = trained.evaluate(held_out(BATCH + 3, "drop"))
    assert some == trained.evaluate(held_out(BATCH))
    with pytest.raises(mg.SessionError, match="leaves out 3 of 11 samples"):
        trained.evaluate(mg.DataLoader(held_out(BATCH + 3, "pad").arrays, batch_size=BATCH))


def test_evaluating_does_not_train():
    plain, looked = trainer(), trainer()
    expected = plain.train(loader(), epochs=2).losses
    first = looked.train_epoch(loader(), 0)
    looked.evaluate(held_out(3 * BATCH))
    second = looked.train_epoch(loader(), 1)
    assert [first.avg_loss, second.avg_loss] == [
        pytest.approx(np.mean(expected[:10])),
        pytest.approx(np.mean(expected[10:])),
    ]
    snapshots = [t.session.snapshot() for t in (plain, looked)]
    assert snapshots[0].counts == snapshots[1].counts
    for name, array in snapshots[0].leaves.items():
        np.testing.assert_array_equal(array, snapshots[1].leaves[name])


def test_batches_can_be_what_a_trainer_validates_with(tmp_path):
    data = held_out(3 * BATCH)
    trained = trainer(validate=data, checkpoints=tmp_path)
    history = trained.train(loader(), epochs=2)
    assert [v.step for v in history.validations] == [10, 20]
    assert history.validations[-1].values == {"loss": trained.evaluate(data)}
    assert trained.position.best == min(v.values["loss"] for v in history.validations)
    with pytest.raises(mg.SessionError, match="only fill it up"):
        trainer(validate=held_out(BATCH + 1, "pad")).train(loader(), epochs=1)


def test_a_validation_that_trains_is_refused():
    def validate(session: mg.Session) -> dict[str, float]:
        session.step()
        return {"loss": session.read_loss()}

    with pytest.raises(mg.SessionError, match="trains on what it should only look at"):
        trainer(validate=validate).train(loader(), epochs=1)


def test_plain_batches_are_all_samples():
    class Plain:
        num_batches = 2

        def batches(self, epoch, start=0):
            for batch in held_out(2 * BATCH).batches(epoch, start):
                yield dict(batch)

        def description(self):
            return {}

    trained = trainer(graph=graph())
    assert isinstance(Plain(), mg.Batches)
    assert trained.evaluate(Plain()) == trained.evaluate(held_out(2 * BATCH))
