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

from lars2asp.planning.asp_program import AspProgram, with_answer_atoms
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import body_of, every, rewrite, variable_names, with_body

_SUMS = ("#sum", "#sum+")


def overground_text(program: AspProgram) -> str:
    """The program's text with external atoms for lookups, and below it their declarations."""
    names, counting = program.answer_predicates, _Counting(program.names)
    lines = [
        line.text
        if line.statement is None
        else to_text(counting.statement(with_answer_atoms(line.statement, names)))
        for line in program.lines
    ]
    for lookup, name in names.items():
        relevant = program.relevant_answers.get(lookup)
        if relevant is None:
            lines.append(f"#external {name}(X) : X = @{name}.")
        else:
            lines += (f"#external {name}({pattern}) : {condition}." for pattern, condition in relevant)
    return "\n".join(lines) + "\n"


def binds_sums(program: AspProgram) -> bool:
    """Whether a variable takes the value of a sum.

    Over atoms that may hold or not it has a value for each set of them; clingo works them all out at once.
    """
    statements = (line.statement for line in program.lines if line.statement is not None)
    return any(
        one.function in _SUMS and any(map(_is_bound, (one.left, one.right)))
        for one in every(nodes.Aggregate, *statements)
    )


def _is_bound(guard: nodes.Guard | None) -> bool:
    return guard is not None and guard.comparison == "=" and bool(variable_names(guard.term))


class _Counting:
    """Writes a call into each body and condition that has variables.

    Args:
        names: has the names of the `@`-functions.
    """

    def __init__(self, names: Names) -> None:
        self._names = names

    def statement(self, statement: nodes.Statement) -> nodes.Statement:
        changed = rewrite(statement, self._with_condition)
        body = body_of(changed)
        calls = tuple(self._calls(body, _bound_outside(body)))
        return with_body(changed, (*body, *calls)) if calls else changed

    def _with_condition(self, node: nodes.Node) -> nodes.Node:
        if isinstance(node, nodes.Literal) and isinstance(node.atom, nodes.SetAggregate):
            elements = tuple(map(self._with_literal, node.atom.elements))
            return dataclasses.replace(node, atom=dataclasses.replace(node.atom, elements=elements))
        if not isinstance(
            node, nodes.ConditionalLiteral | nodes.AggregateElement | nodes.HeadAggregateElement
        ):
            return node
        calls = tuple(self._calls(node.condition, variable_names(*node.condition)))
        return dataclasses.replace(node, condition=(*node.condition, *calls)) if calls else node

    def _with_literal(self, element: nodes.ConditionalLiteral) -> nodes.ConditionalLiteral:
        """An element of a set in a body, whose literal binds variables too."""
        calls = tuple(self._calls((element.literal,), variable_names(element.literal)))
        return dataclasses.replace(element, condition=(*element.condition, *calls)) if calls else element

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
    guards = (
        guard
        for literal in body
        if isinstance(literal, nodes.Literal)
        and isinstance(literal.atom, nodes.Aggregate | nodes.SetAggregate)
        for guard in (literal.atom.left, literal.atom.right)
        if guard is not None
    )
    plain = (
        literal
        for literal in body
        if isinstance(literal, nodes.Literal) and isinstance(literal.atom, nodes.Atom | nodes.Comparison)
    )
    return variable_names(*guards, *plain)
