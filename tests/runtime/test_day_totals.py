"""Totals of the days of a zone over three years, with changes of clocks: answers equal those of pandas."""

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


@pytest.mark.parametrize(
    "zone", ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]
)
def test_totals_by_dates_are_those_of_pandas(zone: str) -> None:
    """Now and then, at each midnight and in the minute before."""
    midnights = pd.date_range("2023-01-01", "2026-01-01", freq="D", tz=zone).tz_convert("UTC")
    times = pd.date_range("2023-01-01", "2026-01-01", freq="1997min", tz="UTC")
    times = times.union(midnights).union(midnights - pd.Timedelta("1min"))
    used = pd.DataFrame({"time": times, "value": [number * 37 % 101 for number in range(len(times))]})
    local = used.time.dt.tz_convert(zone).dt.date
    wanted = used.value.groupby(local).sum().to_dict()
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
