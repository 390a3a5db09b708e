"""The rules of a program, and with which arguments they compute something."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.planning.lookups import Lookup
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import LARGEST_INTEGER, SMALLEST_INTEGER, Node, Signature, Statement, Term
from lars2asp.syntax.traversal import every

Range = tuple[int, int]
"""The least and the greatest number; where the least is greater there is none."""

Place = tuple[Signature, int]
"""An argument of a predicate."""


class ComputedRules:
    """The rules of one program.

    Args:
        statements: all of it, those with lookups as `lookups` has them.
        constants: the integers that constants stand for.
        values: the terms that constants stand for.
        now: the name of the parameter that is the tick.
        lookup_of: gives the lookup of a literal that makes one.

    Attributes:
        rules: the statements but for declarations and plain facts.
        facts: the ranges of the arguments of plain facts.
        facts_number: how many of these there are.
    """

    def __init__(
        self,
        statements: Iterable[Statement],
        constants: Mapping[str, int],
        values: Mapping[str, Term],
        now: str,
        lookup_of: Any,
    ) -> None:
        self.constants, self.values = constants, values
        self.now, self.lookup_of = now, lookup_of
        facts: list[Statement] = []
        self.rules: list[Statement] = []
        for one in statements:
            if not isinstance(one, nodes.Declaration):
                (facts if nodes.is_plain_fact(one) else self.rules).append(one)
        self.facts, self.facts_number = self._facts(facts), len(facts)

    def _facts(self, facts: Iterable[Statement]) -> dict[Place, Range]:
        """The ranges of the numbers in the arguments of plain facts."""
        found: dict[Place, Range] = {}
        for fact in facts:
            atom: Any = fact.head  # type: ignore[union-attr]
            signature = atom.signature
            for place, term in enumerate(atom.arguments):
                for number in (term.value,) if isinstance(term, nodes.Number) else self._numbers(term):
                    low, high = found.get((signature, place), (number, number))
                    found[signature, place] = min(low, number), max(high, number)
        return found

    def _numbers(self, term: Term) -> Iterator[int]:
        """The numbers in a term of a plain fact, also those that constants stand for."""
        value = integer_value(term, self.constants)
        if value is not None:
            yield value
        elif isinstance(term, nodes.Function):
            meant = None if term.arguments else self.values.get(term.name)
            arguments: Sequence[Term] = term.arguments if meant is None else (meant,)
            for argument in arguments:
                yield from self._numbers(argument)

    @cached_property
    def has_narrow_numbers(self) -> bool:
        """Whether all numbers that are written have 32 bits."""
        names = {one.name for one in every(nodes.Function, *self.rules) if not one.arguments}
        values = [term for name, term in self.values.items() if name in names]
        ranges = self.facts.values()
        return all(one.value <= LARGEST_INTEGER for one in every(nodes.Number, *self.rules, *values)) and all(
            low >= -LARGEST_INTEGER and high <= LARGEST_INTEGER for low, high in ranges
        )

    @cached_property
    def is_free(self) -> bool:
        """Whether nothing is computed, so that no number matters but those of which clingo has none."""
        return not any(map(self._computes, self.rules))

    def _computes(self, statement: Statement) -> bool:
        for node in _nodes(statement):
            if isinstance(node, nodes.Aggregate | nodes.HeadAggregate):
                if node.function in ("#sum", "#sum+"):
                    return True
            elif isinstance(node, nodes.BinaryOperation | nodes.UnaryOperation | nodes.Absolute) and (
                integer_value(node, self.constants) is None or not _is_narrow(node, self.constants)
            ):
                return True
        return isinstance(statement, nodes.WeakConstraint | nodes.Heuristic)

    @cached_property
    def relevant(self) -> frozenset[tuple[Lookup, int]]:
        """The arguments of lookups with which something is computed."""
        places: set[Place] = set()
        found: set[tuple[Lookup, int]] = set()
        is_changed = not self.is_free
        while is_changed:
            is_changed = False
            for statement in self.rules:
                names = self._relevant_names(statement, places)
                for node in _nodes(statement):
                    if isinstance(node, nodes.Atom):
                        for place, term in enumerate(node.arguments):
                            if (node.signature, place) not in places and _has_any(term, names):
                                places.add((node.signature, place))
                                is_changed = True
                    elif isinstance(node, nodes.Literal) and (lookup := self.lookup_of(node)) is not None:
                        for place, term in enumerate(pattern_of(node)):
                            if _has_any(term, names):
                                found.add((lookup, place))
        return frozenset(found)

    def _relevant_names(self, statement: Statement, places: set[Place]) -> set[str]:
        names: set[str] = set()
        equated: list[set[str]] = []
        asked = {id(one.atom) for one in every(nodes.Literal, statement) if self.lookup_of(one) is not None}
        for node in _nodes(statement):
            match node:
                case nodes.BinaryOperation() | nodes.UnaryOperation() | nodes.Absolute():
                    names |= {one.name for one in every(nodes.Variable, node)}
                case nodes.Aggregate(_, elements, left, right) | nodes.HeadAggregate(
                    _, elements, left, right
                ):
                    terms = [one.terms[0] for one in elements if one.terms]
                    guards = [one.term for one in (left, right) if one is not None]
                    equated.append({one.name for one in every(nodes.Variable, *terms, *guards)})
                    if node.function in ("#sum", "#sum+"):
                        names |= {one.name for one in every(nodes.Variable, *terms)}
                case nodes.Comparison() if id(node) not in asked:
                    equated.append({one.name for one in every(nodes.Variable, node)})
                case nodes.WeakConstraint(_, weight, priority):
                    names |= {one.name for one in every(nodes.Variable, weight, priority)}
                case nodes.Heuristic(_, _, weight, priority):
                    names |= {one.name for one in every(nodes.Variable, weight, priority)}
                case nodes.Atom(_, arguments):
                    for place, term in enumerate(arguments):
                        if (node.signature, place) in places:
                            names |= {one.name for one in every(nodes.Variable, term)}
        while any(one & names and not one <= names for one in equated):
            for one in equated:
                if one & names:
                    names |= one
        return names


def _nodes(statement: Node) -> Iterator[Node]:
    return every(Node, statement)


def _has_any(term: Term, names: set[str]) -> bool:
    return any(one.name in names for one in every(nodes.Variable, term))


def _is_narrow(term: Term, constants: Mapping[str, int]) -> bool:
    """Whether a term of constants, and each in it, has 32 bits."""
    for part in every(Node, term):
        value = integer_value(part, constants) if isinstance(part, nodes.Term) else None
        if value is not None and not SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
            return False
    return True


def pattern_of(literal: Any) -> list[Term]:
    """The terms of the answer to a lookup: the arguments of atoms, and the tick or number."""
    term = literal.atom.term
    if isinstance(term, nodes.UnaryOperation):
        term = term.argument
    if isinstance(term, nodes.Tuple) and literal.lookup.signature is not None:
        atom, tick = term.arguments
        atom = atom.argument if isinstance(atom, nodes.UnaryOperation) else atom
        return [*getattr(atom, "arguments", ()), tick]
    return [*getattr(term, "arguments", ())]


def head_signatures(statement: Statement) -> Iterator[Signature]:
    """The predicates of the head of a statement."""
    return (atom.signature for atom in head_atoms_of(statement))


def head_atoms_of(statement: Statement) -> Iterator[nodes.Atom]:
    """The atoms of the head of a statement, or of an external."""
    if isinstance(statement, nodes.External):
        yield statement.atom
    head = getattr(statement, "head", None)
    match head:
        case nodes.Atom():
            yield head
        case nodes.Disjunction(elements) | nodes.SetAggregate(elements) | nodes.HeadAggregate(_, elements):
            for one in elements:
                yield from every(nodes.Atom, one.literal)
