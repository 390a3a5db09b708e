"""clingo's own means on the command line: options, costs of optimal answers, and its statistics."""

import json
from pathlib import Path
from textwrap import dedent

import pytest

from tests.support.command_line import lines, run

OPTIONS = "--seed 5 -t 2 --heuristic Vsids --opt-mode optN"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program that goes where there is no jam; a stream."""
    (tmp_path / "p.lars").write_text(
        "1 { go(X) : way(X) } 1 :- call. way(1..3).\n:~ go(X), jam(X) in [1]. [10@3, X]\n:~ go(X). [X@1, X]\n"
    )
    (tmp_path / "s.facts").write_text("0: call, jam(1)\n1: call\n2: call\n3:\n")
    return tmp_path


RUN = ["run", "p.lars", "--input", "s.facts", "--input-format", "facts"]
ANSWERS = """\
{"time": 0, "atoms": ["go(2)"], "cost": [[3, 0], [1, 2]]}
{"time": 2, "atoms": ["go(1)"], "cost": [[3, 0], [1, 1]]}
{"time": 3, "atoms": [], "cost": [[3, 0], [1, 0]]}
"""


@pytest.mark.parametrize("options", [[], ["--clingo", OPTIONS], ["--clingo", "-t 2", "--clingo", "--seed 3"]])
def test_answers_with_their_costs(folder: Path, options: list[str]) -> None:
    assert run(folder, *RUN, *options).stdout == ANSWERS


def test_costs_in_other_forms(folder: Path) -> None:
    assert run(folder, *RUN, "--models", "0", "--emit", "2").stdout == dedent("""\
        {"time": 0, "models": [["go(2)"]], "cost": [[3, 0], [1, 2]]}
        {"time": 2, "models": [["go(1)"]], "cost": [[3, 0], [1, 1]]}
        """)
    assert run(folder, *RUN, "--changes", "--emit", "2").stdout == dedent("""\
        {"time": 0, "began": ["go(2)"], "ended": [], "cost": [[3, 0], [1, 2]]}
        {"time": 2, "began": ["go(1)"], "ended": ["go(2)"], "cost": [[3, 0], [1, 1]]}
        """)


def test_answers_with_costs_are_input_again(folder: Path) -> None:
    run(folder, *RUN, "--output", "answers.jsonl")
    (folder / "q.lars").write_text("seen(X) :- go(X) in [1].")
    done = run(folder, "run", "q.lars", "--input", "answers.jsonl", "--input-format", "answers")
    assert [line["atoms"] for line in lines(done.stdout)] == [
        ["seen(2)"],
        ["seen(1)", "seen(2)"],
        ["seen(1)"],
    ]


def test_a_program_that_does_not_optimise_has_no_costs(folder: Path) -> None:
    (folder / "p.lars").write_text("1 { go(X) : way(X) } 1 :- call.\nway(1).\n")
    assert run(folder, *RUN).stdout == '{"time": 0, "atoms": ["go(1)"]}\n{"time": 3, "atoms": []}\n'


def test_what_clingo_says_of_its_searches(folder: Path) -> None:
    done = run(folder, *RUN, "--clingo", OPTIONS, "--stats", "--stats-json", "stats.json")
    said = done.stderr.splitlines()
    [place] = [
        at for at, line in enumerate(said) if line.split()[:4] == ["clingo", "for", "Models", "Choices"]
    ]
    numbers = said[place + 1]
    [component] = json.loads((folder / "stats.json").read_text())["components"]
    searches = component["searches"]
    assert numbers.split() == ["1", *map(str, searches.values())]
    assert searches["threads"] == 2
    assert searches["models"] >= component["cost"]["solvings"] > 0


@pytest.mark.parametrize("command", ["run", "why", "check-why", "spark"])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            "--heuristic=Vsid",
            "clingo says: 'Vsid' invalid value for: 'heuristic'; it takes {Berkmin|Vmtf|Vsids|",
        ),
        (
            "--outf 2",
            "lars2asp does not accept clingo's --outf: use --output, --output-format and --emit",
        ),
        ("--seed '5", "No closing quotation"),
    ],
)
def test_options_that_are_not_taken(folder: Path, command: str, options: str, said: str) -> None:
    atoms = {"why": ["go(1)"], "check-why": ["w.json"]}.get(command, [])
    done = run(folder, command, "p.lars", *atoms, "--clingo", options, status=2)
    assert f"Error: Invalid value for '--clingo': {said}" in done.stderr


def test_one_optimum_is_not_several_answer_streams(folder: Path) -> None:
    done = run(folder, *RUN, "--models", "0", "--clingo", "--opt-mode=opt", status=2)
    assert "--clingo: clingo's --opt-mode=opt finds one optimal answer stream" in done.stderr


def test_explanations_with_options_of_clingo(folder: Path) -> None:
    asked = ["why", "p.lars", "go(2)", *RUN[2:], "--at", "1", "--clingo", OPTIONS]
    done = run(folder, *asked)
    assert "cost 0@3, 2@1; the best answer without go(2): 0@3, 3@1" in done.stdout
    (folder / "w.json").write_text(run(folder, *asked, "--output-format", "json").stdout)
    run(folder, "check-why", "p.lars", "w.json", *RUN[2:])


def test_explanations_without_optimisation(folder: Path) -> None:
    """Costs are said, and no other answer stream is better, as none is compared."""
    asked = ["why", "p.lars", "go(X)", *RUN[2:], "--at", "1", "--clingo", "--opt-mode=ignore"]
    done = run(folder, *asked)
    assert "cost " in done.stdout
    assert "the best answer stream" not in done.stdout
    (folder / "w.json").write_text(run(folder, *asked, "--output-format", "json").stdout)
    run(folder, "check-why", "p.lars", "w.json", *RUN[2:])
