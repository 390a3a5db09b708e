"""Which columns of a table have the times of its rows, and how these are written."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from functools import lru_cache
from itertools import islice, pairwise
from string import ascii_uppercase

from lars2asp.analysis import declared_time
from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.analysis.tick_moments import DAY, EPOCH, MICROSECOND
from lars2asp.analysis.time_formats import EPOCH_FORMATS, lacking
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.survey.column_kinds import EachField, column_text
from lars2asp.runtime.sources.times.time_formats import (
    NoMomentError,
    TimeFormat,
    before_leap_second,
    plain_number,
)
from lars2asp.runtime.sources.times.time_guesses import (
    fits,
    formats_of,
    forms_behind,
    zone_behind,
    zone_of_time,
)
from lars2asp.syntax.patterns import pattern
from lars2asp.syntax.values import dataclass

_LENGTHS = {
    *("lifetime", "runtime", "uptime", "downtime", "overtime", "timeout", "timer", "timezone", "timeline")
}
_NO_DATES = {"update", "candidate", "mandate", "validate"}
_TIME_WORDS = ("time", "zeit", "stamp", "date", "datum", "tick", "tag", "day", "ts")
"""What words of times begin or end with, the likeliest first."""

_ZONE_WORDS = {"zone", "timezone", "tz", "zeitzone"}
_UTC = pattern(
    r"\b(?:UTC|GMT)\b(?! ?[+-]?[0-9])|(?<![A-Za-z])(?:utc|gmt|Utc|Gmt)(?![a-z])|(?<=[a-z])(?:UTC|Utc)\b"
)
_IN_BRACKETS = pattern(r"[(\[]([A-Z]{3,4})(?:/[A-Z]{3,4})?[)\]]")
DATE_WORDS = {"date", "datum", "datetime", "timestamp"}
_SHORT_WORDS = {"t", "tick", "ticks", "epoch", "when", "sec", "second", "seconds", "year"}
_EVENT_WORDS = {
    *("created", "occurred", "started", "start", "begin", "logged", "received", "observed", "measured"),
    *("recorded", "visited", "posted", "opened", "sent", "issued", "reported", "published", "made", "seen"),
}
"""Words of times at which something happened."""

_LATER_WORDS = {
    *("expiry", "expires", "expire", "expiration", "exp", "due", "estimated", "estimate", "est", "eta"),
    *("deadline", "until", "till", "end", "ends", "ended", "to", "updated", "update", "upd", "modified"),
    *("changed", "edited", "last", "delivery", "planned", "scheduled", "promised", "target"),
    *("valid", "birth", "birthdate", "birthday", "dob", "born", "expected"),
    *("ablauf", "ende", "bis", "valuta", "next"),
}
"""Words of times that lie behind that of the row, or far before it."""

_LATER_STEMS = ("valuta", "wertstellung", "liefer", "fällig", "faellig")
"""What such words begin with."""

_IDENTIFIERS = {"id", "ids", "no", "nr", "num", "number", "code", "key", "count", "hash"}
_ZONE_OFFSET = pattern(r"(?:utc|gmt|tz|zone)[ _-]?offset", re.IGNORECASE)
_WORDS = pattern(r"[A-ZÄÖÜ]?[a-zäöüß]+|[A-ZÄÖÜ]+(?![a-zäöüß])")
_TICK = pattern(r"[0-9]{1,10}")
CLOCK = pattern(r"[0-2]?[0-9][:.h][0-5][0-9](?:[:.][0-5][0-9](?:[.,][0-9]+)?)?(?: ?[AaPp][Mm]| Uhr)?")
EPOCHS = (
    (pattern(r"[0-9]{9,10}(?:\.[0-9]+)?"), "%s", 1),
    (pattern(r"[0-9]{12,13}(?:\.[0-9]+)?"), "%Q", 10**3),
    (pattern(r"[0-9]{15,16}(?:\.[0-9]+)?"), "%u", 10**6),
    (pattern(r"[0-9]{18,19}(?:\.[0-9]+)?"), "%n", 10**9),
)
"""Numbers of our time that count units since 1970, their formats, and how many are a second."""

OF_OUR_TIME = 10**9, 2_200_000_000
"""In seconds since 1970."""

_PARTS = (
    ({"year", "yr", "yyyy", "jahr"}, pattern("(?:19|20)[0-9]{2}"), "%Y"),
    ({"month", "mon", "mm", "monat", "mo"}, pattern("0?[1-9]|1[0-2]"), "%m"),
    ({"day", "dd", "tag", "dy"}, pattern("0?[1-9]|[12][0-9]|3[01]"), "%d"),
    ({"hour", "hr", "hh", "stunde", "std"}, pattern("[01]?[0-9]|2[0-4]"), "%H"),
    ({"minute", "min", "minuten"}, pattern("[0-5]?[0-9]"), "%M"),
)
"""Parts of times that have columns of their own: their names, their cells, and their formats."""

MOST_TIED = 100
"""The number of times by which two formats are told apart."""

_DATE_PARTS = len(("year", "month", "day"))
_NUMBERED = pattern(r"column[1-9][0-9]*")
_SHORT_CLOCK = pattern(r"(?:[01][0-9]|2[0-3])[0-5][0-9]")
_FEW_BACK = 10
"""If more than one of so many times is before the one ahead of it, a column does not go on as time does."""

_MOST_BACK = 4
"""One of so many times may be before the one ahead of it: those of lists begin anew with each."""


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
        zone: that of what clocks are called behind the times, as in `CET`; empty if nothing is.
        or_else: where a row has no such time, those that it has then.
        named_zone: the name of their zone, as another column, or a word of theirs, has it.
        doubt: why they may be other times, if nothing tells.
    """

    columns: tuple[str, ...]
    form: str = ""
    others: tuple[str, ...] = ()
    are_ticks: bool = False
    mixed: str = ""
    fold: tuple[str, ...] = ()
    is_one: bool = False
    zone: str = ""
    or_else: tuple["TableTimes", ...] = ()
    doubt: str = ""
    named_zone: str = ""

    @property
    def are_days(self) -> bool:
        """Whether a format reads days without a time of day."""
        return self.form not in ("", *EPOCH_FORMATS) and not re.search("%[HI]", self.form)

    @property
    def text(self) -> str:
        """What stands behind `at` in a declaration."""
        form = f' "{self.form}"' if self.form else ""
        first = " + ".join(map(column_text, self.columns + self.fold)) + form
        return " or ".join([first, *(one.text for one in self.or_else)])

    @property
    def all_columns(self) -> tuple[str, ...]:
        """The columns that have times."""
        return (*self.columns, *self.fold, *(name for one in self.or_else for name in one.columns))


