"""Columns of Arrow: their cells become arguments of atoms, and ticks.

A column is read by its type, and each distinct value of what is not an integer is converted once. A cell
that is null or NaN is missing.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property
from itertools import compress
from typing import Any, Generic, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError
from lars2asp.analysis.number_forms import DurationForm, NumberForm, length_text
from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.externals.terms.terms import Value
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.arrow.moment_ticks import QUARTER, moment_ticks
from lars2asp.runtime.sources.fine_ticks import NO_MOMENT, FineMoment, FineTick, moment_at, moment_of
from lars2asp.runtime.sources.survey.column_kinds import column_text
from lars2asp.runtime.sources.tables.row_reader import argument_of, takes_empty
from lars2asp.runtime.sources.times.repeated_hours import LocalMoment
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.syntax.nodes import Column, NumberMarks
from lars2asp.syntax.source import shown

T = TypeVar("T")

MOST_KNOWN = 65536
"""The number of values that are kept with what they are converted to."""

_WITH_TEXT: tuple[Callable[[pa.DataType], bool], ...] = (
    pa.types.is_string,
    pa.types.is_integer,
    pa.types.is_boolean,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_timestamp,
    pa.types.is_date,
    pa.types.is_time,
)

_START = datetime(1970, 1, 1)
_PER_UNIT = {"s": (1_000_000, 1), "ms": (1_000, 1), "us": (1, 1), "ns": (1, 1_000)}
_PER_DAY = 86_400_000_000
_LARGEST = (datetime.max - _START) // timedelta(microseconds=1)

_MOST_DIGITS = 38
"""Those of a decimal of 128 bits."""
_64_BITS = -(2**63), 2**63 - 1

_PLAIN_TEXT = {"text": "^[!-~][ -~]*$", "": "^[A-Za-z_][ -~]*$", "any": "^[A-Za-z_][ -~]*$"}
"""By conversions: cells, of ASCII alone, that are strings as they are."""


class Cells(Generic[T]):
    """What the cells of a column are.

    Args:
        given: for each row its value, null where the cell is missing or wrong. It is a list, or a column of
            integers of 64 bits or of texts.
        wrong: the rows of wrong cells, and what is wrong.
        moments: of times see `TextTicks`.
        known: the values that the integers of the column count from 0, if they are no values themselves.

    Attributes:
        wrong: the same.
        moments: the same.
    """

    def __init__(
        self,
        given: "list[T | None] | pa.Array",
        wrong: dict[int, str] | None = None,
        moments: list[int] | None = None,
        known: Sequence[T] | None = None,
    ) -> None:
        self._given = given
        self._known = known
        self.wrong = wrong or {}
        self.moments = moments

    @cached_property
    def values(self) -> list[T | None]:
        """For each row its value; None where the cell is missing, or wrong."""
        given, known = self._given, self._known
        if isinstance(given, list):
            return given
        if known is None and not pa.types.is_string(given.type):
            return _integers(given)
        if known is None:
            given = given.dictionary_encode()
            given, known = given.indices, given.dictionary.to_pylist()
        numbers = _integers(given.fill_null(len(known)) if given.null_count else given)
        return [*map([*known, None].__getitem__, numbers)]

    @property
    def is_there(self) -> pa.Array | None:
        """Which rows have a value; None: all of them."""
        given = self._given
        if isinstance(given, list):
            return pa.array([value is not None for value in given], pa.bool_()) if None in given else None
        return given.is_valid() if given.null_count else None

    def kinds(self) -> set[type]:
        """The types of the values."""
        if isinstance(self._given, list):
            return {*map(type, self._given)}
        return {int} if self._known is None else {*map(type, self._known)}

    def where(self, mask: pa.Array | None) -> "tuple[Any, Sequence[T] | None]":
        """The values of those rows, all of which have one, for which a mask is true; None: of all.

        They are a list, or a column and the values that its integers count; None: it has the values.
        """
        given = self._given
        if not isinstance(given, list):
            return given if mask is None else given.filter(mask), self._known
        return given if mask is None else [*compress(given, mask.to_pylist())], None


class ArgumentCells:
    """Reads a column of `#input`, batch by batch.

    Args:
        declared: the column, as it is declared.
        decimals: the form of the numbers of the place.
        missing: the texts that are missing values, besides empty ones.
    """

    def __init__(
        self, declared: Column, decimals: NumberForm = 0, missing: frozenset[str] = frozenset()
    ) -> None:
        self._declared = declared
        self._decimals = decimals
        self._missing = missing if takes_empty(declared, decimals) else missing | {""}
        self._distinct = Distinct[Value](self._argument)
        self._has_infinite = False
        """Whether infinite numbers may be there, which are written as texts may be."""

    def read(self, column: pa.Array) -> Cells[Value]:
        """The arguments. Raises InputError for a column of a type of which there are none."""
        found = plain(column)
        self._has_infinite = pa.types.is_floating(found.type)
        if self._declared.conversion == "number" and _is_number(found.type):  # typed: it has no signs
            self._declared = replace(self._declared, conversion="", signs=(), marks=NumberMarks())
        declared = self._declared
        if isinstance(self._decimals, DurationForm) and pa.types.is_duration(found.type):
            return _lengths(found, declared.name, self._decimals)
        is_read_so = declared.conversion in ("", "int", "any") and self._missing <= {""}
        if is_read_so and isinstance(self._decimals, int):
            scale = 10**self._decimals if declared.scale is None else declared.scale
            if pa.types.is_integer(found.type) and scale > 0 and _lies_within(found, *_64_BITS):
                if _lies_within(found, *(bound // scale + (bound < 0) for bound in _64_BITS)):
                    return Cells(pc.multiply(found.cast(pa.int64()), scale))
                return Cells[Value](_times(_integers(found), scale))
            numbers = _scaled(found, scale) if pa.types.is_decimal(found.type) else None
            if numbers is not None:
                return Cells[Value](numbers)
        if pa.types.is_string(found.type) and self._are_strings(found):
            return Cells(found)
        return self._distinct.read(found, declared.name, has_point=declared.conversion == "text")

    def _are_strings(self, column: pa.Array) -> bool:
        """Whether all texts of a column are strings as they are."""
        declared = self._declared
        is_number = declared.required is not None and declared.required.type.is_number
        is_text = declared.conversion == "text" or takes_empty(declared, self._decimals)
        if is_number or not is_text or self._missing or not isinstance(self._decimals, int):
            return False
        return pc.all(pc.match_substring_regex(column, _PLAIN_TEXT[declared.conversion])).as_py() is not False

    def _argument(self, text: str) -> Value | None:
        cell = text.strip()
        is_infinite = self._has_infinite and cell in ("inf", "-inf")
        if is_infinite and self._declared.conversion not in ("text", "any"):
            if self._declared.or_missing:
                return None
            raise InputError(f"column {self._declared.name}: {cell} is not a finite number: facts need one")
        return None if cell in self._missing else argument_of(text, self._declared, self._decimals)


class TimeCells:
    """Reads a column of times, batch by batch.

    Those that are arguments (`Timeline.are_values`) may be missing, and lie before tick 0.

    Args:
        name: the column.
        timeline: how times become ticks.
        missing: the texts that are missing values, besides empty ones.
    """

    def __init__(self, name: str, timeline: Timeline, missing: frozenset[str] = frozenset()) -> None:
        self._name = name
        self._timeline = timeline
        self.missing = missing | {""}
        self._distinct = Distinct[int](self._tick)
        self._offsets: dict[int, int | None] = {}
        """Those of the zone, in microseconds, by parts of the day; None where it changes within."""

    def read(self, column: pa.Array) -> Cells[int]:
        """The ticks; a missing time is wrong.

        Raises:
            InputError: for a column of a type of which there are none; for moments where ticks have no
                length, and local times where there is no zone.
        """
        found = plain(column)
        kind, is_tick = found.type, self._timeline.unit is TimeUnit.TICK and self._timeline.form is None
        if pa.types.is_integer(kind) and is_tick and self._are_ticks(found):
            cells = Cells[int](found.cast(pa.int64()))
        elif pa.types.is_timestamp(kind) or pa.types.is_date(kind):
            cells = self._moments(found)
        else:
            cells = self._distinct.read(found, self._name)
        if cells.is_there is not None and not self._timeline.are_values:
            missing = f"column {self._name}: the time is missing"
            for row, tick in enumerate(cells.values):
                if tick is None:
                    cells.wrong.setdefault(row, missing)
        if FineTick not in cells.kinds():
            return cells
        moments = [NO_MOMENT if tick is None else moment_of(tick) for tick in cells.values]
        ticks = [+tick if type(tick) is FineTick else tick for tick in cells.values]
        return Cells(ticks, cells.wrong, moments)

    def _are_ticks(self, column: pa.Array) -> bool:
        """Whether the integers of a column are ticks before the end of the calendar."""
        if not _lies_within(column, 0, LARGEST_TICK) or self._timeline.tick_length is None:
            return _lies_within(column, 0, LARGEST_TICK)
        latest = pc.max(column).as_py()
        return latest is None or self._timeline.moments.begin_of(latest) <= _LARGEST

    def _tick(self, text: str) -> int | None:
        timeline = self._timeline
        if text.strip() in self.missing:
            return None
        try:
            return timeline.value_of_text(text) if timeline.are_values else timeline.tick_of_text(text)
        except InputError as error:
            raise InputError(f"column {self._name}: {error}") from error

    def _moments(self, column: pa.Array) -> Cells[int]:
        kind, timeline = column.type, self._timeline
        timeline.met.moments = True
        if timeline.tick_length is None:
            raise InputError(
                f"the column {shown(self._name)} contains timestamps, but the program declares no "
                "tick length: add for example #tick 1 sec."
            )
        zone = None if getattr(kind, "tz", None) else timeline.zone or self._refuse_local()
        found = self._at_once(column, zone)
        return self._each(column, zone) if found is None else found

    def _at_once(self, column: pa.Array, zone: tzinfo | None) -> Cells[int] | None:
        """The ticks of moments; None where one lies before 1970 or off the timeline, or an offset changes."""
        try:
            moments = _since_epoch(column)
            if not _lies_within(moments, 0, _LARGEST):
                return None
            if zone is not None:
                parts = pc.divide(moments, QUARTER).dictionary_encode()
                offsets = [
                    None if part is None else self._part(part, zone) for part in parts.dictionary.to_pylist()
                ]
                if None in offsets:
                    return None
                moments = pc.subtract(moments, pa.array(offsets, pa.int64()).take(parts.indices))
            ticks = moment_ticks(moments, self._timeline, LARGEST_TICK)
        except pa.ArrowInvalid:  # a number has more than 64 bits
            return None
        if ticks is None:
            return None
        found = _with_nanoseconds(_integers(moments), column) if self._timeline.is_fine else None
        return Cells(ticks, moments=found)

    def _each(self, column: pa.Array, zone: tzinfo | None) -> Cells[int]:
        """The ticks of moments, one after the other."""
        tick_of = self._timeline.moments.tick_since_epoch
        are_days = pa.types.is_date(column.type)  # the first midnight of two
        behind = _nanoseconds(column) if self._timeline.is_fine else None
        cells = Cells[int]([], {})
        least = self._timeline.first_tick
        for row, moment in enumerate(_microseconds(column)):
            if moment is None:
                cells.values.append(None)
                continue
            try:
                since_epoch = moment if zone is None else moment - self._offset(moment, zone)
            except OverflowError:
                since_epoch = moment
            tick = tick_of(since_epoch)
            if behind is not None:
                since_epoch = moment_at(since_epoch * 1000 + behind[row])
            if self._timeline.is_fine:
                tick = FineTick.at(tick, since_epoch)
            repeats = None if zone is None or are_days else self._timeline.repeats
            if repeats is not None and (self._timeline.are_values or least <= tick <= LARGEST_TICK):
                try:
                    marked = repeats.marked(since_epoch)
                except InputError as error:
                    cells.values.append(None)
                    cells.wrong[row] = f"column {self._name}: {error}"
                    continue
                if type(marked) is LocalMoment:
                    tick = self._timeline.tick_since_epoch(marked, since_epoch)
            if self._timeline.are_values or least <= tick <= LARGEST_TICK:
                cells.values.append(tick)
            else:
                cells.values.append(None)
                cells.wrong[row] = self._reason(since_epoch)
        return cells

    def _reason(self, since_epoch: int) -> str:
        """Why a moment has no tick."""
        try:
            self._timeline.tick_of(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=since_epoch))
        except InputError as error:
            return f"column {self._name}: {error}"
        except OverflowError:
            pass
        return f"column {self._name}: the time must be in the years 1 to 9999"

    def _refuse_local(self) -> tzinfo:
        raise InputError(
            f'the column {shown(self._name)} contains local times: add #timezone "Europe/Vienna". to '
            'the program (or your own zone, such as "UTC"), pass timezone=, or give the column a zone'
        )

    def _offset(self, moment: int, zone: tzinfo) -> int:
        """The offset of a local time, in microseconds."""
        offset = self._part(moment // QUARTER, zone)
        return _offset_at(moment, zone) if offset is None else offset

    def _part(self, part: int, zone: tzinfo) -> int | None:
        """The offset of local times in a part of the day; None where it changes within."""
        if part not in self._offsets:
            begin, end = (_offset_at(at, zone) for at in (part * QUARTER, (part + 1) * QUARTER - 1))
            repeats = self._timeline.repeats
            is_marked = repeats is not None and any(
                repeats.is_near(at - begin) for at in (part * QUARTER, (part + 1) * QUARTER - 1)
            )
            self._offsets[part] = begin if begin == end and not is_marked else None
        return self._offsets[part]


def _lengths(column: pa.Array, name: str, form: DurationForm) -> Cells[Value]:
    """The ticks of stretches of time."""
    cells = Cells[Value]([], {})
    for row, length in enumerate(column.cast(pa.duration("us"), safe=False).to_pylist()):
        try:
            cells.values.append(None if length is None else form.of_length(length))
        except NotScaledError as error:
            cells.values.append(None)
            cells.wrong[row] = f"column {name}: {error}"
    return cells


def _offset_at(moment: int, zone: tzinfo) -> int:
    offset = (_START + timedelta(microseconds=moment)).replace(tzinfo=zone).utcoffset()
    return 0 if offset is None else offset // timedelta(microseconds=1)


class Distinct(Generic[T]):
    """Converts each different value of a column once, as text; what is converted to None is missing."""

    def __init__(self, convert: Callable[[str], T | None]) -> None:
        self._convert = convert
        self._known: dict[str, tuple[T | None, str]] = {}

    def read(self, column: pa.Array, name: str, *, has_point: bool = False) -> Cells[T]:
        """The values. Raises InputError for a column of a type that has no text."""
        if pa.types.is_null(column.type):
            return Cells([None] * len(column))
        if not pa.types.is_dictionary(column.type):
            check_text(column.type, name)
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        texts, numbers = _texts(plain(encoded.dictionary), has_point=has_point), encoded.indices
        places, known, reasons = list[int | None]([None]) * len(texts), list[T](), dict[int, str]()
        for number in pc.unique(numbers).to_pylist():  # as rows have them: the first unit counts
            if number is None or (text := texts[number]) is None:
                continue
            value, reason = self._converted(text)
            if value is not None:
                places[number] = len(known)
                known.append(value)
            elif reason:
                reasons[number] = reason
        rows = enumerate(numbers.to_pylist()) if reasons else ()
        wrong = {row: reasons[number] for row, number in rows if number in reasons}
        return Cells(pa.array(places, pa.int64()).take(numbers), wrong, known=known)

    def _converted(self, text: str) -> tuple[T | None, str]:
        known = self._known.get(text)
        if known is None:
            try:
                known = self._convert(text), ""
            except InputError as error:
                known = None, str(error)
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[text] = known
        return known


def plain(column: pa.Array) -> pa.Array:
    """A column as one of the types that have their values one by one, or as a dictionary of few."""
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(column.storage)
    if pa.types.is_run_end_encoded(kind):
        return plain(pc.run_end_decode(column))
    if pa.types.is_dictionary(kind):
        if len(column.dictionary) > len(column) or pa.types.is_dictionary(column.dictionary.type):
            return plain(column.dictionary_decode())
        values = plain(column.dictionary)
        if pa.types.is_string(values.type):
            return pa.DictionaryArray.from_arrays(column.indices, values)
        return values.take(column.indices)  # integers and times are read in other ways
    if pa.types.is_string_view(kind) or pa.types.is_large_string(kind):
        return column.cast(pa.string())
    if pa.types.is_decimal(kind) and kind.bit_width < 128:  # of which Arrow makes no dictionary
        return column.cast(pa.decimal128(kind.precision, kind.scale))
    return column


def _integers(column: pa.Array) -> list[Any]:
    """The numbers of a column of integers, None where they are missing."""
    if column.null_count or not len(column):
        return list(column.to_pylist())
    column = column.cast(pa.int64())
    begin, buffer = column.offset, column.buffers()[1]
    return memoryview(buffer)[8 * begin : 8 * (begin + len(column))].cast("q").tolist()


def _scaled(column: pa.Array, scale: int) -> list[Any] | None:
    """The numbers of a column of decimals times a power of ten; None where one of these is not an integer.

    All of them have 64 bits. Others are read by their texts.
    """
    digits = len(str(scale)) - 1
    if scale != 10**digits:
        return None
    try:
        column = column.cast(pa.decimal128(_MOST_DIGITS, digits))
    except pa.ArrowInvalid:  # digits would be lost, or there are too many
        return None
    ends = pc.min_max(column).as_py()
    least, most = _64_BITS
    if any(end is not None and not least <= end * scale <= most for end in ends.values()):
        return None
    words = memoryview(column.buffers()[1]).cast("q")  # two for each number, the low one first
    numbers = words[2 * column.offset : 2 * (column.offset + len(column)) : 2].tolist()
    if not column.null_count:
        return numbers
    is_there = column.is_valid().to_pylist()
    return [number if there else None for number, there in zip(numbers, is_there, strict=True)]


def _times(values: list[Any], scale: int) -> list[Any]:
    return values if scale == 1 else [None if value is None else value * scale for value in values]


def _lies_within(column: pa.Array, least: int, most: int) -> bool:
    """Whether all integers of a column lie between two."""
    ends = pc.min_max(column).as_py()
    return ends["min"] is None or least <= ends["min"] <= ends["max"] <= most


def _microseconds(column: pa.Array) -> list[int | None]:
    """The moments of a column, since the Unix epoch or its local time."""
    kind = column.type
    if pa.types.is_date(kind):
        days = _integers(column.cast(pa.date32()).cast(pa.int32()))
        return _times(days, _PER_DAY)
    factor, divisor = _PER_UNIT[kind.unit]
    numbers = _integers(column.cast(pa.int64()))
    if divisor != 1:
        return [None if number is None else number // divisor for number in numbers]
    return _times(numbers, factor)


def _with_nanoseconds(moments: list[int], column: pa.Array) -> list[int]:
    """The moments of a column with all that is known of them."""
    if getattr(column.type, "unit", "") != "ns":
        return moments
    return [
        FineMoment.of(moment * 1000 + rest) if rest else moment
        for moment, rest in zip(moments, _nanoseconds(column), strict=True)
    ]


def _since_epoch(column: pa.Array) -> pa.Array:
    """The same as a column; of moments before 1970 those of nanoseconds are not rounded to the past.

    Raises ArrowInvalid for numbers of more than 64 bits.
    """
    kind = column.type
    if pa.types.is_date(kind):
        days = column.cast(pa.date32()).cast(pa.int32()).cast(pa.int64())
        return pc.multiply_checked(days, _PER_DAY)
    factor, divisor = _PER_UNIT[kind.unit]
    numbers = column.cast(pa.int64())
    return pc.divide(numbers, divisor) if divisor != 1 else pc.multiply_checked(numbers, factor)


def texts_of(column: pa.Array, *, has_point: bool = False) -> list[str | None]:
    """The cells of a column as a table of text has them, where they have text; None for those missing.

    Args:
        column: the column.
        has_point: see `_texts`.
    """
    found = plain(column)
    if pa.types.is_dictionary(found.type):
        found = found.dictionary_decode()
    if pa.types.is_null(found.type):
        return [None] * len(found)
    return _texts(found, has_point=has_point)


def has_text(kind: pa.DataType) -> bool:
    """Whether the cells of columns of a type have text."""
    if pa.types.is_dictionary(kind):
        return has_text(kind.value_type)
    more = pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null, pa.types.is_duration
    return any(is_one(kind) for is_one in (*_WITH_TEXT, *more))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def check_text(kind: pa.DataType, name: str) -> None:
    """Raises InputError for a type that has no text."""
    if not any(has_text(kind) for has_text in _WITH_TEXT):
        reason = f"the column {shown(name)} is of type {shown(str(kind))}, which facts cannot contain"
        raise InputError(f"{reason}: {_way_out(name, kind)}")


def _texts(column: pa.Array, *, has_point: bool) -> list[str | None]:
    """The values of a column as text; those that are missing are None.

    Args:
        column: the column.
        has_point: whether numbers that may have fractions always have a point.
    """
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        try:
            return list(column.cast(pa.string()).to_pylist())
        except (UnicodeDecodeError, pa.ArrowInvalid):  # Java hands on bytes as they are
            texts = column.view(pa.binary()).to_pylist()
            return [None if text is None else text.decode(errors="surrogateescape") for text in texts]
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return list(column.cast(pa.string()).to_pylist())
    if pa.types.is_floating(kind):
        return [_of_float(text, has_point=has_point) for text in column.cast(pa.string()).to_pylist()]
    if pa.types.is_decimal(kind):
        return [None if v is None else _of_decimal(f"{v:f}", has_point=has_point) for v in column.to_pylist()]
    if pa.types.is_duration(kind):
        lengths = column.cast(pa.duration("us"), safe=False).cast(pa.int64()).to_pylist()
        return [None if length is None else length_text(length) for length in lengths]
    moments = column.cast(_of_python(kind), safe=False).to_pylist()
    return [*map(_of_moment, _nanoseconds(column), moments)]


def _of_float(text: str | None, *, has_point: bool) -> str | None:
    if text is None or text == "nan":
        return None
    return f"{text}.0" if has_point and text.lstrip("-").isdigit() else text


def _of_decimal(text: str, *, has_point: bool) -> str:
    """A decimal as text; one that is whole is an integer where no point is needed."""
    if not has_point and "." in text and not text.partition(".")[2].strip("0"):
        return text.partition(".")[0]
    return text


def _of_python(kind: pa.DataType) -> pa.DataType:
    """The type, as exact as Python has it."""
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    return pa.time64("us") if pa.types.is_time(kind) else pa.date32()


def _nanoseconds(column: pa.Array) -> list[int]:
    """For each moment the nanoseconds that its microseconds leave out."""
    if getattr(column.type, "unit", "") != "ns":
        return [0] * len(column)
    return [(number or 0) % 1_000 for number in _integers(column.cast(pa.int64()))]


def _of_moment(nanoseconds: int, moment: Any) -> str | None:
    if moment is None:
        return None
    text: str = moment.isoformat()
    if not nanoseconds:
        return text
    end = text.index(":") + 6  # behind the seconds
    fraction = text[end + 1 : end + 7] if text[end : end + 1] == "." else "000000"
    rest = text[end:].removeprefix(f".{fraction}")
    return f"{text[:end]}.{fraction}{nanoseconds:03}{rest}"


def _way_out(name: str, kind: pa.DataType) -> str:
    if pa.types.is_struct(kind):
        field = kind.field(0).name if kind.num_fields else "field"
        return f'name one of its fields, as in #input p("{name}.{field}")'
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return f"make one row per element (in pandas and polars: explode({name!r}))"
    if pa.types.is_map(kind):
        return "copy the value that you need into a column of its own"
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        return "convert it to text"
    if pa.types.is_duration(kind):
        return f"read it as a duration, as in #input p(duration({column_text(name)}))"
    if pa.types.is_interval(kind):
        return "convert it to a number, for example of seconds"
    return "cast it to text or to a number"
