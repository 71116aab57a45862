"""Values in WGSL: whole numbers, places in memory, and scalar expressions over what is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from ...errors import InternalError
from ...kernel.element import Element, Load, Position, Read, Register, Test
from ...kernel.index import Atom, Bound, Fetch, Index, Quotient, Remainder, Var
from ...kernel.target import Target
from ...scalar.approximate import APPROXIMATIONS
from ...scalar.expr import Call, Const, Expr, operands, parts
from ...scalar.expr import Var as Argument
from ...scalar.table import SCALAR_OPS
from ..loops import UNROLL, Assign, Kernel, Loop, Statement, Store, When
from .wgsl_spelling import COMPARISONS, FUNCTIONS, NEEDS, SPELLING, constant

QUAD = 4
"""Neighbours that are one load."""


class Functions:
    """The functions a module needs, each after those that it calls."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def need(self, text: str) -> str:
        """A text that calls functions, which are noted."""
        for name in FUNCTIONS:
            if f"{name}(" in text:
                self._add(name)
        return text

    def _add(self, name: str) -> None:
        for needed in NEEDS.get(name, ()):
            self._add(needed)
        self.texts.setdefault(name, FUNCTIONS[name])

    def approximation(self, op: str) -> str:
        """The name of a function that is written out as an expression."""
        name = f"{op}_"
        if name not in self.texts:
            expression = APPROXIMATIONS[op]
            count = SCALAR_OPS[op].arity
            inside = Expression(self, rounds=("sub",))
            lines, value = inside.render(expression, [f"x{i}" for i in range(count)])
            parameters = ", ".join(f"x{i}: f32" for i in range(count))
            body = "".join(f"    {line}\n" for line in [*lines, f"return {value};"])
            self.texts[name] = f"fn {name}({parameters}) -> f32 {{\n{body}}}"
        return name


def _operands(expr: Expr) -> tuple[Expr, ...]:
    """What is written before an expression: a comparison that chooses is no number."""
    match expr:
        case Call("where", (Call(test, sides), yes, no)) if test in COMPARISONS:
            return (no, yes, *sides)
        case Call("where", (condition, yes, no)):
            return (no, yes, condition)
    return operands(expr)


