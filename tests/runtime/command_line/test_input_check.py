"""`lars2asp check --input`: what it proposes is a program that reads the table."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from lars2asp import Reading, Reasoner, Rejected, Timeline, TimeUnit, read_file
from lars2asp.runtime.command_line.input_check import proposal
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.survey.column_kinds import MISSING_WORDS
from tests.support.command_line import lines, run
from tests.support.examples import number_of_examples
from tests.support.tables import TextTable, packed, text_tables

BEGIN = datetime(2026, 2, 1, 14, 5)
ROWS = [
    (BEGIN + timedelta(seconds=30 * n), room, 200 + (n * factor) % 60)  # with gaps
    for n in range(2000)
    if n % 97 not in (5, 6, 7)
    for room, factor in (("Küche", 7), ("Bad", 11))
]
"""Times, rooms and tenths of a degree."""

PROPOSED = [
    "#tick 30 sec.",
    '#timezone "UTC".',
    "#lateness 1 min.",
    '#input reading(raum, number(temp, ",")) at zeit "%d.%m.%Y %H:%M:%S".',
    "#decimals reading(_, 1).",
    "#held reading(Raum, _) by Raum for 90 sec.",
]


def as_people_have_it() -> str:
    """The rows as text, some of them twice, and some behind later ones."""
    order = [*range(len(ROWS))]
    for place in range(50, len(ROWS) - 10, 301):
        order[place], order[place + 3] = order[place + 3], order[place]
    for place in range(100, len(ROWS), 501):
        order.insert(place, order[place])
    told = (ROWS[place] for place in order)
    return "zeit;raum;temp\n" + "".join(
        f"{time:%d.%m.%Y %H:%M:%S};{room};{tenths // 10},{tenths % 10}\n" for time, room, tenths in told
    )


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8-sig"])
def test_a_rule_behind_the_proposal_gives_the_answers(tmp_path: Path, encoding: str) -> None:
    table = tmp_path / "readings_de.csv"
    table.write_bytes(as_people_have_it().encode(encoding))
    proposal = run(tmp_path, "check", "--input", table.name).stdout
    assert [line for line in proposal.splitlines() if line.startswith("#")] == PROPOSED
    rule = "hot(R) :- reading(R,T), T > 25.5.\n#show hot/1.\n"
    told = proposal.replace(PROPOSED[-1], "")  # at the ticks of readings alone
    (tmp_path / "p.lars").write_text(told + rule, encoding="utf-8")
    assert "0 cannot" in run(tmp_path, "check", "p.lars", "--input", table.name).stdout
    answers = lines(
        run(tmp_path, "run", "p.lars", "--input", table.name, "--times", "--emit", "every").stdout
    )
    hot = {(answer["at"], atom) for answer in answers for atom in answer["atoms"]}
    assert hot == {(f"{at.isoformat()}+00:00", f'hot("{room}")') for at, room, tenths in ROWS if tenths > 255}


def test_frames_and_typed_files_give_the_answers_of_the_table(tmp_path: Path) -> None:
    """As text, and with the times and numbers that pandas and polars make of it."""
    (tmp_path / "readings_de.csv").write_bytes(as_people_have_it().encode("latin-1"))
    rules = """
        hot(R,T) :- reading(R,T), T > 25.5.
        warm(R) :- hot(R,_) at least 2 in [5 min].
        #show hot/2. #show warm/1.
    """
    program = proposal(str(tmp_path / "readings_de.csv")) + rules
    asked: dict[str, Any] = {"sep": ";", "encoding": "latin-1"}
    text = pd.read_csv(tmp_path / "readings_de.csv", dtype=str, **asked)
    times = {"parse_dates": ["zeit"], "date_format": "%d.%m.%Y %H:%M:%S"}
    typed = pd.read_csv(tmp_path / "readings_de.csv", decimal=",", **times, **asked)
    exact = pl.col("temp").str.replace(",", ".").cast(pl.Decimal(10, 1))
    polars = pl.from_pandas(text).with_columns(pl.col("zeit").str.to_datetime("%d.%m.%Y %H:%M:%S"), exact)
    text.to_parquet(tmp_path / "text.parquet")
    typed.to_parquet(tmp_path / "typed.parquet")
    polars.write_parquet(tmp_path / "exact.parquet")
    typed.to_feather(tmp_path / "typed.feather")
    expected = _intervals(program, tmp_path / "readings_de.csv")
    assert len(expected["hot/2"]) > 100
    files = [tmp_path / name for name in ("text.parquet", "typed.parquet", "exact.parquet", "typed.feather")]
    for source in (text, typed, pl.from_pandas(text), polars, *files):
        assert _intervals(program, source) == expected


def _intervals(program: str, source: Any) -> dict[str, list[dict[str, Any]]]:
    found = Reasoner.from_text(program).intervals(source)
    return {name: table.to_pylist() for name, table in found.to_arrow().items()}


@pytest.mark.parametrize(("times", "form"), [(1, "%s"), (10**3, "%Q"), (10**6, "%u"), (10**9, "%n")])
@pytest.mark.parametrize("name", ["readings.csv", "readings.jsonl"])
def test_numbers_that_count_since_1970(tmp_path: Path, name: str, times: int, form: str) -> None:
    records = [{"ts": (1767225600 + 60 * n) * times, "room": "hall", "temp": 20 + n} for n in range(30)]
    frame = pd.DataFrame(records)
    text = frame.to_csv(index=False) if name.endswith("csv") else frame.to_json(orient="records", lines=True)
    (tmp_path / name).write_text(text)
    proposal = run(tmp_path, "check", "--input", name).stdout
    assert proposal.splitlines()[-3:] == [
        "#tick 1 min.",
        f'#input reading(room, temp) at ts "{form}".',
        "#held reading(Room, _) by Room for 3 min.",
    ]
    (tmp_path / "p.lars").write_text(f"{proposal}hot(R) :- reading(R,T), T > 48.\n")
    [found] = run(tmp_path, "run", "p.lars", "--input", name).stdout.splitlines()
    assert json.loads(found) == {"time": 1767225600 // 60 + 29, "atoms": ['hot("hall")']}


def test_columns_of_other_times_are_proposed_as_such(tmp_path: Path) -> None:
    """Timestamps with offsets, numbers of our time that count micro- and nanoseconds; ids are none."""
    (tmp_path / "t.csv").write_text(
        "id,ordered,paid,sent,card,day,delivered\n"
        "x,2026-03-29T01:30:00+01:00,1774744320000000,1774744380000000000,4111111111111111,2026-03-29,"
        "2026-03-29T01:50:00+01:00\n"
        "y,2026-03-29T01:35:00+01:00,1774744620000000,1774744680000000000,5555555555554444,2026-03-29,"
        "2026-03-29T04:36:00+02:00\n"
    )
    proposal = run(tmp_path, "check", "--input", "t.csv").stdout
    assert proposal.splitlines()[-1] == (
        '#input reading(id, time(paid "%u"), time(sent "%n"), card, text(day), time(delivered)) at ordered.'
    )
    (tmp_path / "p.lars").write_text(
        proposal.replace("5 min", "1 min") + "late(I,D,E) :- reading(I,P,S,_,_,B), D = B-P, D > 1 h, E = S-P."
    )
    answers = lines(run(tmp_path, "run", "p.lars", "--input", "t.csv").stdout)
    assert answers[-1]["atoms"] == ['late("y","1 h 59 min","1 min")']


def test_columns_without_text_are_left_out_of_the_proposal(tmp_path: Path) -> None:
    columns = {"time": [0, 1], "temp": [24.1, 25.6], "sensor": [{"id": 1}, {"id": 2}]}
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    proposal = run(tmp_path, "check", "--input", "t.parquet").stdout
    assert proposal.startswith("% t.parquet (without sensor, which contain no text or numbers): 2 rows")
    assert proposal.endswith("#input reading(temp) at time.\n#decimals reading(1).\n")
    (tmp_path / "p.lars").write_text(f"{proposal}hot :- reading(T), T > 25.5.\n#show hot/0.\n")
    answers = lines(run(tmp_path, "run", "p.lars", "--input", "t.parquet").stdout)
    assert answers == [{"time": 1, "atoms": ["hot"]}]


DIRTY = {
    "american.csv": (
        'Date,Time,Sensor,Value\n01/14/2026,2:05 PM,S001,"1,007.50"\n01/15/2026,3:05 AM,S002,"1,014.25"\n',
        [
            "#tick 1 hour.",
            '#timezone "UTC".',
            '#input reading(Sensor, number(Value, ".", ",")) at Date + Time "%m/%d/%Y %I:%M %p".',
            "#decimals reading(_, 2).",
        ],
    ),
    "export.csv": (
        "Export vom 01.02.2026\n\nDatum;Uhrzeit;Ort;Wert (°C)\n"
        "01.02.2026;14:30;Küche;1.100,5\n01.02.2026;15:30;Bad;-3,0\n",
        [
            "#tick 1 hour.",
            '#timezone "UTC".',
            '#input reading(Ort, number("Wert (°C)", ",", ".")) at Datum + Uhrzeit "%d.%m.%Y %H:%M".',
            "#decimals reading(_, 1).",
        ],
    ),
    "quoted.csv": (  # commas and ends of lines in cells
        '"when","who\'s","what, then"\n2026-02-01T14:00:00+01:00,"a,b",1\n2026-02-01T14:05Z,"c\nd",2\n',
        ["#tick 5 min.", '#input reading("who\'s", "what, then") at when.'],
    ),
    "single.csv": (
        "ts;room;x\n1769868300;'a;b';5\n1769868305;'it''s';6\n",
        ["#tick 5 sec.", '#input reading(room, x) at ts "%s".'],
    ),
    "inner.csv": ("'ts','note'\n1,'a\n\"b'\n2,'c'\n", ["#input reading(note) at ts."]),  # a line in a cell
    "apostrophes.csv": (
        "tick,city,other\n1,'s Gravenhage,'t Hooft\n2,'s Hertogenbosch,b'\n",
        ["#input reading(city, other) at tick."],
    ),
    "late.tsv": (
        "timestamp\tuser\tamount\n1769868300000\tu0\t5 kWh\n1769868360000\tu1\t7 kWh\n1769868240000\tu1\t-\n",
        [
            "#tick 1 min.",
            "#lateness 2 min.",
            '#input reading(user) at timestamp "%Q".',
            '#input reading_amount(user, number(amount) or missing) at timestamp "%Q".',
        ],
    ),
    "names.csv": (  # what begins with a word, or has several units, is not a number
        "tick,dev,plate,energy,price,code,not\n"
        "1,Raum 1,12A,5 kWh,EUR 5,007,a\n2,Raum 2,12B,300 Wh,EUR 6,008,b\n",
        ['#input reading(dev, text(plate), text(energy), number(price), text(code), "not") at tick.'],
    ),
    "digits.csv": (  # more than facts hold
        "tick,lat,account,f\n1,48.2081743123,99999999999,0.1\n2,-16.37,5,0.30000000000000004\n",
        [
            "#input reading(number(lat) rounded, account, number(f) rounded) at tick.",
            "#decimals reading(6, _, 1).",
        ],
    ),
    "header.csv": ("2026-02-01,hall,24.1\n2026-02-02,hall,21\n", [
        *("#tick 1 day.", '#timezone "UTC".', "#input reading(column2, column3) at column1."),
        "#decimals reading(_, 1).",
    ]),
    "shop.tsv": (  # commas in every row, ends of lines and tabs in cells, integers among ISO 8601
        "No.\tcreated\tprice\tnote\n007\t1769868300000\t1.234,50\t\"a\nb\"\n"
        '008\t2026-01-31T15:06:00.000+01:00\t9,90\t"say ""x"", then\ty"\n'
        "009\t1769868420000\t12,50\tc\n",
        [
            "#tick 1 min.",
            '#input reading(text("No."), number(price, ",", "."), note) at created.',
            "#decimals reading(_, 1, _).",
        ],
    ),
    "odd.csv": ("time,x,x\n1,2,3\n2,3,4\n", ["#input reading(column(2), column(3)) at time."]),
    "alone.csv": ("time\n1\n2\n", ["#input reading(text(time)) at time."]),
    "born.csv": (  # a day beside a time of day
        "date of birth,ts,n\n1980-01-01,2026-02-01 14:05,1\n1970-05-01,2026-02-01 14:06,2\n",
        ["#tick 1 min.", '#timezone "UTC".', '#input reading(text("date of birth"), n) at ts.'],
    ),
}  # fmt: skip


SENSORS = [
    {
        "ts": "2026-02-01T14:05:00Z",
        "sensor": {"id": "k", "place": {"room": "hall"}},
        "value": 24.1,
        "tags": [],
    },
    {"ts": "2026-02-01T14:06:00Z", "sensor": {"id": "l", "place": None}, "value": 24.25, "battery": 90},
    {"time": 12},
    [{"ts": "2026-02-01T14:09:00Z", "sensor": {"id": "k", "place": {"room": "hall"}}, "value": None}],
]


@pytest.mark.parametrize("name", ["t.jsonl", "t.json", "t.jsonl.gz"])
def test_json_records_with_fields_of_their_own(tmp_path: Path, name: str) -> None:
    text = "\n".join([*map(json.dumps, SENSORS), "broken"])
    (tmp_path / name).write_bytes(packed(text.encode(), Path(name).suffix if name.endswith("gz") else ""))
    said = proposal(str(tmp_path / name))
    broken, unset = sorted(one.reason for one in _rejected(said, tmp_path / name))
    assert broken.startswith("broken JSON")
    assert said.splitlines() == [
        f"% {name} (without tags: write each in front of a list to read its elements; without 1 that "
        "are no JSON records): 3 rows, all of them",
        "% sensor.id: text, 2 different, such as k",
        "% sensor.place.room: text, 1, such as hall, empty in 1 row",
        "% value: numbers with 2 decimals, 24.1 to 24.25, empty in 1 row",
        "% battery: integers, 90 to 90, in 1 of the records",
        "% ts: times of ISO 8601, 2026-02-01 14:05:00+00:00 to 2026-02-01 14:09:00+00:00",
        "% ts: mostly 1 min apart, at most 3 min",
        "% these declarations read 5 records: 3 gave facts, 2 rejected",
        f"% {tmp_path / name}:3: {unset}",
        f"% {tmp_path / name}:5: {broken}",
        "#tick 1 min.",
        '#input reading(sensor.id, sensor.place.room or "") at ts.',
        "#input reading_value(sensor.id, value) at ts.",
        "#decimals reading_value(_, 2).",
        "#input reading_battery(sensor.id, battery) at ts.",
    ]
    assert "a clock that was never set" in unset  # the tick 12


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"time": 1, "facts": ["p"]}\n', "no line is a JSON record with fields"),
        ("3: p(a)\n", "For plain facts add a program"),
        ('{"a": 1}\n{"b": 1}\n', "the records share no field"),
        ("", "no line is a JSON record"),
    ],
)
def test_nothing_is_proposed_where_no_declaration_would_read_it(
    tmp_path: Path, text: str, reason: str
) -> None:
    (tmp_path / "t.jsonl").write_text(text)
    with pytest.raises(InputError, match=reason):
        proposal(str(tmp_path / "t.jsonl"))


VALUES = st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["a", "7", "1.5", "NA", ""])
FIELDS = st.sampled_from(["a", "b", "a.b", "c d", "not", "", "."])
NESTED = st.recursive(
    VALUES, lambda inner: st.dictionaries(FIELDS, inner, max_size=3) | st.lists(inner, max_size=2)
)


@settings(
    max_examples=number_of_examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.dictionaries(FIELDS, NESTED, max_size=4), min_size=1, max_size=4))
def test_proposals_read_random_json_records(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps({"ts": tick, **record}) + "\n" for tick, record in enumerate(records)))
    rejected = _rejected(proposal(str(path)), path)
    assert all(one.reason.startswith("no field") for one in rejected)  # records that have the time alone


@pytest.mark.parametrize("name", [*DIRTY])
def test_proposals_fit_their_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TZ", "UTC")
    text, declarations = DIRTY[name]
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    said = proposal(str(tmp_path / name))
    assert [line for line in said.splitlines() if line.startswith("#")] == declarations
    assert _rejected(said, tmp_path / name) == []


def test_remarks_of_a_proposal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Vienna")
    rows = [f"{day:02}/02/2026;1,{day:03};5;x" for day in range(1, 13)]
    rows += [
        "12/02/2026;k.A.;-;y",
        "12/02/2026;k.A.;-;y",
        "05/02/2026;2,500;7;z",
        "12/02/2026;1",
        "soon;1,000;6;x",
    ]
    (tmp_path / "t.csv").write_text("\n".join(["day;n;m;x", *rows]))
    said = proposal(str(tmp_path / "t.csv"))
    soon = next(one.reason for one in _rejected(said, tmp_path / "t.csv") if "soon" in one.reason)
    assert said.splitlines() == [
        "% t.csv (delimiter ';'): 17 rows, all of them",
        "% n: numbers with 3 decimals, 1.000 to 2.500, such as 1,000; if , separates thousands, "
        'write number(n, ".", ",")',
        "% m: integers, 5 to 7",
        "% x: text, 3 different, such as x",
        '% day: times "%d/%m/%Y", 2026-02-01 00:00:00+01:00 to 2026-02-12 00:00:00+01:00',
        "% day: %m/%d/%Y would also read them: choose the right format",
        "% day: 1 cannot be read: run rejects their rows",
        "% 1 rows are late, by 7 day at most",
        "% the times lack a time zone: Europe/Vienna is the zone of this machine; if it is wrong, "
        "write the right one",
        "% cells k.A., - seem to mean missing values: `or missing` reads all cells without a number "
        "as empty, --missing k.A. --missing - (of run and check) only these",
        "% 1 rows differ from the header in the number of cells: run rejects them",
        "% these declarations read 17 records: 15 gave facts, 2 rejected",
        f"% {tmp_path / 't.csv'}:17: the row has 2 cells, but the header has 4",
        f"% {tmp_path / 't.csv'}:18: {soon}",
        "#tick 1 day.",
        '#timezone "Europe/Vienna".',
        "#lateness 7 day.",
        "% record() keeps 1 fact apart from equal ones of a tick: leave it out if these are one",
        '#input reading(record(), x) at day "%d/%m/%Y".',
        '#input reading_n(x, number(n, ",") or missing) at day "%d/%m/%Y".',
        "#decimals reading_n(_, 3).",
        '#input reading_m(x, number(m) or missing) at day "%d/%m/%Y".',
    ]


def test_a_few_words_among_numbers_are_named_and_count_as_empty(tmp_path: Path) -> None:
    table = "time,temp,room\n" + "".join(f"{n},2{n // 10}.{n % 10},{n}\n" for n in range(30))
    (tmp_path / "t.csv").write_text(table + "30,broken,31\n31,23.5,attic\n")
    said = proposal(str(tmp_path / "t.csv"))
    assert said.splitlines() == [
        "% t.csv: 32 rows, all of them",
        "% temp: numbers with 1 decimal, 20.0 to 23.5",
        "% room: integers, 0 to 31",
        "% time: ticks, 0 to 31",
        "% cells broken, attic seem to mean missing values: `or missing` reads all cells without a "
        "number as empty, --missing broken --missing attic (of run and check) only these",
        "% these declarations read 32 records: 32 gave facts",
        "#input reading_temp(number(temp) or missing) at time.",
        "#decimals reading_temp(1).",
        "#input reading_room(number(room) or missing) at time.",
    ]
    assert _rejected(said, tmp_path / "t.csv") == []


def test_fields_that_most_records_have_are_declared_beside_those_of_all(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [{"ts": n, "id": f"k{n}", "data": {"temp": n / 4}} for n in range(8)]
    records += [{"ts": 8, "id": "k8"}, {"ts": 9, "id": "k9", "data": {"temp": None}, "event": "reboot"}]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, records)))
    said = proposal(str(tmp_path / "t.jsonl"))
    assert said.splitlines() == [
        "% t.jsonl: 10 rows, all of them",
        "% id: text, 10 different, such as k0",
        "% data.temp: numbers with 2 decimals, 0.0 to 1.75, in 9 of the records",
        "% event: text, 1, such as reboot, in 1 of the records",
        "% ts: ticks, 0 to 9",
        "% these declarations read 10 records: 10 gave facts",
        '#input reading(id, event or "") at ts.',
        "#input reading_data_temp(id, data.temp) at ts.",
        "#decimals reading_data_temp(_, 2).",
    ]
    (tmp_path / "p.lars").write_text(f"{said}warm(R) :- reading_data_temp(R,T), T > 1.5.\n#show warm/1.\n")
    answers = lines(run(tmp_path, "run", "p.lars", "--input", "t.jsonl").stdout)
    assert answers == [{"time": 7, "atoms": ['warm("k7")']}, {"time": 8, "atoms": []}]


@settings(
    max_examples=number_of_examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text_tables(st.sampled_from("abcÄÖÜäöüß \t\n\r;,|\"'x7.%"), "\n"))
def test_proposals_read_random_tables(tmp_path: Path, table: TextTable) -> None:
    """All rows but those that the proposal says it does not read."""
    path = tmp_path / "t.csv"
    path.write_bytes(table.text().encode())
    said = proposal(str(path))
    assume("no column has times" not in said)
    known = re.search("cannot be read: run rejects their rows", said)
    assert len(_rejected(said, path)) == (int(known[1]) if known else 0)


def _rejected(program: str, path: Path) -> list[Rejected]:
    """The rows of a table that a program does not take, cells that seem to be missing being so."""
    plan = Reasoner.from_text(program).plan
    rejected: list[Rejected] = []
    unit = re.search("--time-unit (m?sec)", program)
    reading = Reading(
        timeline=Timeline(plan.tick_length, TimeUnit(unit[1]) if unit else TimeUnit.TICK, zone=plan.zone),
        declarations=plan.inputs,
        missing=MISSING_WORDS,
        decimals=plan.decimals,
        largest_gap=10**9,
    )
    for _ in read_file(path, reading, rejected.append):
        pass
    return rejected


def test_one_program_is_proposed_for_several_inputs(tmp_path: Path) -> None:
    (tmp_path / "rooms.csv").write_text(
        "time,room,temp\n2026-02-01T14:00:00Z,k,1.5\n2026-02-01T14:10:00Z,k,2\n"
    )
    (tmp_path / "Doors 1.csv").write_text("at;door\n01.02.2026 14:05:30;d\n01.02.2026 14:04:00;e\n")
    inputs = ["--input", "rooms.csv", "--input", "Doors 1.csv"]
    said = run(tmp_path, "check", *inputs).stdout
    assert [line for line in said.splitlines() if line.startswith("#")] == [
        "#tick 30 sec.",
        '#timezone "UTC".',
        "#lateness 90 sec.",
        "#input rooms(room, temp) at time.",
        "#decimals rooms(_, 1).",
        '#input doors_1(door) at "at" "%d.%m.%Y %H:%M:%S".',
    ]


def test_several_inputs_are_all_looked_at(tmp_path: Path) -> None:
    """Each with its own count, and merged by time: what the first one has is not lost behind the last."""
    (tmp_path / "p.lars").write_text("#input p(x) at t.\n#input r(y) at t.\nq(X) :- p(X), r(X).\n")
    (tmp_path / "good.csv").write_text("t,x\n1,2\n3,4\n")
    (tmp_path / "bad.csv").write_text("t,y\nsoon,1\n2,5\n")
    for names in (["good.csv", "bad.csv"], ["bad.csv", "good.csv"]):
        inputs = [word for name in names for word in ("--input", name)]
        done = run(tmp_path, "check", "p.lars", *inputs, status=1)
        said = {
            "good.csv": "good.csv: 2 records can be read, 0 cannot",
            "bad.csv": "bad.csv: 1 record can be read, 1 cannot",
        }
        assert done.stdout.splitlines() == [said[name] for name in names]
        assert done.stderr.startswith("bad.csv:2: error: ")
    (tmp_path / "other.csv").write_text("t,y\n0,5\n9,5\n")
    both = ("--input", "good.csv", "--input", "other.csv")
    assert run(tmp_path, "check", "p.lars", *both).stdout.count("can be read, 0 cannot") == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("p.lars", "--input", "a.csv", "--input", "a.csv"), "--input a.csv occurs twice: remove one"),
        (
            ("p.lars", "--input", "a.csv", "--input", "-"),
            "standard input cannot be merged with files: make it the only --input",
        ),
    ],
)
def test_several_inputs_that_are_refused(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "p.lars").write_text("a.\n")
    assert said in run(tmp_path, "check", *arguments, status=2).stderr


PACED = [
    (["a,20", "b,30"], 60, "#held reading(Room, _) by Room for 3 min."),
    (["a,20"], 300, "#held reading(Room, _) by Room for 15 min."),
]


@pytest.mark.parametrize(("cells", "apart", "held"), PACED)
def test_readings_at_a_steady_pace_are_to_be_held(
    tmp_path: Path, cells: list[str], apart: int, held: str
) -> None:
    """Though one is missing, and one comes late by a little."""
    times = [
        datetime.fromtimestamp(1767225600 + apart * n + (n == 7) * 20, UTC) for n in range(20) if n != 12
    ]
    rows = [f"{at:%Y-%m-%dT%H:%M:%SZ},{cell}" for at in times for cell in cells]
    (tmp_path / "t.csv").write_text("\n".join(["time,room,temp", *rows]))
    assert held in proposal(str(tmp_path / "t.csv")).splitlines()


def test_an_empty_cell_parts_columns_but_not_how_long_they_last(tmp_path: Path) -> None:
    """The distances are those of one key, and doubtful times are named once."""
    start = datetime(2026, 2, 3, 6)
    rows = [
        f"{start + timedelta(minutes=6 * n + 2 * m):%d/%m/%Y %H:%M},P-{m},{n}.{m},{('on', 'off')[n % 2]}"
        for n in range(12)
        for m in range(3)
        if (n, m) != (5, 1)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["time,pump,bar,status", *rows]))
    whole = proposal(str(tmp_path / "t.csv"))
    assert "#held reading(Pump, _, _) by Pump for 18 min." in whole
    assert "% time: for each pump mostly 6 min apart, at most 12 min\n" in whole
    assert "would also read them" not in whole
    assert whole.count("%m/%d/%Y") == 1
    rows[10] = rows[10].replace(",3.1,", ",,")
    (tmp_path / "t.csv").write_text("\n".join(["time,pump,bar,status", *rows]))
    parted = proposal(str(tmp_path / "t.csv"))
    assert "#held reading(Pump, _) by Pump for 18 min." in parted
    assert "#held reading_bar(Pump, _) by Pump for 18 min." in parted


@pytest.mark.parametrize(
    "row", ["{n},a,on", "{n},user{m},1", "{k},user{m},7", "{k},x,1", "{late},s,{n}"], ids=str
)
def test_what_comes_at_no_steady_pace_is_not(tmp_path: Path, row: str) -> None:
    """States without numbers, one fact at each tick, events of many and of few, at any time."""
    rows = [
        row.format(n=n, m=n * n * 7 % 23, k=n * n * 31 % 1009 + 60 * n, late=n * 60 - 300 * (n % 3))
        for n in range(100)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["time,who,what", *rows]))
    assert "#held" not in proposal(str(tmp_path / "t.csv"))


def test_boxes_over_facts_that_do_not_last_are_named(tmp_path: Path) -> None:
    """Where there are never as many ticks in a row, whatever else the program says."""
    readings = "".join(f'{{"time": {60 * n}, "facts": ["r(a,{n})"]}}\n' for n in range(10))
    (tmp_path / "t.jsonl").write_text(readings)
    program = "#complete_windows. hot(R) :- r(R,T), T > 3. alarm(R) :- hot(R) always in [600]."

    def said(more: str) -> list[str]:
        (tmp_path / "p.lars").write_text(f"{more}{program}\n")
        return run(tmp_path, "check", "p.lars", "--input", "t.jsonl").stderr.splitlines()

    assert said("") == [
        "p.lars:1:57-79: warning: hot(R) always in [600] needs 601 ticks in a row, but r/2, from which hot/1 "
        "follows, is there at 1 at most, and mostly 60 ticks apart: #held r(K,_) by K for 180. has each fact "
        "hold until the next one"
    ]
    assert not said("#held r(R,_) by R. ")
    assert not said("hot(b) :- q. ")
    assert not said("r(b,5). ")
    (tmp_path / "t.jsonl").write_text(readings + '{"time": 600, "begin": ["r(a,30)"]}\n')
    assert not said("")


def test_constants_that_no_record_has_are_named(tmp_path: Path) -> None:
    """The constants of rules, in places that have few values."""
    (tmp_path / "t.csv").write_text("time,user,result\n1,ann,success\n2,bob,failure\n")
    program = """\
