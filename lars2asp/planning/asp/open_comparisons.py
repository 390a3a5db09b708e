"""The comparisons of a program in which numbers may meet other values, and text that looks at what meets.

    hot(R) :- reading(R,T), limit(L), T > L.

compares in clingo's order, in which texts are above all numbers, if the input may tell both.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.planning.asp.asp_program import AspProgram, lookup_of
from lars2asp.planning.asp.computed_rules import head_atoms_of, pattern_of
from lars2asp.planning.lookups import Lookup
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Node, Signature, Statement, Term, Variable
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import every, rewrite

_ORDER = ("<", "<=", ">", ">=")


class OpenComparison(NamedTuple):
    """A comparison in which numbers may meet other values.

    Attributes:
        rule: which of the drafts it stands in.
        left: its left side.
        comparison: its sign.
        right: its right side.
        origin: the place of the rule in the user's text.
        places: the arguments of lookups that its variables may have their values from.
        kinds: what else it compares for certain: True for numbers, False for other values.
    """

    rule: int
    left: Term
    comparison: str
    right: Term
    origin: Location
    places: frozenset[tuple[Lookup, int]]
    kinds: frozenset[bool]


def open_comparisons(
    program: AspProgram, is_open: Callable[[Signature, int], bool]
) -> tuple[OpenComparison, ...]:
    """Those of a program; `is_open` says whether an argument of a predicate may have values of any kind."""
    found: list[OpenComparison] = []
    sources: _Sources | None = None
    for number, draft in enumerate(program.drafts):
        if draft.background is None:
            for left, sign, right in _compared(draft.statement):
                if sources is None:
                    sources = _Sources(program)
                places, kinds = sources.of(draft.statement, (left, right))
                if any(
                    one.signature is not None
                    and place < one.signature.arity
                    and is_open(one.signature, place)
                    for one, place in places
                ):
                    found.append(OpenComparison(number, left, sign, right, draft.origin, places, kinds))
    return tuple(found)


def looking(program: AspProgram, comparisons: Collection[OpenComparison], name: str) -> AspProgram:
    """The program in which `@name(number, left, right)`, which is `left`, as the left side of these."""
    drafts = [*program.drafts]
    for number, one in enumerate(comparisons):
        draft = drafts[one.rule]
        call = nodes.Function(name, (nodes.Number(number), one.left, one.right), True)
        drafts[one.rule] = draft._replace(statement=rewrite(draft.statement, partial(_calling, one, call)))
    return replace(program, drafts=tuple(drafts))


def _calling(one: OpenComparison, call: Term, node: Node) -> Node:
    """A literal in which a call stands on the left side of a comparison; any other node as it is."""
    for place, compared in enumerate(_compared_by(node)):
        if compared == (one.left, one.comparison, one.right):
            atom: nodes.Comparison = node.atom  # type: ignore[attr-defined]
            guards = [*atom.guards]
            if place:
                guards[place - 1] = replace(guards[place - 1], term=call)
            atom = replace(atom, term=atom.term if place else call, guards=tuple(guards))
            node = replace(node, atom=atom)  # type: ignore[call-arg]
    return node


def _compared_by(literal: Node) -> Iterator[tuple[Term, str, Term]]:
    """The pairs of terms that a literal compares, with the sign between them."""
    if not isinstance(literal, nodes.Literal) or lookup_of(literal) is not None:
        return
    if isinstance(literal.atom, nodes.Comparison):
        sides = [literal.atom.term, *(guard.term for guard in literal.atom.guards)]
        for guard, (left, right) in zip(literal.atom.guards, pairwise(sides), strict=True):
            yield left, guard.comparison, right


def _compared(statement: Statement) -> Iterator[tuple[Term, str, Term]]:
    """The comparisons by order of a statement in which a variable meets another one, or a number."""
    for node in every(nodes.Literal, statement):
        for left, sign, right in _compared_by(node):
            if sign in _ORDER and (isinstance(left, Variable) or isinstance(right, Variable)):
                others = [one for one in (left, right) if not isinstance(one, Variable)]
                if all(_kind(one) for one in others):
                    yield left, sign, right


def _kind(term: Term) -> bool | None:
    """Whether a term is a number for certain, or for certain none; None where neither is known."""
    match term:
        case nodes.Number() | nodes.BinaryOperation() | nodes.Absolute():
            return True
        case nodes.UnaryOperation(_, argument):
            return _kind(argument)
        case nodes.String() | nodes.Tuple():
            return False
        case nodes.Function(is_external=False):
            return integer_value(term, {}) is not None
        case _:
            return None


class _Sources:
    """Where the values of variables come from, as far as kinds go: more places rather than too few."""

    def __init__(self, program: AspProgram) -> None:
        self._constants = program.constants
        self._deriving: dict[tuple[Signature, int], list[tuple[Statement, Term]]] = {}
        for draft in program.drafts:
            for atom in head_atoms_of(draft.statement):
                for place, term in enumerate(atom.arguments):
                    self._deriving.setdefault((atom.signature, place), []).append((draft.statement, term))

    def of(
        self, statement: Statement, terms: Collection[Term]
    ) -> tuple[frozenset[tuple[Lookup, int]], frozenset[bool]]:
        """The arguments of lookups that terms of a statement may have their values from, and other kinds."""
        places: set[tuple[Lookup, int]] = set()
        kinds: set[bool] = set()
        seen: set[tuple[Signature, int]] = set()
        pending = [(statement, term) for term in terms]
        while pending:
            where, term = pending.pop()
            if not isinstance(term, Variable):
                kind = True if integer_value(term, self._constants) is not None else _kind(term)
                kinds |= {True, False} if kind is None else {kind}
                continue
            names = _equal_names(where, term.name)
            for node in every(Node, where):
                if isinstance(node, nodes.Literal) and (lookup := lookup_of(node)) is not None:
                    for place, one in enumerate(pattern_of(node)):
                        if isinstance(one, Variable) and one.name in names:
                            places.add((lookup, place))
                elif isinstance(node, nodes.Atom):
                    for place, one in enumerate(node.arguments):
                        key = node.signature, place
                        if isinstance(one, Variable) and one.name in names and key not in seen:
                            seen.add(key)
                            pending += self._deriving.get(key, ())
        return frozenset(places), frozenset(kinds)


def _equal_names(statement: Statement, name: str) -> set[str]:
    """The variables of a statement that equations and aggregates make one with a variable."""
    equal = [
        {one.name for one in every(Variable, node)}
        for node in every(Node, statement)
        if isinstance(node, nodes.Aggregate)
        or (isinstance(node, nodes.Comparison) and any(one.comparison == "=" for one in node.guards))
    ]
    names = {name}
    while more := [one for one in equal if one & names and not one <= names]:
        names = names.union(*more)
    return names
