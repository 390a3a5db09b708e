"""Which windows an atom begins: `[since b(X)]` has one for each value of X."""

from collections.abc import Iterable

from lars2asp.analysis.windows import Since
from lars2asp.externals.terms.ground_terms import ground_value
from lars2asp.externals.terms.places import picking
from lars2asp.externals.terms.terms import Row


class Beginnings:
    """Finds the keys of the windows that rows begin: the values that both atoms share.

    Args:
        window: the kind of windows.
    """

    def __init__(self, window: Since) -> None:
        self._key = picking([window.key.index(position) for position in window.positions])
        self._equal = [
            (place, window.key.index(one))
            for place, one in enumerate(window.key)
            if isinstance(one, int) and window.key.index(one) != place
        ]
        self._values = [
            (place, ground_value(one))
            for place, one in enumerate(window.key)
            if one is not None and not isinstance(one, int)
        ]

    def keys(self, rows: Iterable[Row]) -> Iterable[Row]:
        """The keys, each once."""
        if self._equal or self._values:
            rows = filter(self._fits, rows)
        return dict.fromkeys(map(self._key, rows))

    def _fits(self, row: Row) -> bool:
        """Whether a row has the given values, and equal values for equal variables."""
        return all(row[place] == value for place, value in self._values) and all(
            row[place] == row[other] for place, other in self._equal
        )
