"""A look at a table: its columns, its times, and the declarations with which it can be read."""

import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property, partial
from itertools import chain, islice, pairwise
from math import gcd
from operator import le

from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError
from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.analysis.number_forms import microseconds_of
from lars2asp.analysis.tick_moments import EPOCH, MICROSECOND
from lars2asp.analysis.time_formats import EPOCH_FORMATS, lacking
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.input_clock import wrong_clocks
from lars2asp.runtime.sources.survey.column_kinds import (
    MISSING_WORDS,
    ColumnKind,
    EachField,
    column_text,
    kind_of,
    variable_text,
)
from lars2asp.runtime.sources.survey.line_form import LineForm
from lars2asp.runtime.sources.survey.pace import Pace, PaceReader
from lars2asp.runtime.sources.times.partial_times import PartialMoment, PartialTimes
from lars2asp.runtime.sources.times.repeated_hours import FOLD, FOLDS
from lars2asp.runtime.sources.times.time_formats import NoMomentError, TimeFormat
from lars2asp.runtime.sources.times.time_guesses import fits, formats_of
from lars2asp.syntax.column_places import ColumnPlace
from lars2asp.syntax.nodes import LARGEST_INTEGER
from lars2asp.syntax.patterns import pattern
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

FIRST_ROWS = 2000
"""The number of rows by which the columns of the time are found."""

MOST_DIFFERENT = 20_000
"""The number of different cells of a column that are looked at."""

_MOST_BACK = 4
"""One of so many times may be before the one ahead of it: those of lists begin anew with each."""

_TIME_WORDS = ("time", "zeit", "stamp", "date", "datum", "tick", "tag", "day", "ts")
_SHORT_WORDS = frozenset(
    {*("ts", "t", "day", "tag", "tick", "ticks", "epoch", "when"), *("sec", "second", "seconds")}
)
"""Names of times, by themselves or as a part of a name."""
_LENGTH_WORDS = (
    *(
        "duration",
        "dauer",
        "length",
        "elapsed",
        "took",
        "taken",
        "wait",
        "delay",
        "laufzeit",
        "uptime",
        "runtime",
    ),
    *("age", "interval", "period", "spent", "lead", "span"),
)
_CLOCK = pattern(r"[0-2]?[0-9][:.h][0-5][0-9](?:[:.][0-5][0-9](?:[.,][0-9]+)?)?(?: ?[AaPp][Mm]| Uhr)?")
_EPOCHS = (
    (pattern(r"[0-9]{9,10}(?:\.[0-9]+)?"), "%s"),
    (pattern(r"[0-9]{12,13}(?:\.[0-9]+)?"), "%Q"),
    (pattern(r"[0-9]{15,16}(?:\.[0-9]+)?"), "%u"),
    (pattern(r"[0-9]{18,19}(?:\.[0-9]+)?"), "%n"),
)
"""Numbers of our time that count units since 1970, and their formats."""

_PER_SECOND = (1, 10**3, 10**6, 10**9)
_OF_OUR_TIME = 10**9, 2_200_000_000
"""In seconds since 1970."""

_LIKELY = 631_152_000 * 10**6, 4_133_980_800 * 10**6
"""From 1990 to 2100, in microseconds: numbers and years of two digits that name other times are doubtful."""

_FEWEST_ALIKE = 3
"""So many rows with one time have their times in another column."""

MOST_TRIED = 100
"""The number of different cells by which columns of other times than those of the rows are found."""

NEAR = 3 * 366 * MICROSECONDS["day"]
"""How far from the times of the rows numbers are taken as moments, in microseconds."""

_SUNDAY, _END_OF_NIGHT, _MONTHS_OF_CHANGES = 6, 4, (3, 4, 9, 10, 11)

