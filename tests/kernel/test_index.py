"""Indices: canonical forms, ranges, and that every simplification keeps the value."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from meganeura.kernel.index import Bound, Fetch, Index, Quotient, Remainder, Var, flat, of, unflat

A, J, K = Var("i", 4), Var("j", 6), Var("k", 5)


def value(index: Index, env: dict[Var, int]) -> int:
    total = index.constant
    for atom, c in index.terms:
        match atom:
            case Var():
                total += c * env[atom]
            case Quotient(inner, d):
                total += c * (value(inner, env) // d)
            case Remainder(inner, d):
                total += c * (value(inner, env) % d)
            case Fetch():
                raise AssertionError("no buffers here")
    return total


DIVISORS = st.integers(1, 7) | st.sampled_from([12, 24, 30, 60])
"""Some have many divisors of their own."""
indices = st.recursive(
    st.one_of(st.integers(-9, 9).map(Index), st.sampled_from([A, J, K]).map(of)),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, st.integers(-7, 7) | st.sampled_from([6, 12, 24, 30])).map(
            lambda p: p[0] * p[1]
        ),
        st.tuples(inner, DIVISORS).map(lambda p: p[0] // p[1]),
        st.tuples(inner, DIVISORS).map(lambda p: p[0] % p[1]),
    ),
    max_leaves=8,
)
ENVIRONMENTS = [dict(zip((A, J, K), p, strict=True)) for p in product((0, 3), (0, 2, 5), (1, 4))]


@given(indices, indices, DIVISORS)
def test_arithmetic_keeps_values_and_ranges(a, b, d):
    for env in ENVIRONMENTS:
        x, y = value(a, env), value(b, env)
        assert value(a + b, env) == x + y
        assert value(a - b, env) == x - y
        assert value(a // d, env) == x // d
        assert value(a % d, env) == x % d
        low, high = a.range()
        assert low <= x <= high


@given(indices, indices)
def test_substitution_is_evaluation_at_another_place(a, b):
    for env in ENVIRONMENTS:
        there = value(b, env) % J.extent
        expected = value(a, {**env, J: there})
        assert value(a.substitute({J: b % J.extent}), env) == expected


@given(indices)
def test_coefficients_are_differences(a):
    step = a.coefficient(J)
    if step is not None:
        for env in ENVIRONMENTS:
            if env[J] + 1 < J.extent:
                assert value(a, {**env, J: env[J] + 1}) - value(a, env) == step


def test_reshapes_of_reshapes_are_strides():
    position = flat([of(A), of(J), of(K)], (4, 6, 5))
    assert unflat(position, (4, 6, 5)) == [of(A), of(J), of(K)]
    assert unflat(position, (24, 5)) == [of(A) * 6 + of(J), of(K)]
    n = Var("n", 120)
    assert flat(unflat(of(n), (4, 6, 5)), (4, 6, 5)) == of(n)


def test_what_does_not_fill_a_step_does_not_count():
    channel, pixel = Var("c", 96), Var("p", 1024)
    position = of(channel) * 1024 + of(pixel)
    assert position // (12 * 1024) == of(channel) // 12
    assert position % (12 * 1024) == of(channel) % 12 * 1024 + of(pixel)
    assert (position + 1) // (12 * 1024) != of(channel) // 12  # the last pixel's is the next


def test_merged_variables():
    both = Var("both", 24)
    assert (of(A) * 12 + of(J) * 2 + 7).merged(A, J, both) == of(both) * 2 + 7
    assert (of(A) * 13 + of(J) * 2).merged(A, J, both) is None
    assert (of(J) % 4).merged(A, J, both) is None


def test_bounds_know_when_they_always_or_never_hold():
    assert Bound(of(A), 0, 4).always() and not Bound(of(A), 1, 4).always()
    assert Bound(of(A) + 9, 0, 9).never() and not Bound(of(A), 3, 9).never()
