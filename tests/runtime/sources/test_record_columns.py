"""`row()` and `file()` of `#input`: equal facts of a tick stay apart, whatever the records come from."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from lars2asp import Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, Rejected, refuse
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.records import in_short

PROGRAM = """
#input failed(user, row(), file()) at t.
many(U) :- 3 <= #count { R,F : failed(U,R,F) in [1] }, failed(U,_,_) in [1].
failed_at(U,R) :- failed(U,R,_).
"""
USERS = [(1, "a"), (1, "a"), (1, "b"), (2, "a"), (2, "a"), (4, "a")]


def found(source: Any, program: str = PROGRAM) -> dict[int, list[str]]:
    return {
        answer.tick: [*answer.holds.texts] for answer in Reasoner.from_text(program).run(source, emit="every")
    }


def lines(users: list[tuple[int, str]] = USERS) -> str:
    return "".join(f"{json.dumps({'t': tick, 'user': user})}\n" for tick, user in users)


def expected(first: int) -> dict[int, list[str]]:
    """The answers where the first record has this number."""
    at = [f'failed_at("{user}",{first + number})' for number, (_, user) in enumerate(USERS)]
    many = 'many("a")'
    return {1: at[:3], 2: [many, *at[3:5]], 3: [], 4: at[5:]}


def test_lines_of_json(tmp_path: Path) -> None:
    path = tmp_path / "users.jsonl"
    path.write_text(lines())
    assert found(path) == expected(1)
    path.write_text(lines().replace('"t"', '"x": [1], "t"', 1))  # is not written like the others
    assert found(path) == expected(1)


def test_lines_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("t,user\n" + "".join(f"{tick},{user}\n" for tick, user in USERS))
    assert found(path) == expected(2)
    path.write_text("t,user\n" + "".join(f'{tick},"{user}"\n' for tick, user in USERS))
    assert found(path) == expected(2)


def test_rows_of_frames_and_parquet(tmp_path: Path) -> None:
    frame = pd.DataFrame(USERS, columns=["t", "user"])
    assert found(frame) == expected(1)
    frame.to_parquet(tmp_path / "users.parquet")
    assert found(tmp_path / "users.parquet") == expected(1)


def test_numbers_at_places_with_decimals(tmp_path: Path) -> None:
    path = tmp_path / "users.jsonl"
    path.write_text(lines([(1, "a"), (1, "a")]))
    program = "#input p(user, row()) at t. #decimals p(_,1). a(N) :- p(_,N), N > 1.5."
    assert found(path, program) == {1: ["a(2.0)"]}
    assert found(pd.DataFrame([(1, "a"), (1, "a")], columns=["t", "user"]), program) == {1: ["a(2.0)"]}


def test_several_records_in_a_line_have_one_number(tmp_path: Path) -> None:
    path = tmp_path / "users.jsonl"
    path.write_text('[{"t": 1, "user": "a"}]\n[{"t": 2, "user": "a"}, {"t": 2, "user": "a"}]\n')
    rejected: list[Rejected] = []
    answers = Reasoner.from_text(PROGRAM).run(path, on_reject=rejected.append)
    assert [answer.tick for answer in answers][:1] == [1]
    reason = "several records are on this line, and row() numbers lines: use record() to number records"
    assert [one.reason for one in rejected] == [f"record {n} of the array: {reason}" for n in (1, 2)]


def test_several_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`file()` is the file as --input names it."""
    monkeypatch.chdir(tmp_path)
    Path("program.lars").write_text("#input p(file(), row()) at t. a(F,N) :- p(F,N).")
    for name in ("one.jsonl", "other.jsonl"):
        Path(name).write_text('{"t": 1}\n{"t": 1}\n')
    inputs = ["--input", "one.jsonl", "--input", "other.jsonl"]
    assert main(["run", "program.lars", *inputs, "--output", "answers.jsonl"]) == 0
    atoms = [f'a("{name}",{number})' for name in ("one.jsonl", "other.jsonl") for number in (1, 2)]
    assert json.loads(Path("answers.jsonl").read_text())["atoms"] == sorted(atoms)


@pytest.mark.parametrize("name", ["input.jsonl", "input.csv"])
def test_a_run_goes_on_with_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.lars").write_text("#input p(x, row()) at t. a(X,N) :- p(X,N) in [1].")
    is_table = name.endswith("csv")

    def write(end: int) -> None:
        rows = [(tick, number) for tick in range(end) for number in (1, 1, 2)]
        told = [f"{t},{x}\n" if is_table else f'{{"t": {t}, "x": {x}}}\n' for t, x in rows]
        Path(name).write_text("".join((["t,x\n"] if is_table else []) + told))

    kept = ["--output", "answers.jsonl", "--checkpoint", "state", "--checkpoint-every", "2"]
    for end in (5, 9):
        write(end)
        assert main(["run", "program.lars", "--input", name, *kept, "--until", str(end - 2)]) == 0
    whole = ["--output", "whole.jsonl", "--until", "7"]
    assert main(["run", "program.lars", "--input", name, *whole]) == 0
    assert Path("answers.jsonl").read_text() == Path("whole.jsonl").read_text()


@pytest.mark.parametrize("form", [Format.CSV, Format.JSONL])
def test_live_records_are_counted(form: Format) -> None:
    """Over all sources, and by a run that goes on."""
    reading = Reading(form, declarations=[parse_input_declaration("p(x, row(), file()) at t")])
    texts = ["t,x", "1,7", "", '1,"7"'] if form is Format.CSV else ['{"t": 1, "x": 7}', '{"t": 1, "x": 7}']
    told, counted = list[str](), 0
    for source in ("here", "there"):
        reader = LiveReader(reading, refuse)
        reader.restore({}, counted)
        for number, text in enumerate(texts, start=1):
            told += in_short(reader.records(Line(source, number, text)))
        counted = reader.counted
    assert [text.replace('"', "") for text in told] == [
        *("1: p(7,1,here)", "1: p(7,2,here)", "1: p(7,3,there)", "1: p(7,4,there)")
    ]
