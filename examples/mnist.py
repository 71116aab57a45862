"""Train a two-layer network on handwritten digits, and count what it gets right.

    python examples/mnist.py [--epochs 10] [--device auto]

`meganeura train mnist` does the same with all that a longer run needs: a folder, checkpoints,
resumption, a page that shows it.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import meganeura as mg
from meganeura.models.mnist import MnistConfig, build_network, build_training_graph


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    train, test = mg.MnistDataset.embedded()

    g = mg.Graph()
    g.set_outputs([build_training_graph(g, MnistConfig(batch_size=50))])
    session = mg.build_session(g, arguments.device)

    loader = mg.DataLoader(train.images, train.one_hot(), batch_size=50, seed=1)
    config = mg.TrainConfig(
        mg.Adam(2e-3), schedule=mg.Cosine(arguments.epochs * loader.num_batches)
    )
    mg.Trainer(session, config).train(loader, arguments.epochs)

    forward = mg.Graph()
    forward.set_outputs([build_network(forward, MnistConfig(batch_size=len(test)))])
    with mg.build_inference_session(forward, arguments.device) as evaluation:
        for name in session.param_names():
            evaluation.set_parameter(name, session.get_parameter(name))
        evaluation.set_input("x", test.images)
        evaluation.step()
        right = np.mean(evaluation.read_output().argmax(axis=1) == test.labels)
    print(f"{right:.1%} of {len(test)} test images are told right")


if __name__ == "__main__":
    try:
        main()
    except mg.MeganeuraError as error:
        sys.exit(f"{type(error).__name__}: {error}")
