"""The checker of loop IR: a right kernel passes, and one with a fault is refused by name.

Every kernel the other tests compile passes it too; these have one fault each."""

from __future__ import annotations

import re
import tempfile

import pytest

from meganeura import InternalError
from meganeura.codegen.loops import (
    GRID,
    LANES,
    SERIAL,
    UNROLL,
    Assign,
    Buffer,
    Combine,
    Contract,
    Declare,
    Kernel,
    Loop,
    Place,
    Prefetch,
    Statement,
    Store,
    Walk,
    When,
)
from meganeura.codegen.verify import verify_kernel
from meganeura.kernel.element import Element, Register, held, load, number, position
from meganeura.kernel.index import Bound, Index, Var, fetch, of

WIDTH = 4
TASK, STEP, LANE = Var("task", 8), Var("step", 3), Var("lane", WIDTH)
INPUT, NUMBERS, RESULT, SUMS = 0, 1, 2, 3
BUFFERS = (
    Buffer("operand", 32),
    Buffer("operand", 8, is_u32=True),
    Buffer("result", 32),
    Buffer("scratch", 2 * WIDTH),
)
HERE = of(TASK) * WIDTH + of(LANE)
FETCHED = fetch(NUMBERS, of(TASK), 8) * WIDTH + of(LANE)
FAR = Index(32)
LAST = Bound(of(TASK), 7, 8)
SOME = Declare("some", 0.0, lanes=True, shape=(3,))
ONE = Declare("one", 0.0)


def kernel(*body: Statement) -> Kernel:
    return Kernel("k0_test", BUFFERS, Loop(TASK, GRID, body), WIDTH)


def lanes(*body: Statement) -> Loop:
    return Loop(LANE, LANES, body)


def steps(kind: str, *body: Statement, stop: Index | None = None) -> Loop:
    return Loop(STEP, kind, body, stop)


def store(value: Element, index: Index = HERE, *bounds: Bound) -> Store:
    return Store(RESULT, index, value, bounds)


def contract(**changes) -> Contract:
    """Two numbers by one vector, over three steps of two taps each: the last task reads the last
    element of the input on both sides, and the sums fill the scratch."""
    fields = {
        "sums": Place(SUMS, Index()),
        "a": Place(INPUT, of(TASK) * 2),
        "b": Place(INPUT, of(TASK)),
        "numbers": 2,
        "vectors": 1,
        "number_step": 12,
        "vector_step": WIDTH,
        "walks": (Walk(3, 2, 3 * WIDTH - 4),),
        "taps": ((0, 0), (1, 5)),
    }
    return Contract(**(fields | changes))


COPY = load(INPUT, HERE)
RIGHT = {
    "copy": kernel(lanes(store(COPY))),
    "fetch": kernel(lanes(store(load(INPUT, FETCHED)))),
    "bounds": kernel(lanes(store(COPY, HERE + 1, Bound(HERE, 0, 31)))),
    "stop": kernel(steps(SERIAL, store(number(1.0), of(TASK) + of(STEP) + 23), stop=of(TASK))),
    "sums": kernel(
        SOME,
        steps(UNROLL, lanes(Assign("some", COPY, (of(STEP),)))),
        ONE,
        Combine("one", "sum", Register("some", (Index(2),))),
        store(held("one"), of(TASK)),
    ),
    "contract": kernel(contract(), lanes(store(load(SUMS, of(LANE))))),
    "varying": kernel(contract(walks=(Walk(of(TASK) + 1, 2, WIDTH),))),
    "unreached": kernel(When(Bound(of(TASK), 8, 9), (store(load(INPUT, FAR), of(TASK)),))),
    "prefetched-from-outside": kernel(Prefetch(Place(INPUT, FAR)), store(number(1.0), of(TASK))),
    "only-one-task": kernel(When(LAST, (store(number(1.0), Index()),))),
}

