"""How lanes read what does not lie side by side, and that they then read the same."""

from __future__ import annotations

import numpy as np
import pytest

from meganeura import Graph, build_inference_session
from meganeura.codegen.loops import LANES, Loop, Store
from meganeura.codegen.render.llvm_gather import groups_of, quad_of, rows_read
from meganeura.compiler import compile_graph
from meganeura.kernel.element import Load, load
from meganeura.kernel.index import Index, Var, of
from meganeura.kernel.target import Target
from tests.helpers.devices import CPUS

LANE, TURN = Var("lane", 8), Var("turn", 5)


@pytest.mark.parametrize(
    ("index", "groups", "step"),
    [
        (of(LANE) // 4 * 100 + of(LANE) % 4, [range(4), range(4, 8)], 1),
        (
            of(LANE) // 2 * 60 + of(LANE) % 2 * 4,
            [range(2), range(2, 4), range(4, 6), range(6, 8)],
            4,
        ),
        (
            of(LANE) // 4 * 100 - of(LANE) % 4,
            [range(3, -1, -1), range(7, 3, -1)],
            1,
        ),
        (of(LANE) // 2, [range(0, 8, 2), range(1, 8, 2)], 1),
        (of(LANE) % 4 * 16 + of(LANE) // 4, [range(i, 8, 4) for i in range(4)], 1),
    ],
)
def test_lanes_are_found_in_groups(index: Index, groups: list[range], step: int):
    assert groups_of(index + of(TURN) * 7, LANE) == (groups, step)


def test_lanes_far_from_each_other_are_in_no_group():
    assert groups_of(of(LANE) * 9, LANE) is None
    assert groups_of((of(LANE) + of(TURN)) // 3, LANE) is None  # where they begin changes


def test_four_neighbours_are_read_together_if_others_are_wanted():
    reads = [load(0, of(LANE) * 9 + k) for k in (2, 3, 4, 9)]
    rows = rows_read(reads)
    loads = [read for element in reads for read in element.reads if isinstance(read, Load)]
    assert [quad_of(read, rows) for read in loads] == [2, 2, 2, None]


def test_what_is_turned_is_written_by_vectors():
    """Not number by number, however much is computed on the way."""
    for shape in ([64, 32], [20, 32]):
        g = Graph()
        g.set_outputs([g.gelu(g.transpose(g.input("x", shape)))])
        (kernel,) = compile_graph(g, Target("cpu", lanes=8)).kernels
        (inner,) = _lane_loops(kernel.grid)
        stores = [s for s in inner.body if isinstance(s, Store)]
        assert stores and all(s.index.coefficient(inner.var) == 1 for s in stores)


def _lane_loops(loop: Loop) -> list[Loop]:
    if loop.kind == LANES:
        return [loop]
    return [found for s in loop.body if isinstance(s, Loop) for found in _lane_loops(s)]


SHAPES = {
    "pairs": lambda g, x: g.permute(g.reshape(x, [6, 4, 5, 2]), [2, 1, 0, 3]),
    "repeated": lambda g, x: g.upsample_2x(g.reshape(x, [1, 4, 10, 6]), 1, 4, 10, 6),
    "short rows": lambda g, x: g.permute(g.reshape(x, [10, 6, 4]), [1, 0, 2]),
    "far": lambda g, x: g.permute(g.reshape(x, [15, 16]), [1, 0]),
    "fours": lambda g, x: g.permute(g.reshape(x, [10, 6, 4]), [2, 1, 0]),
}


@pytest.mark.parametrize("device", CPUS)
@pytest.mark.parametrize("name", SHAPES)
def test_what_is_read_in_groups_is_what_was_there(name: str, device: str):
    g = Graph()
    x = g.input("x", [240])
    g.set_outputs([SHAPES[name](g, x) * 2.0])
    data = np.arange(240, dtype=np.float32)
    found = []
    for where in (device, "reference:float64"):
        with build_inference_session(g, where) as session:
            session.set_input("x", data)
            session.step()
            found.append(session.read_output())
    np.testing.assert_array_equal(*found)
