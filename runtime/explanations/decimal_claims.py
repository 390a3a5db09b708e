"""Explanations of programs with decimals: their texts with the numbers for which integers stand."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from lars2asp.analysis.decimal_numbers import NotScaledError, decimal_text, scaled
from lars2asp.analysis.decimals import (
    PlaceDecimals,
    Variables,
    aggregate_decimals,
    body_variables,
    term_decimals,
)
from lars2asp.analysis.predicates import head_atoms
from lars2asp.externals.terms.terms import Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.explanations.labels import Labels
from lars2asp.runtime.explanations.place import Place
from lars2asp.runtime.explanations.terms import with_values
from lars2asp.runtime.explanations.tree import (
    Absent,
    Claim,
    Derived,
    Element,
    FailedRule,
    Instance,
    LiteralNode,
    NoAnswer,
    OtherHead,
    Weighed,
)
from lars2asp.syntax import nodes
from lars2asp.syntax.node import FIELDS
from lars2asp.syntax.nodes import Node, Program
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source, shown
from lars2asp.syntax.traversal import body_of, every

Costs = tuple[tuple[int, int | str], ...]
"""Costs by priority."""


class DecimalClaims:
    """Writes the claims about a program with decimals."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._places = PlaceDecimals(program)
        self._labels = Labels(program)
        self._variables: dict[int, Variables] = {}

    def claim(self, claim: Claim) -> Claim:
        """A claim and those below it."""
        changes: dict[str, Any] = {"atom": self.atom(claim.atom), "reason": self._reason(claim.reason)}
        if claim.label:
            changes["label"] = self._atom_label(claim)
        return dataclasses.replace(claim, **changes)

    def _atom_label(self, claim: Claim) -> str:
        atom = _atom_of(claim.atom)
        if atom is None:
            return claim.label
        name = atom.name if atom.is_positive else f"-{atom.name}"
        told, written = ([*map(to_text, one.arguments)] for one in (atom, self._atom(atom)))
        return self._labels.label_of_atom(name, told, written)

    def _place(self, place: Place, bindings: Mapping[str, str]) -> Place:
        """A place for values of variables."""
        if not place.label:
            return place
        return dataclasses.replace(place, label=self._labels.label_of_rule(place.location, bindings))

    def atom(self, text: str) -> str:
        """An atom, which may have variables."""
        atom = _atom_of(text)
        return text if atom is None else to_text(self._atom(atom))

    def _atom(self, atom: nodes.Atom) -> nodes.Atom:
        arguments = map(_pointed, atom.arguments, self._places.of(atom))
        return dataclasses.replace(atom, arguments=tuple(arguments))

    def _reason(self, reason: Any) -> Any:
        match reason:
            case Derived(place, bindings, body):
                variables = self._variables_of(place)
                values = _values(bindings, variables)
                return dataclasses.replace(
                    reason,
                    place=self._place(place, values),
                    bindings=values,
                    body=tuple(self._literal(literal, place, variables) for literal in body),
                    condition=tuple(self._literal(one, place, variables) for one in reason.condition),
                    weighed=self._weighed(reason.weighed),
                )
            case Absent(last, rules):
                found: dict[str, Any] = {"rules": tuple(map(self._failed, rules))}
                if last is not None:
                    found["last"] = dataclasses.replace(last, atom=self.atom(last.atom))
                if reason.nearest is not None:
                    nearest = dataclasses.replace(reason.nearest, atom=self.atom(reason.nearest.atom))
                    found["nearest"] = nearest
                return dataclasses.replace(reason, **found)
            case NoAnswer(clashing, contraries):
                said = ((place, _values(each, self._variables_of(place))) for place, each in clashing)
                placed = ((self._place(place, values), values) for place, values in said)
                return NoAnswer(tuple(placed), tuple(map(self.atom, contraries)))
            case _:
                return reason

    def _failed(self, rule: FailedRule) -> FailedRule:
        variables = self._variables_of(rule.place)
        values = _values(rule.bindings, variables)
        return dataclasses.replace(
            rule,
            place=self._place(rule.place, values),
            bindings=values,
            failed=None if rule.failed is None else self._literal(rule.failed, rule.place, variables),
            met=tuple(self._literal(literal, rule.place, variables) for literal in rule.met),
            weighed=self._weighed(rule.weighed),
            others=tuple(self._other(one, rule.place, variables) for one in rule.others),
        )

    def _other(self, other: OtherHead, place: Place, variables: Variables) -> OtherHead:
        return dataclasses.replace(
            other,
            atom=self.atom(other.atom),
            bindings=_values(other.bindings, variables),
            body=tuple(self._literal(literal, place, variables) for literal in other.body),
        )

    def _weighed(self, weighed: Weighed | None) -> Weighed | None:
        """Costs, with points where all weights of a priority have the same decimals."""
        if weighed is None:
            return None
        other = None if weighed.other is None else self._costs(weighed.other)
        return dataclasses.replace(weighed, cost=self._costs(weighed.cost), other=other)

    def _costs(self, costs: Costs) -> Costs:
        return tuple((level, self._cost(level, cost)) for level, cost in costs)

    def _cost(self, level: int, cost: int | str) -> int | str:
        found = {
            decimals
            for priority, decimals in self._weights
            if not isinstance(priority, nodes.Number) or priority.value == level
        }
        decimals = next(iter(found)) if len(found) == 1 else None
        return decimal_text(int(cost), decimals) if decimals else cost

    @cached_property
    def _weights(self) -> list[tuple[nodes.Term, int | None]]:
        """The priorities of weak constraints, and the decimals of their weights."""
        return [
            (one.priority, term_decimals(one.weight, body_variables(one.body, self._places)))
            for one in self._program.every(nodes.WeakConstraint)
        ]

    def _variables_of(self, place: Place) -> Variables:
        """The decimals of the variables of a statement, of conditions in its head as well."""
        found = self._variables.get(place.number)
        if found is None:
            statement = self._program.statements[place.number]
            heads = [*head_atoms(statement)] if isinstance(statement, nodes.Rule) else []
            conditions = [literal for head in heads for literal in head.condition]
            found = body_variables((*body_of(statement), *conditions), self._places)
            self._variables[place.number] = found
        return found

    # --- literals -------------------------------------------------------------------------------------

    def _literal(self, literal: LiteralNode, place: Place, variables: Variables) -> LiteralNode:
        statement = self._program.statements[place.number]
        body: nodes.Body = body_of(statement)
        if literal.element is not None and isinstance(statement, nodes.Rule):
            heads = head_atoms(statement)
            body = next(head.condition for head in heads if head.element == literal.element)
        original = body[literal.position] if literal.position < len(body) else None
        changes: dict[str, Any] = {"children": tuple(map(self.claim, literal.children))}
        elements, of = literal.elements, literal.of
        if literal.witness is not None and literal.witness.of:
            changes["witness"] = dataclasses.replace(literal.witness, of=self.atom(literal.witness.of))
        if of is not None:
            changes["text"] = self._text(of.node, of.binding, variables)
            if literal.written:
                written = with_values(of.node, {}, as_written=True)
                changes["written"] = self._text(written, of.binding, variables)
        aggregate = original.atom if isinstance(original, nodes.Literal) else None
        tuples: Sequence[int | None] = ()
        if isinstance(aggregate, nodes.Aggregate):
            decimals = aggregate_decimals(aggregate, self._places, variables)
            changes["value"] = _number(literal.value, decimals)
            tuples = self._tuple_decimals(aggregate, variables, decimals)
        changes["elements"] = tuple(self._element(one, tuples, variables) for one in elements)
        return dataclasses.replace(literal, **changes)

    def _text(self, node: Node, binding: Mapping[str, Value], variables: Variables) -> str:
        """The text of an instance of a literal."""
        return to_text(self._valued(node, binding, variables))

    def _valued(self, node: Any, binding: Mapping[str, Value], variables: Variables) -> Any:
        """A node with the values of its variables, and the numbers for which integers stand.

        Variables of conditions have decimals of their own.
        """
        match node:
            case nodes.Variable(name) if name in binding:
                return _pointed(_term(binding[name]), variables.get(name))
            case nodes.Number():
                return _pointed(node, node.decimals)
            case nodes.Signature():
                return node
            case tuple():
                return tuple(self._valued(one, binding, variables) for one in node)
            case Node():
                condition = getattr(node, "condition", None)
                if condition:
                    variables = body_variables(condition, self._places, variables)
                changes: dict[str, Any] = {
                    name: self._valued(getattr(node, name), binding, variables)
                    for name in FIELDS[type(node)].inner
                }
                found = dataclasses.replace(node, **changes) if changes else node
                return self._atom(found) if isinstance(found, nodes.Atom) else found
            case _:
                return node

    def _element(self, element: Element, tuples: Sequence[int | None], variables: Variables) -> Element:
        text, of = element.text, element.of
        if isinstance(of, Instance):
            inner = body_variables(of.condition, self._places, variables)
            text = self._text(of.node, of.binding, inner)
        elif of is not None:
            pairs = zip(of, (*tuples, *[None] * len(of)), strict=False)
            text = ",".join(_number(text_of(value), decimals) for value, decimals in pairs)
        return dataclasses.replace(element, text=text, claims=tuple(map(self.claim, element.claims)))

    def _tuple_decimals(
        self, aggregate: nodes.Aggregate, variables: Variables, decimals: int | None
    ) -> list[int | None]:
        """The decimals of the terms of tuples, where all elements have the same there."""
        found: list[set[int | None]] = []
        for element in aggregate.elements:
            inner = body_variables(element.condition, self._places, variables)
            for place, term in enumerate(element.terms):
                if place == len(found):
                    found.append(set())
                found[place].add(term_decimals(term, inner))
        same = [next(iter(each)) if len(each) == 1 else None for each in found]
        return same if aggregate.function == "#count" else [decimals, *same[1:]]


