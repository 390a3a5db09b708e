"""Local times that come twice, as clocks were set back, are read as time went."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp import InputError, Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.sources.arrow.frames import read_frame
from lars2asp.runtime.sources.files import FileInput, read_file
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.records import Line, Record, Rejected

AT = '#tick 5 min.  #timezone "Europe/Vienna".  #input q(v) at time.  a(X) :- q(X).\n'
NIGHT = "2026-10-25 "
CLOCKS_BACK = {
    "Europe/Vienna": datetime(2026, 10, 25, 1, tzinfo=UTC),
    "America/New_York": datetime(2026, 11, 1, 6, tzinfo=UTC),
    "Australia/Lord_Howe": datetime(2026, 4, 4, 15, tzinfo=UTC),
}
"""When clocks are set back: by an hour, in Lord Howe by half an hour."""


def read(
    folder: Path, times: Sequence[str], program: str = AT, head: str = "time,v"
) -> tuple[list[str], list[str]]:
    """When records are, in UTC, and what is said of those that are rejected."""
    (folder / "t.csv").write_text(f"{head}\n" + "".join(f"{time},{v}\n" for v, time in enumerate(times)))
    rejected: list[Rejected] = []
    reading = Reasoner.from_text(program).reading
    records = read_file(folder / "t.csv", reading, rejected.append)
    moments = [reading.timeline.moment(record.tick) for record in records]
    return [f"{one:%H:%M}" for one in moments], [one.reason for one in rejected]


def unwanted(rejected: Rejected) -> None:
    pytest.fail(str(rejected))


@pytest.mark.parametrize(
    ("clock", "moments"),
    [
        ("01:30 02:00 02:30 02:00 02:30 03:00", "23:30 00:00 00:30 01:00 01:30 02:00"),
        ("00:00 01:00 02:00 02:00 03:00", "22:00 23:00 00:00 01:00 02:00"),  # every hour
        (
            "00:00 00:00 01:00 01:00 02:00 02:00 02:00 02:00",
            "22:00 22:00 23:00 23:00 00:00 00:00 01:00 01:00",
        ),
        ("01:50 02:10 02:05 03:00", "23:50 00:10 01:05 02:00"),  # nothing for 55 minutes
        ("01:55 02:00 02:00 02:15 02:00 02:00", "23:55 00:00 00:00 00:15 01:00 01:00"),  # two a time
    ],
)
def test_time_goes_on(tmp_path: Path, clock: str, moments: str) -> None:
    assert read(tmp_path, [NIGHT + time for time in clock.split()]) == (moments.split(), [])


def test_late_records_are_of_the_same_hour(tmp_path: Path) -> None:
    """Where some may come late, a record lies before the last one as well."""
    clock = ["01:55", "02:10", "02:05", "02:55", "02:00", "02:50", "02:05"]
    late = read(tmp_path, [NIGHT + time for time in clock], AT + "#lateness 10 min.")
    assert late == (["23:55", "00:10", "00:05", "00:55", "01:00", "00:50", "01:05"], [])


def test_what_tells_nothing_is_rejected(tmp_path: Path) -> None:
    """The first record, and one long behind the last."""
    assert read(tmp_path, [NIGHT + "02:30", NIGHT + "03:00"]) == (
        ["02:00"],
        [
            "the local time 2026-10-25 02:30:00 occurs twice because clocks were set back, and the "
            "records before do not show which is meant: write its offset (+02:00 or +01:00) or zone "
            "(CEST, CET), or add a column with 0 (first) or 1 (second): #input ... at time + fold"
        ],
    )
    moments, said = read(tmp_path, ["2026-10-24 02:30", NIGHT + "02:30", "2026-10-26 02:30"])
    assert (moments, len(said)) == (["00:30", "01:30"], 1)


def test_what_says_which_is_meant(tmp_path: Path) -> None:
    times = [f"{NIGHT}02:30{zone}" for zone in (" CEST", " CET", " UTC", " GMT", " +01:00", "+02:00", " EST")]
    moments, said = read(tmp_path, times)
    assert moments == ["00:30", "01:30", "02:30", "02:30", "01:30", "00:30"]
    assert "at this time the zone Europe/Vienna is CEST or CET, not EST" in said[0]
    named = AT.replace("at time", 'at time "%d.%m.%Y %H:%M %Z"')
    assert read(
        tmp_path, [f"25.10.2026 02:30 {zone}" for zone in ("CET", "cest", "UTC", "+02:00")], named
    ) == (
        ["01:30", "00:30", "02:30", "00:30"],
        [],
    )
    program = AT.replace("at time", "at time + Fold")
    folded = [f"{NIGHT}{one}" for one in ("02:30,0", "02:30,1", "03:30,1", "02:30Z,1", "02:30,2")]
    assert read(tmp_path, folded, program, "time,Fold,v") == (
        ["00:30", "01:30", "02:30", "02:30"],
        ["column time + Fold: '2' in the column fold must be 0 (first) or 1 (second)"],
    )
    without = AT.replace('#timezone "Europe/Vienna".', "")
    assert "name the time zone by --timezone" in read(tmp_path, [NIGHT + "02:30 CEST"], without)[1][0]


def test_numbers_with_exponents(tmp_path: Path) -> None:
    program = AT.replace("at time", 'at time "%Q"')
    assert read(tmp_path, ["1.764e12", "1764000300000", "1.7640006E+12"], program) == (
        ["16:00", "16:05", "16:10"],
        [],
    )
    assert "read with --time-unit msec" in read(tmp_path, ["1.764e12"])[1][0]


@given(
    zone=st.sampled_from([*CLOCKS_BACK]),
    steps=st.lists(st.sampled_from([0, 5, 5, 5, 10, 10, 15, 20]), min_size=20, max_size=60),
    before=st.integers(30, 70),
)
def test_the_order_is_that_of_pandas(
    zone: str, steps: list[int], before: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Where pandas' `infer` tells times apart they are the same; none are taken for others anywhere."""
    moments, moment = [], CLOCKS_BACK[zone] - timedelta(minutes=before + 60)
    for step in steps:
        moment += timedelta(minutes=step)
        moments.append(moment)
    local = [one.astimezone(ZoneInfo(zone)).replace(tzinfo=None) for one in moments]
    reading = Reasoner.from_text(AT.replace("Europe/Vienna", zone)).reading
    folder = tmp_path_factory.mktemp("order")
    forms: dict[str, str] = {
        "t.csv": "time,v\n" + "".join(f"{one},{place}\n" for place, one in enumerate(local)),
        "t.jsonl": "".join(
            json.dumps({"time": str(one), "v": place}) + "\n" for place, one in enumerate(local)
        ),
    }
    begin, length = reading.timeline.moment(0), timedelta(minutes=5)
    expected = [(one - begin) // length for one in moments]
    for name, text in forms.items():
        (folder / name).write_text(text)
        assert [record.tick for record in read_file(folder / name, reading)] == expected
    live, read_live = LiveReader(reading, unwanted), list[Record]()
    for number, line in enumerate(forms["t.jsonl"].splitlines(), start=1):
        read_live += live.records(Line("tcp", number, line))
    assert [record.tick for record in read_live] == expected
    pd.DataFrame({"time": local, "v": range(len(local))}).to_parquet(folder / "t.parquet")
    assert [record.tick for record in read_file(folder / "t.parquet", reading)] == expected
    for each in (str, pd.Timestamp):
        frame = pd.DataFrame({"time": [*map(each, local)], "v": range(len(local))})
        for has_row_each in (False, True):
            found = read_frame(frame, reading, unwanted, has_row_each=has_row_each)
            assert [(record.tick, row) for record in found for row in record.events.facts[0].rows] == [
                (tick, (v,)) for v, tick in enumerate(expected)
            ]
    # pandas takes the second of two equal records for one of the second hour
    once = [one.astimezone(ZoneInfo(zone)).replace(tzinfo=None) for one in dict.fromkeys(moments)]
    try:
        inferred = pd.DatetimeIndex(once).tz_localize(zone, ambiguous="infer")
    except Exception:  # where only one of two is there
        return
    assert [*inferred.tz_convert("UTC")] == [pd.Timestamp(one) for one in dict.fromkeys(moments)]


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_reading_goes_on_from_each_record(tmp_path: Path, name: str) -> None:
    clock = "00:00 00:00 01:00 01:00 02:00 02:00 02:00 02:00 03:00 03:00"
    for times in (clock, "01:00 01:40 02:10 02:50 02:05 02:40 03:10"):
        rows = [(f"{NIGHT}{time}", v) for v, time in enumerate(times.split())]
        text = "".join(json.dumps({"time": time, "v": v}) + "\n" for time, v in rows)
        if name == "t.csv":
            text = "time,v\n" + "".join(f"{time},{v}\n" for time, v in rows)
        (tmp_path / name).write_text(text)
        reading = Reasoner.from_text(AT).reading
        whole = [record.tick for record in read_file(tmp_path / name, reading)]
        for number in range(1, len(rows)):
            with FileInput(str(tmp_path / name), reading, unwanted) as first:
                ticks = [record.tick for record in islice(first.records(), number)]
                state = json.loads(json.dumps(first.state()))
            with FileInput(str(tmp_path / name), reading, unwanted) as again:
                again.restore(state)
                assert ticks + [record.tick for record in again.records()] == whole, (times, number)


def test_values_that_come_twice_are_refused(tmp_path: Path) -> None:
    """Where neither an offset nor a column says which is meant."""
    program = AT.replace("q(v)", "q(time(sent))").replace("at time", 'at time "%Q"')
    sent = [NIGHT + one for one in ("01:30", "02:30", "02:30 CET", "03:00")]
    (tmp_path / "t.csv").write_text("time,sent\n" + "".join(f"1792900800000,{one}\n" for one in sent))
    frame = pd.DataFrame({"time": 1792900800000, "sent": [*map(pd.Timestamp, sent[:2])]})
    for source, number in ((tmp_path / "t.csv", 3), (frame, 1)):
        rejected: list[Rejected] = []
        reasoner = Reasoner.from_text(program)
        assert [*reasoner.run(source, on_reject=rejected.append)]
        assert reasoner.statistics.facts == number
        [reason] = [one.reason for one in rejected]
        assert "2026-10-25 02:30:00 occurs twice" in reason
        assert (
            "write its offset (+02:00 or +01:00) or zone (CEST, CET), or add a column with 0 (first)"
            in reason
        )
    folded = Reasoner.from_text(program.replace("time(sent)", "time(sent + fold)")).reading
    rows = [f"1792900800000,{NIGHT}02:30,{fold}" for fold in (0, 1)]
    (tmp_path / "t.csv").write_text("\n".join(["time,sent,fold", *rows]))
    ticks = [record.events.facts[0].rows[0][0] for record in read_file(tmp_path / "t.csv", folded)]
    first = folded.timeline.tick(f"{NIGHT}02:30 CEST")
    assert ticks == [first, first + 12]


@pytest.mark.parametrize(("zone", "status"), [("Europe/Vienna", 0), ("UTC", 1)])
def test_no_lateness_is_proposed(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    zone: str,
    status: int,
) -> None:
    """Whatever the zone of the machine is; if it is another one, rows would be late."""
    monkeypatch.setenv("TZ", zone)
    moments = [CLOCKS_BACK["Europe/Vienna"] + timedelta(minutes=10 * place) for place in range(-30, 30)]
    local = [one.astimezone(ZoneInfo("Europe/Vienna")).replace(tzinfo=None) for one in moments]
    (tmp_path / "t.csv").write_text("time,v\n" + "".join(f"{one},{v}\n" for v, one in enumerate(local)))
    assert main(["check", "--input", str(tmp_path / "t.csv")]) == status
    said = capsys.readouterr().out
    assert "\n#lateness" not in said
    assert "the times go back from 2026-10-25 02:50:00 to 2026-10-25 02:00:00, as clocks do" in said
    (tmp_path / "p.lars").write_text('#tick 10 min. #timezone "Europe/Vienna". #input q(v) at time.')
    assert main(["check", str(tmp_path / "p.lars"), "--input", str(tmp_path / "t.csv")]) == 0
    assert "60 records can be read, 0 cannot" in capsys.readouterr().out


def test_a_column_fold_is_proposed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("time,v,Fold\n" + "".join(f"{NIGHT}02:30,{v},{v}\n" for v in (0, 1)))
    assert main(["check", "--input", str(tmp_path / "t.csv")]) == 0
    assert "#input reading(v) at time + Fold." in capsys.readouterr().out
    (tmp_path / "t.csv").write_text(f"time,v,fold\n{NIGHT}02:30,1,7\n")
    assert main(["check", "--input", str(tmp_path / "t.csv")]) == 0
    assert "#input reading(v, fold) at time." in capsys.readouterr().out


def test_a_date_alone_is_the_beginning_of_the_day(tmp_path: Path) -> None:
    """Where midnight comes twice, the first."""
    program = AT.replace("Europe/Vienna", "America/Havana")
    assert read(tmp_path, ["2026-11-01"], program) == (["04:00"], [])
    reading = Reasoner.from_text(program).reading
    [record] = read_frame(pd.DataFrame({"time": [date(2026, 11, 1)], "v": [1]}), reading)
    assert reading.timeline.moment(record.tick).hour == 4
    (tmp_path / "t.csv").write_text("time,v\n2026-11-01 00:30,1\n")
    with pytest.raises(InputError, match="occurs twice"):
        [*read_file(tmp_path / "t.csv", Reasoner.from_text(program).reading, "stop")]
