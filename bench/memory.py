"""Peak resident memory of training the U-Net, each library in a process of its own.

    python -m bench.memory

A process loads its library, trains some steps, and tells the most memory it has had. Ours is
measured twice: building everything, and with the plan on disk. The helper processes that hold LLVM
while it builds end before it trains; what the largest of them had is told by itself.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

from bench.turns import Table, write_results
from meganeura.models.sd_unet import SDUNetConfig
from tests.helpers.unet import Arrays, draw, training_graph

STEPS = 10
SIZES = {"tiny": SDUNetConfig.tiny, "small": SDUNetConfig.small}


def peaks_mib() -> tuple[float, float]:
    """The most memory that this process has had, and the largest of its helpers."""
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    process, helper = (resource.getrusage(who).ru_maxrss / 1024 for who in whose)
    return process, helper


def drawn(cfg: SDUNetConfig) -> tuple[Arrays, Arrays]:
    """Weights and data in float32, as a user has them; who takes them over lets them go."""
    weights, data = draw(cfg)
    return tuple({k: v.astype(np.float32) for k, v in part.items()} for part in (weights, data))


def train_ours(cfg: SDUNetConfig) -> None:
    import meganeura as mg

    weights, data = drawn(cfg)
    with mg.build_session(training_graph(cfg), "cpu") as session:
        session.set_adam(1e-3)
        while weights:
            session.set_parameter(*weights.popitem())
        for name, array in data.items():
            session.set_input(name, array)
        for _ in range(STEPS):
            session.step()


def train_torch(cfg: SDUNetConfig) -> None:
    import torch

    from bench.peers import TorchUNet

    weights, data = drawn(cfg)
    network = TorchUNet(cfg, weights)
    weights.clear()
    optimizer = torch.optim.Adam(list(network.weights.values()), lr=1e-3)
    for _ in range(STEPS):
        optimizer.zero_grad()
        network.loss(data).backward()
        optimizer.step()


SIDES = {"meganeura": train_ours, "PyTorch eager": train_torch}


def measured(side: str, size: str, cache: str) -> tuple[float, float]:
    """The peaks of a process that trains, and of its helpers."""
    command = [sys.executable, "-m", "bench.memory", side, size]
    env = {**os.environ, "MEGANEURA_CACHE": cache}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    process, helper = map(float, done.stdout.split()[-2:])
    return process, helper


def main() -> None:
    if len(sys.argv) == 3:
        SIDES[sys.argv[1]](SIZES[sys.argv[2]]())
        print(*peaks_mib())
        return
    ours, helpers = "meganeura, first / cached MiB", "largest helper MiB"
    table = Table("training (Adam)", ours, helpers, "PyTorch eager MiB", "ratio")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as cache:
            (first, helper), (cached, _) = (measured("meganeura", size, cache) for _ in range(2))
            theirs, _ = measured("PyTorch eager", size, cache)
        table.row(
            f"SD U-Net {size}",
            f"{first:.0f} / {cached:.0f}",
            f"{helper:.0f}",
            f"{theirs:.0f}",
            f"{theirs / first:.2f}× / {theirs / cached:.2f}×",
        )
    write_results("memory", ["\n".join(table.lines)])


if __name__ == "__main__":
    main()
