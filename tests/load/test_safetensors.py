"""The reader of safetensors files: exact, lazy, and believing nothing."""

from __future__ import annotations

import os

import numpy as np
import pytest
from safetensors.numpy import save_file

from meganeura import FormatError, MeganeuraError
from meganeura.load.safetensors import open_tensors
from tests.load.builders import entry, pack, put

EVERY = np.arange(2**16, dtype=np.uint16)


# What is read


def test_arrays_come_back_as_the_formats_own_package_wrote_them(tmp_path):
    rng = np.random.default_rng(1)
    shapes = [(), (0,), (3,), (2, 3), (0, 4), (2, 1, 3, 5)]
    arrays = {f"t{len(s)}.{i}": rng.normal(size=s).astype("f4") for i, s in enumerate(shapes)}
    save_file(arrays, tmp_path / "f", {"format": "pt", "größe": "\n"})
    tensors = open_tensors(tmp_path / "f")
    assert sorted(tensors.names()) == sorted(arrays)
    assert tensors.metadata == {"format": "pt", "größe": "\n"}
    for name, array in arrays.items():
        found = tensors.array(name)
        assert tensors.shape(name) == array.shape == found.shape and tensors.dtype(name) == "F32"
        assert found.dtype == np.float32 and found.tobytes() == array.tobytes()
        assert name in tensors and "other" not in tensors


@pytest.mark.parametrize(
    "dtype",
    ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"],
)
def test_every_type_is_read_as_it_is_stored(tmp_path, dtype):
    array = np.arange(6, dtype=dtype).reshape(2, 3)
    save_file({"t": array}, tmp_path / "f")
    found = open_tensors(tmp_path / "f").stored("t")
    assert found.dtype == array.dtype and (found == array).all()


def widened(array: np.ndarray) -> np.ndarray:
    """In double precision; some of the NaNs raise a flag when they are converted."""
    with np.errstate(invalid="ignore"):
        return array.astype(np.float64)


def test_every_bf16_is_read_exactly(tmp_path):
    path = put(tmp_path / "f", {"t": entry(0, 2**17, [256, 256], "BF16")}, EVERY.tobytes())
    found = widened(open_tensors(path).array("t").ravel())
    bits = EVERY.astype(np.int64)
    exponent, fraction = bits >> 7 & 0xFF, bits & 0x7F
    size = np.where(exponent == 0, fraction / 2**133, np.ldexp(1 + fraction / 128, exponent - 127))
    size[(exponent == 255) & (fraction == 0)] = np.inf
    size[(exponent == 255) & (fraction > 0)] = np.nan
    np.testing.assert_array_equal(found, np.where(bits >> 15, -size, size))
    assert (np.signbit(found) == (bits >> 15 == 1)).all()


def test_every_f16_is_read_exactly(tmp_path):
    path = put(tmp_path / "f", {"t": entry(0, 2**17, [2**16], "F16")}, EVERY.tobytes())
    found = widened(open_tensors(path).array("t"))
    bits = EVERY.astype(np.int64)
    exponent, fraction = bits >> 10 & 0x1F, bits & 0x3FF
    size = np.where(exponent == 0, fraction / 2**24, np.ldexp(1 + fraction / 1024, exponent - 15))
    size[(exponent == 31) & (fraction == 0)] = np.inf
    size[(exponent == 31) & (fraction > 0)] = np.nan
    np.testing.assert_array_equal(found, np.where(bits >> 15, -size, size))


def test_doubles_are_rounded_and_never_become_infinite(tmp_path):
    save_file({"t": np.array([0.1, np.inf, -np.inf, np.nan])}, tmp_path / "f")
    found = open_tensors(tmp_path / "f").array("t")
    np.testing.assert_array_equal(found, np.array([np.float32(0.1), np.inf, -np.inf, np.nan]))
    save_file({"t": np.array([0.1, 1e300, -1e301])}, tmp_path / "f")
    with pytest.raises(FormatError, match=r"tensor 't': -1e\+301 at \[2\] does not fit in float32"):
        open_tensors(tmp_path / "f").array("t")


