"""Times that name no year, or no date, are read as time went."""

import json
import logging
import os
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import InputError, Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.sources.files import FileInput, read_file
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.records import Line, Record, Rejected

VIENNA = ZoneInfo("Europe/Vienna")
SYSLOG, CLOCK = "%b %d %H:%M:%S", "%H:%M:%S"
STEPS = {SYSLOG: timedelta(days=170), CLOCK: timedelta(hours=17)}
"""The longest stretch from one record to the next; back a third of that."""


def program(form: str, more: str = "") -> str:
    return f'#tick 1 sec.  #timezone "Europe/Vienna". {more} #input q(v) at time "{form}".  a(X) :- q(X).\n'


def written(folder: Path, times: list[str], changed: datetime | None = None) -> Path:
    file = folder / "log.csv"
    file.write_text("time,v\n" + "".join(f"{time},{v}\n" for v, time in enumerate(times)))
    if changed is not None:
        os.utime(file, (changed.timestamp(),) * 2)
    return file


def read(file: Path, text: str) -> tuple[list[str], list[str]]:
    """The local times of records, and what is said of those that are rejected."""
    rejected: list[Rejected] = []
    reading = Reasoner.from_text(text).reading
    records = [*read_file(file, reading, rejected.append)]
    moments = [reading.timeline.moment(record.tick).astimezone(VIENNA) for record in records]
    return [f"{one:%Y-%m-%d %H:%M:%S}" for one in moments], [one.reason for one in rejected]


@given(
    form=st.sampled_from([SYSLOG, CLOCK]),
    begin=st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)),
    steps=st.lists(st.floats(-0.3, 1), min_size=1, max_size=12),
)
def test_the_order_of_records_tells_the_date(
    form: str, begin: datetime, steps: list[float], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """From a file, after an interruption at each record, and live."""
    moments, last = [], begin.replace(tzinfo=VIENNA, microsecond=0)
    for step in (0.0, *steps):
        moment = (last + step * STEPS[form]).astimezone(VIENNA).replace(microsecond=0)
        if (moment.month, moment.day) == (2, 29) or moment.replace(fold=1 - moment.fold) != moment:
            continue
        moments.append(moment)
        last = max(last, moment)
    file = written(tmp_path_factory.mktemp("log"), [f"{one:{form}}" for one in moments])
    if not moments or moments[0] < begin.replace(tzinfo=VIENNA):
        return
    reading = Reasoner.from_text(program(form)).reading
    expected = [reading.timeline.tick_of(one) for one in moments]

    def ticks(records: list[Record]) -> list[int]:
        return [record.tick for record in records]

    timeline = replace(reading.timeline, dates_from=begin)
    reading = replace(reading, timeline=timeline, largest_gap=10**9)
    assert ticks([*read_file(file, reading)]) == expected
    for stop in range(1, len(expected)):
        with FileInput(str(file), reading, unwanted) as source:
            head = [*islice(source.records(), stop)]
            state = source.state()
        with FileInput(str(file), reading, unwanted) as source:
            source.restore(state)
            assert ticks([*head, *source.records()]) == expected
    live, found = LiveReader(replace(reading, format=reading.format_of("a.csv")), unwanted), list[Record]()
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        found += live.records(Line("tcp", number, line))
    assert ticks(found) == expected


def unwanted(rejected: Rejected) -> None:
    pytest.fail(str(rejected))


def test_the_change_of_the_file_tells_the_first_date(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = ["Dec 30 10:00:00", "Dec 31 23:59:59", "Jan  1 00:00:01", "Feb 28 12:00:00"]
    file = written(tmp_path, log, datetime(2028, 3, 1))
    moments = ["2027-12-30 10:00:00", "2027-12-31 23:59:59", "2028-01-01 00:00:01", "2028-02-28 12:00:00"]
    with caplog.at_level(logging.WARNING):
        assert read(file, program(SYSLOG)) == (moments, [])
    assert [record.getMessage().removeprefix(str(file)) for record in caplog.records] == [
        ": the times contain no year: by the file's last change, the first is 2027-12-30; if this is wrong, "
        "add --year 2026 or --origin 2026-01-31T00:00:00Z (#origin in the program)"
    ]
    clock = written(tmp_path, ["22:10:00", "23:50:00"], datetime(2026, 11, 3, 23, 55, tzinfo=VIENNA))
    assert read(clock, program(CLOCK)) == (["2026-11-03 22:10:00", "2026-11-03 23:50:00"], [])
    clock = written(
        tmp_path, ["22:10:00", "00:50:00", "12:00:00"], datetime(2026, 11, 4, 0, 55, tzinfo=VIENNA)
    )
    assert read(clock, program(CLOCK))[0] == ["2026-11-03 22:10:00", "2026-11-04 00:50:00"]
    assert read(clock, program(CLOCK))[1] == [
        "the time '12:00:00' contains no date; after 2026-11-04 00:50:00, it would be later than the "
        "last change of the file: add --origin 2026-01-31T00:00:00Z (#origin in the program)"
    ]


def test_what_is_not_known_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cure = "add --year 2026 or --origin 2026-01-31T00:00:00Z (#origin in the program)"
    reading = Reasoner.from_text(program(SYSLOG)).reading
    for live in (lambda: LiveReader(reading, unwanted), lambda: FileInput("-", reading, unwanted)):
        with pytest.raises(
            InputError, match="the times contain no year, and this input has no date of last change"
        ) as e:
            live()
        assert str(e.value).endswith(cure)
    rejected: list[str] = []
    frame = pd.DataFrame({"time": ["Dec 31 10:00:00"], "v": [1]})
    for _ in Reasoner.from_text(program(SYSLOG)).run(
        frame, on_reject=lambda one: rejected.append(one.reason)
    ):
        pass
    assert rejected == [f"the time 'Dec 31 10:00:00' contains no year: {cure}"]
    assert read(written(tmp_path, ["Feb 29 10:00:00"]), program(SYSLOG, '#origin "2026-01-01".')) == (
        [],
        [
            "the year 2026 does not contain this day: the time 'Feb 29 10:00:00' does not fit \"%b "
            '%d %H:%M:%S" (day is out of range for month)'
        ],
    )
    leap = written(tmp_path, ["Feb 28 10:00:00", "Feb 29 10:00:00", "Mar 1 10:00:00"])
    moments, reasons = read(leap, program(SYSLOG, '#origin "2025-01-01".'))
    assert moments == ["2025-02-28 10:00:00", "2025-03-01 10:00:00"]
    assert [one.partition(":")[0] for one in reasons] == ["the year 2025 does not contain this day"]
    (tmp_path / "p.lars").write_text(program(CLOCK))
    file = written(tmp_path, ["10:00:00"])
    assert main(["run", str(tmp_path / "p.lars"), "--input", str(file), "--year", "2025"]) == 2
    assert "--year is for times without a year: for the date use --origin" in capsys.readouterr().err
    (tmp_path / "p.lars").write_text(program(SYSLOG))
    file = written(tmp_path, ["Dec 31 23:59:59", "Jan 1 00:00:00"])
    assert main(["run", str(tmp_path / "p.lars"), "--input", str(file), "--year", "2025"]) == 0
    answers, said = capsys.readouterr()
    assert [line["time"] for line in map(json.loads, answers.splitlines())] == [1767221999, 1767222000]
    assert not said
    assert main(["check", "--input", str(file)]) == 0
    assert '#input reading(v) at time "%b %d %H:%M:%S".' in capsys.readouterr().out
