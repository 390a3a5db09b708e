from pathlib import Path
from typing import Any

import pytest

from lars2asp.compiler import compile_program
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.input_settings import NAMES, apart, reading_of_input, with_settings
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.syntax.source import Source
from tests.support.command_line import run
from tests.support.workbooks import write_workbook

SECONDS = Reading(timeline=Timeline(1_000_000))


@pytest.mark.parametrize(
    ("address", "name", "own"),
    [
        ("auth.log", "auth.log", {}),
        (
            "auth.log?format=log&lateness=15 sec",
            "auth.log",
            {"format": "log", "lateness": "15 sec"},
        ),
        ("a.csv?delimiter=%26&encoding=latin-1", "a.csv", {"delimiter": "&", "encoding": "latin-1"}),
        ("book.xlsx?sheet=R&D&timezone=UTC", "book.xlsx?sheet=R&D", {"timezone": "UTC"}),
        ("tcp:9000?idle=5&format=csv", "tcp:9000?idle=5", {"format": "csv"}),
        ("kafka://host/topic?from=end", "kafka://host/topic?from=end", {}),
        ("wss://host/path?format=json", "wss://host/path?format=json", {}),
        ("-?year=2025", "-", {"year": "2025"}),
        ("a.csv?missing=NULL&missing=-", "a.csv", {"missing": "NULL\0-"}),
    ],
)
def test_settings_stand_behind_the_name_of_an_input(address: str, name: str, own: dict[str, str]) -> None:
    assert with_settings(address) == (name, own)


def test_a_file_whose_name_has_a_question_mark_goes_first(tmp_path: Path) -> None:
    real = tmp_path / "auth.log?format=log"
    real.touch()
    assert with_settings(str(real)) == (str(real), {})
    real.unlink()
    assert with_settings(str(real)) == (str(tmp_path / "auth.log"), {"format": "log"})


def test_an_unknown_setting_of_a_file_names_those_that_exist(tmp_path: Path) -> None:
    file = tmp_path / "auth.log"
    assert with_settings(f"{file}?latenes=5") == (f"{file}?latenes=5", {})  # no file of either name
    file.touch()
    with pytest.raises(InputError, match=r"there is no setting 'latenes': use follow, format, "):
        with_settings(f"{file}?latenes=5")
    with pytest.raises(InputError, match="lateness needs exactly one value"):
        with_settings("auth.log?lateness=5&lateness=6")


def test_settings_of_an_input_override_those_of_all() -> None:
    address = (
        "a.log?format=csv&lateness=15 sec&largest-gap=1 hour&timezone=Asia/Kolkata&encoding=cp1252"
        "&delimiter=tab"
    )
    (name,), own = apart([address])
    found = reading_of_input(Reading(timeline=Timeline(1_000_000), own=own), name)
    assert (found.format, found.lateness, found.largest_gap) == (Format.CSV, 15, 3600)
    assert (found.dialect.encoding, found.dialect.delimiter) == ("cp1252", "\t")
    assert found.timeline.tick("1970-01-01T06:00:00") == 1800
    assert reading_of_input(Reading(own=own), "other.log") == Reading(own=own)


def test_cells_records_and_times_of_an_input_are_its_own() -> None:
    address = "a.csv?missing=NULL&missing=-&largest-record=5 kB&time-unit=msec&time-format=%d.%m.%Y %H:%M"
    (name,), own = apart([address])
    found = reading_of_input(Reading(timeline=Timeline(1_000_000), missing={"x"}, own=own), name)
    assert (found.missing, found.largest_record) == ({"NULL", "-"}, 5000)
    assert found.timeline.unit is TimeUnit.MSEC
    assert found.timeline.form == TimeFormat("%d.%m.%Y %H:%M")


