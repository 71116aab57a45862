"""Train a two-layer network on handwritten digits, then count what it gets right.

    python examples/mnist.py [--epochs 5] [--device auto]

The digits that ship with the package are used; give MNIST's own IDX files with
``--images``, ``--labels``, ``--test-images`` and ``--test-labels``.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import meganeura as mg

BATCH, PIXELS, HIDDEN, CLASSES = 32, 784, 128, 10


def build_network(g: mg.Graph) -> tuple[mg.Value, mg.Value]:
    """The loss and the logits: matmul, bias, relu, matmul, bias."""
    x = g.input("x", [BATCH, PIXELS])
    labels = g.input("labels", [BATCH, CLASSES])
    w1, b1 = g.parameter("fc1.weight", [PIXELS, HIDDEN]), g.parameter("fc1.bias", [HIDDEN])
    w2, b2 = g.parameter("fc2.weight", [HIDDEN, CLASSES]), g.parameter("fc2.bias", [CLASSES])
    hidden = g.relu(g.bias_add(g.matmul(x, w1), b1))
    logits = g.bias_add(g.matmul(hidden, w2), b2)
    return g.cross_entropy_loss(logits, labels), logits


def accuracy(session: mg.Session, test: mg.MnistDataset) -> float:
    """The share of test images whose largest logit is their digit's."""
    correct = 0
    for start in range(0, len(test), BATCH):
        count = min(BATCH, len(test) - start)
        images = np.zeros((BATCH, PIXELS), np.float32)
        images[:count] = test.images[start : start + count]
        session.set_input("x", images)
        session.set_input("labels", np.zeros((BATCH, CLASSES), np.float32))
        session.step()
        guesses = session.read_output(1).argmax(axis=1)[:count]
        correct += int((guesses == test.labels[start : start + count]).sum())
    return correct / len(test)


def load(arguments: argparse.Namespace) -> tuple[mg.MnistDataset, mg.MnistDataset]:
    """The training and the test set."""
    if arguments.images is None:
        return mg.MnistDataset.embedded()
    train = mg.MnistDataset.load(arguments.images, arguments.labels)
    return train, mg.MnistDataset.load(arguments.test_images, arguments.test_labels)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--device", default="auto")
    for name in ("images", "labels", "test-images", "test-labels"):
        parser.add_argument(f"--{name}")
    arguments = parser.parse_args()
    train, test = load(arguments)

    g = mg.Graph()
    loss, logits = build_network(g)
    g.set_outputs([loss, logits])
    session = mg.build_session(g, arguments.device)
    evaluation = mg.build_inference_session(g, arguments.device)
    parameters = sum(session.param_size(name) for name in session.param_names())
    print(f"{parameters:,} parameters on {session.device_information()}")

    loader = mg.DataLoader(train.images, train.one_hot(), BATCH, seed=1)
    for epoch in range(arguments.epochs):
        session.set_adam(1e-3 * (1 - epoch / arguments.epochs))
        losses = []
        for batch in loader:
            session.set_input("x", batch["x"])
            session.set_input("labels", batch["labels"])
            session.step()
            losses.append(session.read_loss())
        for name in session.param_names():
            evaluation.set_parameter(name, session.get_parameter(name))
        share = accuracy(evaluation, test)
        bar = "█" * max(1, round(40 * float(np.mean(losses))))
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}  test accuracy {share:.1%}  {bar}")


if __name__ == "__main__":
    try:
        main()
    except mg.MeganeuraError as error:
        sys.exit(f"{type(error).__name__}: {error}")
