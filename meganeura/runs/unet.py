"""Train the SD U-Net to draw images, by flow matching; and let it draw."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..builders import build_inference_session
from ..data.batches import Batch, DataLoader
from ..data.images import Images, digit_images, load_images
from ..errors import FormatError, SessionError
from ..ir.graph import Value
from ..models.sd_unet import SDUNetConfig, build_training_graph, build_unet
from ..ops.graph import Graph
from ..picture.grid import sample_grid
from ..session import Session
from ..train.callbacks import TrainHistory
from ..train.config import TrainConfig
from ..train.flow import FlowBatches, draw_samples
from ..train.schedule import Cosine, Warmup
from ..train.trainer import Trainer
from ..update import Adam
from .folder import RunFolder
from .job import Job, Settings, setting

HELD_OUT = 64
"""Images that are kept back to validate with, if there are that many to spare."""
SPARED = 8
"""Of so many images of a folder, one is kept back at most."""


@dataclass(frozen=True)
class UnetSettings(Settings):
    """What training the U-Net may be told."""

    steps: int = setting(2200, "steps to train", least=1)
    batch_size: int = setting(16, "images of a step", least=1)
    channels: int = setting(1, "channels of an image: 1 for grey, 3 for colours", least=1)
    resolution: int = setting(32, "height and width of an image", least=1)
    base_channels: int = setting(
        32, "channels of the network's first level; each next has twice", least=1
    )
    levels: int = setting(3, "levels of the network; each but the last halves the image", least=1)
    groups: int = setting(8, "groups of its norms", least=1)
    learning_rate: float = setting(4e-3, "the full learning rate of Adam", least=0)
    warmup: int = setting(100, "steps until the full learning rate", least=0)
    average: float = setting(
        0.995, "how much of the weights' running average stays in a step", least=0, most=1
    )
    sample_interval: int = setting(550, "steps between two grids of samples", least=1)
    samples: int = setting(64, "images of a grid", least=1)
    sample_steps: int = setting(20, "steps from noise to an image", least=1)

    def network(self, batch_size: int) -> SDUNetConfig:
        """The network for batches of a size."""
        return SDUNetConfig(
            batch_size,
            self.channels,
            self.base_channels,
            self.levels,
            self.resolution,
            self.groups,
            1e-5,
        )


class Painter:
    """Draws with a network's averaged weights, and tells how well it predicts what was held out."""

    def __init__(self, settings: UnetSettings, device: str, count: int) -> None:
        self.network = settings.network(min(count, HELD_OUT))
        graph = Graph()
        graph.set_outputs([build_unet(graph, self.network)])
        self.session = build_inference_session(graph, device)

    def take_averages(self, trained: Session) -> None:
        """Take the weights of a session that is trained."""
        for name in self.session.param_names():
            self.session.set_parameter(name, trained.get_average(name))

    def take_checkpoint(self, path: Path) -> None:
        """Take the averaged weights of a checkpoint."""
        self.session.load_checkpoint(path, averages=True)

    def draw(self, count: int, steps: int, seed: int) -> bytes:
        """A grid of samples, as the content of a PNG file."""
        shape = self.network.input_shape()
        return sample_grid(draw_samples(self.session, shape, count, steps, seed))

    def loss(self, batch: Batch) -> float:
        """The mean squared error of what is predicted for the samples of a batch."""
        self.session.set_input("x", batch["x"])
        self.session.step()
        errors = (self.session.read_output().ravel() - batch["target"]) ** 2
        return float(np.mean(errors.reshape(batch.rows, -1)[: batch.real_rows]))


class UnetJob(Job[UnetSettings]):
    """Trains the U-Net."""

    model = "sd-unet"
    kind = UnetSettings

    def loss(self, graph: Graph) -> Value:
        """The mean squared error of the predicted way from noise to an image."""
        return build_training_graph(graph, self.settings.network(self.settings.batch_size))

    def load_data(self) -> FlowBatches:
        """Images with noise."""
        train, test = load_training_images(self.settings)
        self.painter = Painter(self.settings, self.settings.device, self.settings.samples)
        size = self.painter.network.batch_size
        held_out = DataLoader(test, batch_size=size, seed=1, shuffle=False, partial="pad")
        self._held_out = next(FlowBatches(held_out).batches(0))
        return FlowBatches(
            DataLoader(train, batch_size=self.settings.batch_size, seed=self.settings.seed)
        )

    def make_trainer(self) -> Trainer:
        """Adam, warmed up and cooled down."""
        settings = self.settings
        config = TrainConfig(
            Adam(settings.learning_rate),
            schedule=Warmup(settings.warmup, Cosine(settings.steps)),
            average=settings.average,
            log_interval=settings.log_interval,
            checkpoints=self.folder.checkpoints,
            checkpoint_interval=settings.checkpoint_interval,
            validate_interval=settings.sample_interval,
        )
        return Trainer(self.session, config, [self.recorder], self._validate)

    def _validate(self, session: Session) -> dict[str, float]:
        """Draw a grid, and measure on what was held out."""
        self.painter.take_averages(session)
        settings = self.settings
        grid = self.painter.draw(settings.samples, settings.sample_steps, settings.seed)
        self.folder.write(f"samples/step-{self.trainer.position.step:06d}.png", grid)
        return {"loss": self.painter.loss(self._held_out)}

    def train(self) -> TrainHistory:
        """As many steps as asked for."""
        return self.trainer.train(self.loader, steps=self.settings.steps)

    def latest_samples(self) -> Path | None:
        """The last grid that was drawn, if one was."""
        return max(self.folder.samples.glob("step-*.png"), default=None)


def load_training_images(settings: UnetSettings) -> tuple[Images, Images]:
    """Images to train with, and images to validate with."""
    if settings.data is None:
        if settings.channels != 1:
            raise SessionError("the digits are grey: use --channels 1, or give --data")
        return digit_images(settings.resolution)
    images = load_images(settings.data, settings.resolution, settings.channels)
    spared = min(HELD_OUT, len(images) // SPARED)
    if len(images) - spared < settings.batch_size:
        raise SessionError(
            f"{len(images)} images are too few for batches of {settings.batch_size}",
            hint="give a smaller --batch-size",
        )
    order = np.random.default_rng(settings.seed).permutation(len(images))
    test = images[order[:spared]] if spared else images[:1]
    return images[order[spared:]], test


def sample(
    folder: RunFolder, checkpoint: str, count: int, steps: int, seed: int, device: str
) -> bytes:
    """A grid of samples by a run's checkpoint, as the content of a PNG file."""
    settings = folder.read_settings(UnetJob.model, UnetSettings)
    path = folder.checkpoint(checkpoint)
    if not path.is_file():
        raise FormatError(f"{folder.path} has no checkpoint yet", hint="train some steps first")
    painter = Painter(settings, device, count)
    painter.take_checkpoint(path)
    return painter.draw(count, steps, seed)