def times_of(header: Sequence[str], rows: Sequence[Sequence[str]]) -> TableTimes | None:
    """The columns and the format of the times of rows; None if there are none.

    Moments come before days, and these before ticks; times that go on before one that all rows have, as when
    a document was made; names of events before those of deadlines and updates; what goes on as time does
    before what goes back and forth; then what all rows have; then what is named so.
    """
    names = Counter(header)
    columns = {
        name: [row[place].strip() for row in rows]
        for place, name in enumerate(header)
        if name and names[name] == 1
    }
    filled = {name: [cell for cell in cells if cell] for name, cells in columns.items()}
    known = {name: cells for name, cells in filled.items() if cells}
    found = [*_dated(columns, known), *_numbered(known)]
    places = {name: place for place, name in enumerate(header)}

    def rank(times: TableTimes) -> tuple[object, ...]:
        cells = _cells(times, columns)
        empty = len(rows) - len(cells)
        words = {word for name in times.columns for word in words_of(name)}
        is_day = (
            not times.are_ticks and not times.mixed and _are_days(cells) and times.form not in EPOCH_FORMATS
        )
        is_day &= "%H" not in times.form
        return (
            times.are_ticks,
            len({*cells}) < 2,
            2 * empty > len(rows),
            any(map(_is_later, words)),
            is_day,
            _FEW_BACK * _steps_back(times, cells) > len(cells),
            empty > 0,
            times.form in EPOCH_FORMATS,
            min(map(_name_rank, times.columns)),
            not all(map(is_named_utc, times.columns)),
            min(len(_WORDS.findall(name)) for name in times.columns),
            _EVENT_WORDS.isdisjoint(words),
            min(places[name] for name in times.columns),
        )

    ranked = sorted(found, key=rank)
    if not ranked:
        return None
    first = ranked[0]
    first = replace(first, is_one=len({*_cells(first, columns)}) < 2)
    missing = [place for place in range(len(rows)) if not all(columns[name][place] for name in first.columns)]
    others: list[TableTimes] = []
    for one in ranked[1:]:
        used = {*first.columns, *(name for other in others for name in other.columns)}
        left = [place for place in missing if not all(columns[name][place] for name in one.columns)]
        if missing and len(left) < len(missing) and not (one.are_ticks or used.intersection(one.columns)):
            others.append(one)
            missing = left
    if first.are_ticks:
        return first
    return replace(_with_zone(first, columns, known), or_else=tuple(others))


