"""Single kernels beside NumPy's, PyTorch's and JAX's, by one protocol.

    python -m bench.ops [--steps 30] [--threads 2] [gemm convolution memory overhead]

Every runner gets the same operands and threads, in float32, and results must agree. After five
warm-up steps, steps are timed in turns. A ratio is the peer's median over ours.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import torch

import meganeura as mg
from bench.turns import Runner, Table, in_turns, machine, write_results
from meganeura.device import open_device
from meganeura.ops.conv import Conv2dGradInput, Conv2dGradWeight

WARM_UP = 5
GEMMS = [
    (256, 256, 256),
    (384, 384, 384),
    (512, 512, 512),
    (768, 768, 768),
    (1024, 1024, 1024),
    (128, 576, 1024),
    (128, 576, 1536),
    (128, 1536, 576),
    (32, 784, 128),
    (1, 576, 1536),
]
CONVOLUTIONS = [
    (4, 32, 32, 32, 3),
    (4, 96, 32, 32, 3),
    (4, 192, 64, 16, 3),
    (4, 64, 64, 16, 3),
    (4, 256, 128, 8, 3),
    (4, 128, 128, 8, 3),
    (4, 96, 32, 32, 1),
    (4, 4, 32, 32, 3),
    (2, 192, 64, 32, 3),
    (2, 512, 256, 8, 3),
]
"""Batch, channels, filters, size, kernel."""

Build = Callable[..., mg.Value]


def ours(build: Build, optimize: bool = True, **arrays: np.ndarray) -> Runner:
    """A graph of one op on given operands, run once."""
    g = mg.Graph()
    operands = [g.input(name, array.shape) for name, array in arrays.items()]
    g.set_outputs([build(g, *operands)])
    session = mg.build(g, mg.SessionConfig("cpu", training=False, optimize=optimize))
    for name, array in arrays.items():
        session.set_input(name, array)
    session.step()
    return Runner("meganeura", session.step, session.read_output())


def compare(mine: Runner, peers: dict[str, Callable[[], object]], steps: int) -> list[Runner]:
    """All runners after their turns; what they compute must agree."""
    expected = mine.result
    runners = [mine, *(Runner(name, step) for name, step in peers.items())]
    for runner in runners[1:]:
        result = np.asarray(runner.step()).reshape(expected.shape)
        error = np.abs(result - expected).max() / np.abs(expected).max()
        if error > 1e-4:
            raise SystemExit(f"{runner.name} disagrees by {error:.1e}")
    for runner in runners:
        for _ in range(WARM_UP):
            runner.step()
    in_turns(runners, steps)
    return runners


def ratio(runners: list[Runner]) -> str:
    """The best peer's median over ours."""
    return f"{min(r.median() for r in runners[1:]) / runners[0].median():.2f}×"


def rate(runner: Runner, flops: float) -> str:
    """Billions of operations a second."""
    return f"{flops / runner.median() / 1e6:.0f}"


def gemm(steps: int, threads: int) -> list[str]:
    """Matrix products beside NumPy's OpenBLAS."""
    table = Table("m × k × n", "threads", "meganeura GFLOP/s", "NumPy", "PyTorch", "of NumPy")
    rng = np.random.default_rng(0)
    for m, k, n in GEMMS:
        a = rng.standard_normal((m, k), np.float32)
        b = rng.standard_normal((k, n), np.float32)
        ta, tb = torch.from_numpy(a), torch.from_numpy(b)
        peers = {"NumPy": lambda a=a, b=b: a @ b, "PyTorch": lambda a=ta, b=tb: a @ b}
        runners = compare(ours(lambda g, x, y: x @ y, a=a, b=b), peers, steps)
        rates = [rate(r, 2 * m * k * n) for r in runners]
        table.row(f"{m} × {k} × {n}", threads, *rates, ratio(runners[:2]))
    return table.lines


