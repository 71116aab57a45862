"""``meganeura bench``: how long a model takes here."""

from __future__ import annotations

import argparse
import time
from math import prod

import numpy as np

from ..builders import build_session
from ..errors import SessionError
from ..models.sd_unet import SDUNetConfig, build_training_graph
from ..ops.graph import Graph
from ..session import Session

SIZES = {"tiny": SDUNetConfig.tiny, "small": SDUNetConfig.small}


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = commands.add_parser(
        "bench",
        help="time a model on this machine",
        epilog="example: meganeura bench sd-unet-train --size small",
    )
    parser.add_argument("what", choices=["sd-unet-train"], help="train the U-Net on noise")
    parser.add_argument("--size", choices=list(SIZES), default="tiny")
    parser.add_argument("--steps", type=int, default=50, help="steps to time (default: 50)")
    parser.add_argument("--device", default="auto")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Train the U-Net on noise: 4-channel latents of 32×32, Adam."""
    if arguments.steps < 1:
        raise SessionError("--steps must be at least 1")
    cfg = SIZES[arguments.size]()
    start = time.perf_counter()
    graph = Graph()
    graph.set_outputs([build_training_graph(graph, cfg)])
    with build_session(graph, arguments.device) as session:
        session.set_adam(1e-3)
        rng = np.random.default_rng(0)
        for name in ("x", "target"):
            session.set_input(name, rng.standard_normal(prod(cfg.input_shape())))
        session.step()
        first = session.read_loss()
        ready = time.perf_counter() - start
        times = _step_times(session, arguments.steps)
        parameters = session.num_parameters()
        memory = session.memory_summary().total_bytes()
        print(f"SD U-Net {arguments.size}, {parameters:,} parameters, batch {cfg.batch_size}")
        print(f"device        {session.device_information()}")
        print(f"first step    {ready:.2f} s after the start")
        print(f"step          {np.median(times):.2f} ms (median of {len(times)})")
        print(f"fastest       {min(times):.2f} ms")
        print(f"images        {1e3 * cfg.batch_size / np.median(times):.1f} a second")
        print(f"memory        {memory / 2**20:.1f} MiB")
        print(f"loss          {first:.4f}, after {arguments.steps} steps {session.read_loss():.4f}")


def _step_times(session: Session, steps: int) -> list[float]:
    """Milliseconds of each step, finished."""
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        session.step()
        session.wait()
        times.append(1e3 * (time.perf_counter() - start))
    return times
