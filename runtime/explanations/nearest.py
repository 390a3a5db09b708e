"""How near the atoms that the input told come to one that it did not tell."""

from collections.abc import Sequence
from typing import NamedTuple

from lars2asp.externals.terms.terms import Row, Value
from lars2asp.runtime.explanations.terms import Binding, Terms
from lars2asp.syntax import nodes

MOST_LOOKED_AT = 10_000
"""The number of the last arrivals of a predicate among which the nearest is looked for: some milliseconds."""


class Sought(NamedTuple):
    """The arguments of an atom whose values are known, by their places."""

    arguments: Sequence[tuple[int, Value]]

    @classmethod
    def of(cls, atom: nodes.Atom, binding: Binding, now: int, terms: Terms) -> "Sought":
        """Those of an atom with the values of variables."""
        values = (
            (place, terms.value(argument, binding, now))
            for place, argument in enumerate(atom.arguments)
            if terms.is_bound(argument, binding)
        )
        return cls([(place, value) for place, value in values if value is not None])

    @property
    def may_be_near(self) -> bool:
        """Whether another atom may come near: with one argument alone nothing would be the same."""
        return len(self.arguments) > 1

    def distance(self, row: Row) -> int | None:
        """In how many of them an atom differs; None where less than half are the same, or all."""
        differing = sum(1 for place, value in self.arguments if row[place] != value)
        return differing if 0 < 2 * differing <= len(self.arguments) else None
