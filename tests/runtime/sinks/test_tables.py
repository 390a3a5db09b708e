"""Answers as tables: CSV and Parquet, changes and intervals, a file for each predicate."""

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from lars2asp.__main__ import main

PROGRAM = """
#tick 1 min. #timezone "Europe/Vienna". #input reading(room, temp*10) at time.
hot(R) :- reading(R,T), T > 250.
alarm(R,N) :- hot(R) count N in [3 min], N >= 2.
"""
ROWS = """time,room,temp
2026-01-01 12:00,hall,26.1
2026-01-01 12:01,"New, York",26.1
2026-01-01 12:01,hall,26.5
2026-01-01 12:04,hall,26.1
2026-01-01 12:08,hall,20
"""
AT = "2026-01-01T12:0{}:00+01:00"


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text(PROGRAM)
    Path("r.csv").write_text(ROWS)
    return ["run", "p.lars", "--input", "r.csv"]


def test_changes(command: list[str]) -> None:
    assert main([*command, "--output", "answers/", "--output-format", "csv"]) == 0
    assert Path("answers/hot.csv").read_text().splitlines() == [
        "time,change,R",
        "29454420,began,hall",
        '29454421,began,"New, York"',
        '29454422,ended,"New, York"',
        "29454422,ended,hall",
        "29454424,began,hall",
        "29454425,ended,hall",
    ]
    assert Path("answers/alarm.csv").read_text().splitlines()[:2] == [
        "time,change,R,N",
        "29454421,began,hall,2",
    ]


def test_intervals_with_times(command: list[str]) -> None:
    """Each is written when it ends; what holds to the last has no end."""
    more = ("--output-format", "csv", "--intervals", "--times", "--until", "29454424")
    assert main([*command, "--output", "answers/", *more]) == 0
    assert Path("answers/hot.csv").read_text().splitlines() == [
        "begin,end,begin_at,end_at,R",
        f'29454421,29454422,{AT.format(1)},{AT.format(2)},"New, York"',
        f"29454420,29454422,{AT.format(0)},{AT.format(2)},hall",
        f"29454424,,{AT.format(4)},,hall",
    ]


@pytest.mark.parametrize("more", [(), ("--intervals",), ("--times",), ("--intervals", "--times")])
def test_parquet_has_what_csv_has(command: list[str], more: tuple[str, ...]) -> None:
    for form in ("csv", "parquet"):
        assert main([*command, "--output", f"{form}/", "--output-format", form, *more]) == 0
    for name in ("hot", "alarm"):
        with Path(f"csv/{name}.csv").open(newline="") as file:
            expected = [*csv.DictReader(file)]
        found = pq.read_table(f"parquet/{name}.parquet").to_pylist()
        shown = [
            {
                key: "" if value is None else value.isoformat() if key.endswith("at") else str(value)
                for key, value in row.items()
            }
            for row in found
        ]
        assert shown == expected
    assert [str(field.type) for field in pq.read_schema("parquet/alarm.parquet")][-2:] == ["string", "int64"]
    assert sorted(path.name for path in Path("parquet").iterdir()) == ["alarm.parquet", "hot.parquet"]


def test_a_file_of_one_predicate(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--output", "alarm.csv"]) == 2
    assert "the output contains hot/1, alarm/2: name a folder" in capsys.readouterr().err
    assert not Path("alarm.csv").exists()
    Path("p.lars").write_text(PROGRAM + "#show alarm/2.")
    assert main([*command, "--output", "alarm.csv"]) == 0
    assert Path("alarm.csv").read_text().startswith("time,change,R,N\n")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--intervals",), "--intervals writes tables: add --output-format csv, or parquet"),
        (("--output-format", "csv", "--changes"), "--changes is for JSON lines"),
        (("--output-format", "parquet"), "a Parquet file is complete only at the end of the run"),
        (("--output", "x.parquet", "--checkpoint", "state"), "write csv with --checkpoint"),
        (
            ("--output", "http://localhost/", "--output-format", "csv"),
            "receivers accept JSON lines only: remove --output-format",
        ),
    ],
)
def test_what_does_not_go_together(
    command: list[str], capsys: pytest.CaptureFixture[str], more: tuple[str, ...], message: str
) -> None:
    assert main([*command, *more]) == 2
    assert message in capsys.readouterr().err
    assert sorted(path.name for path in Path().iterdir()) == ["p.lars", "r.csv"]


def test_times_need_the_length_of_a_tick(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.lars").write_text("a :- p.")
    assert main([*command, "--times"]) == 2
    assert (
        "--times needs a tick length: add for example #tick 1 sec. to the program" in capsys.readouterr().err
    )


def test_texts_are_not_computed_by_spreadsheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text("#decimals p(_,1), q(_,1). q(X,T) :- p(X,T).\n#show q/2.")
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "a=1", "", "'=1", '="a"', "10"]
    facts = [f"p({json.dumps(one)},-{place}.5)".replace("\\t", "\t") for place, one in enumerate(texts)]
    Path("in.jsonl").write_text(json.dumps({"time": 1, "facts": [*facts, "p(-7,-1)", "p(-f(1),0)"]}))
    found = {}
    for name in ("a.csv?spreadsheet=yes", "b.csv?spreadsheet=no", "c.csv"):
        assert main(["run", "p.lars", "--input", "in.jsonl", "--output", name]) == 0
        with Path(name.partition("?")[0]).open(newline="") as file:
            found[file.name] = [*csv.DictReader(file)]
    assert found["b.csv"] == found["c.csv"]
    assert {one["X"] for one in found["c.csv"]} == {*texts, "-7", "-f(1)"}
    assert {one["X"] for one in found["a.csv"]} == {
        *("'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", "a=1", "", "'=1", '\'="a"', "10", "-7", "'-f(1)"),
    }
    assert {one["T"] for one in found["a.csv"]} == {one["T"] for one in found["c.csv"]}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.jsonl?spreadsheet=yes", "is for tables"),
        ("a.csv?spreadsheet=maybe", "...: write spreadsheet=yes or spreadsheet=no"),
    ],
)
def test_what_is_no_setting_of_spreadsheets_is_said(
    command: list[str], name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--output", name]) == 2
    assert said in capsys.readouterr().err
    assert not list(Path().glob("a.*"))
