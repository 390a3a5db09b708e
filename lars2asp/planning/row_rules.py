"""Rules over rows: what the evaluator `delta` makes code of.

The body of such a rule is a join of answers to lookups, with conditions and aggregates. Names of `#const` are
replaced by their values in all terms, and pools are written out. Variables keep their names; each `_` has a
name of its own, but for those under `not`, which stay: they are projected.
"""

from dataclasses import dataclass, field

from lars2asp.planning.lookups import Lookup
from lars2asp.syntax.nodes import Sign, Signature, Term
from lars2asp.syntax.source import NOWHERE, Location


@dataclass(frozen=True, slots=True)
class LookupPart:
    """An answer to a lookup that holds, or none that does.

    Attributes:
        lookup: the lookup.
        terms: a term for each value of the answer's row: the arguments of the atom, then the tick or number
            where the lookup gives one. Without a sign they may bind variables: a variable, a function or
            tuple of such terms, or linear arithmetic over one variable.
        sign: how often `not` stands in front; only parts without a sign bind variables.
        location: its place in the user's text.
    """

    lookup: Lookup
    terms: tuple[Term, ...]
    sign: Sign = Sign.POSITIVE
    location: Location = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ConditionPart:
    """A comparison of two terms in clingo's order; `=` may bind variables of a side, the other being bound.

    Attributes:
        left: a term.
        comparison: `=`, `!=`, `<`, `<=`, `>` or `>=`.
        right: a term; an interval `a..b` only with `=`.
        location: its place in the user's text.
    """

    left: Term
    comparison: str
    right: Term
    location: Location = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ElementPart:
    """An element of an aggregate: its tuple, and the condition under which that counts."""

    terms: tuple[Term, ...]
    body: tuple["BodyPart", ...]


@dataclass(frozen=True, slots=True)
class AggregatePart:
    """An aggregate that is within its bounds, or has a value that is bound.

    Variables of elements that also stand outside of all elements are global: there is a value for each of theirs.

    Attributes:
        function: `#count`, `#sum`, `#sum+`, `#min` or `#max`.
        elements: its elements.
        guards: comparisons and terms, each to be read as `value comparison term`; `=` may bind a variable.
        sign: how often `not` stands in front; with `not` nothing is bound.
        location: its place in the user's text.
    """

    function: str
    elements: tuple[ElementPart, ...]
    guards: tuple[tuple[str, Term], ...]
    sign: Sign = Sign.POSITIVE
    location: Location = field(default=NOWHERE, compare=False, repr=False)


BodyPart = LookupPart | ConditionPart | AggregatePart


@dataclass(frozen=True, slots=True)
class RowRule:
    """A rule over rows.

    Attributes:
        derives: the predicate that it derives.
        terms: the arguments of the atom that it derives.
        body: its body; a rule that cannot fire (`#false`) is left out beforehand.
        location: its place in the user's text.
    """

    derives: Signature
    terms: tuple[Term, ...]
    body: tuple[BodyPart, ...]
    location: Location = field(default=NOWHERE, compare=False, repr=False)

    @property
    def is_fact(self) -> bool:
        """Whether its body is empty."""
        return not self.body
