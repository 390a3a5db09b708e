"""What claims are about, as values: atoms, and parts of the program with the values of their variables.

They become text here, and nowhere else. In a program with decimals each of them knows what its integers stand
for (lars2asp.analysis.decimals).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
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
from lars2asp.externals.terms.terms import Row, Term, Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.explanations.past.terms import term_of, with_values
from lars2asp.syntax import nodes
from lars2asp.syntax.node import FIELDS
from lars2asp.syntax.nodes import Literal, Node, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every

# --- numbers --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Numbers:
    """What integers stand for in a part of a program.

    Attributes:
        places: the decimals of places; None in a program without decimals.
        variables: the decimals of the variables.
    """

    places: PlaceDecimals | None = None
    variables: Variables = field(default_factory=dict)

    def of_rule(
        self, statement: nodes.Statement, head: Signature | None = None, element: int | None = None
    ) -> "Numbers":
        """Those of an instance of a statement: of its body, and of the conditions of its head.

        Args:
            statement: the statement.
            head: the predicate of the atom of the head; None for the body alone.
            element: the element of the head that is meant, where a literal of its condition is told.
        """
        if self.places is None:
            return self
        return replace(self, variables=rule_variables(statement, self.places, head, element))

    def within(self, condition: nodes.Body) -> "Numbers":
        """Those of a condition, the variables of which may have decimals of their own."""
        if self.places is None:
            return self
        return replace(self, variables=body_variables(condition, self.places, self.variables))

    def text(self, node: Node, binding: Mapping[str, Value], *, as_written: bool = False) -> str:
        """The text of a node with the values of its variables.

        Args:
            node: the node.
            binding: the values.
            as_written: whether windows have the units that they were written with.
        """
        if self.places is None:
            return to_text(with_values(node, binding, as_written=as_written))
        if as_written:
            node = with_values(node, {}, as_written=True)
        return to_text(self._valued(node, binding, self.variables, self.places))

    def _valued(
        self, node: Any, binding: Mapping[str, Value], variables: Variables, places: PlaceDecimals
    ) -> Any:
        """A node with the values of its variables, and the numbers for which integers stand.

        Variables of conditions have decimals of their own; within functions integers are as they are.
        """
        match node:
            case nodes.Variable(name) if name in binding:
                return _pointed(_signed(binding[name]), variables.get(name))
            case nodes.Number():
                return _pointed(node, node.decimals)
            case Signature():
                return node
            case tuple():
                return tuple(self._valued(one, binding, variables, places) for one in node)
            case Node():
                condition = getattr(node, "condition", None)
                if condition:
                    variables = body_variables(condition, places, variables)
                elif isinstance(node, nodes.Function | nodes.Tuple):
                    variables = {}
                changes: dict[str, Any] = {
                    name: self._valued(getattr(node, name), binding, variables, places)
                    for name in FIELDS[type(node)].inner
                }
                found = replace(node, **changes) if changes else node
                if isinstance(found, nodes.Atom):
                    arguments = map(_pointed, found.arguments, places.of(found))
                    return replace(found, arguments=tuple(arguments))
                return found
            case _:
                return node

    def of_total(self, aggregate: nodes.LiteralAtom | None) -> int | None:
        """The decimals of the value of an aggregate."""
        if self.places is None or not isinstance(aggregate, nodes.Aggregate):
            return None
        return aggregate_decimals(aggregate, self.places, self.variables)

    def of_tuples(self, aggregate: nodes.LiteralAtom) -> tuple[int | None, ...]:
        """The decimals of the terms of the tuples of an aggregate, where all elements have the same there."""
        if self.places is None or not isinstance(aggregate, nodes.Aggregate):
            return ()
        found: list[set[int | None]] = []
        for element in aggregate.elements:
            inner = self.within(element.condition).variables
            found += [set() for _ in element.terms[len(found) :]]
            for one, term in zip(found, element.terms, strict=False):
                one.add(term_decimals(term, inner))
        same = [next(iter(one)) if len(one) == 1 else None for one in found]
        first = same[:1] if aggregate.function == "#count" else [self.of_total(aggregate)]
        return *first, *same[1:]

    def of_costs(self, constraints: Iterable[nodes.WeakConstraint], level: int) -> int | None:
        """The decimals of the costs of a priority, where all weights have the same."""
        if self.places is None:
            return None
        found = {
            term_decimals(one.weight, self.within(one.body).variables)
            for one in constraints
            if not isinstance(one.priority, nodes.Number) or one.priority.value == level
        }
        return next(iter(found)) if len(found) == 1 else None

    def atom(self, signature: Signature, arguments: Iterable[Value | nodes.Term]) -> "ClaimedAtom":
        """An atom."""
        decimals = () if self.places is None else self.places.of_predicate(signature)
        return ClaimedAtom(signature, tuple(arguments), decimals)


INTEGERS = Numbers()
"""Those of a program without decimals."""


def number_text(value: Value, decimals: int | None) -> str:
    """The text of a value, which has so many decimals if it is an integer."""
    return decimal_text(value, decimals) if decimals and type(value) is int else text_of(value)


def _pointed(term: Any, decimals: int | None) -> Any:
    """A term, with a point in its integers, if it is one or adds them up."""
    match term:
        case nodes.Number(value) if decimals:
            return nodes.Decimal(decimal_text(value, decimals))
        case nodes.UnaryOperation("-", argument) | nodes.Absolute(argument):
            return replace(term, argument=_pointed(argument, decimals))
        case nodes.BinaryOperation(operator, left, right) if operator in ALIKE:
            left, right = (_pointed(side, decimals) for side in (left, right))
            return replace(term, left=left, right=right)
        case _:
            return term


def _signed(value: Value) -> nodes.Term:
    """The term for a value, with a minus in front of a negative number: points and brackets fit it."""
    if type(value) is int and value < 0:
        return nodes.UnaryOperation("-", nodes.Number(-value))
    return term_of(value)


# --- atoms ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClaimedAtom:
    """An atom that a claim is about.

    Attributes:
        signature: its predicate.
        arguments: their values; terms where they have variables, with values where these are known.
        decimals: what integers at its places stand for.
    """

    signature: Signature
    arguments: tuple[Value | nodes.Term, ...]
    decimals: tuple[int | None, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        name = self.signature.name if self.signature.is_positive else f"-{self.signature.name}"
        return f"{name}({','.join(self.texts)})" if self.arguments else name

    @property
    def texts(self) -> list[str]:
        """The texts of its arguments."""
        decimals = self.decimals or (None,) * len(self.arguments)
        return [
            to_text(_pointed(one, places)) if isinstance(one, nodes.Node) else number_text(one, places)
            for one, places in zip(self.arguments, decimals, strict=True)
        ]

    @property
    def has_variables(self) -> bool:
        """Whether it has variables."""
        return any(isinstance(one, nodes.Node) and any(every(nodes.Variable, one)) for one in self.arguments)

    @property
    def row(self) -> Row | None:
        """The values of its arguments; None where it has variables."""
        values = tuple(one for one in self.arguments if not isinstance(one, nodes.Node))
        return values if len(values) == len(self.arguments) else None

    @property
    def node(self) -> nodes.Atom:
        """The atom of the program that it is."""
        terms = tuple(one if isinstance(one, nodes.Node) else term_of(one) for one in self.arguments)
        return nodes.Atom(self.signature.name, terms, self.signature.is_positive)


@dataclass(frozen=True, slots=True)
class ClaimedTuple:
    """A tuple that counts in an aggregate.

    Attributes:
        row: its values.
        decimals: what integers at its places stand for.
    """

    row: Row
    decimals: tuple[int | None, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return ",".join(map(number_text, self.row, (*self.decimals, *[None] * len(self.row))))

    def shows(self, atom: ClaimedAtom) -> bool:
        """Whether an atom stands in it, as a term."""
        return atom.row is not None and _is_within(atom.signature, atom.row, self.row)

    def says(self, atom: ClaimedAtom) -> bool:
        """Whether it is an atom, as a term, and no more."""
        return len(self.row) == 1 and atom.row is not None and _is_term(self.row[0], atom.signature, atom.row)


def _is_within(signature: Signature, row: Row, values: Row) -> bool:
    return any(
        _is_term(one, signature, row) or (isinstance(one, Term) and _is_within(signature, row, one.arguments))
        for one in values
    )


def _is_term(value: Value, signature: Signature, row: Row) -> bool:
    """Whether a value is the term that is written as an atom."""
    return (
        isinstance(value, Term)
        and (value.name, value.is_positive) == (signature.name, signature.is_positive)
        and value.arguments == row
    )


# --- parts of rules -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bound:
    """The values of the variables of a rule.

    Attributes:
        values: the values, by name.
        numbers: what integers stand for in it.
    """

    values: Mapping[str, Value]
    numbers: Numbers = field(default=INTEGERS, compare=False)

    @property
    def texts(self) -> dict[str, str]:
        """The values as text."""
        decimals = self.numbers.variables
        return {name: number_text(value, decimals.get(name)) for name, value in self.values.items()}


NOTHING_BOUND = Bound({})
"""That no variable has a value."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A part of the program with the values of its variables; those that have none stay.

    Attributes:
        node: the part, a literal or a term.
        binding: the values.
        numbers: what integers stand for in it.
        condition: the other literals that say what its variables are.
    """

    node: Node
    binding: Mapping[str, Value] = field(default_factory=dict)
    numbers: Numbers = field(default=INTEGERS, compare=False)
    condition: tuple[Literal, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return self.numbers.within(self.condition).text(self.node, self.binding)

    @property
    def atom(self) -> nodes.LiteralAtom | None:
        """The (streaming) atom, comparison or aggregate in a literal; None in a conditional one."""
        return self.node.atom if isinstance(self.node, nodes.Literal) else None

    @property
    def is_negated(self) -> bool:
        """Whether it is a literal with `not`."""
        return isinstance(self.node, nodes.Literal) and self.node.sign is not nodes.Sign.POSITIVE

    @property
    def written(self) -> str:
        """Its text, with windows as they are written."""
        return self.numbers.text(self.node, self.binding, as_written=True)

    def within(self, node: Node, binding: Mapping[str, Value], condition: tuple[Literal, ...]) -> "Instance":
        """An instance of an element of it, with a condition of its own."""
        return Instance(node, binding, self.numbers, condition)

    def part(self, node: Node) -> "Instance":
        """A part of it, with the same values."""
        return Instance(node, self.binding, self.numbers)

    def shows(self, atom: ClaimedAtom) -> bool:
        """Whether an atom stands in it; no alternative of a pool does, which is not written out."""
        if any(every(nodes.Pool, self.node)):
            return False
        atoms = (one for one in every(nodes.Atom, self.node) if one.signature == atom.signature)
        text = str(atom)
        return any(str(self.part(one)) == text for one in atoms)

    def says(self, atom: ClaimedAtom) -> bool:
        """Whether it is an atom, and no more."""
        return isinstance(self.atom, nodes.Atom) and not self.is_negated and self.shows(atom)
