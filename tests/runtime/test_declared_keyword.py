"""The keyword `declare`: declarations of input replace those of the program, and others join them."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lars2asp import Lars2aspError, ProgramError, Reasoner

HOT = "hot(R) :- reading(R,T), T > 25."
COLUMNS = "reading(room, number(temp)) at time"


def changes(reasoner: Reasoner, source: Any) -> list[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    return [(one.tick, one.began.texts, one.ended.texts) for one in reasoner.run(source)]


@pytest.fixture
def readings(tmp_path: Path) -> Path:
    path = tmp_path / "r.csv"
    path.write_text("time,room,temp\n0,hall,26.5\n5,hall,20.0\n")
    return path


def test_declarations_join_the_program(readings: Path) -> None:
    declared = [COLUMNS, "#decimals reading(_,1)", "#held reading(R,_) by R for 3."]
    expected = [(0, ('hot("hall")',), ()), (4, (), ('hot("hall")',))]
    assert changes(Reasoner.from_text(HOT, declare=declared), readings) == expected
    program = readings.with_name("p.lars")
    program.write_text(HOT)
    assert changes(Reasoner.from_file(program, declare=declared), readings) == expected
    assert changes(Reasoner.from_file(program, declare=declared), pd.read_csv(readings)) == expected


def test_declarations_of_input_replace_those_of_the_program(readings: Path) -> None:
    program = f"#decimals reading(_,1).\n#input reading(name, number(value)) at moment.\n{HOT}"
    reasoner = Reasoner.from_text(program, declare=[f"#input {COLUMNS}."])
    assert changes(reasoner, readings)[0] == (0, ('hot("hall")',), ())
    assert [one.predicate for one in reasoner.reading.declarations] == ["reading"]


def test_without_declarations_of_input_those_of_the_program_remain(readings: Path) -> None:
    program = f"#input {COLUMNS}.\n{HOT}"
    for declared in (["#decimals reading(_,1)"], ["#decimals reading(_,1).", "#held reading(R,_) by R"]):
        assert changes(Reasoner.from_text(program, declare=declared), readings)[0][0] == 0
    whole = Reasoner.from_text(f"#decimals reading(_,1).\n{program}", declare=[])
    assert changes(whole, readings)[0][0] == 0


def test_a_snapshot_is_of_the_program_with_its_declarations() -> None:
    declared = ["#decimals reading(_,1)"]
    first = Reasoner.from_text(HOT, declare=declared)
    first.step(0, [("reading", "hall", 26.5)])
    second = Reasoner.from_text(HOT, declare=declared)
    second.resume(first.snapshot())
    with pytest.raises(Lars2aspError, match="another program"):
        Reasoner.from_text(HOT).resume(first.snapshot())


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("#tick 1 sec.", "#tick has an option of its own: --tick"),
        ("#hed reading(R,_) by R", "there is no directive #hed: did you mean #held?"),
        ("#minimize { 1 : a }", "takes #input, #decimals, #types, #held, #calendar, #table, not"),
    ],
)
def test_other_declarations_are_refused_with_a_cure(declared: str, said: str) -> None:
    with pytest.raises(Lars2aspError, match=said):
        Reasoner.from_text(HOT, declare=[declared])


def test_a_mistake_in_a_declaration_has_its_place() -> None:
    with pytest.raises(ProgramError, match=r"--declare:1:23-24: error: .*S is not an argument of reading"):
        Reasoner.from_text(HOT, declare=["#held reading(R,_) by S for 3."])
    with pytest.raises(ProgramError, match="--declare:1:"):
        Reasoner.from_text(HOT, declare=["reading(room"])


@pytest.mark.parametrize("declared", [COLUMNS, [1], {"reading": "room"}])
def test_declarations_are_a_list_of_texts(declared: Any) -> None:
    with pytest.raises(TypeError, match="declare is a list of declarations"):
        Reasoner.from_text(HOT, declare=declared)
