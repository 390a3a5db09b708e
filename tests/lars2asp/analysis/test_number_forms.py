"""Times and durations as text: what is written is read again, to the tick."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError
from lars2asp.analysis.number_forms import DurationForm, TimeForm, number_of, number_text
from lars2asp.analysis.tick_moments import EPOCH, TickMoments

ZONES = [None, *map(ZoneInfo, ("Europe/Vienna", "America/Havana", "Australia/Lord_Howe", "Pacific/Apia"))]
LENGTHS = [1_000, 10_000, 1_000_000, 7_000_000, 60_000_000, 3_600_000_000, 86_400_000_000]
TICKS = st.integers(-(2**40), 2**40) | st.integers(-5, 5)
ORIGINS = st.sampled_from(
    [EPOCH, datetime(2026, 3, 29, 0, 30, 0, 1, tzinfo=UTC), datetime(1900, 1, 1, tzinfo=UTC)]
)


@given(TICKS, st.sampled_from(LENGTHS), ORIGINS, st.sampled_from(ZONES))
def test_times_are_read_as_they_were_written(
    tick: int, length: int, origin: datetime, zone: ZoneInfo | None
) -> None:
    form = TimeForm(TickMoments(length, origin, zone))
    text = number_text(tick, form)
    assert number_of(text, form) == tick
    if "T" in text:
        assert datetime.fromisoformat(text) == origin + timedelta(microseconds=tick * length)
        assert form.of_moment(datetime.fromisoformat(text)) == tick
    else:
        assert text == str(tick)


@given(TICKS, st.sampled_from(LENGTHS))
def test_durations_are_read_as_they_were_written(ticks: int, length: int) -> None:
    form = DurationForm(length)
    text = number_text(ticks, form)
    assert number_of(text, form) == ticks
    assert text.startswith("-") is (ticks < 0)


@pytest.mark.parametrize(("length", "ticks", "text"), [
    (60_000_000, 125, "2 h 05 min"),
    (60_000_000, -125, "-2 h 05 min"),
    (60_000_000, 1445, "1 d 00 h 05 min"),
    (1_000_000, 0, "0 s"),
    (1_000_000, 59, "59 s"),
    (1_000_000, 7201, "2 h 00 min 01 s"),
    (1_000, 90_007, "1 min 30 s 007 ms"),
    (86_400_000_000, 400, "400 d"),
])  # fmt: skip
def test_durations_as_people_read_them(length: int, ticks: int, text: str) -> None:
    assert number_text(ticks, DurationForm(length)) == text


@pytest.mark.parametrize(
    ("text", "ticks"),
    [("90 min", 90), ("1.5 h", 90), ("2 weeks", None), ("2h5min", 125), ("1 day 1 hour", 1500), ("7", 7)],
)
def test_durations_are_read_with_all_units(text: str, ticks: int | None) -> None:
    form = DurationForm(60_000_000)
    if ticks is None:
        with pytest.raises(NotScaledError, match="is not a duration: write for example 2 h 05 min"):
            number_of(text, form)
    else:
        assert number_of(text, form) == ticks


def test_what_no_tick_stands_for() -> None:
    minutes = DurationForm(60_000_000)
    with pytest.raises(NotScaledError, match="is not a whole number of ticks"):
        number_of("90 s", minutes)
    assert number_of("9999999999 h", minutes) == 60 * 9999999999
    times = TimeForm(TickMoments(1_000_000))
    for text, reason in (
        ("noon", "is not a time"),
        ("2026-01-31T14:05", "has no UTC offset"),
    ):
        with pytest.raises(NotScaledError, match=reason):
            number_of(text, times)
    assert TimeForm(TickMoments(1_000_000, zone=ZoneInfo("Europe/Vienna"))).read("1970-01-01T01:00:05") == 5
