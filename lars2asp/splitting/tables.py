"""Tables: background data through which keys lead, as `region/2` in `bad(R) :- reading(S,T), region(S,R).`

`reading` is distributed there by what `region` has for its first argument. That is right where all rows are
known before anything is routed: where they are facts of the program, and the input has none.
"""

from collections.abc import Collection, Iterator

from lars2asp.analysis.arithmetic.constants import has_call, has_interval, integer_term, integer_value
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.splitting.parts import TableStep
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import (
    Aggregate,
    Atom,
    Body,
    Literal,
    Node,
    Rule,
    SetAggregate,
    Sign,
    Signature,
    Term,
)
from lars2asp.syntax.traversal import every

MOST_LOOKUPS = 2
"""The number of tables up to which keys lead through one after the other."""


def table_rows(analysis: ProgramAnalysis, signature: Signature) -> list[Atom] | None:
    """The facts of a predicate, with the values of constants; None if some are not written out."""
    found: list[Atom] = []
    for fact in analysis.facts.get(signature, ()):
        head = fact.head
        assert isinstance(head, Atom)
        terms = [_value(analysis, term) for term in head.arguments]
        arguments = tuple(term for term in terms if term is not None)
        if len(arguments) < len(terms):
            return None
        found.append(Atom(head.name, arguments))
    return found


def _value(analysis: ProgramAnalysis, term: Term) -> Term | None:
    """The number, string or name that a term stands for; None for other terms."""
    number = integer_value(term, analysis.constants)
    if number is not None:
        return integer_term(number)
    if isinstance(term, nodes.Function) and not term.arguments:
        term = analysis.constant_terms.get(term.name, term)
    is_name = isinstance(term, nodes.Function) and not term.arguments and not term.is_external
    return term if is_name or isinstance(term, nodes.String) else None


def atoms_with_tables(rule: Rule, tables: Collection[Signature]) -> Iterator[tuple[Atom, tuple[Atom, ...]]]:
    """The atoms of a rule's body, each with the atoms of tables without which it does not count."""
    outer = _needed(rule.body, tables)
    for item in rule.body:
        scopes: list[tuple[Node, Body]]
        match item:
            case Literal(Aggregate() | SetAggregate() as aggregate):
                scopes = [(element, element.condition) for element in aggregate.elements]
            case nodes.ConditionalLiteral():
                scopes = [(item, item.condition)]
            case _:
                scopes = [(item, ())]
        for scope, condition in scopes:
            needed = (*outer, *_needed(condition, tables))
            yield from ((atom, needed) for atom in every(Atom, scope))


def _needed(literals: Body, tables: Collection[Signature]) -> tuple[Atom, ...]:
    return tuple(
        item.atom
        for item in literals
        if isinstance(item, Literal)
        and item.sign is Sign.POSITIVE
        and isinstance(item.atom, Atom)
        and item.atom.signature in tables
    )


def ways(begin: Term, tables: tuple[Atom, ...]) -> Iterator[tuple[Term, tuple[TableStep, ...]]]:
    """The terms to which tables lead from one, that one first, and how they do."""
    paths: list[tuple[tuple[Term, ...], tuple[TableStep, ...]]] = [((begin,), ())]
    for seen, lookups in paths:
        yield seen[-1], lookups
        if len(lookups) == MOST_LOOKUPS:
            continue
        for table in tables:
            for given, term in enumerate(table.arguments):
                for found, other in enumerate(table.arguments):
                    if term == seen[-1] and other not in seen and is_settled(other):
                        lookup = TableStep(table.signature, given, found)
                        paths.append(((*seen, other), (*lookups, lookup)))


def is_settled(term: Term) -> bool:
    """Whether a term has one value in an instance of a rule."""
    has_any = any(variable.is_anonymous for variable in every(nodes.Variable, term))
    return not (has_any or has_call(term) or has_interval(term))
