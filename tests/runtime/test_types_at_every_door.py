"""What is not of the type of an argument is rejected with its reason, whatever the input is written in."""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from lars2asp import InputError, Reasoner, read_file
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import Rejected

ALARM = "#decimals temp(_,1). thaw(B) :- temp(B,T), T > -10.0. "
HOT = "hot(R) :- reading(R,T), T > 25. "
OTHERS = ['"unavailable"', "true", "f(1)", "(1,2)", "#inf"]


def reasons(program: str, path: Path, form: Format | None = None) -> list[str]:
    """Why records of a file are rejected."""
    found: list[Rejected] = []
    reasoner = Reasoner.from_text(program)
    reading = replace(reasoner.reading, format=form)
    [*reasoner.run(read_file(path, reading=reading, on_reject=found.append), on_reject=found.append)]
    return [one.reason for one in found]


def written(tmp_path: Path, name: str, *lines: str) -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.mark.parametrize("other", OTHERS)
def test_atoms_in_json_lines_and_plain_facts(other: str, tmp_path: Path) -> None:
    told = [f"temp(a,{other})", "temp(b,-3.5)"]
    rows = [json.dumps({"time": tick, "facts": [atom]}) for tick, atom in enumerate(told)]
    expected = [f"temp(a,{other}): {other} is not a number"]
    assert reasons(ALARM, written(tmp_path, "x.jsonl", *rows)) == expected
    plain = (f"{tick}: {atom}" for tick, atom in enumerate(told))
    assert reasons(ALARM, written(tmp_path, "x.facts", *plain), Format.FACTS) == expected


@pytest.mark.parametrize("other", OTHERS)
def test_many_atoms_at_once(other: str, tmp_path: Path) -> None:
    rows = [json.dumps({"time": tick, "facts": [f"temp(a,{tick}.5)"]}) for tick in range(50)]
    rows[20] = json.dumps({"time": 20, "facts": [f"temp(a,{other})"]})
    assert reasons(ALARM, written(tmp_path, "x.jsonl", *rows)) == [
        f"temp(a,{other}): {other} is not a number"
    ]


def test_what_rules_take_as_a_number(tmp_path: Path) -> None:
    rows = ['{"time": 1, "facts": ["reading(k,\\"off\\")"]}', '{"time": 2, "facts": ["reading(k,26)"]}']
    [reason] = reasons(HOT, written(tmp_path, "x.jsonl", *rows))
    assert reason == 'reading(k,"off"): "off" is not a number, which is needed at <text>:1:25-31'


def test_rules_that_look_at_some_atoms_reject_none(tmp_path: Path) -> None:
    program = "hot :- state(temp,V), V > 25. open :- state(door,V). #show hot/0. #show open/0."
    row = '{"time": 1, "facts": ["state(door,\\"open\\")", "state(temp,26)"]}'
    assert not reasons(program, written(tmp_path, "x.jsonl", row))
    several = "limit(k,25). hot(R) :- reading(R,T), limit(R,L), T > L. "
    assert not reasons(several, written(tmp_path, "y.jsonl", '{"time": 1, "facts": ["reading(x,\\"a\\")"]}'))


@pytest.mark.parametrize(
    "program",
    [
        ALARM + "#input temp(box, value).",
        "#types temp(text,integer). #input temp(box, value). a :- temp(_,_).",
        "#input temp(box, value). a :- temp(_,V), V > 3.",
    ],
)
def test_fields_cells_and_frames(program: str, tmp_path: Path) -> None:
    cells = ["unavailable", "true", "-Infinity", "7"]
    table = written(tmp_path, "x.csv", "time,box,value", *(f"{t},a,{c}" for t, c in enumerate(cells)))
    records = (json.dumps({"time": t, "box": "a", "value": c}) for t, c in enumerate(cells))
    for path in (table, written(tmp_path, "x.jsonl", *records)):
        found = reasons(program, path)
        assert [one.partition(" is not ")[0] for one in found] == [
            f"column value: '{one}'" for one in cells[:3]
        ]
    frame = pd.DataFrame({"time": range(4), "box": "a", "value": cells})
    rejected: list[Rejected] = []
    [*Reasoner.from_text(program).run(frame, on_reject=rejected.append)]
    assert len(rejected) == 3
    numbers = frame.assign(value=[1, 2, 3, 4])
    [*Reasoner.from_text(program).run(numbers)]


def test_facts_in_python() -> None:
    reasoner = Reasoner.from_text(ALARM)
    for fact in (("temp", "a", "unavailable"), 'temp(a,"unavailable")'):
        with pytest.raises(InputError, match='"unavailable" is not a number'):
            reasoner.step(0, [fact])
    assert reasoner.step(1, [("temp", "a", 1.5)]).holds.texts == ('thaw("a")',)


def test_text_and_names() -> None:
    reasoner = Reasoner.from_text("#types p(text,name,term). a :- p(_,_,_).")
    assert reasoner.step(0, ['p("x",y,f(1))']).holds.texts == ("a",)
    for atom, reason in [
        ("p(x,y,f(1))", "x is not a text in quotes"),
        ('p("x","y",f(1))', '"y" is not a name'),
        ('p("x",f(1),f(1))', "f(1) is not a name"),
        ('p("x",y,z)', "z is not a function or a tuple"),
    ]:
        with pytest.raises(InputError, match=reason.replace("(", r"\(").replace(")", r"\)")):
            reasoner.step(1, [atom])


def test_cells_that_are_not_numbers_may_be_missing(tmp_path: Path) -> None:
    program = ALARM + "#input temp(box, number(value) or missing)."
    path = written(tmp_path, "x.csv", "time,box,value", "0,a,off", "1,a,2.5 C", "2,a,2.55")
    [reason] = reasons(program, path)
    assert "2.55 has more than 1 decimal" in reason
    found = [
        *Reasoner.from_text(program).run(
            read_file(path, reading=Reasoner.from_text(program).reading, on_reject=lambda _: None),
            emit="every",
        )
    ]
    assert [(one.tick, one.holds.texts) for one in found] == [(0, ()), (1, ('thaw("a")',))]


def test_a_column_may_take_all(tmp_path: Path) -> None:
    program = "#input p(any(value)). a(V) :- p(V). b :- p(V), V > 3."
    path = written(tmp_path, "x.csv", "time,value", "0,off", "1,2.5", "2,7", "3,x")
    reading = Reasoner.from_text(program).reading
    found = [*Reasoner.from_text(program).run(read_file(path, reading=reading), emit="every")]
    assert [one.holds.texts for one in found][:3] == [("b", f"a({one})") for one in ('"off"', '"2.5"', "7")]


def test_the_same_column_is_read_as_each_predicate_needs_it(tmp_path: Path) -> None:
    program = (
        "#types n(integer). #input n(v). #input t(text(v)). #input m(v). a :- n(_). b(X) :- t(X). c :- m(7)."
    )
    path = written(tmp_path, "x.csv", "time,v", "0,7")
    reading = Reasoner.from_text(program).reading
    [found] = [*Reasoner.from_text(program).run(read_file(path, reading=reading))]
    assert found.holds.texts == ("a", "c", 'b("7")')
