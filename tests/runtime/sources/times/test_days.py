"""Ticks that are days by the clock of a zone, in every form of input."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp import Reading, Reasoner, read_file, read_frame
from lars2asp.runtime.sources.records import refuse
from lars2asp.runtime.sources.times.repeated_hours import later_moment

ZONES = ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo"]

CHANGES = [
    *("2026-03-29T01:00", "2026-10-25T01:00", "2026-03-08T07:00", "2026-11-01T06:00"),
    *("2026-04-04T15:00", "2026-10-03T15:30", "2018-11-04T03:00", "2018-02-18T02:00"),
]


@st.composite
def _moments(draw: st.DrawFn) -> list[datetime]:
    begin = datetime.fromisoformat(draw(st.sampled_from(CHANGES))).replace(tzinfo=UTC)
    minutes = draw(st.lists(st.integers(-3000, 3000), min_size=1, max_size=40))
    seconds = draw(st.sampled_from([0, 0, 30]))
    return [begin + timedelta(minutes=minute, seconds=seconds) for minute in sorted(minutes)]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "frame"])
@given(_moments(), st.sampled_from(ZONES), st.booleans())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_each_record_is_in_the_tick_of_its_date(
    tmp_path_factory: pytest.TempPathFactory, form: str, moments: list[datetime], zone: str, is_local: bool
) -> None:
    clock = ZoneInfo(zone)
    local = [moment.astimezone(clock) for moment in moments]
    if is_local:
        local = [one for one in local if later_moment(one) is None]
    wanted = [(one.date() - date(1970, 1, 1)).days for one in local]
    times: list[Any] = [one.replace(tzinfo=None) for one in local] if is_local else moments
    program = f'#tick 1 day. #timezone "{zone}". #input p(v) at ts. a(V) :- p(V).'
    plan = Reasoner.from_text(program).plan
    timeline = Reasoner.from_text(program).session.timeline
    reading = Reading(None, timeline, plan.inputs)
    path = tmp_path_factory.mktemp("days") / f"rows.{form}"
    _write(path, times)
    if form == "frame":
        records = [*read_frame(pd.DataFrame({"ts": pd.to_datetime(times), "v": range(len(times))}), reading)]
    else:
        records = [*read_file(str(path), reading, refuse)]
    assert [record.tick for record in records] == wanted
    begins = [timeline.begin_of(tick) for tick in wanted]
    assert [timeline.tick_at(begin) for begin in begins] == wanted
    assert [str(timeline.text(tick))[:10] for tick in wanted] == [one.date().isoformat() for one in local]


def _write(path: Path, times: list[datetime]) -> None:
    match path.suffix:
        case ".csv":
            rows = [f"{time.isoformat()},{number}\n" for number, time in enumerate(times)]
            path.write_text("".join(["ts,v\n", *rows]))
        case ".jsonl":
            rows = [json.dumps({"ts": time.isoformat(), "v": number}) for number, time in enumerate(times)]
            path.write_text("".join(f"{row}\n" for row in rows))
        case ".parquet":
            pd.DataFrame({"ts": pd.to_datetime(times), "v": range(len(times))}).to_parquet(path)
