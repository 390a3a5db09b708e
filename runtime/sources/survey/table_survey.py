"""A look at a table: its columns, its times, and the declarations with which it can be read."""

import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property, partial
from itertools import chain, count, islice, pairwise
from math import gcd
from operator import ge, le
from zoneinfo import ZoneInfo

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
    key_kind,
    kind_of,
    kinds_of,
    variable_text,
)
from lars2asp.runtime.sources.survey.groups import RECORD, Group, Rows, groups_of
from lars2asp.runtime.sources.survey.line_form import LineForm
from lars2asp.runtime.sources.survey.pace import Pace, PaceReader
from lars2asp.runtime.sources.survey.qualities import good_values
from lars2asp.runtime.sources.survey.time_columns import (
    CLOCK,
    DATE_WORDS,
    TableTimes,
    has_offset,
    is_identifier,
    is_named_utc,
    moment_of,
    named_time,
    times_of,
    value_form,
    words_of,
)
from lars2asp.runtime.sources.survey.wide_columns import (
    ObjectField,
    Wide,
    alike_columns,
    object_of,
    things_of,
)
from lars2asp.runtime.sources.times.partial_times import PartialMoment, PartialTimes
from lars2asp.runtime.sources.times.repeated_hours import FOLD, FOLDS
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.syntax.column_places import ColumnPlace
from lars2asp.syntax.nodes import LARGEST_INTEGER
from lars2asp.syntax.source import shown
from lars2asp.syntax.string_escapes import quoted
from lars2asp.syntax.summaries import counted
from lars2asp.syntax.values import dataclass

FIRST_ROWS = 2000
"""The number of rows by which the columns of the time are found."""

MOST_DIFFERENT = 20_000
"""The number of different cells of a column that are looked at."""

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
_CODE = re.compile("0[0-9]+[a-z]")
_LIKELY = 631_152_000 * 10**6, 4_133_980_800 * 10**6
"""From 1990 to 2100, in microseconds: numbers and years of two digits that name other times are doubtful."""

_OF_OUR_DAYS = 32_874, 73_051
_SERIAL = re.compile(r"[0-9]{5}(?:\.[0-9]+)?")
_SERIALS = "these numbers count days since 1899-12-30, as spreadsheets do: write dates instead"

_SPAN = re.compile(
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\s*(?:[-\u2013\u2014/]|to|bis)\s*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
)
_HOURS_AND_MINUTES = re.compile(r"(?:[01]?[0-9]|2[0-4])[0-5][0-9]|[0-5]?[0-9]")
_CLOCK_WORDS = {"time", "zeit", "uhrzeit", "clock", "hhmm"}

_TOTAL = re.compile(r"(?:grand )?(?:total|sum|summe|gesamt|average|mean|mittel|durchschnitt)", re.IGNORECASE)
"""How cells begin that stand in place of the time in rows with totals."""

MOST_BEHIND = 1000
"""If a row comes more rows behind a later one, no lateness is proposed: the rows are to be sorted."""

_FEWEST_ALIKE = 3
"""So many rows with one time have their times in another column."""

MOST_MELTED = 20_000
"""The number of facts of columns that are looked at, if each of these gives one."""

_MOST_KEYS = 3
"""If more columns of text have few values each, these are states, and no keys."""

MOST_TRIED = 100
"""The number of different cells by which columns of other times than those of the rows are found."""

NEAR = 3 * 366 * MICROSECONDS["day"]
"""How far from the times of the rows numbers are taken as moments, in microseconds."""

_SUNDAY, _END_OF_NIGHT, _MONTHS_OF_CHANGES = 6, 4, (3, 4, 9, 10, 11)

_DAY = MICROSECONDS["day"]


