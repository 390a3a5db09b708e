"""A program without a stream: one tick, at the start."""

from pathlib import Path

import pytest

from lars2asp import Reasoner
from tests.support.command_line import lines, run
from tests.support.feeds import ScriptedFeed

PROGRAM = """
#input p(x) at t.
q :- not p(1).
q(X) :- p(X).
"""
"""Its answer without any record is `q`."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the program and inputs without a record."""
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "timed.lars").write_text(f"#tick 1 sec.{PROGRAM}")
    (tmp_path / "header.csv").write_text("t,x\n")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "wrong.jsonl").write_text('{"time": 7, "facts": ["p("]}\n')
    (tmp_path / "late.jsonl").write_text('{"time": 9, "facts": ["p(1)"]}\n')
    return tmp_path


@pytest.mark.parametrize(
    ("options", "ticks"),
    [
        ([], [0]),
        (["--until", "0"], [0]),
        (["--until", "2"], [0]),
        (["--until", "2", "--emit", "every"], [0, 1, 2]),
        (["--start", "3"], [3]),
        (["--start", "3", "--until", "4", "--emit", "every"], [3, 4]),
        (["--start", "3", "--emit", "2"], []),
        (["--emit", "every"], [0]),
        (["--evaluator", "oneshot"], [0]),
        (["--lateness", "5"], [0]),
    ],
)
def test_it_has_one_tick_at_the_start(folder: Path, options: list[str], ticks: list[int]) -> None:
    done = run(folder, "run", "p.lars", *options)
    assert lines(done.stdout) == [{"time": tick, "atoms": ["q"]} for tick in ticks]


@pytest.mark.parametrize("name", ["header.csv", "empty.jsonl"])
def test_files_without_a_record(folder: Path, name: str) -> None:
    expected = [{"time": 0, "atoms": ["q"]}]
    assert lines(run(folder, "run", "p.lars", "--input", name).stdout) == expected
    both = ("--input", "header.csv", "--input", "empty.jsonl")
    assert lines(run(folder, "run", "p.lars", *both).stdout) == expected
    run(folder, "run", "p.lars", "--input", name, "--output", "o.jsonl", "--checkpoint", "kept")
    assert lines((folder / "o.jsonl").read_text()) == expected


def test_other_forms_of_the_answer(folder: Path) -> None:
    assert lines(run(folder, "run", "p.lars", "--changes").stdout) == [
        {"time": 0, "began": ["q"], "ended": []}
    ]
    assert lines(run(folder, "run", "p.lars", "--models", "0").stdout) == [{"time": 0, "models": [["q"]]}]
    (folder / "none.lars").write_text("a. :- a.")
    said = lines(run(folder, "run", "none.lars").stdout)
    assert said == [{"time": 0, "satisfiable": False, "atoms": []}]
    timed = lines(run(folder, "run", "timed.lars", "--times", "--start", "2026-01-01T00:00Z").stdout)
    assert [answer["at"] for answer in timed] == ["2026-01-01T00:00:00+00:00"]


def test_records_that_are_rejected_change_the_status_alone(folder: Path) -> None:
    done = run(folder, "run", "p.lars", "--input", "wrong.jsonl", status=1)
    assert lines(done.stdout) == [{"time": 0, "atoms": ["q"]}]


def test_the_timeline_of_a_stream_begins_with_it(folder: Path) -> None:
    """It is not without a stream where the first record lies behind the end."""
    assert run(folder, "run", "p.lars", "--input", "late.jsonl", "--until", "0").stdout == ""


def test_by_the_clock_it_is_the_tick_of_now(folder: Path) -> None:
    [answer] = lines(run(folder, "run", "timed.lars", "--clock", "wall").stdout)
    assert answer["atoms"] == ["q"]
    assert answer["time"] > 1_700_000_000


def test_a_file_that_has_its_first_record_later(folder: Path) -> None:
    """With a checkpoint the run goes on: the tick that nothing told of is not over."""
    (folder / "grows.jsonl").write_text("")
    command = ("run", "p.lars", "--input", "grows.jsonl", "--output", "o.jsonl", "--checkpoint", "kept")
    run(folder, *command)
    (folder / "grows.jsonl").write_text('{"time": 0, "facts": ["p(1)"]}\n')
    run(folder, *command)
    assert lines((folder / "o.jsonl").read_text()) == [{"time": 0, "atoms": ["q(1)"]}]


def test_questions_about_it(folder: Path) -> None:
    assert run(folder, "why", "p.lars", "q").stdout.startswith("q at 0\n")
    assert "does not hold at 2" in run(folder, "why", "p.lars", "q(1)", "--at", "2").stdout
    asked = ("--start", "4", "--input", "empty.jsonl")
    explained = run(folder, "why", "p.lars", "q", *asked, "--output-format", "json").stdout
    (folder / "why.json").write_text(explained)
    assert run(folder, "check-why", "p.lars", "why.json", *asked).stdout == "it is an explanation\n"


def test_follow(folder: Path) -> None:
    told: list[tuple[int, tuple[str, ...]]] = []
    reasoner = Reasoner.from_file(folder / "p.lars")
    reasoner.run_live(ScriptedFeed([]), lambda answer: told.append((answer.tick, answer.holds.texts)))
    assert told == [(0, ("q",))]


def test_a_piece_without_records_decides_nothing(folder: Path) -> None:
    """In Python a stream may come in pieces, of which the first may have none."""
    reasoner = Reasoner.from_file(folder / "p.lars")
    assert [*reasoner.run([], emit="every")] == []
    assert [(answer.tick, answer.holds.texts) for answer in reasoner.run([(0, ["p(1)"])], emit="every")] == [
        (0, ("q(1)",))
    ]
