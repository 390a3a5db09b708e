"""The fragment that the native evaluators serve, and rules as they have them.

Rules with one atom in the head, `a` or `a at T`, whose bodies have atoms, diamonds, boxes and `at` over
sliding windows and tuple windows, comparisons, and all of them but comparisons under `not`. Facts of the
program are background data. Everything else is refused by name.
"""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from experiments.native.terms import (
    Anything,
    Arithmetic,
    BodyArgument,
    Expression,
    Known,
    Name,
    NativeComparison,
    Now,
    Value,
)
from lars2asp.analysis.arithmetic.constants import constant_values
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.nodes import (
    NOW,
    Absolute,
    Atom,
    AtTick,
    BinaryOperation,
    Box,
    Comparison,
    Constant,
    Defined,
    Diamond,
    Function,
    Input,
    Literal,
    Node,
    Number,
    Program,
    Rule,
    SemanticsChoice,
    Sign,
    SlidingWindow,
    String,
    Term,
    Tick,
    TimeZone,
    TupleWindow,
    UnaryOperation,
    Variable,
    Window,
)

FOREVER = 1 << 60
"""The horizon of what holds always, and the size of the window that is the whole timeline."""

ARITHMETIC = frozenset("+-*/\\")
STATEMENTS_WITHOUT_RULES = (Constant, Defined, Tick, TimeZone, Input, SemanticsChoice)


class UnsupportedError(Lars2aspError):
    """A program lies outside of the fragment; the message names the construct and its place."""

    def __init__(self, node: Node, construct: str) -> None:
        super().__init__(f"{node.location}: native evaluators do not serve {construct}")


@dataclass(frozen=True, slots=True, order=True)
class Predicate:
    """Name and arity."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"


class Operator(StrEnum):
    """The temporal operator of a formula."""

    NOW = "now"
    DIAMOND = "in"
    AT = "at"
    BOX = "always"


@dataclass(frozen=True, slots=True)
class LastTickWindow:
    """The sliding window of the last ticks: now and `size` ticks before it."""

    size: int


@dataclass(frozen=True, slots=True)
class LastArrivalWindow:
    """The tuple window of the last arrivals, of the whole input or of a predicate."""

    size: int
    of: Predicate | None = None


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula with variables for all arguments (and the tick of `at`); rules that say the same share it.

    Its instances are tuples: the predicate's name, the arguments, and the tick where the operator is AT.
    """

    predicate: Predicate
    operator: Operator
    window: LastTickWindow | LastArrivalWindow = LastTickWindow(0)


@dataclass(frozen=True, slots=True)
class BodyFormula:
    """A formula in a body, with the terms in the places of its instances' arguments."""

    formula: Formula
    terms: tuple[BodyArgument, ...]
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class NativeRule:
    """A rule of the fragment. `tick` is where the head is placed; None where it holds now."""

    predicate: Predicate
    terms: tuple[Expression, ...]
    tick: Expression | None
    formulae: tuple[BodyFormula, ...]
    comparisons: tuple[NativeComparison, ...]
    source: Rule

    @property
    def positive(self) -> tuple[BodyFormula, ...]:
        """The formulae that are not negated."""
        return tuple(one for one in self.formulae if not one.is_negated)

    @property
    def negated(self) -> tuple[BodyFormula, ...]:
        """The formulae under `not`."""
        return tuple(one for one in self.formulae if one.is_negated)


@dataclass(frozen=True, slots=True)
class NativeProgram:
    """A program of the fragment: its rules, and its facts as tuples of name and arguments."""

    rules: tuple[NativeRule, ...]
    background: Mapping[Predicate, tuple[tuple[Value, ...], ...]]


def native_program(program: Program) -> NativeProgram:
    """A checked program as the native evaluators have it.

    Raises:
        UnsupportedError: if it lies outside of the fragment.
    """
    constants = constant_values(program)
    rules = []
    background: dict[Predicate, dict[tuple[Value, ...], None]] = {}
    for statement in program.statements:
        if isinstance(statement, STATEMENTS_WITHOUT_RULES):
            if isinstance(statement, Constant) and statement.name not in constants:
                raise UnsupportedError(statement, "#const with anything but an integer")
            continue
        if not isinstance(statement, Rule):
            raise UnsupportedError(statement, f"#{type(statement).__name__.lower()} statements")
        reader = _StatementReader(constants)
        if isinstance(statement.head, Atom) and not statement.body and not statement.is_temporary:
            for fact in reader.facts(statement.head):
                background.setdefault(_predicate(statement.head), {})[fact] = None
        else:
            rules.append(reader.rule(statement))
    return NativeProgram(tuple(rules), {key: tuple(facts) for key, facts in background.items()})


def _predicate(atom: Atom) -> Predicate:
    if not atom.is_positive:
        raise UnsupportedError(atom, "classical negation")
    return Predicate(atom.name, len(atom.arguments))


