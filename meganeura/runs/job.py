"""A job: training one of the models that come with the package, in a folder of its own.

What a job may be told is a frozen dataclass of settings, from which the command line and
``config.json`` follow: a setting is declared once.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Generic, TypeVar

from .. import profiler, trace
from ..arguments import fit_fields
from ..builders import build
from ..data.batches import Batches
from ..errors import SessionError
from ..ir.graph import Value
from ..ops.graph import Graph
from ..session import SessionConfig
from ..train.callbacks import TrainHistory
from ..train.trainer import Trainer
from .folder import RunFolder
from .record import Recorder

MOST = 2**31 - 1


def setting(default: Any, words: str, least: float | None = None, most: float = MOST) -> Any:
    """A setting with its default, what it means, and of a number the least and most it can be."""
    return field(default=default, metadata={"help": words, "least": least, "most": most})


@dataclass(frozen=True)
class Settings:
    """What every job may be told."""

    device: str = setting("auto", "where to train: auto, cpu, gpu, gpu:NAME")
    seed: int = setting(0, "what all random numbers depend on", least=0, most=2**63 - 1)
    data: str | None = setting(None, "images to learn from instead of the digits that come along")
    log_interval: int = setting(20, "steps between two looks at the losses", least=1)
    checkpoint_interval: int = setting(250, "steps between two checkpoints", least=1)
    trace: bool = setting(False, "write a Perfetto trace of the run into its folder")
    verify: bool = setting(False, "compare the first step with the reference, and tell")

    def __post_init__(self) -> None:
        fit_fields(self, "settings", SessionError)
        for each in fields(self):
            least, most = each.metadata["least"], each.metadata["most"]
            value = getattr(self, each.name)
            if least is not None and not value >= least:  # as a NaN is not
                raise SessionError(f"{each.name} must be at least {least}, got {value}")
            if least is not None and value > most:
                raise SessionError(f"{each.name} must be at most {most}, got {value}")


S = TypeVar("S", bound=Settings)
TRACE = "trace.pftrace"


class Job(ABC, Generic[S]):
    """A model to be trained with some settings, in a folder."""

    model: ClassVar[str]
    kind: ClassVar[type[Settings]]

    def __init__(self, settings: S, folder: RunFolder, version: str = "") -> None:
        self.settings, self.folder, self._version = settings, folder, version
        self.graph = Graph()
        self.graph.set_outputs([self.loss(self.graph)])
        config = SessionConfig(settings.device, seed=settings.seed, verify=settings.verify)
        self.session = build(self.graph, config)
        self.recorder = Recorder(folder, self.graph)
        self.loader = self.load_data()
        self.trainer = self.make_trainer()

    @abstractmethod
    def loss(self, graph: Graph) -> Value:
        """The loss."""

    @abstractmethod
    def load_data(self) -> Batches:
        """The batches."""

    @abstractmethod
    def make_trainer(self) -> Trainer:
        """The trainer, with the recorder among its callbacks."""

    @abstractmethod
    def train(self) -> TrainHistory:
        """Train to the end."""

    def start(self) -> TrainHistory:
        """Write down what is started, and train."""
        facts = {
            "version": self._version,
            "device": str(self.session.device_information()),
            "parameters": self.session.num_parameters(),
            "started": time.strftime("%Y-%m-%dT%H:%M:%S"),
        }
        self.folder.make(is_new=True)
        self.folder.write_config(self.model, self.settings, facts)
        return self._trained()

    def resume(self) -> TrainHistory:
        """Go on where the folder's last checkpoint was written, or from the beginning if the run
        was stopped before its first."""
        self.folder.clean()
        self.folder.make(is_new=False)
        if self.folder.last.exists():
            self.trainer.resume(self.folder.last, self.loader)
        return self._trained()

    def _trained(self) -> TrainHistory:
        if not self.settings.trace:
            history = self.train()
        else:
            with trace.apart() as recorded:
                history = self.train()
            profiler.write(recorded, self.folder.path / TRACE)
        self.recorder.finish()
        return history