@dataclass
class Survey:
    """What was found in rows.

    Attributes:
        header: the names of the columns.
        rows: the number of rows.
        is_whole: whether these were all.
        odd: the number of rows that differ from the header in the number of cells.
        equal: the number of rows that are equal to one before.
        times: the times, if there are any.
        has_offset: whether times name their offsets.
        moments: the times in the order of the rows, in microseconds or ticks.
        unread: the number of times that are not read.
        different: for each column its different cells.
        empty: for each column the number of its empty cells.
        partial: of JSON fields that some records lack, and of those of lists, the number of records.
        has_fields: whether the columns are fields of JSON records.
        read: the rows whose times are read.
        paces: at which pace rows come.
        set_back: the places of moments at which local times go back as clocks do once in autumn.
        doubled: the names that more than one column has, which the header names by their places.
        records: the field of JSON records with a list, each of whose elements is one of the rows.
        form: of lines of text, what they are known to be.
        said: remarks about their form.
        wide: the columns, or the object, each of which gives one of the rows.
        whole: what is known of the rows that have these columns.
        unnamed: the columns without a name, which the header names by their places.
        totals: what stands in place of the time in rows behind the others, with totals.
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
    has_fields: bool = False
    read: list[Sequence[str]] = field(default_factory=list)
    paces: PaceReader | None = None
    set_back: Collection[int] = ()
    doubled: Sequence[str] = ()
    records: str = ""
    form: LineForm | None = None
    said: Sequence[str] = ()
    wide: Wide | None = None
    whole: "Survey | None" = None
    unnamed: Collection[str] = ()
    totals: Collection[str] = ()

    @cached_property
    def passed(self) -> frozenset[str]:
        """The columns without a name that are empty or count the rows."""
        found = set()
        for name in self.unnamed:
            place = self.header.index(name)
            first = "".join(row[place] for row in self.read[:1])
            begin = int(first) if first in ("0", "1") else 0
            counts = all(row[place] == str(count) for count, row in enumerate(self.read, start=begin))
            if not any(self.different[place]) or (counts and self.read):
                found.add(name)
        return frozenset(found)

    @cached_property
    def pace(self) -> Pace | None:
        """The steady pace of its rows, by a column with names or without one; None where they are events."""
        kinds = self.kinds
        if self.paces is None:
            return None
        if self.wide is not None:
            return self.paces.pace([self.wide.key], [])
        kinds = [kind for kind in kinds if 10 * self.empty[self.header.index(kind.name)] <= self.rows]
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
            return self.times.all_columns
        return (named_time(self.header),)

    @cached_property
    def kinds(self) -> list[ColumnKind]:
        """The columns that are not of the time."""
        time = self.time_columns
        pairs = zip(self.header, self.different, strict=False)
        left = {*time, *self.passed}
        cells = {name: some for name, some in pairs if name not in left and not isinstance(name, ObjectField)}
        kinds = [
            self._time_kind(name, some) or self._length_kind(name, some) or self._kind(name, some)
            for name, some in cells.items()
        ]
        return kinds_of(kinds, lambda kind: cells[kind.name])

    def _kind(self, name: str, cells: Collection[str]) -> ColumnKind:
        is_key = self.wide is not None and name == self.wide.key
        return (
            key_kind(name, cells, is_fixed=self.wide.spread is None)
            if is_key and self.wide
            else kind_of(name, cells)
        )

    def _time_kind(self, name: str, cells: Collection[str]) -> ColumnKind | None:
        """The kind of a column of moments, besides the times of the rows; None for others.

        Days alone stay text, and so do local times where no zone is proposed. Numbers are moments only where
        these lie near the times of the rows: others are identifiers.
        """
        if self.tick is None or self.whole is not None:
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
            form = value_form(name, known) if name and name not in self.time_columns else None
            if form is None:
                continue
            are_placed = "%z" in form.lower() if form else all(map(has_offset, known))
            is_in_zone = self.needs_zone and (is_named_utc(name) or self.zone != "UTC")
            if not (form in EPOCH_FORMATS or is_in_zone or are_placed):
                continue
            if form not in EPOCH_FORMATS or self._are_near(form, known):
                found[name] = form
        return found

    @cached_property
    def _value_steps(self) -> int:
        """Of what all moments in columns are multiples, in microseconds from the first of the rows."""
        common = 0
        for name, form in self._value_forms.items():
            for cell in self.different[self.header.index(name)]:
                moment = moment_of(cell, form)
                if moment is not None:
                    common = gcd(common, moment - self.moments[0])
        return common

    def _are_near(self, form: str, cells: Iterable[str]) -> bool:
        """Whether moments are at most `NEAR` before the first time of the rows, or behind the last."""
        first, last = min(self.moments) - NEAR, max(self.moments) + NEAR
        moments = (moment_of(cell, form) for cell in cells)
        return all(moment is not None and first <= moment <= last for moment in moments)

    def _length_kind(self, name: str, cells: Collection[str]) -> ColumnKind | None:
        """The kind of a column of stretches of time; None for others."""
        common = self._lengths.get(name) if self.whole is None else None
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

    @cached_property
    def tick(self) -> int | None:
        """The length of a tick, in microseconds, with which different times are different ticks.

        Durations are whole numbers of them, and moments in columns lie at their beginnings.
        """
        if self.whole is not None:
            return self.whole.tick
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
        """The lateness that is proposed, in microseconds or ticks: 0 if too many rows would wait."""
        return self.most_behind if self.rows_behind <= MOST_BEHIND else 0

    @property
    def most_behind(self) -> int:
        """By how much rows come behind later ones at most, in microseconds or ticks."""
        latest, most = None, 0
        for place, moment in self._in_turn():
            if latest is None or moment > latest or place in self.set_back:
                latest = moment
            elif latest - moment > most:
                most = latest - moment
        return most

    @cached_property
    def rows_behind(self) -> int:
        """How many rows behind a later one a row comes at most."""
        latest: list[int] = []
        most = 0
        for _, moment in self._in_turn():
            if latest and moment < latest[-1]:
                most = max(most, len(latest) - bisect_right(latest, moment))
            latest.append(max(moment, latest[-1]) if latest else moment)
        return most

    @property
    def is_falling(self) -> bool:
        """Whether the newest rows come first."""
        return all(map(ge, self.moments, self.moments[1:]))

    @property
    def doubts(self) -> Iterator[str]:
        """Why its times are most likely not those of the rows."""
        times = self.times
        if times is None:
            yield "no column has times that are known: name the one and its format after at"
            yield from (f"{name}: {_SERIALS}" for name in self.header if self.are_serials(name))
            return
        name = " + ".join(times.columns)
        if len(self.moments) >= _FEWEST_ALIKE and len({*self.moments}) == 1:
            yield f"{name}: all rows share one time: name the column of their times after at"
        if times.doubt:
            yield f"{name}: {times.doubt}"
        if self.are_serials(times.columns[0]):
            yield f"{name}: {_SERIALS}"
        if self.tick is not None and self.tick % _DAY == 0 and 2 * len({*self.moments}) <= len(self.moments):
            yield from self._clocks_beside(name)
        is_counted = times.form in EPOCH_FORMATS or "%y" in times.form
        if is_counted and self.has_unlikely:
            yield f"{name}: some times are before 1990 or after 2100: write their format after `at`"

    def _clocks_beside(self, day: str) -> Iterator[str]:
        """Columns with times of day in a form that is not read, beside days that several rows share."""
        for name, different in zip(self.header, self.different, strict=True):
            known = _known(different)
            if len(known) > 1 and all(map(_SPAN.fullmatch, known)):
                yield (
                    f"{name}: spans such as {shown(min(known))} are no times: write begin and end into "
                    f'columns of their own; at "{day}" + "begin" reads the times of the rows'
                )
            is_clock = all(map(_HOURS_AND_MINUTES.fullmatch, known)) and {3, 4}.issubset(map(len, known))
            if is_clock and not _CLOCK_WORDS.isdisjoint(words_of(name)):
                short = min(one for one in known if len(one) == len("930"))
                yield (
                    f"{name}: {short} and {max(known)} seem to be hours and minutes: write four digits, as "
                    f'in 0{short}; at "{day}" + {quoted(name)} reads these'
                )

    def are_serials(self, name: str) -> bool:
        """Whether a column that is named as one of dates has numbers that spreadsheets show as dates."""
        if name not in self.header or DATE_WORDS.isdisjoint(words_of(name)):
            return False
        known = _known(self.different[self.header.index(name)])
        return bool(known) and all(
            _SERIAL.fullmatch(cell) and _OF_OUR_DAYS[0] <= float(cell) < _OF_OUR_DAYS[1] for cell in known
        )

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

    @property
    def zone(self) -> str:
        """The zone of what clocks are called behind the times, or of their name; empty if none is said."""
        if self.times is None:
            return ""
        return self.times.named_zone or (self.times.zone if self.times.zone != "UTC" else "")

    def declarations(
        self,
        zone: str = "UTC",
        *,
        has_tick: bool = False,
        predicate: str = "",
        taken: Collection[str] = (),
    ) -> list[str]:
        """The declarations with which the rows can be read, as facts of a predicate, if it is given.

        Those beside it have other predicates than are taken.
        """
        lines, tick, late = [], self.tick, self.lateness
        if tick is not None and not has_tick:
            lines.append(f"#tick {duration_text(tick)}.")
        if tick is not None and self.moments and (least := min(self.moments)) < 0:
            day = (EPOCH + least * MICROSECOND).date() - timedelta(days=1)
            lines.append(f'#origin "{day}T00:00:00Z".')
        if self.needs_zone:
            lines.append(f'#timezone "{self.zone or zone}".')
        if late and tick is not None:
            lines.append(f"#lateness {duration_text(-(-late // tick) * tick)}.")
        elif late:
            lines.append(f"#lateness {late}.")
        if self.form is not None:
            return [*lines, *self.form.lines(predicate, is_numbered=self.equal > 0)]
        name = predicate or "reading"
        own = [one for one in taken if one != name]
        if self.has_own_facts:
            lines += self._inputs(name, own)
            own += [name, *(group.predicate for group in self._groups(name, own))]
        for one in self.melted:
            found = (
                f"{name}_{one.wide.word}"
                if one.wide and (self.has_own_facts or len(self.melted) > 1)
                else name
            )
            free = chain([found], (f"{found}_{number}" for number in count(2)))
            found = next(one for one in free if one not in own)
            lines += one._inputs(found, own)
            own += [found, *(group.predicate for group in one._groups(found, own))]
        return lines

    def _inputs(self, predicate: str, taken: Collection[str]) -> Iterator[str]:
        """The declarations of facts."""
        times = self.times or TableTimes(self.time_columns)
        at = times.text
        at += self.wide.clause if self.wide is not None else ""
        at += f" records each {column_text(self.records)}" if self.records else ""
        groups = self._groups(predicate, taken)
        totals = [f"{column_text(times.columns[0])} != {quoted(word)}" for word in self.totals]
        for one in groups:
            name, group, equal, where = one
            where = ", ".join(filter(None, (*totals, where, *one.conditions)))
            arguments: Sequence[str] = [kind.argument for kind in group] or [
                f"text({column_text(times.columns[0])})"
            ]
            if equal:
                yield (
                    f"% record() keeps {counted(equal, 'fact')} apart from equal ones of a tick: leave it "
                    "out if these are one"
                )
            are_things = self.wide is not None and self.wide.spread is None
            things = [*self._each_thing(group)] if are_things else [arguments]
            yield from self._good(group, f"#input {name}({', '.join(things[0])}) at {at}", where, things[0])
            behind = f" where {where}" if where else ""
            for some in things:
                yield f"#input {name}({', '.join(some)}) at {at}{behind}."
            if any(kind.decimals for kind in group):
                places = ", ".join(str(kind.decimals) if kind.decimals else "_" for kind in group)
                yield f"#decimals {name}({places})."
            if not any(one.where for one in groups):  # rows of different types do not hold on
                yield from self._held(group, self.tick, name, is_of_rows=name == predicate)

    def _good(
        self, kinds: Sequence[ColumnKind], declared: str, where: str, arguments: Sequence[str]
    ) -> Iterator[str]:
        """A declaration that takes good values alone, as a comment, if a column says which ones are good."""
        for kind, argument in zip(kinds, arguments, strict=False):
            if not kind.name or len(kinds) == 1:
                continue
            place = self.header.index(kind.name)
            found = good_values(kind, self.different[place])
            if found is None:
                continue
            condition, cells = found
            number = sum(row[place].strip() in cells for row in self.read)
            behind = argument.removesuffix(' or ""') + condition.removeprefix(column_text(kind.name))
            so = " (in the other declarations too)" if self.wide and self.wide.spread is None else ""
            yield f"% {number} of {len(self.read)} are good by {kind.name}; to take these alone, write{so}"
            yield f"% {declared} where {where}{', ' if where else ''}{behind}."
            return

    def _each_thing(self, kinds: Sequence[ColumnKind]) -> Iterator[Sequence[str]]:
        """The arguments of the declarations for things that have several columns each."""
        wide = self.wide
        assert wide is not None
        for thing, columns in wide.things.items():
            own = dict(zip(wide.parts, columns, strict=True))
            yield [
                f"fixed({quoted(thing)})"
                if kind.name == wide.key
                else kind.argument_of(own.get(kind.name, kind.name))
                for kind in kinds
            ]

    @cached_property
    def melted(self) -> "Sequence[Survey]":
        """What is known of columns each of which gives a fact, and of objects."""
        if (
            self.whole is not None
            or self.form is not None
            or not self.read
            or any(isinstance(one, EachField) for one in self.header)
        ):
            return ()
        kinds = self.kinds
        own = [
            kind for kind in kinds if not (self.has_fields and "." in kind.name)
        ]  # else paths into objects
        filled = [kind for kind in kinds if kind.has_values and all(self._rows.filled(kind))]
        things = [*things_of(self.header, own)]
        used = {name for one in things for name in one.columns}
        keys = [kind for kind in filled if kind.name not in used and self._is_repeated(kind)]
        if len(keys) > _MOST_KEYS:
            keys = [kind for kind in keys if kind.name == self._owner]
        named = [*self.time_columns, *(kind.name for kind in keys)]
        left = [kind for kind in own if kind.name not in used and kind not in keys]
        wide = [*things, *alike_columns(self.header, left, named, self.doubled)]
        objects = [object_of(self.header, name) for name in self.header if isinstance(name, ObjectField)]
        if self._at_once(keys) * 10 > len(self.read):  # nothing else says what belongs together
            wide, keys = [], filled
        return [self._melt(one, [kind.name for kind in keys]) for one in (*wide, *objects)]

    @property
    def _owner(self) -> str | None:
        """The column whose cells have readings of their own; None if it has one cell alone."""
        name = self.pace.column if self.pace is not None else None
        return name if name is not None and len(self.different[self.header.index(name)]) > 1 else None

    def _is_repeated(self, kind: ColumnKind) -> bool:
        cells = self.different[self.header.index(kind.name)]
        return (kind.is_text or (is_identifier(kind.name) and not kind.decimals)) and 2 * len(cells) <= len(
            self.read
        )

    def _at_once(self, keys: Sequence[ColumnKind]) -> int:
        """The number of rows at the time of another one with the same keys."""
        places = [self.header.index(kind.name) for kind in keys]
        rows = zip(self._rows.ticks, self.read, strict=True)
        return len(self.read) - len({(tick, *(row[place] for place in places)) for tick, row in rows})

    def _melt(self, wide: Wide, keys: Sequence[str]) -> "Survey":
        """What is known of the rows that columns give."""
        found = Survey(
            [*keys, wide.key, *wide.parts], times=self.times, wide=wide, whole=self, records=self.records
        )
        found.has_fields, found.has_offset = self.has_fields, self.has_offset
        places = [self.header.index(name) for name in keys]
        along = [place for place, name in zip(places, keys, strict=True) if name == self._owner]
        found.paces = PaceReader(found.header)
        found.different = [self.different[place] for place in places]
        found.different += self._cells_of(wide)
        found.empty = [0] * len(found.header)
        value = found.kinds[-1]
        left = {*value.missing, *value.excluded} if len(wide.parts) == 1 else set()
        melted = (
            (number, thing, cells)
            for number, thing, cells in wide.melted(self.header, self.read)
            if left.isdisjoint(cells)
        )
        for number, thing, cells in islice(melted, MOST_MELTED):
            row = self.read[number]
            of_keys = [row[place] for place in places]
            found.read.append([*of_keys, thing, *cells])
            found.moments.append(self.moments[number])
            of_thing = "\n".join([*(row[place] for place in along), thing])
            found.paces.take([*of_keys, of_thing, *cells], self.moments[number])
        found.rows = len(found.read)
        return found

    def _cells_of(self, wide: Wide) -> Sequence[set[str]]:
        """The names of things, and the different cells of each part."""
        if not isinstance(wide.source, ObjectField):
            places = [[self.header.index(name) for name in names] for names in wide.things.values()]
            parts = (
                set[str]().union(*(self.different[place] for place in part))
                for part in zip(*places, strict=True)
            )
            return [{*wide.things}, *parts]
        found: list[set[str]] = [set() for _ in (wide.key, *wide.parts)]
        for _, thing, cells in wide.melted(self.header, self.read):
            for known, cell in zip(found, (thing, *cells), strict=True):
                if len(known) < MOST_DIFFERENT:
                    known.add(cell)
        return found

    @cached_property
    def has_own_facts(self) -> bool:
        """Whether rows have facts besides those of columns each of which gives one."""
        if not self.melted:
            return True
        keys = {name for one in self.melted for name in one.header}
        own = [kind for kind in self.own_kinds if kind.has_values]
        is_filled = self._rows_with_things == len(self.read)
        return bool(own) and not (is_filled and all(kind.name in keys for kind in own))

    @cached_property
    def _rows_with_things(self) -> int:
        """The number of rows that have facts of columns each of which gives one."""
        gives = [one.wide.gives(self.header) for one in self.melted if one.wide]
        return sum(any(one(row) for one in gives) for row in self.read)

    @cached_property
    def own_kinds(self) -> Sequence[ColumnKind]:
        """The columns that are not among those each of which gives a fact."""
        used = {name for one in self.melted if one.wide for name in one.wide.columns}
        return [kind for kind in self.kinds if kind.name not in used]

    @cached_property
    def _rows(self) -> Rows:
        tick = self.tick or 1
        ticks = [moment // tick for moment in self.moments]
        return Rows(self.header, self.read, ticks, self.pace is not None)

    def _groups(self, predicate: str, taken: Collection[str] = ()) -> Sequence[Group]:
        """The declarations, with the columns of each."""
        asked = predicate, *taken
        if asked in self._found_groups:
            return self._found_groups[asked]
        kinds = [kind for kind in self.own_kinds if kind.has_values]
        key = self.pace.column if self.pace is not None and self.wide is None else None
        found = groups_of(predicate, kinds, self._rows, key, has_fields=self.has_fields, taken=taken)
        self._found_groups[asked] = [*found]
        return self._found_groups[asked]

    @cached_property
    def _found_groups(self) -> dict[tuple[str, ...], Sequence[Group]]:
        """The declarations that were asked for, by their names."""
        return {}

    def _held(
        self, kinds: Sequence[ColumnKind], tick: int | None, predicate: str, *, is_of_rows: bool
    ) -> Iterator[str]:
        """The declaration by which readings last, if rows are such.

        Texts that every row has are part of the reading, even if a cell without a number parts the columns.
        """
        pace = self.pace
        names = {kind.name for kind in kinds}
        if pace is None or (pace.column is not None and pace.column not in names):
            return
        others = [kind for kind in kinds if kind.name != pace.column]
        is_of_rows = is_of_rows and bool(others) and self.wide is None and RECORD not in kinds
        own = self.own_kinds if is_of_rows else others
        if not any(kind.is_number for kind in own if kind.name != pace.column):
            return
        kept = str(pace.kept) if tick is None else duration_text(-(-pace.kept // tick) * tick)
        keys = {} if pace.column is None else {pace.column: variable_text(pace.column)}
        owner = self.whole._owner if self.whole is not None else None
        if owner is not None and owner in names:
            keys = {owner: variable_text(owner)} | keys
        by = f" by {', '.join(keys.values())}" if keys else ""
        yield f"#held {predicate}({', '.join(keys.get(kind.name, '_') for kind in kinds)}){by} for {kept}."

    @property
    def is_sparse(self) -> bool:
        """Whether all columns are numbers, or the like, that are sometimes missing: a row may have none.

        A record whose list is empty has none, either.
        """
        if self.form is not None:
            return False
        if not all(self._rows.has_elements()):
            return True
        if not self.has_own_facts:
            columns = {name for one in self.melted if one.wide for name in one.wide.columns}
            is_filled = self._rows_with_things == len(self.read)
            return not is_filled or all(self.empty[self.header.index(name)] for name in columns)
        groups = self._groups("reading")
        return all(
            any(not all(self._rows.filled(kind)) for kind in one.kinds if not kind.is_text and kind.name)
            for one in groups
        )

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
    doubled, unnamed = list[str](), list[str]()
    if partial is None:  # fields of JSON have no places
        header, doubled, unnamed = _by_place(header)
    survey, seen = Survey(header, partial=partial or {}, doubled=doubled, unnamed=unnamed), set()
    survey.has_fields = partial is not None
    survey.different = [set() for _ in header]
    survey.empty = [0] * len(header)
    survey.paces = PaceReader(survey.header)
    rest = iter(rows)
    first = [*islice(rest, min(FIRST_ROWS, most))]
    sample = [row for row in first if len(row) == len(header)]
    survey.times = times_of(survey.header, sample)
    zone = ZoneInfo(survey.zone) if survey.zone else zone
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
    survey.totals = read.totals
    survey.is_whole = next(rest, None) is None
    if survey.needs_zone:
        survey.set_back = _set_back(survey.moments, zone)
    return survey


def _by_place(header: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """A header in which columns of equal names, or without one, are named by their places.

    The equal names, and the columns without one, come with it.
    """
    count = Counter(header)
    doubled = [name for name, number in count.items() if number > 1 and name]
    numbered = enumerate(header, start=1)
    named = [ColumnPlace.of(place) if count[name] > 1 or not name else name for place, name in numbered]
    return named, doubled, [place for place, name in zip(named, header, strict=True) if not name]


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


def _common_length(name: str, cells: Collection[str]) -> int:
    """Of what all stretches of time are multiples, in microseconds; 0 where cells are something else.

    What is written as on clocks is so only in columns that are named so, or beyond a day. Codes such as `04d`
    are none.
    """
    common, are_clocks = 0, True
    is_named = any(word in name.lower() for word in _LENGTH_WORDS)
    for cell in cells:
        if not cell or cell in MISSING_WORDS:
            continue
        try:
            length = microseconds_of(cell)
        except NotScaledError:
            return 0
        if not is_named and _CODE.fullmatch(cell):
            return 0
        common = gcd(common, length)
        are_clocks = are_clocks and CLOCK.fullmatch(cell) is not None
    return common if is_named or not are_clocks else 0


def _known(cells: Iterable[str]) -> list[str]:
    """Some of the cells that have values."""
    return sorted(cell for cell in cells if cell and cell not in MISSING_WORDS)[:MOST_TRIED]


class _MomentReader:
    """Adds the time of a row to a survey."""

    def __init__(self, survey: Survey, zone: tzinfo) -> None:
        self._survey = survey
        self._zone = zone
        self._dates = PartialTimes(zone, datetime(2000, 1, 1, tzinfo=zone))
        times = survey.times
        every = () if times is None else (times, *times.or_else)
        self._every = [(one, [survey.header.index(name) for name in one.columns]) for one in every]
        self._totals = dict[str, None]()

    def __call__(self, row: Sequence[str]) -> None:
        survey = self._survey
        moment: int | None = None
        for times, places in self._every:
            cells = [row[place].strip() for place in places]
            if all(cells):
                moment = self._moment(" ".join(cells), times)
                break
        if moment is not None:
            survey.unread += len(self._totals)  # rows follow, so that they were none
            self._totals.clear()
            survey.moments.append(moment)
            survey.read.append(row)
            if survey.paces is not None:
                survey.paces.take(row, moment)
        elif self._every and (word := row[self._every[0][1][0]].strip()) and _TOTAL.match(word):
            self._totals[word] = None
        elif self._every:
            survey.unread += 1

    @property
    def totals(self) -> Collection[str]:
        """What stands in place of the time in rows with totals, which come last."""
        return tuple(self._totals)

    def _moment(self, text: str, times: TableTimes) -> int | None:
        if times.are_ticks:
            return int(text) if text.isdecimal() else None
        if not times.form:
            found = moment_of(text, "", self._zone)
            if found is None and times.mixed:
                return moment_of(text, times.mixed)
            self._survey.has_offset |= found is not None and has_offset(text)
            return found
        self._survey.has_offset |= "%z" in times.form or times.zone == "UTC"
        found = moment_of(text, times.form, self._zone)
        lacks = lacking(times.form)
        if found is None or not lacks:
            return found
        on = partial(TimeFormat(times.form).microseconds, text, self._zone)
        with suppress(InputError):  # of a time without a year, by those before it
            return self._dates.dated(PartialMoment.of(text, lacks, on))
        return None