class Expression:
    """A scalar expression as text. A part that occurs twice gets a name.

    ``rounds`` are the operators whose operands are what float32 makes of them, if not all. Within
    an approximation it is differences, by which its argument is reduced: a polynomial is as good
    in any order."""

    def __init__(
        self, functions: Functions, stem: str = "t", rounds: Container[str] | None = None
    ) -> None:
        self.functions, self.stem, self.rounds = functions, stem, rounds
        self.lines: list[str] = []
        self.done: dict[Expr, str] = {}
        self.numbers: dict[Expr, np.float32] = {}
        """What parts without arguments are."""
        self.uses: Counter[Expr] = Counter()

    def render(self, expr: Expr, arguments: list[str]) -> tuple[list[str], str]:
        """Lines that come first, and the value."""
        self.arguments = arguments
        self.uses[expr] += 1
        self.uses.update(part for whole in parts(expr) for part in operands(whole))
        for part in parts(expr, _operands):
            self._text(part)
        return self.lines, self._text(expr)

    def _text(self, expr: Expr) -> str:
        if expr not in self.done:
            text = self.functions.need(self._spell(expr))
            if isinstance(expr, Call) and self.uses[expr] > 1:
                name = f"{self.stem}{len(self.lines)}"
                self.lines.append(f"let {name} = {bare(text)};")
                text = name
            self.done[expr] = text
        return self.done[expr]

    def _spell(self, expr: Expr) -> str:
        if (number := self._number(expr)) is not None:
            return constant(float(number))
        match expr:
            case Argument(i):
                return self.arguments[i]
            case Call("where", (condition, yes, no)):
                otherwise, then = bare(self._text(no)), bare(self._text(yes))
                return f"select({otherwise}, {then}, {self._condition(condition)})"
            case Call(op, _) if op in COMPARISONS:
                return f"select(0.0, 1.0, {self._condition(expr)})"
            case Call("mul", (x, y)) if self.numbers.get(x) == 0 or self.numbers.get(y) == 0:
                factor, zero = (x, y) if self.numbers.get(y) == 0 else (y, x)
                sign = "-" if np.signbit(self.numbers[zero]) else ""
                return f"times_zero({sign}({bare(self._text(factor))}))"
            case Call("sub", (x, y)) if x == y:
                return f"times_zero(abs({bare(self._text(x))}))"
            case Call(op, args):
                operands = self._rounded(op, args)
                if op in APPROXIMATIONS:
                    values = ", ".join(map(bare, operands))
                    return f"{self.functions.approximation(op)}({values})"
                spelling = SPELLING[op]
                is_call = not spelling.startswith("(")
                return spelling.format(*(map(bare, operands) if is_call else operands))
        raise InternalError(f"no spelling for {expr}")

    def _number(self, expr: Expr) -> np.float32 | None:
        """What a part without arguments is: WGSL refuses to work out an infinity or a NaN."""
        if isinstance(expr, Const):
            with np.errstate(over="ignore"):
                self.numbers[expr] = np.float32(expr.value)
        elif isinstance(expr, Call) and all(arg in self.numbers for arg in expr.args):
            with np.errstate(all="ignore"):
                value = SCALAR_OPS[expr.op].numpy(*(self.numbers[arg] for arg in expr.args))
            self.numbers[expr] = np.float32(value)
        return self.numbers.get(expr)

    def _rounded(self, op: str, args: tuple[Expr, ...]) -> list[str]:
        """Operands as they are in float32. A product may be rounded together with the sum that it
        is in, but two may not become one."""
        products = [isinstance(arg, Call) and arg.op == "mul" for arg in args]
        as_they_are = self.rounds is not None and op not in self.rounds
        may_fuse = op in ("add", "sub") and sum(products) == 1
        texts = []
        for i, arg in enumerate(args):
            text = self._text(arg)
            is_computed = isinstance(arg, Call) and arg not in self.numbers
            if is_computed and not (as_they_are or (products[i] and may_fuse)):
                text = self.functions.need(f"{'rounded_apart' if i else 'rounded'}({bare(text)})")
            texts.append(text)
        return texts

    def _condition(self, expr: Expr) -> str:
        match expr:
            case Call("equal", (x, y)) if x == y:
                return f"!{self.functions.need(f'is_nan({self._text(x)})')}"
            case Call(op, (x, y)) if op in COMPARISONS:
                one, other = self._rounded(op, (x, y))
                return f"{one} {COMPARISONS[op]} {other}"
        return f"!({self._text(expr)} == 0.0)"  # NaN is not 0


def bare(text: str) -> str:
    """Without parentheses around the whole."""
    if not text.startswith("("):
        return text
    depth = 0
    for i, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return text[1:-1] if i == len(text) - 1 else text
    return text


def conjunction(tests: Iterable[str]) -> str:
    """All tests in one; nothing if there are none. It is made without `&&`, which is a branch:
    Chromium's GPU in software takes minutes to compile some tens of them."""
    texts = list(dict.fromkeys(tests))
    return texts[0] if len(texts) == 1 else " & ".join(f"({text})" for text in texts)


