"""Explanations of `#external` atoms that are true or free, held to the checker."""

import json
from typing import Any

import pytest

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.definition.stream import Arrival
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.source import Source

SET = """\
#external override. [true]
go :- override.
was :- override in {1}.
#external lamp(X) : room(X). [free]
room(1..2).
on :- lamp(_).
#external day : sun. [true]
warm :- day in [1].
#external open. [true]
open :- knock.
kept :- open in {1}.
"""


@pytest.mark.parametrize("shown", ["", "#show warm/0.\n", "#show day/0.\n"])
@pytest.mark.parametrize("semantics", ["recorded", "strict"])
@pytest.mark.parametrize(
    ("atom", "tick", "because"),
    [
        ("override", 0, "rule"),
        ("go", 1, "rule"),
        ("was", 1, "nothing"),
        ("lamp(1)", 0, "nothing"),
        ("lamp(2)", 2, "input"),
        ("lamp(3)", 2, "nothing"),
        ("on", 0, "nothing"),
        ("day", 0, "nothing"),
        ("day", 1, "rule"),
        ("warm", 1, "rule"),
        ("warm", 2, "nothing"),
        ("open", 2, "rule"),
    ],
)
def test_externals(shown: str, semantics: str, atom: str, tick: int, because: str) -> None:
    found = explained(f"#semantics {semantics}.\n{shown}{SET}", atom, tick)
    assert found["because"] == because


def test_windows_see_those_that_rules_derive_too() -> None:
    assert explained(SET, "kept", 1)["because"] == "rule"


def test_a_free_one_that_is_chosen() -> None:
    found = explained("#external a. [free]\n:- not a.", "a", 0)
    assert found["because"] == "choice"


def test_what_is_given_stays_as_it_is() -> None:
    plan = compile_plan(checked_program(Source("p.lars", SET)), explained=True)
    assert sorted(Reasoner(plan, explain_last=3).step(0, ["sun"]).holds.texts) == [
        "go",
        "open",
        "warm",
    ]


def explained(text: str, atom: str, tick: int) -> dict[str, Any]:
    """The claim about an atom, in an explanation that the checker accepts."""
    checked = checked_program(Source("p.lars", text))
    reasoner = Reasoner(compile_plan(checked, explained=True), explain_last=9)
    told = [["q"], ["sun"], ["lamp(2)"]]
    for now, facts in enumerate(told):
        reasoner.step(now, facts)
    found = json.loads(json.dumps(reasoner.why(atom, tick).to_dict()))
    stream = [Arrival(now, now, fact, f"step({now})") for now, facts in enumerate(told) for fact in facts]
    assert check_explanation(checked.written, stream, found) == []
    (claim,) = found["explains"]
    assert isinstance(claim, dict)
    return claim
