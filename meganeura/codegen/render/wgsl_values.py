"""Values in WGSL: whole numbers, places in memory, and scalar expressions over what is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import InternalError
from ...kernel.element import Element, Load, Position, Read, Register, Test
from ...kernel.index import Atom, Bound, Fetch, Index, Quotient, Remainder, Var
from ...scalar.approximate import APPROXIMATIONS
from ...scalar.expr import Call, Const, Expr
from ...scalar.expr import Var as Argument
from ..loops import Kernel
from .wgsl_spelling import COMPARISONS, FUNCTIONS, NEEDS, SPELLING, constant


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
            count = 1 + max(_arguments(expression))
            lines, value = Expression(self).render(expression, [f"x{i}" for i in range(count)])
            parameters = ", ".join(f"x{i}: f32" for i in range(count))
            body = "".join(f"    {line}\n" for line in [*lines, f"return {value};"])
            self.texts[name] = f"fn {name}({parameters}) -> f32 {{\n{body}}}"
        return name


def _arguments(expr: Expr) -> set[int]:
    match expr:
        case Argument(i):
            return {i}
        case Call(_, args):
            return set().union(*map(_arguments, args))
    return set()


class Expression:
    """A scalar expression as text. A part that occurs twice gets a name."""

    def __init__(self, functions: Functions, stem: str = "t") -> None:
        self.functions, self.stem = functions, stem
        self.lines: list[str] = []
        self.done: dict[Expr, str] = {}
        self.uses: Counter[Expr] = Counter()

    def render(self, expr: Expr, arguments: list[str]) -> tuple[list[str], str]:
        """Lines that come first, and the value."""
        self.arguments = arguments
        self._count(expr)
        value = self._text(expr)
        return self.lines, value

    def _count(self, expr: Expr) -> None:
        self.uses[expr] += 1
        if isinstance(expr, Call) and self.uses[expr] == 1:
            for arg in expr.args:
                self._count(arg)

    def _text(self, expr: Expr) -> str:
        if expr not in self.done:
            text = self.functions.need(self._spell(expr))
            if isinstance(expr, Call) and self.uses[expr] > 1:
                name = f"{self.stem}{len(self.lines)}"
                self.lines.append(f"let {name} = {_bare(text)};")
                text = name
            self.done[expr] = text
        return self.done[expr]

    def _spell(self, expr: Expr) -> str:
        match expr:
            case Const(number):
                return constant(number)
            case Argument(i):
                return self.arguments[i]
            case Call("where", (condition, yes, no)):
                otherwise, then = _bare(self._text(no)), _bare(self._text(yes))
                return f"select({otherwise}, {then}, {self._condition(condition)})"
            case Call(op, _) if op in COMPARISONS:
                return f"select(0.0, 1.0, {self._condition(expr)})"
            case Call(op, args):
                operands = [self._text(arg) for arg in args]
                if op in APPROXIMATIONS:
                    values = ", ".join(map(_bare, operands))
                    return f"{self.functions.approximation(op)}({values})"
                spelling = SPELLING[op]
                is_call = not spelling.startswith("(")
                return spelling.format(*(map(_bare, operands) if is_call else operands))
        raise InternalError(f"no spelling for {expr}")

    def _condition(self, expr: Expr) -> str:
        match expr:
            case Call("equal", (x, y)) if x == y:
                return f"!{self.functions.need(f'is_nan({self._text(x)})')}"
            case Call(op, (x, y)) if op in COMPARISONS:
                return f"{self._text(x)} {COMPARISONS[op]} {self._text(y)}"
        return f"{self._text(expr)} != 0.0"


def _bare(text: str) -> str:
    """Without parentheses around the whole."""
    if not text.startswith("("):
        return text
    depth = 0
    for i, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return text[1:-1] if i == len(text) - 1 else text
    return text


class Values:
    """One kernel under way: its lines so far, and what its variables are called."""

    def __init__(self, kernel: Kernel, functions: Functions) -> None:
        self.kernel, self.functions = kernel, functions
        self.lines: list[str] = []
        self.depth = 1
        self.env: dict[Var, str | int] = {}
        self.known: list[dict[str, str]] = [{}]
        """For each open block, the whole numbers that have a name in it."""
        self.count = 0
        self.names = _buffer_names(kernel)

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
        return _bare(text)

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
        bounds = [self.bound(bound) for bound in read.bounds]
        test = " && ".join(bound for bound in bounds if bound != "true")
        text = self.place(read.source, read.index)
        if self.kernel.buffers[read.source].is_u32:
            text = f"f32({text})"
        if not test:
            return text
        name = self.fresh("r")
        self.add(f"var {name} = 0.0;")
        self.add(f"if ({test}) {{ {name} = {text}; }}")
        return name

    def place(self, buffer: int, index: Index) -> str:
        """An element of a buffer."""
        if self.kernel.buffers[buffer].kind == "length":
            return self.names[buffer]
        return f"{self.names[buffer]}[{_bare(self.index(index))}]"

    # Whole numbers

    def bound(self, bound: Bound) -> str:
        """A condition."""
        index, low, high = bound.index.substitute(self._constants()), bound.low, bound.high
        lowest, highest = index.range()
        text = self.index(index)
        tests = []
        if lowest < low:
            tests.append(f"{text} >= {low}")
        if highest >= high:
            tests.append(f"{text} < {high}")
        return " && ".join(tests) or "true"

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


def _buffer_names(kernel: Kernel) -> list[str]:
    """Operands and scratch are numbered, if there are several."""
    names = []
    for i, buffer in enumerate(kernel.buffers):
        same = [j for j, other in enumerate(kernel.buffers) if other.kind == buffer.kind]
        names.append(buffer.kind + (str(same.index(i)) if buffer.kind != "result" else ""))
    return [name.replace("length0", "length_of_row") for name in names]
