"""Whether the numbers of an explanation have the decimals of their places: `1.2` with one, `12` with none.

lars2asp.checking.why_checker checks explanations in integers, the digits of their numbers. Of one that is
right so the points are looked at here: each text must have the decimals of its places, variables and terms
(lars2asp.analysis.decimals). Within functions, tuples and calls integers are as they are.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from lars2asp.analysis.arithmetic.decimal_numbers import decimal_text
from lars2asp.analysis.decimals import (
    ALIKE,
    PlaceDecimals,
    Variables,
    aggregate_decimals,
    body_variables,
    rule_variables,
    term_decimals,
)
from lars2asp.checking.claim_checks import as_written
from lars2asp.checking.explanation_shapes import FaultError, Json, bare, claims_of, need, without_points
from lars2asp.checking.rule_instances import named_by
from lars2asp.definition.stream import NaiveStream
from lars2asp.definition.terms import Bindings, Value, read_atom, read_row, term_of, value_text
from lars2asp.definition.windows import parts_of
from lars2asp.syntax import nodes
from lars2asp.syntax.node import FIELDS
from lars2asp.syntax.nodes import Node, Program, Signature, Term
from lars2asp.syntax.printer import to_text


class PointChecks:
    """Holds the texts of an explanation, the integers of which are right, to the decimals of a program."""

    def __init__(self, program: Program, stream: NaiveStream) -> None:
        self._program, self._stream = program, stream
        self._places = PlaceDecimals(program)
        self._weights = [
            (one.priority, term_decimals(one.weight, body_variables(one.body, self._places)))
            for one in program.every(nodes.WeakConstraint)
        ]

    def faults(self, explanation: Json) -> Iterator[str]:
        """What is wrong with the points."""
        followed = explanation.get("followed") or {"atoms": {}, "placed": []}
        placed = (one[0] for one in followed["placed"])
        try:
            self._atoms([*followed["atoms"], *followed.get("fleeting", ()), *placed])
        except FaultError as fault:
            yield f"followed: {fault}"
        for claim in claims_of(explanation["explains"]):
            try:
                self._claim(claim)
            except FaultError as fault:
                yield f"claim {claim['id']}: {fault}"

    # --- claims ---------------------------------------------------------------------------------------

    def _claim(self, claim: Json) -> None:
        self._atoms([claim["atom"]])
        signature = read_atom(without_points(claim["atom"])).signature
        match claim["because"]:
            case "rule" | "choice":
                self._instance(claim, claim, signature, (*claim["body"], *claim.get("condition", ())))
                for call in claim.get("calls", ()):
                    _need_same(call["value"], without_points(call["value"]))
            case "memory" if claim["holds"]:
                self._instance({**claim, "at": claim["tick"]}, claim, signature, ())
            case "nothing":
                nearest = [claim["nearest"]["atom"]] if "nearest" in claim else []
                self._atoms([*nearest, *([claim["last_atom"]] if "last_atom" in claim else [])])
                for failed in claim["rules"]:
                    if failed["failed"] is None and not self._stream.has_answer(failed["at"]):
                        continue  # it is told for its place alone
                    last = [] if failed["failed"] is None else [failed["failed"]]
                    self._instance(failed, failed, signature, (*last, *failed.get("met", ())))
                    for other in failed.get("others", ()):
                        self._atoms([other["atom"]])
                        signature_ = read_atom(without_points(other["atom"])).signature
                        self._instance(failed, other, signature_, other["body"])
            case "no answer":
                self._atoms(claim.get("contraries", ()))
                for clashing in claim["clashing"]:
                    statement = self._program.statements[clashing["statement"]["number"]]
                    self._bindings(clashing["bindings"], rule_variables(statement, self._places))

    def _atoms(self, texts: Iterable[str]) -> None:
        for text in texts:
            atom = read_atom(without_points(text))
            _need_same(text, to_text(self._placed(atom)))

    def _instance(self, rule: Json, instance: Json, signature: Signature, literals: Iterable[Json]) -> None:
        """Checks an instance of a rule, which has an atom of a predicate in its head."""
        number = rule["statement"]["number"]
        statement = self._stream.rules[number]
        literals = [*literals]
        element = next((one["element"] for one in literals if "element" in one), None)
        variables = rule_variables(statement, self._places, signature, element)
        values = self._bindings(instance["bindings"], variables)
        known = {**self._stream.bindings(rule["at"]), **values}
        for node in literals:
            required = named_by(statement, node)
            if required is None:
                raise FaultError(f"the rule does not contain the literal `{node['literal']}` there")
            own = variables if "element" in node else rule_variables(statement, self._places)
            self._literal(node, required.literal, required.known_to(statement, known), own)
        for costs in (instance.get("cost"), instance.get("other")):
            for level, cost in costs or ():
                self._check_cost(level, cost)

    def _bindings(self, bindings: Mapping[str, str], variables: Variables) -> Bindings:
        """The values of variables, the texts of which are checked."""
        found = {name: read_row(f"v({without_points(text)})")[0] for name, text in bindings.items()}
        for name, text in bindings.items():
            _need_same(text, to_text(_valued(found[name], variables.get(name))))
        return found

    def _check_cost(self, level: int, cost: int | str) -> None:
        found = {
            decimals
            for priority, decimals in self._weights
            if not isinstance(priority, nodes.Number) or priority.value == level
        }
        decimals = next(iter(found)) if len(found) == 1 else None
        number = int(without_points(cost))
        expected = decimal_text(number, decimals) if decimals else number
        need(cost == expected, f"the cost {cost} is written {expected}")

    # --- literals -------------------------------------------------------------------------------------

    def _literal(self, node: Json, literal: Any, known: Bindings, variables: Variables) -> None:
        """Checks what is told of a literal, with the values of its variables and their decimals."""
        _need_same(node["literal"], self._text(literal, known, variables))
        atom: Any = getattr(literal, "atom", None)
        if "written" in node:
            _need_same(node["written"], self._text(as_written(literal), known, variables))
        if "of" in node.get("window", ()):
            _need_same(node["window"]["of"], self._text(parts_of(atom)[0], known, variables))
        if "undefined" in node:
            terms = self._stream.bodies.undefined(atom, known)
            _need_same(node["undefined"], *(self._text(term, known, variables) for term in terms))
        is_aggregate = isinstance(atom, nodes.Aggregate)
        decimals = aggregate_decimals(atom, self._places, variables) if is_aggregate else None
        if "value" in node:
            _need_same(node["value"], _number_text(without_points(node["value"]), decimals))
        if is_aggregate:
            tuples = self._tuple_decimals(atom, variables, decimals)
            for element in node.get("elements", ()):
                _need_same(element["text"], _tuple_text(without_points(element["text"]), tuples))
        elif node.get("elements"):
            texts = [*self._element_texts(literal, known, variables)]
            for element in node["elements"]:
                _need_same(element["text"], *texts)

    def _element_texts(self, literal: Any, known: Bindings, variables: Variables) -> Iterator[str]:
        """The texts of the instances of a conditional literal or of the elements of a set."""
        for _, literals, one in self._stream.bodies.elements(literal, known):
            is_set = not isinstance(literal, nodes.ConditionalLiteral)
            shown, condition = (literals[-1], literals) if is_set else (literal.literal, literal.condition)
            yield self._text(shown, one, body_variables(condition, self._places, variables))

    def _tuple_decimals(
        self, aggregate: nodes.Aggregate, variables: Variables, decimals: int | None
    ) -> list[int | None]:
        """The decimals of the terms of tuples, where all elements have the same there."""
        found: list[set[int | None]] = []
        for element in aggregate.elements:
            inner = body_variables(element.condition, self._places, variables)
            found += [set() for _ in element.terms[len(found) :]]
            for one, term in zip(found, element.terms, strict=False):
                one.add(term_decimals(term, inner))
        same = [next(iter(one)) if len(one) == 1 else None for one in found]
        return same if aggregate.function == "#count" else [decimals, *same[1:]]

    # --- texts ----------------------------------------------------------------------------------------

    def _text(self, node: Node, known: Bindings, variables: Variables) -> str:
        """The text of a node with the values of its variables."""
        return to_text(self._instance_of(node, known, variables))

    def _instance_of(self, node: Any, known: Bindings, variables: Variables) -> Any:
        match node:
            case nodes.Variable(name):
                return _valued(known[name], variables.get(name)) if name in known else node
            case nodes.Number():
                return _pointed(node, node.decimals)
            case tuple() if not isinstance(node, Signature):
                return tuple(self._instance_of(one, known, variables) for one in node)
            case Node():
                if condition := getattr(node, "condition", ()):
                    variables = body_variables(condition, self._places, variables)
                elif isinstance(node, nodes.Function | nodes.Tuple):
                    variables = {}
                changes: dict[str, Any] = {
                    name: self._instance_of(getattr(node, name), known, variables)
                    for name in FIELDS[type(node)].inner
                }
                found = replace(node, **changes) if changes else node
                return self._placed(found) if isinstance(found, nodes.Atom) else found
        return node

    def _placed(self, atom: nodes.Atom) -> nodes.Atom:
        """An atom whose integers are written with the decimals of their places."""
        return replace(atom, arguments=tuple(map(_pointed, atom.arguments, self._places.of(atom))))


def _valued(value: Value, decimals: int | None) -> Term:
    """The term for a value, which has so many decimals if it is an integer."""
    if isinstance(value, int):
        return _pointed(term_of(value), decimals)
    return nodes.Function(value_text(value))


def _pointed(term: Term, decimals: int | None) -> Term:
    """A term with so many decimals: a point in its integer, and in those that it adds up."""
    if not decimals:
        return term
    match term:
        case nodes.Number(number):
            return nodes.Decimal(decimal_text(number, decimals))
        case nodes.UnaryOperation("-", argument) | nodes.Absolute(argument):
            return replace(term, argument=_pointed(argument, decimals))
        case nodes.BinaryOperation(operator, left, right) if operator in ALIKE:
            return replace(term, left=_pointed(left, decimals), right=_pointed(right, decimals))
    return term


def _number_text(text: str, decimals: int | None) -> str:
    """The text of a value, which has so many decimals if it is an integer."""
    return decimal_text(int(text), decimals) if decimals and text.removeprefix("-").isdecimal() else text


def _tuple_text(text: str, decimals: Iterable[int | None]) -> str:
    """The text of a tuple of values."""
    values = read_row(f"v({text})") if text else ()
    known = [*decimals, *[None] * len(values)]
    return ",".join(map(_number_text, map(value_text, values), known))


def _need_same(told: str, *expected: str) -> None:
    """Raises a fault if a text is none of those that may stand there."""
    need(bare(told) in map(bare, expected), f"`{told}` is written `{next(iter(expected), '')}`")
