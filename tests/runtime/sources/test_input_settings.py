from pathlib import Path

import pytest

from lars2asp.compiler import compile_program
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.input_settings import NAMES, apart, reading_of_input, with_settings
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.times.timeline import Timeline
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
    with pytest.raises(InputError, match=r"inputs have no setting 'latenes': use format, delimiter"):
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


def test_days_are_those_of_the_program_and_times_of_the_zone_of_the_input() -> None:
    plan = compile_program(Source("p.lars", '#tick 1 day. #timezone "Asia/Kolkata". a :- b.'))
    timeline = Timeline.of(plan)
    found = reading_of_input(Reading(timeline=timeline, own={"a": {"timezone": "UTC"}}), "a").timeline
    assert timeline.tick("2026-02-01T20:00:00") == timeline.tick("2026-02-01T20:00:00+05:30")
    assert found.tick("2026-02-01T20:00:00") == timeline.tick("2026-02-02T01:30:00")


@pytest.mark.parametrize("name", NAMES)
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
