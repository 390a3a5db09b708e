"""`run --revise`: the lines that revise answers, tables, and what is refused."""

from pathlib import Path

import pytest

from lars2asp.__main__ import main

PROGRAM = """
alarm(X) :- p(X) always in [2].
seen(X) :- p(X) in [3], not q(X) in [1].
#show alarm/1. #show seen/1.
"""

STREAM = """
{"time": 3, "facts": ["p(1)"]}
{"time": 5, "facts": ["p(1)"]}
{"time": 6, "facts": ["q(2)"]}
{"time": 4, "facts": ["p(1)", "p(2)"]}
{"time": 2, "facts": ["p(2)"]}
{"time": 15, "facts": ["q(2)"]}
{"time": 9, "facts": ["q(2)"]}
{"time": 11, "end": ["on(2)"]}
"""

LINES = """
{"time": 3, "atoms": ["alarm(1)", "seen(1)"]}
{"time": 4, "atoms": ["seen(1)"]}
{"revised": "alarm(2)", "from": 2, "to": 2, "holds": true}
{"revised": "seen(2)", "from": 2, "to": null, "holds": true}
{"revised": "alarm(1)", "from": 3, "to": 3, "holds": false}
{"revised": "alarm(1)", "from": 5, "to": null, "holds": true}
{"time": 6, "atoms": ["seen(1)"]}
{"time": 9, "atoms": []}
{"final": 9}
{"final": 15}
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The program and the stream."""
    monkeypatch.chdir(tmp_path)
    Path("program.lars").write_text(PROGRAM)
    Path("stream.jsonl").write_text(STREAM.lstrip())
    return ["run", "program.lars", "--input", "stream.jsonl"]


def test_lines(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Of two late records at once, and two that are rejected."""
    assert main([*files, "--revise", "5"]) == 1
    said = capsys.readouterr()
    assert said.out == LINES.lstrip()
    assert "stream.jsonl:7: error: late: tick 9 arrived after 15" in said.err
    assert "stream.jsonl:8: error: on(2) ends but was not begun" in said.err


def test_lines_with_times(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files, "--revise", "5", "--tick", "1 sec", "--times"]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = [f"1970-01-01T00:00:0{tick}+00:00" for tick in range(10)]
    times = f'"from_at": "{at[2]}", "to_at": "{at[2]}"'
    assert f'{{"revised": "alarm(2)", "from": 2, "to": 2, {times}, "holds": true}}' in lines
    times = f'"from_at": "{at[2]}", "to_at": null'
    assert f'{{"revised": "seen(2)", "from": 2, "to": null, {times}, "holds": true}}' in lines
    assert f'{{"final": 9, "at": "{at[9]}"}}' in lines


def test_ticks_without_answer(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """They are revised like atoms."""
    Path("program.lars").write_text("a :- p(1). :- p(2).")
    Path("stream.jsonl").write_text(
        '{"time": 1, "facts": ["p(1)"]}\n{"time": 4}\n{"time": 1, "facts": ["p(2)"]}\n'
    )
    assert main([*files, "--revise", "5"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        '{"time": 1, "atoms": ["a"]}',
        '{"time": 2, "atoms": []}',
        '{"revised": null, "from": 1, "to": 1, "satisfiable": false}',
        '{"revised": "a", "from": 1, "to": 1, "holds": false}',
        '{"final": 4}',
    ]


def test_tables_are_those_of_a_run_that_waits(files: list[str]) -> None:
    options = ["--output-format", "csv", "--intervals"]
    assert main([*files, *options, "--output", "early/", "--revise", "5"]) == 1
    assert main([*files, *options, "--output", "waiting/", "--lateness", "5"]) == 1
    for name in ("alarm.csv", "seen.csv"):
        assert Path("early", name).read_text() == Path("waiting", name).read_text()


REFUSED = [
    (["--lateness", "5"], "--revise cannot be combined with"),
    (["--clock", "wall"], "--revise cannot be combined with"),
    (["--emit", "3"], "--revise cannot be combined with"),
    (["--models", "0"], "--revise cannot be combined with"),
    (["--view", "--stats"], "--revise cannot be combined with"),
    (["--chart", "a.html"], "--revise cannot be combined with"),
    (["--serve", "0"], "--revise cannot be combined with"),
    (["--stats-json", "a.json"], "--revise cannot be combined with --stats-json: remove one"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=[" ".join(options) for options, _ in REFUSED])
def test_refused(
    files: list[str], capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert main([*files, "--revise", "5", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("rule", ["{a} :- p(X).", "a ; b :- p(X).", "a :- not b. b :- not a."])
def test_several_answer_streams_are_refused(
    files: list[str], capsys: pytest.CaptureFixture[str], rule: str
) -> None:
    Path("program.lars").write_text(rule)
    assert main([*files, "--revise", "5"]) == 2
    assert "this program may have several answer streams" in capsys.readouterr().err


def test_costs_are_refused(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("program.lars").write_text("a :- p(1). :~ a. [1]")
    assert main([*files, "--revise", "5"]) == 2
    assert "--revise does not revise the costs of answers" in capsys.readouterr().err