def test_each_file_has_its_own_missing_cells_and_formats_of_times(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(
        '#tick 1 sec. #timezone "UTC".\n#input temp(room, t) at ts.\nwas(R,T) :- temp(R,T).\n'
    )
    (tmp_path / "a.csv").write_text("ts,room,t\n01.02.2026 00:00,hall,NULL\n01.02.2026 00:01,hall,-\n")
    (tmp_path / "b.csv").write_text("ts,room,t\n1769904120000,attic,NULL\n")
    done = run(
        tmp_path,
        *("run", "p.lars", "--changes"),
        *("--input", "a.csv?missing=NULL&time-format=%25d.%25m.%25Y %25H:%25M"),
        *("--input", "b.csv?missing=-&time-unit=msec"),
    )
    assert 'hall\\",NULL' not in done.stdout
    assert 'was(\\"hall\\",\\"-\\")' in done.stdout
    assert 'was(\\"attic\\",\\"NULL\\")' in done.stdout


def test_bad_records_of_one_input_end_the_run(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("a(X) :- p(X).\n")
    (tmp_path / "a").write_text('{"time": 0, "facts": ["p(1)"]}\nbroken\n')
    (tmp_path / "b").write_text('{"time": 1, "facts": ["p(2)"]}\nbroken\n')

    def status(first: str, second: str, *options: str, status: int) -> str:
        inputs = ("--input", f"a{first}", "--input", f"b{second}")
        return run(tmp_path, "run", "p.lars", *inputs, *options, status=status).stderr

    assert "2 records were rejected" in status("", "", status=1)
    assert "a:2" in status("?on-reject=stop", "", status=2)
    said = status("", "?on-reject=stop", status=2)
    assert "a:2" in said
    assert said.splitlines()[-1].startswith("b:2") or "error: b:2" in said
    said = status("?on-reject=warn", "?on-reject=warn", "--on-reject", "stop", status=1)
    assert "2 records were rejected" in said


def test_bad_records_of_one_source_end_a_live_run(tmp_path: Path) -> None:
    bad, good = tmp_path / "a", tmp_path / "b"
    bad.write_text('{"time": 0, "facts": ["p(1)"]}\nbroken\n')
    good.write_text('{"time": 0, "facts": ["p(2)"]}\n')

    def run_on(*settings: str, **options: Any) -> None:
        sources = [f"{file}?follow=no{own}" for file, own in zip((bad, good), settings, strict=True)]
        Reasoner.from_text("a(X) :- p(X).").run_live(sources, lambda _: None, **options)

    with pytest.warns(UserWarning, match="a:2"):
        run_on("", "&on-reject=stop")
    with pytest.warns(UserWarning, match="a:2"):
        run_on("&on-reject=warn", "", on_reject="stop")
    with pytest.raises(InputError, match="a:2"):
        run_on("&on-reject=stop", "")


def test_a_file_in_python_has_its_settings_behind_its_name(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text('{"time": 0, "facts": ["p(1)"]}\nbroken\n')
    reasoner = Reasoner.from_text("a(X) :- p(X).")
    with pytest.raises(InputError, match="a:2"):
        list(reasoner.run(f"{file}?on-reject=stop"))
    with pytest.raises(InputError, match="follow=yes is for run_live"):
        list(reasoner.run(f"{file}?follow=yes"))
    with pytest.warns(UserWarning, match="1 record of"):
        list(Reasoner.from_text("a(X) :- p(X).").run(f"{file}?on-reject=warn", on_reject="stop"))


def test_one_of_several_files_is_followed(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("a(X) :- p(X).\n")
    for name in "ab":
        (tmp_path / name).write_text('{"time": 0, "facts": ["p(1)"]}\n{"time": 5, "facts": ["p(2)"]}\n')
    inputs = ("--input", "a?follow=yes", "--input", "b")
    done = run(tmp_path, "run", "p.lars", *inputs, "--until", "3")
    assert "merged by the times of the records" in done.stderr
    assert '{"time": 0' in done.stdout.replace('"tick"', '"time"')


def test_days_are_those_of_the_program_and_times_of_the_zone_of_the_input() -> None:
    plan = compile_program(Source("p.lars", '#tick 1 day. #timezone "Asia/Kolkata". a :- b.'))
    timeline = Timeline.of(plan)
    found = reading_of_input(Reading(timeline=timeline, own={"a": {"timezone": "UTC"}}), "a").timeline
    assert timeline.tick("2026-02-01T20:00:00") == timeline.tick("2026-02-01T20:00:00+05:30")
    assert found.tick("2026-02-01T20:00:00") == timeline.tick("2026-02-02T01:30:00")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "missing"])
def test_a_wrong_value_is_named_with_what_to_write(name: str) -> None:
    with pytest.raises(InputError, match=f"a.log: .*{name}"):
        reading_of_input(Reading(timeline=Timeline(1_000_000), own={"a.log": {name: "no such"}}), "a.log")


def test_each_of_merged_files_is_read_in_its_own_zone_year_and_way(tmp_path: Path) -> None:
    program = tmp_path / "p.lars"
    program.write_text(
        '#tick 1 sec. #timezone "UTC".\n'
        '#input failed(u) from " failed {u}" at "%b %d %H:%M:%S".\n'
        "#input door(d) at ts.\n"
        "f(U) :- failed(U). d(D) :- door(D).\n"
    )
    old, new, doors = tmp_path / "old", tmp_path / "new", tmp_path / "doors"
    old.write_text("Feb 01 00:00:05 failed ann\n")
    new.write_text("Feb 01 00:00:05 failed bob\n")
    doors.write_text("ts|d\n2026-02-01T05:30:05|hall\n")
    done = run(
        tmp_path,
        *("run", "p.lars", "--changes", "--times"),
        *("--input", "old?format=log&year=2025"),
        *("--input", "new?format=log&year=2026"),
        *("--input", "doors?format=csv&delimiter=|&timezone=Asia/Kolkata"),
    )
    assert done.stderr == ""
    first, *others = done.stdout.splitlines()
    assert "2025-02-01T00:00:05" in first
    assert 'f(\\"ann\\")' in first
    together = next(line for line in others if "bob" in line)
    assert "hall" in together
    assert "2026-02-01T00:00:05" in together


@pytest.mark.parametrize("has_book", [False, True])
def test_a_file_whose_name_has_a_question_mark_goes_before_a_sheet(tmp_path: Path, has_book: bool) -> None:
    """In runs, folders, `check` and Python."""
    name = "book.xlsx?sheet=May"
    if has_book:
        write_workbook(tmp_path / "book.xlsx", {"May": [["t", "x"], [1, 7]]})
    (tmp_path / "in").mkdir()
    for folder in (tmp_path, tmp_path / "in"):
        (folder / name).write_text("t,x\n1,5\n2,6\n")
    (tmp_path / "p.lars").write_text("#input p(int(x)) at t. q(X) :- p(X).")
    expected = ['"q(5)"', '"q(6)"']
    for given in (name, "in"):
        done = run(tmp_path, "run", "p.lars", "--input", given, "--changes")
        assert [one for one in ('"q(5)"', '"q(6)"', '"q(7)"') if one in done.stdout] == expected
    assert "2 records can be read" in run(tmp_path, "check", "p.lars", "--input", name).stdout
    assert "#input reading(x) at t." in run(tmp_path, "check", "--input", name).stdout
    reasoner = Reasoner.from_text("#input p(int(x)) at t. q(X) :- p(X).")
    assert [answer.tick for answer in reasoner.run(tmp_path / name)] == [1, 2]