def _with_zone(
    times: TableTimes, columns: Mapping[str, Sequence[str]], known: Mapping[str, Sequence[str]]
) -> TableTimes:
    """Local times with the zone that a column beside them says: what clocks are called, or its name."""
    sample = _cells(times, columns)[:1]
    has_zone = times.zone or times.form in EPOCH_FORMATS or "%z" in times.form.lower()
    if has_zone or (not times.form and any(map(has_offset, sample))):
        return times
    for name, cells in known.items():
        if name in times.columns or _ZONE_WORDS.isdisjoint(words_of(name)):
            continue
        called = {zone_behind(f"0 {cell}") for cell in cells}
        if called == {"UTC"}:
            return replace(times, named_zone="UTC")
        if len(called) == 1 and (zone := called.pop()) and all(columns[name]):
            form = f"{times.form} %Z" if times.form else ""
            return replace(times, columns=(*times.columns, name), form=form, zone=zone)
        if len(called) > 1 and None not in called:
            return replace(
                times,
                doubt=f"{name} contains several time zones: put the rows of each zone into a file of its own",
            )
        if len({*cells}) == 1 and declared_time.zone_of(cells[0]) is not None:
            return replace(times, named_zone=cells[0])
    for name in times.columns:
        bracket = _IN_BRACKETS.search(name)
        if _ZONE_OFFSET.search(name) is None and (_UTC.search(name) or bracket):
            named = "UTC" if bracket is None else zone_behind(f"0 {bracket[1]}")
            return replace(times, named_zone=named or "")
    return times


