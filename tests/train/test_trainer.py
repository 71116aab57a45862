"""The trainer: it trains, tells, validates, saves, resumes to the same bits, and stops well."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest

import meganeura as mg
from meganeura.train import Validation
from meganeura.train.trainer import BEST, LAST
from tests.helpers.devices import on_all_devices
from tests.train.problems import BATCH, CLASSES, FEATURES, RULE, graph, loader, trainer


class Told(mg.MetricCallback):
    """Keeps everything it is told."""

    def __init__(self):
        self.steps, self.epochs, self.validations, self.saved, self.ended = [], [], [], [], 0

    def on_start(self, session, done, total):
        self.span = (done, total)

    def on_step(self, metrics):
        self.steps.append(metrics)

    def on_epoch(self, stats):
        self.epochs.append(stats)

    def on_validation(self, validation):
        self.validations.append(validation)

    def on_checkpoint(self, path, step):
        self.saved.append((path.name, step))

    def on_end(self, history):
        self.ended += 1


@on_all_devices
def test_training_is_a_loop_over_batches(device):
    """The same as by hand: to the bit."""
    told, history = Told(), mg.LossHistory()
    trained = trainer(device, [told, history], log_interval=7)
    result = trained.train(loader(), epochs=3)
    by_hand = mg.build_session(graph(), device)
    by_hand.set_optimizer(RULE)
    losses = []
    for epoch in range(3):
        for batch in loader().batches(epoch):
            by_hand.set_input("x", batch["x"])
            by_hand.set_input("labels", batch["labels"])
            by_hand.step()
            losses.append(by_hand.read_loss())
    assert result.losses == history.losses == [m.loss for m in told.steps] == losses
    assert [m.step for m in told.steps] == list(range(1, 31))
    assert [m.epoch for m in told.steps] == [0] * 10 + [1] * 10 + [2] * 10
    assert told.span == (0, 30) and told.ended == 1
    assert [(e.epoch, e.steps) for e in result.epochs] == [(0, 10), (1, 10), (2, 10)]
    assert result.final_loss() == pytest.approx(np.mean(losses[20:]))
    assert result.final_loss() < result.epochs[0].avg_loss
    assert not result.interrupted


def test_one_epoch_at_a_time_is_the_same():
    whole, parts = trainer(), trainer()
    expected = whole.train(loader(), epochs=2)
    stats = [parts.train_epoch(loader(), epoch) for epoch in range(2)]
    assert stats == expected.epochs


def test_rates_follow_the_schedule_without_compiling_again():
    told = Told()
    schedule = mg.Warmup(5, mg.Cosine(20))
    trained = trainer(callbacks=[told], schedule=schedule, learning_rate=0.02)
    trained.train(loader(), steps=20)
    assert [m.learning_rate for m in told.steps] == [0.02 * schedule.factor(i) for i in range(20)]


def test_the_loss_is_not_read_in_every_step(monkeypatch):
    trained, reads = trainer(log_interval=5), []
    read = trained.session.noted_losses
    monkeypatch.setattr(trained.session, "noted_losses", lambda: reads.append(1) or read())
    monkeypatch.setattr(trained.session, "read_loss", lambda: pytest.fail("read one by one"))
    trained.train(loader(), epochs=1)
    assert len(reads) == 3  # once before it begins, for what may have been left


@pytest.mark.parametrize("stop", [1, 9, 10, 13, 29])
@pytest.mark.parametrize("accumulate", [1, 3])
def test_a_resumed_run_is_the_same_to_the_bit(stop, accumulate, tmp_path):
    options = {"average": 0.9, "clip_norm": 0.5, "accumulate": accumulate, "log_interval": 4}
    options |= {"schedule": mg.Warmup(4, mg.Cosine(30))}
    whole = trainer(**options)
    expected = whole.train(loader(), steps=30)
    first, second = trainer(**options), trainer(**options)
    first.train(loader(), steps=stop)
    first.save(tmp_path / "checkpoint")
    second.resume(tmp_path / "checkpoint", loader())
    found = second.train(loader(), steps=30)
    assert found.losses == expected.losses[stop:]
    for name in whole.session.param_names():
        for read in ("get_parameter", "get_average"):
            np.testing.assert_array_equal(
                getattr(second.session, read)(name), getattr(whole.session, read)(name)
            )


@on_all_devices
def test_averages_are_what_the_formula_says(device):
    trained, average = trainer(device, average=0.9), None
    for step in range(15):
        trained.train(loader(), steps=step + 1)
        weight = trained.session.get_parameter("fc1.weight").astype(np.float64)
        rate = 1 - min(0.9, step / (step + 10))
        average = weight if average is None else average + rate * (weight - average)
        # a rounding of float32 for each of the updates
        np.testing.assert_allclose(
            trained.session.get_average("fc1.weight"), average, atol=15 * 6e-8 * abs(average).max()
        )


def test_checkpoints_are_the_last_and_the_best(tmp_path):
    found = iter([0.5, 0.25, 0.75])
    told = Told()
    trained = trainer(
        callbacks=[told],
        validate=lambda session: {"score": next(found)},
        checkpoints=tmp_path,
        best="score",
    )
    trained.train(loader(), epochs=3)
    best = [("best.safetensors", 10), ("best.safetensors", 20)]
    assert [row for row in told.saved if row[0] == BEST] == best
    assert [row for row in told.saved if row[0] == LAST][-1] == (LAST, 30)
    assert told.validations[1] == Validation(20, {"score": 0.25})
    other = trainer(checkpoints=tmp_path, best="score", progress=False)
    other.resume(tmp_path / BEST, loader())
    assert other.position.step == 20 and other.position.best == 0.25


def test_without_a_validation_the_best_has_the_lowest_loss(tmp_path):
    trained = trainer(checkpoints=tmp_path, checkpoint_interval=4)
    history = trained.train(loader(), epochs=3)
    assert trained.position.best == min(stats.avg_loss for stats in history.epochs)
    assert sorted(p.name for p in tmp_path.iterdir()) == [BEST, LAST]


def test_validation_happens_when_due():
    steps = []
    trained = trainer(validate=lambda s: steps.append(1) or {}, validate_interval=4)
    history = trained.train(loader(), steps=10)
    assert [v.step for v in history.validations] == [4, 8, 10]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_with_a_checkpoint(number, tmp_path):
    class Stop(mg.MetricCallback):
        def on_step(self, metrics):
            if metrics.step == 13:
                os.kill(os.getpid(), number)

    before = signal.getsignal(number)
    expected = trainer().train(loader(), epochs=3).losses
    trained = trainer(callbacks=[Stop()], checkpoints=tmp_path, log_interval=1)
    history = trained.train(loader(), epochs=3)
    made = len(history.losses)
    assert history.interrupted and 13 <= made <= 14
    assert signal.getsignal(number) is before
    resumed = trainer(checkpoints=tmp_path)
    resumed.resume(tmp_path / LAST, loader())
    assert resumed.train(loader(), epochs=3).losses == expected[made:]


def test_training_in_another_thread_works():
    results = []
    thread = threading.Thread(target=lambda: results.append(trainer().train(loader(), epochs=1)))
    thread.start()
    thread.join()
    assert len(results[0].losses) == 10


@pytest.mark.parametrize("log_interval", [1, 4, 50])
def test_a_nan_is_traced_to_its_node(log_interval):
    """The loss is NaN long before it is read: the steps are made again, watched."""
    g = mg.Graph()
    x, labels = g.input("x", [BATCH, FEATURES]), g.input("labels", [BATCH, CLASSES])
    logits = mg.nn.Linear(g, "fc", FEATURES, CLASSES)(g.log(x))
    g.set_outputs([g.cross_entropy_loss(logits, labels)])
    data = loader()
    data.arrays["x"] = np.abs(data.arrays["x"]) + 1
    data.arrays["x"][data.order(0)[3 * BATCH + 2], 5] = -1.0
    trained = trainer(graph=g, log_interval=log_interval)
    with pytest.raises(mg.NonFiniteError, match=r"step 3: log .*nan"):
        trained.train(data, epochs=3)
    assert all(np.isfinite(norm) for norm in trained.session.read_all_param_norms().values())


def test_a_rate_that_is_too_high_is_traced_to_an_update():
    trained = trainer(optimizer=mg.Sgd(1e38), log_interval=5)
    with pytest.raises(mg.NonFiniteError, match="step"):
        trained.train(loader(), epochs=3)


def test_other_names_for_inputs():
    g = mg.Graph()
    x, y = g.input("pixels", [BATCH, FEATURES]), g.input("digits", [BATCH, CLASSES])
    g.set_outputs([g.mse_loss(mg.nn.Linear(g, "fc", FEATURES, CLASSES)(x), y)])
    trained = trainer(graph=g, data_input="pixels", label_input="digits")
    assert len(trained.train(loader(), epochs=1).losses) == 10


def test_mistakes(tmp_path):
    trained = trainer()
    with pytest.raises(mg.SessionError, match="epochs or steps"):
        trained.train(loader())
    with pytest.raises(mg.SessionError, match="epochs or steps"):
        trained.train(loader(), 1, steps=1)
    with pytest.raises(mg.SessionError, match="loader must be"):
        trained.train([1, 2, 3], 1)
    trained.train(loader(), 1)
    with pytest.raises(mg.SessionError, match="10 were made already"):
        trained.train(loader(), 1)
    with pytest.raises(mg.SessionError, match="no epoch"):
        mg.TrainHistory().final_loss()
    with pytest.raises(mg.SessionError, match='gives no "score"'):
        trainer(validate=lambda s: {"other": 1.0}, best="score").train(loader(), 1)
    for config in ({"log_interval": 0}, {"checkpoint_interval": -1}, {"best_is": "good"}):
        with pytest.raises(mg.SessionError):
            trainer(**config)


def test_another_training_is_not_resumed(tmp_path):
    first = trainer()
    first.train(loader(), steps=5)
    first.save(tmp_path / "checkpoint")
    before = first.session.snapshot()
    others = {
        "seed was 0, is 1": (trainer(), loader(seed=1)),
        "digest was": (trainer(), loader(data_seed=1)),
        "schedule was": (trainer(schedule=mg.Cosine(5)), loader()),
        "optimizer was": (trainer(optimizer=mg.Adam(1e-4)), loader()),
    }
    for words, (other, data) in others.items():
        start = other.session.snapshot()
        with pytest.raises(mg.FormatError, match=words):
            other.resume(tmp_path / "checkpoint", data)
        for name, array in start.leaves.items():
            np.testing.assert_array_equal(other.session.snapshot().leaves[name], array)
    first.session.save_checkpoint(tmp_path / "plain")
    with pytest.raises(mg.FormatError, match="not written by a trainer"):
        first.resume(tmp_path / "plain", loader())
    for position in ({}, {"epoch": -1}, {"epoch": "a"}, {"batch": 1.5}, {"other": 1}, 3):
        extra = {"trainer": {"position": position, "config": {}, "data": {}}}
        if position == {}:
            extra["trainer"].pop("position")
        first.session.save_checkpoint(tmp_path / "damaged", extra)
        with pytest.raises(mg.FormatError, match="damaged"):
            first.resume(tmp_path / "damaged", loader())
    for name, array in before.leaves.items():
        np.testing.assert_array_equal(first.session.snapshot().leaves[name], array)


def test_a_run_that_failed_can_go_on(tmp_path):
    class Failing:
        num_batches = 10

        def batches(self, epoch, start=0):
            for number, batch in enumerate(loader().batches(epoch, start), start):
                if (epoch, number) == (1, 6):
                    raise OSError("the disk is gone")
                yield batch

        def description(self):
            return loader().description()

    expected = trainer().train(loader(), epochs=3).losses
    failed = trainer(checkpoints=tmp_path, log_interval=4)
    with pytest.raises(OSError, match="gone"):
        failed.train(Failing(), epochs=3)
    kept = (tmp_path / LAST).rename(tmp_path / "kept")
    for again in (failed, mg.Trainer(failed.session, mg.TrainConfig(RULE, progress=False))):
        again.resume(kept, loader())
        assert again.train(loader(), epochs=3).losses == expected[10:]


def test_the_best_survives_a_resumption(tmp_path):
    """Also in the middle of an epoch, whose mean is of all its steps."""
    for stop in (10, 15, 20):
        whole, cut = trainer(checkpoints=tmp_path / "a"), trainer(checkpoints=tmp_path / "b")
        expected = whole.train(loader(), epochs=3)
        cut.train(loader(), steps=stop)
        resumed = trainer(checkpoints=tmp_path / "b")
        resumed.resume(tmp_path / "b" / LAST, loader())
        found = resumed.train(loader(), epochs=3)
        assert found.epochs == expected.epochs[stop // 10 :]
        assert resumed.position.best == whole.position.best


def test_nan_is_never_the_best(tmp_path):
    found = iter([float("nan"), 0.5, float("nan"), 0.7])
    trained = trainer(validate=lambda s: {"loss": next(found)}, checkpoints=tmp_path)
    trained.train(loader(), epochs=4)
    assert trained.position.best == 0.5


def test_after_a_nan_training_stands_before_it():
    data = loader()
    trained = trainer(log_interval=10)
    trained.train(data, epochs=1)
    data.arrays["x"][data.order(1)[2 * BATCH], 0] = np.nan
    with pytest.raises(mg.NonFiniteError, match="step 12"):
        trained.train(data, epochs=2)
    assert trained.position.step == trained.session.snapshot().counts.steps == 12


def test_epochs_by_hand_save_too(tmp_path):
    trained = trainer(checkpoints=tmp_path / "new")
    for epoch in range(2):
        trained.train_epoch(loader(), epoch)
    assert sorted(p.name for p in (tmp_path / "new").iterdir()) == [BEST, LAST]
    resumed = trainer()
    resumed.resume(tmp_path / "new" / LAST, loader())
    assert resumed.position.step == 20


def test_a_loader_of_another_length():
    trained = trainer()
    trained.train(loader(), steps=5)
    with pytest.raises(mg.SessionError, match="stands at batch 5"):
        trained.train(loader(samples=24), steps=8)


def test_a_validation_gives_numbers_by_name():
    with pytest.raises(mg.SessionError, match="numbers by name"):
        trainer(validate=lambda s: 0.5).train(loader(), 1)
    trainer(validate=lambda s: {"accuracy": 0.5}).train(loader(), 1)


def test_a_loader_that_gives_less_than_it_promises():
    class Short(mg.DataLoader):
        def batches(self, epoch, start=0):
            return iter(list(super().batches(epoch, start))[: max(0, 8 - start)])

    data = loader()
    short = Short(data.arrays, batch_size=BATCH)
    with pytest.raises(mg.SessionError, match="promises 10 batches, and gives none from 8 on"):
        trainer().train(short, epochs=2)