def convolution(steps: int, threads: int) -> list[str]:
    """Convolutions in three directions beside PyTorch's and JAX's."""
    table = Table(
        "convolution", "direction", "meganeura GFLOP/s", "PyTorch", "JAX", "ratio to PyTorch"
    )
    rng = np.random.default_rng(0)
    for batch, channels, filters, size, kernel in CONVOLUTIONS:
        pad = kernel // 2
        x = rng.standard_normal((batch, channels, size, size), np.float32)
        w = rng.standard_normal((filters, channels, kernel, kernel), np.float32)
        dy = rng.standard_normal((batch, filters, size, size), np.float32)
        flops = 2.0 * x.size * filters * kernel * kernel
        window = {"padding": (pad, pad)}
        mine = {
            "forward": (lambda g, x, w, p=pad: g.conv2d(x, w, padding=p), {"x": x, "w": w}),
            "grad input": (Conv2dGradInput(**window, size=(size, size)), {"dy": dy, "w": w}),
            "grad weight": (
                Conv2dGradWeight(**window, kernel=(kernel, kernel)),
                {"x": x, "dy": dy},
            ),
        }
        jax_steps = _jax_convolutions(x, w, dy, pad)
        for direction, (build, arrays) in mine.items():
            call = build if direction == "forward" else (lambda g, *v, op=build: op(*v))
            peers = {
                "PyTorch": _torch_convolution(direction, x, w, dy, pad),
                "JAX": jax_steps[direction],
            }
            runners = compare(ours(call, **arrays), peers, steps)
            name = f"{batch}, {channels}→{filters}, {size}², {kernel}"
            rates = [rate(r, flops) for r in runners]
            table.row(name, direction, *rates, ratio(runners[:2]))
    return table.lines


def _torch_convolution(
    direction: str, x: np.ndarray, w: np.ndarray, dy: np.ndarray, pad: int
) -> Callable[[], torch.Tensor]:
    tx, tw, tdy = (torch.from_numpy(array) for array in (x, w, dy))
    if direction == "forward":
        return lambda: torch.nn.functional.conv2d(tx, tw, padding=pad)
    which = 0 if direction == "grad input" else 1

    def step() -> torch.Tensor:
        one, zero = [1, 1], [0, 0]
        mask = [which == 0, which == 1, False]
        backward = torch.ops.aten.convolution_backward
        return backward(tdy, tx, tw, None, one, [pad, pad], one, False, zero, 1, mask)[which]

    return step


def _jax_convolutions(
    x: np.ndarray, w: np.ndarray, dy: np.ndarray, pad: int
) -> dict[str, Callable[[], object]]:
    import jax

    jx, jw, jdy = (jax.numpy.asarray(array) for array in (x, w, dy))

    def forward(x: object, w: object) -> object:
        return jax.lax.conv(x, w, (1, 1), [(pad, pad), (pad, pad)])

    both = jax.vjp(forward, jx, jw)[1]
    steps = {
        "forward": (jax.jit(forward), (jx, jw)),
        "grad input": (jax.jit(lambda d: both(d)[0]), (jdy,)),
        "grad weight": (jax.jit(lambda d: both(d)[1]), (jdy,)),
    }
    return {
        name: lambda f=f, args=args: f(*args).block_until_ready()
        for name, (f, args) in steps.items()
    }


def memory(steps: int, threads: int) -> list[str]:
    """Kernels that do little but move memory, beside a plain copy of the same size."""
    table = Table("kernel", "meganeura GB/s", "copy GB/s", "of a copy", "PyTorch ms", "ours ms")
    f = torch.nn.functional
    rng = np.random.default_rng(0)
    rows, columns = 4096, 4096
    x = rng.standard_normal((rows, columns), np.float32)
    y = rng.standard_normal((rows, columns), np.float32)
    images = x.reshape(64, 256, 32, 32)
    scale, shift = (rng.standard_normal(256).astype(np.float32) for _ in range(2))
    row = rng.standard_normal(columns).astype(np.float32)
    t = {n: torch.from_numpy(a) for n, a in {"x": x, "y": y, "i": images, "r": row}.items()}
    ts, tb = torch.from_numpy(scale), torch.from_numpy(shift)
    into = torch.empty_like(t["x"])
    cases: list[tuple[str, int, Runner, Callable[[], object]]] = [
        ("silu", 2, ours(lambda g, x: g.silu(x), x=x), lambda: f.silu(t["x"])),
        ("add", 3, ours(lambda g, x, y: x + y, x=x, y=y), lambda: t["x"] + t["y"]),
        ("softmax", 2, ours(lambda g, x: g.softmax(x), x=x), lambda: f.softmax(t["x"], -1)),
        (
            "rms_norm",
            2,
            ours(lambda g, x, r: g.rms_norm(x, r, 1e-5), x=x, r=row),
            lambda: f.rms_norm(t["x"], (columns,), t["r"], 1e-5),
        ),
        (
            "group_norm",
            2,
            ours(
                lambda g, x, s, b: g.group_norm(x, s, b, num_groups=32, eps=1e-5),
                x=images,
                s=scale,
                b=shift,
            ),
            lambda: f.group_norm(t["i"], 32, ts, tb, 1e-5),
        ),
        ("row sums", 1, ours(lambda g, x: g.sum(x, [1]), x=x), lambda: t["x"].sum(1)),
        ("column sums", 1, ours(lambda g, x: g.sum(x, [0]), x=x), lambda: t["x"].sum(0)),
    ]
    for name, passes, mine, theirs in cases:
        runners = compare(mine, {"PyTorch": theirs}, 0)
        runners.append(Runner("copy", lambda: into.copy_(t["x"])))
        in_turns(runners, steps)
        copied = 2 * x.nbytes / runners[2].median() / 1e6
        moved = passes * x.nbytes / runners[0].median() / 1e6
        share = f"{moved / copied * 100:.0f} %"
        times = (f"{runners[1].median():.1f}", f"{runners[0].median():.1f}")
        table.row(name, f"{moved:.1f}", f"{copied:.1f}", share, *times)
    return table.lines


