"""The values at places of rows, and inside their terms."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import cast

from lars2asp.analysis.windows import Place
from lars2asp.externals.terms.terms import Row, Term, Value


def value_at(place: Place, row: Row) -> Value | None:
    """The term at a place of an atom; None if the atom has no such place."""
    first, *others = place
    found = row[first.position]
    for function, position in others:
        if function is None or not isinstance(found, Term) or not found.is_positive:
            return None
        if (found.name, len(found.arguments)) != (function.name, function.arity):
            return None
        found = found.arguments[position]
    return found


def picking(places: Sequence[int]) -> Callable[[Row], Row]:
    """Returns a function that picks the values of a row at places, as a row."""
    if len(places) == 1:
        [place] = places
        return lambda row: (row[place],)
    return cast(Callable[[Row], Row], itemgetter(*places)) if places else lambda row: ()
