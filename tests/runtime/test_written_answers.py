"""What is written is read again, and nothing is changed by that."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.__main__ import main
from lars2asp.externals.terms.text import quoted

NUMBERS = st.integers(-(2**31) + 1, 2**31 - 1).map(str)
CONSTANTS = st.from_regex(r"[a-z][A-Za-z0-9_]{0,3}", fullmatch=True).filter(lambda name: name != "not")
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4) | st.sampled_from(
    ["", " a ", 'say "x"', "a,b", "line\nend", "7", "kitchen", "\u00e4"]
)
ATOMS = st.builds(lambda number, text, name: f"h({number},{quoted(text)},{name})", NUMBERS, WORDS, CONSTANTS)
STREAMS = st.lists(
    st.tuples(st.integers(1, 3), st.lists(ATOMS, max_size=3, unique=True)), min_size=1, max_size=6
)
"""Steps of time, and what holds from then on until the next one."""

OUT = "#tick 1 min. h(N,T,C) :- p(N,T,C). #show h/3. "
BACK = "#tick 1 min. #input h(int(N), text(T), constant(C)). #show h/3. "


def answers(folder: Path, program: str, source: str, *more: str) -> list[object]:
    """The changes that a program gives for an input."""
    (folder / "back.lars").write_text(program)
    command = ["run", str(folder / "back.lars"), "--input", str(folder / source), "--delta"]
    assert main([*command, "--output", str(folder / "back.jsonl"), *more]) == 0
    return [json.loads(line) for line in (folder / "back.jsonl").read_text().splitlines()]


@settings(max_examples=30, deadline=None)
@given(STREAMS, st.booleans())
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
            ("answers", "delta.jsonl", ("--delta",)),
            ("changes", "changes.csv", ()),
            ("intervals", "intervals.csv", ("--intervals",)),
        ):
            assert main([*command, "--output", str(folder / file), *options, *["--times"] * times]) == 0
            program = BACK if file.endswith(".csv") else "#tick 1 min. #show h/3."
            assert answers(folder, program, file, "--format", format_) == expected, file


@pytest.mark.parametrize(
    ("format_", "text", "reason"),
    [
        ("answers", '{"time": 1, "models": [["a"]]}', "answer streams are no input"),
        ("answers", '{"atoms": ["a"]}', "the answer has no time"),
        ("changes", "time,change,N\n1,begins,2", "'begins' is neither began nor ended"),
        ("intervals", "begin,end,N\n4,4,2", "the interval ends at tick 4, and begins at 4"),
        ("intervals", "time,change,N\n4,began,2", "no column 'begin'"),
        ("changes", "time,N\n4,2", "no column 'change'"),
    ],
)
def test_what_is_no_answer_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], format_: str, text: str, reason: str
) -> None:
    (tmp_path / "p.lars").write_text("#input a(N). #show a/1.")
    (tmp_path / "in").write_text(text)
    command = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "in"), "--format", format_]
    assert main(command) in (1, 2)
    assert reason in capsys.readouterr().err
