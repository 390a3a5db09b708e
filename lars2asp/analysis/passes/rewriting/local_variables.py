"""The pass that renames variables of elements of a head that elements of the body have too.

Variables of elements are local to each element. But clingo writes the condition of a choice with one element
and no bound into the body, and joins it there with variables of aggregates (its issues 23 and 495):

    { p(Y) : d(Y) } :- #count { Y : e(Y) } >= 1.    ->    { p(Y') : d(Y') } :- #count { Y : e(Y) } >= 1.
"""

import dataclasses
from typing import Any

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Node, Program, Statement
from lars2asp.syntax.traversal import outer_variables, outermost, rewrite, variable_names

_HEADS = nodes.SetAggregate | nodes.HeadAggregate | nodes.Disjunction
_SCOPES = (nodes.Aggregate, nodes.SetAggregate, nodes.ConditionalLiteral)


def write_local_variables(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> Program | None:
    """The program with variables of its own in each head with elements; None if it has no such head."""
    if not any(isinstance(rule.head, _HEADS) and rule.body for rule in analysis.program.every(nodes.Rule)):
        return None
    return analysis.program.rewritten(lambda one: [with_own_variables(one)])


def with_own_variables(statement: Statement, mark: str = "'") -> Statement:
    """The statement, elements of its head without local variables of the body's; `mark` ends new names."""
    if not isinstance(statement, nodes.Rule) or not isinstance(statement.head, _HEADS):
        return statement
    within = variable_names(*outermost(_SCOPES, *statement.body)) - outer_variables(statement)
    joined = variable_names(*statement.head.elements) & within
    if not joined:
        return statement
    used = variable_names(statement)
    names: dict[str, str] = {}
    for name in sorted(joined):
        fresh = name + mark
        while fresh in used:
            fresh += mark
        used.add(fresh)
        names[name] = fresh

    def renamed(node: Node) -> Node:
        is_joined = isinstance(node, nodes.Variable) and node.name in names
        return dataclasses.replace(node, name=names[node.name]) if is_joined else node  # type: ignore[attr-defined,call-arg]

    head: Any = rewrite(statement.head, renamed)
    return dataclasses.replace(statement, head=head)
