"""What is written is read again, and nothing is changed by that."""

import csv
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lars2asp.__main__ import main
from lars2asp.syntax.string_escapes import clingo_string
from tests.strategies.decimal_programs import by_hand

NUMBERS = st.integers(-(2**31), 2**31 - 1).map(str)
CONSTANTS = st.from_regex(r"[a-z][A-Za-z0-9_]{0,3}", fullmatch=True).filter(lambda name: name != "not")
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4) | st.sampled_from(
    ["", " a ", 'say "x"', "a,b", "line\nend", "\r", "a\r\nb", "7", "kitchen", "\u00e4"]
)
ATOMS = st.builds(
    lambda number, text, name: f"h({number},{clingo_string(text)},{name})", NUMBERS, WORDS, CONSTANTS
)
STREAMS = st.lists(
    st.tuples(st.integers(1, 3), st.lists(ATOMS, max_size=3, unique=True)), min_size=1, max_size=6
)
"""Steps of time, and what holds from then on until the next one."""

OUT = "#tick 1 min. h(N,T,C) :- p(N,T,C). #show h/3. "
BACK = "#tick 1 min. #input h(int(N), text(T), constant(C)). #show h/3. "


def answers(folder: Path, program: str, source: str, *more: str) -> list[object]:
    """The changes that a program gives for an input."""
    (folder / "back.lars").write_text(program)
    command = ["run", str(folder / "back.lars"), "--input", str(folder / source), "--changes"]
    assert main([*command, "--output", str(folder / "back.jsonl"), *more]) == 0
    return [json.loads(line) for line in (folder / "back.jsonl").read_text().splitlines()]


@settings(max_examples=15, deadline=None)
@given(STREAMS, st.booleans())
@example([(1, [f"h(0,{clingo_string(text)},c)" for text in ("a\rb", "\r", "\r\n")])], False)
def test_answers_are_input_again(steps: list[tuple[int, list[str]]], times: bool) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "p.lars").write_text(OUT)
        lines, tick, held = list[str](), 0, list[str]()
        for step, atoms in steps:
            tick += step
            now = [atom.replace("h(", "p(", 1) for atom in atoms]
            ended = [atom for atom in held if atom not in now]
            lines.append(json.dumps({"time": tick, "end": ended, "begin": now}))
            held = now
        (folder / "in.jsonl").write_text("\n".join(lines))
        command = ["run", str(folder / "p.lars"), "--input", str(folder / "in.jsonl")]
        expected = answers(folder, OUT, "in.jsonl")
        for format_, file, options in (
            ("answers", "whole.jsonl", ()),
            ("answers", "changes.jsonl", ("--changes",)),
            ("changes", "changes.csv", ()),
            ("intervals", "intervals.csv", ("--intervals",)),
            ("changes", "changes.parquet", ()),
            ("intervals", "intervals.parquet", ("--intervals",)),
        ):
            assert main([*command, "--output", str(folder / file), *options, *["--times"] * times]) == 0
            program = BACK if format_ != "answers" else "#tick 1 min. #show h/3."
            assert answers(folder, program, file, "--input-format", format_) == expected, file


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=3, unique=True), min_size=1, max_size=5),
    st.integers(1, 9),
)
def test_answers_with_decimals_are_input_again(steps: list[list[int]], decimals: int) -> None:
    """`int` takes a number with decimals for what it says."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        declared = f"#decimals h({decimals}). #input h(int(N)). #show h/1."
        program = f"#decimals p({decimals}). h(N) :- p(N). #show h/1."
        (folder / "p.lars").write_text(program)
        lines = [
            json.dumps({"time": tick, "facts": [f"p({by_hand(number, decimals)})" for number in numbers]})
            for tick, numbers in enumerate(steps)
        ]
        (folder / "in.jsonl").write_text("\n".join(lines))
        expected = answers(folder, program, "in.jsonl")
        command = ["run", str(folder / "p.lars"), "--input", str(folder / "in.jsonl")]
        for format_, file, options in (
            ("answers", "changes.jsonl", ("--changes",)),
            ("changes", "changes.csv", ()),
            ("intervals", "intervals.csv", ("--intervals",)),
        ):
            assert main([*command, "--output", str(folder / file), *options]) == 0
            assert answers(folder, declared, file, "--input-format", format_) == expected, file


@pytest.mark.parametrize("options", [(), ("--intervals",)])
def test_parquet_with_decimals(tmp_path: Path, options: tuple[str, ...]) -> None:
    """The numbers of CSV, exactly."""
    (tmp_path / "p.lars").write_text("#decimals p(7). s(S) :- S = #sum { X : p(X) }. t(X) :- p(X).")
    numbers = ["0.0000001", "-214.7483647", "12"]
    lines = [json.dumps({"time": tick, "facts": [f"p({one})"]}) for tick, one in enumerate(numbers)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    command = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "in.jsonl"), *options]
    for form in ("csv", "parquet"):
        assert main([*command, "--output", f"{tmp_path / form}/", "--output-format", form]) == 0
    for name, column in (("s", "S"), ("t", "X")):
        with (tmp_path / "csv" / f"{name}.csv").open(newline="") as file:
            texts = [row[column] for row in csv.DictReader(file)]
        found = pq.read_table(tmp_path / "parquet" / f"{name}.parquet")[column]
        assert found.type == pa.decimal128(38, 7)
        assert [f"{one:f}" for one in found.to_pylist()] == texts
        assert {*texts} == {"0.0000001", "-214.7483647", "12.0000000"}


def test_what_is_no_number_among_numbers_of_parquet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The input has an atom of a derived predicate, with a string that looks like a number."""
    (tmp_path / "p.lars").write_text("#decimals p(1). h(S) :- S = #sum { X : p(X) }. #show h/1.")
    (tmp_path / "in.jsonl").write_text(json.dumps({"time": 1, "facts": ['h("2.0")']}))
    command = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "in.jsonl"), "--output"]
    assert main([*command, str(tmp_path / "h.parquet")]) == 2
    assert "h/1 has '\"2.0\"' in its column S, where its rules derive" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "h.csv")]) == 0
    assert "1,began,2.0" in (tmp_path / "h.csv").read_text()


@pytest.mark.parametrize(
    ("format_", "text", "reason"),
    [
        ("answers", '{"time": 1, "models": [["a"]]}', "answers with several answer streams cannot be input"),
        ("answers", '{"atoms": ["a"]}', "the answer has no time"),
        ("changes", "time,change,N\n1,begins,2", "'begins' must be began or ended"),
        ("intervals", "begin,end,N\n4,4,2", "the interval ends at tick 4, before it begins at 4"),
        ("intervals", "time,change,N\n4,began,2", "no column 'begin'"),
        ("changes", "time,N\n4,2", "the column 'change' is missing"),
    ],
)
def test_what_is_no_answer_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], format_: str, text: str, reason: str
) -> None:
    (tmp_path / "p.lars").write_text("#input a(N). #show a/1.")
    (tmp_path / "in").write_text(text)
    command = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "in"), "--input-format", format_]
    assert main(command) in (1, 2)
    assert reason in capsys.readouterr().err
