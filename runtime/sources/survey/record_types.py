"""Columns that say of what type a row is, so that others are filled for some types alone."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lars2asp.runtime.sources.survey.column_kinds import ColumnKind, column_text
from lars2asp.runtime.sources.survey.time_columns import words_of
from lars2asp.syntax.string_escapes import quoted

MOST_TYPES = 20
"""A column with more different cells says no types."""

FEWEST_OF_TYPES = 3
"""So many rows have a column, and so many do not, as their types say."""

_WORDS = {
    *("type", "typ", "kind", "event", "events", "action", "category", "class", "operation", "op", "method"),
    *("message", "msg", "record", "rec", "entry", "activity", "command", "topic", "subject", "evt", "art"),
}
"""Words of columns with types."""


class RecordTypes(NamedTuple):
    """A column with types.

    Attributes:
        column: that column.
        own: for each type that has some the columns that others lack; whether all its rows fill them.
        rows: for each type its rows, by their places.
    """

    column: ColumnKind
    own: Mapping[str, Sequence[tuple[ColumnKind, bool]]]
    rows: Mapping[str, Sequence[int]]

    @property
    def columns(self) -> set[str]:
        """The names of the columns that are filled for some types alone."""
        return {kind.name for some in self.own.values() for kind, _ in some}

    def condition(self, value: str) -> str:
        """What a declaration says of a type."""
        return f"{column_text(self.column.name)} = {value if self.column.is_number else quoted(value)}"


def types_of(
    kinds: Sequence[ColumnKind], filled: Mapping[str, bytes], cells_of: Mapping[str, Sequence[str]]
) -> RecordTypes | None:
    """The column that says which others a row fills, if there is one.

    Args:
        kinds: the columns.
        filled: which rows have a value in each.
        cells_of: the cells of columns.
    """
    for kind in kinds:
        is_named = not _WORDS.isdisjoint(words_of(kind.name)) and not kind.decimals
        if not is_named or not (kind.is_text or kind.is_number) or not all(filled[kind.name]):
            continue
        cells = cells_of[kind.name]
        counts = Counter(cells)
        if not 1 < len(counts) <= MOST_TYPES or any(cell != cell.strip() for cell in counts):
            continue
        own: dict[str, list[tuple[ColumnKind, bool]]] = {}
        for other in kinds:
            if not all(filled[other.name]):
                for value, is_always in _having(other, filled[other.name], cells, counts):
                    own.setdefault(value, []).append((other, is_always))
        if own:
            rows: dict[str, list[int]] = {value: [] for value in own}
            for place, cell in enumerate(cells):
                if cell in rows:
                    rows[cell].append(place)
            return RecordTypes(kind, own, rows)
    return None


def _having(
    kind: ColumnKind, filled: bytes, cells: Sequence[str], counts: Mapping[str, int]
) -> Iterator[tuple[str, bool]]:
    """The types that fill a column, and whether all their rows do; none if types do not say it."""
    there = Counter(cell for cell, is_there in zip(cells, filled, strict=True) if is_there)
    always = sum(counts[one] for one in there if there[one] == counts[one])
    never = sum(counts[one] for one in counts if not there[one])
    is_said = min(always, never) >= FEWEST_OF_TYPES
    if is_said and (kind.is_text or all(there[one] == counts[one] for one in there)):
        yield from ((one, there[one] == counts[one]) for one in counts if there[one])