def test_a_tensor_may_lie_at_an_odd_byte(tmp_path):
    header = {"a": entry(0, 1, [1], "U8"), "b": entry(1, 9, [2]), "c": entry(9, 11, [], "BF16")}
    data = b"\7" + np.array([1.5, -2], "<f4").tobytes() + b"\x80\x3f"
    tensors = open_tensors(put(tmp_path / "f", header, data))
    assert tensors.array("b").tolist() == [1.5, -2]
    assert tensors.array("c").tolist() == 1 and tensors.array("c").shape == ()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_data_unless_refused(tmp_path, value):
    save_file({"t": np.array([1, value, 2], "f4")}, tmp_path / "f")
    tensors = open_tensors(tmp_path / "f")
    np.testing.assert_array_equal(tensors.array("t"), np.array([1, value, 2], "f4"))
    with pytest.raises(FormatError, match="tensor 't': 1 of 3 elements are not finite"):
        tensors.array("t", finite=True)


@pytest.mark.parametrize("dtype", ["I64", "U32", "BOOL", "F8_E4M3", "C64"])
def test_what_is_not_of_floats_is_no_array_of_floats(tmp_path, dtype):
    size = {"I64": 8, "U32": 4, "C64": 8}.get(dtype, 1)
    tensors = open_tensors(put(tmp_path / "f", {"t": entry(0, size, [1], dtype)}, bytes(size)))
    with pytest.raises(FormatError, match=rf"tensor 't' is {dtype}\[1\], not of floats"):
        tensors.array("t")


def test_an_unknown_name_is_told_with_a_near_one(tmp_path):
    save_file({"layer.weight": np.zeros(2, "f4")}, tmp_path / "f")
    with pytest.raises(FormatError, match=r'did you mean "layer\.weight"'):
        open_tensors(tmp_path / "f").array("layer.wieght")


def test_arrays_outlive_their_file_and_can_be_changed(tmp_path):
    save_file({"t": np.ones(4, "f4")}, tmp_path / "f")
    array = open_tensors(tmp_path / "f").array("t")
    (tmp_path / "f").write_bytes(b"")
    array += 1
    assert array.tolist() == [2] * 4


def test_a_file_that_is_shortened_after_it_was_opened_is_told(tmp_path):
    save_file({"t": np.ones(4096, "f4")}, tmp_path / "f")
    tensors = open_tensors(tmp_path / "f")
    os.truncate(tmp_path / "f", 100)
    with pytest.raises(FormatError, match="shortened"):
        tensors.array("t")


def test_a_file_without_tensors_and_a_padded_header_are_fine(tmp_path):
    assert open_tensors(put(tmp_path / "f", b"{}")).names() == []
    assert open_tensors(put(tmp_path / "f", b"{}      ")).names() == []


# What is refused

