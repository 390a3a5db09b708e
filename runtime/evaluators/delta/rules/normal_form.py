"""Rules over rows in the form of which code is made (lars2asp.runtime.evaluators.delta.rules.bodies)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from lars2asp.analysis.arithmetic.intervals import intervals
from lars2asp.analysis.arithmetic.linear_forms import linear_form
from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.planning.lookups import LookupKind
from lars2asp.planning.rows.row_rules import AggregatePart, BodyPart, ConditionPart, ElementPart, LookupPart
from lars2asp.planning.rows.row_terms import terms_of, variables_of_parts, variables_of_terms
from lars2asp.runtime.evaluators.delta.rules.aggregates import (
    Bounded,
    RowAggregate,
    Valued,
    context,
    tests_of,
    variables_of_elements,
)
from lars2asp.runtime.evaluators.delta.rules.bodies import (
    Choice,
    Conjunct,
    Equation,
    GroupValue,
    Member,
    NormalRule,
    RowBody,
    Shape,
    Test,
    variables_of,
)
from lars2asp.runtime.evaluators.delta.rules.term_forms import (
    is_call,
    is_interval,
    is_structure,
    substituted,
    variables_in,
)
from lars2asp.syntax.nodes import Function, Number, Sign, Term, Tuple, UnaryOperation, Variable
from lars2asp.syntax.source import NOWHERE, Location

NEVER = Test(((Number(0), "!=", Number(0)),))
"""Is never true."""


def normal_form(terms: Sequence[Term], parts: Sequence[BodyPart], location: Location) -> NormalRule:
    """The normal form of a rule with this head and body."""
    return _Normalizer(*_unified(terms, parts), location).made()


def _unified(
    terms: Sequence[Term], parts: Sequence[BodyPart]
) -> tuple[tuple[Term, ...], tuple[BodyPart, ...]]:
    """A rule without equations of a variable with a variable, or with a ground term: these are replaced."""
    head, body = tuple(terms), tuple(parts)
    while True:
        for part in body:
            replacement = _replacement(part)
            if replacement is not None:
                break
        else:
            return head, body
        head = tuple(substituted(term, replacement) for term in head)
        body = tuple(substituted_part(other, replacement) for other in body if other is not part)


def _replacement(part: BodyPart) -> dict[str, Term] | None:
    """The term that stands for a variable by a part that says no more."""
    match part:
        case ConditionPart(Variable(name), "=", other) | ConditionPart(other, "=", Variable(name)):
            if isinstance(other, Variable) or ground_value(other) is not None:
                return {name: other}
    return None


def substituted_part(part: BodyPart, terms: dict[str, Term]) -> BodyPart:
    """A part of a rule with terms in place of some variables."""
    match part:
        case LookupPart():
            return replace(part, terms=tuple(substituted(term, terms) for term in part.terms))
        case ConditionPart():
            return replace(part, left=substituted(part.left, terms), right=substituted(part.right, terms))
        case AggregatePart():
            elements = tuple(
                ElementPart(
                    tuple(substituted(term, terms) for term in element.terms),
                    tuple(substituted_part(inner, terms) for inner in element.body),
                )
                for element in part.elements
            )
            guards = tuple((comparison, substituted(term, terms)) for comparison, term in part.guards)
            return replace(part, elements=elements, guards=guards)


class _Normalizer:
    """Makes the normal form of a rule."""

    def __init__(self, terms: Sequence[Term], parts: Sequence[BodyPart], location: Location) -> None:
        self._terms = terms
        self._source = parts
        self._outer = variables_of_terms(terms) | variables_of_parts(parts)
        """The variables that stand outside of elements."""
        self._location = location
        self._parts: list[Conjunct] = []
        self._patterns: list[tuple[LookupPart, tuple[Term, ...]]] = []
        self._occurrences: Counter[RowAggregate] = Counter()
        self._fresh = 0

    def made(self) -> NormalRule:
        for part in self._source:
            match part:
                case LookupPart(_, terms):
                    self._patterns.append((part, tuple(map(self._pattern, terms))))
                case ConditionPart(left, "=", right):
                    self._equate(left, right)
                case ConditionPart(left, comparison, right):
                    self._parts.append(Test(((left, comparison, right),)))
                case AggregatePart():
                    self._aggregate(part)
        found = dict.fromkeys([*self._members(), *self._parts])
        parts = sorted(found, key=lambda part: isinstance(part, Member) and part.is_negative)
        return NormalRule(tuple(self._terms), RowBody(tuple(parts), self._location))

    # --- terms ----------------------------------------------------------------------------------------

    def _variable(self) -> str:
        self._fresh += 1
        return f"w{self._fresh}"

    def _pattern(self, term: Term) -> Term:
        """A term of variables, ground terms, and functions and tuples of such; the rest becomes equations."""
        if isinstance(term, Variable) or ground_value(term) is not None:
            return term
        if is_structure(term):
            return replace(term, arguments=tuple(map(self._pattern, term.arguments)))
        name = self._variable()
        self._parts.append(Equation(name, self._invertible(term)))
        return Variable(name)

    def _invertible(self, term: Term) -> Term:
        """A term for an equation, in which only what can be taken apart stands under functions and signs."""
        if is_structure(term):
            return self._pattern(term)
        if isinstance(term, UnaryOperation) and term.operator == "-" and linear_form(term) is None:
            return replace(term, argument=self._pattern(term.argument))
        return term

    def _equate(self, left: Term, right: Term) -> None:
        """The two terms have the same value."""
        if isinstance(right, Variable) or is_interval(left) or is_call(left):
            left, right = right, left
        if isinstance(left, Variable):
            if is_interval(right) or is_call(right):
                self._parts.append(Choice(left.name, right))
            else:
                self._parts.append(Equation(left.name, self._invertible(right)))
        elif is_structure(left) and is_structure(right):
            if _kind(left) != _kind(right):  # their variables may stand nowhere else, and need values
                names = dict.fromkeys((*variables_in(left), *variables_in(right)))
                self._parts += [NEVER, *(Equation(name, Number(0)) for name in names if name != "_")]
            else:
                for one, other in zip(left.arguments, right.arguments, strict=True):
                    self._equate(one, other)
        else:
            name = Variable(self._variable())
            self._equate(name, left)
            self._equate(name, right)

    # --- aggregates -----------------------------------------------------------------------------------

    def _aggregate(self, part: AggregatePart) -> None:
        group = tuple(name for name in variables_of_elements(part) if name in self._outer)
        elements = tuple(
            self._element(part, element, group)
            for element in part.elements
            if element.terms or part.function == "#count"  # clingo ignores others
        )
        canonical = tuple(element.canonical() for element in elements)
        aggregate = RowAggregate(part.function, canonical, len(group), elements=elements)
        bounds = [(comparison, ground_value(term)) for comparison, term in part.guards]
        guards = tuple((comparison, bound) for comparison, bound in bounds if bound is not None)
        is_negated = part.sign is Sign.NOT
        if len(guards) == len(bounds):
            bounded = Bounded(aggregate, guards)
            self._parts.append(Member(bounded, group, bounded.is_met_by_empty is not is_negated))
            return
        variable = self._variable()
        self._occurrences[aggregate] += 1
        occurrence = self._occurrences[aggregate] - 1
        aggregate = replace(aggregate, occurrence=occurrence)
        self._parts.append(GroupValue(Valued(aggregate), group, variable))
        tests: list[tuple[Term, str, Term]] = []
        for comparison, term in part.guards:
            if comparison == "=" and part.sign is Sign.POSITIVE:
                self._equate(Variable(variable), term)
            else:
                tests.append((Variable(variable), comparison, term))
        if tests:
            self._parts.append(Test(tuple(tests), is_negated))

    def _element(self, part: AggregatePart, element: ElementPart, group: tuple[str, ...]) -> NormalRule:
        """An element with what it needs from the rest of the rule."""
        others = [_apart(one, self._outer) for one in self._source if one is not part]
        more = context(group, element.body, others)
        if any(
            one.location is not NOWHERE
            for one in intervals(*chain.from_iterable(map(terms_of, (*element.body, *more))))
        ):
            more = (*more, *tests_of(group, more, others))
        terms = (*map(Variable, group), *element.terms)
        return normal_form(terms, (*element.body, *more), self._location)

    # --- members --------------------------------------------------------------------------------------

    def _members(self) -> Iterable[Member]:
        """The members that stand for lookups; what is used nowhere else is projected away."""
        used = Counter(name for part in self._parts for name in variables_of(part))
        used.update(name for term in self._terms for name in variables_in(term))
        inside = [
            Counter(name for term in pattern for name in variables_in(term)) for _, pattern in self._patterns
        ]
        for one in inside:
            used.update(one)
        for (part, pattern), own in zip(self._patterns, inside, strict=True):
            names = [name for name in own if name != "_"]
            is_own = part.lookup.kind is LookupKind.OWN  # its rows have stamps, which projection would lose
            kept = tuple(name for name in names if is_own or used[name] > own[name])
            columns: dict[str, Term] = {name: Variable(f"v{place}") for place, name in enumerate(kept)}
            others = [name for name in names if name not in kept]
            columns |= {
                name: Variable("_" if own[name] == 1 else f"u{place}") for place, name in enumerate(others)
            }
            shape = Shape(
                part.lookup,
                tuple(substituted(term, columns) for term in pattern),
                tuple(f"v{place}" for place in range(len(kept))),
            )
            yield Member(shape, kept, part.sign is Sign.NOT)


def _kind(term: Function | Tuple) -> tuple[str, int]:
    return term.name if isinstance(term, Function) else "", len(term.arguments)


def _apart(part: BodyPart, everywhere: set[str]) -> BodyPart:
    """A part with other names for variables that only stand in its elements."""
    if not isinstance(part, AggregatePart):
        return part
    names = [name for name in variables_of_elements(part) if name not in everywhere]
    return substituted_part(part, {name: Variable(f"l{name}") for name in names})
