"""The condition of an element of a head: why it is true, and why it is not."""

from copy import deepcopy
from typing import Any

import pytest

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.syntax.source import Source
from tests.runtime.explanations.changes import nodes_with
from tests.support.explaining import explained
from tests.support.records import events

HEADS = ["{ p(X) : q(X) }", "p(X) : q(X) ; c", "1 { p(X) : q(X) ; c } 2", "1 #count { X : p(X) : q(X) }"]


@pytest.mark.parametrize("head", HEADS)
def test_it_is_below_what_was_chosen(head: str) -> None:
    """0: q(5), r   p(5) was chosen, for r and q(5)."""
    text, found = explained(f"{head} :- r. :- q(5), r, not p(5).", {0: ["q(5)", "r"]}, "p(5)", 0)
    assert text == (
        f"p(5) at 0\n└─ chosen by p.lars:1  {head} :- r.\n   ├─ r      s:0 at 0\n   └─ q(5)   s:0 at 0"
    )
    (claim,) = found["explains"]
    assert [(one["literal"], one.get("element")) for one in claim["body"]] == [("r", None)]
    assert [(one["position"], one["literal"], one["element"]) for one in claim["condition"]] == [
        (0, "q(5)", 0)
    ]


@pytest.mark.parametrize("head", HEADS)
def test_it_fails(head: str) -> None:
    """0: q(6), r   p(5) could not be chosen."""
    text, found = explained(f"{head} :- r.", {0: ["q(6)", "r"]}, "p(5)", 0)
    assert text.endswith("   └─ fails: q(5)   no record of it")
    (failed,) = nodes_with("failed", found)
    assert failed["failed"]["element"] == failed["failed"]["position"] == 0


def test_the_body_fails_first() -> None:
    """0: q(6)      there is no r."""
    text, _ = explained("{ p(X) : q(X) } :- r.", {0: ["q(6)"]}, "p(5)", 0)
    assert text.endswith("   └─ fails: r   no record of it")


@pytest.mark.parametrize("asked", ["p(5)", "p(X)"])
def test_all_is_true_but_the_atom_was_not_chosen(asked: str) -> None:
    """0: q(5), r   it is forbidden."""
    text, _ = explained("{ p(X) : q(X) } :- r. :- p(_).", {0: ["q(5)", "r"]}, asked, 0)
    assert text.endswith(f"   └─ its body is true, but {asked} was not chosen")


def test_what_gave_a_comparison_its_values() -> None:
    """From the body as well as from the condition."""
    program = "{ p(X) : v(X,V), V > W } :- least(W)."
    text, _ = explained(program, {0: ["v(5,4)", "least(7)"]}, "p(5)", 0)
    assert text == (
        "p(5) does not hold at 0\n"
        f"└─ p.lars:1  {program}\n"
        "   ├─ least(7)   s:0 at 0\n"
        "   ├─ v(5,4)     s:0 at 0\n"
        "   └─ fails: 4 > 7"
    )


def test_the_element_that_gets_furthest() -> None:
    """Of two elements for an atom the one of which more is true; one of which all is true was not chosen."""
    program = "{ p(X) : q(X), s(X) ; p(X) : u(X), v(X), w(X) } :- r. :- p(_)."
    text, found = explained(program, {0: ["r", "q(5)", "u(5)", "v(5)"]}, "p(5)", 0)
    assert "fails: w(5)" in text
    assert [one["failed"]["element"] for one in nodes_with("failed", found)] == [1]
    text, _ = explained(program, {0: ["r", "q(5)", "s(5)", "u(5)", "v(5)"]}, "p(5)", 0)
    assert "was not chosen" in text


def test_variables_of_an_element_are_not_those_in_an_aggregate_of_the_body() -> None:
    """The aggregate counts three X, whichever the condition is about."""
    program = "{ a(X) : p(X) ; c } :- #count { X : q(X) } >= 2. q(1..3). p(1). :- not a(1)."
    text, _ = explained(program, {0: ["r"]}, "a(1)", 0)
    assert text.splitlines()[-1].split() == ["└─", "p(1)", "a", "fact,", "p.lars:1"]
    text, _ = explained(program, {0: ["r"]}, "a(2)", 0)
    assert "fails: p(2)" in text


