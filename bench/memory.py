"""Peak resident memory of training the U-Net, each library in a process of its own.

    python -m bench.memory

A process loads its library, trains some steps, and tells the most memory it has had. Ours is
measured twice: building everything, and with the plan on disk.
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


def peak_mib() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


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


def measured(side: str, size: str, cache: str) -> float:
    """The peak of a process that trains."""
    command = [sys.executable, "-m", "bench.memory", side, size]
    env = {**os.environ, "MEGANEURA_CACHE": cache}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    return float(done.stdout.split()[-1])


def main() -> None:
    if len(sys.argv) == 3:
        SIDES[sys.argv[1]](SIZES[sys.argv[2]]())
        print(peak_mib())
        return
    table = Table("training (Adam)", "meganeura, first / cached MiB", "PyTorch eager MiB", "ratio")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as cache:
            first, cached = (measured("meganeura", size, cache) for _ in range(2))
            theirs = measured("PyTorch eager", size, cache)
        ratio = f"{theirs / first:.2f}× / {theirs / cached:.2f}×"
        table.row(f"SD U-Net {size}", f"{first:.0f} / {cached:.0f}", f"{theirs:.0f}", ratio)
    write_results("memory", ["\n".join(table.lines)])


if __name__ == "__main__":
    main()
