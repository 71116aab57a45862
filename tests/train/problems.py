"""A small problem to train on, and a trainer for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import meganeura as mg

BATCH, FEATURES, CLASSES = 8, 12, 3
RULE = mg.Adam(5e-3)


def graph() -> mg.Graph:
    g = mg.Graph()
    x, labels = g.input("x", [BATCH, FEATURES]), g.input("labels", [BATCH, CLASSES])
    hidden = g.relu(mg.nn.Linear(g, "fc1", FEATURES, 16)(x))
    logits = mg.nn.Linear(g, "fc2", 16, CLASSES)(hidden)
    g.set_outputs([g.cross_entropy_loss(logits, labels)])
    return g


def loader(seed: int = 0, samples: int = 80, data_seed: int = 0) -> mg.DataLoader:
    rng = np.random.default_rng(data_seed)
    x = rng.normal(size=(samples, FEATURES)).astype(np.float32)
    labels = np.eye(CLASSES, dtype=np.float32)[x[:, :CLASSES].argmax(axis=1)]
    return mg.DataLoader(x, labels, BATCH, seed=seed)


def trainer(
    device: str = "cpu",
    callbacks: Sequence[mg.MetricCallback] = (),
    validate: Any = None,
    graph: mg.Graph | None = None,
    **config: Any,
) -> mg.Trainer:
    settings = {"optimizer": RULE, "progress": False, **config}
    session = mg.build_session(globals()["graph"]() if graph is None else graph, device)
    return mg.Trainer(session, mg.TrainConfig(**settings), callbacks, validate)