ONE = entry(0, 8, [2])
DATA = bytes(8)
BAD = {
    "a short file": (b"1234567", "ends at byte 7"),
    "a header beyond the file": ((99).to_bytes(8, "little") + b"{}", "goes to byte 107"),
    "a header too long": ((10**8 + 1).to_bytes(8, "little") + b"{}", "header has 100,000,001"),
    "no header": (pack(b"", DATA), "no { at byte 8"),
    "a space before the header": (pack(b' {"t":1}'), "no { at byte 8"),
    "a list": (pack(b"[1]"), "no { at byte 8"),
    "cut JSON": (pack(b'{"t":'), "not JSON at byte 13"),
    "two objects": (pack(b"{}{}"), "not JSON at byte 10: Extra data"),
    "a NaN": (pack(b'{"t":NaN}'), "NaN is no number"),
    "no UTF-8": (pack(b'{"\xff":1}'), "not text at byte 10"),
    "nested deeply": (pack(b'{"t":' + b"[" * 100_000), "nested too deeply"),
    "a string without an end": (pack(b'{"t":"' + b'\\"' * 200_000), "not JSON at byte 13"),
    "a long number": (pack(b'{"t":' + b"1" * 5000 + b"}"), "not JSON of use"),
    "a name twice": (pack(b'{"a":1,"t":2,"a":3}'), "the name 'a' comes twice"),
    "a field twice": (pack(b'{"t":{"dtype":"F32","dtype":"F32"}}'), "'dtype' comes twice"),
    "a name that is no text": (pack({"\ud800": ONE}, DATA), "not valid text"),
    "metadata of numbers": (pack({"__metadata__": {"a": 1}}), "a string for each name"),
    "metadata in a list": (pack({"__metadata__": ["a"]}), "a string for each name"),
    "a number for a tensor": (pack({"t": 1}), "'t' is not described by dtype, shape"),
    "a field missing": (pack({"t": {"dtype": "F32", "shape": [2]}}, DATA), "not described by"),
    "a field too many": (pack({"t": {**ONE, "strides": [1]}}, DATA), "not described by"),
    "an unknown type": (pack({"t": {**ONE, "dtype": "F33"}}, DATA), "type 'F33'"),
    "a type that is a list": (pack({"t": {**ONE, "dtype": ["F32"]}}, DATA), "not known"),
    "a negative size": (pack({"t": {**ONE, "shape": [-2, -1]}}, DATA), r"the shape \[-2, -1\]"),
    "a fractional size": (pack({"t": {**ONE, "shape": [2.0]}}, DATA), r"the shape \[2.0\]"),
    "a truth for a size": (pack({"t": {**ONE, "shape": [True, 2]}}, DATA), "the shape"),
    "a number for a shape": (pack({"t": {**ONE, "shape": 2}}, DATA), "the shape 2"),
    "too many axes": (pack({"t": {**ONE, "shape": [1] * 64 + [2]}}, DATA), "the shape"),
    "a wrong shape": (pack({"t": {**ONE, "shape": [3]}}, DATA), r"8 bytes for F32\[3\]"),
    "a huge shape": (pack({"t": {**ONE, "shape": [10**30]}}, DATA), "the shape"),
    "a huge offset": (pack({"t": {**ONE, "data_offsets": [0, 10**4299]}}, DATA), "the offsets"),
    "a huge empty shape": (pack({"t": entry(0, 0, [0, 2**62])}), "too large for an array"),
    "one offset": (pack({"t": {**ONE, "data_offsets": [8]}}, DATA), "the offsets"),
    "a negative offset": (pack({"t": {**ONE, "data_offsets": [-8, 0]}}, DATA), "the offsets"),
    "fractional offsets": (pack({"t": {**ONE, "data_offsets": [0, 8.0]}}, DATA), "the offsets"),
    "offsets turned round": (pack({"t": entry(8, 0, [2])}, DATA), "goes from byte"),
    "an offset beyond the file": (pack({"t": entry(0, 12, [3])}, DATA), "the file to"),
    "tensors that overlap": (
        pack({"a": entry(0, 8, [2]), "b": entry(4, 12, [2])}, bytes(12)),
        "'b' begins at byte 135, inside another",
    ),
    "a tensor that is another": (pack({"a": ONE, "b": ONE}, DATA), "inside another"),
    "a hole": (pack({"t": entry(4, 12, [2])}, bytes(12)), "before tensor 't', belong to none"),
    "bytes left over": (pack({"t": ONE}, DATA + b"\0"), "belong to no tensor"),
}


@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD)
def test_what_does_not_hold_together_is_refused(tmp_path, content, message):
    (tmp_path / "f").write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        open_tensors(tmp_path / "f")
    assert str(tmp_path / "f") in caught.value.message and "\n" not in caught.value.message


@pytest.mark.parametrize("kind", ["missing", "folder", "empty", "pipe", "under a file"])
def test_what_is_no_file_cannot_be_read(tmp_path, kind):
    path = tmp_path / "f"
    if kind == "folder":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    elif kind == "pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("this system has no named pipes")
        os.mkfifo(path)
    elif kind == "under a file":
        path.touch()
        path /= "g"
    with pytest.raises(FormatError, match="cannot read" if kind != "empty" else "ends at byte 0"):
        open_tensors(path)


@pytest.mark.parametrize("path", [None, 1.5, ["f"], "a\0b", b"f"])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(MeganeuraError):
        open_tensors(path)
