"""What rows tell by several declarations; equal rows share what they tell."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any

from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Value
from lars2asp.runtime.sources.records import LEFT_OUT, NO_FACT, UNTAKEN, made_of
from lars2asp.syntax.nodes import Signature

MOST_KNOWN = 10_000
"""The number of different rows, or cells of a column, that are kept with what they tell."""

LONGEST_KNOWN = 100
"""In characters: longer cells are not kept."""


class Wrong:
    """Stands for the value of a cell that cannot be converted.

    Attributes:
        reason: what is wrong.
    """

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


Found = Value | Wrong | None
"""What a cell stands for; None: it is missing."""

RowFact = AtomRows | Wrong | None
"""What a row tells by one declaration; None: a cell is missing, and none is wrong."""


def fact_of(signature: Signature, values: Sequence[Found]) -> RowFact:
    """The fact of the values of a row."""
    if Wrong in map(type, values):
        return next(value for value in values if type(value) is Wrong)
    if None in values:
        return None
    return AtomRows(signature, [tuple(values)])  # type: ignore[arg-type]


class RowEvents:
    """The events of rows, with an atom for each declaration.

    A declaration with a missing cell gives no atom; a row with a wrong one tells nothing.

    Args:
        signatures: those of the declarations.
        values: for each argument of each declaration what gives the value of a cell; None: cells are values.
        filtered: for each declaration whether a column behind its arguments says which rows it takes: a bool,
            or what is wrong; empty if none has one.

    Attributes:
        has_empty: whether some of the rows that were read last may have no fact.
    """

    def __init__(
        self,
        signatures: Sequence[Signature],
        values: Sequence[Callable[[Any], Found]] | None = None,
        filtered: Sequence[bool] = (),
    ) -> None:
        self._signatures = signatures
        self._values = values
        self._filtered = filtered if any(filtered) else ()
        self._known: dict[tuple[Any, ...], Events | Wrong] = {}
        self._is_full = self._has_wrong = self.has_empty = False

    def of(self, columns: Sequence[Iterable[Any]], number: int) -> tuple[list[Events | Wrong], bool]:
        """What so many rows tell, given by the columns of the arguments; and whether some may be wrong."""
        rows = [*zip(*columns, strict=True)] if columns else [()] * number
        try:
            found = [*map(self._known.__getitem__, rows)]
        except KeyError:
            self._learn(rows)
            found = [*map(self._known.__getitem__, rows)]
        return found, self._has_wrong

    def _learn(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Keeps what the rows of a block tell."""
        new = dict.fromkeys(row for row in dict.fromkeys(rows) if row not in self._known)  # in their order
        if self._is_full or len(self._known) + len(new) > MOST_KNOWN:
            self._known, self._is_full, self._has_wrong, new = {}, False, False, dict.fromkeys(rows)
            self.has_empty = False
        told = [*self._facts(new)]
        if not self._filtered and {AtomRows}.issuperset(map(type, chain.from_iterable(told))):
            nothing = repeat(())
            found = made_of(Events, zip(*told, strict=True), nothing, nothing, repeat(None))
            self._known.update(zip(new, found, strict=False))
        else:
            some = [*map(_told, zip(*told, strict=True))]
            self._known.update(zip(new, some, strict=True))
            self._has_wrong = self._has_wrong or Wrong in map(type, some)
            self.has_empty = self.has_empty or NO_FACT in some
        texts = [cell for cell in chain.from_iterable(new) if type(cell) is str]
        self._is_full = max(map(len, texts), default=0) > LONGEST_KNOWN

    def _facts(self, rows: Collection[tuple[Any, ...]]) -> Iterator[list[RowFact]]:
        """For each declaration what rows tell by it."""
        columns: list[Any] = [*zip(*rows, strict=True)]
        first = 0
        for signature, has_filter in zip(self._signatures, self._filtered or repeat(False), strict=False):
            own = columns[first : first + signature.arity]
            taken = columns[first + signature.arity] if has_filter else ()
            if self._values is not None:
                values = self._values[first : first + signature.arity + has_filter]
                taken = [*map(values[-1], taken)] if has_filter else ()
                own = [_values_of(value, cells, taken) for value, cells in zip(values, own, strict=False)]
            first += signature.arity + has_filter
            here: Iterable[Any] = zip(*own, strict=True) if own else repeat((), len(rows))
            if has_filter:
                told = (fact_of(signature, row) for row in here)
                yield [fact_if(is_taken, fact) for is_taken, fact in zip(taken, told, strict=True)]
            elif any(None in column or Wrong in map(type, column) for column in own):
                yield [fact_of(signature, row) for row in here]
            else:
                yield [*made_of(AtomRows, repeat(signature), map(list, zip(here, strict=True)))]


def _values_of(
    value: Callable[[Any], Found], cells: Sequence[Any], taken: Sequence[bool | Wrong]
) -> list[Found]:
    """What cells stand for; those of rows that are not taken are not looked at."""
    if not taken:
        return [*map(value, cells)]
    return [value(cell) if is_taken is True else None for cell, is_taken in zip(cells, taken, strict=True)]


def fact_if(is_taken: bool | Wrong, fact: RowFact) -> RowFact:
    """What a row tells by a declaration with conditions."""
    return fact if is_taken is True else LEFT_OUT if is_taken is False else is_taken


def _told(facts: Sequence[RowFact]) -> Events | Wrong:
    """What a row tells by all declarations."""
    for fact in facts:
        if type(fact) is Wrong:
            return fact
    found = tuple(fact for fact in facts if type(fact) is AtomRows and fact is not LEFT_OUT)
    return Events(found) if found else NO_FACT if None in facts else UNTAKEN
