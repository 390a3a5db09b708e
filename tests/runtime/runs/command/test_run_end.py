"""What a run says of its records when it is over."""

import json
from pathlib import Path

import pytest

from lars2asp.__main__ import main
from tests.support.processes import LARS2ASP, completed

ROOMS = "#input temp(room, int(temp)) at time. hot(R) :- temp(R, T), T > 50."
LOG = (
    '#input failed(user) from "Failed for {user}" at "%Y-%m-%d %H:%M:%S". '
    '#tick 1 sec. #timezone "UTC". f(U) :- failed(U).'
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rooms.lars").write_text(ROOMS)
    (tmp_path / "log.lars").write_text(LOG)
    return tmp_path


def run(*arguments: str) -> int:
    return main(["run", *arguments])


def test_counts_of_each_input_are_printed_and_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.csv").write_text("time,room,temp\n1,a,99\n2,a,\n3,,\n4,a,x\n1,a,9\n")
    (folder / "b.jsonl").write_text('{"time":1,"room":"b","temp":60}\n{"time":5}\n')
    inputs = ("--input", "a.csv", "--input", "b.jsonl")
    assert run("rooms.lars", *inputs, "--stats-json", "stats.json", "--rejects", "r.jsonl") == 1
    said = "a.csv: 5 records: 1 gave facts, 1 passed over (no #input fits), 1 without a fact"
    assert f"{said} (a value is missing), 1 rejected, 1 late\n" in capsys.readouterr().err
    found = json.loads((folder / "stats.json").read_text())
    counts = {"passed_over": 0, "without_fact": 0, "rejected": 0, "late": 0}
    assert found["inputs"] == {
        "a.csv": dict.fromkeys(("gave_facts", *counts), 1) | {"clock_only": 0},
        "b.jsonl": {"gave_facts": 1, **counts, "clock_only": 1},
    }
    assert found["records"] == {"rejected": 2, "late": 1, "unfit": 1}
    assert len((folder / "r.jsonl").read_text().splitlines()) == 2  # late ones are among them


def test_a_run_with_nothing_to_say_says_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.csv").write_text("time,room,temp\n1,a,99\n")
    assert run("rooms.lars", "--input", "a.csv") == 0
    assert capsys.readouterr().err == ""


def test_a_quiet_day_is_no_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "auth.log").write_text("2026-01-01 00:00:00 opened\n2026-01-01 00:00:09 closed\n")
    assert run("log.lars", "--input", "auth.log") == 0
    assert "auth.log: read to its end, but no #input fits any of 2 records\n" in capsys.readouterr().err
    assert run("log.lars", "--input", "auth.log", "--quiet") == 0
    assert "read to its end" not in capsys.readouterr().err


def test_an_input_of_which_nothing_is_read_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "auth.log").write_text("Jan  1 00:00:00 opened\nJan  1 00:00:09 closed\n")
    assert run("log.lars", "--input", "auth.log") == 1
    said = "auth.log: no #input fits any of 2 records, and none reads their times. To see why, try:"
    assert f"{said} lars2asp check log.lars --input auth.log\n" in capsys.readouterr().err


def test_a_run_without_answers_names_the_predicates_and_the_commands(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "my rooms.csv").write_text("time,room,temp\n1,a,9\n")
    line = (
        "no answers: hot/1 never held (1 record read). To see why, try:\n"
        "  lars2asp check rooms.lars --input 'my rooms.csv'\n"
        "  lars2asp why-not rooms.lars 'hot(_)' --input 'my rooms.csv'\n"
    )
    assert run("rooms.lars", "--input", "my rooms.csv") == 0
    assert capsys.readouterr().err == line
    assert run("rooms.lars", "--input", "my rooms.csv", "--emit", "1") == 0
    assert capsys.readouterr().err == line
    assert run("rooms.lars", "--input", "my rooms.csv", "--quiet") == 0
    assert capsys.readouterr().err == ""
    assert main(["why-not", "rooms.lars", "hot(_)", "--input", "my rooms.csv"]) == 0
    assert main(["check", "rooms.lars", "--input", "my rooms.csv"]) == 0


def test_commands_for_standard_input_name_a_file(folder: Path) -> None:
    done = completed([*LARS2ASP, "run", "rooms.lars"], cwd=folder, given='{"time": 1}\n')
    assert done.stderr == (
        "no answers: hot/1 never held (1 record read). To see why, try, with your input as FILE:\n"
        "  lars2asp check rooms.lars --input FILE\n"
        "  lars2asp why-not rooms.lars 'hot(_)' --input FILE\n"
    )


def test_what_a_revision_says_has_held(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "late.csv").write_text("time,room,temp\n0,a,20\n2,a,56\n1,a,57\n3,a,21\n")
    assert run("rooms.lars", "--input", "late.csv", "--revise", "2") == 0
    said = capsys.readouterr()
    assert '{"revised": "hot(\\"a\\")", "from": 1, "to": null, "holds": true}\n' in said.out
    assert said.err == ""
    (folder / "cold.csv").write_text("time,room,temp\n0,a,20\n2,a,6\n1,a,7\n3,a,21\n")
    assert run("rooms.lars", "--input", "cold.csv", "--revise", "2") == 0
    assert "no answers: hot/1 never held" in capsys.readouterr().err


def test_names_of_inputs_are_data(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "a\x1b[31m\nb.csv"
    (folder / name).write_text("time,room,temp\n1,a,99\n2,a,\n")
    assert run("rooms.lars", "--input", name) == 0
    assert capsys.readouterr().err.startswith("a\\x1b[31m\\nb.csv: 2 records: ")
