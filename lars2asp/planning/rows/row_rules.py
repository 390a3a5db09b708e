"""Rules over rows: what the evaluator `delta` makes code of.

The body of such a rule is a join of answers to lookups, with conditions and aggregates. Names of `#const` are
replaced by their values in all terms, and pools are written out. Variables keep their names; each `_` has a
name of its own, but for those under `not`, which stay: they are projected.

A *pattern* is a term that binds its variables where it is matched with a value: a variable, number, string or
extremum, a function or tuple of patterns, `-` in front of one of these, or linear arithmetic over one
variable that stands once (`linear` of lars2asp.analysis.arithmetic.linear_bounds gives factor and constant),
matched with integers only.
Intervals and calls of user functions stand as one side of an `=` only: they may have several values or none.
An instance in which a term is undefined (arithmetic over what is not an integer, say) does not exist; within
an aggregate, that is the instance of the element.
"""

from collections.abc import Iterable, Iterator
from dataclasses import field

from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Sign, Signature, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True, slots=True)
class LookupPart:
    """An answer to a lookup that holds, or none that does.

    Attributes:
        lookup: the lookup.
        terms: a term for each value of the answer's row: the arguments of the atom, then the tick or number
            where the lookup gives one. Without a sign they are patterns. With one they bind nothing; `_`
            stands for any value, by itself or within functions and tuples.
        sign: how often `not` stands in front.
        location: its place in the user's text.
    """

    lookup: Lookup
    terms: tuple[Term, ...]
    sign: Sign = Sign.POSITIVE
    location: Location = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        lookup = self.lookup
        details = [str(one) for one in (lookup.least, lookup.window) if one is not None]
        name = " ".join([lookup.kind.replace("_", " "), *details, str(lookup.signature or "")]).rstrip()
        return f"{'not ' * self.sign}{name}({_texts(self.terms)})"


@dataclass(frozen=True, slots=True)
class ConditionPart:
    """A comparison of two terms in clingo's order; `=` may bind variables of a side, the other being bound.

    Attributes:
        left: a term.
        comparison: `=`, `!=`, `<`, `<=`, `>` or `>=`.
        right: a term; with `=`, also an interval `a..b` or a call `@f(...)`: there is an instance for each
            value. Each side of `=` is a pattern or arithmetic over bound variables.
        location: its place in the user's text.
    """

    left: Term
    comparison: str
    right: Term
    location: Location = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{to_text(self.left)} {self.comparison} {to_text(self.right)}"


@dataclass(frozen=True, slots=True)
class ElementPart:
    """An element of an aggregate: its tuple, and the condition under which that counts."""

    terms: tuple[Term, ...]
    body: tuple["BodyPart", ...]

    def __str__(self) -> str:
        return f"{_texts(self.terms)} : {_together(self.body)}"


@dataclass(frozen=True, slots=True)
class AggregatePart:
    """An aggregate that is within its bounds, or has a value that is bound.

    Variables of elements that also stand outside of all elements are global: there is a value for each of
    theirs.

    Attributes:
        function: `#count`, `#sum`, `#sum+`, `#min` or `#max`.
        elements: its elements; there are no aggregates in them.
        guards: one or two comparisons and terms without arithmetic, each to be read as `value comparison
            term`; without a sign, `=` binds a variable.
        sign: how often `not` stands in front; with `not` nothing is bound.
        location: its place in the user's text.
    """

    function: str
    elements: tuple[ElementPart, ...]
    guards: tuple[tuple[str, Term], ...]
    sign: Sign = Sign.POSITIVE
    location: Location = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        guards = "".join(f" {comparison} {to_text(term)}" for comparison, term in self.guards)
        return f"{'not ' * self.sign}{self.function} {{ {'; '.join(map(str, self.elements))} }}{guards}"


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

    def __str__(self) -> str:
        head = f"{self.derives}({_texts(self.terms)})"
        return f"{head} :- {_together(self.body)}." if self.body else f"{head}."


def recursive_predicates(rules: Iterable[RowRule]) -> frozenset[Signature]:
    """The predicates that rules derive and look at, at the current tick."""
    lookups = (part.lookup for rule in rules for part in rule.body if isinstance(part, LookupPart))
    found = (lookup.signature for lookup in lookups if lookup.kind is LookupKind.OWN)
    return frozenset(signature for signature in found if signature is not None)


def input_rules(rules: Iterable[RowRule]) -> Iterable[RowRule]:
    """A rule for the input atoms of each recursive predicate, which count as derived."""
    for signature in sorted(recursive_predicates(rules)):
        terms = tuple(Variable(f"X{place}") for place in range(1, signature.arity + 1))
        yield RowRule(signature, terms, (LookupPart(Lookup(LookupKind.INPUT, signature), terms),))


def all_parts(parts: Iterable[BodyPart]) -> Iterator[BodyPart]:
    """The parts, and behind each the parts of its elements."""
    for part in parts:
        yield part
        if isinstance(part, AggregatePart):
            for element in part.elements:
                yield from all_parts(element.body)


def _texts(terms: tuple[Term, ...]) -> str:
    return ",".join(map(to_text, terms))


def _together(parts: tuple[BodyPart, ...]) -> str:
    return ", ".join(map(str, parts))
