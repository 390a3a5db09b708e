"""Ticks as times."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from lars2asp.runtime.explanations.words.text import text_of
from lars2asp.runtime.explanations.words.tick_texts import TickTexts, tick_texts
from lars2asp.runtime.sources.times.timeline import Timeline
from tests.runtime.explanations.trees import Trees

SECOND = 1_000_000
MIDNIGHT = datetime(2026, 3, 1, tzinfo=UTC)
VIENNA = ZoneInfo("Europe/Vienna")


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (3600 * SECOND, "12:00"),
        (60 * SECOND, "00:12"),
        (90 * SECOND, "00:18:00"),
        (SECOND, "00:00:12"),
        (SECOND // 10, "00:00:01.200"),
        (5, "00:00:00.000060"),
    ],
)
def test_a_time_is_as_exact_as_ticks_are(length: int, text: str) -> None:
    assert TickTexts(Timeline(length, origin=MIDNIGHT), root=0)(12) == text


def test_an_origin_that_is_no_full_minute() -> None:
    assert TickTexts(Timeline(60 * SECOND, origin=MIDNIGHT.replace(second=30)), root=0)(1) == "00:01:30"


def test_the_date_stands_where_it_is_another_day() -> None:
    times = TickTexts(Timeline(3600 * SECOND, origin=MIDNIGHT, zone=VIENNA)).seen_from(10)
    assert times.dated(10) == "2026-03-01 11:00"
    assert [times(tick) for tick in (0, 22, 23)] == ["01:00", "23:00", "2026-03-02 00:00"]
    assert TickTexts(Timeline(3600 * SECOND, origin=MIDNIGHT, zone=VIENNA))(10) == "2026-03-01 11:00"


def test_without_a_zone_times_are_utc_which_is_said_once() -> None:
    claim = Trees().told("p", 10, "a.csv:1", 30)
    assert (
        text_of(claim, tick_texts(Timeline(3600 * SECOND, origin=MIDNIGHT)))
        == "p at 2026-03-01 10:00 UTC   a.csv:1 from 10:00 to 2026-03-02 06:00"
    )


def test_a_local_time_that_comes_twice_has_the_name_of_its_offset() -> None:
    midnight = datetime(2026, 10, 25, tzinfo=VIENNA)
    times = TickTexts(Timeline(3600 * SECOND, origin=midnight, zone=VIENNA), root=0)
    assert [times(tick) for tick in (1, 2, 3, 4)] == ["01:00", "02:00 CEST", "02:00 CET", "03:00"]


def test_ticks_of_days_are_dates() -> None:
    times = TickTexts(Timeline(24 * 3600 * SECOND, origin=MIDNIGHT), root=0)
    assert [times(0), times(1), times.dated(1)] == ["2026-03-01", "2026-03-02", "2026-03-02 UTC"]


def test_ticks_without_length_and_beyond_the_calendar_are_numbers() -> None:
    assert tick_texts(None)(7) == "7"
    assert TickTexts(Timeline(24 * 3600 * SECOND, origin=MIDNIGHT))(2**31) == str(2**31)
