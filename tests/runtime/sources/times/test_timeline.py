"""Times of records become ticks."""

from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.settings.values import duration
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit

SECONDS = Timeline(1_000_000)
HOUR = 3_600_000_000
VIENNA = ZoneInfo("Europe/Vienna")


def test_integers_are_ticks_unless_a_unit_is_given() -> None:
    assert Timeline().tick(7) == 7
    assert Timeline(60_000_000, TimeUnit.SEC).tick(125) == 2
    assert Timeline(1_000_000, TimeUnit.MSEC).tick(2999) == 2


def test_timestamps_are_floored_to_ticks() -> None:
    timeline = Timeline(300_000_000, origin=datetime(2026, 1, 1, tzinfo=UTC))
    assert timeline.tick("2026-01-01T00:09:59.999Z") == 1
    assert timeline.tick("2026-01-01 01:10:00+01:00") == 2
    assert timeline.moment(2) == datetime(2026, 1, 1, 0, 10, tzinfo=UTC)


def test_timestamps_without_offset_are_in_the_zone() -> None:
    vienna = Timeline(HOUR, origin=datetime(2026, 1, 1, tzinfo=UTC), zone=VIENNA)
    assert vienna.tick("2026-01-01T05:00") == 4
    assert vienna.tick("2026-01-01T05:00Z") == 5
    assert vienna.tick("2026-01-02") == 23


def test_timestamps_without_offset_are_rejected_where_there_is_no_zone() -> None:
    with pytest.raises(InputError) as caught:
        Timeline(HOUR).tick("2013-01-01 05:00")
    assert str(caught.value) == (
        "the time 2013-01-01 05:00 lacks a time zone: write 2013-01-01T05:00:00Z for UTC, add "
        '--timezone Europe/Vienna, or write #timezone "Europe/Vienna".'
    )
    with pytest.raises(InputError, match="the time 2026-01-01 lacks a time zone: write 2026-01-01T00:00:00Z"):
        Timeline(HOUR).tick("2026-01-01")


def test_an_origin_without_offset_is_in_the_zone() -> None:
    vienna = Timeline(HOUR, origin=datetime(2026, 1, 1), zone=VIENNA)
    assert vienna.tick("2026-01-01T05:00") == 5
    assert vienna.tick("2026-01-01T05:00Z") == 6
    with pytest.raises(
        InputError, match="the origin 2026-01-01 00:00:00 lacks a time zone: write 2026-01-01T00"
    ):
        Timeline(HOUR, origin=datetime(2026, 1, 1))


