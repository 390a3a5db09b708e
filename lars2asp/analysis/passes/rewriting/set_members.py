"""The pass that lets an instance of a literal count once in a set, by whichever of its elements it is one.

The numbers and ticks of streaming atoms are part of what they are translated to where they are constants, and
arguments where they are not. Where a set has both, the constants become variables:

    { r at least K in [2] : k(K) ; r at least 1 in [2] : p } 1
    ->  { r at least K in [2] : k(K) ; r at least N1 in [2] : p, N1 = 1 } 1
"""

import dataclasses
from collections.abc import Iterator, Mapping
from itertools import count

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.predicates import offset_from_now
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Node, Program, Sign, Statement
from lars2asp.syntax.traversal import every, outermost, rewrite, variable_names

_Kind = tuple[type[Node], Sign, nodes.Signature, nodes.Window | None]
"""What literals have alike that may be one instance."""


def write_set_members(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> Program | None:
    """The program with such constants as variables; None for one without such sets."""
    program = analysis.program
    if not any(outermost({nodes.SetAggregate}, *program.but_plain_facts)):
        return None

    def changed(statement: Statement) -> Statement:
        known = variable_names(statement)
        fresh = (name for number in count(1) if (name := f"N{number}") not in known)

        def members(node: Node) -> Node:
            is_set = isinstance(node, nodes.SetAggregate)
            return _written(node, analysis.constants, fresh) if is_set else node  # type: ignore[arg-type]

        return rewrite(statement, members)

    return program.rewritten(lambda one: [changed(one) if any(every(nodes.SetAggregate, one)) else one])


def _written(
    aggregate: nodes.SetAggregate, constants: Mapping[str, int], fresh: Iterator[str]
) -> nodes.SetAggregate:
    terms = [_constant_term(element.literal, constants) for element in aggregate.elements]
    kinds = [_kind(element.literal) for element in aggregate.elements]
    mixed = {kind for kind, term in zip(kinds, terms, strict=True) if kind is not None and term is None}
    elements = [
        element if term is None or kind not in mixed else _with_variable(element, term, next(fresh))
        for element, kind, term in zip(aggregate.elements, kinds, terms, strict=True)
    ]
    return dataclasses.replace(aggregate, elements=tuple(elements))


def _kind(literal: nodes.Literal) -> _Kind | None:
    """What tells whether a literal may be an instance of another one; None where that never changes."""
    match literal.atom:
        case nodes.AtLeast(atom, _, window) | nodes.AtTick(atom, _, window):
            return type(literal.atom), literal.sign, atom.signature, window
        case _:
            return None


def _constant_term(literal: nodes.Literal, constants: Mapping[str, int]) -> nodes.Term | None:
    """The number or tick of a literal that is part of what it is translated to."""
    match literal.atom:
        case nodes.AtLeast(_, number) if integer_value(number, constants) is not None:
            return number
        case nodes.AtTick(_, tick, None):
            is_known = integer_value(tick, constants) is not None
            offset = offset_from_now(tick, constants)
            return tick if is_known or (offset is not None and offset >= 0) else None
        case _:
            return None


def _with_variable(
    element: nodes.ConditionalLiteral, term: nodes.Term, name: str
) -> nodes.ConditionalLiteral:
    at = term.location
    variable = nodes.Variable(name, location=at)
    comparison = nodes.Comparison(variable, (nodes.Guard("=", term, location=at),), location=at)
    atom = element.literal.atom
    if isinstance(atom, nodes.AtLeast):
        atom = dataclasses.replace(atom, number=variable)
    elif isinstance(atom, nodes.AtTick):
        atom = dataclasses.replace(atom, tick=variable)
    return dataclasses.replace(
        element,
        literal=dataclasses.replace(element.literal, atom=atom),
        condition=(*element.condition, nodes.Literal(comparison, location=at)),
    )
