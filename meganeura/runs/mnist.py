"""Train the two-layer network to tell handwritten digits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..builders import build_inference_session
from ..data.augment import ShiftedBatches
from ..data.batches import DataLoader
from ..data.mnist import MnistDataset
from ..ir.graph import Value
from ..models.mnist import MnistConfig, build_network, build_training_graph
from ..ops.graph import Graph
from ..session import Session
from ..train.callbacks import TrainHistory
from ..train.config import TrainConfig
from ..train.schedule import Cosine, Warmup
from ..train.trainer import Trainer
from ..update import Adam
from .job import Job, Settings, setting

SIDE = 28
EVALUATED = 100
"""Images of a batch when accuracy is measured."""


@dataclass(frozen=True)
class MnistSettings(Settings):
    """What training the classifier may be told."""

    data: str | None = setting(None, "the folder of MNIST's four files")
    checkpoint_interval: int = setting(
        0, "steps between two checkpoints; 0: one each epoch", least=0
    )
    log_interval: int = setting(100, "steps between two looks at the losses", least=1)
    epochs: int = setting(30, "times to go over all images", least=1)
    batch_size: int = setting(32, "images of a step", least=1)
    hidden: int = setting(128, "units of the hidden layer", least=1)
    learning_rate: float = setting(2e-3, "the full learning rate of Adam", least=0)
    shift: int = setting(1, "pixels by which images are moved about at most", least=0)


class MnistJob(Job[MnistSettings]):
    """Trains the classifier."""

    model = "mnist"
    kind = MnistSettings

    def loss(self, graph: Graph) -> Value:
        """Cross-entropy."""
        return build_training_graph(graph, self._network(self.settings.batch_size))

    def _network(self, batch_size: int) -> MnistConfig:
        return MnistConfig(batch_size=batch_size, hidden=self.settings.hidden)

    def load_data(self) -> ShiftedBatches:
        """Digits, moved about."""
        settings = self.settings
        embedded = settings.data is None
        train, self._test = (
            MnistDataset.embedded() if embedded else MnistDataset.from_folder(str(settings.data))
        )
        graph = Graph()
        graph.set_outputs([build_network(graph, self._network(EVALUATED))])
        self._evaluation = build_inference_session(graph, settings.device)
        loader = DataLoader(train.images, train.one_hot(), settings.batch_size, settings.seed)
        return ShiftedBatches(loader, SIDE, settings.shift)

    def make_trainer(self) -> Trainer:
        """Adam, cooled down; the best checkpoint is the one with the highest accuracy."""
        settings = self.settings
        steps = settings.epochs * self.loader.num_batches
        config = TrainConfig(
            Adam(settings.learning_rate),
            schedule=Warmup(100, Cosine(max(1, steps))),
            log_interval=settings.log_interval,
            checkpoints=self.folder.checkpoints,
            checkpoint_interval=settings.checkpoint_interval,
            best="accuracy",
            best_is="highest",
        )
        return Trainer(self.session, config, [self.recorder], self._validate)

    def _validate(self, session: Session) -> dict[str, float]:
        """The share of test images whose largest logit is their digit's."""
        for name in session.param_names():
            self._evaluation.set_parameter(name, session.get_parameter(name))
        test = self._test
        loader = DataLoader(test.images, test.labels, EVALUATED, shuffle=False, partial="pad")
        right = 0
        for batch in loader:
            self._evaluation.set_input("x", batch["x"])
            self._evaluation.step()
            guesses = self._evaluation.read_output().argmax(axis=1)
            right += int(np.sum((guesses == batch["labels"])[: batch.real_rows]))
        return {"accuracy": right / len(test)}

    def train(self) -> TrainHistory:
        """As many epochs as asked for."""
        return self.trainer.train(self.loader, self.settings.epochs)
