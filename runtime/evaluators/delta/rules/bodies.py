"""Bodies of rules as code is made of them: joins of relations, with tests and computed variables.

A relation is a set of rows that changes. Members of bodies have variables in all places; what else may
stand in an answer's pattern is in the relation's shape, or an equation for a variable.
"""

from collections.abc import Hashable, Iterator
from dataclasses import field, replace

from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.runtime.evaluators.delta.rules.term_forms import substituted, variables_in
from lars2asp.syntax.nodes import Term, Variable
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """The answers to a lookup that match terms, as rows of the values of some variables.

    Attributes:
        lookup: the lookup.
        terms: for each place a variable, a ground term, or a function or tuple of such terms; `_` is any
            value.
        kept: the variables whose values make the rows.
    """

    lookup: Lookup
    terms: tuple[Term, ...]
    kept: tuple[str, ...]

    @property
    def is_plain(self) -> bool:
        """Whether each answer is a row as it is."""
        return self.terms == tuple(map(Variable, self.kept))

    @property
    def is_projection(self) -> bool:
        """Whether several answers may make the same row."""
        return any(name not in self.kept for term in self.terms for name in variables_in(term))


@dataclass(frozen=True, slots=True)
class Member:
    """A row of a relation that is there, or is not.

    Attributes:
        relation: the key of the relation: a shape, or another value.
        variables: a variable for each column.
        is_negative: whether the row is not there.
    """

    relation: Hashable
    variables: tuple[str, ...]
    is_negative: bool = False


@dataclass(frozen=True, slots=True)
class Test:
    """Comparisons of terms that are all true, or not all."""

    comparisons: tuple[tuple[Term, str, Term], ...]
    is_negative: bool = False


@dataclass(frozen=True, slots=True)
class Equation:
    """The variable has the value of the term; may bind the variable, or those of the term.

    Attributes:
        variable: the variable.
        term: the term, without intervals and calls.
    """

    variable: str
    term: Term


@dataclass(frozen=True, slots=True)
class Choice:
    """The variable has one of the values of an interval or call."""

    variable: str
    term: Term


@dataclass(frozen=True, slots=True)
class GroupValue:
    """The variable has the value of an aggregate for a group.

    Attributes:
        relation: the key of the relation of groups and values.
        group: the variables of the group.
        variable: the variable.
    """

    relation: Hashable
    group: tuple[str, ...]
    variable: str


Conjunct = Member | Test | Equation | Choice | GroupValue


def variables_of(part: Conjunct) -> Iterator[str]:
    """The variables of a part, as often as they stand there."""
    match part:
        case Member(_, variables):
            yield from variables
        case Test(comparisons):
            for left, _, right in comparisons:
                yield from variables_in(left)
                yield from variables_in(right)
        case Equation(variable, term) | Choice(variable, term):
            yield variable
            yield from variables_in(term)
        case GroupValue(_, group, variable):
            yield from group
            yield variable


def renamed(part: Conjunct, names: dict[str, str]) -> Conjunct:
    """The part with other names for its variables."""
    terms: dict[str, Term] = {name: Variable(other) for name, other in names.items()}
    match part:
        case Member(_, variables):
            return replace(part, variables=tuple(names[name] for name in variables))
        case Test(comparisons):
            found = tuple(
                (substituted(left, terms), comparison, substituted(right, terms))
                for left, comparison, right in comparisons
            )
            return replace(part, comparisons=found)
        case Equation(variable, term) | Choice(variable, term):
            return replace(part, variable=names[variable], term=substituted(term, terms))
        case GroupValue(_, group, variable):
            return replace(part, group=tuple(names[name] for name in group), variable=names[variable])


@dataclass(frozen=True, slots=True)
class RowBody:
    """What must be true together.

    Attributes:
        parts: the parts.
        location: the place in the user's text.
    """

    parts: tuple[Conjunct, ...]
    location: Location = field(default=NOWHERE, compare=False, repr=False)

    @property
    def is_input(self) -> bool:
        """Whether it says no more than that an atom is input."""
        shapes = [part.relation for part in self.parts if isinstance(part, Member)]
        return any(isinstance(one, Shape) and one.lookup.kind is LookupKind.INPUT for one in shapes)

    def canonical(self) -> tuple["RowBody", dict[str, str]]:
        """The body with variables named by the order in which they come, and the names that they had."""
        names: dict[str, str] = {}
        for part in self.parts:
            for name in variables_of(part):
                names.setdefault(name, f"V{len(names)}")
        parts = tuple(renamed(part, names) for part in self.parts)
        return RowBody(parts, self.location), {canonical: name for name, canonical in names.items()}


@dataclass(frozen=True, slots=True)
class NormalRule:
    """A rule, or an element of an aggregate.

    Attributes:
        terms: what is derived: the arguments of the head, or the tuple.
        body: the body; members that are not there come last, so that an instance which begins by a change is
            counted before one that ceases.
    """

    terms: tuple[Term, ...]
    body: RowBody

    def canonical(self) -> "NormalRule":
        """The rule with variables named by the order in which they come in the body."""
        body, names = self.body.canonical()
        to_canonical: dict[str, Term] = {name: Variable(found) for found, name in names.items()}
        return NormalRule(tuple(substituted(term, to_canonical) for term in self.terms), body)