def test_local_times_that_a_clock_change_repeats_or_skips() -> None:
    """Of those that come twice the first; those that are skipped by the offset before the change."""
    autumn = Timeline(HOUR // 2, origin=datetime(2026, 10, 25, tzinfo=UTC), zone=VIENNA)
    assert autumn.tick("2026-10-25 02:30") == autumn.tick("2026-10-25 00:30Z") == 1
    assert autumn.tick("2026-10-25 02:30+01:00") == autumn.tick("2026-10-25 01:30Z") == 3
    assert autumn.tick("2026-10-25 03:00") == autumn.tick("2026-10-25 02:00Z") == 4
    spring = Timeline(HOUR // 2, origin=datetime(2026, 3, 29, tzinfo=UTC), zone=VIENNA)
    assert spring.tick("2026-03-29 01:30") == 1
    assert spring.tick("2026-03-29 02:30") == spring.tick("2026-03-29 03:30") == 3
    assert spring.tick("2026-03-29 03:00") == 2


def test_ticks_are_of_one_length_on_either_side_of_a_clock_change() -> None:
    """An hour that clocks skip does not pass; of two local times of a zone Python says otherwise."""
    vienna = Timeline(HOUR, origin=datetime(2026, 3, 29), zone=VIENNA)
    assert vienna.tick("2026-03-30T00:00") == 23
    assert vienna.moment(23) == datetime(2026, 3, 29, 22, tzinfo=UTC)
    days = Timeline(24 * HOUR, origin=datetime(2026, 3, 28), zone=VIENNA)
    assert [days.tick(f"2026-03-{day}") for day in (28, 29, 30, 31)] == [0, 1, 1, 2]


@pytest.mark.parametrize(
    ("timeline", "time", "reason"),
    [
        (Timeline(), "2026-01-01T00:00Z", "the time 2026-01-01T00:00Z needs a tick length"),
        (Timeline(unit=TimeUnit.SEC), 5, "needs a tick length"),
        (SECONDS, "yesterday", "is not a timestamp such as"),
        (SECONDS, "1969-12-31T23:59:59Z", "before tick 0"),
        (SECONDS, -1, "before tick 0"),
        (Timeline(), 2**64, "more than the largest tick: choose a later --origin or a longer #tick"),
        (SECONDS, 1769868300250, "year 9999: milliseconds since 1970 are read with --time-unit msec$"),
        (SECONDS, "1769868300.25", "05:00Z; seconds since 1970 are read with --time-unit sec$"),
        (Timeline(declared_at="ts"), "1769868300.25", 'with --time-unit sec or #input ... at ts "%s"$'),
        (SECONDS, "7.5", r"is not a timestamp .*: remove the fraction from a number of ticks"),
        (Timeline(), 1.5, "is no integer and no timestamp"),
        (Timeline(), True, "is no integer and no timestamp"),
        (Timeline(), None, "is no integer and no timestamp"),
        (Timeline(), [1], "a list is no integer and no"),
        (SECONDS, "9" * 100_000, r"9 \.\.\.' is not a timestamp such as"),
    ],
)
def test_times_that_are_none(timeline: Timeline, time: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        timeline.tick(time)


def test_ticks_may_have_more_than_32_bits() -> None:
    assert Timeline(1_000).tick("2026-01-01T00:00:00.007Z") == 1_767_225_600_007
    assert Timeline().tick(2**31) == Timeline().tick_of_text(str(2**31)) == Timeline().tick_of(2**31) == 2**31
    hundreds = Timeline(100_000)
    assert "milliseconds since 1970 are read with --time-unit msec" in hundreds.doubt_of(1_767_225_600_007)
    assert not hundreds.doubt_of(17_672_256_000) and not Timeline(1_000).doubt_of(1_767_225_600_007)


def test_numbers_too_long_to_be_written() -> None:
    """Python refuses to write numbers of more than 4300 digits."""
    with pytest.raises(InputError, match="the time ~1e4999 is tick ~1e4999, more than the largest tick"):
        Timeline().tick(10**4999)
    with pytest.raises(InputError, match="the time -~1e4999 is before tick 0"):
        Timeline().tick(-(10**4999))
    with pytest.raises(InputError, match="is tick ~1e4305, more than the largest tick"):
        Timeline(1, TimeUnit.SEC).tick(10**4299)
    with pytest.raises(InputError, match="the time ~1e4999 needs a tick length"):
        Timeline(unit=TimeUnit.SEC).tick(10**4999)


def test_durations() -> None:
    minutes = Timeline(tick_length=60_000_000)
    texts = ("7", " 90 sec", "1 d", "0", "2min", "3m", "0.5 hour", "90.5 s")
    assert [minutes.ticks(text) for text in texts] == [7, 2, 1440, 0, 2, 3, 30, 2]
    assert duration("0.2 sec") == (200_000, 1)
    assert [duration(text) for text in ("0.0000001 sec", "0.5", "1. sec", ".5 sec")] == [None] * 4
    with pytest.raises(InputError, match="needs a tick length"):
        Timeline().ticks("3 sec")


EPOCHS = {"%s": 1, "%Q": 10**3, "%u": 10**6, "%n": 10**9}
UNITS = {"%s": TimeUnit.SEC, "%Q": TimeUnit.MSEC, "%u": TimeUnit.USEC, "%n": TimeUnit.NSEC}
OF_DATE = {"%s%6N": "%u", "%s%N": "%n"}
"""Formats of GNU date, and what they are."""
SECONDS_OF_OUR_TIME = (1_000_000_000, 1_767_225_600, 2_100_000_000)
LENGTHS = (1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("seconds", SECONDS_OF_OUR_TIME)
@pytest.mark.parametrize("written", EPOCHS)
@pytest.mark.parametrize("read", EPOCHS)
def test_what_counts_another_unit_is_refused_with_the_right_one_or_doubted(
    read: str, written: str, seconds: int, length: int
) -> None:
    """No number of our time is taken for one that is a thousand times larger or smaller without a word."""
    number, tick = seconds * EPOCHS[written], seconds * 10**6 // length
    declared = Timeline(length, form=TimeFormat(read), declared_at="time")
    for timeline, time, cure in (
        (declared, str(number), f'are read with #input ... at time "{written}"'),
        (Timeline(length, form=TimeFormat(read)), str(number), f"are read with --time-format {written}"),
        (Timeline(length, UNITS[read]), str(number), f"are read with --time-unit {UNITS[written]}"),
        (Timeline(length, UNITS[read]), number, f"are read with --time-unit {UNITS[written]}"),
    ):
        take = partial(timeline.tick_of_text, time) if isinstance(time, str) else partial(timeline.tick, time)
        if EPOCHS[read] >= EPOCHS[written]:
            found = take()
            assert (found == tick) is (read == written)
            times = EPOCHS[read] // EPOCHS[written]
            is_seen = times == 10**3 or (times == 10**6 and length <= 60_000_000)
            if times == 1 or (seconds == 1_767_225_600 and is_seen):
                assert bool(timeline.doubt_of(found)) is (times > 1)
        else:
            with pytest.raises(InputError, match=f"is after the year 9999: .* since 1970 {cure}$"):
                take()


def test_doubts_of_a_first_time() -> None:
    minutes = Timeline(60_000_000, TimeUnit.MSEC)
    assert minutes.doubt_of(29453) == (
        "the first time is read as tick 29453 (1970-01-21T10:53:00+00:00); if it counts seconds "
        'since 1970, add --time-unit sec or write #input ... at time "%s"'
    )
    assert Timeline(60_000_000).doubt_of(29453, ["%Q"]) == minutes.doubt_of(29453)
    for other in (Timeline(60_000_000), Timeline(60_000_000, TimeUnit.SEC), Timeline(unit=TimeUnit.MSEC)):
        assert not other.doubt_of(29453)
    assert not Timeline(60_000_000, TimeUnit.MSEC, datetime(2026, 1, 1, tzinfo=UTC)).doubt_of(29453)
    assert not minutes.doubt_of(0) and not minutes.doubt_of(29_453_760)


@pytest.mark.parametrize(("form", "text", "microseconds"), [
    ("%s%6N", "1767225600123456", 1767225600123456),
    ("%s%6N", "-1.5", -2),
    ("%s%N", "1767225600123456789", 1767225600123456),
    ("%s%N", "999", 0),
    ("%s%N", "-1", -1),
    ("%s%N", "-1000", -1),
    ("%s%N", "1000.9", 1),
    ("%s%N", "-1000.9", -2),
])  # fmt: skip
def test_microseconds_and_nanoseconds(form: str, text: str, microseconds: int) -> None:
    assert +TimeFormat(form).microseconds(text, None) == microseconds
    assert +TimeFormat(OF_DATE[form]).microseconds(text, None) == microseconds
    if "." not in text:
        timeline = Timeline(1, UNITS[OF_DATE[form]], origin=datetime(1960, 1, 1, tzinfo=UTC))
        plain = Timeline(10**12, UNITS[OF_DATE[form]])
        assert timeline.moment(0).year == 1960
        if microseconds >= 0:
            assert plain.tick(int(text)) == microseconds // 10**12
