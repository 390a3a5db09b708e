"""The pass that checks safety: every variable of a rule must be bound by what the stream holds.

A variable is bound by a positive atom or streaming atom (also inside its functions and tuples, and in
linear arithmetic such as `2*X+1`), by an equation with a bound other side, by `at T`, or by an assignment
from an aggregate; the same variables that clingo accepts.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lars2asp.constants import constant_values, integer_value
from lars2asp.diagnostics import Diagnostics
from lars2asp.syntax import (
    Aggregate,
    AggregateElement,
    Atom,
    AtTick,
    BinaryOperation,
    Boolean,
    Box,
    Comparison,
    Diamond,
    Function,
    Literal,
    Node,
    Program,
    Rule,
    Sign,
    Term,
    Tuple,
    UnaryOperation,
    Variable,
)
from lars2asp.traversal import walk


def check_safety(program: Program, diagnostics: Diagnostics) -> Program:
    """Reports each unsafe variable of each rule once; the program is returned as it is."""
    constants = constant_values(program)
    for rule in program.rules():
        reported: set[str] = set()
        for variable in _Safety(constants).unsafe(rule):
            if _key(variable) in reported:
                continue
            reported.add(_key(variable))
            diagnostics.error(
                variable.location,
                f"unsafe variable {variable.name}",
                "`_` can stand only where an atom of the body binds it"
                if variable.is_anonymous
                else f"bind {variable.name} in a positive atom of the body, or by {variable.name} = ...",
            )
    return program


class _Arc(NamedTuple):
    """Once the needed variables are bound, the provided ones are."""

    provided: frozenset[str]
    needed: frozenset[str]


def _key(variable: Variable) -> str:
    return f"_{variable.location.begin}" if variable.is_anonymous else variable.name


def _variables(node: Node) -> Iterator[Variable]:
    return (part for part in walk(node) if isinstance(part, Variable))


def _keys(*nodes: Node) -> frozenset[str]:
    return frozenset(_key(variable) for node in nodes for variable in _variables(node))


class _Safety:
    def __init__(self, constants: Mapping[str, int]) -> None:
        self._constants = constants

    def unsafe(self, rule: Rule) -> Iterator[Variable]:
        """The unsafe variables of a rule, in the order of the text."""
        outside: list[Node] = [rule.head] if rule.head else []
        elements: list[AggregateElement] = []
        for literal in rule.body:
            if isinstance(literal.atom, Aggregate):
                outside += [guard for guard in (literal.atom.left, literal.atom.right) if guard]
                if literal.atom.left or literal.atom.right:  # without a guard it is true, whatever it holds
                    elements += literal.atom.elements
            else:
                outside.append(literal)
        everywhere = _keys(*outside)
        projected = self._projected(rule.body)
        body = rule.body
        if isinstance(rule.head, Comparison):  # the same as a constraint on its contrary
            body = (*body, Literal(rule.head, Sign.NOT))
        bound = _close((arc for literal in body for arc in self._literal(literal, everywhere)), projected)
        yield from (v for node in outside for v in _variables(node) if _key(v) not in bound)
        for element in elements:
            inner = _close((arc for c in element.condition for arc in self._literal(c, everywhere)), bound)
            yield from (
                v for v in _variables(element) if _key(v) not in inner and _key(v) not in everywhere - bound
            )

    def _projected(self, literals: Iterable[Literal]) -> frozenset[str]:
        """The `_` of negated atoms: some value or other, as in clingo (but not in conditions)."""
        terms: list[Term] = []
        for literal in literals:
            match literal.sign, literal.atom:
                case Sign.POSITIVE, _:
                    continue
                case _, Atom(_, arguments, True):  # clingo does not project under classical negation
                    terms += arguments
                case _, Diamond(atom) | Box(atom):
                    terms += atom.arguments
                case _, AtTick(atom, tick):
                    terms += (*atom.arguments, tick)
                case _:
                    continue
        return frozenset(key for term in terms for key in self._projected_in(term))

    def _projected_in(self, term: Term) -> Iterator[str]:
        match term:
            case Variable("_"):
                yield _key(term)
            case Function(_, arguments, False) | Tuple(arguments):
                for argument in arguments:
                    yield from self._projected_in(argument)
            case _:
                return

    def _literal(self, literal: Literal, everywhere: frozenset[str]) -> Iterator[_Arc]:
        """What a literal binds, and what must be bound before; `everywhere` are the global variables."""
        atom = literal.atom
        if isinstance(atom, Comparison):
            yield from self._comparison(atom, literal.sign)
        elif literal.sign is not Sign.POSITIVE or isinstance(atom, Boolean):
            return
        elif isinstance(atom, Aggregate):
            inside = _keys(*atom.elements) & everywhere
            for guard in (atom.left, atom.right):
                if guard and guard.comparison == "=":
                    provided, needed = self._binding(guard.term)
                    yield _Arc(provided, needed | inside)
        elif isinstance(atom, AtTick):
            yield self._arguments(atom.atom.arguments)
            if isinstance(atom.tick, Variable):
                yield _Arc(_keys(atom.tick), frozenset())
        else:
            plain = atom if isinstance(atom, Atom) else atom.atom
            yield self._arguments(plain.arguments)

    def _comparison(self, comparison: Comparison, sign: Sign) -> Iterator[_Arc]:
        equates = "!=" if sign is Sign.NOT else "="
        if sign is Sign.NOT and len(comparison.guards) > 1:
            return
        left = comparison.term
        for guard in comparison.guards[:-1]:
            # as clingo does it: a term between two others is a variable of its own, equal to that term
            middle = Variable(f"#{id(guard)}")
            yield from self._equation(middle, guard.term)
            if guard.comparison == equates:
                yield from self._equation(left, middle)
            left = middle
        last = comparison.guards[-1]
        if last.comparison == equates:
            yield from self._equation(left, last.term)

    def _equation(self, left: Term, right: Term) -> Iterator[_Arc]:
        for one, other in ((left, right), (right, left)):
            provided, needed = self._binding(one)
            yield _Arc(provided, needed | _keys(other))

    def _arguments(self, terms: Iterable[Term]) -> _Arc:
        arcs = [self._binding(term) for term in terms]
        provided = frozenset(key for arc in arcs for key in arc.provided)
        return _Arc(provided, frozenset(key for arc in arcs for key in arc.needed) - provided)

    def _binding(self, term: Term) -> _Arc:
        """The variables that a match of the term binds, and those that it needs bound."""
        match term:
            case Variable():
                return _Arc(frozenset({_key(term)}), frozenset())
            case Function(_, arguments, False) | Tuple(arguments):
                return self._arguments(arguments)
            case _:
                variable = self._linear(term)
                if variable is not None:
                    return _Arc(frozenset({_key(variable)}), frozenset())
                return _Arc(frozenset(), _keys(term))

    def _linear(self, term: Term) -> Variable | None:
        """The variable of a term a*X+b with a != 0."""
        match term:
            case Variable():
                return term
            case UnaryOperation("-", argument):
                return self._linear(argument)
            case BinaryOperation("+" | "-" | "*" as operator, left, right):
                for one, other in ((left, right), (right, left)):
                    value = integer_value(one, self._constants)
                    if value is not None and (operator != "*" or value != 0):
                        return self._linear(other)
                return None
            case _:
                return None


def _close(arcs: Iterable[_Arc], bound: frozenset[str]) -> frozenset[str]:
    """All variables that are bound in the end."""
    waiting = list(arcs)
    while True:
        ready = [arc for arc in waiting if arc.needed <= bound]
        if not ready:
            return bound
        waiting = [arc for arc in waiting if not arc.needed <= bound]
        bound = bound.union(*(arc.provided for arc in ready))
