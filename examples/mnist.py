"""Train a two-layer network on handwritten digits, then count what it gets right.

    python examples/mnist.py [--epochs 8] [--device auto]

The digits that ship with the package are used. To use the whole of MNIST, name the folder that
holds its four IDX files: ``--data FOLDER``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import meganeura as mg
from meganeura.models.mnist import MnistConfig, build_network, build_training_graph


def accuracy(session: mg.Session, test: mg.MnistDataset, batch_size: int) -> float:
    """The share of test images whose largest logit is their digit's."""
    loader = mg.DataLoader(test.images, test.labels, batch_size, shuffle=False, partial="pad")
    guesses = []
    for batch in loader:
        session.set_input("x", batch["x"])
        session.step()
        guesses.append(session.read_output().argmax(axis=1))
    return float(np.mean(np.concatenate(guesses)[: len(test)] == test.labels))


def load(folder: str | None) -> tuple[mg.MnistDataset, mg.MnistDataset]:
    """The training and the test set."""
    if folder is None:
        return mg.MnistDataset.embedded()
    train, test = (
        [Path(folder) / f"{part}-{kind}-ubyte" for kind in ("images-idx3", "labels-idx1")]
        for part in ("train", "t10k")
    )
    return mg.MnistDataset.load(*train), mg.MnistDataset.load(*test)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--data", metavar="FOLDER", help="where MNIST's four IDX files are")
    arguments = parser.parse_args()
    train, test = load(arguments.data)
    cfg = MnistConfig()

    g, forward = mg.Graph(), mg.Graph()
    g.set_outputs([build_training_graph(g, cfg)])
    forward.set_outputs([build_network(forward, cfg)])
    session = mg.build_session(g, arguments.device)
    evaluation = mg.build_inference_session(forward, arguments.device)
    parameters = sum(session.param_size(name) for name in session.param_names())
    print(f"{len(train)} digits, {parameters:,} parameters, {session.device_information()}")

    loader = mg.DataLoader(train.images, train.one_hot(), cfg.batch_size, seed=1)
    for epoch in range(arguments.epochs):
        session.set_adam(2e-3 * 0.5 ** (epoch // 3))
        losses = []
        for batch in loader:
            session.set_input("x", batch["x"])
            session.set_input("labels", batch["labels"])
            session.step()
            losses.append(session.read_loss())
        for name in session.param_names():
            evaluation.set_parameter(name, session.get_parameter(name))
        share = accuracy(evaluation, test, cfg.batch_size)
        loss = float(np.mean(losses))
        bar = "█" * max(1, round(60 * loss))
        print(f"epoch {epoch + 1}  loss {loss:.4f}  test accuracy {share:.1%}  {bar}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except mg.MeganeuraError as error:
        sys.exit(f"{type(error).__name__}: {error}")