#input login(user, result) at time.
bad(U) :- login(U,"failed") in [5].
good(U) :- login(U,"success"), not login("eve",_).
known("failed"). known(U) :- login(U,_), known("no").
"""
    (tmp_path / "p.lars").write_text(program)
    said = run(tmp_path, "check", "p.lars", "--input", "t.csv").stderr.splitlines()
    assert said == [
        'p.lars:2:19-27: warning: no record has "failed" as argument 2 of login/2: it has "failure", '
        '"success"',
        'p.lars:3:42-47: warning: no record has "eve" as argument 1 of login/2: it has "ann", "bob"',
    ]
    users = "".join(f"{number},user{number},success\n" for number in range(3, 20))
    (tmp_path / "t.csv").write_text(f"time,user,result\n1,ann,failed\n{users}")
    assert not run(tmp_path, "check", "p.lars", "--input", "t.csv").stderr


def test_months_and_days_are_told_apart_by_the_distances_of_times(tmp_path: Path) -> None:
    begin = datetime(2026, 3, 1, 10)
    times = [begin + timedelta(hours=4 * number) for number in range(40)]
    rows = "".join(f"{at:%m/%d/%Y %I:%M:%S %p},{number}\n" for number, at in enumerate(times))
    (tmp_path / "t.csv").write_text(f"when,n\n{rows}")
    said = proposal(str(tmp_path / "t.csv"))
    assert '#input reading(n) at when "%m/%d/%Y %I:%M:%S %p".' in said
    assert "%d/%m/%Y %I:%M:%S %p would also read them" in said


def test_a_word_that_comes_now_and_then_is_no_key(tmp_path: Path) -> None:
    words = ["fail" if number % 29 == 3 else "ok" for number in range(120)]
    rows = "".join(
        f"2026-01-01T{n // 60:02}:{n % 60:02}:00Z,{n * n % 97}.5,{word}\n" for n, word in enumerate(words)
    )
    (tmp_path / "t.csv").write_text(f"time,temp,status\n{rows}")
    said = proposal(str(tmp_path / "t.csv"))
    assert said.splitlines()[-1] == "#held reading(_, _) for 3 min."


def test_a_pasted_proposal_is_a_program_without_remarks(tmp_path: Path) -> None:
    rows = "".join(f"2026-01-01T00:{n:02}:00Z,{room},{n}\n" for n in range(60) for room in "ab")
    (tmp_path / "t.csv").write_text(f"time,room,temp\n{rows}")
    said = proposal(str(tmp_path / "t.csv"))
    assert "#held reading(Room, _) by Room for 3 min." in said
    (tmp_path / "p.lars").write_text(said)
    assert run(tmp_path, "check", "p.lars").stderr.startswith("p.lars: no problems found")


def test_a_proposal_that_rejects_rows_says_so_by_its_exit_status(tmp_path: Path) -> None:
    rows = "".join(f"{n},{n}\n" for n in range(9))
    (tmp_path / "t.csv").write_text(f"time,temp\n{rows}")
    run(tmp_path, "check", "--input", "t.csv")
    (tmp_path / "odd.csv").write_text(f"time,temp\n{rows}9\n")
    assert "1 rows differ from the header" in run(tmp_path, "check", "--input", "odd.csv", status=1).stdout
    run(tmp_path, "check", "--input", "t.csv", "--input", "odd.csv", status=1)


def test_a_key_of_which_two_readings_stand_at_one_time_is_none(tmp_path: Path) -> None:
    """One of them would be lost: two places in one zone; by the column that tells them apart none is."""
    times = [f"2026-03-28T{hour:02}:00" for hour in range(24)]

    def place(number: int) -> dict[str, Any]:
        temperatures = [number + hour / 10 for hour in range(24)]
        return {
            **{"latitude": 47.5 + number, "timezone": "Europe/Vienna", "units": "C"},
            **{"hourly": {"time": times, "temperature": temperatures}},
        }

    places = [place(number) for number in range(2)]
    (tmp_path / "t.json").write_text(json.dumps(places))
    assert "#held" not in proposal(str(tmp_path / "t.json"))
    (tmp_path / "t.json").write_text(json.dumps(places[0]))
    assert proposal(str(tmp_path / "t.json")).splitlines()[-1] == "#held reading(_, _, _, _) for 3 hour."
    named = [{**place(number), "name": f"place {number}"} for number in range(2)]
    (tmp_path / "t.json").write_text(json.dumps(named))
    said = proposal(str(tmp_path / "t.json")).splitlines()
    assert said[-1] == "#held reading(_, _, _, Name, _) by Name for 3 hour."


HOURS = [f"2026-03-28T{hour:02}:00" for hour in range(24)]
FORECAST = {"time": HOURS, "temp": [hour * hour / 8 for hour in range(24)]}
MADE = "2026-03-27T23:00:00+01:00"
OBSERVED = {"obs": [{"t": f"{at}:00Z", "temp": hour} for hour, at in enumerate(HOURS)]}
ONE_TIME = [
    ({"utc_offset_seconds": 3600, "hourly": FORECAST}, "at each hourly.time."),
    ([{"utc_offset_seconds": 3600 * n, "hourly": FORECAST} for n in range(2)], "at each hourly.time."),
    ({"epoch": 3600, "hourly": FORECAST}, "at each hourly.time."),
    ({"made": MADE, "hourly": FORECAST}, "at each hourly.time."),
    (
        {"stations": [{"name": name, "made": MADE, "hourly": FORECAST} for name in "ab"]},
        "at each hourly.time records each stations.",
    ),
    (
        {"stations": [{"name": name, "made": MADE, **OBSERVED} for name in "ab"]},
        "at each obs.t records each stations.",
    ),
    ({"stations": [{"name": name, **OBSERVED} for name in "ab"]}, "at each obs.t records each stations."),
    ({"stations": [{"name": name, "made": MADE} for name in "ab"]}, "at made records each stations."),
    ({"made": MADE, "rooms": [{"name": name, "temp": 20} for name in "ab"]}, "at made."),
]


@pytest.mark.parametrize(("document", "at"), ONE_TIME)
def test_a_time_that_is_the_same_everywhere_yields_to_one_that_goes_on(
    tmp_path: Path, document: Any, at: str
) -> None:
    """And what is proposed reads all elements."""
    (tmp_path / "t.json").write_text(json.dumps(document))
    said = proposal(str(tmp_path / "t.json"))
    assert [line for line in said.splitlines() if line.startswith("#input")][-1].endswith(at)
    (tmp_path / "p.lars").write_text(said)
    assert " 0 cannot" in run(tmp_path, "check", "p.lars", "--input", "t.json").stdout


def test_a_column_with_one_time_yields_to_one_that_goes_on(tmp_path: Path) -> None:
    rows = "".join(f"2026-01-01T00:00:00Z,2026-01-01T00:{n:02}:00Z,{n}\n" for n in range(60))
    (tmp_path / "t.csv").write_text(f"time,seen,n\n{rows}")
    assert " at seen." in proposal(str(tmp_path / "t.csv"))


def test_lists_of_objects_within_lists_are_left_out(tmp_path: Path) -> None:
    hourly = {**FORECAST, "levels": [[{"h": 10}] for _ in HOURS]}
    (tmp_path / "t.json").write_text(json.dumps({"name": "Graz", "hourly": hourly}))
    said = proposal(str(tmp_path / "t.json"))
    assert (
        "t.json (without hourly.levels: write each in front of a list to read its elements): 24 rows" in said
    )
    assert "#input reading(name, each hourly.temp) at each hourly.time." in said


@pytest.mark.parametrize(
    "address", ["kafka://h/t", "postgres://me:pw@h/d?table=t&key=k", "tcp:9000", "x://h"]
)
@pytest.mark.parametrize(
    "command", [["check"], ["check", "p.lars"], ["why", "p.lars", "a"], ["check-why", "p.lars", "p.lars"]]
)
def test_live_sources_are_not_looked_at(tmp_path: Path, address: str, command: list[str]) -> None:
    (tmp_path / "p.lars").write_text("a.\n")
    said = run(tmp_path, *command, "--input", address, status=2).stderr
    assert "reads files, not live sources: write some records to a file, and name the file" in said
    assert "pw" not in said


def test_lists_without_times_are_told_of_with_what_reads_them(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps({"stations": [{"name": "Graz", "temp": 4.5}]}))
    with pytest.raises(InputError, match="'records each stations' at the end of an #input"):
        proposal(str(tmp_path / "t.json"))


def test_the_first_mistakes_are_told_and_how_many_more_there_are(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("a(X) :- p(X).")
    (tmp_path / "s.jsonl").write_text('{"time": 0, "facts": ["p(1)"]}\n' + "broken\n" * 3)
    options = ("check", "p.lars", "--input", "s.jsonl")
    done = run(tmp_path, *options, status=1)
    assert (done.stderr.count("error: broken JSON"), "more" in done.stderr) == (3, False)
    with (tmp_path / "s.jsonl").open("a") as file:
        file.write("broken\n" * 6)
    done = run(tmp_path, *options, status=1)
    assert done.stderr.count("error: broken JSON") == 3
    assert "s.jsonl: and 6 more that cannot be read: run tells all of them\n" in done.stderr


def written_rows(folder: Path, moments: list[str]) -> None:
    rows = "".join(f"{moment},d{number % 3},{number}\n" for number, moment in enumerate(moments))
    (folder / "in.csv").write_text(f"ts,dev,v\n{rows}")
    program = '#tick 1 min. #timezone "UTC". #input m(dev, int(v)) at ts. n(D) :- m(D,_).'
    (folder / "p.lars").write_text(program)


def test_a_clock_that_is_ahead_gives_no_lateness(tmp_path: Path) -> None:
    moments = [f"2026-09-13T10:{minute:02}:00" for minute in range(30)]
    moments.insert(20, "2026-09-14T10:00:00")
    moments.insert(25, "1970-01-01T00:00:09")
    written_rows(tmp_path, moments)
    done = run(tmp_path, "check", "p.lars", "--input", "in.csv", status=1)
    assert "lateness" not in done.stdout
    assert "30 records can be read, 2 cannot" in done.stdout
    assert "its clock is ahead" in done.stderr
    proposed = run(tmp_path, "check", "--input", "in.csv", status=1).stdout
    assert "#lateness" not in proposed
    assert "rows come behind" not in proposed
    assert "% 2 rows have times that cannot be right, such as 2026-09-14" in proposed
    moments.insert(12, "2026-09-13T10:02:00")
    written_rows(tmp_path, moments)
    done = run(tmp_path, "check", "p.lars", "--input", "in.csv", status=1)
    assert "records come late by up to 9 ticks: to wait for them, add #lateness 9 min." in done.stdout
    assert "#lateness 9 min." in run(tmp_path, "check", "--input", "in.csv", status=1).stdout


def test_rows_in_falling_order_are_no_wrong_clocks(tmp_path: Path) -> None:
    written_rows(tmp_path, [f"2026-09-{day:02}T10:00:00" for day in range(30, 0, -1)])
    done = run(tmp_path, "check", "p.lars", "--input", "in.csv", status=1)
    assert "to wait for them, add #lateness" in done.stdout
    assert "#lateness 29 day." in run(tmp_path, "check", "--input", "in.csv", status=0).stdout


def test_leap_seconds_and_nanoseconds_are_times(tmp_path: Path) -> None:
    moments = [f"2016-12-31T23:59:{second}Z" for second in ("58.123456789", "59", "60", "60.5")]
    written_rows(tmp_path, moments)
    proposed = run(tmp_path, "check", "--input", "in.csv").stdout
    assert "rejected" not in proposed
    assert "4 gave facts" in proposed