def _atom_of(text: str) -> nodes.Atom | None:
    """The atom of a text; None for what is none."""
    match parse(Source("<claim>", f"{text}.")).statements:
        case (nodes.Rule(nodes.Atom() as atom, ()),):
            return atom
        case _:
            return None


def _term(value: Value) -> nodes.Term:
    """The term that says a value."""
    if type(value) is int:
        return nodes.Number(value) if value >= 0 else nodes.UnaryOperation("-", nodes.Number(-value))
    return nodes.Function(text_of(value))


def _values(bindings: Mapping[str, str], variables: Variables) -> Mapping[str, str]:
    """The values of variables as text."""
    return {name: _number(text, variables.get(name)) for name, text in bindings.items()}


def _number(text: str, decimals: int | None) -> str:
    """A value as text."""
    return decimal_text(int(text), decimals) if decimals and text.removeprefix("-").isdecimal() else text


def _pointed(term: Any, decimals: int | None) -> Any:
    """A term, with a point if it is an integer."""
    match term:
        case nodes.Number(value) if decimals:
            return nodes.Decimal(decimal_text(value, decimals))
        case nodes.UnaryOperation("-", nodes.Number(value)) if decimals:
            return nodes.UnaryOperation("-", nodes.Decimal(decimal_text(value, decimals)))
        case _:
            return term


def asked_atom(atom: nodes.Atom, decimals: Mapping[nodes.Signature, tuple[int, ...]]) -> nodes.Atom:
    """The atom of a question with the integers of the program: numbers in it are what they say.

    Raises InputError.
    """
    places = decimals.get(atom.signature, (0,) * len(atom.arguments))
    try:
        arguments = tuple(map(_integer, atom.arguments, places))
    except NotScaledError as error:
        raise InputError(f"{shown(to_text(atom))}: {error}") from error
    asked = dataclasses.replace(atom, arguments=arguments)
    for found in every(nodes.Decimal, asked):
        raise InputError(f"{shown(to_text(atom))}: nothing says how many decimals {found.text} has there")
    return asked


def _integer(term: nodes.Term, decimals: int) -> nodes.Term:
    match term:
        case nodes.Number() | nodes.Decimal() if decimals:
            return nodes.Number(scaled(to_text(term), decimals), location=term.location)
        case nodes.UnaryOperation("-", nodes.Number() | nodes.Decimal() as number):
            return dataclasses.replace(term, argument=_integer(number, decimals))
        case _:
            return term