def test_a_head_that_is_another_atom() -> None:
    """The condition is true of 5, but 5*5 is 25."""
    text, _ = explained("{ u(X*X) : q(X) } :- r.", {0: ["q(5)", "r"]}, "u(24)", 0)
    assert text.endswith("   └─ q(5)   s:0 at 0; its head is u(25)")


def test_windows_and_placed_atoms() -> None:
    """0: q(5)   1: r   q(5) held in the window, and p(5) is placed where it did."""
    program = "{ p(X) at S : q(X) at S in [2] } :- r. :- r, not p(5) in [2]. h(X) :- p(X) in [2]."
    text, _ = explained(program, {0: ["q(5)"], 1: ["r"], 2: ["s"]}, "h(5)", 2)
    assert text.endswith("   evaluated at 1\n" + RESTS_ON)
    text, _ = explained(program, {0: ["q(5)"], 1: ["r"]}, "p(6)", 1)
    assert "fails: q(6) at 1 in [2]" in text


RESTS_ON = """\
            ├─ r                  s:1 at 1
            └─ q(5) at 0 in [2]   0 █· 1  s:0 at 0"""


def test_a_condition_that_rests_on_what_was_chosen() -> None:
    """p(2) rests on q(2), which rests on p(1): nothing rests on itself."""
    program = "{ p(X) : q(X) } :- r. q(X+1) :- p(X), X < 3. :- r, not p(2)."
    text, _ = explained(program, {0: ["q(1)", "r"]}, "p(2)", 0)
    drawn = [line.lstrip("│├└─ ").split("   ")[0] for line in text.splitlines()]
    assert [line for line in drawn if line[0] in "pq" and ".lars" not in line] == [
        "p(2) at 0",
        "q(2)",
        "p(1)",
        "q(1)",
    ]


def test_decimals() -> None:
    """Numbers in conditions have their points."""
    program = "#decimals v(_,1). { p(X) : v(X,V), V > 2.5 } :- r."
    text, _ = explained(program, {0: ["v(5,24)", "r"]}, "p(5)", 0)
    assert "v(5,2.4)" in text
    assert "fails: 2.4 > 2.5" in text


# --- changes --------------------------------------------------------------------------------------


def _faults(program: str, stream: dict[int, list[str]], explanation: dict[str, Any]) -> list[str]:
    told = [Record(at, events(facts), Origin("s", at)) for at, facts in stream.items()]
    return check_explanation(checked_program(Source("p.lars", program)).written, arrivals(told), explanation)


CHOSEN = "{ p(X) : q(X), not s(X) ; c : q(_) } :- r. :- r, not p(5)."
TOLD = {0: ["q(5)", "q(6)", "r"]}


def test_changed_conditions_are_refused() -> None:
    """Left out, cut off, of another element, with another position, of another instance."""
    _, found = explained(CHOSEN, TOLD, "p(5)", 0)
    changes: list[dict[str, Any]] = [deepcopy(found) for _ in range(7)]
    claims = [change["explains"][0] for change in changes]
    del claims[0]["condition"]
    claims[1]["condition"].pop()
    for literal in claims[2]["condition"]:
        literal["element"] = 1
    claims[3]["condition"].reverse()
    claims[4]["condition"][0] |= {"literal": "q(6)"}
    del claims[5]["condition"][0]["claims"]
    claims[6]["body"] += claims[6].pop("condition")
    for change in changes:
        assert _faults(CHOSEN, TOLD, change)


def test_changed_reasons_why_it_fails_are_refused() -> None:
    """Not chosen though it fails; another literal, another element, or the body."""
    _, found = explained(CHOSEN, TOLD, "p(4)", 0)
    changes: list[dict[str, Any]] = [deepcopy(found) for _ in range(5)]
    rules = [change["explains"][0]["rules"][0] for change in changes]
    rules[0]["failed"] = None
    rules[1]["failed"]["position"] = 1
    rules[2]["failed"]["element"] = 1
    del rules[3]["failed"]["element"]
    rules[4]["failed"]["element"] = 7
    for change in changes:
        assert _faults(CHOSEN, TOLD, change)