def _cells(times: TableTimes, columns: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """What stands in the columns of times, of rows that have them all."""
    rows = zip(*(columns[name] for name in times.columns), strict=True)
    return [" ".join(row) for row in rows if all(row)]


def _steps_back(times: TableTimes, cells: Sequence[str]) -> int:
    """How often times go back, or on, if they are in falling order."""
    if times.are_ticks:
        moments = [int(cell) for cell in cells]
    else:
        found = (moment_of(cell, times.form or times.mixed) for cell in cells)
        moments = [one for one in found if one is not None]
    back = sum(after < before for before, after in pairwise(moments))
    return min(back, sum(after > before for before, after in pairwise(moments)))


def words_of(name: str) -> Sequence[str]:
    """The words of a name, in small letters."""
    return [word.lower() for word in _WORDS.findall(name.rpartition(".")[2] or name)]


def _time_word(word: str) -> int | None:
    """The place of what a word of times begins or ends with; None for other words."""
    if word in _LENGTHS or word in _NO_DATES:
        return None
    for place, part in enumerate(_TIME_WORDS):
        is_part = word.startswith(part) or word.endswith(part)
        if word == part or (len(part) > 3 and is_part) or (part in ("tag", "day") and word.endswith(part)):
            return place
    return None


def _name_rank(name: str) -> int:
    words = words_of(name)
    ranks = [rank for word in words if (rank := _time_word(word)) is not None]
    if ranks:
        return min(ranks)
    return len(_TIME_WORDS) if not _EVENT_WORDS.isdisjoint(words) else len(_TIME_WORDS) + 1


def _is_later(word: str) -> bool:
    """Whether a word is one of times that lie behind that of the row."""
    return word in _LATER_WORDS or word.startswith(_LATER_STEMS)


def named_time(columns: Sequence[str]) -> str:
    """The column that most likely has the times, by its name."""
    return min(columns, key=_name_rank)


def is_named_so(name: str) -> bool:
    """Whether a name is one of times: one of its words is.

    The offset of a zone, as in `utc_offset_seconds`, is none, and neither is what identifies something.
    """
    words = words_of(name)
    if _ZONE_OFFSET.search(name) or is_identifier(name) or name[:1].isdecimal():
        return False
    return any(_time_word(word) is not None or word in _SHORT_WORDS for word in words)


def is_named_utc(name: str) -> bool:
    """Whether a name says that its times are those of UTC."""
    return not {"utc", "gmt", "zulu"}.isdisjoint(words_of(name))


def is_identifier(name: str) -> bool:
    """Whether a name is one of what identifies something."""
    return not _IDENTIFIERS.isdisjoint(words_of(name))


def _is_of_event(name: str) -> bool:
    """Whether numbers of our time in a column with this name are its times."""
    words = words_of(name)
    is_event = not _EVENT_WORDS.isdisjoint(words) or "at" in words[1:] or not _LATER_WORDS.isdisjoint(words)
    return is_event and not is_identifier(name) and not _ZONE_OFFSET.search(name)


def _dated(columns: Mapping[str, Sequence[str]], known: Mapping[str, Sequence[str]]) -> Iterator[TableTimes]:
    """Columns with times that are no numbers alone, also of several joined."""
    dated = {name: forms for name, cells in known.items() if (forms := forms_of(cells))}
    for name, forms in dated.items():
        zone = zone_behind(known[name][0]) or ""
        doubt = _doubt(forms, known[name])
        yield TableTimes((name,), forms[0], tuple(forms[1:]), zone=zone, doubt=doubt)
    clocks = [
        name
        for name, cells in known.items()
        if all(map(CLOCK.fullmatch, cells)) and (name not in dated or _time_word(name.lower()) == 0)
    ]
    clocks += [name for name in known if name not in dated and _are_short_clocks(name, known[name])]
    hours = [name for name in known if _is_part(name, known[name], 3)]
    for day, forms in dated.items():
        if any("%H" in form or "%I" in form for form in forms) or not _are_days(known[day]):
            continue
        for clock in clocks or hours or [name for name in known if _count_hours(name, columns, day)]:
            joined = [f"{one} {other}" for one, other in zip(columns[day], columns[clock], strict=True)]
            found = forms_of([text for text in joined if not text.startswith(" ") and text[-1:] != " "])
            if found == [""] and clock in hours:
                found = ["%Y-%m-%d %H"]
            if found and day != clock:
                yield TableTimes((day, clock), found[0], tuple(found[1:]), doubt=_doubt(found, joined))
    parts = _parts(known)
    if len(parts) < _DATE_PARTS:
        return
    yield TableTimes(tuple(parts), " ".join(form for *_, form in _PARTS[: len(parts)]))
    date = " ".join(form for *_, form in _PARTS[:_DATE_PARTS])
    for clock in clocks if len(parts) == _DATE_PARTS else ():
        named = (*parts, clock)
        joined = [" ".join(row) for row in zip(*(columns[name] for name in named), strict=True) if all(row)]
        form = next((form for form in forms_behind(date) if all(fits(form, one) for one in joined)), None)
        if form is not None:
            yield TableTimes(named, form)


def _parts(known: Mapping[str, Sequence[str]]) -> list[str]:
    """The columns that have the year, the month, and so on, as long as there are some."""
    parts = list[str]()
    for number in range(len(_PARTS)):
        found = [name for name, cells in known.items() if _is_part(name, cells, number)]
        if not found:
            break
        parts.append(found[0])
    if parts:
        return parts
    names = [*known]
    for place in range(len(names)):  # columns without names stand in this order
        while len(parts) < len(_PARTS) - 1 and place + len(parts) < len(names):
            name = names[place + len(parts)]
            if not (_NUMBERED.fullmatch(name) and all(map(_PARTS[len(parts)][1].fullmatch, known[name]))):
                break
            parts.append(name)
        if len(parts) >= _DATE_PARTS and _never_back([known[name] for name in parts]):
            return parts
        parts.clear()
    return []


def _never_back(parts: Sequence[Sequence[str]]) -> bool:
    """Whether times never go back whose parts are integers in columns, and there are several."""
    moments = [tuple(map(int, row)) for row in zip(*parts, strict=False)]
    return len({*moments}) > 1 and all(before <= after for before, after in pairwise(moments))


def _are_short_clocks(name: str, cells: Sequence[str]) -> bool:
    """Whether a column has times of the day such as `0600`."""
    is_named = any(_time_word(word) == 0 for word in words_of(name))
    return is_named and all(map(_SHORT_CLOCK.fullmatch, cells)) and any(cell[0] == "0" for cell in cells)


def _count_hours(name: str, columns: Mapping[str, Sequence[str]], day: str) -> bool:
    """Whether a column without a name counts the hours of a day that stands in another column."""
    if not _NUMBERED.fullmatch(name) or not all(map(_PARTS[3][1].fullmatch, columns[name])):
        return False
    told = [(one, int(hour)) for one, hour in zip(columns[day], columns[name], strict=True)]
    pairs = [(before[1], after[1]) for before, after in pairwise(told) if before[0] == after[0]]
    return bool(pairs) and all(after == before + 1 for before, after in pairs)


def _is_part(name: str, cells: Sequence[str], number: int) -> bool:
    """Whether a column has such a part of times."""
    names, digits, _ = _PARTS[number]
    words = words_of(name)
    return len(words) == 1 and words[0] in names and all(map(digits.fullmatch, cells))


def _numbered(known: Mapping[str, Sequence[str]]) -> Iterator[TableTimes]:
    """Columns with numbers that may be times."""
    for name, cells in known.items():
        plain = [plain_number(cell) for cell in cells]
        set_ones = [cell for cell in plain if cell != "0"]  # 0 is that of a clock that was never set
        for digits, form, seconds in EPOCHS:
            are_all = bool(set_ones) and all(map(digits.fullmatch, set_ones))
            if are_all and (
                is_named_so(name)
                or (_is_of_event(name) and _are_ours(set_ones, seconds))
                or _go_on(name, plain, seconds)
            ):
                yield TableTimes((name,), form)
            integers = [cell for cell in plain if digits.fullmatch(cell)]
            others = [cell for cell in cells if not digits.fullmatch(plain_number(cell))]
            if integers and others and all(map(is_iso, others)):
                yield TableTimes((name,), mixed=form)
        if is_named_so(name) and all(map(_TICK.fullmatch, cells)):
            yield TableTimes((name,), are_ticks=True)


def _are_ours(cells: Sequence[str], per_second: int) -> bool:
    """Whether all numbers of units since 1970 are of our time."""
    least, most = (seconds * per_second for seconds in OF_OUR_TIME)
    return all(least <= int(cell.partition(".")[0]) <= most for cell in cells)


def _go_on(name: str, cells: Sequence[str], per_second: int) -> bool:
    """Whether numbers since 1970 are of our time, several, and never go back, but from list to list."""
    numbers = [Decimal(cell) for cell in cells]
    back = sum(after < before for before, after in pairwise(numbers))
    most_back = len(numbers) // _MOST_BACK if isinstance(name, EachField) else 0
    return (
        not is_identifier(name) and len({*numbers}) > 1 and back <= most_back and _are_ours(cells, per_second)
    )


def _are_days(cells: Sequence[str]) -> bool:
    """Whether no cell has a time of day."""
    return not any(":" in cell for cell in cells)


def forms_of(cells: Sequence[str]) -> list[str]:
    """The formats that read most cells, best first; the empty one for ISO 8601."""
    if not cells:
        return []
    sample = [*dict.fromkeys(cells)]
    if sum(map(is_iso, sample)) * 10 >= len(sample) * 9:
        return [""]
    found = Counter(form for cell in islice(sample, 20) for form in formats_of(cell))
    read = {form: sum(fits(form, cell) for cell in sample) for form in found}
    most = max(read.values(), default=0)
    if most * 10 < len(sample) * 9:
        return []
    best = [form for form in read if read[form] == most]
    return sorted(best, key=lambda form: _oddness(form, cells))


def _oddness(form: str, cells: Sequence[str]) -> tuple[int, bool, int]:
    """How odd it is to read times so: how often they go back, and how far neighbours are apart.

    If both are possible, the day stands before the month, and this before the year, with points. The month
    stands first with AM and PM.
    """
    found = (moment_of(cell, form) for cell in cells)
    known = [one for one in found if one is not None]
    back = sum(after < before for before, after in pairwise(known))
    on = sum(after > before for before, after in pairwise(known))
    longest = max((abs(after - before) for before, after in pairwise(known)), default=0)
    is_odd = form.startswith(("%m.", "%y.")) or (form.startswith("%d/%m") and "%p" in form)
    return min(back, on), is_odd, longest


def _doubt(forms: Sequence[str], cells: Sequence[str]) -> str:
    """What is said if nothing tells the first format from the second one, which reads other times."""
    if len(forms) < len(("this", "that")):
        return ""
    first, second = forms[:2]
    differ = any(moment_of(cell, first) != moment_of(cell, second) for cell in cells[:MOST_TIED])
    if not differ or _oddness(first, cells) != _oddness(second, cells):
        return ""
    return f'"{first}" and "{second}" both read these times: write the right format after `at`'


def moment_of(text: str, form: str, zone: tzinfo = UTC) -> int | None:
    """The moment of a time by a format, empty for ISO 8601, in microseconds since 1970; None for others."""
    if not form:
        return iso_microseconds(text, zone)
    with suppress(NoMomentError, InputError):
        return _format(form).microseconds(text, zone_of_time(text, zone))
    return None


@lru_cache(maxsize=256)
def _format(form: str) -> TimeFormat:
    return TimeFormat(form)


def iso_microseconds(text: str, zone: tzinfo = UTC) -> int | None:
    """A timestamp in microseconds, local times in a zone; None for what is none."""
    found = _iso(text)
    if found is None:
        before = before_leap_second(text)
        moment = None if before is None else iso_microseconds(before, zone)
        return (
            None if moment is None or (moment + MICROSECONDS["sec"]) % DAY else moment + MICROSECONDS["sec"]
        )
    return (
        (found if found.tzinfo else found.replace(tzinfo=zone_of_time(text, zone))) - EPOCH
    ) // MICROSECOND


def _iso(text: str) -> datetime | None:
    if text.isdecimal():
        return None
    if zone_behind(text) is None:
        return declared_time.moment_of(text)
    found = declared_time.moment_of(text.rstrip(ascii_uppercase).rstrip())
    return None if found is None or found.tzinfo else found  # an offset and a name are too much


def is_iso(text: str) -> bool:
    """Whether a text is a timestamp of ISO 8601."""
    return iso_microseconds(text) is not None


def has_offset(text: str) -> bool:
    """Whether a timestamp of ISO 8601 names its offset, or is of UTC."""
    found = _iso(before_leap_second(text) or text)
    return found is not None and (found.tzinfo is not None or zone_behind(text) == "UTC")


def value_form(name: str, cells: Sequence[str]) -> str | None:
    """The format of a column of moments, empty for ISO 8601; None if it seems to have none.

    Numbers of seconds are moments only if the name says so, and those of what identifies something are none.
    """
    if not cells or (is_identifier(name) and all(map(str.isdecimal, cells))):
        return None
    for digits, form, seconds in EPOCHS:
        if all(map(digits.fullmatch, cells)):
            is_named = seconds > 1 or is_named_so(name) or _is_of_event(name)
            return form if is_named and _are_ours(cells, seconds) else None
    if _are_days(cells):
        return None
    return next((form for form in forms_of(cells) if not lacking(form)), None)
