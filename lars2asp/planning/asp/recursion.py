"""Which rules of generated text depend on themselves, and how."""

from collections.abc import Iterable, Mapping

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.planning.asp.asp_program import AspProgram, head_predicates
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.traversal import every

_COMPUTED = (nodes.BinaryOperation, nodes.UnaryOperation, nodes.Absolute, nodes.Tuple)

Recursion = Mapping[Signature, frozenset[Signature]]
"""For each predicate those that depend on it and that it depends on, itself included."""


def recursion_of(statements: Iterable[nodes.Statement]) -> Recursion:
    """The predicates that depend on each other by some statements."""
    graph: dict[Signature, set[Signature]] = {}
    for statement in statements:
        for head in head_predicates(statement):
            graph.setdefault(head, set()).update(atom.signature for atom in every(nodes.Atom, statement))
    return {signature: part for part in strongly_connected(graph) for signature in part}


def is_stratified(rule: nodes.Rule, recursion: Recursion) -> bool:
    """Whether a rule derives one atom, and no more of what depends on that can make its body false."""
    if not isinstance(rule.head, nodes.Atom):
        return False
    part = recursion[rule.head.signature]
    return part.isdisjoint(
        atom.signature
        for literal in rule.body
        if not _is_monotone(literal)
        for atom in every(nodes.Atom, literal)
    )


def uncertain_predicates(program: AspProgram) -> frozenset[Signature]:
    """The predicates of which only the search for answer streams may tell what holds."""
    statements = [line.statement for line in program.lines if line.statement is not None]
    recursion = recursion_of(statements)
    found: set[Signature] = set()
    is_changed = True
    while is_changed:
        before = len(found)
        for statement in statements:
            heads = head_predicates(statement)
            is_certain = (
                isinstance(statement, nodes.Rule)
                and is_stratified(statement, recursion)
                and found.isdisjoint(atom.signature for atom in every(nodes.Atom, *statement.body))
            )
            if not is_certain:
                found |= heads
        is_changed = len(found) > before
    return frozenset(found)


def computes_in_recursion(program: AspProgram) -> bool:
    """Whether a rule that depends on itself makes terms: only what it looks at may end that."""
    statements = [line.statement for line in program.lines if line.statement is not None]
    recursion = recursion_of(statements)
    return any(map(_is_computing, (rule for rule in statements if _is_recursive(rule, recursion))))


def _is_recursive(statement: nodes.Statement, recursion: Recursion) -> bool:
    """Whether a rule's head depends on its body, which may be by another rule."""
    if not isinstance(statement, nodes.Rule):
        return False
    below = {atom.signature for one in statement.body for atom in every(nodes.Atom, one)}
    return any(not below.isdisjoint(recursion[head]) for head in head_predicates(statement))


def _is_computing(rule: nodes.Statement) -> bool:
    """Whether it has terms that are more than variables and constants."""
    return any(
        isinstance(term, _COMPUTED) or (isinstance(term, nodes.Function) and term.arguments)
        for term in every(nodes.Node, rule)
    )


def _is_monotone(literal: nodes.Literal | nodes.ConditionalLiteral) -> bool:
    """Whether more atoms cannot make it false, as far as that is easily seen."""
    return (
        isinstance(literal, nodes.Literal)
        and literal.sign is nodes.Sign.POSITIVE
        and isinstance(literal.atom, nodes.Atom | nodes.Comparison | nodes.Boolean)
    )
