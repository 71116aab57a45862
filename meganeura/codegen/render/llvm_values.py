"""Values in LLVM IR: numbers, places in memory, and scalar expressions over what is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ...errors import InternalError
from ...kernel.element import Element, Load, Position, Read, Register, Test
from ...kernel.index import Atom, Bound, Fetch, Index, Quotient, Remainder, Var
from ...scalar.approximate import APPROXIMATIONS
from ...scalar.expr import Call, Const, Expr, operands, parts
from ...scalar.expr import Var as Argument
from ..loops import Kernel
from .llvm_code import Code
from .llvm_contract import Routine
from .llvm_gather import APART, QUAD, Row, groups_of, quad_of
from .llvm_spelling import COMPARISONS, SPELLING, constant
from .llvm_turn import render_within_turn


def _operands(expr: Expr) -> Sequence[Expr]:
    """What is computed before an expression: a comparison that chooses is no number."""
    match expr:
        case Call("where", (Call(test, sides), yes, no)) if test in COMPARISONS:
            return (yes, no, *sides)
    return operands(expr)


class Values:
    """One kernel under way: its code so far, and what its variables are called."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.width = kernel.lanes
        self.vector = f"<{self.width} x float>"
        self.code = Code()
        self.slots: list[str] = []
        self.env: dict[Var, str] = {}
        self.lane: Var | None = None
        self.rows: dict[Row, set[int]] = {}
        """What the lanes' body reads of each row."""
        self.registers: dict[str, tuple[str, bool, tuple[int, ...]]] = {}
        self.versions: Counter[str] = Counter()
        self.declarations: set[str] = set()
        self.routines: dict[Routine, None] = {}

    def _slot(self, name: str, place: tuple[Index, ...]) -> str:
        slot, lanes, shape = self.registers[name]
        position = 0
        for index, size in zip(place, shape, strict=True):
            text = self._index(index)
            if not text.isdigit():
                raise InternalError(f"{self.kernel.name}: a register is indexed by {index}")
            position = position * size + int(text)
        if not position:
            return slot
        kind = self.vector if lanes else "float"
        return self.code.pure(f"getelementptr {kind}, ptr {slot}, i64 {position}", "s")

    def _shuffle(self, vector: str, width: int, lanes: Sequence[int], other: str = "poison") -> str:
        """Some lanes of a vector, or of two of which the other's are counted behind its own."""
        mask = ", ".join(f"i32 {i}" for i in lanes)
        kind = f"<{width} x float>"
        return self.code.pure(
            f"shufflevector {kind} {vector}, {kind} {other}, <{len(lanes)} x i32> <{mask}>"
        )

    def _joined(self, parts: list[str], size: int) -> str:
        """Short vectors, one behind the other."""
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=True)
            parts = [self._shuffle(a, size, range(2 * size), b) for a, b in pairs]
            size *= 2
        return parts[0]

    def _pointer(self, buffer: int, index: Index) -> str:
        """An address, by steps that depend on ever more loops; a constant offset comes last."""
        terms, constant = self._terms(index)
        pointer = f"%buffer{buffer}"
        for term in (*terms, str(constant)):
            if term != "0":
                pointer = self.code.pure(f"getelementptr float, ptr {pointer}, i64 {term}", "p")
        return pointer

    # Values

    def _as(self, value: tuple[str, bool], lanes: bool) -> str:
        """A value in every lane, or (where it is one number anyway) as a number."""
        text, is_vector = value
        if is_vector == lanes:
            return text
        if is_vector:
            raise InternalError(f"{self.kernel.name}: a vector where one number is wanted")
        if text.startswith("0x"):
            return f"splat (float {text})"
        one = self.code.pure(f"insertelement {self.vector} poison, float {text}, i64 0")
        zeros = f"<{self.width} x i32> zeroinitializer"
        return self.code.pure(f"shufflevector {self.vector} {one}, {self.vector} poison, {zeros}")

    def _value(self, element: Element) -> tuple[str, bool]:
        return self._expression(element.body, [self._read(read) for read in element.reads])

    def _expression(self, body: Expr, arguments: list[tuple[str, bool]]) -> tuple[str, bool]:
        """A scalar expression over values; a part that occurs twice is computed once."""
        done: dict[Expr, tuple[str, bool]] = {}
        for expr in parts(body, _operands):
            values = [done[operand] for operand in _operands(expr)]
            match expr:
                case Const(number):
                    done[expr] = (constant(number), False)
                case Argument(i):
                    done[expr] = arguments[i]
                case Call("where", (Call(test, _), _, _)) if test in COMPARISONS:
                    done[expr] = self._choice(test, values[2:], values[:2])
                case Call(op, _):
                    written_out = APPROXIMATIONS.get(op)
                    done[expr] = (
                        self._call(op, values)
                        if written_out is None
                        else self._expression(written_out, values)
                    )
        return done[body]

    def _call(self, op: str, args: list[tuple[str, bool]]) -> tuple[str, bool]:
        lanes = any(is_vector for _, is_vector in args)
        operands = [self._as(arg, lanes) for arg in args]
        kind = self.vector if lanes else "float"
        names = {
            "t": kind,
            "s": f"v{self.width}f32" if lanes else "f32",
            "m": f"<{self.width} x i1>" if lanes else "i1",
            "one": self._as((constant(1.0), False), lanes),
            "zero": "zeroinitializer" if lanes else constant(0.0),
            "magic": self._as((constant(12582912.0), False), lanes),
            "i": f"<{self.width} x i32>" if lanes else "i32",
            "shift": self._whole(23, lanes),
            "bias": self._whole(127 << 23, lanes),
            "half": self._whole(0x3F3504F3, lanes),
        }
        result = ""
        for line in SPELLING[op]:
            letter, _, text = line.rpartition(" = ")
            text = text.format(*operands, **names)
            self._note_called(text, kind, lanes)
            result = self.code.pure(text)
            names[letter] = result
        return result, lanes

    def _choice(
        self, test: str, sides: list[tuple[str, bool]], branches: list[tuple[str, bool]]
    ) -> tuple[str, bool]:
        """One of two values by a comparison."""
        lanes = any(is_vector for _, is_vector in (*sides, *branches))
        a, b, yes, no = (self._as(value, lanes) for value in (*sides, *branches))
        kind, bit = (self.vector, f"<{self.width} x i1>") if lanes else ("float", "i1")
        holds = self.code.pure(f"fcmp {COMPARISONS[test]} {kind} {a}, {b}")
        return self.code.pure(f"select {bit} {holds}, {kind} {yes}, {kind} {no}"), lanes

    def _whole(self, number: int, lanes: bool) -> str:
        """A constant of 32-bit whole numbers."""
        return f"splat (i32 {number})" if lanes else str(number)

    def _note_called(self, text: str, kind: str, lanes: bool) -> None:
        """Declare an intrinsic that a line calls; define a routine of our own."""
        if "@within_turn." in text:
            self.declarations.add(render_within_turn(self.width if lanes else 0))
        if "@llvm." in text:
            name = text[text.index("@") : text.index("(")]
            count = text[text.index("(") :].count(kind)
            self.declarations.add(f"declare {kind} {name}({', '.join([kind] * count)})")

    def _read(self, read: Read) -> tuple[str, bool]:
        match read:
            case Register(name, place):
                _, lanes, _ = self.registers[name]
                kind = self.vector if lanes else "float"
                at = self._slot(name, place)
                return self.code.register(kind, at, name, self.versions[name]), lanes
            case Load():
                return self._load(read)
            case Position(index):
                return self._in_lanes(index, lambda at: self.code.pure(f"sitofp i64 {at} to float"))
            case Test(bound):
                return self._test(bound)
        raise InternalError(f"{self.kernel.name} reads {read}")

    def _in_lanes(self, index: Index, make: Callable[[str], str]) -> tuple[str, bool]:
        """``make`` of an index, lane by lane if it depends on the lane."""
        if self.lane is None or self.lane not in index.variables():
            return make(self._index(index)), False
        parts = [make(self._index(index.substitute({self.lane: i}))) for i in range(self.width)]
        return self._gathered(parts), True

    def _gathered(self, parts: list[str]) -> str:
        vector = "poison"
        for i, part in enumerate(parts):
            vector = self.code.pure(f"insertelement {self.vector} {vector}, float {part}, i64 {i}")
        return vector

    def _test(self, bound: Bound) -> tuple[str, bool]:
        if self.lane is None or self.lane not in bound.index.variables():
            test = self._bound(bound)
            return self.code.pure(
                f"select i1 {test}, float {constant(1)}, float {constant(0)}"
            ), False
        parts = []
        for i in range(self.width):
            test = self._bound(bound.substitute({self.lane: i}))
            parts.append(
                self.code.let(f"select i1 {test}, float {constant(1)}, float {constant(0)}")
            )
        return self._gathered(parts), True

    def _load(self, read: Load) -> tuple[str, bool]:
        lane = self.lane
        depends = lane is not None and any(
            lane in index.variables() for index in (read.index, *(b.index for b in read.bounds))
        )
        if lane is None or not depends:
            return self._load_one(read), False
        step = read.index.coefficient(lane)
        if step in (1, -1) and not any(lane in b.index.variables() for b in read.bounds):
            lowest = 0 if step == 1 else self.width - 1
            at = read.index.substitute({lane: lowest})
            vector = self._load_at(read.source, at, read.bounds, self.vector)
            backwards = range(self.width - 1, -1, -1)
            return vector if step == 1 else self._shuffle(vector, self.width, backwards), True
        if not any(lane in b.index.variables() for b in read.bounds):
            if step in APART:
                first = read.index.substitute({lane: 0})
                return self._load_apart(read, first, step, self.width), True
            if (start := quad_of(read, self.rows)) is not None:
                return self._load_quads(read, lane, start), True
            if found := groups_of(read.index, lane):
                return self._load_groups(read, lane, *found), True
        parts = []
        for i in range(self.width):
            bounds = tuple(b.substitute({lane: i}) for b in read.bounds)
            parts.append(
                self._load_one(Load(read.source, read.index.substitute({lane: i}), bounds))
            )
        return self._gathered(parts), True

    def _load_groups(self, read: Load, lane: Var, groups: list[range], step: int) -> str:
        """A load for each group of lanes, one behind the other, and then in their order."""
        parts = [
            self._load_apart(read, read.index.substitute({lane: lanes[0]}), step, len(lanes))
            for lanes in groups
        ]
        order = [i for lanes in groups for i in lanes]
        joined = self._joined(parts, len(groups[0]))
        if order == sorted(order):
            return joined
        return self._shuffle(joined, self.width, [order.index(i) for i in range(self.width)])

    def _load_quads(self, read: Load, lane: Var, start: int) -> str:
        """Four neighbours for each lane, turned into four vectors, of which this read is one."""
        first = read.index - read.index.constant + start
        rows = [
            self._load_at(
                read.source, first.substitute({lane: i}), read.bounds, f"<{QUAD} x float>"
            )
            for i in range(self.width)
        ]
        return self._column(rows, read.index.constant - start)

    def _column(self, rows: list[str], column: int) -> str:
        """A column of rows of four, in steps that processors have: rows that are four apart are put
        behind each other, and then squares of four turned within themselves."""
        a, b, c, d = (self._joined(rows[k::QUAD], QUAD) for k in range(QUAD))
        half, place = column - column % 2, column % 2 * 2
        pairs = [half, QUAD + half, half + 1, QUAD + half + 1]
        ab, cd = self._in_squares(a, b, pairs), self._in_squares(c, d, pairs)
        return self._in_squares(ab, cd, [place, place + 1, QUAD + place, QUAD + place + 1])

    def _in_squares(self, a: str, b: str, chosen: list[int]) -> str:
        """The same choice from each four lanes of two vectors; the second's count from four on."""
        lanes = [
            square + (k if k < QUAD else self.width + k - QUAD)
            for square in range(0, self.width, QUAD)
            for k in chosen
        ]
        return self._shuffle(a, self.width, lanes, b)

    def _load_apart(self, read: Load, first: Index, step: int, count: int) -> str:
        """One of every few neighbours: a wide load that others share which begin within a step of
        it, and a choice of lanes. It may see up to a step more than it wants, which is there: the
        arena and scratch have room behind their last value."""
        shift = first.constant % step
        if first.range()[0] < shift:  # nothing may be read that lies before the buffer
            shift = 0
        width = count * step
        wide = self._load_at(read.source, first - shift, read.bounds, f"<{width} x float>")
        return wide if step == 1 else self._shuffle(wide, width, range(shift, width, step))

    def _load_one(self, read: Load) -> str:
        return self._load_at(read.source, read.index, read.bounds, "float")

    def _load_at(self, source: int, index: Index, bounds: tuple[Bound, ...], kind: str) -> str:
        """A load, of place 0 (which always exists) and then of 0 where a bound does not hold."""
        test = None
        for bound in bounds:
            holds = self._bound(bound)
            test = holds if test is None else self.code.pure(f"and i1 {test}, {holds}")
        at = self._pointer(source, index)
        if test is not None:
            at = self.code.pure(f"select i1 {test}, ptr {at}, ptr %buffer{source}", "p")
        unchanging = self.kernel.buffers[source].kind == "operand"
        if self.kernel.buffers[source].is_u32:
            integers = kind.replace("float", "i32")
            whole = self.code.load(integers, at, unchanging)
            value = self.code.let(f"uitofp {integers} {whole} to {kind}")
        else:
            value = self.code.load(kind, at, unchanging)
        if test is None:
            return value
        return self.code.let(f"select i1 {test}, {kind} {value}, {kind} zeroinitializer")

    # Whole numbers

    def _bound(self, bound: Bound) -> str:
        index = self._index(bound.index)
        low, high = bound.index.range()
        tests = []
        if low < bound.low:
            tests.append(self.code.pure(f"icmp sge i64 {index}, {bound.low}"))
        if high >= bound.high:
            tests.append(self.code.pure(f"icmp slt i64 {index}, {bound.high}"))
        if not tests:
            return "true"
        return tests[0] if len(tests) == 1 else self.code.pure(f"and i1 {tests[0]}, {tests[1]}")

    def _index(self, index: Index) -> str:
        terms, constant = self._terms(index)
        if not terms:
            return str(constant)
        result = terms[0]
        for text in (*terms[1:], str(constant)):
            if text != "0":
                result = self.code.pure(f"add nsw i64 {result}, {text}")
        return result

    def _terms(self, index: Index) -> tuple[list[str], int]:
        """An index as values to be added up, those that change most seldom first; a constant."""
        total = index.constant
        terms: list[str] = []
        for atom, coefficient in index.terms:
            text = self._atom(atom)
            if text.lstrip("-").isdigit():
                total += coefficient * int(text)
            elif coefficient == 1:
                terms.append(text)
            else:
                terms.append(self.code.pure(f"mul nsw i64 {text}, {coefficient}"))
        return sorted(terms, key=self.code.depth), total

    def _atom(self, atom: Atom) -> str:
        match atom:
            case Var():
                return self.env[atom]
            case Quotient(index, divisor):
                return self._divided(index, divisor, "div")
            case Remainder(index, divisor):
                return self._divided(index, divisor, "rem")
            case Fetch(source, index, _):
                at = self._pointer(source, index)
                whole = self.code.let(f"load i32, ptr {at}, align 4")
                return self.code.let(f"zext i32 {whole} to i64")

    def _divided(self, index: Index, divisor: int, kind: str) -> str:
        """Floor division or its remainder; a dividend that may be negative is moved up first."""
        low, _ = index.range()
        shift = 0 if low >= 0 else -(low // divisor)
        text = self._index(index + shift * divisor)
        if text.isdigit():
            value = int(text) // divisor if kind == "div" else int(text) % divisor
            return str(value - shift if kind == "div" else value)
        result = self.code.pure(f"u{kind} i64 {text}, {divisor}")
        if kind == "rem" or not shift:
            return result
        return self.code.pure(f"sub nsw i64 {result}, {shift}")
