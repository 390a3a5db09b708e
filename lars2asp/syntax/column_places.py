"""Columns that are named by their places in a table: `column(3)`."""

from collections.abc import Sequence

from lars2asp.syntax.source import shown

WORD = "column"

MOST_SHOWN = 400
"""The number of characters of a header in a message."""


class ColumnPlace(str):
    """`column(3)`: the name of the third column of a table, whatever its header says.

    A column with these characters in the header is another one.
    """

    __slots__ = ()

    @classmethod
    def of(cls, number: int) -> "ColumnPlace":
        """The name of a column, which are counted from 1."""
        return cls(f"{WORD}({number})")

    @property
    def number(self) -> int:
        """The place, from 1."""
        return int(self[len(WORD) + 1 : -1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ColumnPlace) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((WORD, self.number))


class MatchedName(str):
    """The name of a column of which `each K, V of columns` gives a fact, or of a field of it.

    Attributes:
        declared: what the declaration calls it.
    """

    declared: str

    @classmethod
    def of(cls, column: str, declared: str, value: str) -> "MatchedName":
        """The name of a column, or of the field that a declaration calls so, which calls the cell `value`."""
        found = cls(column + declared.removeprefix(value))
        found.declared = declared
        return found


def places_of(name: str, header: Sequence[object]) -> list[int]:
    """The places of the columns of a name; where none has it, those of the names that only differ in case."""
    if isinstance(name, ColumnPlace):
        return [name.number - 1] if 1 <= name.number <= len(header) else []
    if found := [place for place, one in enumerate(header) if one == name]:
        return found
    folded = name.casefold()
    return [place for place, one in enumerate(header) if isinstance(one, str) and one.casefold() == folded]


def place_of(name: str, header: Sequence[object], asked: str = "") -> int:
    """The place of a column in a header, from 0.

    Raises LookupError, which says why there is none, behind the column also what asks for it.
    """
    places = places_of(name, header)
    if len(places) == 1:
        return places[0]
    known = shown(", ".join(map(repr, header)), MOST_SHOWN)
    are = f"the columns are {known}" if header else "there are no columns"
    if isinstance(name, ColumnPlace):
        raise LookupError(f"no {name}{asked}; {are}")
    if not places:
        raise LookupError(f"no column {name!r}{asked}; {are}")
    told = " or ".join(ColumnPlace.of(place + 1) for place in places)
    if name not in header:
        found = shown(" and ".join(repr(header[place]) for place in places), MOST_SHOWN)
        raise LookupError(f"no column {name!r}{asked}, and {found} differ only in case: write {told}")
    raise LookupError(f"more than one column {name!r}{asked}; {are}: write {told}")


def has_column(name: str, header: Sequence[object]) -> bool:
    """Whether a header has a column, or several of its name."""
    return bool(places_of(name, header))
