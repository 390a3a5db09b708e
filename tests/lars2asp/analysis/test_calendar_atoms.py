from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from lars2asp.analysis.calendar_atoms import CALENDAR_ATOMS, HOLIDAY, CalendarPredicate
from lars2asp.analysis.tick_moments import TickMoments
from lars2asp.syntax.nodes import Signature

ZONES = ("Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns")


def predicate(name: str, zone: str, tick: int, begin: str) -> CalendarPredicate:
    holidays = tuple((date.fromisoformat(day).toordinal(), day) for day in ("2006-10-29", "2007-04-01"))
    moments = TickMoments(tick * 1_000_000, datetime.fromisoformat(begin), ZoneInfo(zone))
    known = holidays if name == HOLIDAY else ()
    return CalendarPredicate(Signature(name, CALENDAR_ATOMS[name].arity), moments, known)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("name", CALENDAR_ATOMS)
def test_changes_are_those_of_the_clock_when_ticks_begin(name: str, zone: str) -> None:
    """In the nights in which clocks are changed, St John's at one minute past midnight."""
    tick = 60 if name == "minute_of_day" else 1800
    for begin in ("2006-10-28T07:00+00:00", "2007-03-31T09:17+00:00", "2007-03-10T21:00+00:00"):
        known, last = predicate(name, zone, tick, begin), 2 * 24 * 3600 // tick
        shown = [known.rows(each) for each in range(last + 1)]
        changes = [each for each in range(1, last + 1) if shown[each] != shown[each - 1]]
        found, at = [], known.next_change(0)
        while at is not None and at <= last:
            found.append(at)
            at = known.next_change(at)
        assert found == changes


def test_holidays_far_away_are_found_at_once() -> None:
    """They are the dates of the zone; behind the last one there is none."""
    known = predicate(HOLIDAY, "Asia/Kathmandu", 1, "1970-01-01T00:00+00:00")
    begin = int(datetime.fromisoformat("2006-10-29T00:00+05:45").timestamp())
    assert known.rows(begin - 1) == ()
    assert known.next_change(0) == begin
    assert known.rows(begin) == (("2006-10-29",),)
    assert known.next_change(begin) == begin + 24 * 3600
    last = int(datetime.fromisoformat("2007-04-02T00:00+05:45").timestamp())
    assert known.next_change(last) is None


def test_the_calendar_ends_with_the_year_9999() -> None:
    known = predicate("weekday", "Europe/Vienna", 3600, "9999-12-31T00:00+00:00")
    assert known.rows(0) == ((5,),)
    assert known.rows(100) == ()
    assert known.next_change(0) in (None, 23, 24)
