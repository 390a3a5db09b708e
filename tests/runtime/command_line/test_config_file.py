"""Options from a file, and messages as JSON."""

import json
from pathlib import Path

import pytest

from lars2asp.__main__ import main


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.lars").write_text("#const limit = 5. high(X) :- p(X), X > limit.")
    Path("in.jsonl").write_text("".join(f'{{"time": {i}, "facts": ["p({i})"]}}\n' for i in range(9)))


def test_the_command_line_goes_before(capsys: pytest.CaptureFixture[str]) -> None:
    """Names are those of options; lists, flags, numbers, times, and constants as a table."""
    Path("run.toml").write_text(
        'program = ["p.lars"]\ninput = "in.jsonl"\nchanges = true\ndrain = false\nuntil = 7\n'
        "origin = 2026-01-01T00:00:00Z\nmissing = ['-', 'NA']\n[const]\nlimit = 6\n"
    )
    assert main(["run", "--config", "run.toml"]) == 0
    assert [json.loads(line)["began"] for line in capsys.readouterr().out.splitlines()] == [["high(7)"]]
    assert main(["run", "--until", "8", "--config", "run.toml", "-c", "limit=7"]) == 0
    assert [json.loads(line)["began"] for line in capsys.readouterr().out.splitlines()] == [["high(8)"]]


def test_constants_that_the_command_line_does_not_give_are_those_of_the_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("two.lars").write_text('#const n = 1. #const name = "x". a(n, name) :- p(5).')
    Path("run.toml").write_text(
        "program = 'two.lars'\ninput = 'in.jsonl'\nconst = {n = 2, name = '\"Küche\"'}\n"
    )
    assert main(["run", "--config", "run.toml", "-c", "n=3", "--changes"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["began"] == ['a(3,"Küche")']


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("emti = 'every'", "run.toml: there is no option --emti; did you mean emit?"),
        ("changes = 'yes'", "run.toml: changes must be true or false"),
        ("until = [1, 2]", "run.toml: until needs one value, not a list"),
        ("until = {a = 1}", "run.toml: until must be text or a number"),
        ("emit = 'never'", "must be change, every, windows or a positive number"),
        ("config = 'other.toml'", "there is no option --config"),
        ("emit =", "run.toml: this is not TOML"),
    ],
)
def test_wrong_files(capsys: pytest.CaptureFixture[str], text: str, message: str) -> None:
    Path("run.toml").write_text(text)
    assert main(["run", "p.lars", "--input", "in.jsonl", "--config", "run.toml"]) == 2
    assert message in capsys.readouterr().err


def test_the_environment_goes_before_the_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the command line before both."""
    Path("run.toml").write_text("program = ['p.lars']\nuntil = 6\nconst = {limit = 5}\n")
    Path("and more.jsonl").write_text('{"time": 4, "facts": ["p(70)"]}\n')
    for name, value in {
        "CONFIG": "run.toml",
        "INPUT": "in.jsonl 'and more.jsonl'",
        "UNTIL": "7",
        "CHANGES": "true",
        "DRAIN": "0",
        "CONST": "limit=6",
    }.items():
        monkeypatch.setenv(f"LARS2ASP_RUN_{name}", value)
    assert main(["run"]) == 0
    began = [json.loads(line)["began"] for line in capsys.readouterr().out.splitlines()]
    assert [one for one in began if one] == [["high(70)"], ["high(7)"]]
    assert main(["run", "--until", "8", "-c", "limit=7", "--input", "in.jsonl"]) == 0
    assert [json.loads(line)["began"] for line in capsys.readouterr().out.splitlines()] == [["high(8)"]]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "CHEKPOINT",
            "state",
            "LARS2ASP_RUN_CHEKPOINT: run has no such option; did you mean LARS2ASP_RUN_CHECKPOINT?",
        ),
        ("CHANGES", "often", "LARS2ASP_RUN_CHANGES: 'often' is not a valid boolean"),
        ("UNTIL", "x", "LARS2ASP_RUN_UNTIL: --until takes the number of a tick or a timestamp"),
        ("RETRY_FOR", "x", "LARS2ASP_RUN_RETRY_FOR: "),
        ("INPUT", "'a", "LARS2ASP_RUN_INPUT: No closing quotation"),
        ("EMIT", "never", "must be change, every, windows or a positive number"),
    ],
)
def test_wrong_variables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(f"LARS2ASP_RUN_{name}", value)
    assert main(["run", "p.lars", "--input", "in.jsonl"][: None if name != "INPUT" else 2]) == 2
    assert message in capsys.readouterr().err


def test_empty_variables_are_not_given(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file, or the command line, says the values; an error of theirs names no variable."""
    Path("run.toml").write_text("until = 6\nchanges = true\ninput = 'in.jsonl'\n")
    for name in ("CHECKPOINT", "CONFIG", "UNTIL", "CHANGES", "INPUT", "CONST", "PROGRAM"):
        monkeypatch.setenv(f"LARS2ASP_RUN_{name}", "")
    assert main(["run", "p.lars", "--config", "run.toml"]) == 0
    assert [json.loads(line)["began"] for line in capsys.readouterr().out.splitlines()] == [["high(6)"]]
    monkeypatch.setenv("LARS2ASP_RUN_UNTIL", "6")
    assert main(["run", "p.lars", "--config", "run.toml", "--until", "x"]) == 2
    assert "error: --until takes" in capsys.readouterr().err


def test_values_of_variables_stay_out_of_messages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be passwords."""
    monkeypatch.setenv("LARS2ASP_RUN_UNTIL", "hunter2")
    assert main(["run", "p.lars", "--input", "in.jsonl"]) == 2
    said = capsys.readouterr().err
    assert "LARS2ASP_RUN_UNTIL: --until" in said
    assert "LARS2ASP_RUN_UNTIL='" not in said


def test_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--config", "missing.toml"]) == 2
    assert "missing.toml: cannot read the configuration: No such file" in capsys.readouterr().err


def test_messages_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each message, also where it has several lines, and of what ends the run."""
    Path("in.jsonl").write_text('{"time": 1, "facts": ["p(1"]}\n')
    log = ("--log-format", "json")
    assert main(["run", "p.lars", "-c", "other=1", "--input", "in.jsonl", *log]) == 1
    said = [*map(json.loads, capsys.readouterr().err.splitlines())]
    assert [one["level"] for one in said] == ["warning", "error", *["info"] * 5]
    assert said[0]["message"].count("\n") == 2
    assert said[1]["message"].startswith("in.jsonl:1: error: ")
    assert main(["run", "p.lars", "--input", "missing.jsonl", *log]) == 2
    [one] = map(json.loads, capsys.readouterr().err.splitlines())
    assert one["level"] == "error"
    assert main(["run", "p.lars", "--input", "missing.jsonl"]) == 2
    assert capsys.readouterr().err.startswith("error: missing.jsonl")
