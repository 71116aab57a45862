"""How exact float32 results are: ours and PyTorch's, both beside PyTorch in float64.

    python -m bench.accuracy [--device cpu] [words that a row's name must contain]

An error is the largest difference, as a part of the largest element expected; of data drawn several
times, the mean. A row fails if our error is more than twice PyTorch's and more than two roundings,
or, for convolutions by tiles, more than 2e-6 of data of one size: then the command does, too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import torch

import meganeura as mg
from bench.turns import Table, write_results
from tests.helpers.sessions import results

F = torch.nn.functional
Array = np.ndarray
Draw = Callable[[np.random.Generator, tuple[int, ...]], Array]

FACTOR = 2.0
"""How much larger than PyTorch's our error may be."""
LEAST = 2.0**-23
"""Two roundings: below that a ratio means nothing."""
BY_TILES = 2e-6
"""What convolutions by tiles may err on data of one size."""
DRAWS, FEW_DRAWS, LARGE = 8, 3, 1_000_000
"""Times that data is drawn, fewer of large operands: one rounding of a single sum is luck."""


def constant(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """One number everywhere: its roundings all go one way."""
    return np.full(shape, rng.uniform(0.1, 1.0), np.float32)


def normal(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Unit variance, mean 0."""
    return rng.standard_normal(shape, np.float32)


def offset(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Unit variance, mean 1e4."""
    return normal(rng, shape) + np.float32(1e4)


def outlier(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Unit variance, but one number is 1e6."""
    array = normal(rng, shape)
    array.flat[rng.integers(array.size)] = 1e6
    return array


EVERY: tuple[Draw, ...] = (normal, constant, offset, outlier)


@dataclass(frozen=True)
class Row:
    """A computation in both libraries, on operands of some shapes."""

    name: str
    ours: Callable[..., mg.Value]
    torch: Callable[..., Any]
    shapes: Sequence[tuple[int, ...]]
    data: tuple[Draw, ...] = EVERY
    gradient: bool = False
    tiles: bool = False


def sums() -> Iterator[Row]:
    """Sums of up to ten million numbers."""
    for length in (1000, 100_000, 10_000_000):
        shape = [(length,)]
        yield Row(f"sum of {length:,}", lambda g, x: g.sum_all(x), lambda x: x.sum(), shape)
    yield Row("mean of 10,000,000", lambda g, x: g.mean_all(x), torch.mean, [(10_000_000,)])
    for rows in (1000, 1_000_000):
        name = f"sum over {rows:,} rows"
        yield Row(name, lambda g, x: g.sum(x, 0), lambda x: x.sum(0), [(rows, 10)])
    yield Row("sum in the middle", lambda g, x: g.sum(x, 1), lambda x: x.sum(1), [(4, 5000, 33)])
    yield Row(
        "bias gradient over 1,000,000 rows",
        lambda g, x, b: g.mul(x, b),
        lambda x, b: x * b,
        [(1_000_000, 10), (10,)],
        (normal, constant),
        gradient=True,
    )
    yield Row(
        "variance by hand",
        lambda g, x: g.mean((x - g.mean(x, 0)) ** 2.0, 0),
        lambda x: ((x - x.mean(0)) ** 2).mean(0),
        [(20_000, 16)],
    )


def products() -> Iterator[Row]:
    """Matrix products with up to 400,000 terms, and their gradients."""
    for terms in (256, 4096):
        shapes = [(96, terms), (terms, 80)]
        yield Row(f"product, {terms} terms", lambda g, a, b: a @ b, torch.matmul, shapes)
    for terms in (100_000, 400_000):
        shapes = [(8, terms), (terms, 16)]
        yield Row(f"product, {terms:,} terms", lambda g, a, b: a @ b, torch.matmul, shapes)
    yield Row(
        "product of a row, 4096 terms",
        lambda g, a, b: a @ b,
        torch.matmul,
        [(1, 4096), (4096, 80)],
    )
    yield Row(
        "gradients of a product over 50,000 rows",
        lambda g, a, b: a @ b,
        torch.matmul,
        [(50_000, 24), (24, 20)],
        (normal, constant),
        gradient=True,
    )


def convolutions() -> Iterator[Row]:
    """Convolutions, by tiles and directly, and their gradients."""
    for channels, size, kernel, stride in (
        (64, 32, 3, 1),
        (256, 16, 3, 1),
        (64, 32, 3, 2),
        (512, 16, 1, 1),
        (128, 15, 1, 2),
    ):
        shapes = [(2, channels, size, size), (64, channels, kernel, kernel)]
        window = {"stride": stride, "padding": kernel // 2}
        for gradient in (False, True):
            yield Row(
                f"{'gradients of ' * gradient}convolution {kernel}×{kernel}, {channels} channels, "
                f"stride {stride}",
                lambda g, x, w, window=window: g.conv2d(x, w, **window),
                lambda x, w, window=window: F.conv2d(x, w, **window),
                shapes,
                (normal, constant, outlier),
                gradient,
                tiles=kernel == 3,
            )


def normalizations() -> Iterator[Row]:
    """Norms and softmax, forward and backward. The gradient of a norm of equal numbers is 0."""

    def data(gradient: bool) -> tuple[Draw, ...]:
        return (normal, offset, outlier) if gradient else EVERY

    def group_norm(g: mg.Graph, x: mg.Value, w: mg.Value, b: mg.Value) -> mg.Value:
        return g.group_norm(x, w, b, num_groups=8)

    for gradient in (False, True):
        of = "gradients of " * gradient
        yield Row(
            f"{of}layer norm of 1000",
            lambda g, x, w, b: g.layer_norm(x, w, b),
            lambda x, w, b: F.layer_norm(x, w.shape, w, b),
            [(16, 1000), (1000,), (1000,)],
            data(gradient),
            gradient,
        )
        yield Row(
            f"{of}group norm",
            group_norm,
            lambda x, w, b: F.group_norm(x, 8, w, b),
            [(2, 32, 16, 16), (32,), (32,)],
            data(gradient),
            gradient,
        )
        yield Row(
            f"{of}softmax of 5000",
            lambda g, x: g.softmax(x),
            lambda x: x.softmax(-1),
            [(8, 5000)],
            gradient=gradient,
        )
        yield Row(
            f"{of}log softmax of 5000",
            lambda g, x: g.log_softmax(x),
            lambda x: x.log_softmax(-1),
            [(8, 5000)],
            gradient=gradient,
        )


def attention() -> Iterator[Row]:
    """Attention, forward and backward."""

    def in_torch(q: Any, k: Any, v: Any) -> Any:
        heads = (x.reshape(-1, 4, 32).transpose(0, 1) for x in (q, k, v))
        out = F.scaled_dot_product_attention(*heads, is_causal=True)
        return out.transpose(0, 1).reshape(q.shape)

    for gradient in (False, True):
        yield Row(
            f"{'gradients of ' * gradient}causal attention over 600",
            lambda g, q, k, v: g.causal_attention(q, k, v, 4, 4, 32),
            in_torch,
            [(600, 128)] * 3,
            (normal,) if gradient else (normal, constant),
            gradient,
        )


GROUPS = (sums, products, convolutions, normalizations, attention)


def error(found: Array, expected: Array) -> float:
    """The largest difference, as a part of the largest element."""
    largest = float(np.abs(expected).max())
    return float(np.abs(found.reshape(expected.shape) - expected).max()) / (largest or 1.0)


def by_torch(row: Row, arrays: list[Array], weights: Array | None, dtype: Any) -> list[Array]:
    """PyTorch's result, or its gradients."""
    tensors = [torch.tensor(array, dtype=dtype, requires_grad=row.gradient) for array in arrays]
    out = row.torch(*tensors)
    if weights is None:
        return [out.detach().numpy()]
    (out * torch.tensor(weights, dtype=dtype)).sum().backward()
    return [tensor.grad.numpy() for tensor in tensors]


def by_us(
    row: Row, arrays: list[Array], weights: Array | None, device: str, exact: bool
) -> list[Array]:
    """Our result, or our gradients."""
    g = mg.Graph()
    make = g.parameter if row.gradient else g.input
    feeds = {f"x{i}": array for i, array in enumerate(arrays)}
    out = row.ours(g, *(make(name, array.shape) for name, array in feeds.items()))
    if weights is None:
        g.set_outputs([out])
    else:
        feeds["weights"] = weights.reshape(out.shape)
        g.set_outputs([g.sum_all(out * g.input("weights", out.shape))])
    config = mg.SessionConfig(device, training=row.gradient, exact=exact)
    found, _ = results(g, config, feeds)
    return found[1:] if row.gradient else found


def errors(row: Row, data: Draw, device: str) -> tuple[float, float, float]:
    """The mean errors of some draws: ours, ours with ``exact=True``, PyTorch's."""
    draws = DRAWS if max(map(prod, row.shapes)) < LARGE else FEW_DRAWS
    mean = [0.0, 0.0, 0.0]
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        arrays = [data(rng, shape) for shape in row.shapes]
        shape = by_torch_shape(row, arrays)
        weights = normal(rng, shape) if row.gradient else None
        expected = by_torch(row, arrays, weights, torch.float64)
        found = (
            by_us(row, arrays, weights, device, exact=False),
            by_us(row, arrays, weights, device, exact=True),
            by_torch(row, arrays, weights, torch.float32),
        )
        for i, each in enumerate(found):
            mean[i] += max(map(error, each, expected)) / draws
    return mean[0], mean[1], mean[2]


def by_torch_shape(row: Row, arrays: list[Array]) -> tuple[int, ...]:
    """The shape of a row's result."""
    return tuple(row.torch(*map(torch.from_numpy, arrays)).shape)


def fails(row: Row, data: Draw, ours: float, exact: float, theirs: float) -> bool:
    """Whether a row misses its bar."""
    bar = max(FACTOR * theirs, LEAST)
    if row.tiles and data is normal:
        return ours > BY_TILES or exact > bar
    return (exact if row.tiles else max(ours, exact)) > bar


def main() -> None:
    """Print and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="only rows whose name contains all of these")
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    table = Table("computation", "data", "meganeura", "exact=True", "PyTorch", "ratio", "")
    failed = 0
    for row in (row for group in GROUPS for row in group()):
        if not all(word in row.name for word in arguments.words):
            continue
        for data in row.data:
            ours, exact, theirs = errors(row, data, arguments.device)
            bad = fails(row, data, ours, exact, theirs)
            failed += bad
            ratio = f"{ours / theirs:.2f}×" if theirs else "–"
            numbers = (f"{each:.1e}" for each in (ours, exact, theirs))
            table.row(row.name, data.__name__, *numbers, ratio, "misses its bar" if bad else "")
    if not arguments.words and arguments.device == "cpu":
        write_results("accuracy", ["\n".join(table.lines)])
    if failed:
        sys.exit(f"{failed} rows miss their bar")


if __name__ == "__main__":
    main()
