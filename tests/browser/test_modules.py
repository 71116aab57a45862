"""A second implementation of WebGPU accepts all WGSL that is generated, and would say if not."""

from __future__ import annotations

import pytest

from tests.browser.check import Fault, check
from tests.browser.chromium import NAME, find
from tests.browser.modules import Module, collect, one_of_each

needs_chromium = pytest.mark.skipif(
    find() is None, reason=f"there is no {NAME} on PATH: `make browser` installs it"
)

ENTRY = "@compute @workgroup_size(64)\nfn main(@builtin(local_invocation_index) lane: u32)"
STORED = "@group(0) @binding({0}) var<storage, read_write> b{0}: array<f32>;\n"
NINE = "".join(STORED.format(i) for i in range(9))
WRONG = {
    "a barrier that not all lanes reach": (
        f"{ENTRY} {{\n    if (lane < 3) {{\n        workgroupBarrier();\n    }}\n}}\n",
        4,
        "'workgroupBarrier' must only be called from uniform control flow",
    ),
    "a name that is declared nowhere": (
        f"{ENTRY} {{\n    let x = missing;\n}}\n",
        3,
        "unresolved value 'missing'",
    ),
    "more memory than a workgroup has": (
        f"var<workgroup> kept: array<f32, 4097>;\n{ENTRY} {{\n    kept[lane] = 1.0;\n}}\n",
        0,
        "workgroup storage (16400 bytes) is larger than the maximum allowed (16384 bytes)",
    ),
    "more buffers than a stage has": (
        f"{NINE}{ENTRY} {{\n    b8[0] = {' + '.join(f'b{i}[lane]' for i in range(8))};\n}}\n",
        0,
        "exceeds the maximum per-stage limit (8)",
    ),
}
"""Modules that must be refused: the line, and what is said of it."""


@needs_chromium
def test_all_modules_are_accepted():
    modules = collect()
    report = check(modules, one_of_each(modules))
    assert report.compiled == len(modules) > 500
    assert not report.faults, "\n\n".join(map(str, report.faults))


@needs_chromium
def test_wrong_modules_are_refused():
    right = Module("nothing", "right", f"{ENTRY} {{\n}}\n")
    modules = [right, *(Module("a test", name, text) for name, (text, _, _) in WRONG.items())]
    report = check(modules, range(len(modules)))
    assert [fault.module for fault in report.faults] == modules[1:]
    for fault, (_, line, message) in zip(report.faults, WRONG.values(), strict=True):
        assert fault.line == line and message in fault.message


def test_a_fault_names_the_kernel_and_shows_the_line():
    fault = Fault(Module("softmax-rows", "k1_sum", "one\ntwo\nthree\nfour\nfive\n"), 4, "wrong")
    assert str(fault) == (
        "k1_sum of softmax-rows, line 4: wrong\n"
        "     2  two\n     3  three\n>    4  four\n     5  five"
    )
