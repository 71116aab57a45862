"""WGSL: loop IR as text. A task is a workgroup, lanes are its invocations, scratch is its memory.

A kernel is a module of its own, with one storage buffer for each operand and each result.
All are bound for reading and writing: they are parts of one buffer, which a dispatch may use in one
way only.
"""

from __future__ import annotations

import re
from itertools import count, product
from textwrap import wrap

from ...errors import InternalError
from ...kernel.index import Index
from ...kernel.target import Target
from ..barriers import add_barriers
from ..loops import (
    LANES,
    UNROLL,
    Assign,
    Barrier,
    Combine,
    Contract,
    Declare,
    Kernel,
    Loop,
    Prefetch,
    Statement,
    Store,
    When,
)
from .wgsl_spelling import constant
from .wgsl_values import Functions, Values, bare, conjunction

MOST_GROUPS = 65_535
"""Workgroups of a dispatch along one axis; more are laid out in rows of so many."""
ENTRY = "main"

COMBINE = {
    "sum": "combined[lane] + combined[lane + width]",
    "max": "larger(combined[lane], combined[lane + width])",
}


def render_module(kernel: Kernel, target: Target, comment: str = "") -> str:
    """A kernel as a module; the comment is put at its head."""
    return _Module(add_barriers(kernel), target).render(comment)


