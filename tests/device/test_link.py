"""Objects in memory: calls, constants, functions of the system, and what is refused."""

from __future__ import annotations

import ctypes

import pytest

from meganeura.device.cpu_helper import compiler_here
from meganeura.device.cpu_link import Code, links_here
from meganeura.errors import InternalError

pytestmark = pytest.mark.skipif(not links_here(), reason="LLVM links here")

CALLS = """
declare float @helped(float)
declare float @floorf(float)
declare i32 @abs(i32)
define float @sum(float %x) {
  %inner = call float @helped(float %x)
  %whole = call float @floorf(float %x)
  %again = call float @floorf(float %inner)
  %sum = fadd float %whole, %again
  %more = fadd float %sum, 6.25e-2
  ret float %more
}
define i32 @size(i32 %x) {
  %y = call i32 @abs(i32 %x)
  ret i32 %y
}
"""
CALLED = """
@table = private constant [3 x float] [float 1.0, float 20.0, float 300.0]
define float @helped(float %x) {
  %i = fptosi float %x to i64
  %at = getelementptr [3 x float], ptr @table, i64 0, i64 %i
  %y = load float, ptr %at
  ret float %y
}
define internal float @sum(float %x) {
  ret float %x
}
define float @own(float %x) {
  %y = call float @sum(float %x)
  ret float %y
}
"""


def built(*texts: str, model: str = "small") -> list[bytes]:
    compiler = compiler_here(["", "", model])
    return [compiler.build(text) for text in texts]


@pytest.mark.parametrize("turned", [False, True], ids=["in order", "turned"])
def test_calls_and_constants_find_their_places(turned: bool):
    objects = built(CALLS, CALLED)
    code = Code(objects[::-1] if turned else objects)
    floats = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_float)
    assert floats(code["sum"])(2.5) == 302.0625
    assert floats(code["own"])(7.0) == 7.0, "a name that only its own object sees"
    assert ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(code["size"])(-5) == 5


def test_a_name_that_is_nowhere():
    with pytest.raises(InternalError, match="calls nowhere_to_be_found"):
        Code(built("declare void @nowhere_to_be_found()\n" + _calling("nowhere_to_be_found")))


def _calling(name: str) -> str:
    return f"define void @f() {{\n  call void @{name}()\n  ret void\n}}\n"


def test_code_for_another_machine():
    (content,) = built(CALLED)
    for other in (b"\x7fELF\x01" + content[5:], content[:18] + b"\xb7\x00" + content[20:]):
        with pytest.raises(InternalError, match="another machine"):
            Code([other])


def test_references_of_another_kind():
    with pytest.raises(InternalError, match="relocation of kind"):
        Code(built(CALLS, model="large"))