_ZONE_OFFSET = pattern(r"(?:utc|gmt|tz|zone)[ _-]?offset", re.IGNORECASE)
_PARTS = pattern(r"[A-Z]?[a-z]+|[A-Z]+")
_TICK = pattern(r"[0-9]{1,10}")
_DAY = MICROSECONDS["day"]


@dataclass(frozen=True)
class TableTimes:
    """The times of a table.

    Attributes:
        columns: the columns that have them.
        form: their format, empty for timestamps of ISO 8601 and for ticks.
        others: other formats that read them as well.
        are_ticks: whether they are integers that count ticks.
        mixed: the format of those that are integers, where others are timestamps of ISO 8601.
        fold: the columns, one or none, that say which of two equal local times is meant.
        is_one: whether all rows have the same.
    """

    columns: tuple[str, ...]
    form: str = ""
    others: tuple[str, ...] = ()
    are_ticks: bool = False
    mixed: str = ""
    fold: tuple[str, ...] = ()
    is_one: bool = False


@dataclass
class Survey:
    """What was found in rows.

    Attributes:
        header: the names of the columns.
        rows: the number of rows.
        is_whole: whether these were all.
        odd: the number of rows that have more or fewer cells than the header.
        equal: the number of rows that are equal to one before.
        times: the times, if there are any.
        has_offset: whether times name their offsets.
        moments: the times in the order of the rows, in microseconds or ticks.
        unread: the number of times that are not read.
        different: for each column its different cells.
        empty: for each column the number of its empty cells.
        partial: the number of rows that have a column which stands in another declaration than the others: a
            field of JSON records that some lack, one of a list, or a column that is mostly empty.
        paces: at which pace rows come.
        set_back: the places of moments at which local times go back as clocks do once in autumn.
        doubled: the names that more than one column has, which the header names by their places.
        records: the field of JSON records with a list, each of whose elements is one of the rows.
        form: of lines of text, what they are known to be.
        said: remarks about their form.
    """

    header: Sequence[str]
    rows: int = 0
    is_whole: bool = True
    odd: int = 0
    equal: int = 0
    times: TableTimes | None = None
    has_offset: bool = False
    moments: "array[int]" = field(default_factory=lambda: array("q"))
    unread: int = 0
    different: list[set[str]] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)
    partial: Mapping[str, int] = field(default_factory=dict)
    paces: PaceReader | None = None
    set_back: Collection[int] = ()
    doubled: Sequence[str] = ()
    records: str = ""
    form: LineForm | None = None
    said: Sequence[str] = ()

    @property
    def pace(self) -> Pace | None:
        """The steady pace of its rows, by a column with names or without one; None where they are events."""
        kinds = self.kinds
        if self.paces is None:
            return None
        texts = [kind.name for kind in kinds if not kind.is_number]
        numbers = [kind.name for kind in kinds if kind.is_number and not kind.decimals]
        found = self.paces.pace(texts, numbers)
        is_each_tick = (
            self.times is not None and self.times.are_ticks and found is not None and found.apart == 1
        )
        return None if is_each_tick else found

    @property
    def time_columns(self) -> tuple[str, ...]:
        """The columns of the time; where there are none, the one that is named so, or the first."""
        if self.times is not None:
            return self.times.columns + self.times.fold
        return (named_time(self.header),)

    @property
    def kinds(self) -> list[ColumnKind]:
        """The columns that are not of the time."""
        time = self.time_columns
        pairs = zip(self.header, self.different, strict=False)
        left = {*time, ""}
        return [
            self._time_kind(name, cells) or self._length_kind(name, cells) or kind_of(name, cells)
            for name, cells in pairs
            if name not in left
        ]

    def _time_kind(self, name: str, cells: Collection[str]) -> ColumnKind | None:
        """The kind of a column of moments, besides the times of the rows; None for others.

        Days alone stay text, and so do local times where no zone is proposed. Numbers are moments only where
        these lie near the times of the rows: others are identifiers.
        """
        if self.tick is None:
            return None
        form = self._value_forms.get(name)
        if form is None:
            return None
        words = tuple(sorted(MISSING_WORDS.intersection(cells)))
        known = _known(cells)
        read = f"time({column_text(name)}" + (f' "{form}")' if form else ")")
        return ColumnKind(name, read, 0, f"times, such as {shown(known[0], MOST_TRIED)}", words)

    @cached_property
    def _value_forms(self) -> Mapping[str, str]:
        """The columns of moments besides the times of the rows, and their formats."""
        found = {}
        for name, cells in zip(self.header, self.different, strict=False):
            known = _known(cells)
            form = _value_form(name, known) if name and name not in self.time_columns else None
            if form is None or not (form in EPOCH_FORMATS or self.needs_zone or _has_offsets(form, known)):
                continue
            if form not in EPOCH_FORMATS or self._are_near(TimeFormat(form), known):
                found[name] = form
        return found

    @cached_property
    def _value_steps(self) -> int:
        """Of what all moments in columns are multiples, in microseconds from the first of the rows."""
        common = 0
        for name, form in self._value_forms.items():
            read = TimeFormat(form) if form else None
            for cell in self.different[self.header.index(name)]:
                moment = _iso_moment(cell) if read is None else _moment(cell, read)
                if moment is not None:
                    common = gcd(common, moment - self.moments[0])
        return common

    def _are_near(self, form: TimeFormat, cells: Iterable[str]) -> bool:
        """Whether moments are at most `NEAR` before the first time of the rows, or behind the last."""
        first, last = min(self.moments) - NEAR, max(self.moments) + NEAR
        moments = (_moment(cell, form) for cell in cells)
        return all(moment is not None and first <= moment <= last for moment in moments)

    def _length_kind(self, name: str, cells: Collection[str]) -> ColumnKind | None:
        """The kind of a column of stretches of time; None for others."""
        common = self._lengths.get(name)
        if common is None or self.tick is None or common % self.tick:
            return None
        known = min((cell for cell in cells if cell and cell not in MISSING_WORDS), key=lambda c: (len(c), c))
        words = tuple(sorted(MISSING_WORDS.intersection(cells)))
        read = f"duration({column_text(name)})"
        return ColumnKind(name, read, 0, f"durations, such as {shown(known, MOST_TRIED)}", words)

    @cached_property
    def _lengths(self) -> Mapping[str, int]:
        """The columns of stretches of time, and of what all of their lengths are multiples: whole seconds."""
        found = {}
        for name, cells in zip(self.header, self.different, strict=False):
            common = _common_length(name, cells) if name not in self.time_columns else 0
            if common and common % MICROSECONDS["sec"] == 0:
                found[name] = common
        return found

    @property
    def tick(self) -> int | None:
        """The length of a tick, in microseconds, with which different times are different ticks.

        Durations are whole numbers of them, and moments in columns lie at their beginnings.
        """
        if self.times is None or self.times.are_ticks:
            return None
        ordered = sorted(set(self.moments))
        common = 0
        for before, after in pairwise(ordered):
            common = gcd(common, after - before)
        length = gcd(common or MICROSECONDS["sec"], *self._lengths.values(), self._value_steps)
        nice = [size * unit for unit in MICROSECONDS.values() for size in (1, 5, 10, 15, 30)]
        fitting = [size for size in nice if length % size == 0 and size <= _DAY]
        found = max(fitting, default=MICROSECONDS["msec"])
        latest = ordered[-1] if ordered else 0
        return found if latest // found <= LARGEST_INTEGER else max(found, MICROSECONDS["sec"])

    @cached_property
    def wrong_clocks(self) -> frozenset[int]:
        """The places of moments that a run rejects, as they cannot be right."""
        return wrong_clocks(self.moments) if self.tick is not None else frozenset()

    def _in_turn(self) -> Iterator[tuple[int, int]]:
        """The other moments, with their places."""
        if all(map(le, self.moments, self.moments[1:])):
            return enumerate(self.moments)
        return ((place, one) for place, one in enumerate(self.moments) if place not in self.wrong_clocks)

    @property
    def lateness(self) -> int:
        """By how much rows come behind later ones at most, in microseconds or ticks."""
        latest, most = None, 0
        for place, moment in self._in_turn():
            if latest is None or moment > latest or place in self.set_back:
                latest = moment
            elif latest - moment > most:
                most = latest - moment
        return most

    @property
    def doubts(self) -> Iterator[str]:
        """Why its times are most likely not those of the rows."""
        times = self.times
        if times is None:
            yield "no column has times that are known: name the one and its format behind at"
            return
        name = " + ".join(times.columns)
        if len(self.moments) >= _FEWEST_ALIKE and len({*self.moments}) == 1:
            yield f"{name}: all rows have the same time: name the column of their times behind at"
        is_counted = times.form in EPOCH_FORMATS or "%y" in times.form
        if is_counted and self.has_unlikely:
            yield f"{name}: some times lie before 1990 or after 2100: say how they are written behind at"

    @property
    def has_unlikely(self) -> bool:
        """Whether some times are before 1990, or after 2100."""
        return self.tick is not None and not all(_LIKELY[0] <= one < _LIKELY[1] for one in self.moments)

    @property
    def gaps(self) -> tuple[int, int]:
        """How far different times are mostly apart, and at most, in microseconds or ticks; 0 without two."""
        apart = Counter(after - before for before, after in pairwise(sorted(set(self.moments))))
        return (apart.most_common(1)[0][0], max(apart)) if apart else (0, 0)

    @property
    def late_rows(self) -> int:
        """The number of rows that come behind later ones."""
        latest, late = None, 0
        for place, moment in self._in_turn():
            if latest is None or moment >= latest or place in self.set_back:
                latest = moment
            else:
                late += 1
        return late

    def declarations(self, zone: str = "UTC", *, has_tick: bool = False, predicate: str = "") -> list[str]:
        """The declarations with which the rows can be read, as facts of a predicate, if it is given."""
        lines, tick, late = [], self.tick, self.lateness
        if tick is not None and not has_tick:
            lines.append(f"#tick {duration_text(tick)}.")
        if tick is not None and self.moments and (least := min(self.moments)) < 0:
            day = (EPOCH + least * MICROSECOND).date() - timedelta(days=1)
            lines.append(f'#origin "{day}T00:00:00Z".')
        if self.needs_zone:
            lines.append(f'#timezone "{zone}".')
        if late and tick is not None:
            lines.append(f"#lateness {duration_text(-(-late // tick) * tick)}.")
        elif late:
            lines.append(f"#lateness {late}.")
        if self.form is not None:
            return [*lines, *self.form.lines(predicate, is_numbered=self.equal > 0)]
        predicate = predicate or "reading"
        kinds = [kind for kind in self.kinds if kind.has_values]
        times = self.times or TableTimes(self.time_columns)
        at = " + ".join(map(column_text, times.columns + times.fold)) + (
            f' "{times.form}"' if times.form else ""
        )
        at += f" records each {column_text(self.records)}" if self.records else ""
        whole = [kind for kind in kinds if kind.name not in self.partial]
        for group in (whole, kinds) if len(whole) < len(kinds) else (kinds,):
            arguments = [kind.argument for kind in group] or [f"text({column_text(times.columns[0])})"]
            lines.append(f"#input {predicate}({', '.join(arguments)}) at {at}.")
            if any(kind.decimals for kind in group):
                places = ", ".join(str(kind.decimals) if kind.decimals else "_" for kind in group)
                lines.append(f"#decimals {predicate}({places}).")
            lines += self._held(group, tick, predicate)
        return lines

    def _held(self, kinds: Sequence[ColumnKind], tick: int | None, predicate: str) -> Iterator[str]:
        """The declaration by which readings last, where rows are such."""
        pace = self.pace
        names = {kind.name for kind in kinds}
        if pace is None or (pace.column is not None and pace.column not in names):
            return
        if not any(kind.is_number for kind in kinds if kind.name != pace.column):
            return
        kept = str(pace.kept) if tick is None else duration_text(-(-pace.kept // tick) * tick)
        if pace.column is None:
            yield f"#held {predicate}({', '.join('_' for _ in kinds)}) for {kept}."
        else:
            key = variable_text(pace.column)
            arguments = ", ".join(key if kind.name == pace.column else "_" for kind in kinds)
            yield f"#held {predicate}({arguments}) by {key} for {kept}."

    @property
    def needs_zone(self) -> bool:
        """Whether times are local."""
        times = self.times
        is_epoch = times is not None and times.form in EPOCH_FORMATS
        return times is not None and not (times.are_ticks or is_epoch or self.has_offset)


def survey_of(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    most: int = 2**31,
    zone: tzinfo = UTC,
    partial: Mapping[str, int] | None = None,
) -> Survey:
    """What is in rows, of which so many are looked at; times without offset are in a zone."""
    header, doubled = _by_place(header)
    survey, seen = Survey(header, partial=partial or {}, doubled=doubled), set()
    survey.different = [set() for _ in header]
    survey.empty = [0] * len(header)
    survey.paces = PaceReader(survey.header)
    rest = iter(rows)
    first = [*islice(rest, min(FIRST_ROWS, most))]
    sample = [row for row in first if len(row) == len(header)]
    survey.times = times_of(survey.header, sample)
    if survey.times is not None and not survey.times.are_ticks:
        survey.times = replace(survey.times, fold=_fold(survey.header, sample))
    read = _MomentReader(survey, zone)
    for row in islice(chain(first, rest), most):
        survey.rows += 1
        if len(row) != len(header):
            survey.odd += 1
            continue
        whole = hash(tuple(row))
        survey.equal += whole in seen
        seen.add(whole)
        for cells, cell in zip(survey.different, row, strict=True):
            if len(cells) < MOST_DIFFERENT:
                cells.add(cell.strip())
        if "" in row:
            survey.empty = [count + (not cell) for count, cell in zip(survey.empty, row, strict=True)]
        read(row)
    survey.is_whole = next(rest, None) is None
    if partial is None:
        filled = {name: survey.rows - empty for name, empty in zip(survey.header, survey.empty, strict=True)}
        survey.partial = {name: some for name, some in filled.items() if 2 * some < survey.rows}
    if survey.needs_zone:
        survey.set_back = _set_back(survey.moments, zone)
    return survey


def _by_place(header: Sequence[str]) -> tuple[list[str], list[str]]:
    """A header in which columns of equal names are named by their places, and these names."""
    count = Counter(header)
    doubled = [name for name, number in count.items() if number > 1 and name]
    numbered = enumerate(header, start=1)
    named = [ColumnPlace.of(place) if count[name] > 1 and name else name for place, name in numbered]
    return named, doubled


def _fold(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The column with 0 or 1 that says which of two equal local times is meant."""
    found = [name for name in header if name.lower() == FOLD]
    if len(found) != 1 or not {row[header.index(found[0])].strip().lower() for row in rows} <= FOLDS.keys():
        return ()
    return (found[0],)


def _set_back(moments: Sequence[int], zone: tzinfo) -> Collection[int]:
    """The places at which local times go back as clocks do: on a Sunday night, once, by an hour at most.

    The zone in which they were read may be another one than theirs.
    """
    back = [place for place, (before, after) in enumerate(pairwise(moments), start=1) if after < before]
    days = Counter(_local(moments[place], zone).date() for place in back)
    return {
        place
        for place in back
        if moments[place - 1] - moments[place] <= MICROSECONDS["hour"]
        and (local := _local(moments[place], zone)).hour < _END_OF_NIGHT
        and local.weekday() == _SUNDAY
        and local.month in _MONTHS_OF_CHANGES
        and days[local.date()] == 1
    }


def _local(moment: int, zone: tzinfo) -> datetime:
    return (EPOCH + moment * MICROSECOND).astimezone(zone)


def duration_text(microseconds: int) -> str:
    """A duration as a declaration has it."""
    for unit, length in reversed(MICROSECONDS.items()):
        if microseconds % length == 0:
            return f"{microseconds // length} {unit}"
    return f"{-(-microseconds // MICROSECONDS['msec'])} msec"


def times_of(header: Sequence[str], rows: Sequence[Sequence[str]]) -> TableTimes | None:
    """The columns and the format of the times: those that are read best, then those that are named so.

    Those that are the same in all rows, as when a document was made, come behind others that go on.
    """
    names = Counter(header)
    columns = {
        name: [row[place].strip() for row in rows]
        for place, name in enumerate(header)
        if name and names[name] == 1
    }
    filled = {name: [cell for cell in cells if cell] for name, cells in columns.items()}
    by_name = sorted(
        (name for name, cells in filled.items() if cells),
        key=lambda name: next((n for n, word in enumerate(_TIME_WORDS) if word in name.lower()), 99),
    )

    def cells_of(times: TableTimes) -> Sequence[str]:
        rows = zip(*(columns[name] for name in times.columns), strict=True)
        return [" ".join(row) for row in rows if all(row)]

    found = chain(_dated(by_name, columns, filled), _numbered(by_name, filled))
    first = next(found, None)
    if first is None or len({*cells_of(first)}) > 1:
        return first
    others = (times for times in found if first.are_ticks or not times.are_ticks)
    later = (times for times in others if _goes_on(times, cells_of(times)))
    return next(later, replace(first, is_one=True))


def _goes_on(times: TableTimes, cells: Sequence[str]) -> bool:
    """Whether times are several, and mostly do not go back, but from list to list."""
    if times.are_ticks:
        back = sum(after < before for before, after in pairwise(map(int, cells)))
    else:
        back = _backward(times.form or times.mixed, cells)
    return len({*cells}) > 1 and _MOST_BACK * back <= len(cells)


def _dated(
    names: Sequence[str], columns: Mapping[str, Sequence[str]], filled: Mapping[str, Sequence[str]]
) -> Iterator[TableTimes]:
    """Columns with times that are no numbers alone, best first."""
    dated = {name: forms for name in names if (forms := _forms(filled[name]))}
    clocks = [name for name in names if all(map(_CLOCK.fullmatch, filled[name]))]
    for day, forms in dated.items():
        if any("%H" in form or "%I" in form for form in forms) or not _are_days(filled[day]):
            continue
        for clock in clocks:
            joined = [f"{one} {other}" for one, other in zip(columns[day], columns[clock], strict=True)]
            found = _forms([text for text in joined if not text.startswith(" ")])
            if found:
                yield TableTimes((day, clock), found[0], tuple(found[1:]))

    def order(name: str) -> tuple[bool, int]:
        return _are_days(filled[name]), _backward(dated[name][0], filled[name])

    for name in sorted(dated, key=order):
        forms = dated[name]
        yield TableTimes((name,), forms[0], tuple(forms[1:]))


def _numbered(names: Sequence[str], filled: Mapping[str, Sequence[str]]) -> Iterator[TableTimes]:
    """Columns with integers that may be times."""
    for digits, form in _EPOCHS:
        for name in names:
            if all(map(digits.fullmatch, filled[name])) and _is_named_so(name):
                yield TableTimes((name,), form)
    for seconds, (digits, form) in zip(_PER_SECOND, _EPOCHS, strict=True):
        for name in names:
            if all(map(digits.fullmatch, filled[name])) and _are_our_times(name, filled[name], seconds):
                yield TableTimes((name,), form)
    for digits, form in _EPOCHS:
        for name in names:
            integers = [cell for cell in filled[name] if digits.fullmatch(cell)]
            others = [cell for cell in filled[name] if not digits.fullmatch(cell)]
            if integers and others and all(map(_is_iso, others)):
                yield TableTimes((name,), mixed=form)
    for name in names:
        if _is_named_so(name) and all(map(_TICK.fullmatch, filled[name])):
            yield TableTimes((name,), are_ticks=True)


def _are_our_times(name: str, cells: Sequence[str], per_second: int) -> bool:
    """Whether numbers of units since 1970 are of our time, and never go back, but from list to list."""
    numbers = [int(cell.partition(".")[0]) for cell in cells]
    least, most = (seconds * per_second for seconds in _OF_OUR_TIME)
    back = sum(after < before for before, after in pairwise(numbers))
    most_back = len(numbers) // _MOST_BACK if isinstance(name, EachField) else 0
    return least <= min(numbers) < max(numbers) <= most and back <= most_back


def _common_length(name: str, cells: Collection[str]) -> int:
    """Of what all stretches of time are multiples, in microseconds; 0 where cells are something else.

    What is written as on clocks is so only in columns that are named so, or beyond a day.
    """
    common, are_clocks = 0, True
    for cell in cells:
        if not cell or cell in MISSING_WORDS:
            continue
        try:
            length = microseconds_of(cell)
        except NotScaledError:
            return 0
        common = gcd(common, length)
        are_clocks = are_clocks and _CLOCK.fullmatch(cell) is not None
    is_named = any(word in name.lower() for word in _LENGTH_WORDS)
    return common if is_named or not are_clocks else 0


def named_time(columns: Sequence[str]) -> str:
    """The column that most likely has the times, by its name."""
    return next((c for word in _TIME_WORDS for c in columns if word in c.lower()), columns[0])


def _is_named_so(name: str) -> bool:
    """Whether a name is one of times: a long word of them stands in it, or a short one by itself.

    The offset of a zone, as in `utc_offset_seconds`, is none.
    """
    if _ZONE_OFFSET.search(name):
        return False
    parts = [part.lower() for part in _PARTS.findall(name)]
    long_ones = [word for word in _TIME_WORDS if word not in _SHORT_WORDS]
    is_long = any(word in name.lower() for word in long_ones)
    return is_long or not _SHORT_WORDS.isdisjoint(parts) or name.lower().endswith("tag")


def _backward(form: str, cells: Sequence[str]) -> int:
    """How often times of a format, empty for ISO 8601, go backwards."""
    if form:
        return _disorder(form, cells)
    moments = [moment for cell in cells if (moment := _iso_moment(cell)) is not None]
    return sum(after < before for before, after in pairwise(moments))


def _are_days(cells: Sequence[str]) -> bool:
    """Whether no cell has a time of day."""
    return not any(":" in cell for cell in cells)


def _forms(cells: Sequence[str]) -> list[str]:
    """The formats that read most cells, best first; the empty one for ISO 8601."""
    if not cells:
        return []
    sample = [*dict.fromkeys(cells)]
    if sum(map(_is_iso, sample)) * 10 >= len(sample) * 9:
        return [""]
    found = Counter(form for cell in islice(sample, 20) for form in formats_of(cell))
    read = {form: sum(fits(form, cell) for cell in sample) for form in found}
    most = max(read.values(), default=0)
    if most * 10 < len(sample) * 9:
        return []
    best = [form for form in read if read[form] == most]
    return sorted(best, key=lambda form: (_disorder(form, cells), _longest_gap(form, cells)))


def _disorder(form: str, cells: Sequence[str]) -> int:
    """How often times go backwards, read so."""
    return sum(after < before for before, after in pairwise(_moments(form, cells)))


def _longest_gap(form: str, cells: Sequence[str]) -> int:
    """How far neighbours are apart at most, read so: months and days change places where that is less."""
    known = _moments(form, cells)
    return max((abs(after - before) for before, after in pairwise(known)), default=0)


def _moments(form: str, cells: Sequence[str]) -> list[int]:
    moments = [_moment(cell, TimeFormat(form)) for cell in cells]
    return [moment for moment in moments if moment is not None]


def _moment(text: str, form: TimeFormat, zone: tzinfo = UTC) -> int | None:
    try:
        return form.microseconds(text, zone)
    except NoMomentError:
        return None


def _known(cells: Iterable[str]) -> list[str]:
    """Some of the cells that have values."""
    return sorted(cell for cell in cells if cell and cell not in MISSING_WORDS)[:MOST_TRIED]


def _iso_moment(text: str) -> int | None:
    """A timestamp in microseconds, local times as those of UTC; None for what is none."""
    if not _is_iso(text):
        return None
    found = datetime.fromisoformat(text)
    return ((found if found.tzinfo else found.replace(tzinfo=UTC)) - EPOCH) // MICROSECOND


def _is_iso(text: str) -> bool:
    if text.isdecimal():
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _value_form(name: str, cells: Sequence[str]) -> str | None:
    """The format of a column of moments, empty for ISO 8601; None where it seems to have none."""
    if not cells:
        return None
    for seconds, (digits, form) in zip(_PER_SECOND, _EPOCHS, strict=True):
        if all(map(digits.fullmatch, cells)):
            least, most = (_OF_OUR_TIME[place] * seconds for place in (0, 1))
            is_ours = all(least <= int(cell.partition(".")[0]) <= most for cell in cells)
            return form if is_ours and (seconds > 1 or _is_named_so(name)) else None
    if _are_days(cells):
        return None
    return next((form for form in _forms(cells) if not lacking(form)), None)


def _has_offsets(form: str, cells: Sequence[str]) -> bool:
    """Whether times of a format name their offsets."""
    return (
        "%z" in form.lower()
        if form
        else all(datetime.fromisoformat(cell).tzinfo for cell in cells if _is_iso(cell))
    )


class _MomentReader:
    """Adds the time of a row to a survey."""

    def __init__(self, survey: Survey, zone: tzinfo) -> None:
        self._survey = survey
        self._zone = zone
        self._dates = PartialTimes(zone, datetime(2000, 1, 1, tzinfo=zone))
        times = survey.times
        self._form = TimeFormat(times.form) if times is not None and times.form else None
        self._places = [survey.header.index(name) for name in times.columns] if times is not None else []

    def __call__(self, row: Sequence[str]) -> None:
        survey, times = self._survey, self._survey.times
        if times is None:
            return
        text = " ".join([row[place].strip() for place in self._places])
        moment: int | None
        if times.are_ticks:
            moment = int(text) if text.isdecimal() else None
        elif self._form is not None:
            survey.has_offset = "%z" in times.form.lower()
            moment = _moment(text, self._form, self._zone)
            if moment is not None and self._form.lacks:
                moment = self._dated(text, self._form)
        else:
            moment = self._iso(text)
            if moment is None and times.mixed:
                moment = _moment(text, TimeFormat(times.mixed))
        if moment is None:
            survey.unread += 1
        else:
            survey.moments.append(moment)
            if survey.paces is not None:
                survey.paces.take(row, moment)

    def _dated(self, text: str, form: TimeFormat) -> int | None:
        """The moment of a time without a year, by those before it."""
        on = partial(form.microseconds, text, self._zone)
        with suppress(InputError):
            return self._dates.dated(PartialMoment.of(text, form.lacks, on))
        return None

    def _iso(self, text: str) -> int | None:
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            return None
        if found.tzinfo is None:
            found = found.replace(tzinfo=self._zone)
        else:
            self._survey.has_offset = True
        return (found - EPOCH) // MICROSECOND
