"""What the cells of a column make, each distinct value of it being converted once."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.analysis.number_forms import NumberForm
from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.externals.terms.terms import Value
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import INTEGERS, STRINGS, Arguments, arguments_of
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.arrow.moment_ticks import moment_ticks
from lars2asp.runtime.sources.fine_ticks import PRECISE_UNTIL, RANK_BEHIND, moment_of, rank_of
from lars2asp.runtime.sources.tables.row_reader import (
    argument_of,
    fixed_value,
    takes_empty,
    value_timeline,
)
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.runtime.spark.carrier.cells import cells
from lars2asp.syntax.nodes import Column
from lars2asp.syntax.values import dataclass

_PLAIN_TEXT = {"text": "^[!-~][ -~]*$", "": "^[A-Za-z_][ -~]*$", "any": "^[A-Za-z_][ -~]*$"}
"""By conversions: cells, of ASCII alone, that become strings as they are."""


@dataclass(frozen=True)
class Converted:
    """The values that the cells of a column make.

    Attributes:
        distinct: the different values, or those of all rows.
        numbers: for each row the number of its value, missing where there is none; None: rows have their own.
        is_good: whether a row has a value; None: all have.
    """

    distinct: Arguments
    numbers: pa.Array | None = None
    is_good: pa.Array | None = None

    def arguments(self, mask: pa.Array | None) -> Arguments:
        """The values of those rows, all of which have one, for which a mask is true; None: of all."""
        chosen = self.distinct.values if self.numbers is None else self.numbers
        chosen = chosen if mask is None else chosen.filter(mask)
        return self.distinct._replace(
            values=chosen if self.numbers is None else self.distinct.values.take(chosen)
        )


def arguments_in(column: pa.Array, declared: Column, decimals: NumberForm, timeline: Timeline) -> Converted:
    """The arguments that the cells of a column make, as a column of `#input` says."""
    if declared.is_fixed:
        value = arguments_of([fixed_value(declared, decimals)])
        return Converted(value, pa.array([0] * len(column), pa.int32()))
    digits = 10**decimals if isinstance(decimals, int) else 0
    scale = digits if declared.scale is None else declared.scale
    timeline = value_timeline(declared, timeline) if declared.conversion == "time" else timeline
    is_number = (
        declared.conversion in ("", "int", "any", "record") and pa.types.is_integer(column.type) and scale > 0
    )
    if is_number:
        for kind in (pa.int32(), pa.int64()):
            largest = 2 ** (kind.bit_width - 1) - 1
            if _lies_within(column, -(largest // scale), largest // scale):
                numbers = pc.multiply(column.cast(pa.int64()), scale)
                return Converted(Arguments(INTEGERS, numbers.cast(kind)))

    has_empty = takes_empty(declared, decimals)
    is_text = declared.conversion == "text" or (has_empty and isinstance(decimals, int))
    if is_text and not needs_number(declared) and pa.types.is_string(column.type) and not column.null_count:
        are_plain = pc.match_substring_regex(column, _PLAIN_TEXT[declared.conversion])
        if pc.all(are_plain).as_py():
            return Converted(Arguments(STRINGS, column))

    def convert(text: str) -> Value | None:
        return argument_of(text, declared, decimals, timeline) if text.strip() or has_empty else None

    return _by_distinct(column, convert)


def needs_number(declared: Column) -> bool:
    """Whether the program needs numbers in a column."""
    return declared.required is not None and declared.required.type.is_number


def ticks_of(column: pa.Array, timeline: Timeline, router: Router) -> Converted:
    """The ticks of times, as integers of 64 bits; those that a router refuses are none."""
    kind, latest = column.type, min(LARGEST_TICK, router.last_tick)
    is_tick = pa.types.is_integer(kind) and timeline.unit is TimeUnit.TICK
    if is_tick and _lies_within(column, 0, latest):
        return Converted(Arguments(INTEGERS, column.cast(pa.int64())))
    is_moment = pa.types.is_timestamp(kind) and kind.unit == "us" and kind.tz is not None
    if is_moment and timeline.tick_length is not None:
        ticks = None if column.null_count else moment_ticks(column.cast(pa.int64()), timeline, latest)
        if ticks is not None and len(ticks):
            return Converted(Arguments(INTEGERS, ticks))

    def convert(text: str) -> int:
        tick = +timeline.tick_of_text(text)
        router.check(tick)
        return tick

    found = _by_distinct(column, convert)
    return replace(found, distinct=found.distinct._replace(values=found.distinct.values.cast(pa.int64())))


def ranks_of(column: pa.Array, timeline: Timeline) -> pa.Array | None:
    """The ranks of the times of rows (`rank_of`), where the order of the rows of a tick matters.

    They are missing where there is no time that can be read; None if ticks are all that is known.
    """
    kind = column.type
    if not timeline.is_fine or (pa.types.is_integer(kind) and timeline.unit is TimeUnit.TICK):
        return None
    if pa.types.is_timestamp(kind) and kind.unit == "us" and kind.tz is not None:
        return ranks_of_moments(column.cast(pa.int64()))
    encoded = column.dictionary_encode()
    found: list[int | None] = []
    for text in cells(encoded.dictionary):
        moment = None
        with suppress(InputError):
            moment = rank_of(moment_of(timeline.tick_of_text(text)))
        found.append(moment)
    return pa.array(found, pa.int64()).take(encoded.indices)


def ranks_of_moments(moments: pa.Array) -> pa.Array:
    """The same as `rank_of` of microseconds since the Unix epoch."""
    behind = pc.if_else(pc.less(moments, 0), moments, pc.add(moments, RANK_BEHIND))
    is_precise = pc.and_(pc.greater_equal(moments, 0), pc.less(moments, PRECISE_UNTIL))
    return pc.if_else(is_precise, pc.multiply(moments, 1000), behind)


def _lies_within(column: pa.Array, least: int, most: int) -> bool:
    """Whether no integer of a column is missing, and all lie between two."""
    ends = pc.min_max(column).as_py()
    return not column.null_count and ends["min"] is not None and least <= ends["min"] <= ends["max"] <= most


def _by_distinct(column: pa.Array, convert: Callable[[str], Value | None]) -> Converted:
    """Converts each different value of a column, given as text; None and InputError make none."""
    if pa.types.is_null(column.type):
        column = column.cast(pa.string())
    encoded = column.dictionary_encode()
    places: list[int | None] = []
    found: list[Value] = []
    for text in cells(encoded.dictionary):
        value = None
        with suppress(InputError):
            value = convert(text)
        places.append(None if value is None else len(found))
        if value is not None:
            found.append(value)
    distinct = arguments_of(found or [0])
    if len(found) == len(places) and not column.null_count:
        return Converted(distinct, encoded.indices)
    numbers = pa.array(places, pa.int32()).take(encoded.indices)
    return Converted(distinct, numbers, numbers.is_valid())