class Values:
    """One kernel under way: its lines so far, and what its variables are called."""

    def __init__(self, kernel: Kernel, target: Target, functions: Functions) -> None:
        self.kernel, self.target, self.functions = kernel, target, functions
        self.is_stream = any(buffer.kind == "length" for buffer in kernel.buffers)
        """Rows of any length, none of which is bound in parts."""
        self.split = frozenset(i for i, _ in enumerate(kernel.buffers) if len(self._parts(i)) > 1)
        self.lines: list[str] = []
        self.depth = 1
        self.env: dict[Var, str | int] = {}
        self.known: list[dict[str, str]] = [{}]
        """For each open block, the whole numbers that have a name in it."""
        self.count = 0
        self.names = _buffer_names(kernel)
        self.quads = quad_buffers(kernel) - self.split

    def _parts(self, number: int) -> list[tuple[int, int]]:
        buffer = self.kernel.buffers[number]
        if self.is_stream or buffer.kind not in ("operand", "result"):
            return [(0, 4 * buffer.elements)]
        return self.target.parts(4 * buffer.elements)

    def part_names(self, number: int) -> list[str]:
        """What the parts of a buffer are called: most have one."""
        name, parts = self.names[number], self._parts(number)
        return [name] if len(parts) == 1 else [f"{name}_{i}" for i, _ in enumerate(parts)]

    def add(self, line: str) -> None:
        """A line at the present depth."""
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A block inside the one under way."""
        self.depth += 1
        self.known.append({})
        yield
        self.known.pop()
        self.depth -= 1

    def fresh(self, stem: str) -> str:
        """A new name."""
        self.count += 1
        return f"{stem}{self.count}"

    def value(self, element: Element) -> str:
        """A value; what must come before it is added."""
        reads = [self._read(read) for read in element.reads]
        lines, text = Expression(self.functions, self.fresh("t") + "_").render(element.body, reads)
        for line in lines:
            self.add(line)
        return bare(text)

    def _read(self, read: Read) -> str:
        match read:
            case Register(name, place):
                return self.register(name, place)
            case Load():
                return self._load(read)
            case Position(index):
                return f"f32({self.index(index)})"
            case Test(bound):
                return f"select(0.0, 1.0, {self.bound(bound)})"
        raise InternalError(f"{self.kernel.name} reads {read}")

    def register(self, name: str, place: tuple[Index, ...]) -> str:
        """What a register is called: each place of an array is a variable of its own."""
        return "_".join([name, *(self.index(index) for index in place)])

    def _load(self, read: Load) -> str:
        if self.never(*read.bounds):
            return "0.0"
        if read.source in self.quads:
            return self._load_of_quad(read)
        test = self._all(read.bounds)
        text = self.place(read.source, read.index)
        if self.kernel.buffers[read.source].is_u32:
            text = f"f32({text})"
        return self._where(test, "0.0", text) if test else text

    def _load_of_quad(self, read: Load) -> str:
        """One of four neighbours, which are loaded together."""
        index = read.index.substitute(self._constants())
        first = replace(index, constant=index.constant - index.constant % QUAD)
        test = self._all(tuple(_of_quad(b.substitute(self._constants())) for b in read.bounds))
        text = f"{self.names[read.source]}[{bare(self.index(first // QUAD))}]"
        return f"{self._known_quad(test, text)}.{'xyzw'[index.constant % QUAD]}"

    def _known_quad(self, test: str, text: str) -> str:
        key = f"{text} where {test}"
        for known in self.known:
            if key in known:
                return known[key]
        name = self._where(test, "vec4<f32>()", text) if test else self._named(text)
        self.known[-1][key] = name
        return name

    def _where(self, test: str, otherwise: str, text: str) -> str:
        """A value that is only looked at where a test holds."""
        name = self.fresh("r")
        self.add(f"var {name} = {otherwise};")
        self.add(f"if ({test}) {{ {name} = {text}; }}")
        return name

    def _all(self, bounds: tuple[Bound, ...]) -> str:
        """All bounds in one test; nothing where they always hold."""
        return conjunction(test for bound in bounds for test in self.tests(bound))

    def place(self, buffer: int, index: Index) -> str:
        """An element of a buffer."""
        if self.kernel.buffers[buffer].kind == "length":
            return self.names[buffer]
        at = bare(self.index(index))
        if buffer in self.split:
            return f"{self.names[buffer]}({at})"
        return f"{self.names[buffer]}[{at}]"

    # Whole numbers

    def bound(self, bound: Bound) -> str:
        """A condition."""
        return conjunction(self.tests(bound)) or "true"

    def tests(self, bound: Bound) -> list[str]:
        """What must be asked to know that a bound holds."""
        index, low, high = bound.index.substitute(self._constants()), bound.low, bound.high
        lowest, highest = index.range()
        text = self.index(index)
        tests = []
        if lowest < low:
            tests.append(f"{text} >= {low}")
        if highest >= high:
            tests.append(f"{text} < {high}")
        return tests

    def never(self, *bounds: Bound) -> bool:
        """Whether some bound is known not to hold. WGSL refuses a place that is known to be
        outside, even where nobody comes."""
        return any(bound.substitute(self._constants()).never() for bound in bounds)

    def _constants(self) -> dict[Var, Index | int]:
        """The variables of unrolled loops."""
        return {var: value for var, value in self.env.items() if isinstance(value, int)}

    def index(self, index: Index) -> str:
        """A whole number, in parentheses if it is a sum."""
        index = index.substitute(self._constants())
        parts: list[str] = []
        for atom, coefficient in index.terms:
            text = self._atom(atom)
            factor = abs(coefficient)
            parts.append("-" if coefficient < 0 else "+")
            parts.append(text if factor == 1 else f"{text} * {factor}")
        if index.constant or not parts:
            parts += ["-" if index.constant < 0 else "+", str(abs(index.constant))]
        if parts[0] == "+":
            parts = parts[1:]
        else:
            parts[:2] = [f"-{parts[1]}"]
        return parts[0] if len(parts) == 1 and "*" not in parts[0] else f"({' '.join(parts)})"

    def _atom(self, atom: Atom) -> str:
        match atom:
            case Var():
                return str(self.env[atom])
            case Quotient(index, divisor):
                return self._divided(index, divisor, "/")
            case Remainder(index, divisor):
                return self._divided(index, divisor, "%")
            case Fetch(source, index, _):
                return f"i32({self.place(source, index)})"

    def _divided(self, index: Index, divisor: int, sign: str) -> str:
        """Floor division or its remainder; a dividend that may be negative is moved up first."""
        low, _ = index.range()
        shift = 0 if low >= 0 else -(low // divisor)
        text = f"{self.index(index + shift * divisor)} {sign} {divisor}"
        return self._named(f"{text} - {shift}" if shift and sign == "/" else text)

    def _named(self, text: str) -> str:
        """A name for a whole number that takes some work."""
        for known in self.known:
            if text in known:
                return known[text]
        self.known[-1][text] = name = self.fresh("n")
        self.add(f"let {name} = {text};")
        return name


def _of_quad(bound: Bound) -> Bound:
    """The bound of four neighbours of which it holds for all or for none; else itself."""
    index, steps = bound.index, [coefficient for _, coefficient in bound.index.terms]
    if any(number % QUAD for number in (*steps, bound.low, bound.high)):
        return bound
    return replace(bound, index=replace(index, constant=index.constant - index.constant % QUAD))


def quad_buffers(kernel: Kernel) -> frozenset[int]:
    """Operands that are only read by whole quads of neighbours."""
    loads = _operand_loads(kernel, kernel.grid.body, {})
    scattered = {
        load.source
        for load in loads
        if any(coefficient % QUAD for _, coefficient in load.index.terms)
    }
    found = {load.source: 0 for load in loads if load.source not in scattered}
    for load in loads:
        if load.source in found:
            found[load.source] |= 1 << load.index.constant % QUAD
    whole = {source for source, seen in found.items() if seen == 2**QUAD - 1}
    return frozenset(i for i in whole if kernel.buffers[i].elements % QUAD == 0)


def _operand_loads(
    kernel: Kernel, body: tuple[Statement, ...], constants: dict[Var, Index | int]
) -> list[Load]:
    """All loads of operands, with the variables of unrolled loops as numbers."""
    loads: list[Load] = []
    for statement in body:
        match statement:
            case Loop(var, kind, inner) if kind == UNROLL:
                for i in range(var.extent):
                    loads += _operand_loads(kernel, inner, {**constants, var: i})
            case Loop(_, _, inner):
                loads += _operand_loads(kernel, inner, constants)
            case When(_, yes, no):
                loads += _operand_loads(kernel, (*yes, *no), constants)
            case Assign(_, value) | Store(_, _, value):
                loads += [
                    replace(read, index=read.index.substitute(constants))
                    for read in value.reads
                    if isinstance(read, Load)
                ]
    plain = {i for i, b in enumerate(kernel.buffers) if b.kind == "operand" and not b.is_u32}
    return [load for load in loads if load.source in plain]


def _buffer_names(kernel: Kernel) -> list[str]:
    """Operands and scratch are numbered, and so are results, if there are several."""
    names = []
    for i, buffer in enumerate(kernel.buffers):
        same = [j for j, other in enumerate(kernel.buffers) if other.kind == buffer.kind]
        is_only_result = buffer.kind == "result" and len(same) == 1
        names.append(buffer.kind + ("" if is_only_result else str(same.index(i))))
    return [name.replace("length0", "length_of_row") for name in names]
