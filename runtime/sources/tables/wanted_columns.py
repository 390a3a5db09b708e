"""What declarations want of the columns of a table, by their names and by their places."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

from lars2asp.analysis.time_formats import EPOCH_FORMATS
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.column_places import MOST_SHOWN, ColumnPlace, has_column, place_of, places_of
from lars2asp.syntax.nodes import Column, Input
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

DATUM = re.compile(r"[+\-\u2212]?[0-9][0-9.,:/ TZ+\-]*")
"""A cell with a number or a time."""

_USUAL_TIMES = ("time",)


@dataclass(frozen=True)
class WantedColumns:
    """The columns that declarations name.

    Attributes:
        names: those that the header must have.
        width: the number of columns that there are at least.
        spreads: the declarations for which there must be columns by a pattern.
        times: where these are named by their places alone, for each declaration those of its time, and its
            format, None where it has none; so that a row is told from a header.
    """

    names: frozenset[str] = frozenset()
    width: int = 0
    times: Sequence[tuple[Sequence[ColumnPlace], TimeFormat | None]] = ()
    spreads: Sequence[Input] = ()

    @cached_property
    def _folded(self) -> frozenset[str]:
        """The names, where case does not count."""
        return frozenset(map(str.casefold, self.names))

    @classmethod
    def of(cls, declarations: Iterable[Input], timeline: Timeline) -> "WantedColumns":
        """Those of declarations; a time that rows need not have is not among them."""
        columns, times, spreads = list[str](), [], list[Input]()
        for one in declarations:
            if one.spread is not None and one.spread.is_of_columns:
                spreads.append(one)
            columns += one.column_names if is_stamped(one, timeline) else (*one.column_names, *one.all_times)
            for each in one.by_time:
                form = TimeFormat(each.time_format) if each.time_format else timeline.form
                times.append(([name for name in each.times if isinstance(name, ColumnPlace)], form))
        places = [one for one in columns if isinstance(one, ColumnPlace)]
        return cls(
            frozenset(columns) - {*places},
            max((one.number for one in places), default=0),
            [one for one in times if one[0]],
            spreads,
        )

    @classmethod
    def each(
        cls, declarations: Sequence[Input], timeline: Timeline, *, is_of_several: bool
    ) -> list["WantedColumns"]:
        """What the header of a table may have: all columns, or of several tables those of a declaration."""
        parts = [[one] for one in declarations] if is_of_several else [declarations]
        return [cls.of(part, timeline) for part in parts]

    @property
    def by_place(self) -> bool:
        """Whether all are named by their places, so that the header is not known by its names."""
        return bool(self.width) and not self.by_name

    @property
    def by_name(self) -> bool:
        """Whether the header is known by its names."""
        return bool(self.names or self.spreads)

    def are_in(self, cells: Collection[str]) -> bool:
        """Whether a header with these cells has them."""
        if len(cells) < self.width or not all(chosen_columns(one, [*cells]) for one in self.spreads):
            return False
        return self.names.issubset(cells) or self._folded.issubset(map(str.casefold, cells))

    def may_be_in(self, line: str) -> bool:
        """Whether a line has the names, wherever: else it is no header with them."""
        patterns = (one.spread.source for one in self.spreads if one.spread is not None)
        if not all(part in line for pattern in patterns for part in pattern.split("*")):
            return False
        if all(name in line for name in self.names):
            return True
        folded = line.casefold()
        return all(name in folded for name in self._folded)

    def is_row(self, cells: Sequence[str]) -> bool:
        """Whether the first line of a table with these columns is a row, as its time has the format."""
        if len(cells) < self.width:
            return False
        if not self.times:
            return has_datum(cells)
        return any(
            _is_time(" ".join(cells[one.number - 1] for one in places), form) for places, form in self.times
        )


def has_datum(cells: Iterable[str]) -> bool:
    """Whether a line has cells with numbers or times, as headers mostly have not."""
    return any(map(DATUM.fullmatch, cells))


def _is_time(text: str, form: TimeFormat | None) -> bool:
    if form is None or form.text in EPOCH_FORMATS:
        return text.lstrip("+-")[:1].isdigit()
    return form.search.fullmatch(text) is not None


def chosen_columns(declaration: Input, header: Sequence[object], name: str = "") -> list[int]:
    """The places of the columns for each of which `each K, V of columns` gives a fact.

    Raises InputError where there are none, if the table has a name.
    """
    spread = declaration.spread
    assert spread is not None
    named = {at for one in (*declaration.column_names, *declaration.all_times) for at in _places(one, header)}
    found = [at for at in spread.chosen(header) if at not in named]
    if name and not found:
        known = shown(", ".join(map(repr, header)), MOST_SHOWN)
        others = " except those that it names" if spread.chosen(header) else ""
        raise InputError(
            f'{name}: no column matches "{shown(spread.source)}" of #input '
            f"{declaration.predicate}{others}; the columns are {known}. The whole name must match; * "
            "means any characters"
        )
    return found


def _places(column: str, header: Sequence[object]) -> list[int]:
    """The places of a column, or of that which a path leads into."""
    if found := places_of(column, header):
        return found
    ends = [place for place, sign in enumerate(column) if sign == "."]
    return next(filter(None, (places_of(column[:end], header) for end in ends)), [])


def columns_read(declarations: Iterable[Input]) -> list[str]:
    """The columns that declarations name, each once."""
    names = ((*one.all_times, *one.column_names) for one in declarations)
    return [*dict.fromkeys(chain.from_iterable(names))]


def columns_needed(declarations: Iterable[Input], header: Sequence[str]) -> list[str]:
    """The same, with those of a table that match a pattern."""
    found = columns_read(declarations := [*declarations])
    for one in declarations:
        if one.spread is not None and one.spread.is_of_columns:
            found += [header[at] for at in chosen_columns(one, header)]
    return [*dict.fromkeys(found)]


def is_stamped(declaration: Input, timeline: Timeline) -> bool:
    """Whether rows without a time have that of their arrival; not where the declaration names its column."""
    return timeline.arrival is not None and declaration.all_times == _USUAL_TIMES


def fitting(declarations: Sequence[Input], fits: Callable[[Input], bool]) -> Sequence[Input]:
    """Of the declarations for several tables those that one fits; all where it fits none.

    Those that name columns by their places alone, which many tables have, count where it fits no others.
    """
    found = [one for one in declarations if fits(one)]
    named = [
        one
        for one in found
        if one.spread or any(not isinstance(name, ColumnPlace) for name in columns_read([one]))
    ]
    return named or found or declarations


def with_names(
    declaration: Input, header: Sequence[object], name: str, others: Sequence[object] = ()
) -> Input:
    """A declaration whose columns have the very names of those of a table, as far as it has them.

    Args:
        declaration: the declaration.
        header: the columns; fields of structs may follow behind a dot.
        name: that of the table.
        others: columns without places.

    Raises InputError where there is no column of a place, its name is none, or others have it too; and where
    several columns differ from a name in case alone.
    """
    known = [*header, *others]
    asked = f" for #input {declaration.predicate}"

    spread = declaration.spread

    def named(column: str) -> str:
        if spread is not None and spread.names(column):
            return column
        try:
            if not isinstance(column, ColumnPlace):
                return column if column in known else _as_written(column, known, asked)
            found = header[place_of(column, header, asked)]
        except LookupError as error:
            raise InputError(f"{name}: {error}") from error
        if not isinstance(found, str):
            raise InputError(f"{name}: {column} is named {found!r}, which is no text: rename it")
        if header.count(found) != 1:
            raise InputError(f"{name}: {column} and another column are both called {found!r}: rename one")
        return found

    def of_table(column: Column) -> Column:
        if not column.is_cell:
            return column
        return replace(column, name=named(column.name), joined=tuple(map(named, column.joined)))

    columns = map(of_table, declaration.columns)
    conditions = tuple(replace(one, column=of_table(one.column)) for one in declaration.conditions)
    joined = tuple(map(named, declaration.joined))
    others_at = tuple(one._replace(columns=tuple(map(named, one.columns))) for one in declaration.other_times)
    declaration = replace(declaration, columns=tuple(columns), time=named(declaration.time), joined=joined)
    if spread is not None and not spread.is_of_columns:
        declaration = replace(declaration, spread=spread._replace(source=named(spread.source)))
    return replace(declaration, other_times=others_at, conditions=conditions)


def _as_written(column: str, known: Sequence[object], asked: str) -> str:
    """The name of a column, or of a field of one, as the table has it. Raises LookupError."""
    if has_column(column, known):
        return str(known[place_of(column, known, asked)])
    ends = [place for place, sign in enumerate(column) if sign == "."]
    for end in ends:
        if has_column(column[:end], known):
            return f"{known[place_of(column[:end], known, asked)]}{column[end:]}"
    return column
