"""Declarations of `--declare`: of input, which replace those of the program, and others, which join them."""

from pathlib import Path

import pytest

from tests.support.command_line import run

COLUMNS = ("--declare", "reading(room, number(temp)) at time")


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    (tmp_path / "p.lars").write_text("hot(R) :- reading(R,T), T > 25.\n")
    (tmp_path / "r.csv").write_text("time,room,temp\n0,hall,26.5\n5,hall,20.0\n")
    (tmp_path / "ignored.csv").write_text("room\nhall\n")
    return tmp_path


def test_declarations_join_the_program(rooms: Path) -> None:
    declared = ("#decimals reading(_,1)", "#held reading(R,_) by R for 3.")
    more = [part for one in declared for part in ("--declare", one)]
    done = run(rooms, "run", "p.lars", "--input", "r.csv", "--changes", *COLUMNS, *more)
    assert done.stdout.splitlines() == [
        '{"time": 0, "began": ["hot(\\"hall\\")"], "ended": []}',
        '{"time": 4, "began": [], "ended": ["hot(\\"hall\\")"]}',
    ]
    assert "reading" in run(rooms, "check", "p.lars", "--types", *more).stdout


def test_a_table_of_an_option_is_one_of_the_program(rooms: Path) -> None:
    (rooms / "p.lars").write_text("#decimals reading(_,1).\nhot(R) :- reading(R,_), not ignored(R).\n")
    table = ("--declare", '#table ignored(room) from "ignored.csv"')
    assert run(rooms, "run", "p.lars", "--input", "r.csv", *COLUMNS, *table).stdout == ""


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("#tick 1 sec.", "--declare: #tick has an option of its own: --tick"),
        ("#hed reading(R,_) by R", "--declare: there is no directive #hed: did you mean #held?"),
        ("#minimize { 1 : a }", "--declare takes #input, #decimals, #types, #held, #calendar, #table, not"),
        ("#held reading(R,_) by S", "S is not an argument of reading"),
    ],
)
def test_other_declarations_are_refused_with_a_cure(rooms: Path, declared: str, said: str) -> None:
    assert said in run(rooms, "run", "p.lars", "--declare", declared, status=2).stderr


def test_a_predicate_is_declared_once(rooms: Path) -> None:
    (rooms / "p.lars").write_text("#held reading(R,_) by R.\nhot(R) :- reading(R,T), T > 25.\n")
    declared = ("--declare", "#held reading(R,_) by R for 3.")
    said = run(rooms, "run", "p.lars", "--input", "r.csv", *declared, status=2).stderr
    assert said.startswith("--declare:1:1-31: error: ")
    assert "#held is given twice for reading/2, first at p.lars:1" in said
