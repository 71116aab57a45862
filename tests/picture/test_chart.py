"""Charts, their axes, and what is done to series before they are drawn."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from meganeura.errors import FormatError
from meganeura.picture import Series, draw_lines, draw_losses, line_chart, loss_curve
from meganeura.picture.png import png_size
from meganeura.picture.series import runs, smoothed, thinned
from meganeura.picture.ticks import bytes_label, linear_axis, log_axis, short

HARD = {
    "one point": ([5], [3.0]),
    "none": ([], []),
    "constant": ([1, 2, 3], [7.0, 7.0, 7.0]),
    "zero": ([1, 2], [0.0, 0.0]),
    "negative": ([1, 2, 3], [-1.0, -2.0, 0.5]),
    "gaps": ([1, 2, 3, 4, 5], [1.0, np.nan, 2.0, np.inf, 3.0]),
    "only gaps": ([1, 2], [np.nan, -np.inf]),
    "huge": ([1, 2], [1e308, -1e308]),
    "tiny": ([1, 2], [1e-310, 5e-324]),
    "far apart": ([1, 2], [1e-300, 1e300]),
    "close": ([1, 2], [1e9, 1e9 + 1]),
    "closer than floats": ([1, 2], [1.0, 1.0 + 2**-52]),
    "late": ([10**15, 10**15 + 1], [1.0, 2.0]),
    "backwards": ([3, 1, 2], [1.0, 2.0, 3.0]),
    "infinite x": ([1.0, np.inf, np.nan], [1.0, 2.0, 3.0]),
}


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("style", ["line", "faint", "dots"])
def test_hard_series_are_drawn(name, log, style):
    series = [Series(name, *HARD[name], style)]
    assert png_size(line_chart(series, "T", "x", "y", log, (320, 200))) == (320, 200)
    ElementTree.fromstring(draw_lines(series, "x", "y", log))


def test_a_chart_has_the_size_it_is_given_and_shows_its_lines():
    series = [Series("a", range(10), range(10)), Series("b", range(10), [3] * 10, "dots")]
    content = line_chart(series, "Title", "x", "y")
    assert png_size(content) == (960, 540)
    pixels = np.asarray(Image.open(BytesIO(content))).reshape(-1, 3).astype(int)
    for colour in [(0x25, 0x63, 0xEB), (0xE8, 0x59, 0x0C)]:
        assert (np.abs(pixels - colour).max(axis=1) < 12).sum() > 50


def test_many_points_are_thinned_to_what_is_seen():
    x = np.arange(10**6, dtype=float)
    y = np.sin(x / 1e4)
    y[123_456], y[654_321], y[500_000] = 7.0, -7.0, np.nan
    kept_x, kept_y = thinned(x, y, 3000)
    assert len(kept_x) < 4000
    assert {123_456, 654_321, 500_000, 0, 10**6 - 1} <= set(kept_x.astype(int))
    assert np.all(np.diff(kept_x) > 0)
    np.testing.assert_array_equal(kept_y, y[kept_x.astype(int)])
    drawn = draw_lines([Series("many", x, y)], "step", "y")
    assert len(drawn) < 200_000


@given(st.lists(st.floats(-1e3, 1e3) | st.just(np.nan), max_size=400), st.integers(1, 100))
def test_thinning_keeps_the_ends_and_the_extremes(values, most):
    y = np.array(values)
    x = np.arange(len(y), dtype=float)
    kept_x, kept_y = thinned(x, y, most)
    if np.isfinite(y).any():
        assert np.nanmin(kept_y) == np.nanmin(y) and np.nanmax(kept_y) == np.nanmax(y)
    assert np.isnan(kept_y).any() == np.isnan(y).any()
    assert sum(len(part) for part, _ in runs(kept_x, kept_y)) == np.isfinite(kept_y).sum()


def test_smoothing_starts_at_the_first_value_and_passes_over_gaps():
    values = [4.0, np.nan, 4.0, 4.0, 0.0]
    found = smoothed(values, 0.9)
    np.testing.assert_allclose(found[[0, 2, 3]], 4.0)
    assert np.isnan(found[1])
    weights = np.array([0.9**3, 0.9**2, 0.9, 1.0])
    np.testing.assert_allclose(found[4], weights @ [4, 4, 4, 0] / weights.sum())


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300), st.integers(1, 12), st.booleans())
def test_ticks_are_few_and_inside(low, high, count, whole):
    axis = linear_axis(low, high, count, whole)
    assert axis.low < axis.high and len(axis.ticks) <= 1.3 * count + 1
    margin = (axis.high - axis.low) * 1e-6
    assert all(axis.low - margin <= tick <= axis.high + margin for tick in axis.ticks)
    assert not whole or all(tick == round(tick) for tick in axis.ticks)
    assert len(set(axis.labels)) == len(axis.labels)


@given(st.floats(1e-300, 1e300), st.floats(1e-300, 1e300), st.integers(2, 12))
def test_ticks_by_magnitude_are_inside(a, b, count):
    axis = log_axis(min(a, b), max(a, b), count)
    assert all(-1e-3 <= axis.place(tick) <= 1 + 1e-3 for tick in axis.ticks)
    assert len(axis.ticks) <= 2 * count + 2


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0, 1, ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-10, 10, ["−10", "−5", "0", "5", "10"]),
        (0, 5e-6, ["0", "1e−6", "2e−6", "3e−6", "4e−6", "5e−6"]),
        (0, 20_000, ["0", "5,000", "10,000", "15,000", "20,000"]),
    ],
)
def test_ticks_are_round(low, high, labels):
    assert list(linear_axis(low, high, 5).labels) == labels


def test_numbers_are_short():
    assert [short(x) for x in (0.12345, 12.3456, 123456.0, 1e-7, 12.0, None)] == [
        "0.1235", "12.35", "123,456", "1e-07", "12", "–",
    ]  # fmt: skip
    assert [bytes_label(n) for n in (12, 1500, 45_474_944, 3e12)] == [
        "12 bytes", "1.5 KB", "45.5 MB", "3,000 GB",
    ]  # fmt: skip


def test_a_loss_curve_has_all_three_parts():
    steps = np.arange(1, 200)
    drawn = draw_losses(steps, 2.0 / steps, ([50, 100], [0.1, 0.05]))
    words = " ".join(ElementTree.fromstring(drawn).itertext())
    assert "smoothed" in words and "validation" in words and "step 100 " in words
    assert png_size(loss_curve(steps, 2.0 / steps, ([50], [0.1]))) == (960, 540)
    assert png_size(loss_curve([], [])) == (960, 540)


def test_names_of_series_are_escaped():
    drawn = draw_lines([Series("<script>alert(1)</script>", [1, 2], [1, 2])], "<b>", "&")
    assert "<script" not in drawn and "<b>" not in drawn
    ElementTree.fromstring(drawn)


@pytest.mark.parametrize(
    "call",
    [
        lambda: line_chart([Series("a", [1, 2], [1])], "", "", ""),
        lambda: line_chart([Series("a", ["x"], [1])], "", "", ""),
        lambda: line_chart([Series("a", [1], [1], "wavy")], "", "", ""),
        lambda: line_chart([], "", "", "", size=(10, 10)),
    ],
)
def test_bad_series_are_refused(call):
    with pytest.raises(FormatError):
        call()
