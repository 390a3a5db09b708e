"""Rules that are joins: their terms are variables and ground terms, without anything to compute.

The evaluator `delta` finds their instances by itself, without clingo.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lars2asp.analysis.constants import integer_value
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.names import Names
from lars2asp.syntax.nodes import (
    Atom,
    Comparison,
    Extremum,
    Function,
    Number,
    Signature,
    String,
    Term,
    Tuple,
    Variable,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import walk

MOST_JOINED = 12
"""Rules with more atoms in their positive body are left to clingo: code has a loop in a loop for each."""

JoinTerm = int | str
"""A variable, by its number, or the text of a ground term."""


@dataclass(frozen=True, slots=True)
class JoinMember:
    """One of the answers to a lookup, by the terms of the atom.

    Attributes:
        lookup: the lookup.
        terms: the arguments of the atom, and the number where the answer is a pair of atom and number.
    """

    lookup: Lookup
    terms: tuple[JoinTerm, ...]

    @property
    def is_pair(self) -> bool:
        """Whether the answer is a pair of an atom and a number."""
        return self.lookup.signature is not None and len(self.terms) > self.lookup.signature.arity


@dataclass(frozen=True, slots=True)
class JoinBody:
    """The body of such a rule; variables are numbered by where they come first.

    Attributes:
        positive: the answers that must hold; all variables stand there.
        negative: the answers that must not hold; no lookup is in it twice, or in `positive` as well.
        comparisons: each a term, a sign and a term.
    """

    positive: tuple[JoinMember, ...]
    negative: tuple[JoinMember, ...]
    comparisons: tuple[tuple[JoinTerm, str, JoinTerm], ...]


@dataclass(frozen=True, slots=True)
class JoinRule:
    """A rule that is a join.

    Attributes:
        head: the predicate that it derives.
        terms: the arguments of the atom that it derives.
        body: its body.
    """

    head: Signature
    terms: tuple[JoinTerm, ...]
    body: JoinBody

    @property
    def is_fact(self) -> bool:
        """Whether its body is empty."""
        return not (self.body.positive or self.body.negative or self.body.comparisons)


TermMember = tuple[Lookup, Sequence[Term]]
"""A lookup, and the terms of one of its answers."""


def join_rule(
    head: Atom,
    positive: Sequence[TermMember],
    negative: Sequence[TermMember],
    comparisons: Sequence[Comparison],
    names: Names,
    constants: Mapping[str, int],
) -> JoinRule | None:
    """The rule as a join; None where it is more than that.

    Args:
        head: the atom that it derives.
        positive: the answers that must hold.
        negative: the answers that must not hold.
        comparisons: the comparisons of the body.
        names: know which names are constants.
        constants: the values of integer constants.
    """
    lookups = {lookup for lookup, _ in positive}
    lookups_of_others = [lookup for lookup, _ in negative]
    if len(positive) > MOST_JOINED or len({*lookups, *lookups_of_others}) < len(lookups) + len(negative):
        return None
    writer = _TermWriter(names, constants)
    try:
        compared = [one for comparison in comparisons for one in _pairs(comparison)]
        compared = [one for one in compared if not writer.unify(*one)]
        members = tuple(writer.member(*member) for member in positive)
        bound = writer.count
        others = tuple(writer.member(*member) for member in negative)
        conditions = tuple((writer.term(left), sign, writer.term(right)) for left, sign, right in compared)
        terms = tuple(map(writer.term, head.arguments))
    except _NoJoinError:
        return None
    if writer.count > bound:  # a variable stands in none of the answers that must hold
        return None
    return JoinRule(head.signature, terms, JoinBody(members, others, conditions))


class _NoJoinError(Exception):
    """A term must be taken apart or computed."""


class _TermWriter:
    """Numbers the variables of a rule in the order in which they come."""

    def __init__(self, names: Names, constants: Mapping[str, int]) -> None:
        self._names = names
        self._constants = constants
        self._numbers: dict[str, int] = {}
        self._equal: dict[str, str | Variable] = {}
        """For each variable that an equation replaces: a variable, or the text of a ground term."""

    @property
    def count(self) -> int:
        """The number of variables so far."""
        return len(self._numbers)

    def unify(self, left: Term, sign: str, right: Term) -> bool:
        """Whether it is an equation for a variable, which is replaced from now on."""
        one, other = self._found(left), self._found(right)
        if sign != "=" or not (isinstance(one, Variable) or isinstance(other, Variable)):
            return False
        if isinstance(one, Variable):
            if one != other:
                self._equal[one.name] = other
        elif isinstance(other, Variable):
            self._equal[other.name] = one
        return True

    def member(self, lookup: Lookup, terms: Sequence[Term]) -> JoinMember:
        return JoinMember(lookup, tuple(map(self.term, terms)))

    def term(self, term: Term) -> JoinTerm:
        found = self._found(term)
        if isinstance(found, Variable):
            return self._numbers.setdefault(found.name, len(self._numbers))
        return found

    def _found(self, term: Term) -> str | Variable:
        """A variable, or the text of a ground term."""
        if not isinstance(term, Variable):
            value = integer_value(term, self._constants)
            return self._ground(term) if value is None else str(value)
        found: str | Variable = term
        while isinstance(found, Variable) and found.name in self._equal:
            found = self._equal[found.name]
        if found == Variable("_"):
            raise _NoJoinError
        return found

    def _ground(self, term: Term) -> str:
        """The text of a ground term in which nothing is left to compute."""
        for part in walk(term):
            match part:
                case Function(name, arguments, is_external):
                    if is_external or (not arguments and name in self._names.constants):
                        raise _NoJoinError
                case Number() | String() | Extremum() | Tuple():
                    pass
                case _:
                    raise _NoJoinError
        return to_text(term)


def _pairs(comparison: Comparison) -> Iterator[tuple[Term, str, Term]]:
    """`a < b < c` is `a < b, b < c`."""
    left = comparison.term
    for guard in comparison.guards:
        yield left, guard.comparison, guard.term
        left = guard.term
