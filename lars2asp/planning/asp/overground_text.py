"""Text for one Control that is kept: lookups are external atoms, and instances are counted.

With `p` from the stream,

    { take(X) : p(X) }. :- take(X), take(Y), X < Y.

becomes, with an external atom for each answer to the lookup of `p`,

    { take(X) : p(X), @lars_instance(X) = 0 }.
    :- take(X), take(Y), X < Y, @lars_match(X) = 0, @lars_match(Y) = 0, @lars_instance(X,Y) = 0.

clingo calls an `@`-function as soon as its arguments are known: one with the variables of an atom for each
atom that the search for instances comes to. So it is in elements of aggregates, which clingo collects before
it hands out a rule. It cannot be interrupted while it grounds; a call that raises an error ends it.
"""

import dataclasses
from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypeVar

from lars2asp.planning.asp.asp_program import AspProgram, with_answer_atoms
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import body_of, variable_names, walk, with_body

BodyLiteral = TypeVar("BodyLiteral", bound=nodes.Literal | nodes.ConditionalLiteral)
Element = TypeVar(
    "Element", bound=nodes.ConditionalLiteral | nodes.AggregateElement | nodes.HeadAggregateElement
)
HasElements = TypeVar(
    "HasElements", bound=nodes.Aggregate | nodes.SetAggregate | nodes.HeadAggregate | nodes.Disjunction
)


def overground_text(program: AspProgram) -> str:
    """The program's text with external atoms for lookups, and below it their declarations."""
    names, counting = program.answer_predicates, _Counting(program.names)
    lines = [
        line.text
        if line.statement is None
        else to_text(counting.statement(with_answer_atoms(line.statement, names)))
        for line in (*program.lines, *program.checks)
    ]
    for lookup, name in names.items():
        relevant = program.relevant_answers.get(lookup)
        if relevant is None:
            lines.append(f"#external {name}(X) : X = @{name}.")
        else:
            lines += (f"#external {name}({pattern}) : {condition}." for pattern, condition in relevant)
    return "\n".join(lines) + "\n"


def binds_aggregates(program: AspProgram) -> bool:
    """Whether a variable takes the value of an aggregate.

    Over atoms that may hold or not a sum has a value for each set of them, which clingo works out at once;
    and it makes a bound over all these atoms of each value of any aggregate.
    """
    statements = [line.statement for line in program.lines if line.statement is not None]
    found = (one for statement in statements for one in walk(statement))
    return any(
        guard.comparison == "=" and variable_names(guard.term)
        for one in found
        if isinstance(one, nodes.Aggregate | nodes.SetAggregate)
        for guard in _guards(one)
    )


class _Counting:
    """Writes a call into each body and condition that has variables.

    Args:
        names: has the names of the `@`-functions.
    """

    def __init__(self, names: Names) -> None:
        self._names = names

    def statement(self, statement: nodes.Statement) -> nodes.Statement:
        body = tuple(map(self._with_elements, body_of(statement)))
        if isinstance(statement, nodes.Rule):
            head = statement.head
            if isinstance(head, nodes.Disjunction):
                head = self._counted(head, ())
            elif isinstance(head, nodes.SetAggregate | nodes.HeadAggregate):
                head = self._counted(head, _guards(head))
            statement = dataclasses.replace(statement, head=head)
        calls = tuple(self._calls(body, _bound_outside(body)))
        return with_body(statement, (*body, *calls)) if body or calls else statement

    def _with_elements(self, literal: BodyLiteral) -> BodyLiteral:
        """A literal of a body with calls in its conditions."""
        if isinstance(literal, nodes.ConditionalLiteral):
            return self._element(literal, ())
        if isinstance(literal.atom, nodes.Aggregate | nodes.SetAggregate):
            return dataclasses.replace(literal, atom=self._counted(literal.atom, _guards(literal.atom)))
        return literal

    def _counted(self, within: HasElements, guards: Iterable[nodes.Guard]) -> HasElements:
        found: Any = within
        elements = tuple(self._element(one, guards) for one in found.elements)
        return dataclasses.replace(found, elements=elements)  # type: ignore[no-any-return]

    def _element(self, element: Element, guards: Iterable[nodes.Guard]) -> Element:
        """An element, of which there is one for each value of its variables and of those of guards."""
        calls = tuple(self._calls(element.condition, variable_names(element, *guards)))
        return dataclasses.replace(element, condition=(*element.condition, *calls))

    def _calls(self, body: Iterable[nodes.Node], bound: Collection[str]) -> Iterator[nodes.Literal]:
        """A call for the variables of each positive atom, and one for all that are bound."""
        atoms = (
            tuple(sorted(variable_names(literal)))
            for literal in body
            if isinstance(literal, nodes.Literal)
            and isinstance(literal.atom, nodes.Atom)
            and literal.sign is nodes.Sign.POSITIVE
        )
        everything = tuple(sorted(bound))
        for group in dict.fromkeys((*atoms, everything)):
            if group:
                name = self._names.instance if group == everything else self._names.match
                call = nodes.Function(name, tuple(map(nodes.Variable, group)), is_external=True)
                yield nodes.Literal(nodes.Comparison(call, (nodes.Guard("=", nodes.Number(0)),)))


def _bound_outside(body: nodes.Body) -> set[str]:
    """The variables of a body that do not belong to an element of a set or an aggregate alone."""
    literals = [literal for literal in body if isinstance(literal, nodes.Literal)]
    plain = (one for one in literals if isinstance(one.atom, nodes.Atom | nodes.Comparison))
    aggregates = (one.atom for one in literals if isinstance(one.atom, nodes.Aggregate | nodes.SetAggregate))
    return variable_names(*plain, *(guard for one in aggregates for guard in _guards(one)))


def _guards(aggregate: nodes.Aggregate | nodes.SetAggregate | nodes.HeadAggregate) -> list[nodes.Guard]:
    return [guard for guard in (aggregate.left, aggregate.right) if guard is not None]