def overhead(steps: int, threads: int) -> list[str]:
    """What a dispatch costs beside its work: chains of kernels on one number."""
    table = Table("dispatches", "threads", "µs for a step", "ns for a dispatch")
    for count in (1, 100, 1000):
        mine = ours(chain_of(count), optimize=False, x=np.ones(1, np.float32))
        in_turns([mine], max(steps, 100))
        micros = mine.median() * 1e3
        table.row(count, threads, f"{micros:.1f}", f"{micros / count * 1e3:.0f}")
    return table.lines


def chain_of(count: int) -> Build:
    """So many kernels, each on what the one before gives."""

    def chain(g: mg.Graph, x: mg.Value) -> mg.Value:
        for i in range(count):
            x = g.silu(x) if i % 2 else g.tanh(x)
        return x

    return chain


def gpu(steps: int, threads: int) -> list[str]:
    """What it takes to record and submit a step to a GPU; the GPU's own time is not in it."""
    table = Table("dispatches on a GPU", "µs of the host for a step", "µs for a dispatch")
    try:
        open_device("gpu")
    except mg.DeviceError as error:
        print(f"no GPU: {error.message}")
        return table.lines
    for count in (100, 1000):
        g = mg.Graph()
        g.set_outputs([chain_of(count)(g, g.input("x", (1,)))])
        with mg.build(g, mg.SessionConfig("gpu", training=False, optimize=False)) as session:
            session.set_input("x", [1.0])
            times = [_until_submitted(session) for _ in range(max(steps, 30))]
        micros = float(np.median(times)) * 1e6
        table.row(count, f"{micros:.0f}", f"{micros / count:.2f}")
    return table.lines


def _until_submitted(session: mg.Session) -> float:
    """Seconds until a step is on its way, when nothing else is."""
    session.wait()
    start = time.perf_counter()
    session.step()
    return time.perf_counter() - start


PARTS = {
    "gemm": gemm,
    "convolution": convolution,
    "memory": memory,
    "overhead": overhead,
    "gpu": gpu,
}


def _on_one_thread(part: str, steps: int) -> list[str]:
    """The rows of a part in a process whose libraries all run on one thread."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MEGANEURA_THREADS")
    command = [sys.executable, "-m", "bench.ops", part, "--threads", "1", "--steps", str(steps)]
    done = subprocess.run(
        command, env=os.environ | dict.fromkeys(names, "1"), stdout=subprocess.PIPE, check=True
    )
    print(done.stdout.decode(), end="", flush=True)
    return done.stdout.decode().strip().splitlines()


def main() -> None:
    cores = os.cpu_count() or 1
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--threads", type=int, default=cores)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    if arguments.threads != cores:
        for part in arguments.parts:
            PARTS[part](arguments.steps, arguments.threads)
        return
    print(machine(), flush=True)
    texts = []
    for part in arguments.parts or PARTS:
        lines = PARTS[part](arguments.steps, arguments.threads)
        if part in ("gemm", "overhead"):
            lines += _on_one_thread(part, arguments.steps)[2:]
        texts.append("\n".join(lines))
    if not arguments.parts:
        write_results("ops", texts)


if __name__ == "__main__":
    main()