WRONG = [
    # Loops and variables
    ("the outermost loop must be a grid", Kernel("k0_test", BUFFERS, steps(SERIAL), WIDTH)),
    ("a grid loop inside the grid", kernel(steps(GRID))),
    ("only a serial loop can stop", kernel(steps(UNROLL, stop=of(TASK)))),
    ("task is bound twice", kernel(Loop(TASK, SERIAL, ()))),
    ("step is not bound", kernel(store(number(1.0), of(TASK) + of(STEP)))),
    ("step is not bound", kernel(steps(SERIAL), store(position(of(STEP)), of(TASK)))),
    ("none has no values", kernel(Loop(Var("none", 0), SERIAL, ()))),
    ("the kernel has 4 lanes", kernel(Loop(Var("lane", 8), LANES, ()))),
    ("no loop in the lanes lane", kernel(lanes(steps(UNROLL)))),
    ("no loop in the lanes lane", kernel(lanes(Loop(Var("inner", WIDTH), LANES, ())))),
    ("lanes cannot go different ways", kernel(lanes(When(Bound(of(LANE), 0, 2), ())))),
    # Registers
    ("one is not declared", kernel(Assign("one", number(1.0)))),
    ("one is not declared", kernel(steps(SERIAL, ONE), store(held("one"), of(TASK)))),
    ("one had another form", kernel(steps(SERIAL, ONE), Declare("one", 0.0, lanes=True))),
    ("some has 1 axes", kernel(SOME, lanes(Assign("some", COPY)))),
    ("some has no places", kernel(Declare("some", 0.0, shape=(0,)))),
    ("some has no place 3", kernel(SOME, lanes(Assign("some", COPY, (Index(3),))))),
    (
        "indexed by step, which is not unrolled",
        kernel(SOME, steps(SERIAL, lanes(Assign("some", COPY, (of(STEP),))))),
    ),
    ("its value differs by lane", kernel(ONE, lanes(Assign("one", COPY)))),
    ("read outside of them", kernel(ONE, SOME, Assign("one", held("some", (Index(),))))),
    ("one has no lanes to combine", kernel(ONE, Combine("one", "sum", Register("one")))),
    (
        "lanes cannot be combined by product",
        kernel(ONE, SOME, Combine("one", "product", Register("some", (Index(),)))),
    ),
    # Memory
    ("there is no b4", kernel(store(load(4, Index()), of(TASK)))),
    ("b0 is operand, and never written", kernel(Store(INPUT, of(TASK), number(1.0)))),
    ("b0 holds no whole numbers", kernel(store(load(INPUT, fetch(INPUT, Index(), 8)), of(TASK)))),
    ("b3 is read before it is written", kernel(lanes(store(load(SUMS, of(LANE)))))),
    ("every lane would write to one place", kernel(lanes(store(COPY, of(TASK))))),
    ("every task would write to one place", kernel(store(number(1.0), Index()))),
    ("only neighbouring lanes", kernel(store(number(1.0), of(TASK), LAST))),
    ("b0[32] cannot lie inside", kernel(When(LAST, (store(load(INPUT, FAR), of(TASK)),)))),
    ("b2[task+-8] cannot lie inside", kernel(When(LAST, (store(number(1.0), of(TASK) - 8),)))),
    ("b0[lane+4*task+1] may lie outside", kernel(lanes(store(load(INPUT, HERE + 1))))),
    (
        "b1[task+1] may lie outside",  # the bounds of a load do not keep it from being fetched
        kernel(store(load(INPUT, fetch(NUMBERS, of(TASK) + 1, 8)).within(LAST), of(TASK))),
    ),
    (
        "b0[5*step+27] may lie outside",  # the guard is about something else
        kernel(steps(SERIAL, When(LAST, (store(load(INPUT, of(STEP) * 5 + 27), of(TASK)),)))),
    ),
    ("b3 is near already", kernel(Prefetch(Place(SUMS, Index())))),
    ("step is not bound", kernel(Prefetch(Place(INPUT, of(STEP))))),
    # Contractions
    ("contraction makes vectors of its own", kernel(lanes(contract()))),
    ("nothing to contract", kernel(contract(taps=()))),
    ("a walk of 0 steps", kernel(contract(walks=(Walk(0, 1, 1),)))),
    ("a walk of task steps", kernel(contract(walks=(Walk(of(TASK), 1, 1),)))),
    ("18 vectors of sums do not fit", kernel(contract(numbers=9, vectors=2))),
    ("more than 3 walks", kernel(contract(walks=(Walk(1, 0, 0),) * 4))),
    ("b2 is not scratch", kernel(contract(sums=Place(RESULT, of(TASK))))),
    ("b3[0] may lie outside", kernel(contract(vectors=2, vector_step=0))),
    ("b0[2*task] may lie outside", kernel(contract(number_step=14))),
    ("b0[task] may lie outside", kernel(contract(walks=(Walk(3, 2, 3 * WIDTH - 3),)))),
    ("b1 holds whole numbers", kernel(contract(a=Place(NUMBERS, Index())))),
    ("b3 is read before it is written", kernel(contract(fresh=False))),
]


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_kernel_passes(name: str):
    assert verify_kernel(RIGHT[name]) is RIGHT[name]


@pytest.mark.parametrize(("message", "wrong"), WRONG, ids=[message for message, _ in WRONG])
def test_a_wrong_kernel_is_refused(message: str, wrong: Kernel, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(InternalError, match=re.escape(message)):
        verify_kernel(wrong)


def test_the_message_names_the_kernel_and_the_statement(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    wrong = kernel(lanes(store(load(INPUT, HERE + 1))))
    with pytest.raises(InternalError) as caught:
        verify_kernel(wrong)
    assert "kernel k0_test is wrong" in caught.value.message
    assert "in `b2[lane+4*task] = b0[lane+4*task+1]`" in caught.value.message
    (dump,) = tmp_path.iterdir()
    assert dump.read_text(encoding="utf-8") == str(wrong)
