"""Totals of the days of a zone, with changes of clocks: answers equal those of pandas."""

import re
from datetime import date

import pandas as pd
import pytest

from lars2asp import Reasoner

TOTALS = """
#tick 1 min.
#origin "2022-12-31T00:00:00Z".
#calendar date(Y,M,D).
used_on(Y,M,D,N,V) :- used(N,V), date(Y,M,D).
over(Y,M,D) :- date(Y,M,D) in {1}, not date(Y,M,D).
total(Y,M,D,S) :- over(Y,M,D), S = #sum { V,N : used_on(Y,M,D,N,V) in [1 min..25 hour] }.
#show total/4.
"""


ZONES = ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]


def _used(zone: str) -> tuple[pd.DataFrame, dict[date, int]]:
    """What is used now and then, at each midnight and in the minute before; and the totals of pandas."""
    midnights = pd.date_range("2023-01-01", "2026-01-01", freq="D", tz=zone).tz_convert("UTC")
    times = pd.date_range("2023-01-01", "2026-01-01", freq="1997min", tz="UTC")
    times = times.union(midnights).union(midnights - pd.Timedelta("1min"))
    used = pd.DataFrame({"time": times, "value": [number * 37 % 101 for number in range(len(times))]})
    local = used.time.dt.tz_convert(zone).dt.date
    return used, used.value.groupby(local).sum().to_dict()


@pytest.mark.parametrize("zone", ZONES)
def test_totals_by_dates_are_those_of_pandas(zone: str) -> None:
    used, wanted = _used(zone)
    reasoner = Reasoner.from_text(TOTALS, timezone=zone)
    rows = ((row.time.to_pydatetime(), [f"used({row.Index},{row.value})"]) for row in used.itertuples())
    found: dict[date, int] = {}
    for answer in reasoner.run(rows):
        for atom in answer.holds.texts:
            year, month, day, total = map(int, re.findall(r"\d+", atom))
            found[date(year, month, day)] = total
    del wanted[max(wanted)]  # which is not over
    assert len(found) > 1090
    assert found == wanted


@pytest.mark.parametrize("zone", ZONES)
def test_totals_by_ticks_that_are_days_are_those_of_pandas(zone: str) -> None:
    """Each tick has the date of the calendar and the time of its midnight; windows of days hold dates."""
    used, wanted = _used(zone)
    reasoner = Reasoner.from_text(
        f"""
        #tick 1 day. #timezone "{zone}".
        #calendar date(Y,M,D).
        #input used(row(), value) at time.
        total(S) :- S = #sum {{ V,N : used(N,V) }}.
        yesterday(S) :- S = #sum {{ V,N : used(N,V) in {{1}} }}.
        totals(Y,M,D,S,P) :- date(Y,M,D), total(S), yesterday(P).
        #show totals/5.
        """
    )
    before, found = 0, dict[date, int]()
    for answer in reasoner.run(used, emit="every"):
        [atom] = answer.holds.texts
        year, month, day, total, yesterday = map(int, re.findall(r"\d+", atom))
        found[date(year, month, day)] = total
        assert reasoner.session.timeline.local(answer.tick) == pd.Timestamp(date(year, month, day), tz=zone)
        assert yesterday == before
        before = total
    assert found == wanted
    assert len(found) > 1090


BLOCKS = """
#tick 15 min.
#origin "2024-12-30T00:00:00Z".
total(S) :- S = #sum { V,N : used(N,V) in [every 1 UNIT] }.
"""


@pytest.mark.parametrize(
    ("zone", "unit", "evaluator"),
    [
        ("Europe/Vienna", "day", "external"),
        ("Europe/Vienna", "week", "delta"),
        ("America/New_York", "day", "delta"),
        ("America/New_York", "month", "delta"),
        ("Australia/Lord_Howe", "day", "delta"),
        ("Asia/Kathmandu", "day", "delta"),
    ],
)
def test_totals_by_blocks_are_those_of_pandas(zone: str, unit: str, evaluator: str) -> None:
    """Three years: each is said at its last tick, and what is used at midnight belongs to the next."""
    ends = pd.date_range("2025-01-01", "2028-02-01", freq="D", tz=zone).tz_convert("UTC")
    times = pd.date_range("2025-01-01T12:00", "2028-02-02", freq="5985min", tz="UTC")
    times = times.union(ends).union(ends - pd.Timedelta("15min"))
    used = pd.DataFrame({"time": times, "value": [number * 37 % 101 for number in range(len(times))]})
    local = used.time.dt.tz_convert(zone).dt.tz_localize(None)
    periods = local.dt.to_period({"day": "D", "week": "W-SUN", "month": "M"}[unit])
    totals = used.value.groupby(periods).sum()
    after = [(one + 1).start_time.tz_localize(zone).tz_convert("UTC") for one in totals.index]
    wanted = dict(zip(after[:-1], totals[:-1], strict=True))  # the last one is not over
    reasoner = Reasoner.from_text(BLOCKS.replace("UNIT", unit), timezone=zone, evaluator=evaluator)
    rows = ((row.time.to_pydatetime(), [f"used({row.Index},{row.value})"]) for row in used.itertuples())
    origin, length = pd.Timestamp("2024-12-30", tz="UTC"), pd.Timedelta("15min")
    found = {
        origin + (answer.tick + 1) * length: int(answer.holds.texts[0][6:-1])
        for answer in reasoner.run(rows, emit="windows")
    }
    assert {end: total for end, total in found.items() if end in wanted} == wanted
    assert len(wanted) > {"day": 1120, "week": 160, "month": 36}[unit]
