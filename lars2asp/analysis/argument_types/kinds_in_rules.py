"""The kinds of variables and terms in a rule, by the places in which they stand."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from lars2asp.analysis.argument_types.function_types import FunctionTypes, call_arguments
from lars2asp.analysis.argument_types.kinds import (
    DURATION,
    EXTREME,
    NAME,
    NUMBER,
    TERM,
    TEXT,
    TICK,
    TIME,
    UNKNOWN,
    UNSURE,
    WRITTEN_AS,
    Evidence,
    Kinds,
    Known,
    all_of,
    never_meet,
)
from lars2asp.analysis.argument_types.time_arithmetic import result_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Sign, Signature, Term, Variable
from lars2asp.syntax.source import Location


class Told(NamedTuple):
    """What one occurrence of a variable says of it.

    Attributes:
        known: the kinds that it may be of.
        location: where the variable stands.
        takes: whether it is an operand, or another place that takes numbers alone.
    """

    known: Known
    location: Location
    takes: bool = False


Variables = Mapping[str, Sequence[Told]]
"""What is told of variables."""

PlacesOf = Callable[[Signature], Sequence[Known]]
"""Gives what is known of the places of a predicate."""

Constants = Mapping[str, Term]
"""The terms that constants stand for."""


class ScopeKinds:
    """The variables of a body, or of a condition within one.

    Args:
        body: the literals.
        places: gives what is known of places.
        constants: the terms that constants stand for.
        outer: the scope around a condition.
        terms: other terms that must have a value, such as those of the head.
        functions: the types of the user's functions.
    """

    def __init__(
        self,
        body: Iterable[nodes.Literal | nodes.ConditionalLiteral],
        places: PlacesOf,
        constants: Constants,
        outer: "ScopeKinds | None" = None,
        terms: Iterable[Term] = (),
        functions: FunctionTypes = MappingProxyType({}),
    ) -> None:
        self._places = places
        self._functions = functions
        self._constants = constants
        self.told: dict[str, list[Told]] = (
            {name: [*told] for name, told in outer.told.items()} if outer else {}
        )
        self._equations: list[tuple[Term, Term | nodes.Aggregate]] = []
        positive = Sign.POSITIVE
        for literal in body:
            if isinstance(literal, nodes.Literal) and literal.sign is positive:
                self._add(literal.atom)
        for term in terms:
            self._operands(term)
        self._settled: dict[str, Known] | None = None
        if self._equations:
            self._solve()
        self._settled = {}

    def of(self, term: Term) -> Known:
        """What is known of a term."""
        match term:
            case Variable(name):
                told = self.told.get(name)
                if told is None or name == "_":
                    return UNKNOWN
                if len(told) == 1:
                    return told[0].known
                found = None if self._settled is None else self._settled.get(name)
                if found is None:
                    found = all_of(one.known for one in told)
                    if self._settled is not None:
                        self._settled[name] = found
                return found
            case nodes.Number(stands_for=what):
                return _single(WRITTEN_AS.get(what, NUMBER), term)
            case nodes.Decimal():
                return _single(NUMBER, term)
            case nodes.BinaryOperation(operator, left, right):
                return _single(result_of(operator, self.of(left).kinds, self.of(right).kinds).kind, term)
            case nodes.Absolute(argument):
                return _single(DURATION if self.of(argument).kinds == DURATION else NUMBER, term)
            case nodes.String():
                return _single(TEXT, term)
            case nodes.Function(name, (), False):
                value = self._constants.get(name)
                return _single(NAME, term) if value is None or value == term else self.of(value)
            case nodes.Function(name, is_external=True):
                if term == NOW:
                    return _single(TICK, term)
                function = self._functions.get(name)
                return UNKNOWN if function is None else function.known(function.gives)
            case nodes.Function() | nodes.Tuple():
                return _single(TERM, term)
            case nodes.Extremum():
                return _single(EXTREME, term)
            case nodes.UnaryOperation("-", nodes.Number(stands_for=what)):
                return _single(WRITTEN_AS.get(what, NUMBER), term)
            case nodes.UnaryOperation("-", argument):
                known = self.of(argument)
                kinds = known.kinds & (NUMBER | DURATION | NAME | TERM | UNSURE)
                kinds |= NUMBER if known.kinds & (TICK | TIME) else 0
                return Known(kinds, known.evidence) if kinds else _single(NUMBER, term)
            case _:
                return _single(NUMBER, term)

    # --- what is told ---------------------------------------------------------------------------------

    def _add(self, atom: nodes.LiteralAtom) -> None:
        match atom:
            case nodes.Atom():
                self._add_atom(atom)
            case nodes.Comparison(term, guards):
                self._operands(term)
                sides = [term, *(guard.term for guard in guards)]
                for guard, (left, right) in zip(guards, pairwise(sides), strict=True):
                    self._operands(guard.term)
                    if guard.comparison == "=":
                        self._equations.append((left, right))
            case nodes.Aggregate(_, _, left, right) | nodes.SetAggregate(_, left, right):
                for side in (left, right):
                    if side is None:
                        continue
                    self._operands(side.term)
                    if side.comparison == "=" and isinstance(atom, nodes.Aggregate):
                        self._equations.append((side.term, atom))
                    elif side.comparison == "=":
                        self._give(side.term, _single(NUMBER, atom, "it counts literals"), side.term.location)
            case nodes.Boolean():
                pass
            case streaming:
                for one in nodes.atoms_of(streaming):
                    self._add_atom(one)
                if isinstance(streaming, nodes.AtTick):
                    tick = streaming.tick
                    self._operands(tick)
                    self._give(tick, _single(TICK, tick, "a tick"), tick.location, takes=True)
                elif isinstance(streaming, nodes.Count | nodes.AtLeast | nodes.AtMost):
                    number = streaming.number
                    self._operands(number)
                    self._give(
                        number, _single(NUMBER, number, "it counts ticks"), number.location, takes=True
                    )

    def _add_atom(self, atom: nodes.Atom) -> None:
        for term, known in zip(atom.arguments, self._places(atom.signature), strict=True):
            if isinstance(term, Variable):
                if term.name != "_":
                    self.told.setdefault(term.name, []).append(Told(known, term.location))
            else:
                self._operands(term)
                self._give(term, known, term.location)

    def _operands(self, term: Term) -> None:
        """What stands in arithmetic is a number."""
        if isinstance(term, Variable):
            return
        for operand, operation in operands(term):
            if isinstance(operand, Variable):
                evidence = {NUMBER: Evidence(operation.location, "arithmetic")}
                told = Told(Known(NUMBER, evidence), operand.location, takes=True)
                self.told.setdefault(operand.name, []).append(told)
        for argument, known in call_arguments(term, self._functions) if self._functions else ():
            self._give(argument, known, argument.location, takes=True)

    def _give(self, term: Term, known: Known, location: Location, *, takes: bool = False) -> None:
        """The variable that a term is, behind minus signs, is of the kinds of the term."""
        while isinstance(term, nodes.UnaryOperation) and term.operator == "-":
            term = term.argument
        if isinstance(term, Variable) and not term.is_anonymous:
            self.told.setdefault(term.name, []).append(Told(known, location, takes))

    def _solve(self) -> None:
        """The sides of equations are of the same kinds: what is known of a side is told of the other."""
        waiting = self._equations
        for _ in range(len(waiting) + 1):
            unsolved: list[tuple[Term, Term | nodes.Aggregate]] = []
            for left, right in waiting:
                if isinstance(right, nodes.Aggregate):
                    self._give(left, self.of_aggregate(right), left.location)
                elif isinstance(left, Variable) and self._is_unknown(left) and not self._is_unknown(right):
                    self._give(left, self.of(right), left.location)
                elif isinstance(right, Variable) and self._is_unknown(right) and not self._is_unknown(left):
                    self._give(right, self.of(left), right.location)
                elif self._is_unknown(left) or self._is_unknown(right):
                    unsolved.append((left, right))
                else:
                    known = self.of(right), self.of(left)
                    if not never_meet(*known):
                        self._give(left, known[0], left.location)
                        self._give(right, known[1], right.location)
            if not unsolved or len(unsolved) == len(waiting):
                return
            waiting = unsolved

    def _is_unknown(self, term: Term) -> bool:
        return isinstance(term, Variable) and term.name not in self.told

    def of_aggregate(self, aggregate: nodes.Aggregate | nodes.HeadAggregate) -> Known:
        """What is known of the value of an aggregate."""
        words = f"the value of {aggregate.function}"
        if aggregate.function == "#count":
            return _single(NUMBER, aggregate, words)
        if aggregate.function not in ("#min", "#max"):
            adds_durations = any(
                self.within(element.condition, element.terms).of(element.terms[0]).kinds == DURATION
                for element in aggregate.elements
                if element.terms
            )
            return _single(DURATION if adds_durations else NUMBER, aggregate, words)
        kinds, evidence = EXTREME, dict[Kinds, Evidence]()
        for element in aggregate.elements:
            if element.terms:
                inner = self.within(element.condition, element.terms)
                known = inner.of(element.terms[0])
                kinds |= known.kinds
                evidence = {**known.evidence, **evidence}
        return Known(kinds, evidence)

    def within(self, condition: Iterable[nodes.Literal], terms: Iterable[Term] = ()) -> "ScopeKinds":
        """The scope of a condition in the body, or in the head."""
        return ScopeKinds(condition, self._places, self._constants, self, terms, self._functions)


def _single(kind: Kinds, node: nodes.Node, words: str = "") -> Known:
    return Known(kind, {kind: Evidence(node.location, words)})


def operands(term: Term) -> Iterator[tuple[Term, Term]]:
    """The operands of arithmetic in a term, each with its operation; not those that are operations."""
    match term:
        case nodes.BinaryOperation(_, left, right):
            for side in (left, right):
                if isinstance(side, nodes.BinaryOperation | nodes.Absolute | nodes.UnaryOperation):
                    yield from operands(side)
                else:
                    yield side, term
        case nodes.UnaryOperation("-", argument):
            yield from operands(argument)
        case nodes.UnaryOperation(_, argument) | nodes.Absolute(argument):
            if isinstance(argument, nodes.BinaryOperation | nodes.Absolute | nodes.UnaryOperation):
                yield from operands(argument)
            else:
                yield argument, term
        case nodes.Function(_, arguments) | nodes.Tuple(arguments):
            for argument in arguments:
                yield from operands(argument)
        case _:
            pass
