"""When ticks that are days by the clock of a zone begin."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.tick_moments import EPOCH, MICROSECOND, TickMoments, moments_of
from tests.support.examples import IS_NIGHTLY

DAY = 86_400_000_000

ZONES = [
    *("Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"),
    *("America/Sao_Paulo", "Asia/Beirut"),  # change clocks at midnight
    *("America/St_Johns", "Pacific/Apia"),  # had a date that began twice, and have left out a date
]


def days(zone: str, origin: str | None = None, number: int = 1) -> TickMoments:
    begin = None if origin is None else datetime.fromisoformat(origin).replace(tzinfo=ZoneInfo(zone))
    return moments_of(number * DAY, begin, ZoneInfo(zone), counts_days=True)


def since_epoch(moment: datetime) -> int:
    return (moment - EPOCH) // MICROSECOND


@pytest.mark.parametrize("zone", ZONES)
def test_a_day_begins_where_the_clock_shows_its_date_first(zone: str) -> None:
    """Held to the clock, minute by minute, around changes of 1985 to 2026: a third of many."""
    moments, clock = days(zone), ZoneInfo(zone)
    hours = [EPOCH + timedelta(hours=hour) for hour in range(131_496, 500_000)]
    offsets = [hour.astimezone(clock).utcoffset() for hour in hours]
    changed = [hours[place] for place in range(1, len(hours)) if offsets[place] != offsets[place - 1]]
    assert changed
    for change in changed if len(changed) < 30 else changed[-50 :: 1 if IS_NIGHTLY else 3]:
        latest = date.min
        for minute in range(-1500, 1500):
            moment = change + timedelta(minutes=minute)
            latest = max(latest, moment.astimezone(clock).date())
            tick = moments.tick_since_epoch(since_epoch(moment))
            assert date(1970, 1, 1) + timedelta(days=tick) == latest, moment


@given(
    st.sampled_from(ZONES),
    st.integers(-3_000_000, 3_000_000),
    st.integers(1, 9),
    st.sampled_from([None, "1999-12-31", "2026-01-01T06:00", "2024-06-01T02:30"]),
    st.integers(0, 10 * DAY),
)
def test_ticks_and_their_begins(zone: str, tick: int, number: int, origin: str | None, more: int) -> None:
    """Begins ascend; a moment has the last tick that begins at it or before, also where dates have ended."""
    moments = days(zone, origin, number)
    begins = [moments.begin_of(one) for one in range(tick - 1, tick + 2)]
    assert begins == sorted(begins)
    at = begins[1] + more
    found = moments.tick_since_epoch(at)
    assert moments.begin_of(found) <= at < moments.begin_of(found + 1)
    first = moments.first_from(at)
    assert moments.begin_of(first - 1) < at <= moments.begin_of(first)
    shift = moments.shift_between(begins[1], at)
    if shift is not None:
        assert [(one + shift) // (number * DAY) for one in (begins[1], at)] == [
            moments.tick_since_epoch(one) for one in (begins[1], at)
        ]


def test_a_date_that_is_left_out_has_no_moment() -> None:
    moments = days("Pacific/Apia", "2011-12-29")
    assert [moments.begin_of(tick + 1) - moments.begin_of(tick) for tick in range(3)] == [DAY, 0, DAY]
    assert moments.tick_since_epoch(moments.begin_of(1)) == 2


def test_days_begin_at_the_time_of_the_origin() -> None:
    """As those of trade in gas do, also where the clock leaves that time out: then as it is put forward."""
    assert [days("Europe/Vienna", "2026-03-28T06:00").text(tick) for tick in range(3)] == [
        "2026-03-28T06:00:00+01:00",
        "2026-03-29T06:00:00+02:00",
        "2026-03-30T06:00:00+02:00",
    ]
    assert days("Europe/Vienna", "2026-03-28T02:30").text(1) == "2026-03-29T03:00:00+02:00"
    assert days("Europe/Vienna", "2026-10-24T02:30").text(1) == "2026-10-25T02:30:00+02:00"
    assert days("Europe/Vienna", "2026-03-23", 7).text(1) == "2026-03-30T00:00:00+02:00"


@given(st.integers(-(10**6), 10**6), st.integers(0, DAY))
def test_days_of_utc_are_ticks_of_24_hours(tick: int, more: int) -> None:
    by_clock, plain = moments_of(DAY, zone=UTC, counts_days=True), TickMoments(DAY, zone=UTC)
    assert by_clock.begin_of(tick) == plain.begin_of(tick)
    assert by_clock.tick_since_epoch(tick * DAY + more) == plain.tick_since_epoch(tick * DAY + more)
    assert by_clock.first_from(tick * DAY + more) == plain.first_from(tick * DAY + more)
