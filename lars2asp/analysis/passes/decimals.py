"""The pass that writes numbers with a point as the integers that stand for them where they are.

    #decimals reading(_,1).                       #decimals reading(_,1).
    hot(R) :- reading(R,T), T > 25.5.    becomes  hot(R) :- reading(R,T), T > 255.

The program that it gives also declares the decimals of the predicates that rules derive.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from lars2asp.analysis.argument_types.declared_types import declared_types
from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.arithmetic.decimal_numbers import counted
from lars2asp.analysis.decimals import (
    PlaceDecimals,
    Variables,
    aggregate_decimals,
    body_variables,
    term_decimals,
)
from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.analysis.passes.decimal_terms import Cure, DecimalTerms, number_with_decimals
from lars2asp.analysis.passes.unknown_predicates import unknown_predicates
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Atom, Body, Node, Program, Signature, Statement, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import body_of, every, rewrite

Unknown = Callable[[], frozenset[Signature]]
"""The predicates that nothing makes true, looked for when a hint would name one."""


def write_decimals(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> Program | None:
    """The program without numbers with a point; None for one that has none, and declares none."""
    program = analysis.program
    has_some = any(one.type.digits for places in declared_types(program).values() for one in places if one)
    if not has_some and nodes.Decimal not in analysis.kinds:
        return None
    program = _without_constants(program, analysis.constant_terms)
    places = PlaceDecimals(program)
    constants = analysis.constants
    facts = _Facts(places, constants, diagnostics)
    unknown = cache(lambda: unknown_predicates(analysis))
    statements: list[Statement] = [*places.declarations()]
    for statement in program.statements:
        if isinstance(statement, nodes.Decimals):
            continue
        if nodes.is_plain_fact(statement):
            statements.append(facts.fact(statement))
            continue
        scope = _Scope(places, constants, diagnostics, unknown, body_of(statement))
        statements.append(scope.statement(statement))
    return Program(tuple(statements), program.sources)


def _without_constants(program: Program, constant_terms: Mapping[str, Term]) -> Program:
    """The program with the values of constants that have a point where these are used."""
    values = {name: term for name, term in constant_terms.items() if any(every(nodes.Decimal, term))}
    if not values:
        return program

    def replaced(node: Node) -> Node:
        if not isinstance(node, nodes.Function) or node.arguments or node.is_external:
            return node
        value = values.get(node.name)
        return node if value is None else rewrite(value, lambda part: _moved(part, node.location))

    def changed(statement: Statement) -> Iterable[Statement]:
        if isinstance(statement, nodes.Constant):
            return () if statement.name in values else (statement,)
        return (rewrite(statement, replaced),)

    found: list[Statement] = []
    for statement in program.statements:
        if nodes.is_plain_fact(statement) and not any(
            one.name in values for one in every(nodes.Function, statement)
        ):
            found.append(statement)
        else:
            found += changed(statement)
    return Program(tuple(found), program.sources)


def _moved(node: Node, location: Location) -> Node:
    return dataclasses.replace(node, location=location)


def _declaring(places: Sequence[int | None], atom: Atom, place: int, unknown: Unknown) -> Cure:
    """The hint to declare a predicate, in which a place has so many decimals; not of one that is unknown."""

    def declared(verb: str, decimals: int) -> str:
        if atom.signature in unknown():
            return f"first make sure that {atom.signature} exists: no rule or input defines it"
        all_places = [*places]
        all_places[place] = decimals
        return f"{verb}: {to_text(nodes.Decimals(atom.name, tuple(one or None for one in all_places)))}"

    return declared


def _origins(body: Body, places: PlaceDecimals, unknown: Unknown) -> dict[str, Cure]:
    """How the decimals of variables of a body would be declared; where no rule derives them, if they can."""
    found: dict[str, tuple[bool, Cure]] = {}
    for atom in every(Atom, *body):
        decimals = places.of(atom)
        for place, term in enumerate(atom.arguments if not isinstance(atom, nodes.FormulaAtom) else ()):
            if isinstance(term, Variable):
                is_given = decimals[place] is None or places.is_declared(atom, place)
                if term.name not in found or (is_given and not found[term.name][0]):
                    found[term.name] = is_given, _declaring(decimals, atom, place, unknown)
    return {name: cure for name, (_, cure) in found.items()}


class _Facts:
    """Background data, the integers of which have the decimals of their places.

    What is said of them is said once for each place, as there may be many.
    """

    def __init__(self, places: PlaceDecimals, constants: Mapping[str, int], diagnostics: Diagnostics) -> None:
        self._places = places
        self._constants = constants
        self._diagnostics = diagnostics
        self._told: set[tuple[Signature, int]] = set()

    def fact(self, fact: Statement) -> Statement:
        """A plain fact with its decimals."""
        if not isinstance(fact, nodes.Rule) or not isinstance(fact.head, Atom):
            return fact
        atom = fact.head
        places = self._places.of(atom)
        if not any(places):
            return fact
        arguments = [
            self._argument(atom.signature, place, term, decimals or 0)
            for place, (term, decimals) in enumerate(zip(atom.arguments, places, strict=True))
        ]
        return dataclasses.replace(fact, head=dataclasses.replace(atom, arguments=tuple(arguments)))

    def _argument(self, signature: Signature, place: int, term: Term, decimals: int) -> Term:
        value = integer_value(term, self._constants) if decimals else None
        if value is None:
            return term
        is_told = (signature, place) in self._told
        if value:
            self._told.add((signature, place))
        return number_with_decimals(term, value, decimals, Diagnostics() if is_told else self._diagnostics)


class _Scope:
    """Rewrites what stands in a statement, or in a condition within one.

    Args:
        places: the decimals of places.
        constants: the integers that constants stand for.
        diagnostics: takes what is wrong.
        unknown: the predicates that nothing makes true.
        body: the body, or the condition.
        outer: the scope around a condition.
    """

    def __init__(
        self,
        places: PlaceDecimals,
        constants: Mapping[str, int],
        diagnostics: Diagnostics,
        unknown: Unknown,
        body: Body,
        outer: "_Scope | None" = None,
    ) -> None:
        self._places = places
        self._constants = constants
        self._diagnostics = diagnostics
        self._unknown = unknown
        self._variables: Variables = body_variables(body, places, outer._variables if outer else None)
        found = _origins(body, places, unknown)
        self._origins: dict[str, Cure] = {**(outer._origins if outer else {}), **found}
        self._terms = DecimalTerms(self._variables, self._origins, constants, diagnostics)

    def _within(self, condition: Body) -> "_Scope":
        if not condition:
            return self
        return _Scope(self._places, self._constants, self._diagnostics, self._unknown, condition, self)

    # --- statements -----------------------------------------------------------------------------------

    def statement(self, statement: Statement) -> Statement:
        """The statement with integers."""
        changes: dict[str, Any] = {}
        if body_of(statement):
            changes["body"] = self._body(body_of(statement))
        match statement:
            case nodes.Rule(head) if head is not None:
                changes["head"] = self._head(head)
            case nodes.WeakConstraint(_, weight, priority, terms):
                changes["weight"] = self._terms.term(weight, None)
                changes["priority"] = self._terms.none(priority, "priorities")
                changes["terms"] = self._terms.plain(terms)
            case nodes.ShowTerm(term):
                changes["term"] = self._terms.term(term, None)
            case nodes.External(atom) | nodes.ProjectAtom(atom):
                changes["atom"] = self._atom(atom)
            case nodes.Heuristic(atom, _, weight, priority, modifier):
                changes["atom"] = self._atom(atom)
                changes["weight"] = self._terms.none(weight, "weights of heuristics")
                changes["priority"] = self._terms.none(priority, "priorities")
                changes["modifier"] = self._terms.term(modifier, None)
            case nodes.Edge(source, target):
                changes["source"], changes["target"] = self._terms.plain((source, target))
            case nodes.Tick(duration):
                changes["duration"] = self._duration(duration)
            case nodes.Constant(_, value):
                changes["value"] = self._terms.term(value, None)
        return dataclasses.replace(statement, **changes) if changes else statement

    def _head(self, head: nodes.Head) -> Any:
        match head:
            case nodes.Disjunction(elements) | nodes.SetAggregate(elements):
                changes: dict[str, Any] = {"elements": tuple(map(self._conditional, elements))}
                if isinstance(head, nodes.SetAggregate):
                    changes |= self._guards(head, 0)
                return dataclasses.replace(head, **changes)
            case nodes.HeadAggregate():
                return self._aggregate(head)
            case _:
                return self._literal_atom(head)

    def _body(self, body: Body) -> Any:
        return tuple(
            self._conditional(part) if isinstance(part, nodes.ConditionalLiteral) else self._literal(part)
            for part in body
        )

    def _conditional(self, part: nodes.ConditionalLiteral) -> nodes.ConditionalLiteral:
        inner = self._within(part.condition)
        literal = nodes.pooled([*map(inner._literal, part.alternatives)])
        return dataclasses.replace(part, literal=literal, condition=inner._body(part.condition))

    def _literal(self, literal: nodes.Literal) -> nodes.Literal:
        return dataclasses.replace(literal, atom=self._literal_atom(literal.atom))

    def _literal_atom(self, atom: Any) -> Any:
        changes: dict[str, Any] = {}
        match atom:
            case Atom():
                return self._atom(atom)
            case nodes.Comparison():
                return self._comparison(atom)
            case nodes.Aggregate():
                return self._aggregate(atom)
            case nodes.SetAggregate(elements):
                changes = {"elements": tuple(map(self._conditional, elements)), **self._guards(atom, 0)}
            case nodes.Boolean():
                return atom
            case _:
                changes = {"atom": self._atom(atom.atom)}
                if atom.window is not None:
                    changes["window"] = self._window(atom.window)
                if isinstance(atom, nodes.AtTick):
                    changes["tick"] = self._terms.none(atom.tick, "ticks")
                elif isinstance(atom, nodes.AtLeast | nodes.AtMost | nodes.Count):
                    changes["number"] = self._terms.none(atom.number, "numbers of ticks")
        return dataclasses.replace(atom, **changes)

    def _atom(self, atom: Atom) -> Atom:
        places = self._places.of(atom)
        arguments = []
        for place, (term, decimals) in enumerate(zip(atom.arguments, places, strict=True)):
            formula = self._places.formulas.get(atom.signature)
            cure = _declaring(places, atom, place, self._unknown) if formula is None else None
            own = term_decimals(term, self._variables)
            if decimals is None and own:
                self._diagnostics.warning(
                    term.location,
                    f"{to_text(term)} has {counted(own)} here, but no decimals are declared for "
                    + (f"{atom.signature}" if formula is None else formula.text),
                    "write the formula as a rule, and declare its #decimals"
                    if cure is None
                    else cure("declare it", own),
                    code=codes.RAW_VALUE,
                )
            arguments.append(self._terms.term(term, decimals, cure))
        return dataclasses.replace(atom, arguments=tuple(arguments))

    def _window(self, window: nodes.Window) -> nodes.Window:
        match window:
            case nodes.OffsetWindow(offsets):
                numbers = tuple(self._offset(offset) for offset in offsets)
                return dataclasses.replace(window, offsets=numbers)
            case nodes.TupleWindow(size):
                return dataclasses.replace(window, size=self._terms.none(size, "numbers of arrivals"))
            case nodes.SinceWindow(atom):
                return dataclasses.replace(window, atom=self._atom(atom))
            case _:
                return rewrite(window, self._duration)

    def _offset(self, offset: Term | nodes.OffsetRange) -> Term | nodes.OffsetRange:
        if isinstance(offset, nodes.OffsetRange):
            ends = (self._terms.none(end, "offsets") for end in (offset.nearest, offset.furthest))
            return nodes.OffsetRange(*ends, location=offset.location)
        return self._terms.none(offset, "offsets")

    def _duration(self, duration: nodes.Node) -> nodes.Node:
        if not isinstance(duration, nodes.Duration):
            return duration
        hint = (
            _in_a_smaller_unit(duration)
            if duration.unit
            else "write an integer: without a unit it is a number of ticks"
        )
        return dataclasses.replace(duration, size=self._terms.none(duration.size, "durations", hint))

    # --- comparisons and aggregates -------------------------------------------------------------------

    def _comparison(self, comparison: nodes.Comparison) -> nodes.Comparison:
        sides = [comparison.term, *(guard.term for guard in comparison.guards)]
        found = (term_decimals(side, self._variables) for side in sides)
        decimals = next((one for one in found if one is not None), None)
        cure = self._terms.cure(sides)
        first, *others = (self._terms.term(side, decimals, cure) for side in sides)
        guards = (
            dataclasses.replace(guard, term=term)
            for guard, term in zip(comparison.guards, others, strict=True)
        )
        return dataclasses.replace(comparison, term=first, guards=tuple(guards))

    def _aggregate(self, aggregate: Any) -> Any:
        decimals = aggregate_decimals(aggregate, self._places, self._variables)
        guards = [guard.term for guard in (aggregate.left, aggregate.right) if guard is not None]
        if decimals is None:
            found = (term_decimals(term, self._variables) for term in guards)
            decimals = next((one for one in found if one is not None), None)
        elements, cure = [], self._terms.cure(guards)
        for element in aggregate.elements:
            inner = self._within(element.condition)
            changes: dict[str, Any] = {"condition": inner._body(element.condition)}
            if isinstance(element, nodes.HeadAggregateElement):
                changes["literal"] = inner._literal(element.literal)
            if element.terms and aggregate.function != "#count":
                first, *others = element.terms
                cure = inner._terms.cure([first]) or cure
                changes["terms"] = (inner._terms.term(first, decimals, cure), *inner._terms.plain(others))
            else:
                changes["terms"] = inner._terms.plain(element.terms)
            elements.append(dataclasses.replace(element, **changes))
        guards_changed = self._guards(aggregate, decimals, cure)
        return dataclasses.replace(aggregate, elements=tuple(elements), **guards_changed)

    def _guards(self, aggregate: Any, decimals: int | None, cure: Cure | None = None) -> dict[str, Any]:
        return {
            name: dataclasses.replace(guard, term=self._terms.term(guard.term, decimals, cure))
            for name, guard in (("left", aggregate.left), ("right", aggregate.right))
            if guard is not None
        }


def _in_a_smaller_unit(duration: nodes.Duration) -> str:
    """What is said of a duration with decimals."""
    hint = "use a smaller unit"
    if not isinstance(duration.size, nodes.Decimal):
        return hint
    length = Fraction(duration.size.text) * MICROSECONDS.get(duration.unit, 0)
    fitting = [(unit, name) for name, unit in MICROSECONDS.items() if length and length % unit == 0]
    return f"{hint}: {length / max(fitting)[0]} {max(fitting)[1]}" if fitting else hint