class _Module(Values):
    """One kernel under way: its statements."""

    def __init__(self, kernel: Kernel, target: Target) -> None:
        super().__init__(kernel, target, Functions())
        self.in_lanes = False
        self.combines: set[str] = set()

    def render(self, comment: str) -> str:
        """The module's text."""
        self._task()
        self._run(self.kernel.grid.body)
        called = re.sub(r"\bb(\d+)\[", lambda b: f"{self.names[int(b[1])]}[", comment)
        head = [f"// {line}" for line in wrap(f"{self.kernel.name}: {called}", 96)]
        combines = [self._combine_function(op) for op in sorted(self.combines)]
        has_zeros = "unknown_zeros" in self.functions.texts
        entry = [
            f"@compute @workgroup_size({self.kernel.lanes})",
            f"fn {ENTRY}(",
            "    @builtin(workgroup_id) group: vec3<u32>,",
            "    @builtin(local_invocation_index) invocation: u32,",
            ") {",
            *(["    unknown_zeros = group.xy >> vec2(31u);"] if has_zeros else []),
            *self.lines,
            "}",
        ]
        reached = [text for i in sorted(self.split) for text in self._through_parts(i)]
        functions = [*reached, *self.functions.texts.values(), *combines]
        blocks = ["\n".join(head), "\n".join(self._memory()), *functions, "\n".join(entry)]
        return "\n\n".join(block for block in blocks if block) + "\n"

    def _memory(self) -> list[str]:
        """Declarations of all buffers."""
        lines: list[str] = []
        bindings = count()
        for i, (buffer, name) in enumerate(zip(self.kernel.buffers, self.names, strict=True)):
            if buffer.kind == "scratch":
                lines.append(f"var<workgroup> {name}: array<f32, {buffer.elements}>;")
            elif buffer.kind == "length":
                lines.append(f"@group(0) @binding({next(bindings)}) var<uniform> {name}: u32;")
            else:
                kind = "vec4<f32>" if i in self.quads else "u32" if buffer.is_u32 else "f32"
                size = "" if self.is_stream else f"  // {buffer.elements} elements"
                for part in self.part_names(i):
                    head = f"@group(0) @binding({next(bindings)}) var<storage, read_write>"
                    lines.append(f"{head} {part}: array<{kind}>;{size}")
        if self.combines:
            lines.append(f"var<workgroup> combined: array<f32, {self.kernel.lanes}>;")
        return lines

    def _task(self) -> None:
        task = self.kernel.grid.var
        self.add("let lane = i32(invocation);")
        if task.extent <= MOST_GROUPS:
            self.add("let task = i32(group.x);")
        else:
            self.add(f"let task = i32(group.y * {MOST_GROUPS}u + group.x);")
            self.add(f"if (task >= {task.extent}) {{ return; }}")
        self.env[task] = "task"

    # Statements

    def _run(self, body: tuple[Statement, ...]) -> None:
        for statement in body:
            match statement:
                case Loop():
                    self._loop(statement)
                case When():
                    self._when(statement)
                case Declare():
                    self._declare(statement)
                case Assign(name, value, place):
                    text = self.value(value)
                    self.add(f"{self.register(name, place)} = {text};")
                case Combine():
                    self._combine(statement)
                case Store():
                    self._store(statement)
                case Barrier():
                    self.add("workgroupBarrier();")
                case Contract() | Prefetch():
                    raise InternalError(f"{self.kernel.name}: WGSL has no form for {statement}")

    def _when(self, when: When) -> None:
        if self.never(when.bound):
            if when.otherwise:
                self._block("", when.otherwise)
            return
        self._block(f"if ({self.bound(when.bound)})", when.body)
        if when.otherwise:
            self.lines[-1] += " else {"
            self._indented(when.otherwise)
            self.add("}")

    def _declare(self, declare: Declare) -> None:
        first = self.functions.need(constant(declare.first))
        for place in product(*map(range, declare.shape)):
            variable = self.register(declare.name, tuple(map(Index, place)))
            self.add(f"var {variable}: f32 = {first};")

    def _combine(self, combine: Combine) -> None:
        self.combines.add(combine.op)
        self.functions.need(COMBINE[combine.op])
        source = self.register(combine.source.name, combine.source.place)
        self.add(f"{combine.name} = {combine.op}_over_lanes({source}, lane);")

    def _indented(self, body: tuple[Statement, ...]) -> None:
        with self.scope():
            self._run(body)

    def _block(self, head: str, body: tuple[Statement, ...]) -> None:
        self.add(f"{head} {{".lstrip())
        self._indented(body)
        self.add("}")

    def _loop(self, loop: Loop) -> None:
        var, stop = loop.var, loop.stop
        if loop.kind == LANES:
            self.env[var], self.in_lanes = "lane", True
            if stop is not None:
                self._block(f"if (lane < {self.index(stop)})", loop.body)
            elif _declares(loop.body):
                self._block("", loop.body)
            else:
                self._run(loop.body)
            self.in_lanes = False
        elif loop.kind == UNROLL or (var.extent == 1 and stop is None):
            for i in range(var.extent):
                self.env[var] = i
                if _declares(loop.body):
                    self._block("", loop.body)
                else:
                    self._run(loop.body)
            del self.env[var]
        else:
            limit = str(var.extent)
            if stop is not None:
                limit = f"min({bare(self.index(stop))}, {var.extent})"
            name = self.env[var] = f"{var.name}_" if var.name in _TAKEN else var.name
            self._block(f"for (var {name} = 0; {name} < {limit}; {name}++)", loop.body)

    def _store(self, statement: Store) -> None:
        if self.never(*statement.bounds):
            return
        tests = [] if self.in_lanes else ["lane == 0"]
        tests += [test for bound in statement.bounds for test in self.tests(bound)]
        if not tests:
            self._store_value(statement)
            return
        self.add(f"if ({conjunction(tests)}) {{")
        with self.scope():
            self._store_value(statement)
        self.add("}")

    def _store_value(self, statement: Store) -> None:
        text, name = self.value(statement.value), self.names[statement.target]
        if statement.target in self.split:
            self.add(f"set_{name}({bare(self.index(statement.index))}, {text});")
        else:
            self.add(f"{self.place(statement.target, statement.index)} = {text};")

    def _through_parts(self, number: int) -> list[str]:
        """Functions that read or write an element of a buffer that is bound in parts."""
        name, buffer = self.names[number], self.kernel.buffers[number]
        kind = "u32" if buffer.is_u32 else "f32"
        reads, writes = [], []
        parts = zip(self.part_names(number), self.target.parts(4 * buffer.elements), strict=True)
        for part, (start, size) in parts:
            test, at = f"if (i < {(start + size) // 4})", f"{part}[i - {start // 4}]"
            reads.append(f"    {test} {{ return {at}; }}")
            writes.append(f"    {test} {{ {at} = x; return; }}")
        if buffer.kind == "result":
            return ["\n".join([f"fn set_{name}(i: i32, x: {kind}) {{", *writes, "}"])]
        return ["\n".join([f"fn {name}(i: i32) -> {kind} {{", *reads, "    return 0;", "}"])]

    def _combine_function(self, op: str) -> str:
        """The sum or maximum over all lanes, by halves, always in the same order."""
        return f"""\
fn {op}_over_lanes(x: f32, lane: i32) -> f32 {{
    combined[lane] = x;
    workgroupBarrier();
    for (var width = {self.kernel.lanes // 2}; width > 0; width /= 2) {{
        if (lane < width) {{
            combined[lane] = {COMBINE[op]};
        }}
        workgroupBarrier();
    }}
    let result = combined[0];
    workgroupBarrier();
    return result;
}}"""


_TAKEN = {"lane", "task", "group", "invocation", "result"}
"""Names that a module has anyway."""


def _declares(body: tuple[Statement, ...]) -> bool:
    """Whether a body makes registers, which then end with it."""
    return any(isinstance(statement, Declare) for statement in body)
