"""The pass that writes `a at most K` as `K >= 0, not a at least K+1`.

Where K is a variable, what is negated splits in two that exclude each other (K below 0 or not): two rules,
two elements, two conditions.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Body, Node, Program, Sign, Statement
from lars2asp.syntax.traversal import body_of, outermost, rewrite, with_body

Element = nodes.AggregateElement | nodes.ConditionalLiteral | nodes.HeadAggregateElement


def write_at_most(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> Program:
    """The program without `at most`."""
    return analysis.program.rewritten(_AtMostRewriter(analysis.constants).statements)


class _Case(NamedTuple):
    """A literal, and the condition on K under which it stands for what was written."""

    literal: nodes.Literal
    condition: tuple[nodes.Literal, ...] = ()

    @property
    def constant(self) -> bool | None:
        """Whether it is true where K is below 0; None for other K, and for what is not `at most`."""
        atom = self.literal.atom
        return atom.value if self.condition and isinstance(atom, nodes.Boolean) else None


class _AtMostRewriter:
    def __init__(self, constants: Mapping[str, int]) -> None:
        self._constants = constants

    def statements(self, statement: Statement) -> Iterator[Statement]:
        if not any(outermost({nodes.AtMost}, statement)):
            yield statement
            return
        inner = rewrite(statement, self._inside)
        parts = [
            [self._conditionals(part)]
            if isinstance(part, nodes.ConditionalLiteral)
            else list(self._conjunctions(part))
            for part in body_of(inner)
        ]
        for chosen in product(*parts):
            body = tuple(literal for literals in chosen for literal in literals)
            yield with_body(inner, body)

    def _conditionals(self, part: nodes.ConditionalLiteral) -> Body:
        return tuple(new for new in self._elements(part) if isinstance(new, nodes.ConditionalLiteral))

    def _inside(self, node: Node) -> Node:
        if isinstance(node, nodes.Aggregate | nodes.SetAggregate | nodes.HeadAggregate | nodes.Disjunction):
            elements: Any = tuple(new for element in node.elements for new in self._elements(element))
            return dataclasses.replace(node, elements=elements)
        return node

    def _elements(self, element: Element) -> Iterator[Element]:
        """The elements that stand for one with `at most` in its condition or as its literal."""
        cases = [_Case(nodes.Literal(nodes.Boolean(True)))]
        if not isinstance(element, nodes.AggregateElement):
            cases = list(self._cases_of_any(nodes.alternatives_of(element.literal)))
        for chosen in product(*(list(self._conjunctions(literal)) for literal in element.condition)):
            condition = tuple(literal for literals in chosen for literal in literals)
            for case in cases:
                changed = dataclasses.replace(element, condition=(*condition, *case.condition))
                if not isinstance(changed, nodes.AggregateElement):
                    changed = dataclasses.replace(changed, literal=case.literal)
                yield changed

    def _conjunctions(self, literal: nodes.Literal) -> Iterator[tuple[nodes.Literal, ...]]:
        """The conjunctions of literals of which one is true where the literal is."""
        for case in self._cases(literal):
            constant = case.constant
            if constant is None:
                yield (case.literal, *case.condition)
            elif constant:
                yield case.condition

    def _cases_of_any(self, alternatives: Sequence[nodes.Literal]) -> Iterator[_Case]:
        """Those of a literal before a colon, of whose alternatives one is to be true."""
        if not isinstance(alternatives[0].atom, nodes.AtMost):
            yield _Case(nodes.pooled(alternatives))
            return
        for chosen in product(*map(self._cases, alternatives)):
            condition = tuple(dict.fromkeys(literal for case in chosen for literal in case.condition))
            literals = [case.literal for case in chosen if case.constant is not False]
            always = next((case.literal for case in chosen if case.constant), None)
            never = nodes.Literal(nodes.Boolean(False), location=alternatives[0].location)
            yield _Case(always or (nodes.pooled(literals) if literals else never), condition)

    def _cases(self, literal: nodes.Literal) -> Iterator[_Case]:
        atom = literal.atom
        if not isinstance(atom, nodes.AtMost):
            yield _Case(literal)
            return
        location = atom.number.location
        value = integer_value(atom.number, self._constants)
        more = (
            nodes.Number(value + 1, location=location)
            if value is not None and value >= 0
            else nodes.BinaryOperation("+", atom.number, nodes.Number(1), location=location)
        )
        sign = Sign.NOT_NOT if literal.sign is Sign.NOT else Sign.NOT
        over = nodes.AtLeast(atom.atom, more, atom.window, location=atom.location)
        negated = nodes.Literal(over, sign, location=literal.location)
        if value is not None:
            yield _Case(negated)
            return

        def compared(comparison: str) -> tuple[nodes.Literal, ...]:
            guard = nodes.Guard(comparison, nodes.Number(0), location=location)
            return (
                nodes.Literal(nodes.Comparison(atom.number, (guard,), location=location), location=location),
            )

        yield _Case(negated, compared(">="))
        yield _Case(
            nodes.Literal(nodes.Boolean(literal.sign is Sign.NOT), location=literal.location), compared("<")
        )