class _StatementReader:
    """Reads one statement; arithmetic in its atoms becomes comparisons with variables of its own."""

    def __init__(self, constants: Mapping[str, int]) -> None:
        self._constants = constants
        self._comparisons: list[NativeComparison] = []
        self._made = 0

    def facts(self, atom: Atom) -> Iterator[tuple[Value, ...]]:
        """The facts that an atom in the place of a fact stands for: more than one where it has intervals."""
        _predicate(atom)
        for values in itertools.product(*map(self._values, atom.arguments)):
            yield atom.name, *values

    def _values(self, term: Term) -> list[Value]:
        if isinstance(term, BinaryOperation) and term.operator == "..":
            first, last = self._expression(term.left), self._expression(term.right)
            ends = [end.value for end in (first, last) if isinstance(end, Known)]
            match ends:
                case [int(least), int(most)]:
                    return list(range(least, most + 1))
            raise UnsupportedError(term, "intervals of anything but integers")
        value = self._expression(term)
        if not isinstance(value, Known):
            raise UnsupportedError(term, "facts with arithmetic or @-functions")
        return [value.value]

    def rule(self, rule: Rule) -> NativeRule:
        """A rule."""
        if rule.is_temporary:
            raise UnsupportedError(rule, "#temp")
        head: Node | None = rule.head
        tick = None
        if isinstance(head, AtTick):
            tick = self._expression(head.tick)
            head = head.atom
        if head is None:
            raise UnsupportedError(rule, "constraints")
        if not isinstance(head, Atom):
            raise UnsupportedError(head, f"heads that are no atom ({type(head).__name__})")
        formulae = []
        for literal in rule.body:
            if not isinstance(literal, Literal):
                raise UnsupportedError(literal, "conditional literals")
            if isinstance(literal.atom, Comparison) and literal.sign is Sign.POSITIVE:
                self._compare(literal.atom)
            else:
                formulae.append(self._formula(literal))
        terms = tuple(self._expression(term) for term in head.arguments)
        return NativeRule(_predicate(head), terms, tick, tuple(formulae), tuple(self._comparisons), rule)

    def _compare(self, comparison: Comparison) -> None:
        left = self._expression(comparison.term)
        for guard in comparison.guards:
            right = self._expression(guard.term)
            self._comparisons.append(NativeComparison(left, guard.comparison, right))
            left = right

    def _formula(self, literal: Literal) -> BodyFormula:
        if literal.sign is Sign.NOT_NOT:
            raise UnsupportedError(literal, "double negation")
        is_negated = literal.sign is Sign.NOT
        streaming = literal.atom
        if isinstance(streaming, Comparison):
            raise UnsupportedError(literal, "negated comparisons")
        if isinstance(streaming, Atom):
            formula = Formula(_predicate(streaming), Operator.NOW)
            return BodyFormula(formula, self._arguments(streaming.arguments), is_negated)
        if not isinstance(streaming, Diamond | Box | AtTick):
            raise UnsupportedError(streaming, f"{type(streaming).__name__} in bodies")
        atom = streaming.atom
        window = LastTickWindow(FOREVER) if streaming.window is None else _window(streaming.window)
        arguments = atom.arguments
        operator = Operator.BOX if isinstance(streaming, Box) else Operator.DIAMOND
        if isinstance(streaming, AtTick):
            operator = Operator.AT
            arguments = (*arguments, streaming.tick)
        return BodyFormula(
            Formula(_predicate(atom), operator, window), self._arguments(arguments), is_negated
        )

    def _arguments(self, terms: tuple[Term, ...]) -> tuple[BodyArgument, ...]:
        found: list[BodyArgument] = []
        for term in terms:
            if isinstance(term, Variable) and term.is_anonymous:
                found.append(Anything())
                continue
            expression = self._expression(term)
            if isinstance(expression, Now | Arithmetic):
                self._made += 1
                name = Name(f"of_arithmetic_{self._made}")
                self._comparisons.append(NativeComparison(name, "=", expression))
                expression = name
            found.append(expression)
        return tuple(found)

    def _expression(self, term: Term) -> Expression:
        match term:
            case Number(value):
                return Known(value)
            case String():
                return Known(_quoted(term.value))
            case Function(name, (), False):
                return Known(self._constants.get(name, name))
            case Variable(name):
                if term.is_anonymous:
                    raise UnsupportedError(term, "`_` in comparisons")
                return Name(name)
            case _ if term == NOW:
                return Now()
            case UnaryOperation("-", argument):
                return _folded("-", self._expression(argument))
            case Absolute(argument):
                return _folded("|", self._expression(argument))
            case BinaryOperation(operator, left, right) if operator in ARITHMETIC:
                return Arithmetic(operator, (self._expression(left), self._expression(right)))
            case BinaryOperation(operator):
                raise UnsupportedError(term, f"the operator {operator}")
            case Function(name, _, True):
                raise UnsupportedError(term, f"the function @{name}")
            case _:
                raise UnsupportedError(term, f"terms of the kind {type(term).__name__}")


def _folded(operator: str, operand: Expression) -> Expression:
    """A sign on a number is a number."""
    if isinstance(operand, Known) and isinstance(operand.value, int):
        return Known(-operand.value if operator == "-" else abs(operand.value))
    return Arithmetic(operator, (operand,))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return f'"{escaped}"'


def _window(window: Window) -> LastTickWindow | LastArrivalWindow:
    match window:
        case SlidingWindow(duration) if isinstance(duration.size, Number):
            return LastTickWindow(duration.size.value)
        case TupleWindow(Number(size), signature, ()):
            if signature is None:
                return LastArrivalWindow(size)
            if not signature.is_positive:
                raise UnsupportedError(window, "classical negation")
            return LastArrivalWindow(size, Predicate(signature.name, signature.arity))
        case TupleWindow():
            raise UnsupportedError(window, "grouped tuple windows")
        case _:
            raise UnsupportedError(window, f"windows of the kind {type(window).__name__}")
